"""Random draws: one call for all turns where it gives what the turns' own calls would give.

A `Generator` fills an array with the numbers that single calls give, one after the other, for the
kinds of numbers below. So that the order is the same, every turn draws the same kind, as often, and
nothing else draws in between: ``x = rng.random()`` and ``y = rng.random()`` are the columns of
``rng.random((n, 2))``.
"""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import evaluate
from autovec.lift.frames import count_of
from autovec.lift.nest import Nest
from autovec.lift.values import Lane, Stream
from autovec.syntax import quote
from autovec.syntax.build import shape_argument
from autovec.syntax.convert import text_of
from autovec.syntax.walking import children, walk

#: methods whose arrays are their single numbers in order, and how many arguments they take
_KINDS = {"random": 0, "standard_normal": 0, "normal": 2, "uniform": 2, "standard_exponential": 0}


def stream_of(nest: Nest, func: Any) -> Stream | None:
    """The generator whose method is called; None where it is something else."""
    if not isinstance(func, gast.Attribute) or not isinstance(func.value, gast.Name):
        return None
    held = nest.lookup(func.value.id)
    return held if isinstance(held, Stream) else None


def draw(nest: Nest, node: gast.Call, stream: Stream) -> Lane:
    """What one call of a turn gives, for all turns."""
    method: Any = node.func
    least = _KINDS.get(method.attr)
    if least is None or len(node.args) > least or node.keywords:
        raise Unsupported(node, f"a draw of {method.attr}", "its stream is not known")
    if nest.pack is not None or nest.masks or nest.guessing or not nest.turns:
        raise Unsupported(node, "a draw under a condition", "turns would draw in another order")
    calls = _calls(nest, nest.turns[0].node, stream)
    place = [k for k, call in enumerate(calls) if _at(call) == _at(node)]
    if len(place) != 1:
        raise Unsupported(node, "a draw that is copied")
    key = _at(calls[0])
    if key not in nest.drawn:
        nest.drawn[key] = _all(nest, node, len(calls))
    whole = nest.drawn[key]
    if len(calls) == 1:
        return whole
    form = "d[:, k]" if len(nest.turns) == 1 else "d[..., k]"
    column = quote.expr(form, d=nest.text(whole), k=place[0])
    return Lane(column, whole.axes, 0.5)


def _all(nest: Nest, node: gast.Call, count: int) -> Lane:
    method: Any = node.func
    args = []
    for arg in node.args:
        lane = evaluate(nest, arg)
        if lane.axes:
            raise Unsupported(arg, "a draw whose range differs between turns")
        args.append(nest.text(lane))
    sizes = [count_of(nest, turn) for turn in nest.turns]
    sizes += [quote.const(count)] if count > 1 else []
    size = shape_argument(sizes)
    if args or method.attr in ("normal", "uniform"):
        made = quote.expr("f(*a, size=n)", f=method, a=args, n=size)
    else:
        made = quote.expr("f(n)", f=method, n=size)
    nest.risky = True
    return nest.bind("draws", Lane(made, nest.axes, 0.5))


def _at(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _calls(nest: Nest, loop: Any, stream: Stream) -> list[Any]:
    """All draws of the loop in their order; refused where a turn may draw otherwise."""
    found: list[Any] = []
    level: Any = loop
    for turn in nest.turns:
        if turn.node is not level and turn.node is not loop:
            raise Unsupported(loop, "draws of several loops")
        level = next((s for s in turn.node.body if isinstance(s, gast.For)), None)
    inner = nest.turns[-1].node
    for part in walk([loop]):
        if isinstance(part, (gast.Break, gast.Continue, gast.Return)):
            raise Unsupported(loop, "draws in a loop that its turns may leave")
    uses = [n for n in walk(loop.body) if isinstance(n, gast.Name) and nest.lookup(n.id) is stream]
    for statement in inner.body:
        found += _plain(statement, nest, stream)
    if len(found) != len(uses):
        raise Unsupported(loop, "draws under a condition, or of several loops")
    if len({text_of(call) for call in found}) > 1:
        raise Unsupported(loop, "draws of several kinds")
    return sorted(found, key=_at)


def _plain(node: Any, nest: Nest, stream: Stream) -> list[Any]:
    """The draws that a statement certainly makes, once each."""
    if isinstance(node, (gast.If, gast.For, gast.While, gast.IfExp, gast.BoolOp, gast.Compare)):
        if not isinstance(node, (gast.Compare, gast.If)):
            return []
        first = [node.test] if isinstance(node, gast.If) else [node.left, *node.comparators[:1]]
        return [call for part in first for call in _plain(part, nest, stream)]
    if isinstance(node, (gast.ListComp, gast.GeneratorExp, gast.SetComp, gast.DictComp)):
        return []
    if isinstance(node, gast.Call) and stream_of(nest, node.func) is stream:
        return [node]
    return [call for child in children(node) for call in _plain(child, nest, stream)]
