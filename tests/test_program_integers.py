"""Integers that grow in loops, small integers that wrap, sums over what holds on some lanes."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import autovec
from tests.harness import check

X = np.array([1.0, -2.0, 0.0, 7.0, np.nan])


def strict(f):
    return autovec.vectorize(f, fallback="error")


def product(k):
    r = 1
    for _ in range(30):
        r *= k
    return r


def total(k):
    s = 0
    for _ in range(5):
        s += k * 2**60
    return s


def doubled(k):
    a, b = k, 1
    for _ in range(70):
        a, b = a + b, a
    return a


def of_a_sum(k):
    return sum(k * c for c in (1, 2, 3))


def of_values(k):
    return sum((k, k, k, 1))


@pytest.mark.parametrize(
    ("f", "k"),
    [
        (product, [3, 10]),
        (total, [1, 5]),
        (doubled, [1, 2**60]),
        (of_a_sum, [2**61, 1]),
        (of_values, [2**62, 1]),
    ],
)
def test_integers_that_outgrow_int64_are_exact(f, k):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", autovec.FallbackWarning)
        assert autovec.vectorize(f)(np.array(k)).tolist() == [f(v) for v in k]
    space: dict = {}
    exec(autovec.vectorize(f).emit(np.array(k)), space)
    with pytest.raises(OverflowError):
        space[f.__name__](np.array(k))


def counter(x):
    n = 0
    for c in (1, 2, 3, 4):
        if x > c:
            n += 1
        n += x > 2 * c
    return n


def weights(x):
    return sum(x > c for c in (1, 2)) + sum(2 if x > c else 3 for c in (1, 2, 3))


def test_counters_need_no_check():
    for f in (counter, weights):
        assert "_exact" not in check(f, X, vectorize=strict).text


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "u8"])
def test_small_integers_wrap(dtype):
    k = np.array([1, 100, 7, 0], dtype)
    for f in (
        lambda x: x**2,
        lambda x: x ** (x % 5),
        lambda x: x << 3,
        lambda x: x**3 if x > 1 else x,
        lambda x: 1 << (x % 7),
    ):
        check(f, k, vectorize=strict)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: sum(1 for c in (0, 1, 2) if x > c),
        lambda x: sum(c * x for c in (0, 1, 2) if x > c if x > 2 * c),
        lambda x: sum(sum(c + d for d in (x, 2) if d > c) for c in (0, 1) if x > c),
        lambda x: sum([math.log(c) for c in (x, 1, x + 1) if c > 0]),
        lambda x: any(x * c > 2 for c in (0, 1, x) if x > c),
        lambda x: all(x * c > 2 for c in (0, 1, x) if x > c),
        lambda x: any(1 / c > 0 for c in (x, x + 1) if c != 0),
    ],
)
def test_conditions_of_a_generator_that_differ_between_lanes(f):
    check(f, X, vectorize=strict)


def test_a_loop_that_is_written_out_is_exact():
    """Its items differ between lanes; what one turn hands to the next may still outgrow int64."""

    def f(x):
        total = 0
        for v in (x, x, x):
            total += v
        return total

    x = np.array([3, 2**62])
    with pytest.warns(autovec.FallbackWarning, match="64 bits"):
        got = autovec.vectorize(f)(x)
    assert got.tolist() == [9, 3 * 2**62]


def power_of_two(x, n):
    return 2 ** n


def shifted(x, n):
    return x * 10 ** -n, 10 ** -n


def rounded(x, n):
    return round(x * 10 ** n) / 10 ** n


def guarded(x, n):
    return 0 if n < 0 else 2 ** n


@pytest.mark.parametrize("f", [power_of_two, shifted, rounded, guarded])
@pytest.mark.parametrize("n", [2, 0, -1, -3, True])
def test_an_int_to_a_uniform_power(f, n):
    """It is a float where that is negative: 2 ** -1 was stored as 0."""
    check(f, np.array([0.5, -1.25]), n)
    check(f, np.array([3, -4]), n)


def test_the_sign_of_a_power_is_looked_at_where_it_shows():
    x = np.array([0.5])
    said = "an int to a negative power is no int"
    assert autovec.vectorize(power_of_two).emit(x, 2).count(said) == 1
    for f in (shifted, rounded, guarded):
        assert said not in autovec.vectorize(f).emit(x, 2)
