"""Recursion on the live lanes: values, exactness, Python's own limit."""

import functools
import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import recursion
from tests.programs.grid import calls, vectorised

K = np.arange(9)


def strict(f):
    return autovec.vectorize(f, fallback="error")


@calls(recursion)
def test_recursion(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def test_the_text_calls_itself_for_some_lanes():
    text = strict(recursion.digit_sum).emit(K)
    assert text.count("def ") == 1
    assert "if k.size:\n        out[k] = digit_sum(-n[k])" in text


def test_a_call_for_other_facts_has_a_twin_of_its_own():
    """`total` is one number at first and differs between lanes then."""
    text = strict(recursion.accumulated).emit(K)
    assert "def accumulated_batched(n, total=0):" in text
    assert "accumulated_batched(n[k] - 1, total + n[k])" in text


@pytest.mark.parametrize(
    "dtype", ["int8", "uint16", "int32", "int64", "float32", "float64", "bool"]
)
def test_dtypes(dtype):
    x = np.array([0, 1, 1, 0, 1]).astype(dtype)

    def down(v, k):
        return v if k == 0 else down(v, k - 1) + v

    def g(v):
        return down(v, 3)

    vectorised(g, x)


def test_none_and_one_lane():
    for n in (0, 1):
        vectorised(recursion.digit_sum, np.full(n, 1234))
    assert strict(recursion.digit_sum)(1234) == 10


def test_integers_beyond_64_bits_are_exact():
    def fact(n):
        return 1 if n <= 1 else n * fact(n - 1)

    n = np.array([3, 25, 1, 30])
    with pytest.warns(autovec.FallbackWarning, match="64 bits"):
        got = autovec.vectorize(fact)(n)
    assert got.tolist() == [fact(k) for k in n.tolist()]
    text = autovec.vectorize(fact).emit(n)
    space = {}
    exec(text, space)
    with pytest.raises(OverflowError):
        space["fact"](n)


def test_a_product_that_is_handed_down_is_exact():
    def fact(n, product=1):
        return product if n <= 1 else fact(n - 1, product * n)

    check(fact, np.array([3, 5, 10]))
    with pytest.warns(autovec.FallbackWarning, match="64 bits"):
        got = autovec.vectorize(fact)(np.array([3, 25]))
    assert got.tolist() == [6, fact(25)]


def test_a_product_on_the_way_round_is_exact():
    def fact(n):
        return 1 if n <= 1 else times(n)

    def times(n):
        return n * fact(n - 1)

    with pytest.warns(autovec.FallbackWarning, match="64 bits"):
        got = autovec.vectorize(fact)(np.array([3, 25]))
    assert got.tolist() == [6, fact(25)]


def endless(n):
    return endless(n + 1)


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def test_pythons_own_limit():
    with pytest.raises(RecursionError) as caught:
        autovec.vectorize(endless)(K)
    assert "lane 0 of 9" in caught.value.__notes__[0]
    with pytest.raises(RecursionError) as caught:
        autovec.vectorize(deep)(np.array([3, 10**6, 4]))
    assert "lane 1 of 3" in caught.value.__notes__[0]
    assert strict(deep)(np.array([3, 200, 4])).tolist() == [3, 200, 4]


def test_recursion_over_no_lanes_ends():
    assert autovec.vectorize(endless)(np.array([], int)).shape == (0,)
    assert strict(deep)(np.array([], int)).shape == (0,)


def test_the_lowest_lane_that_raises():
    with pytest.raises(ValueError, match="-5 is too small") as caught:
        autovec.vectorize(recursion.checked)(np.array([1, 2, -5, 7, -9]))
    assert "lane 2" in caught.value.__notes__[0]


def test_none_from_deeper_down():
    def find(n):
        if n > 10:
            return None
        return n if n % 3 == 0 else find(n + 1)

    def f(n):
        found = find(n)
        return -1 if found is None else 2

    vectorised(find, np.arange(13))
    vectorised(f, np.arange(13))


@functools.lru_cache
def doubled(x):
    return 2 * x


@functools.cache
def steps(n):
    if n == 1:
        return 0
    return 1 + steps(n // 2 if n % 2 == 0 else 3 * n + 1)


def test_memo_decorators_are_seen_through():
    def f(x):
        return doubled(x) + 1

    vectorised(f, np.linspace(-1, 1, 5))
    vectorised(lambda n: steps(n), np.arange(1, 30))


def test_vmap():
    def f(x, n):
        return x if n == 0 else f(x, n - 1) * 2.0

    x = np.linspace(-1, 1, 9)
    vectorised(f, x, K, in_axes=0)
    vectorised(f, x, 3, in_axes=(0, None))
    text = autovec.vmap(f).emit(x, K)
    assert "np.broadcast_arrays" not in text and text.count("def ") == 1


def grown(x, n):
    return shrunk(np.add(x, 0.0), n) if n else shrunk(x, n) + shrunk(math.copysign(x, x), n)


def shrunk(x, n):
    return x if n else grown(1 if n else x, n)


def test_programs_built_on_what_was_dropped_are_dropped():
    """One of two that call each other was built anew, and a third still called the old one."""

    def helper(x, n):
        return grown(x, n)

    def f(x):
        return helper(x, 4)

    vectorised(f, np.array([0.5, -1.0]))
