"""Things as operands of array operations: arrays, and lists that NumPy makes arrays of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.arrays.elementwise import aligned
from autovec.program.arrays.standins import fact_of_sample, given, stand_in
from autovec.program.build import Builder
from autovec.program.dtype_names import dtype_text
from autovec.program.facts import Fact, storage, uniform_fact
from autovec.program.things import Known, Map, Record, Seq, Thing, describe
from autovec.program.values import Operation, Path, Value


class Kept:
    """Stands for the elements of an array that a mask keeps; no text names it."""


def is_array(thing: Thing | None) -> bool:
    """Is it an array in each sample, or an array of the user's world?"""
    if isinstance(thing, Value):
        return bool(thing.fact.rank)
    return isinstance(thing, Known) and type(thing.obj) is np.ndarray and bool(thing.obj.ndim)


def holds_array(thing: Thing | None) -> bool:
    """Is it an array, or a list with one in it?"""
    return is_array(thing) or (isinstance(thing, Seq) and any(map(holds_array, thing.items)))


def arrays_as_values(b: Builder, thing: Thing) -> Thing:
    """A structure in which arrays of the user's world are values."""
    if isinstance(thing, Known):
        whole = is_array(thing) and uniform_fact(thing.obj) is not None and thing.expr is not None
        return b.as_value(thing, gast.Pass()) if whole else thing
    if isinstance(thing, Seq):
        return replace(thing, items=tuple(arrays_as_values(b, t) for t in thing.items))
    if isinstance(thing, Map):
        return replace(thing, items={k: arrays_as_values(b, t) for k, t in thing.items.items()})
    if isinstance(thing, Record) and thing.cls is Kept:
        why = "how many elements it keeps depends on the sample"
        raise Unsupported(None, "what a mask keeps as a result", why)
    if isinstance(thing, Record):
        return Record(thing.cls, {k: arrays_as_values(b, t) for k, t in thing.fields.items()})
    return thing


def operand(b: Builder, thing: Thing, node: gast.AST) -> Value:
    """A thing as NumPy takes it: a scalar, an array, or a list of them as one array."""
    if isinstance(thing, Seq):
        return stacked(b, thing, node)
    if isinstance(thing, Known) and type(thing.obj) in (list, tuple) and thing.expr is not None:
        array = np.asarray(thing.obj)
        if array.dtype.kind in "biufc" and array.ndim:
            root = b.capture(thing.expr, thing.obj)
            return Value(
                Path(thing.expr, root), (), Fact(array.dtype, (), array.shape, python=False)
            )
    return b.as_value(thing, node)


def stacked(b: Builder, seq: Seq, node: gast.AST, dtype: np.dtype[Any] | None = None) -> Value:
    """``np.array([a, b, c])``: the items side by side, on a new first axis of each sample."""
    items = [operand(b, item, node) for item in seq.items]
    if not items:
        raise Unsupported(node, "an array of nothing", "its dtype is not known")
    facts = [item.fact for item in items]
    shapes = {fact.shape for fact in facts}
    if len(shapes) > 1 or any(fact.kind not in "biufc" for fact in facts):
        kinds = sorted({describe(item) for item in items})
        raise Unsupported(node, f"an array of {' and '.join(kinds)}", "they have no one shape")
    (shape,) = shapes
    made = np.array([stand_in(fact) for fact in facts], dtype)
    lanes: tuple[str, ...] = next((f.lanes for f in facts if f.lanes), ())
    fact = replace(fact_of_sample(made, lanes, facts, node), shape=(len(items), *shape))
    names = tuple(f"a{k}" for k in range(len(items)))
    listed = ", ".join(names)
    typed = "" if dtype is None else f", dtype={dtype_text(dtype)}"
    arrays = f"[{listed}]"
    if not all(item.varying for item in items):
        arrays = f"np.broadcast_arrays({listed})"
        items = [aligned(b, item, len(shape)) for item in items]
    natural = np.result_type(*(stored(item.fact) for item in items))
    if lanes and natural != fact.dtype:
        typed = f", dtype={dtype_text(fact.known)}"
    text = f"np.stack({arrays}, axis={-1 - len(shape)}{typed})"
    if typed and lanes:
        text = f"np.stack({arrays}, axis={-1 - len(shape)}).astype({dtype_text(fact.known)})"
    op = Operation("stack", names, text, f"np.array([{listed}]{typed})", total=True,
                   cost=2.0 * len(items), arrays=True, flat=True)  # fmt: skip
    return b.apply(op, *items, node=node, fact=fact)


def stored(fact: Fact) -> np.dtype[Any]:
    """The dtype that a value is stored in."""
    dtype = storage(fact)
    return dtype if isinstance(dtype, np.dtype) else fact.known


def apply_array(
    b: Builder,
    name: str,
    function: Callable[..., Any],
    args: tuple[Value, ...],
    lanes_text: str,
    python_text: str,
    node: gast.AST,
    **facts: Any,
) -> Value:
    """The value of an array operation whose texts are over ``a0``, ``a1``, ...

    ``function`` takes one sample's operands: NumPy is asked what it gives for stand-ins.
    """
    fact = given(function, [a.fact for a in args], node)
    params = tuple(f"a{k}" for k in range(len(args)))
    size = max((int(np.prod(a.fact.shape)) for a in args), default=1)
    facts = {"total": True, "number": "numpy", **facts}
    cost = facts.pop("cost", 1.0) * max(1, size)
    op = Operation(name, params, lanes_text, python_text, cost=cost, arrays=True, **facts)
    return b.apply(op, *args, node=node, fact=fact)
