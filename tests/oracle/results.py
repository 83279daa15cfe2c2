"""The lanes' results -> stacked leaves, and the dtype each leaf must have.

A leaf's dtype is NumPy's promotion over everything the lanes returned there, with Python numbers
weak: an int literal beside float32 is float32.  None beside numbers is nan.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Path = tuple[Any, ...]


def children(value: Any) -> list[tuple[Any, Any]] | None:
    """The (key, child) pairs of a structure, None for a leaf."""
    if isinstance(value, tuple | list):
        return list(enumerate(value))
    if isinstance(value, dict):
        return list(value.items())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value)]
    return None


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every leaf with its path, in order."""
    inner = children(value)
    if inner is None:
        yield path, value
        return
    for key, child in inner:
        yield from leaves(child, (*path, key))


def rebuild(value: Any, leaf: Callable[[Path], Any], path: Path = ()) -> Any:
    """The same structure with other leaves."""
    inner = children(value)
    if inner is None:
        return leaf(path)
    new = {key: rebuild(child, leaf, (*path, key)) for key, child in inner}
    if isinstance(value, dict):
        return new
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*new.values())
    if isinstance(value, tuple | list):
        return type(value)(new.values())
    return dataclasses.replace(value, **new)


def skeleton(value: Any) -> Any:
    """A structure without its leaves, to compare structures by."""
    inner = children(value)
    if inner is None:
        return "*"
    return type(value).__name__, [(key, skeleton(child)) for key, child in inner]


def columns(values: list[Any]) -> tuple[Any, dict[Path, list[Any]]]:
    """One lane's value as the pattern, and each leaf's values over the lanes."""
    pattern = next((v for v in values if v is not None), None)
    table: dict[Path, list[Any]] = {path: [] for path, _ in leaves(pattern)}
    for value in values:
        if value is None and children(pattern) is not None:
            raise ValueError("None beside a structure")
        if skeleton(value) != skeleton(pattern):
            raise ValueError(f"lanes return different structures: {value!r} and {pattern!r}")
        for path, leaf in leaves(value):
            table[path].append(leaf)
    return pattern, table


def leaf_dtype(values: list[Any]) -> np.dtype[Any] | None:
    """The union over the lanes' leaves; None when every one of them is None (or there is none)."""
    strong: set[np.dtype[Any]] = set()
    weak: set[type] = set()
    for v in values:
        if isinstance(v, bool):
            strong.add(np.dtype(bool))
        elif isinstance(v, int | float | complex) and not isinstance(v, np.generic):
            weak.add(next(t for t in (int, float, complex) if isinstance(v, t)))
        elif isinstance(v, str):
            strong.add(np.dtype(str))
        elif isinstance(v, np.generic | np.ndarray):
            strong.add(v.dtype)
        elif v is not None:
            return np.dtype(object)
    if not strong and not weak:
        return None
    if any(d.kind == "U" for d in strong):
        whole = len(strong) == 1 and not weak and None not in values
        return np.dtype(str) if whole else np.dtype(object)
    dtype = np.result_type(*sorted(strong, key=str), *(t(0) for t in sorted(weak, key=str)))
    if any(v is None for v in values) and dtype.kind in "biu":
        return np.result_type(dtype, np.float64)
    return dtype


def stack_leaf(values: list[Any], shape: tuple[int, ...]) -> Any:
    """The lanes' leaves as one array; None when every one of them is None."""
    dtype = leaf_dtype(values)
    if dtype is None:
        return None
    filled = [np.nan if v is None else v for v in values]
    with np.errstate(all="ignore"):
        try:
            array = np.array(filled, dtype)
        except OverflowError:  # a Python int beyond int64
            array = np.array(filled, object)
    return array.reshape(shape + array.shape[1:])


def stack(values: list[Any], shape: tuple[int, ...]) -> Any:
    """The loop's results, leaf by leaf."""
    pattern, table = columns(values)
    if not values:
        return None
    return rebuild(pattern, lambda path: stack_leaf(table[path], shape))
