"""Subscripts: affine ones become slices, others index arrays; each asks for what it relies on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.facts import bounds
from autovec.lift.nest import Nest
from autovec.lift.poly import Poly
from autovec.lift.values import Arr, Lane, Row, Turn
from autovec.lift.windows import parted
from autovec.syntax import quote


@dataclass(frozen=True, eq=False)
class Place:
    """A subscripted array in the lifted text; its axes stand in the order of the array's."""

    expr: gast.expr
    axes: tuple[str, ...]
    subs: tuple[Poly | None, ...]
    slices: bool
    view: bool = True


def subscript(nest: Nest, node: Any) -> tuple[str, list[Any]] | None:
    """The array's name and all indices of ``x[i]``, ``x[i, j]`` or ``x[i][j]``."""
    indices: list[Any] = []
    while isinstance(node, gast.Subscript):
        inner = list(node.slice.elts) if isinstance(node.slice, gast.Tuple) else [node.slice]
        indices = inner + indices
        node = node.value
        row = nest.lookup(node.id) if isinstance(node, gast.Name) else None
        if isinstance(row, Row):
            if not row.plain:
                return None
            node = row.node
    return (node.id, indices) if isinstance(node, gast.Name) else None


def place(
    nest: Nest, arr: Arr, name: str, lanes: Sequence[Lane], node: Any, reads: bool = False
) -> Place:
    """``name[lanes]`` for all lanes at once; `reads`: it may be a view that is only read."""
    if len(lanes) != arr.rank:
        why = f"{name} has {arr.rank} axes"
        raise Unsupported(node, "a row of an array" if len(lanes) < arr.rank else "a number", why)
    turns = {t.sym: t for t in nest.turns}
    kinds: list[tuple[str, Any]] = []
    subs: list[Poly | None] = []
    for lane, dim in zip(lanes, arr.dims, strict=True):
        if np.asarray(lane.sample).dtype.kind not in "iu" or isinstance(lane.sample, bool):
            raise Unsupported(node, "a subscript that is no integer")
        poly = lane.poly
        if poly is not None and (poly.constant or 0) < 0:
            poly = dim + poly
        subs.append(poly)
        if poly is None:
            nest.risky = True
            kinds.append(("gather" if lane.axes else "item", lane))
            continue
        inside(nest, poly, dim, node)
        used = [s for s in turns if s in poly.symbols]
        if not used:
            nest.needs_turns = True
            kinds.append(("item", Lane(nest.facts.render(poly), (), 1)))
        elif len(used) == 1 and nest.axis_of(used[0]) == used[0] and _stride(poly, used[0]):
            kinds.append(("slice", (poly, turns[used[0]], dim)))
        else:
            expr, axes = nest.written(poly)
            kinds.append(("gather", Lane(expr, axes, 1)))
    view = parted(nest, arr, name, subs) if reads else None
    if view is not None:
        return Place(view[0], view[1], tuple(subs), False)
    return _joined(nest, name, kinds, tuple(subs), node)


def _joined(
    nest: Nest, name: str, kinds: list[tuple[str, Any]], subs: tuple[Poly | None, ...], node: Any
) -> Place:
    gathers = [lane for kind, lane in kinds if kind == "gather"]
    over = [payload[1].sym for kind, payload in kinds if kind == "slice"]
    gathered = {axis for lane in gathers for axis in lane.axes}
    mixed = len(gathers) > 1 or bool(gathered & set(over)) or len(set(over)) < len(over)
    if gathers and any(kind == "item" for kind, _ in kinds) and over:
        mixed = True  # an integer beside an index array counts as one
    if (gathers and mixed) or len(set(over)) < len(over):
        lanes = []
        for kind, payload in kinds:
            if kind == "slice":
                expr, axes = nest.written(payload[0])
                lanes.append(Lane(expr, axes, 1))
            else:
                lanes.append(payload)
        axes = nest.union(lanes)
        parts = [nest.aligned(lane, axes) for lane in lanes]
        return Place(quote.expr("x[*s]", x=name, s=parts), axes, subs, False, False)
    pieces: list[gast.expr] = []
    found: list[str] = []
    back: list[bool] = []
    for kind, payload in kinds:
        if kind == "slice":
            piece, reverse = sliced(nest, *payload)
            pieces.append(piece)
            found.append(payload[1].sym)
            back.append(reverse)
        elif kind == "item":
            pieces.append(nest.text(payload))
        else:
            pieces.append(nest.text(payload))
            found += payload.axes
            back += [False] * len(payload.axes)
    whole = all(is_whole(p) for p in pieces)
    if whole and not any(back):
        read: gast.expr = quote.name(name)
    else:
        while len(pieces) > 1 and is_whole(pieces[-1]) and not gathers:
            pieces.pop()
        read = quote.expr("x[*s]", x=name, s=pieces)
    if any(back):
        steps = [quote.expr("x[::-1]" if b else "x[:]", x="x").slice for b in back]  # type: ignore[attr-defined]
        while is_whole(steps[-1]):
            steps.pop()
        read = quote.expr("x[*s]", x=quote.name(name) if whole else read, s=steps)
    return Place(read, tuple(found), subs, not gathers, not gathers)


