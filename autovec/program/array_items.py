"""Scalars of the user's NumPy arrays, and characters of strings, at indices that may differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.rule import Raises
from autovec.program.build import Builder
from autovec.program.facts import UNKNOWN, Fact
from autovec.program.gathers import Index, as_index, out_of_range
from autovec.program.guards import operate
from autovec.program.intervals import within
from autovec.program.keys import lanes_of, storable
from autovec.program.numbers import whole
from autovec.program.things import Known, Seq, Thing, describe
from autovec.program.values import Const, Operation, Path, Value


@dataclass(frozen=True)
class ArrayRow:
    """An array of the user's, not all of its indices read: ``TABLE[i]`` of ``TABLE[i][j]``."""

    base: Known
    indices: tuple[Thing, ...]


def array_row(b: Builder, row: ArrayRow, index: Thing, node: gast.AST) -> Value | ArrayRow:
    """One more index, or several."""
    more = index.items if isinstance(index, Seq) and index.kind is tuple else (index,)
    indices = (*row.indices, *more)
    if len(indices) < row.base.obj.ndim:
        return ArrayRow(row.base, indices)
    return array_item(b, row.base, Seq(indices), node)


def array_item(b: Builder, base: Known, index: Thing, node: gast.AST) -> Value:
    """``TABLE[i, j]`` of a NumPy array: one of its scalars."""
    obj: np.ndarray[Any, Any] = base.obj
    indices = index.items if isinstance(index, Seq) and index.kind is tuple else (index,)
    if base.expr is None or obj.dtype.kind not in "biufcU" or len(indices) != obj.ndim:
        raise Unsupported(node, f"an item of {describe(base)}", "it is no scalar")
    root = b.capture(base.expr, obj)
    table = Value(Path(base.expr, root), (), Fact(obj.dtype, shape=obj.shape, python=False))
    found = []
    for thing, n in zip(indices, obj.shape, strict=True):
        v = (whole(b, thing) or thing) if isinstance(thing, Value) else thing
        if not isinstance(v, Value) or v.fact.kind not in "iu":
            raise Unsupported(node, f"an array at {describe(v)}", "it has no array form")
        found.append(Index(v, n, within(v, n)))
    params = tuple(f"i{k}" for k in range(len(found)))
    text = f"a[{', '.join(params)}]"
    raises = tuple(
        out_of_range(p, i, True, f"index out of bounds for axis {k} with size {i.length}")
        for k, (p, i) in enumerate(zip(params, found, strict=True))
        if not i.sure
    )
    op = Operation(
        "item", ("a", *params), text, text, cost=3, number="numpy",
        total=not raises, impure=bool(raises),
    )  # fmt: skip
    values = [i.value for i in found]
    fact = Fact(obj.dtype, lanes_of(values), python=False)
    return operate(b, op, raises, (table, *values), node, fact)


def character(b: Builder, text: Value, index: Value, node: gast.AST) -> Value:
    """``"ABC"[i]``: an item of the list of a string's characters."""
    index = as_index(b, index, node)
    known = text.op.value if isinstance(text.op, Const) else None
    if known is not None and not storable(known):
        raise Unsupported(node, "a character of a string with a NUL", "NumPy drops it")
    one = Fact(np.dtype("U1"), shape=(UNKNOWN,))
    made = "np.array(list(t))" if known else "np.array(list(t), 'U1')"
    array = b.apply(Operation("array", ("t",), made, made, total=True), text, fact=one)
    sure = known is not None and within(index, len(known))
    low = "" if index.fact.kind == "u" else "(i < -len(a)) | "
    when = f"{low}(i >= len(a))" if low else "i >= len(a)"
    wraps = index.fact.dtype == np.dtype(np.uint64)
    error = Raises("IndexError", when, "string index out of range", True, in_text=not wraps)
    op = Operation(
        "item", ("a", "i"), "a[i]", "a[i]", cost=3, number="python", total=sure, impure=not sure
    )
    fact = replace(one, shape=(), lanes=index.fact.lanes)
    return operate(b, op, () if sure else (error,), (array, index), node, fact)
