"""Program -> its text today, the text that is kept, and what both must compute."""

from __future__ import annotations

import functools
import inspect
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import autovec
from tests import sample_programs
from tests.emitted.programs import PROGRAMS, Program
from tests.oracle.results import leaves
from tests.oracle.standalone import load_text

FOLDER = Path(__file__).parent / "text"
NAMES = sorted({*sample_programs.NAMES, *PROGRAMS})


def program(name: str) -> Program:
    """The entry of a sample or of one of `PROGRAMS`."""
    if name in PROGRAMS:
        return PROGRAMS[name]
    return Program(sample_programs.plain(name), sample_programs.arguments(name, 200))


def kept(name: str) -> Path:
    """The file with the text as it was reviewed."""
    return FOLDER / f"{name}.py"


def emitted(name: str) -> str:
    """The text today, from a fresh object; a fallback that nobody expects is an error."""
    entry = program(name)
    options: dict[str, Any] = {"fallback": "silent" if entry.looped else "error"}
    if entry.in_axes is None:
        batched = autovec.vectorize(entry.function, **options)
    else:
        batched = autovec.vmap(entry.function, entry.in_axes, **options)
    text: str = batched.emit(*entry.arguments)
    return text


def outcome(name: str, text: str) -> Any:
    """What the text returns by itself, where nothing but NumPy can be imported."""
    entry = program(name)
    function = load_text(text, entry.function.__name__)
    if inspect.ismethod(entry.function):
        function = functools.partial(function, entry.function.__self__)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return function(*entry.arguments)


def expected(name: str) -> list[Any]:
    """What the plain function returns, sample by sample."""
    entry = program(name)
    batched = (np.ndarray, dict)
    axes = entry.in_axes or tuple(0 if isinstance(a, batched) else None for a in entry.arguments)
    given = [(_samples(a) if axis == 0 else a, axis) for a, axis in zip(entry.arguments, axes)]
    n = max(len(a) for a, axis in given if axis == 0)
    columns = [a if axis == 0 else [a] * n for a, axis in given]
    return [entry.function(*sample) for sample in zip(*columns, strict=True)]


def _samples(argument: Any) -> list[Any]:
    """An array's elements, or the rows of a dict of arrays."""
    if isinstance(argument, np.ndarray):
        return argument.tolist() if argument.ndim == 1 else list(argument)
    lanes = zip(*(column.tolist() for column in argument.values()), strict=True)
    return [dict(zip(argument, lane, strict=True)) for lane in lanes]


def assert_equal(got: Any, want: list[Any]) -> None:
    """Leaf by leaf: values, None as nan, the kind of the dtype, and a value for every sample."""
    for path, column in leaves(got):
        values = [dict(leaves(sample)).get(path, sample) for sample in want]
        stacked = np.array([np.nan if v is None else v for v in values])
        assert column.shape == stacked.shape, path
        assert column.dtype.kind == stacked.dtype.kind, path
        if stacked.dtype.kind == "f":
            np.testing.assert_allclose(column, stacked, rtol=1e-9, atol=1e-13)
        else:
            np.testing.assert_array_equal(column, stacked)
