"""The samples: they run as scripts, agree with their loop, and so does the NumPy by hand."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import autovec
from tests.benchmark import hand
from tests.harness import check
from tests.sample_programs import NAMES, ROOT, arguments, module, plain

# One sample that the function refuses, or None where it takes any number.
BAD = {
    "atmosphere": (-5.0,),
    "clean_reading": (20.0, "R", 19.0),
    "compressor": None,
    "contrast": None,
    "delta_e": None,
    "growth_z": (0.0, 0.1, 9.0, 0.1),
    "heat_index": None,
    "iso_week": (2024, 13, 1),
    "loan": (1000.0, 0.05, 0),
    "normal_quantile": (1.0,),
    "pipe": (0.1, 0.0, 10.0),
    "planck": (1e-6, -1.0),
    "sunrise": (100, 90.0, 0.0),
    "tax": (float("nan"), False),
    "utm": (85.0, 10.0),
    "water_bill": (-1.0, 2, True),
}


def with_bad(name: str) -> tuple[np.ndarray, ...]:
    """A batch with one bad sample in its middle."""
    columns = [column.copy() for column in arguments(name, 60)]
    for column, value in zip(columns, BAD[name], strict=True):
        column[31] = value
    return tuple(columns)


def test_there_is_a_bad_sample_for_each():
    assert sorted(BAD) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_it_runs_as_a_script(name):
    ran = subprocess.run(
        [sys.executable, "-W", "error", f"samples/{name}.py"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    text, line = ran.stdout[: ran.stdout.rindex("\n", 0, -1)], ran.stdout.splitlines()[-1]
    assert line == "1000 samples: equal to the plain loop"
    assert "import numpy as np" in text
    assert "autovec" not in text
    ast.parse(text)


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_computes_and_after_which_source(name):
    doc = module(name).__doc__
    assert doc is not None
    assert "Source: " in doc


@pytest.mark.parametrize("name", NAMES)
def test_it_agrees_with_its_loop(name):
    function = plain(name)
    # A method's text alone takes self as well: tests/test_emitted.py runs it.
    report = check(function, *arguments(name, 150), deep=not inspect.ismethod(function))
    assert not report.fallbacks


@pytest.mark.parametrize("name", [name for name in NAMES if BAD[name]])
def test_a_bad_sample_raises_what_the_loop_raises(name):
    report = check(plain(name), *with_bad(name))
    assert report.raised
    assert not report.fallbacks


@pytest.mark.parametrize("name", NAMES)
def test_a_second_call_compiles_nothing(name):
    batched = autovec.vectorize(plain(name))
    batched(*arguments(name, 10))
    compiled = batched.cache_info().misses
    for n in (10, 11):
        batched(*arguments(name, n))
    assert batched.cache_info().misses == compiled


@pytest.mark.parametrize("name", NAMES)
def test_by_hand_it_agrees_with_the_loop(name):
    check(plain(name), *arguments(name, 150), vectorize=lambda _: getattr(hand, name))


@pytest.mark.parametrize("name", [name for name in NAMES if BAD[name]])
def test_by_hand_a_bad_sample_raises_too(name):
    with pytest.raises(Exception) as batched:
        getattr(hand, name)(*with_bad(name))
    with pytest.raises(Exception) as loop:
        plain(name)(*BAD[name])
    assert type(batched.value) is type(loop.value)
    assert str(batched.value) == str(loop.value)


@pytest.mark.parametrize("name", NAMES)
def test_any_shapes_broadcast(name):
    batched = autovec.vectorize(plain(name))
    first, *rest = arguments(name, 6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wide = batched(first.reshape(2, 3), *(column.reshape(2, 3) for column in rest))
        flat = batched(first, *rest)
    for a, b in zip(_columns(wide), _columns(flat), strict=True):
        assert a.shape == (2, 3)
        np.testing.assert_array_equal(a.ravel(), b)


def _columns(result: object) -> list[np.ndarray]:
    if isinstance(result, dict):
        return list(result.values())
    return list(result) if isinstance(result, tuple) else [result]