def _stride(poly: Poly, sym: str) -> bool:
    factor = poly.factor(sym)
    return factor is not None and bool(factor.constant)


def inside(nest: Nest, poly: Poly, dim: Poly, node: Any) -> None:
    """The index is inside of the axis, for every turn."""
    for turn in nest.turns:
        stride = poly.factor(turn.sym)
        if stride is not None and stride.constant is None and not _turns_in(nest, stride):
            nest.suppose_positive(stride)
    ends = bounds(poly, nest.turns, nest.facts.symbols)
    if ends is None:
        raise Unsupported(node, "a subscript whose range is not known")
    low, high = ends
    for least, own in ((low, poly), (dim - 1 - high, dim - 1 - poly)):
        if nest.facts.symbols.at_least(least, 0) or _says(nest, nest.naturals, own):
            continue
        if _says(nest, [q for mask in nest.masks for q in mask.naturals], own):
            raise OnlyInside(node, "a subscript that is inside its array in some turns only")
        nest.require(least)


def _says(nest: Nest, naturals: Sequence[Poly], poly: Poly) -> bool:
    """Is it not negative because one of these is not?"""
    return any(nest.facts.symbols.at_least(poly - natural, 0) for natural in naturals)


class OnlyInside(Unsupported):
    """A read that other turns than those a condition picks must not make."""


def _turns_in(nest: Nest, poly: Poly) -> bool:
    return any(t.sym in poly.symbols for t in nest.turns)


def is_whole(piece: Any) -> bool:
    return (
        isinstance(piece, gast.Slice)
        and piece.lower is None
        and piece.upper is None
        and piece.step is None
    )


def sliced(nest: Nest, poly: Poly, turn: Turn, dim: Poly) -> tuple[gast.expr, bool]:
    """The slice of an axis that an affine index runs over, and whether it runs backwards."""
    factor = poly.factor(turn.sym)
    assert factor is not None and factor.constant
    stride = factor.constant
    shift = poly.without(turn.sym)
    if stride > 0:
        low = turn.low * stride + shift
        high = (turn.stop - 1) * stride + shift
    else:
        low = turn.last * stride + shift
        high = turn.low * stride + shift
    step = abs(stride) * turn.step
    reverse = (stride < 0) != turn.down
    lower = None if low.constant == 0 else nest.facts.render(low)
    stop = high + 1
    left = (stop - dim).constant
    if left is not None and left >= 0:
        upper = None
    elif left is not None and step == 1:
        upper = quote.const(left)
    else:
        if not nest.facts.symbols.at_least(stop, 0):
            nest.needs_turns = True
        upper = nest.facts.render(stop)
    if not nest.facts.symbols.at_least(low, 0) and lower is not None:
        nest.needs_turns = True
    width = quote.const(step) if step != 1 else None
    return _slice(lower, upper, width), reverse


def _slice(lower: Any, upper: Any, step: Any) -> gast.expr:
    template = (
        ("a" if lower is not None else "")
        + ":"
        + ("b" if upper is not None else "")
        + (":s" if step is not None else "")
    )
    holes = {k: v for k, v in (("a", lower), ("b", upper), ("s", step)) if v is not None}
    made: Any = quote.expr(f"x[{template}]", x="x", **holes)
    piece: gast.expr = made.slice
    return piece


def in_order(nest: Nest, found: Place) -> tuple[gast.expr, tuple[str, ...]]:
    """The place's text with its axes in the order of the loops."""
    axes = tuple(a for a in nest.axes if a in found.axes)
    if axes == found.axes:
        return found.expr, axes
    if len(axes) == 2:
        return quote.expr("x.T", x=found.expr), axes
    order = [quote.const(found.axes.index(a)) for a in axes]
    return quote.expr("x.transpose(*order)", x=found.expr, order=order), axes
