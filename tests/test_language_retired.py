"""Loops that lanes leave one by one, in every layout of arguments."""

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
