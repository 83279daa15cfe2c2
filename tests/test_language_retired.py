"""Loops that lanes leave one by one, in every layout of arguments."""

import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import retired
from tests.programs.grid import array, calls, vectorised


@calls(retired)
def test_retired(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


@pytest.mark.parametrize("n", [0, 1])
def test_few_lanes(n):
    vectorised(retired.return_inside_a_loop, np.zeros(n))
    vectorised(retired.greatest_divisor, np.full(n, 12), np.full(n, 18))


def test_broadcasting():
    def f(x, k):
        while x > k:
            x = x / 2
        return x, k

    vectorised(f, np.array([[1.0], [50.0], [7.0]]), np.array([2, 3]))


def test_a_lane_that_has_left_is_not_computed_on():
    """Behind its exit a lane would divide by zero."""

    def f(k):
        s = 0
        for i in range(5):
            if i == k:
                break
            s += 12 // (k - i)
        return s

    vectorised(f, np.array([0, 1, 2, 3, 4, 9]))


def test_errors_are_those_of_the_lanes_still_running():
    def f(k):
        while k > 3:
            if k == 7:
                raise ValueError(f"seven: {k}")
            k -= 2
        return k

    assert check(f, np.array([2, 8, 9, 7])).raised == "ValueError"
    vectorised(f, np.array([2, 8, 6, 3]))


def test_counts_that_leave_int64_are_redone():
    """Departure 2: what a loop lets grow is exact, or announced."""

    def f(k):
        n = 1
        while k > 0:
            n *= 10
            k -= 1
        return n

    vectorised(f, np.array([0, 1, 18]))
    with pytest.warns(autovec.FallbackWarning):
        assert autovec.vectorize(f)(np.array([1, 30])).tolist() == [10, 10**30]


def test_the_index_shrinks():
    text = autovec.vectorize(retired.varying_while).emit(array("f", 0))
    assert "while k.size:" in text


def test_a_name_that_no_trip_assigned():
    def f(x, k):
        for i in range(k):
            y = x + i
        return y

    vectorised(f, np.ones(3), np.array([1, 2, 3]))
    assert check(f, np.ones(3), np.array([1, 0, 3])).raised == "UnboundLocalError"


def test_all_lanes_of_a_trip_return_by_a_choice():
    def f(x, y):
        s = 0.0
        try:
            for i in range(2):
                s += y / (x - i)
                return x
        except ArithmeticError:
            return 6
        return s

    def g(x, y):
        for i in range(3):
            if x > i:
                return y
            return x + i
        return 7.0

    for h in (f, g):
        check(h, np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0]))


def test_a_default_of_a_function_in_a_try():
    def f(x, y):
        try:
            return math.isclose(x, y, rel_tol=0.1), 1 / x
        except ZeroDivisionError:
            return False, 0.0

    check(f, np.array([0.0, 1.0, 2.0]), np.array([1.0, 1.01, 3.0]))


def leaves_from_a_uniform_branch(v, n):
    y = 1.0
    if n != 0:
        y = y + n
        for _ in range(n):
            if y > v:
                return y
            y = y * 2
    return y * 10 + v


@pytest.mark.parametrize("n", [0, 1, 3, -2])
def test_what_follows_a_branch_with_a_loop_that_some_lanes_return_from(n):
    v = np.array([1.0, 5.0, 300.0])
    got = autovec.vectorize(leaves_from_a_uniform_branch, fallback="error")(v, n)
    want = [leaves_from_a_uniform_branch(float(x), n) for x in v]
    np.testing.assert_array_equal(got, want)
