"""The largest or smallest of an inner loop, and where it was found, for each turn around it.

The first hit wins, and a NaN never does; where a name starts as None, the first turn sets it, NaN
or not. So the numbers that are not better are replaced by what the search started with, and then
`max` and `argmax` find what the loop finds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.expressions import chosen, comparison, evaluate, logical
from autovec.lift.extremes import Extreme
from autovec.lift.nest import Nest
from autovec.lift.poly import number, symbol
from autovec.lift.stores import store
from autovec.lift.triangles import mask_of
from autovec.lift.values import Accumulator, Lane, Turn
from autovec.syntax import quote


def run_nested(nest: Nest, node: Any, found: Extreme, held: Accumulator) -> None:
    """One search for an extreme over the turns of the innermost loop."""
    inner = nest.axes[held.depth :]
    if len(inner) != 1 or nest.pack is not None:
        raise Unsupported(node, "an extreme over several loops")
    [turn] = [t for t in nest.turns if t.sym == inner[0]]
    value = evaluate(nest, found.value)
    if turn.down or turn.step != 1 or turn.sym not in value.axes or value.mixed:
        raise Unsupported(node, "an extreme of this form in a nest")
    if value.dtype.kind not in "if" or found.first != held.empty:
        raise Unsupported(node, f"an extreme of {value.dtype}")
    if held.empty and nest.masks:
        raise Unsupported(node, "an extreme under a condition that starts as None")
    nest.needs(turn, 1)
    if value.named is None and not isinstance(value.expr, gast.Name):
        value = nest.bind("value", value)
    start = _first(nest, value) if held.empty else held.value
    if start.dtype != value.dtype:
        raise Unsupported(node, "an extreme of two types of numbers")
    kind = gast.Gt if found.up else gast.Lt
    better = comparison(nest, node, kind, value, start)
    mask = mask_of(nest)
    if mask is not None:
        better = logical(nest, "a & b", mask, better)
    if found.others and not held.empty:
        better = nest.bind("better", better)
    seen = chosen(nest, node, better, replace(value, factors=None), start)
    if found.others:
        seen = nest.bind("seen", seen)
    outer = tuple(a for a in seen.axes if a != turn.sym)
    end = "max" if found.up else "min"
    best = _over(nest, seen, f"x.{end}(axis=k)", turn, value.sample)
    best = replace(best, mixed=start.python != value.python)
    if found.others:
        _places(nest, node, found, held, better, seen, turn, outer)
    if nest.env[found.name] is held:
        held.value = best


def _first(nest: Nest, value: Lane) -> Lane:
    """The number of the first turn, as a column."""
    keep = [quote.expr("x[:]", x="x").slice for _ in value.axes[1:]]  # type: ignore[attr-defined]
    head = quote.expr("x[:1]", x="x").slice  # type: ignore[attr-defined]
    made = quote.expr("v[*k]", v=nest.text(value), k=[*keep, head])
    return replace(value, expr=made, named=None, total=True)


def _over(nest: Nest, lane: Lane, template: str, turn: Turn, sample: Any) -> Lane:
    axis = lane.axes.index(turn.sym)
    made = quote.expr(template, x=nest.text(lane), k=axis)
    outer = tuple(a for a in lane.axes if a != turn.sym)
    return Lane(made, outer, sample, None, True, lane.reads)


def _places(
    nest: Nest, node: Any, found: Extreme, held: Accumulator, better: Lane, seen: Lane,
    turn: Turn, outer: tuple[str, ...],
) -> None:  # fmt: skip
    """What the turn of the extreme sets beside it."""
    end = "argmax" if found.up else "argmin"
    place = nest.bind("k", _over(nest, seen, f"x.{end}(axis=k)", turn, 1))
    some = None
    if not held.empty:
        some = nest.bind("some", _over(nest, better, "x.any(axis=k)", turn, True))
    for other in found.others:
        lane = evaluate(nest, other.value)
        if lane.poly is not None and turn.sym in lane.poly.symbols:
            shift = lane.poly - symbol(turn.sym) + turn.low
            if shift.constant is None or lane.poly.factor(turn.sym) != number(1):
                raise Unsupported(other, "a place that is not an index")
            text = nest.text(place)
            if shift.constant:
                text = quote.expr("k + c", k=text, c=shift.constant)
            lane = Lane(text, outer, 1)
        elif turn.sym in lane.axes:
            raise Unsupported(other, "a value of the turn that has the extreme")
        target = other.targets[0]
        with nest.only(nest.axes[:-1]):
            _set(nest, other, target, lane, some)


def _set(nest: Nest, other: Any, target: Any, lane: Lane, some: Lane | None) -> None:
    if isinstance(target, gast.Name):
        old = nest.env[target.id]
        before = old.value if isinstance(old, Accumulator) else old
        if some is not None:
            if not isinstance(before, Lane):
                raise Unsupported(other, f"{target.id} is not set in all turns")
            lane = chosen(nest, other, some, lane, before)
        named = nest.bind(target.id, lane)
        named = replace(named, mixed=lane.mixed)
        if isinstance(old, Accumulator):
            old.value = named
        else:
            nest.env[target.id] = named
        return
    if some is not None:
        kept = evaluate(nest, quote.in_context(target, gast.Load()))
        if np.asarray(lane.sample).dtype != kept.dtype:
            raise Unsupported(other, "a place that is stored as another number")
        lane = chosen(nest, other, some, lane, kept)
    store(nest, other, target, lane, whole=True)
