"""Lifted loops whose first or last turn does something else."""

import inspect

import numpy as np
import pytest

from tests.lifting import agrees, loops

RNG = np.random.default_rng(17)


def central(y, dx):
    n = len(y)
    d = np.zeros(n)
    for i in range(n):
        if i == 0:
            d[i] = (y[1] - y[0]) / dx
        elif i == n - 1:
            d[i] = (y[n - 1] - y[n - 2]) / dx
        else:
            d[i] = (y[i + 1] - y[i - 1]) / (2 * dx)
    return d


def ends(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if i == len(x) - 1:
            out[i] = x[i]
        else:
            out[i] = x[i + 1] - x[i]
    return out


def first(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if i == 0:
            out[i] = x[i]
        else:
            out[i] = x[i] - x[i - 1]
    return out


def inplace(x):
    for i in range(len(x)):
        if i == 0:
            x[i] = 7.0
        else:
            x[i] = x[i - 1] + 1
    return x


def swapped(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if i == len(x) - 1:
            out[i] = 5.0
        elif i == 0:
            out[i] = 6.0
        else:
            out[i] = x[i + 1] / x[i - 1]
    return out


def rows(a):
    n, m = a.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            if j == 0:
                out[i, j] = a[i, j]
            else:
                out[i, j] = a[i, j] - a[i, j - 1]
    return out


STAY = {inplace, swapped, rows}


@pytest.mark.parametrize("function", [central, ends, first, inplace, swapped, rows])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 6])
def test_the_first_and_the_last_turn(function, n):
    known = {
        "x": RNG.normal(size=n), "y": RNG.normal(size=n), "dx": 0.1,
        "a": RNG.normal(size=(n, n)),
    }  # fmt: skip
    args = [known[name] for name in inspect.signature(function).parameters]
    lifted = agrees(function, *args)
    assert bool(loops(lifted)) == (function in STAY) or n == 0, lifted.explain()
    agrees(function, *(a.astype(np.float32) if isinstance(a, np.ndarray) else a for a in args))
    agrees(function, *(a.astype(int) if isinstance(a, np.ndarray) else a for a in args))


def test_an_index_that_is_read_later_and_ends_that_move():
    def later(x):
        out = np.zeros(len(x))
        for i in range(len(x)):
            if i == 0:
                out[i] = 1.0
            else:
                out[i] = x[i - 1]
        return out, i

    def grows(x):
        out = [0.0]
        for i in range(len(out)):
            if i == len(out) - 1:
                out.append(x[0])
            else:
                out.append(x[1])
        return out

    agrees(later, RNG.normal(size=4))
    agrees(grows, RNG.normal(size=4))
