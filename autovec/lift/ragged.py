"""Rows of different lengths: `for k in range(p[i], p[i + 1])` runs over one stretch of numbers.

Where `p` never falls, all rows together are `p[0]` to `p[n]`, each number once and in order; which
row a number is of, `np.repeat` says. Sums of rows are `np.bincount`, which knows empty rows.
"""

from __future__ import annotations

from typing import Any

import gast

from autovec.lift.expressions import evaluate, record
from autovec.lift.nest import Nest, Pack
from autovec.lift.poly import Poly, number, symbol
from autovec.lift.reading import place, subscript
from autovec.lift.values import Arr, Lane, Turn
from autovec.syntax import quote


def rows_of(nest: Nest, node: Any, args: list[Any]) -> Turn | None:
    """The turn of a range from `p[i]` to `p[i + 1]`; None where it is none."""
    if len(args) != 2 or len(nest.axes) != 1 or nest.pack is not None or nest.masks:
        return None
    found = [subscript(nest, arg) if isinstance(arg, gast.Subscript) else None for arg in args]
    if None in found:
        return None
    (name, first), (other, second) = found  # type: ignore[misc]
    if name != other or len(first) != 1 or len(second) != 1:
        return None
    low, stop = evaluate(nest, first[0]).poly, evaluate(nest, second[0]).poly
    [row] = [t for t in nest.turns if t.sym == nest.axes[0]]
    if low is None or stop is None or (stop - low).constant != 1 or row.step != 1 or row.down:
        return None
    if low.factor(row.sym) != number(1):
        return None
    arr = nest.array_of(name, node)
    if arr.dtype.kind != "i" or arr.rank != 1:
        return None
    nest.needs(row, 1)
    for index in (first[0], second[0]):
        record(nest, arr, place(nest, arr, name, [evaluate(nest, index)], node), node, write=False)
    start, end = low.replaced(row.sym, row.low), stop.replaced(row.sym, row.last)
    ends = [_number(nest, name, arr, at) for at in (start, end)]
    counts = quote.expr("np.diff(x)", x=_cut(nest, name, start, end, arr.dims[0]))
    nest.condition(quote.expr("a >= 0", a=nest.facts.render(ends[0])))
    nest.condition(quote.expr("(c >= 0).all()", c=counts))
    symbols = nest.facts.symbols
    sym = symbols.new("@")
    wanted = node.target.id if isinstance(node.target, gast.Name) else "k"
    symbols.low[sym], symbols.high[sym] = ends[0], ends[1] - 1
    return Turn(sym, wanted, ends[0], ends[1], 1, ends[1] - 1, False, node, row=row, counts=counts)


def _number(nest: Nest, name: str, arr: Arr, at: Poly) -> Poly:
    """The array's number at one place, which is not negative."""
    symbols = nest.facts.symbols
    sym = symbols.new(name)
    last = at == arr.dims[0] - 1
    text = quote.expr("x[k]", x=name, k=quote.const(-1) if last else nest.facts.render(at))
    symbols.text[sym] = text if arr.dtype.itemsize == 8 else quote.expr("int(v)", v=text)
    symbols.low[sym] = number(0)
    return symbol(sym)


def _cut(nest: Nest, name: str, start: Poly, end: Poly, size: Poly) -> gast.expr:
    if start.constant == 0 and end == size - 1:
        return quote.name(name)
    if start.constant == 0:
        return quote.expr("x[:b]", x=name, b=nest.facts.render(end + 1))
    stop = nest.facts.render(end + 1)
    return quote.expr("x[a:b]", x=name, a=nest.facts.render(start), b=stop)


def enter_rows(nest: Nest, turn: Turn) -> None:
    """The lanes are the numbers of all rows; which row each is of gets a name."""
    row = turn.row
    assert row is not None and turn.counts is not None
    size = nest.facts.render(row.stop - row.low)
    made = quote.expr("np.repeat(np.arange(n), c)", n=size, c=turn.counts)
    where = quote.name(nest.namer.fresh(row.name if row.low.constant == 0 else "row"))
    nest.out.append(quote.stmt("i = e", i=where, e=made))
    index: gast.expr = where
    if row.low.constant != 0:
        index = quote.name(nest.namer.fresh(row.name))
        nest.out.append(quote.stmt("i = r + a", i=index, r=where, a=nest.facts.render(row.low)))
    nest.pack = Pack(turn.sym, (row.sym,), {row.sym: where}, {row.sym: index})
    nest.axes = (turn.sym,)
    nest.env[turn.name] = Lane(None, (turn.sym,), 1, symbol(turn.sym))
