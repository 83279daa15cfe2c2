"""What comes in later issues runs as one visible loop: right, announced, refused where asked."""

import math
import statistics

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.oracle.standalone import load_text
from tests.programs import later
from tests.programs.grid import array, looped

X, K = array("f", 0, 13), array("i", 0, 9)
TAME = np.array([0.5, 1.0, 3.0, -2.0, 100.0])
CASES = [
    (later.no_rule, K),
    (later.prints, TAME),
]
BY_NAME = pytest.mark.parametrize(("f", "x"), CASES, ids=[f.__name__ for f, _ in CASES])


@BY_NAME
def test_loops_with_a_warning(f, x):
    """The values are the loop's, and the warning names file and line."""
    report = looped(f, x)
    lines = {n for _, _, n in f.__code__.co_lines() if n}
    (text,) = report.fallbacks
    assert any(f"later.py:{n}:" in text for n in range(min(lines), max(lines) + 1)), text


def test_the_warning_points_at_the_call_once():
    def f(x):
        return len(f"{x}")

    g = autovec.vectorize(f)
    with pytest.warns(autovec.FallbackWarning) as seen:
        g(TAME)
    assert seen[0].filename == __file__
    g(TAME)  # a second warning would be an error here


@BY_NAME
def test_is_refused_where_asked(f, x):
    with pytest.raises(autovec.FallbackError, match="later.py"):
        autovec.vectorize(f, fallback="error")(x)


@BY_NAME
def test_is_silent_where_asked(f, x, recwarn):
    autovec.vectorize(f, fallback="silent")(x)
    assert not [w for w in recwarn if issubclass(w.category, autovec.FallbackWarning)]


RATE = 0.5
ROWS = (1.0, 2.0, 4.0, 8.0)


def lowered(x):
    return x * RATE if x < 100 else math.sqrt(x)


def shown(k):
    return len(f"{ROWS[k]}")


def test_the_text_of_the_loop_stands_alone():
    """With the constants, helpers and imports it reads, for every shape and structure."""

    def f(x, k):
        n = len(f"{k}")
        return {"x": lowered(x), "n": (n, k)}

    x, k = np.array([[1.0], [500.0], [7.0]]), np.array([2, 3])
    with pytest.warns(autovec.FallbackWarning):
        want = autovec.vectorize(f)(x, k)
    alone = load_text(autovec.vectorize(f).emit(x, k), "f")(x, k)
    np.testing.assert_array_equal(alone["x"], want["x"])
    np.testing.assert_array_equal(alone["n"][0], want["n"][0])
    assert alone["n"][1].shape == (3, 2)


def test_errors_of_the_loop():
    def f(k):
        return later.no_rule(k) + statistics.fmean([1.0] * k)

    with pytest.raises(statistics.StatisticsError):
        autovec.vectorize(f, fallback="silent")(np.array([1, 0]))


@pytest.mark.parametrize("n", [0, 1])
def test_few_lanes(n):
    check(later.no_rule, np.zeros(n, int), deep=False)


def test_broadcasting_in_the_loop():
    def f(x, k):
        return x * hash(k), k

    looped(f, np.array([[1.0], [50.0], [7.0]]), np.array([2, 3]))
