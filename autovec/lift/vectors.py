"""Arrays in a loop's body: rows, slices and windows, as one more loop over their elements.

`m[i].sum()` is the sum over `v` of `m[i, v]`; `row *= s` is the loop `m[i, v] *= s`. So rows and
slices need no rules of their own: the axis of an array in the body is a loop like those around.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import evaluate
from autovec.lift.known import known_call
from autovec.lift.nest import MARK, Nest
from autovec.lift.poly import Poly, number, symbol
from autovec.lift.values import Arr, Lane, Row, Turn, Vector
from autovec.syntax import quote
from autovec.syntax.walking import updated

_SIGNS = (gast.USub, gast.UAdd)


@dataclass(eq=False)
class Elements:
    """An array expression as the expression of one element, and the loops over its axes."""

    turns: list[Turn] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    after: dict[str, str] = field(default_factory=dict)  # beside which axis a block's own stands

    @property
    def rank(self) -> int:
        return len(self.turns)


def rank_of(nest: Nest, node: Any) -> int:
    """How many axes an expression of the body has; numbers have none."""
    if isinstance(node, gast.Name):
        thing = nest.lookup(node.id)
        if isinstance(thing, Row):
            return len(thing.dims)
        if isinstance(thing, Vector):
            return len(thing.turns)
        return thing.rank if isinstance(thing, Arr) else 0
    if isinstance(node, gast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        inner = rank_of(nest, node.value)
        return inner and inner - sum(not isinstance(p, gast.Slice) for p in parts)
    if isinstance(node, gast.BinOp):
        if isinstance(node.op, gast.MatMult):
            return 0
        return max(rank_of(nest, node.left), rank_of(nest, node.right))
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, _SIGNS):
        return rank_of(nest, node.operand)
    if isinstance(node, gast.Compare):
        return max(rank_of(nest, side) for side in [node.left, *node.comparators])
    if isinstance(node, gast.Call) and known_call(nest.scope.find(node.func)) is not None:
        return max((rank_of(nest, arg) for arg in node.args), default=0)
    return 0


def element(nest: Nest, node: Any, found: Elements) -> Any:
    """One element of an expression; numbers in it are computed now, before any element."""
    rank = rank_of(nest, node)
    if not rank:
        if isinstance(node, (gast.Name, gast.Constant)):
            return node
        return marked(nest, evaluate(nest, node))
    if isinstance(node, gast.Name):
        thing = nest.lookup(node.id)
        if isinstance(thing, Vector):
            return marked(nest, _renamed(nest, node, thing, found))
        if isinstance(thing, Row):
            return element(nest, thing.node, found)
        return _leaf(nest, node, node, [None] * rank, found)
    if isinstance(node, gast.Subscript):
        parts = list(node.slice.elts) if isinstance(node.slice, gast.Tuple) else [node.slice]
        if isinstance(nest.lookup(getattr(node.value, "id", "")), Vector):
            raise Unsupported(node, "a part of a row that is computed")
        given: list[Any] = [
            p if isinstance(p, gast.Slice) else element(nest, p, found) for p in parts
        ]
        missing = rank - sum(isinstance(p, gast.Slice) for p in parts)
        return _leaf(nest, node, node.value, [*given, *[None] * missing], found)
    if isinstance(node, gast.BinOp):
        left, right = element(nest, node.left, found), element(nest, node.right, found)
        return updated(node, left=left, right=right)
    if isinstance(node, gast.UnaryOp):
        return updated(node, operand=element(nest, node.operand, found))
    if isinstance(node, gast.Compare):
        sides = [element(nest, side, found) for side in [node.left, *node.comparators]]
        return updated(node, left=sides[0], comparators=sides[1:])
    assert isinstance(node, gast.Call)
    return updated(node, args=[element(nest, arg, found) for arg in node.args])


def marked(nest: Nest, lane: Lane) -> Any:
    """A name inside the lifting only that stands for a lane."""
    mark = nest.facts.symbols.new(MARK).replace("'", "")
    nest.env[mark] = lane
    return quote.name(mark)


def _renamed(nest: Nest, node: Any, thing: Vector, found: Elements) -> Lane:
    loops = _axes(nest, node, found, [turn.stop for turn in thing.turns])
    names = {turn.sym: sym for turn, (sym, _) in zip(thing.turns, loops, strict=True)}
    return replace(thing.lane, axes=tuple(names.get(a, a) for a in thing.lane.axes))


def _leaf(nest: Nest, node: Any, base: Any, given: list[Any], found: Elements) -> Any:
    """An element of an array that is there: `x[a:b]` at `v` is `x[a + v]`."""
    dims = lengths_of(nest, base, node)
    spans = [
        span(nest, part, dim, node)
        for part, dim in zip(given, dims, strict=False)
        if part is None or isinstance(part, gast.Slice)
    ]
    loops = iter(_axes(nest, node, found, [length for _, length in spans]))
    lows = iter(spans)
    index: list[Any] = []
    for part in given:
        if part is not None and not isinstance(part, gast.Slice):
            index.append(part)
            continue
        (low, length), (sym, mark) = next(lows), next(loops)
        if low is None:
            index.append(quote.name(mark))
            continue
        start = evaluate(nest, low)
        for turn in nest.turns:
            if start.poly is not None and start.poly.factor(turn.sym) == length:
                found.after[sym] = turn.sym
        index.append(quote.expr("a + v", a=marked(nest, start), v=mark))
    return gast.copy_location(quote.expr("x[*i]", x=base, i=index), node)


def lengths_of(nest: Nest, base: Any, node: Any) -> tuple[Poly, ...]:
    if isinstance(base, gast.Name):
        thing = nest.lookup(base.id)
        if isinstance(thing, Row) and not thing.plain:
            raise Unsupported(node, "a part of a part")
        return nest.array_of(base.id, node).dims
    if not isinstance(base, gast.Subscript):
        raise Unsupported(node, "a part of what is no name")
    parts = base.slice.elts if isinstance(base.slice, gast.Tuple) else [base.slice]
    if any(isinstance(p, gast.Slice) for p in parts):
        raise Unsupported(node, "a part of a part")
    return lengths_of(nest, base.value, node)[len(parts) :]


def span(nest: Nest, part: Any, dim: Poly, node: Any) -> tuple[Any, Poly]:
    """Where a slice begins, and how many elements it has if it lies inside."""
    if part is None or (part.lower is None and part.upper is None and part.step is None):
        return None, dim
    if part.step is not None:
        raise Unsupported(node, "a slice with a step in a loop")
    low = number(0) if part.lower is None else evaluate(nest, part.lower).poly
    stop = dim if part.upper is None else evaluate(nest, part.upper).poly
    if stop is not None and (stop.constant or 0) < 0:
        stop = dim + stop
    if low is None or stop is None or (low.constant or 0) < 0:
        raise Unsupported(node, "a slice whose ends are not known integers")
    length = stop - low
    if any(t.sym in length.symbols for t in nest.turns):
        raise Unsupported(node, "a slice whose length varies")
    return part.lower, length


def _axes(nest: Nest, node: Any, found: Elements, lengths: list[Poly]) -> list[tuple[str, str]]:
    """The loops over an array's axes, the last one first known; arrays have to be as long."""
    symbols = nest.facts.symbols
    made = []
    for place, length in enumerate(reversed(lengths)):
        if len(found.turns) == place:
            sym = symbols.new("@")
            symbols.low[sym], symbols.high[sym] = number(0), length - 1
            turn = Turn(sym, "k", number(0), length, 1, length - 1, False, node, virtual=True)
            found.turns.append(turn)
            found.marks.append(symbols.new("_at_").replace("'", ""))
        turn = found.turns[place]
        if turn.stop != length:
            nest.require(turn.stop - length)
            nest.require(length - turn.stop)
        nest.require(length)
        made.append((turn.sym, found.marks[place]))
    return made[::-1]


@contextmanager
def inside(nest: Nest, found: Elements) -> Iterator[None]:
    """The loops over the axes of an array are opened."""
    turns, axes, env = list(nest.turns), nest.axes, dict(nest.env)
    new = list(reversed(list(zip(found.turns, found.marks, strict=True))))
    for turn, mark in new:
        nest.turns.append(turn)
        beside = found.after.get(turn.sym)
        if beside in nest.axes:
            at = nest.axes.index(beside) + 1
            nest.axes = (*nest.axes[:at], turn.sym, *nest.axes[at:])
        else:
            nest.axes = (*nest.axes, turn.sym)
        nest.env[mark] = Lane(None, (turn.sym,), 1, symbol(turn.sym))
    yield
    nest.turns[:] = turns
    nest.axes = axes
    for name in [n for n in nest.env if n not in env]:
        del nest.env[name]


def vector(nest: Nest, node: Any) -> Vector:
    """All elements of an array expression, for all turns."""
    found = Elements()
    made = element(nest, node, found)
    # the axes of a matrix are found from the last one
    with inside(nest, found):
        lane = evaluate(nest, made)
    return Vector(lane, tuple(reversed(found.turns)))
