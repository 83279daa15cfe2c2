"""Lifted loops: maps, stencils, strides, and the dependences that forbid them."""

import math

import numpy as np
import pytest

import autovec
from tests.lifting import FLOATS, INTS, SINGLE, SMALL, agrees, loops

ALL = [*FLOATS, *INTS, *SMALL, *SINGLE]


def scale(x, y):
    for i in range(len(x)):
        x[i] = x[i] * 2 + y[i]


def stencil(x):
    out = x.copy()
    for i in range(1, len(x) - 1):
        out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return out


def shift_left(x):
    for i in range(len(x) - 1):
        x[i] = x[i + 1]


def shift_right(x):
    for i in range(1, len(x)):
        x[i] = x[i - 1]


def shift_right_backwards(x):
    for i in range(len(x) - 1, 0, -1):
        x[i] = x[i - 1]


def odd_from_even(x):
    for i in range(1, len(x), 2):
        x[i] = x[i - 1] * 3


def mirrored(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = x[len(x) - 1 - i]
    return out


def mirrored_in_place(x):
    for i in range(len(x)):
        x[i] = x[len(x) - 1 - i]


def two_statements(x, y):
    for i in range(len(x) - 1):
        x[i] = y[i] * 2
        y[i] = x[i + 1] + x[i]


def fourth(x):
    for i in range(4, len(x)):
        x[i] = x[i - 4] + 1


def trapped(x):
    y = x[1:]
    for i in range(len(y)):
        y[i] = y[i] + x[i]


def roots(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = math.sqrt(x[i]) + math.exp(x[i])
    return out


def cancelled(n):
    out = []
    total = np.zeros(max(n, 0), int)
    for i in range(n):
        out.append(i + 2 - i)
        total[i] = 2 * i - i - i + 7
    return np.array(out), total


def test_an_index_that_cancels():
    for n in (-1, 0, 1, 4):
        agrees(cancelled, n)


def last_index(x, n):
    k = -1
    for k in range(n):
        x[k] = x[k] + 1
    return k


@pytest.mark.parametrize("x", ALL)
@pytest.mark.parametrize(
    "function",
    [stencil, shift_left, shift_right, shift_right_backwards, odd_from_even, mirrored,
     mirrored_in_place, fourth, trapped, roots],
)  # fmt: skip
def test_one_array(function, x):
    agrees(function, x)


@pytest.mark.parametrize("function", [scale, two_statements])
@pytest.mark.parametrize("x", ALL)
def test_two_arrays(function, x):
    agrees(function, x, x[::-1].copy())
    agrees(function, x, x)
    agrees(function, x, x.astype(float))
    agrees(function, x, x[: len(x) // 2].copy())  # too short: part of the loop is done
    agrees(function, x, x[:1].copy())
    agrees(function, x, x.tolist())
    if len(x) > 1:
        agrees(function, x[1:], x[:-1])
        agrees(function, x[:-1], x[1:])
        agrees(function, x, x[::-1])


@pytest.mark.parametrize("n", [-1, 0, 1, 4, 9])
@pytest.mark.parametrize("x", FLOATS)
def test_a_bound_that_is_a_number(x, n):
    agrees(last_index, x, n)


@pytest.mark.parametrize("function", [shift_right, fourth, trapped, mirrored_in_place])
def test_a_true_dependence_stays(function):
    assert loops(agrees(function, np.arange(9.0))) == 1


@pytest.mark.parametrize(
    "function", [stencil, shift_left, shift_right_backwards, odd_from_even, mirrored]
)
def test_an_anti_dependence_is_free(function):
    assert loops(agrees(function, np.arange(9.0))) == 0


def test_the_text_of_a_stencil():
    assert autovec.lift(stencil).source == (
        "def stencil(x):\n"
        "    out = x.copy()\n"
        "    out[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3\n"
        "    return out\n"
    )


def test_an_error_of_math_is_the_loops():
    with pytest.raises(ValueError, match="math domain error"):
        autovec.lift(roots)(np.array([1.0, -1.0]))


def test_a_store_that_must_raise():
    def whole(x, counts):
        for i in range(len(x)):
            counts[i] = x[i]

    agrees(whole, np.array([1.5, np.nan, 2.0]), np.zeros(3, int))
    agrees(whole, np.array([1.5, 2.0]), np.zeros(2, np.int8))


def test_the_fallback_may_be_forbidden():
    with pytest.raises(autovec.NotLiftable, match="the turns depend on each other"):
        autovec.lift(shift_right, fallback="error")
    assert autovec.lift(fallback="error")(shift_left).source


def test_what_is_no_array_runs_as_written():
    def doubled(x):
        out = []
        for v in x:
            out.append(v * 2)
        return out

    for x in ([1, 2], "ab", (1.5,), np.array(["a"]), {1: 2}, np.zeros((2, 2)), np.array([None])):
        agrees(doubled, x)
