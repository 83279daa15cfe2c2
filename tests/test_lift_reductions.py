"""Lifted loops: sums, counts, extremes, and branches."""

import math

import numpy as np
import pytest

from tests.lifting import FLOATS, INTS, SINGLE, SMALL, agrees, loops

ALL = [*FLOATS, *INTS, *SMALL, *SINGLE]


def total(x):
    s = 0
    for v in x:
        s += v
    return s


def product(x):
    p = 1.0
    for i in range(len(x)):
        p *= x[i]
    return p


def dot(x, y):
    s = 0.0
    for u, v in zip(x, y):
        s += u * v
    return s


def positive_mean(x):
    s = 0.0
    n = 0
    for v in x:
        if v > 0:
            s += v
            n += 1
    return s / n


def count(x):
    n = 0
    for v in x:
        if not v < 1:
            n += 1
    return n


def largest(x):
    best = x[0]
    for v in x[1:]:
        if v > best:
            best = v
    return best


def least_place(x):
    best = float("inf")
    place = -1
    for i, v in enumerate(x):
        if v < best:
            best = v
            place = i
    return place, best


def clipped(x, low, high):
    for i in range(len(x)):
        if x[i] < low:
            x[i] = low
        elif x[i] > high:
            x[i] = high


def safe(x, y):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if y[i] != 0:
            out[i] = x[i] / y[i]
        else:
            out[i] = -1.0
    return out


def logs(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 0:
            out[i] = math.log(x[i])
    return out


def chosen(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 2:
            t = x[i] - 2
        else:
            t = 0.0
        out[i] = t
    return out


def last_seen(x):
    seen = 0.0
    for v in x:
        if v > 1:
            seen = v
    return seen


def skipped(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] < 0:
            continue
        s += x[i]
    return s, i


ONE = [total, product, positive_mean, count, largest, least_place, logs, chosen, last_seen, skipped]


@pytest.mark.parametrize("x", ALL)
@pytest.mark.parametrize("function", ONE)
def test_one_array(function, x):
    agrees(function, x, rtol=1e-5 if x.dtype == np.float32 else 1e-9)


@pytest.mark.parametrize("x", ALL)
@pytest.mark.parametrize("function", [dot, safe])
def test_two_arrays(function, x):
    rtol = 1e-5 if x.dtype == np.float32 else 1e-9
    agrees(function, x, x[::-1].copy(), rtol=rtol)
    agrees(function, x, x[:2].copy(), rtol=rtol)
    agrees(function, x, x, rtol=rtol)


@pytest.mark.parametrize("x", ALL)
@pytest.mark.parametrize("ends", [(-1.0, 2.0), (0, 3), (np.float64(-2), np.nan)])
def test_stores_in_branches(x, ends):
    agrees(clipped, x, *ends)


@pytest.mark.parametrize(
    "function", [total, product, positive_mean, count, largest, least_place, chosen, logs]
)
def test_they_are_lifted(function):
    assert loops(agrees(function, np.array([3.0, 1.0, -2.0, 8.0]))) == 0


def test_integers_wrap_as_they_do_in_the_loop():
    agrees(total, np.array([2**62, 2**62, 5]))
    agrees(product, np.array([2**40, 2**40, 3]))


def steps_of_rows(a):
    last, y = -1, np.zeros(len(a))
    for i in range(a.shape[0]):
        r = 0.0
        for j in range(a.shape[1]):
            r += 3
        y[i] = r
        last = r
    return y, last


def positive_of_rows(a):
    out = []
    for i in range(a.shape[0]):
        r = 0.0
        for j in range(a.shape[1]):
            if a[i, j] > 0:
                r += 1
        out.append(r)
    return np.array(out)


@pytest.mark.parametrize("function", [steps_of_rows, positive_of_rows])
@pytest.mark.parametrize("shape", [(3, 4), (1, 1), (2, 0), (0, 3)])
def test_a_sum_of_a_row_that_starts_with_a_float_is_one(function, shape):
    """``0.0`` is not dropped where it is what makes the sum a float."""
    lifted = agrees(function, np.random.default_rng(2).normal(size=shape))
    assert loops(lifted) == 0
