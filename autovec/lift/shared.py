"""Updates of one place by several turns that a condition picks: `y[i] += v` for some of the `j`.

Where computing the others does no harm they add zero; else each lane that is left knows its row,
and `np.bincount` adds up the lanes of each.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.branches import mask_of, pack
from autovec.lift.expressions import binary, chosen, evaluate
from autovec.lift.nest import Nest
from autovec.lift.reading import subscript
from autovec.lift.triangles import cornered
from autovec.lift.values import Lane, constant
from autovec.syntax import quote


def update_shared(nest: Nest, node: Any, target: Any) -> bool:
    """``y[i] += v`` under a condition, where `i` is not all of the loops; False if not that."""
    found = subscript(nest, target)
    if not isinstance(node.op, (gast.Add, gast.Sub)) or found is None:
        return False
    if not nest.masks and nest.pack is None:
        return False
    lanes = [evaluate(nest, index) for index in found[1]]
    if any(lane.poly is None for lane in lanes):
        return False
    turns = [t.sym for t in nest.turns]
    used = tuple(s for s in turns if any(s in lane.poly.symbols for lane in lanes))  # type: ignore[union-attr]
    if not used or len(used) == len(turns):
        return False
    from autovec.lift.stores import store

    if nest.pack is None:
        spare = tuple(a for a in nest.axes if a not in used)
        value = _others_zero(nest, node, spare)
        if value is not None:
            if set(spare) & set(value.axes):
                with nest.only(nest.axes):
                    store(nest, node, target, value, type(node.op))
            else:
                with nest.only(used):
                    store(nest, node, target, value, type(node.op), whole=True)
            return True
        pack(nest, node)
    elif nest.masks:
        pack(nest, node)
    value = by_row(nest, evaluate(nest, node.value), used, "+", node)
    with nest.only(used):
        store(nest, node, target, value, type(node.op), whole=True)
    return True


def fill_shared(nest: Nest, node: Any, target: Any) -> bool:
    """``x[i] = number`` in a loop over `j`, too: stored where any of its turns stores it."""
    found = subscript(nest, target)
    if not isinstance(node.value, gast.Constant) or found is None or nest.pack is not None:
        return False
    lanes = [evaluate(nest, index) for index in found[1]]
    used = nest.union(lanes)
    if any(lane.poly is None for lane in lanes) or used == nest.axes or not used:
        return False
    from autovec.lift.stores import store

    mask = mask_of(nest)
    spare = [t for t in nest.turns if t.sym in nest.axes and t.sym not in used]
    outer = [m for m in nest.masks if set(m.axes) <= set(used)]
    if mask is None or outer == nest.masks:
        for turn in spare:
            nest.needs(turn, 1)
    else:
        found_axes = [k for k, a in enumerate(mask.axes) if a not in used]
        keep = tuple(a for a in mask.axes if a in used)
        axis = quote.const(found_axes[0] if len(found_axes) == 1 else tuple(found_axes))
        if keep != used:
            return False
        made = quote.expr("m.any(axis=a)", m=nest.text(mask), a=axis)
        mask = Lane(made, keep, True, None, True, mask.reads)
    with nest.only(used):
        nest.masks = [] if mask is None else [mask]
        pack(nest, node)
        store(nest, node, target, evaluate(nest, node.value))
    return True


def _others_zero(nest: Nest, node: Any, spare: tuple[str, ...]) -> Lane | None:
    """The value in the turns that run, zero in the others; None where computing it does harm."""
    mask = mask_of(nest)
    assert mask is not None
    if not spare:
        return None
    value = evaluate(nest, node.value)
    if not value.total:
        return None
    if not value.axes and type(value.sample) is int:
        if not set(spare) <= set(mask.axes) or set(spare) == set(mask.axes):
            return None
        return counted(nest, mask, spare) if value.sample == 1 else None
    made = cornered(nest, mask, value) if mask.triangle else None
    unit = constant(type(value.sample)(0)) if value.python else constant(0)
    return made or chosen(nest, node, mask, value, unit)


def counted(nest: Nest, mask: Lane, spare: tuple[str, ...]) -> Lane:
    """How many turns of some loops a mask has, for each turn of the others."""
    found = [k for k, axis in enumerate(mask.axes) if axis in spare]
    axis = quote.const(found[0] if len(found) == 1 else tuple(found))
    made = quote.expr("np.count_nonzero(m, axis=a)", m=nest.text(mask), a=axis)
    keep = tuple(a for a in mask.axes if a not in spare)
    return Lane(made, keep, np.int64(1), None, True, mask.reads)


def by_row(nest: Nest, value: Lane, outer: tuple[str, ...], op: str, node: Any) -> Lane:
    """The sums of packed lanes, for each turn of an outer loop."""
    held = nest.pack
    if held is None or len(outer) != 1 or outer[0] not in held.places or op == "*":
        raise Unsupported(node, "a reduction under a condition in a nest")
    [turn] = [t for t in nest.turns if t.sym == outer[0]]
    if turn.step != 1 or turn.down or nest.axes != (held.axis,) or value.mixed:
        raise Unsupported(node, "a reduction under a condition in a nest")
    rows = held.places[turn.sym]
    size = nest.facts.render(turn.stop - turn.low)
    nest.needs(turn, 0)
    if not value.axes and value.poly is not None and value.poly.constant is not None:
        counts = Lane(quote.expr("np.bincount(r, minlength=n)", r=rows, n=size), outer, np.int64(1))
        if value.poly.constant == 1:
            return counts
        with nest.only(outer):
            return binary(nest, node, gast.Mult, counts, replace(value, poly=None))
    if value.dtype != np.dtype(float) or value.axes != nest.axes:
        raise Unsupported(node, f"sums of {value.dtype} by row")
    made = quote.expr("np.bincount(r, v, n)", r=rows, v=nest.text(value), n=size)
    sample: Any = 0.5 if value.python else np.float64(0.5)
    return Lane(made, outer, sample, None, True, value.reads)
