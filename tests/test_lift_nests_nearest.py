"""Lifted loops: extremes of inner loops and where they are; NaN, infinity, ties, no turn."""

import inspect
import math

import numpy as np
import pytest

from tests.lifting import agrees, loops

RNG = np.random.default_rng(13)


def nearest(points, queries):
    out = np.zeros(len(queries), dtype=int)
    for q in range(len(queries)):
        best = None
        for i in range(len(points)):
            d = (points[i, 0] - queries[q, 0]) ** 2 + (points[i, 1] - queries[q, 1]) ** 2
            if best is None or d < best:
                best = d
                out[q] = i
    return out


def nearest2(x, y):
    out = np.zeros(len(y), dtype=int)
    dist = np.zeros(len(y))
    for q in range(len(y)):
        best = math.inf
        at = -1
        for i in range(len(x)):
            d = abs(x[i] - y[q])
            if d < best:
                best = d
                at = i
        out[q] = at
        dist[q] = best
    return out, dist


def other(p):
    out = np.zeros(len(p))
    for i in range(len(p)):
        best = float("inf")
        for j in range(len(p)):
            if i != j:
                d = math.sqrt((p[i, 0] - p[j, 0]) ** 2 + (p[i, 1] - p[j, 1]) ** 2)
                if d < best:
                    best = d
        out[i] = best
    return out


def rowmax(a):
    out = np.zeros(len(a))
    for i in range(a.shape[0]):
        m = a[i, 0]
        for j in range(1, a.shape[1]):
            if a[i, j] > m:
                m = a[i, j]
        out[i] = m
    return out


def rowargmax(a):
    out = np.zeros(len(a), dtype=int)
    for i in range(a.shape[0]):
        m = a[i, 0]
        k = 0
        for j in range(1, a.shape[1]):
            if a[i, j] > m:
                m = a[i, j]
                k = j
        out[i] = k
    return out


def colmin(a):
    out = np.zeros(a.shape[1])
    for j in range(a.shape[1]):
        m = math.inf
        for i in range(a.shape[0]):
            m = min(m, a[i, j])
        out[j] = m
    return out


def plainmax(x):
    m = -1.0
    for v in x:
        m = max(m, v)
    return m


def globalmin(a):
    m = math.inf
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] < m:
                m = a[i, j]
    return m


def apart(x):
    worst = 0.0
    for i in range(len(x)):
        for j in range(i):
            worst = max(worst, abs(x[i] - x[j]))
    return worst


def from_none_with_nan_first(a):
    out = np.zeros(len(a))
    at = np.zeros(len(a), dtype=int)
    for i in range(len(a)):
        best = None
        for j in range(a.shape[1]):
            if best is None or a[i, j] > best:
                best = a[i, j]
                at[i] = j
        out[i] = best
    return out, at


FUNCTIONS = [
    nearest, nearest2, other, rowmax, rowargmax, colmin, globalmin, apart,
    from_none_with_nan_first,
]  # fmt: skip


def arguments(function, n, wild, dtype=float):
    known = {
        "points": RNG.normal(size=(n, 2)), "queries": RNG.normal(size=(n + 1, 2)),
        "x": RNG.integers(0, 5, n) * 1.0, "y": RNG.integers(0, 5, n + 1) * 0.5,
        "p": RNG.normal(size=(n, 2)), "a": (RNG.integers(0, 4, (n, n + 1)) * 1.0).astype(dtype),
    }  # fmt: skip
    for name in ("points", "x", "a", "p"):
        part = known[name]
        if wild and part.dtype.kind == "f":
            part.flat[wild % 2 :: 3] = np.nan
            part.flat[2::5] = np.inf
    return [known[name] for name in inspect.signature(function).parameters]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("n", [0, 1, 3, 7])
@pytest.mark.parametrize("wild", [0, 1, 2])
def test_the_first_hit_wins_and_nan_never(function, n, wild):
    lifted = agrees(function, *arguments(function, n, wild))
    assert not loops(lifted) or n == 0, lifted.explain()


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8, bool])
def test_types_are_those_of_the_loop(function, dtype):
    agrees(function, *arguments(function, 5, 0, dtype), rtol=1e-4)


def test_all_are_infinite():
    agrees(nearest2, np.full(3, np.inf), np.zeros(2))
    agrees(nearest2, np.full(3, np.nan), np.zeros(2))
    agrees(plainmax, np.full(3, np.nan))
    agrees(rowargmax, np.full((3, 3), -np.inf))
    agrees(rowargmax, -np.zeros((3, 3)))
