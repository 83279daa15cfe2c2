"""What a scalar is: a sample, a NumPy scalar of NumPy's own, or a Python number.

A *sample* stands for `X[i]`: its dtype counts in promotion as NumPy's, its operators are Python's
(`1 // 0` raises, `round` is exact).  It is a subclass of its NumPy scalar, so that everything else
takes it for one.  What a NumPy function returns is a NumPy scalar proper and has NumPy's operators;
a literal, and what is made of literals, is a *weak* Python number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Sample64(np.float64):
    """A float64 sample."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(float(self))


class SampleInt(np.int64):
    """An int64 sample."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(int(self))


class SampleComplex(np.complex128):
    """A complex128 sample."""

    __slots__ = ()


#: samples that are Python's scalars under operators, and those scalars
STRONG: dict[type, Callable[[Any], Any]] = {
    Sample64: float,
    SampleInt: int,
    SampleComplex: complex,
}
#: NumPy's scalar types and their samples'
SAMPLES: dict[type, type] = {
    np.float64: Sample64,
    np.int64: SampleInt,
    np.complex128: SampleComplex,
}
for _base in (np.float32, np.float16, np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32,
              np.uint64, np.complex64):  # fmt: skip
    SAMPLES[_base] = type(f"Sample_{_base.__name__}", (_base,), {"__slots__": ()})
BASES = {sample: base for base, sample in SAMPLES.items()}
PYTHON = frozenset({int, float, bool, complex, str, type(None), tuple, list})


def own(value: Any) -> Any:
    """A NumPy scalar as a sample; bools and texts are Python's."""
    kind = SAMPLES.get(type(value))
    if kind is not None:
        return kind(value)
    return value.item() if isinstance(value, np.bool_ | np.str_) else value


def plain(value: Any) -> Any:
    """The scalar that a user sees: Python's for the samples that act as such, else NumPy's."""
    convert = STRONG.get(type(value)) or BASES.get(type(value))
    if convert is not None:
        return convert(value)
    if type(value) in (tuple, list):
        return type(value)([plain(v) for v in value])
    return value


def plain_same(value: Any, known: dict[int, Any]) -> Any:
    """As `plain`, but one sample becomes one Python object: nan is in (nan,) if it is the same."""
    if type(value) in STRONG:
        return known.setdefault(id(value), plain(value))
    if type(value) in (tuple, list):
        return type(value)([plain_same(v, known) for v in value])
    return value


def is_narrow(value: Any) -> bool:
    """Whether NumPy computes: samples of float32, int8 and the like, NumPy's own, arrays."""
    kind = type(value)
    return kind not in STRONG and kind not in PYTHON and isinstance(value, np.generic | np.ndarray)


def is_native(value: Any) -> bool:
    """Whether operators are NumPy's own: an array, or a NumPy function's result."""
    return isinstance(value, np.ndarray) or (
        isinstance(value, np.generic) and type(value) not in BASES
    )
