"""Reads at sums of two indices: `x[i + j]` are windows, `x[i * k + j]` with `j < k` are blocks.

A window is `sliding_window_view(x, k)`, a block is `x.reshape(n, k)`: views that are only read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from autovec.lift.nest import Nest
from autovec.lift.poly import Poly, number, symbol
from autovec.lift.values import Arr, Turn
from autovec.syntax import quote

VIEW = "np.lib.stride_tricks.sliding_window_view"


@dataclass(frozen=True, eq=False)
class Axis:
    """One axis of the array: an index, a slice, windows or blocks of it."""

    kind: str
    low: Poly
    stop: Poly
    turn: Turn | None = None
    inner: Turn | None = None


def parted(nest: Nest, arr: Arr, name: str, polys: list[Poly | None]) -> Any:
    """The view and its loops, where a subscript is a window or a block; None where none is."""
    if nest.pack is not None or any(p is None for p in polys):
        return None
    found = [_axis_of(nest, poly) for poly in polys if poly is not None]
    axes = [axis for axis in found if axis is not None]
    kinds = {axis.kind for axis in axes}
    if len(axes) != len(polys) or len(kinds & {"window", "block"}) != 1:
        return None
    loops = [t.sym for a in axes for t in (a.turn, a.inner) if t is not None]
    if len(set(loops)) < len(loops):
        return None
    from autovec.lift.reading import is_whole, sliced

    pieces: list[Any] = []
    for axis, dim in zip(axes, arr.dims, strict=True):
        if axis.kind == "item":
            nest.needs_turns = True
            pieces.append(nest.facts.render(axis.low))
            continue
        run = Turn("part'", "k", axis.low, axis.stop, 1, axis.stop - 1)
        pieces.append(sliced(nest, symbol(run.sym), run, dim)[0])
    base: Any = quote.name(name)
    if not all(is_whole(p) for p in pieces):
        while is_whole(pieces[-1]):
            pieces.pop()
        base = quote.expr("x[*s]", x=name, s=pieces)
    left = [axis for axis in axes if axis.kind != "item"]
    return _windows(nest, base, left) if "window" in kinds else _blocks(nest, base, left)


def _axis_of(nest: Nest, poly: Poly) -> Axis | None:
    used = [t for t in nest.turns if t.sym in poly.symbols]
    if any(t.step != 1 or t.down or t.within for t in used):
        return None
    if not used:
        return Axis("item", poly, poly)
    rest = poly
    for turn in used:
        rest = rest.without(turn.sym)
    factors = [poly.factor(t.sym) for t in used]
    one = number(1)
    if len(used) == 1:
        [turn] = used
        if factors != [one]:
            return None
        return Axis("slice", turn.low + rest, turn.stop + rest, turn)
    if len(used) != 2:
        return None
    first, second = used
    if factors == [one, one]:
        low = first.low + second.low + rest
        return Axis("window", low, first.stop + second.stop + rest - 1, first, second)
    for turn, inner in ((first, second), (second, first)):
        size = inner.stop - inner.low
        block = poly.factor(turn.sym) == size and poly.factor(inner.sym) == one
        if block and inner.low == number(0):
            return Axis("block", turn.low * size + rest, turn.stop * size + rest, turn, inner)
    return None


def _windows(nest: Nest, base: Any, axes: list[Axis]) -> tuple[gast.expr, tuple[str, ...]]:
    sizes, places, inner = [], [], []
    for k, axis in enumerate(axes):
        if axis.kind == "window":
            assert axis.turn is not None and axis.inner is not None
            for turn in (axis.turn, axis.inner):
                nest.needs(turn, 1)
            sizes.append(nest.facts.render(axis.inner.stop - axis.inner.low))
            places.append(k)
            inner.append(axis.inner.sym)
    outer = [axis.turn.sym for axis in axes if axis.turn is not None]
    if len(axes) == 1:
        made = quote.expr("f(x, k)", f=VIEW, x=base, k=sizes[0])
    elif len(sizes) == len(axes):
        made = quote.expr("f(x, (*k,))", f=VIEW, x=base, k=sizes)
    elif len(sizes) == 1:
        made = quote.expr("f(x, k, axis=a)", f=VIEW, x=base, k=sizes[0], a=places[0])
    else:
        where = [quote.const(p) for p in places]
        made = quote.expr("f(x, (*k,), axis=(*a,))", f=VIEW, x=base, k=sizes, a=where)
    return made, (*outer, *inner)


def _blocks(nest: Nest, base: Any, axes: list[Axis]) -> tuple[gast.expr, tuple[str, ...]]:
    shape, loops = [], []
    for axis in axes:
        for turn in (axis.turn, axis.inner):
            if turn is not None:
                nest.needs(turn, 0)
                shape.append(nest.facts.render(turn.stop - turn.low))
                loops.append(turn.sym)
    return quote.expr("x.reshape(*s)", x=base, s=shape), tuple(loops)
