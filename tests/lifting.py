"""The law for lifted loops: the function as it is written is the oracle of everything."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import autovec
from autovec.lift.function import OWN_FAULT


def copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies that share memory as the arguments do: views are taken of copied bases."""
    bases: dict[int, Any] = {}

    def one(value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return copy.deepcopy(value, bases)
        root = value
        while isinstance(root.base, np.ndarray):
            root = root.base
        if id(root) not in bases:
            bases[id(root)] = root.copy(order="K")
        if root is value:
            return bases[id(root)]
        start = value.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        new = bases[id(root)]
        assert new.strides == root.strides
        flat = new.ravel(order="K").view(np.uint8)
        assert np.shares_memory(flat, new) or not new.size
        made = np.ndarray(value.shape, value.dtype, flat.data, start, value.strides)
        made.flags.writeable = value.flags.writeable
        return made

    return tuple(map(one, args))


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    given = copied(args)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*given), given
        except Exception as error:
            return error, given


def equal(want: Any, got: Any, rtol: float) -> bool:
    if isinstance(want, BaseException):
        return type(want) is type(got) and str(want) == str(got)
    if isinstance(want, (tuple, list)):
        same = type(want) is type(got) and len(want) == len(got)
        return same and all(equal(w, g, rtol) for w, g in zip(want, got, strict=True))
    if isinstance(want, np.ndarray):
        if not isinstance(got, np.ndarray) or want.dtype != got.dtype or want.shape != got.shape:
            return False
        if want.dtype.kind not in "fc":
            return bool(np.array_equal(got, want))
        return bool(np.allclose(got, want, rtol=rtol, atol=rtol * 1e-2, equal_nan=True))
    if isinstance(want, (int, float, np.generic)) and not isinstance(want, bool):
        if type(got) is not type(want):
            return False
        if isinstance(want, int):
            return bool(got == want)
        return bool(np.isclose(got, want, rtol=rtol, atol=rtol * 1e-2, equal_nan=True))
    return type(want) is type(got) and bool(want == got)


def agrees(function: Callable[..., Any], *args: Any, rtol: float = 1e-9) -> Any:
    """The lifted function, after it did what the function does, to results and to arguments."""
    lifted = autovec.lift(function)
    want, after = outcome(function, args)
    got, left = outcome(lifted, args)
    assert equal(want, got, rtol), f"{function.__name__}{args}:\n{want!r}\n{got!r}\n{lifted.source}"
    assert equal(after, left, rtol), f"{function.__name__}{args}:\n{after}\n{left}\n{lifted.source}"
    assert OWN_FAULT not in lifted.explain(), lifted.explain()
    return lifted


def loops(lifted: Any) -> int:
    """How many loops stand in the text, those beside a lifted text left out."""
    return sum("stays a loop" in line for line in lifted.explain().splitlines())


#: arrays of floats that loops trip over
FLOATS = [
    np.array([]),
    np.array([2.5]),
    np.array([-1.0, 3.0]),
    np.array([0.0, -0.0, 1.0, -2.0, 7.5, 1e300, -1e-300, 4.0]),
    np.array([np.nan, 1.0, -3.0, np.inf, np.nan, -np.inf, 2.0]),
    np.arange(-5.0, 12.0)[::2],
    np.arange(7.0)[::-1],
]
INTS = [np.array([], int), np.array([3]), np.array([-4, 0, 7, 7, 2, -9, 5])]
SMALL = [np.array([1, 2, 250, 255], np.uint8), np.array([-128, 127, 3], np.int8)]
SINGLE = [np.array([0.1, 2.5, -3.0, 1e30], np.float32)]
