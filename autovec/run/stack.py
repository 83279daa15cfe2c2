"""Stack the samples' results: leaf by leaf, in the dtype that is the union over all samples.

The law: ``stack(results)[i]`` is ``results[i]``. Python numbers are weak beside NumPy's, ``None``
beside numbers is nan, and what no numeric dtype holds exactly becomes an array of objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

import numpy as np

from autovec import tree

Array = np.ndarray[Any, np.dtype[Any]]


def stack(results: Sequence[object]) -> Any:
    """One tree with batched leaves from one tree per lane.

    >>> stack([(1, "a"), (2.5, "b")])
    (array([1. , 2.5]), array(['a', 'b'], dtype='<U1'))
    >>> stack([1, None, 3])
    array([ 1., nan,  3.])
    """
    if not results:
        return np.empty(0)
    first = next((i for i, result in enumerate(results) if result is not None), None)
    if first is None:
        return None
    node = tree.children(results[first])
    if node is None:
        return stack_leaves(results)
    columns: list[list[object]] = [[] for _ in node.paths]
    for lane, result in enumerate(results):
        if result is None:
            parts: Sequence[object] = [None] * len(columns)
        elif tree.same_node(results[first], result):
            parts = _parts(node, result)
        else:
            raise ValueError(_mismatch(results, first, lane))
        for column, part in zip(columns, parts, strict=True):
            column.append(part)
    return node.rebuild([stack(column) for column in columns])


def _parts(node: tree.Children, result: object) -> Sequence[object]:
    other = tree.children(result)
    assert other is not None
    if other.paths == node.paths:
        return other.values
    by_path = dict(zip(other.paths, other.values, strict=True))
    return [by_path[path] for path in node.paths]


def _mismatch(results: Sequence[object], a: int, b: int) -> str:
    return (
        f"the function returned {_shape_of(results[a])} for lane {a} and "
        f"{_shape_of(results[b])} for lane {b}; all lanes must return the same structure"
    )


def _shape_of(result: object) -> str:
    if isinstance(result, np.ndarray) and result.ndim:
        return f"an array of shape {result.shape}"
    return tree.describe(result)


def stack_objects(results: Sequence[object]) -> Array:
    """An array of objects whose elements are the results themselves, containers included.

    >>> stack_objects([[1, 2], [3, 4]])
    array([list([1, 2]), list([3, 4])], dtype=object)
    """
    out = np.empty(len(results), dtype=object)
    for i, result in enumerate(results):
        out[i] = result
    return out


# ------------------------------------------------------------------ one leaf


def stack_leaves(values: Sequence[object]) -> Array:
    """The array of one leaf of every lane, some of them None."""
    values = [v[()] if isinstance(v, np.ndarray) and v.ndim == 0 else v for v in values]
    arrays = [v for v in values if isinstance(v, np.ndarray)]
    if arrays:
        return _stack_arrays(values, arrays)
    for lane, value in enumerate(values):
        if tree.children(value) is not None and value is not None:
            first = next(i for i, v in enumerate(values) if v is not None)
            raise ValueError(_mismatch(values, first, lane))
    return _stack_scalars(values)


def _stack_arrays(values: Sequence[object], arrays: Sequence[Array]) -> Array:
    first = next(i for i, value in enumerate(values) if value is not None)
    shape = np.asarray(values[first]).shape
    for lane, value in enumerate(values):
        if value is not None and np.asarray(value).shape != shape:
            raise ValueError(_mismatch(values, first, lane))
    if len(arrays) == len(values):
        return np.stack(arrays)
    dtype = np.result_type(*{a.dtype for a in arrays}, np.nan)
    blank = np.full(shape, np.nan, dtype)
    return np.stack([blank if v is None else np.asarray(v) for v in values])


#: the exact types whose lists NumPy turns into the right dtype by itself
_PLAIN: dict[type, Any] = {bool: np.bool_, int: np.int64, float: np.float64}


def _stack_scalars(values: Sequence[Any]) -> Array:
    types = set(map(type, values))
    if len(types) == 1 and (plain := _PLAIN.get(next(iter(types)))) is not None:
        return _filled(values, plain)
    present = [v for v in values if v is not None]
    kinds = {_kind(v) for v in present}
    missing = len(present) < len(values)
    if kinds <= set("?biufc"):
        return _filled(values, _number_dtype(present, missing))
    if len(kinds) == 1 and not missing and (kind := next(iter(kinds))) in "US":
        return _text(values, kind)
    if len(kinds) == 1 and kinds <= set("Mm"):
        dtype = np.result_type(*{v.dtype for v in present})
        return np.array([np.array("NaT", dtype) if v is None else v for v in values], dtype)
    return stack_objects(values)


def _kind(value: object) -> str:
    """NumPy's kind letter of a scalar; b, i, f, c for Python's numbers too, O for the rest."""
    if isinstance(value, Enum) and isinstance(value, (str, bytes)):
        return "O"
    if isinstance(value, np.generic):
        return value.dtype.kind if value.dtype.kind in "biufcUSMm" else "O"
    for cls, kind in ((bool, "b"), (int, "i"), (float, "f"), (complex, "c"), (str, "U")):
        if isinstance(value, cls):
            return kind
    return "S" if isinstance(value, bytes) else "O"


def _text(values: Sequence[Any], kind: str) -> Array:
    zero = "\0" if kind == "U" else b"\0"
    if any(v[-1:] == zero for v in values):
        return stack_objects(values)  # NumPy's fixed width text drops trailing zeros
    return np.array(values, dtype=kind)


def _number_dtype(present: Sequence[Any], missing: bool) -> np.dtype[Any]:
    """The union: NumPy's scalars by promotion, Python's numbers weak, None as nan."""
    parts: set[Any] = set()
    for value in present:
        if isinstance(value, np.generic):
            parts.add(value.dtype)
        else:
            parts.add({"b": bool, "i": int, "f": float, "c": complex}[_kind(value)])
    exemplars: list[Any] = [p() if isinstance(p, type) else p for p in parts]
    if missing:
        exemplars.append(0.0)
    dtype = np.result_type(*exemplars)
    if dtype.kind == "f" and not missing and all(_kind(v) in "biu" for v in present):
        return np.dtype(np.int64)  # int64 beside uint64: NumPy's float64 would not be exact
    return dtype


def _filled(values: Sequence[Any], dtype: Any) -> Array:
    """The numbers in a dtype, or wider ones where they do not fit."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "iu":
        try:
            return np.array([np.nan if v is None else v for v in values], dtype)
        except OverflowError:  # a Python int beyond float's range
            return stack_objects(values)
    exact = [int(v) for v in values]
    for candidate in (dtype, np.dtype(np.int64), np.dtype(np.uint64)):
        try:
            return np.array(exact, candidate)
        except OverflowError:
            continue
    return stack_objects(exact)
