"""try: conditions in it, operations that a return reads, one try inside another."""

from __future__ import annotations

import math

import numpy as np
import pytest

import autovec
from tests.harness import check

X = np.array([-1.0, 2.0, 0.0, 0.5, -3.0])
K = np.array([1, 0, 5, -1, 0])


def strict(f):
    return autovec.vectorize(f, fallback="error")


def overflow_in_a_return(x, k):
    try:
        return (1.0 + abs(x)) ** (k * 1000.0)
    except OverflowError:
        return -1.0


def operation_in_an_and(x, k):
    try:
        y = x > 0 and math.log(x) > 0
    except ValueError:
        y = -1
    return y


def operation_as_a_test(x, k):
    try:
        if math.log(x):
            y = 1.0
        else:
            y = 2.0
    except ValueError:
        y = -1.0
    return y


def operation_in_a_test(x, k):
    try:
        if x > -2 and math.log(x) > 0 or k > 4:
            y = 1.0
        else:
            y = 2.0
    except ValueError:
        y = -1.0
    return y


def three_deep(x, k):
    z = 0.0
    try:
        try:
            try:
                z = 1 / k
                z = math.sqrt(x)
                z = z / (x - 0.5)
            except OverflowError:
                z = 5.0
        except ZeroDivisionError:
            z = math.log(x + 1)
        else:
            z = z + 1 / (x - 2)
    except (ValueError, ZeroDivisionError):
        return z, -1.0
    return z, 1.0


def raises_inside(x, k):
    try:
        try:
            if k > 4:
                raise ValueError("a")
            if k < 0:
                raise KeyError("b")
            r = x / k
        except ValueError:
            r = 1 / x
        r = r + 1
    except (ZeroDivisionError, KeyError):
        r = -5.0
    return r


def handler_fails(x, k):
    try:
        try:
            return x / k
        except ZeroDivisionError:
            return math.sqrt(x)
    except ValueError:
        return -7.0


@pytest.mark.parametrize(
    "f",
    [
        overflow_in_a_return,
        operation_in_an_and,
        operation_as_a_test,
        operation_in_a_test,
        three_deep,
        raises_inside,
        handler_fails,
    ],
)
def test_the_lanes_that_raise_take_their_handler(f):
    check(f, X, K, vectorize=strict)


def test_operands_of_a_try_need_no_name():
    def f(x):
        try:
            return 2 * math.log(x) + 1
        except ValueError:
            return 0.0

    assert "2 * np.log(x[k]) + 1" in check(f, X, vectorize=strict).text
