"""Calls, loops and ways out inside try: each lane to its handler, through the finally clauses."""

import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import attempted
from tests.programs.grid import calls, vectorised

X = np.array([1.0, 0.0, -3.0, 2.0, np.nan, -0.0])
K = np.array([0, 1, 2, -3, 4, 7])


def strict(f):
    return autovec.vectorize(f, fallback="error")


@calls(attempted)
def test_attempted(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def test_a_helper_says_which_handler_answers():
    text = strict(attempted.helper_with_two_exceptions).emit(X, K)
    assert "return out, failed" in text
    assert "np.where(failed == 1, -1.0, np.where(failed == 2, -2.0," in text


def test_lanes_that_leave_a_loop_set_a_flag():
    text = strict(attempted.loop_left_by_an_exception).emit(K)
    assert "failed = np.zeros(n, bool)" in text and "np.where(failed," in text


def test_a_handler_that_returns_needs_no_flag():
    text = strict(attempted.while_test_that_raises).emit(X, K)
    assert "failed" not in text


def test_what_no_handler_names_is_raised():
    def f(k):
        try:
            if k == 2:
                raise KeyError("two")
            return 10 // k
        except ValueError:
            return 0

    check(f, np.array([1, 2, 3]))
    check(f, np.array([1, 0, 2]))
    with pytest.raises(KeyError, match="two"):
        strict(f)(np.array([1, 2, 0]))


def test_raise_from_keeps_its_message():
    with pytest.raises(ValueError, match="bad 0: integer division") as caught:
        strict(attempted.assert_and_raise_from)(np.array([1, 0]))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_handler_sees_what_names_held_before():
    def f(x):
        y = 1.0
        try:
            y = math.exp(x * 1000)
        except OverflowError:
            return y
        return y + 1

    vectorised(f, X)


def test_nothing_runs_for_no_lane():
    for f, n in ((attempted.recursion_called, 1), (attempted.helper_called_in_a_loop, 2)):
        vectorised(f, *[a[:0] for a in (X, K)[2 - n :]])


def test_exits_from_a_finally_loop():
    def f(x):
        try:
            x = 1 / x
        finally:
            return x

    with pytest.warns(autovec.FallbackWarning, match="an exit from a finally"):
        autovec.vectorize(f)(X)


def test_repr_of_an_exception_is_not_its_text():
    def f(k):
        try:
            if k:
                raise ValueError("no")
            return 1
        except ValueError as error:
            raise TypeError(f"{error!r}") from error

    check(f, K)
