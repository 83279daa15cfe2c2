"""Lifted loops as people write them in Python: zip, enumerate, append, generators, searches."""

import numpy as np
import pytest

from tests.lifting import FLOATS, INTS, SINGLE, SMALL, agrees, loops

ALL = [*FLOATS, *INTS, *SMALL, *SINGLE]


def appended(x):
    out = []
    for v in x:
        out.append(v * v + 1)
    return np.array(out)


def kept(x):
    out = []
    for i in range(len(x)):
        if x[i] > 1:
            out.append(i)
    return out


def kept_values(x):
    out = []
    for v in x:
        if v > 1:
            out.append(v)
    return np.array(out)


def pieces(x):
    out = []
    for v in x:
        if v < 0:
            out.append(0.0)
        elif v < 2:
            out.append(v * 2)
        else:
            out.append(v - 1)
    return np.array(out)


def every_other(x):
    out = []
    i = 1
    while i < len(x):
        out.append(x[i] - x[i - 1])
        i += 2
    return np.array(out), i


def comprehension(x):
    return np.array([v * 2 for v in x if v > 0])


def plain_comprehension(x):
    return [v * 2 for v in x]


def generator_sum(x, y):
    return sum(u * v for u, v in zip(x, y))


def any_less(x):
    return any(v < -1 for v in x)


def ascending(x):
    return all(x[i] <= x[i + 1] for i in range(len(x) - 1))


def first_over(x):
    for i in range(len(x)):
        if x[i] > 1:
            return i
    return -1


def place_or_length(x):
    for i, v in enumerate(x):
        d = v * 2
        if d > 3:
            pos = i
            break
    else:
        pos = len(x)
    return pos


def divided_up_to_zero(x, y):
    for i in range(len(x)):
        if y[i] == 0:
            return i
        x[i] = x[i] / y[i]
    return -1


def sum_up_to(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] < 0:
            break
        s += x[i]
    return s, i


def unscaled(x):
    for v in x:
        v *= 2
    return x


def filled(n):
    out = np.full(n, -1.0)
    for i in range(2, n):
        out[i] = i * 0.5
    return out


ONE = [appended, kept, kept_values, pieces, every_other, comprehension, plain_comprehension,
       any_less, ascending, first_over, place_or_length, sum_up_to, unscaled]  # fmt: skip


@pytest.mark.parametrize("x", ALL)
@pytest.mark.parametrize("function", ONE)
def test_one_array(function, x):
    agrees(function, x, rtol=1e-5 if x.dtype == np.float32 else 1e-9)
    agrees(function, x.tolist())


@pytest.mark.parametrize("x", ALL)
@pytest.mark.parametrize("function", [generator_sum, divided_up_to_zero])
def test_two_arrays(function, x):
    rtol = 1e-5 if x.dtype == np.float32 else 1e-9
    agrees(function, x, x[::-1].copy(), rtol=rtol)
    agrees(function, x, x[:2].copy(), rtol=rtol)
    agrees(function, x, x, rtol=rtol)
    if len(x) > 1:
        agrees(function, x[1:], x[:-1], rtol=rtol)


def running_sum(x):
    s = 0.0
    out = np.zeros(len(x))
    for i in range(len(x)):
        s += x[i]
        out[i] = s
    return out, s


def running_max(x):
    m = x[0]
    out = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > m:
            m = x[i]
        out[i] = m
    return out, m


def worst_fall(x):
    peak = x[0]
    worst = 0.0
    for v in x:
        if v > peak:
            peak = v
        fall = peak - v
        if fall > worst:
            worst = fall
    return worst


def product_of(x, y):
    return x * y


def helped(x, y):
    for i in range(len(x)):
        x[i] += product_of(x[i], y[i])


@pytest.mark.parametrize("x", ALL)
@pytest.mark.parametrize("function", [running_sum, running_max, worst_fall])
def test_running_values(function, x):
    agrees(function, x, rtol=1e-4 if x.dtype == np.float32 else 1e-9)
    agrees(helped, x, x[::-1].copy())


def test_a_helper_that_is_bound_anew(monkeypatch):
    lifted = agrees(helped, np.arange(4.0), np.arange(4.0))
    assert loops(lifted) == 0
    monkeypatch.setitem(globals(), "product_of", lambda x, y: x - y)
    x = np.arange(4.0)
    lifted(x, np.ones(4))
    assert x.tolist() == [-1.0, 1.0, 3.0, 5.0]


@pytest.mark.parametrize("n", [-1, 0, 1, 2, 3, 8])
def test_sizes(n):
    agrees(filled, n)


@pytest.mark.parametrize("function", ONE)
def test_they_are_lifted(function):
    assert loops(agrees(function, np.array([3.0, 1.0, -2.0, 8.0]))) == 0
