"""Ranges that depend on an index around: a rectangle, of which a triangle's turns are run.

`for j in range(i + 1, n)` runs over a rectangle's columns, and the mask says `j > i`. Where that
mask stands beside the two indices only, it is written with `np.triu`, `np.tril` and their indices.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import comparison, logical
from autovec.lift.facts import bounds
from autovec.lift.nest import Nest
from autovec.lift.poly import Poly, symbol
from autovec.lift.values import Lane, Turn
from autovec.syntax import quote


@dataclass(frozen=True)
class Triangle:
    """The part of a matrix of two indices on one side of a diagonal: `np.triu(m, k)`."""

    axes: tuple[str, ...]
    kind: str
    diagonal: Poly
    rows: Poly
    columns: Poly


def triangular(nest: Nest, node: Any, wanted: str, low: Poly, stop: Poly, step: int) -> Turn:
    """The turn of a range whose ends vary with the indices around it."""
    if abs(step) != 1:
        raise Unsupported(node, "a range that depends on an index, and strides")
    if step < 0:
        low, stop = stop + 1, low + 1
    first, last = bounds(low, nest.turns), bounds(stop, nest.turns)
    if first is None or last is None:
        raise Unsupported(node, "a range that depends on an index", "its ends are not linear")
    start, end = first[0], last[1]
    within: list[Poly] = []
    symbols = nest.facts.symbols
    sym = symbols.new("@")
    for turn in nest.turns:
        if turn.sym in low.symbols and _near(start - turn.low):
            start = turn.low  # a square
        if turn.sym in stop.symbols and _near(turn.stop - end) and start == turn.low:
            end = turn.stop
    outer = {t.sym for t in nest.turns}
    if low.symbols & outer:
        within.append(symbol(sym) - low)
    if stop.symbols & outer:
        within.append(stop - 1 - symbol(sym))
    symbols.low[sym], symbols.high[sym] = start, end - 1
    return Turn(sym, wanted, start, end, 1, end - 1, step < 0, node, tuple(within))


def _near(poly: Poly) -> bool:
    value = poly.constant
    return value is not None and 0 <= value <= 2


def corners(nest: Nest, turn: Turn) -> list[Lane]:
    """The tests that a turn's indices have to pass, once it is one of the loops."""
    made = []
    own = symbol(turn.sym)
    for poly in turn.within:
        factor = poly.factor(turn.sym)
        assert factor is not None
        upper = factor.constant == 1
        bound = own - poly if upper else poly + own  # own >= bound, own <= bound
        shift = (bound - _outer(nest, bound)).constant
        strict = (upper and shift == 1) or (not upper and shift == -1)
        if strict:
            bound = bound - shift if shift is not None else bound
        kind = (gast.Lt if strict else gast.LtE) if upper else (gast.Gt if strict else gast.GtE)
        axes = nest.written(bound)[1]
        lane = comparison(
            nest, turn.node, kind, Lane(None, axes, 1, bound), Lane(None, (turn.sym,), 1, own)
        )
        made.append(replace(lane, triangle=_triangle(nest, turn, poly, upper), naturals=(poly,)))
    return made


def _outer(nest: Nest, poly: Poly) -> Poly:
    """The part of it that indices make."""
    return sum((poly - poly.without(t.sym) for t in nest.turns), Poly())


def _triangle(nest: Nest, turn: Turn, poly: Poly, upper: bool) -> Triangle | None:
    others = [t for t in nest.turns if t.sym in poly.symbols and t is not turn]
    if len(others) != 1 or others[0].step != 1 or others[0].down or turn.down:
        return None
    [row] = others
    factor = poly.factor(row.sym)
    if factor is None or factor.constant != (-1 if upper else 1) or nest.pack is not None:
        return None
    # upper: j - i - c >= 0; lower: i + c - j >= 0
    rest = poly.without(row.sym).without(turn.sym)
    diagonal = (-rest if upper else rest) + row.low - turn.low
    rows, columns = row.stop - row.low, turn.stop - turn.low
    return Triangle((row.sym, turn.sym), "u" if upper else "l", diagonal, rows, columns)


def cornered(nest: Nest, mask: Lane, value: Lane, op: str = "+") -> Lane | None:
    """The lane where a triangle's test holds, and zero (or False) elsewhere."""
    corner = mask.triangle
    if corner is None or value.axes[-2:] != corner.axes or op == "*" or not value.total:
        return None
    if value.python and value.dtype.kind not in "bf":
        return None
    args: list[gast.expr] = [nest.text(value)]
    if corner.diagonal.constant != 0:
        args.append(nest.facts.render(corner.diagonal))
    made = quote.expr("f(*args)", f=f"np.tri{corner.kind}", args=args)
    return replace(
        value, expr=made, factors=None, named=None, reads=value.reads | mask.reads, triangle=None,
        mixed=value.dtype.kind != "b" and not value.python, naturals=(),
    )  # fmt: skip


def corner_indices(nest: Nest, mask: Lane) -> gast.expr | None:
    """The indices of a triangle, where a mask is one."""
    corner = mask.triangle
    if corner is None or mask.axes != corner.axes:
        return None
    for turn in nest.turns:
        if turn.sym in corner.axes:
            nest.needs(turn, 0)
    args = [nest.facts.render(corner.rows)]
    square = corner.rows == corner.columns
    if corner.diagonal.constant != 0 or not square:
        args.append(nest.facts.render(corner.diagonal))
    if not square:
        args.append(nest.facts.render(corner.columns))
    return quote.expr("f(*args)", f=f"np.tri{corner.kind}_indices", args=args)


def mask_of(nest: Nest) -> Lane | None:
    """The lanes that run, of those of the last pack."""
    if not nest.masks:
        return None
    corners = [m for m in nest.masks if m.triangle]
    found: Lane | None = None
    for mask in nest.masks:
        if not mask.triangle:
            found = mask if found is None else logical(nest, "a & b", found, mask)
    for corner in corners:
        inner = None if found is None else cornered(nest, corner, found)
        found = inner or (corner if found is None else logical(nest, "a & b", corner, found))
    return found
