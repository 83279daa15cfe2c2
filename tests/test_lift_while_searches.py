"""Searches that count by themselves, sum on their way, go backwards, or end at a sentinel."""

import numpy as np
import pytest

from tests.lifting import FLOATS, INTS, SINGLE, SMALL, agrees, loops


def last_nonzero(x, t):
    i = len(x) - 1
    while i >= 0 and x[i] == 0:
        i -= 1
    return i


def first_not_below(x, t):
    i = 0
    while i < len(x) and x[i] < t:
        i += 1
    return i


def first_above_from_two(x, t):
    i = 2
    while i < len(x) and not x[i] > t:
        i += 1
    return i


def trimmed(x, t):
    low = 0
    while low < len(x) and x[low] == 0:
        low += 1
    high = len(x)
    while high > low and x[high - 1] == 0:
        high -= 1
    return low, high


def sum_until(x, t):
    s = 0.0
    n = 0
    for v in x:
        if s + v > t:
            break
        s += v
        n += 1
    return n, s


def sum_past(x, t):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if s > t:
            return i
    return -1


def sum_past_with_all(x, t):
    s = 0.0
    i = -1
    for i, v in enumerate(x):
        s += v
        if s > t:
            break
    return i, s


def product_until(x, t):
    p = 1.0
    for v in x:
        if p * v > t:
            break
        p *= v
    return p


def while_sum(x, t):
    s = 0.0
    i = 0
    while i < len(x) and s + x[i] <= t:
        s += x[i]
        i += 1
    return i, s


def last_above(x, t):
    for i in range(len(x) - 1, -1, -1):
        if x[i] > t:
            return i
    return -1


def last_above_with_break(x, t):
    k = -1
    i = 99
    for i in range(len(x) - 1, -1, -1):
        if x[i] > t:
            k = i
            break
    return k, i


def every_other(x, t):
    i = 77
    for i in range(0, len(x), 2):
        if x[i] > t:
            break
    return i


def last_before(x, t):
    last = 0.5
    for v in x:
        if v > t:
            break
        last = v
    return last


def counted(x, t):
    n = 0
    i = -1
    for i in range(len(x)):
        if x[i] > t and n > 1:
            break
        n += 1
    return n, i


def prefix_halved(x, t):
    i = 0
    while i < len(x) and x[i] < t:
        x[i] = x[i] / 2
        i += 1
    return i


def until_sentinel(x, t):
    s = 0.0
    i = 0
    while x[i] != t:
        s += x[i]
        i += 1
    return s, i


def place_of_sentinel(x, t):
    i = 0
    while x[i] != t:
        i += 1
    return i


ALL = [
    last_nonzero, first_not_below, first_above_from_two, trimmed, sum_until, sum_past,
    sum_past_with_all, product_until, while_sum, last_above, last_above_with_break, every_other,
    last_before, counted, prefix_halved, until_sentinel, place_of_sentinel,
]  # fmt: skip
ZEROS = [np.array([0.0, 0.0, 3.0, -0.0, 2.0, 0.0]), np.zeros(4), np.array([1.0, 2.0, -1.0, 5.0])]


@pytest.mark.parametrize("f", ALL)
@pytest.mark.parametrize("x", [*FLOATS, *INTS, *SMALL, *SINGLE, *ZEROS], ids=repr)
def test_searches(f, x):
    for t in (0.5, -1.0, 3, 1e9, float("nan")):
        agrees(f, x, t, rtol=1e-5 if x.dtype == np.float32 else 1e-9)


@pytest.mark.parametrize("f", ALL)
def test_they_are_lifted(f):
    x = np.array([0.5, 0.25, 1.5, -1.0, 2.5, 0.0])
    lifted = agrees(f, x, 1.5)
    assert loops(lifted) == 0 or f is prefix_halved, lifted.explain()


def test_two_arrays():
    def common(a, b):
        k = 0
        while k < len(a) and k < len(b) and a[k] == b[k]:
            k += 1
        return k

    assert loops(agrees(common, np.arange(4), np.array([0, 1, 5]))) == 0
    agrees(common, np.arange(4), np.arange(2))
    agrees(common, np.arange(2), np.arange(4))

    def dot_until(x, y, t):
        s = 0.0
        for a, b in zip(x, y, strict=False):
            if a * b > t:
                break
            s += a * b
        return s

    agrees(dot_until, np.arange(4.0), np.arange(3.0), 3.5)

    def copied(x, y, t):
        for i in range(len(x)):
            if x[i] > t:
                return i
            y[i] = x[i] * 2
        return None

    x = np.array([0.5, 0.25, 1.5, -1.0])
    agrees(copied, x, np.zeros(4), 1.0)
    agrees(copied, x, np.zeros(2), 1.0)
    agrees(copied, x, np.zeros(2), 0.3)
    agrees(copied, x, x, 1.0)
    agrees(copied, x[1:], x[:-1], 1.0)


def test_from_a_parameter():
    def scan(x, i, t):
        while i < len(x) and x[i] < t:
            i += 1
        return i

    for start in (0, 2, 4, 5, -1, -9):
        agrees(scan, np.array([0.5, 0.25, 1.5, -1.0]), start, 1.0)
