"""Lifted loops: rows of different lengths, as those of a sparse matrix; reads behind a test."""

import inspect

import numpy as np
import pytest

from tests.lifting import agrees, loops

RNG = np.random.default_rng(11)


def matvec(p, ix, data, x):
    n = len(p) - 1
    y = np.zeros(n)
    for i in range(n):
        for k in range(p[i], p[i + 1]):
            y[i] += data[k] * x[ix[k]]
    return y


def matvec2(p, ix, data, x):
    n = len(p) - 1
    y = np.zeros(n)
    for i in range(n):
        s = 0.0
        for k in range(p[i], p[i + 1]):
            s += data[k] * x[ix[k]]
        y[i] = s
    return y


def matvec_t(p, ix, data, x):
    y = np.zeros(len(x))
    for i in range(len(p) - 1):
        for k in range(p[i], p[i + 1]):
            y[ix[k]] += data[k] * x[i]
    return y


def scale(p, data, x):
    for i in range(len(p) - 1):
        for k in range(p[i], p[i + 1]):
            data[k] *= x[i]


def lengths(p):
    out = np.zeros(len(p) - 1, dtype=int)
    for i in range(len(p) - 1):
        c = 0
        for k in range(p[i], p[i + 1]):
            c += 1
        out[i] = c
    return out


def diagonal(p, ix, data):
    d = np.zeros(len(p) - 1)
    for i in range(len(p) - 1):
        for k in range(p[i], p[i + 1]):
            if ix[k] == i:
                d[i] += data[k]
    return d


def total(p, data):
    s = 0.0
    for i in range(1, len(p) - 1):
        for k in range(p[i], p[i + 1]):
            s += data[k] * i
    return s


def dense(p, ix, data, n):
    a = np.zeros((n, n))
    for i in range(n):
        for k in range(p[i], p[i + 1]):
            a[i, ix[k]] += data[k]
    return a


def counted(p, data, t):
    c = np.zeros(len(p) - 1)
    for i in range(len(p) - 1):
        for k in range(p[i], p[i + 1]):
            if data[k] > t:
                c[i] += 1
    return c


FUNCTIONS = [matvec, matvec2, matvec_t, scale, lengths, diagonal, total, dense, counted]


def arguments(function, n, change=None, dtype=float):
    p = np.concatenate([[0], np.cumsum(RNG.integers(0, 4, n))])
    size = p[-1]
    known = {
        "p": p if change is None else change(p), "ix": RNG.integers(0, max(n, 1), size),
        "data": (3 * RNG.normal(size=size)).astype(dtype), "x": RNG.normal(size=n), "n": n,
        "t": 0.1,
    }  # fmt: skip
    return [known[name] for name in inspect.signature(function).parameters]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("n", [0, 1, 3, 7])
def test_rows_of_different_lengths(function, n):
    assert not loops(agrees(function, *arguments(function, n)))


CHANGES = {
    "falls": lambda p: p[::-1].copy(), "too long": lambda p: p + 1, "negative": lambda p: p - 1,
    "int32": lambda p: p.astype(np.int32), "int8": lambda p: p.astype(np.int8),
    "shuffled": lambda p: np.roll(p, 2), "empty rows": lambda p: p * 0,
}  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("change", CHANGES)
def test_pointers_of_every_kind(function, change):
    agrees(function, *arguments(function, 5, CHANGES[change]))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8])
def test_types_are_those_of_the_loop(function, dtype):
    agrees(function, *arguments(function, 5, dtype=dtype), rtol=1e-4)


def convolved(x, h):
    n, m = len(x), len(h)
    out = np.zeros(n + m - 1)
    for i in range(n + m - 1):
        for k in range(m):
            if 0 <= i - k < n:
                out[i] += x[i - k] * h[k]
    return out


def filtered(a, w):
    n, m = a.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            s = 0.0
            for di in range(3):
                for dj in range(3):
                    p = i + di - 1
                    q = j + dj - 1
                    if p >= 0 and p < n and q >= 0 and q < m:
                        s += a[p, q] * w[di, dj]
            out[i, j] = s
    return out


def neighbours(a):
    n, m = a.shape
    out = np.zeros((n, m), dtype=int)
    for i in range(n):
        for j in range(m):
            c = 0
            for di in (-1, 0, 1):
                for dj in range(-1, 2):
                    if (di != 0 or dj != 0) and 0 <= i + di < n and 0 <= j + dj < m:
                        if a[i + di, j + dj] > 0:
                            c += 1
            out[i, j] = c
    return out


def cauchy(a, b):
    n = len(a)
    c = np.zeros(n)
    for i in range(n):
        for j in range(i + 1):
            c[i] += a[j] * b[i - j]
    return c


@pytest.mark.parametrize("n", [0, 1, 2, 6])
def test_reads_that_a_test_keeps_inside(n):
    x, h = RNG.normal(size=n), RNG.normal(size=3)
    assert not loops(agrees(convolved, x, h)) or not n
    agrees(convolved, h, x)
    a = RNG.normal(size=(n, n + 1))
    assert not loops(agrees(filtered, a, RNG.normal(size=(3, 3)))) or not n
    agrees(filtered, a, RNG.normal(size=(2, 3)))
    agrees(neighbours, a)
    assert not loops(agrees(cauchy, x, RNG.normal(size=n))) or not n
    agrees(cauchy, x, RNG.normal(size=n + 2))
    agrees(cauchy, x, RNG.normal(size=max(n - 1, 0)))
    wild = np.where(RNG.random(n) < 0.4, np.nan, x)
    agrees(convolved, wild, np.array([0.0, np.inf, 1.0]))
