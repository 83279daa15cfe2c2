"""Values that have one type on some lanes and another on others: int or float, bool or int."""

from __future__ import annotations

import math

import numpy as np
import pytest

import autovec
from tests.harness import check

X, K = np.array([1.0, -2.0, 0.5, 0.0]), np.array([1, 2, 3, 0])


def type_of_a_choice(x, k):
    y = 1 if x > 0 else x
    return isinstance(y, int), isinstance(y, float)


def type_of_a_bool_or_int(x, k):
    y = True if x > 0 else k
    return isinstance(y, bool), y + 1


def is_true(x, k):
    y = k if x > 0 else True
    return y is True, y is False


def is_true_of_the_larger(x, k):
    return max(x > 0, k) is True


def larger_by_zero(x, k):
    return max(k, x) // (k - 1)


def rounded_by_zero(x, k):
    return round(k if x > 0 else x, 1) % (k - 1)


def both_parts_by_zero(x, k):
    return divmod(k if x > 0 else x, k - 1)


@pytest.mark.parametrize(
    "f",
    [type_of_a_choice, type_of_a_bool_or_int, is_true, is_true_of_the_larger, larger_by_zero,
     rounded_by_zero, both_parts_by_zero],
)  # fmt: skip
def test_what_depends_on_the_type_loops(f):
    assert check(f, X, K).fallbacks


def test_what_does_not_depend_on_it():
    def f(x, k):
        y = max(k, x)
        b = x > 0
        return y // 2, y % 3, divmod(y, 2), y // 1.5, isinstance(k, int), b is True, b is False

    assert check(f, X, K).fallbacks == []


def test_a_message_shows_the_type_that_the_lane_has():
    def f(x, k):
        y = k if k > 1 else x
        if y == 3:
            raise ValueError(f"y is {y}, not {k * 1.0}")
        return y

    check(f, X, K)


def test_a_sample_of_float32_is_no_float():
    def f(x, k):
        y = 1 + x
        return isinstance(x, float), isinstance(y, float), isinstance(k, int), isinstance(x, int)

    for x, k in (("f4", "i8"), ("f8", "i4"), ("f8", "i8"), ("f4", "i1"), ("?", "?")):
        check(f, X.astype(x), K.astype(k))


def numpys(x):
    """NumPy's number on some lanes, Python's on others."""
    return np.sin(x) if x > 0.5 else 0.0


def divided(x):
    try:
        return 1 / numpys(x)
    except ZeroDivisionError:
        return -1.0


def smallest(x):
    try:
        return min(np.sin(x), 0.0) / int(x - x)
    except ZeroDivisionError:
        return -1.0


def remainder(x):
    count = np.int64(0) if x > 0.5 else 0
    return 7 % count


def flags(x):
    flag = np.isnan(x) if x > 0.5 else x > -1
    return flag + flag


def is_false(x):
    return (np.isnan(x) if x > 0.5 else False) is False


def numpys_class(x):
    return isinstance(numpys(x), np.floating)


@pytest.mark.parametrize(
    "f", [divided, smallest, remainder, flags, is_false, numpys_class]
)
def test_numpys_number_on_some_lanes(f):
    """Whether an operator raises, and what it gives, differs between the lanes: a loop."""
    report = check(f, np.array([1.0, 2.0, 0.7, 0.0]))
    assert report.raised or report.fallbacks
    check(f, np.array([1.0, 2.0]))
    check(f, np.array([0.0, 0.1]))


def test_numpys_number_where_no_operator_differs():
    def f(x):
        y = numpys(x)
        return -y, y + 1, y * x, abs(y), y > 0, y**2, y / 3, y % 2.5, isinstance(y, float)

    assert not check(f, np.array([1.0, 2.0, 0.7, 0.0, -3.0])).fallbacks


@pytest.mark.parametrize(
    "f",
    [
        lambda x, z: math.radians(z),
        lambda x, z: math.sqrt(z) + 1,
        lambda x, z: math.pow(z, 2),
        lambda x, z: math.log(z + 1, 2),
        lambda x, z: math.gamma(z + 1),
        lambda x, z: round(z, 1),
        lambda x, z: np.sin(z),
        lambda x, z: float(z),
    ],
)
def test_a_uniform_float32_has_the_precision_of_a_varying_one(f):
    x, z = np.arange(3.0), np.float32(0.5)
    shared = autovec.vectorize(f)(x, np.array(z))
    varying = autovec.vectorize(f)(x, np.full(3, z))
    assert shared.dtype == varying.dtype
    np.testing.assert_allclose(shared, varying, rtol=1e-6)
