"""Programs and the arguments they run with.

    @program("fi")
    def ratio(x, k):
        return x / k if k else 0.0

A letter a parameter: f float, i int, b bool, s or t str; with missing values o str, p int, q float
(None) and r str (nan); capitals are uniform (F, I, B, S).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import autovec
from tests.harness import Report, check

Function = Callable[..., Any]
_KINDS: dict[Function, str] = {}

NAN, INF = float("nan"), float("inf")
FLOATS = [0.0, -0.0, 1.0, -1.0, NAN, INF, -INF, 0.5, 2.5, -3.0, 1e300, -1e-300, 7.0]
INTS = [0, 1, -1, 2, 3, 7, -7, 10, -1000]
BOOLS = [True, False, False]
WORDS = ["a", "bb", "", "ccc", "x"]
TEXTS = ["banana", "", "Ab c", "x,y,z", "ß", "12", " \tpad ", "Title Case", "-7", "aaaa", "an",
         "a, b,c", "İx", "1.5", "xyz"]  # fmt: skip
MAYBE = ["a", None, "bb", "", None, "banana", "Ab c"]
EDGES: dict[str, tuple[list[Any], str]] = {
    "f": (FLOATS, "f8"),
    "i": (INTS, "i8"),
    "b": (BOOLS, "?"),
    "s": (WORDS, "U3"),
    "g": ([v for v in FLOATS if not abs(v) > 1e30] + [INF, -INF], "f4"),
    "j": (INTS, "i4"),
    "t": (TEXTS, "U12"),
    "o": (MAYBE, "O"),
    "p": ([1, None, 0, -3, 7, None, 2], "O"),
    "q": ([1.5, None, 0.0, -3.0, NAN, None, INF], "O"),
    "r": (["a", NAN, "bb", "", NAN, " banana ", "Ab c"], "O"),
    "h": ([0, 1, -1, 2, 3, 7, -7, 10, -100], "i1"),
}
UNIFORM = {"f": 1.5, "i": 2, "b": True, "s": "a", "t": "banana", "o": "a", "p": 3, "q": 0.5,
           "r": "a", "g": np.float32(1.5), "j": np.int32(2)}  # fmt: skip
LANES = 37
#: the letters that a layout gives other dtypes
NARROW = {"f": "g", "i": "j"}
WHOLE = {"f": "i"}


def program(kinds: str) -> Callable[[Function], Function]:
    """Collect a program; a letter a parameter."""

    def collect(f: Function) -> Function:
        _KINDS[f] = kinds
        return f

    return collect


def array(kind: str, seed: int, n: int = LANES) -> np.ndarray:
    """Edge data of one kind, in an order of its own."""
    values, dtype = EDGES[kind]
    many = np.resize(np.array(values, dtype), n)
    return many if not seed else np.random.default_rng(seed).permutation(many)


def arguments(kinds: str, n: int = LANES) -> list[Any]:
    """One array a small letter, one scalar a capital."""
    return [array(c, k, n) if c.islower() else UNIFORM[c.lower()] for k, c in enumerate(kinds)]


def layouts(kinds: str) -> Iterator[tuple[str, list[Any], Any]]:
    """Name, arguments and in_axes of every way to call a program with these parameters."""
    flat = arguments(kinds)
    varying = [k for k, c in enumerate(kinds) if c.islower()]
    yield "flat", flat, None
    yield "vmap", flat, tuple(0 if k in varying else None for k in range(len(kinds)))
    for name, other in (("narrow", NARROW), ("whole", WHOLE)):
        changed = "".join(other.get(c, c) for c in kinds)
        if changed != kinds:
            yield name, arguments(changed), None
    if len(varying) > 1:
        for k in varying:
            one = [UNIFORM[kinds[k]] if j == k else a for j, a in enumerate(flat)]
            yield f"uniform{k}", one, None
        outer = arguments(kinds, 13)
        for k in varying[1:]:
            outer[k] = outer[k][:5]
        outer[varying[0]] = outer[varying[0]][:, None]
        yield "outer", outer, None
    else:
        some = arguments(kinds, 12)
        square = [a.reshape(3, 4) if isinstance(a, np.ndarray) else a for a in some]
        yield "square", square, None
    yield "scalars", [UNIFORM[c.lower()] for c in kinds], None


def calls(module: ModuleType) -> Any:
    """The parameters of a test over all programs of a module in every layout."""
    own = [f for f in _KINDS if inspect.getmodule(f) is module]
    return pytest.mark.parametrize(
        ("f", "args", "in_axes"),
        [
            pytest.param(f, args, in_axes, id=f"{f.__name__}-{name}")
            for f in own
            for name, args, in_axes in layouts(_KINDS[f])
        ],
    )


def vectorised(f: Function, *args: Any, in_axes: Any = None, **kw: Any) -> Report:
    """`check`, where a loop over the samples is an error."""

    def strict(fn: Function) -> Any:
        if in_axes is None:
            return autovec.vectorize(fn, fallback="error")
        return autovec.vmap(fn, in_axes, fallback="error")

    return check(f, *args, in_axes=in_axes, vectorize=strict, **kw)


def looped(f: Function, *args: Any, **kw: Any) -> Report:
    """`check`, where a loop over the samples is announced."""
    report = check(f, *args, **kw)
    assert report.fallbacks, "nothing was announced: does it compile by now?"
    return report
