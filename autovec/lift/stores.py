"""Stores into arrays: slices, index arrays, updates, and sums over the turns that share a place."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.expressions import binary, evaluate, record
from autovec.lift.integers import narrowed
from autovec.lift.nest import Nest
from autovec.lift.reading import Place, place, subscript
from autovec.lift.reductions import total_over
from autovec.lift.values import Arr, Lane, sample_of
from autovec.syntax import quote
from autovec.syntax.walking import updated


def store(
    nest: Nest,
    node: Any,
    target: Any,
    value: Lane,
    op: type | None = None,
    whole: bool = False,
    rows: bool = False,
) -> None:
    """``x[...] = value``, or an update of it.

    `whole`: the value is one of all turns together; `rows`: the loop itself stores arrays.
    """
    found = subscript(nest, target)
    if found is None:
        raise Unsupported(node, "a store into what is no name")
    base, indices = found
    arr = nest.array_of(base, node)
    lanes = [evaluate(nest, index) for index in indices]
    where = place(nest, arr, base, lanes, target)
    spare = tuple(a for a in nest.axes if a not in where.axes)
    if any(lane.poly is None and lane.axes for lane in lanes):
        _scatter(nest, node, arr, where, value, op, spare)
        return
    if spare:
        if op not in (gast.Add, gast.Sub) or not where.slices or nest.pack is not None:
            raise Unsupported(node, "a store that turns repeat", "the last one would have to win")
        value = total_over(nest, value, spare, node)
        record(nest, arr, where, node, write=True, atomic=True)
    old = Lane(where.expr, where.axes, sample_of(arr.dtype), None, True, arr.roots)
    if op is not None and not spare and not whole:
        record(nest, arr, where, node, write=False)
    result = value if op is None else binary(nest, node, op, old, value)
    _fits(nest, node, arr, result)
    cast = np.can_cast(result.dtype, arr.dtype, "same_kind")
    if op is not None and rows and not cast:
        raise Unsupported(node, "an update of another type", "NumPy refuses it")
    if op is not None and not spare and not whole and not cast:
        op, value = None, result  # NumPy's own update refuses what an element's does
    if whole:
        record(nest, arr, where, node, write=True, atomic=True)
    elif not spare:
        fill = filled(value) if op is None else None
        record(nest, arr, where, node, write=True, fill=fill)
    nest.settle(arr.roots)
    axes = tuple(a for a in nest.axes if a in where.axes)
    into = where.expr
    if axes != where.axes:
        if where.axes != axes[::-1] or len(axes) != 2:
            raise Unsupported(node, "a store whose axes are in another order")
        into = quote.expr("x.T[:]", x=where.expr) if op is None else into
        if op is not None:
            raise Unsupported(node, "an update whose axes are in another order")
    text = nest.aligned(value, axes)
    if op is None and isinstance(into, gast.Name):
        into = quote.expr("x[:]", x=into)
    if op is None:
        nest.out.append(quote.stmt("t = e", t=into, e=text))
    else:
        made: Any = quote.stmt("t += e", t=into, e=text)
        nest.out.append(updated(made, op=op()))


def filled(value: Lane) -> Any:
    """The number that every turn stores, where it stands in the text."""
    return value.expr.value if isinstance(value.expr, gast.Constant) else None


def _scatter(
    nest: Nest, node: Any, arr: Arr, where: Place, value: Lane, op: type | None, spare: Any
) -> None:
    """Stores at places that are data: turns may repeat them, so an update is unbuffered."""
    if spare or any(t.down for t in nest.turns) or where.slices:
        raise Unsupported(node, "a scattered store of this form")
    if nest.turns and len(where.axes) != len(nest.axes):
        raise Unsupported(node, "a scattered store of this form")
    old = Lane(where.expr, where.axes, sample_of(arr.dtype), None, True, arr.roots)
    nest.risky = True
    if op is None:
        record(nest, arr, where, node, write=True, fill=filled(value))
        _fits(nest, node, arr, value)
        nest.settle(arr.roots)
        into: Any = where.expr
        nest.out.append(quote.stmt("t = e", t=into, e=nest.aligned(value, where.axes)))
        return
    names = {gast.Add: "np.add.at", gast.Sub: "np.subtract.at", gast.Mult: "np.multiply.at"}
    if op not in names:
        raise Unsupported(node, "a scattered update with this operator")
    record(nest, arr, where, node, write=True, atomic=True)
    _fits(nest, node, arr, binary(nest, node, op, old, value))
    nest.settle(arr.roots)
    scattered: Any = where.expr
    parts = getattr(scattered.slice, "elts", [scattered.slice])
    if any(isinstance(part, gast.Slice) for part in parts):
        scattered = updated(scattered, slice=quote.expr("np.s_[*s]", s=parts))
    made = quote.stmt(
        "f(x, i, v)", f=names[op], x=scattered.value, i=scattered.slice,
        v=nest.aligned(value, where.axes),
    )  # fmt: skip
    nest.out.append(made)


def _fits(nest: Nest, node: Any, arr: Arr, value: Lane) -> None:
    """Storing an array gives what storing each number gives."""
    have, want = value.dtype, arr.dtype
    if have == want:
        return
    if want.kind == "f" and have.kind in "fiub":
        return
    if (
        value.python
        and not value.axes
        and isinstance(value.expr, gast.Constant)
        and want.kind in "iu"
    ):
        if have.kind in "ib" and np.iinfo(want).min <= value.sample <= np.iinfo(want).max:
            return
    elif np.can_cast(have, want, "safe"):
        return
    elif have.kind in "iu" and want.kind in "iu":
        if not value.python and not value.mixed and want.kind == "u":
            return  # NumPy's numbers wrap
        if narrowed(nest, value, want):
            return
    elif have.kind == "f" and not value.python and not value.mixed and _rounds(want):
        nest.strict = nest.risky = True  # what no integer is: the loop raises, or warns
        return
    raise Unsupported(node, f"{have} stored into {want}", "each number would be converted")


def _rounds(want: np.dtype[Any]) -> bool:
    """Does storing a float of NumPy's into it say where there is no such integer?"""
    return want.kind == "u" or (want.kind == "i" and want.itemsize >= 4)
