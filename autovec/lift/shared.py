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
from autovec.lift.branches import pack
from autovec.lift.expressions import binary, chosen, evaluate
from autovec.lift.nest import Nest
from autovec.lift.reading import OnlyInside, subscript
from autovec.lift.triangles import cornered, mask_of
from autovec.lift.trying import Saved
from autovec.lift.values import Lane, constant
from autovec.syntax import quote
from autovec.syntax.build import axis_argument


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


def in_all_turns(nest: Nest, node: Any) -> bool:
    """Does computing it in turns that a condition leaves out do no harm?"""
    saved = Saved(nest)
    try:
        return evaluate(nest, node).total
    except OnlyInside:
        return False
    finally:
        saved.restore()


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
        axis = axis_argument(found_axes)
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
    if not in_all_turns(nest, node.value):
        return None
    value = evaluate(nest, node.value)
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
    axis = axis_argument(found)
    made = quote.expr("np.count_nonzero(m, axis=a)", m=nest.text(mask), a=axis)
    keep = tuple(a for a in mask.axes if a not in spare)
    return Lane(made, keep, np.int64(1), None, True, mask.reads, mixed=True)


def by_row(nest: Nest, value: Lane, outer: tuple[str, ...], op: str, node: Any) -> Lane:
    """The sums of packed lanes, for each turn of an outer loop."""
    held = nest.pack
    turns = [t for t in nest.turns if t.sym in outer]
    fits = held is not None and len(outer) <= 2 and all(t.sym in held.places for t in turns)
    if held is None or not fits or op == "*" or nest.axes != (held.axis,) or value.mixed:
        raise Unsupported(node, "a reduction under a condition in a nest")
    if any(t.step != 1 or t.down for t in turns) or not turns:
        raise Unsupported(node, "a reduction under a condition in a nest")
    for turn in turns:
        nest.needs(turn, 0)
    sizes = [nest.facts.render(t.stop - t.low) for t in turns]
    rows, size = held.places[outer[0]], sizes[0]
    if len(turns) == 2:
        rows = quote.expr("i * w + j", i=rows, w=sizes[1], j=held.places[outer[1]])
        size = quote.expr("h * w", h=sizes[0], w=sizes[1])

    def shaped(made: gast.expr) -> gast.expr:
        return made if len(turns) == 1 else quote.expr("x.reshape(*s)", x=made, s=sizes)

    if not value.axes and value.poly is not None and value.poly.constant is not None:
        made = shaped(quote.expr("np.bincount(r, minlength=n)", r=rows, n=size))
        counts = Lane(made, outer, np.int64(1), mixed=True)
        if value.poly.constant == 1:
            return counts
        with nest.only(outer):
            return binary(nest, node, gast.Mult, counts, replace(value, poly=None))
    if value.dtype != np.dtype(float) or value.axes != nest.axes:
        raise Unsupported(node, f"sums of {value.dtype} by row")
    made = shaped(quote.expr("np.bincount(r, v, n)", r=rows, v=nest.text(value), n=size))
    sample: Any = 0.5 if value.python else np.float64(0.5)
    return Lane(made, outer, sample, None, True, value.reads, mixed=not value.python)
