"""Lifted loops: nests, contractions, scans along an axis, gathers and scatters, time loops."""

import numpy as np
import pytest

from tests.lifting import FLOATS, INTS, agrees, loops

RNG = np.random.default_rng(7)
MATRICES = [
    RNG.normal(size=(4, 3)), np.zeros((0, 3)), np.zeros((3, 0)), np.ones((1, 1)),
    RNG.normal(size=(3, 4)).T, RNG.integers(-3, 9, (3, 5)), np.full((2, 2), np.nan),
    RNG.normal(size=(5, 5)).astype(np.float32),
]  # fmt: skip


def matmul(a, b):
    n, k = a.shape
    m = b.shape[1]
    c = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for p in range(k):
                c[i, j] += a[i, p] * b[p, j]
    return c


def row_sums(a):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i][j]
        out[i] = s
    return out


def transposed(a):
    out = np.zeros((a.shape[1], a.shape[0]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j, i] = a[i, j]
    return out


def trace_and_rest(a):
    on = 0.0
    off = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if i == j:
                on += a[i, j]
            else:
                off += abs(a[i, j])
    return on, off


def outer(x, y):
    out = np.zeros((len(x), len(y)))
    for i in range(len(x)):
        for j in range(len(y)):
            out[i, j] = x[i] * y[j] - i
    return out


def identity(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            a[j, i] = 0.0
        a[i, i] = 1.0


def down(a):
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[i - 1, j] + a[i, j]


def relaxed(u):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def jacobi(u, steps):
    u = u.copy()
    n, m = u.shape
    for _ in range(steps):
        new = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u = new
    return u


def running(x):
    for i in range(1, len(x)):
        x[i] = x[i - 1] + x[i]


def curve(x):
    w = np.ones(len(x) + 1)
    for i in range(len(x)):
        w[i + 1] = w[i] * (1 + x[i])
    return w


def spoiled(x, y):
    for i in range(1, len(x)):
        x[i] = x[i - 1] + y[i]
        x[i] = x[i] * 0.5


def smoothed(x):
    for i in range(1, len(x)):
        x[i] = 0.5 * x[i - 1] + 0.5 * x[i]


def counted(b):
    h = np.zeros(8)
    for i in range(len(b)):
        h[b[i]] += 1
    return h


def gathered(x, ip):
    out = np.zeros(len(ip))
    for i in range(len(ip)):
        out[i] = x[ip[i]] * 2
    return out


def scattered(x, ip):
    for i in range(len(ip)):
        x[ip[i]] = i * 1.0


@pytest.mark.parametrize("a", MATRICES)
@pytest.mark.parametrize(
    "function", [row_sums, transposed, trace_and_rest, identity, down, relaxed]
)
def test_one_matrix(function, a):
    agrees(function, a, rtol=1e-4 if a.dtype == np.float32 else 1e-9)


@pytest.mark.parametrize("a", MATRICES)
def test_two_matrices(a):
    rtol = 1e-4 if a.dtype == np.float32 else 1e-9
    agrees(matmul, a, a.T.copy(), rtol=rtol)
    agrees(matmul, a, a, rtol=rtol)
    agrees(jacobi, a, 3, rtol=rtol)


@pytest.mark.parametrize("x", [*FLOATS, *INTS])
@pytest.mark.parametrize("function", [running, curve, smoothed])
def test_scans(function, x):
    agrees(function, x)
    agrees(outer, x, x[:2])
    agrees(spoiled, x, x[::-1].copy())


@pytest.mark.parametrize("places", [[], [0], [1, 1, 5, 0], [-1, 2, -1], [3, 99], [-99]])
def test_places_that_are_data(places):
    ip = np.array(places, dtype=int)
    agrees(counted, ip)
    agrees(gathered, np.arange(6.0), ip)
    agrees(scattered, np.arange(6.0), ip)
    agrees(scattered, np.arange(6), ip)


def test_which_are_lifted():
    a = RNG.normal(size=(4, 4))
    for function in (row_sums, transposed, trace_and_rest, identity, down):
        assert loops(agrees(function, a)) == 0
    assert "c += a @ b" in agrees(matmul, a, a.copy()).source
    assert loops(agrees(relaxed, a)) == 2
    assert loops(agrees(jacobi, a, 2)) == 1
    assert loops(agrees(smoothed, np.arange(5.0))) == 1
    assert loops(agrees(spoiled, np.arange(5.0), np.arange(5.0))) == 1
