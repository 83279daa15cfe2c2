"""Lifted loops: triangular nests, symmetric fills, rows of turns that a condition picks."""

import inspect
import math

import numpy as np
import pytest

from tests.lifting import agrees, loops

RNG = np.random.default_rng(3)


def close(x, eps):
    n = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if abs(x[i] - x[j]) < eps:
                n += 1
    return n


def tri_sum(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            s += a[i, j]
    return s


def rows(a):
    y = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(i + 1):
            s += a[i, j]
        y[i] = s
    return y


def sym(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] = a[j, i]


def rbf(x, g):
    n = len(x)
    k = np.empty((n, n))
    for i in range(n):
        for j in range(i, n):
            k[i, j] = math.exp(-g * (x[i] - x[j]) ** 2)
            k[j, i] = k[i, j]
    return k


def dist(p):
    n = p.shape[0]
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            s = 0.0
            for k in range(p.shape[1]):
                s += (p[i, k] - p[j, k]) ** 2
            d[i, j] = d[j, i] = math.sqrt(s)
    return d


def energy(x, q):
    e = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            r = abs(x[i] - x[j])
            if r < 1.0:
                e += q[i] * q[j] / r
    return e


def near_diagonal(a, w):
    n = a.shape[0]
    s = 0.0
    for i in range(n):
        for j in range(n):
            if abs(i - j) <= w:
                s += a[i, j]
    return s


def zero_upper(a):
    for i in range(a.shape[0]):
        for j in range(i + 1, a.shape[1]):
            a[i, j] = 0.0


def fill(n):
    a = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            a[i, j] = i * n + j
    return a


def rowcount(x):
    out = np.zeros(len(x), dtype=int)
    for i in range(len(x)):
        c = 0
        for j in range(i):
            if x[j] > x[i]:
                c += 1
        out[i] = c
    return out


def ranks(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(len(x)):
            if x[j] < x[i] and i != j:
                out[i] += 1
    return out


def swap(a):
    for i in range(a.shape[0]):
        for j in range(i):
            t = a[i, j]
            a[i, j] = a[j, i]
            a[j, i] = t


def lowsum(a, b):
    y = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(i):
            y[i] += a[i, j] * b[j]
    return y


FUNCTIONS = [
    close, tri_sum, rows, sym, rbf, dist, energy, near_diagonal, zero_upper, fill, rowcount, swap,
    lowsum, ranks,
]  # fmt: skip
SIZES = [0, 1, 2, 5, 8]


def arguments(function, n, wide=0, dtype=float):
    x, q, b = (RNG.normal(size=n).astype(dtype) for _ in range(3))
    known = {
        "x": x, "q": q, "b": b, "a": (4 * RNG.normal(size=(n, n + wide))).astype(dtype),
        "p": RNG.normal(size=(n, 3)), "eps": 0.5, "g": 0.7, "w": 1, "n": n,
    }  # fmt: skip
    return [known[name] for name in inspect.signature(function).parameters]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("n", SIZES)
def test_a_triangle_is_one_operation(function, n):
    lifted = agrees(function, *arguments(function, n))
    assert not loops(lifted) or function is fill, lifted.explain()


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("wide", [-2, 3])
def test_a_matrix_need_not_be_square(function, wide):
    agrees(function, *arguments(function, 4, wide))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8])
def test_types_are_those_of_the_loop(function, dtype):
    agrees(function, *arguments(function, 6, dtype=dtype), rtol=1e-4)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_not_a_number_and_infinity(function):
    args = arguments(function, 6)
    for arg in args:
        if isinstance(arg, np.ndarray):
            arg.flat[::4] = np.nan
            arg.flat[1::7] = np.inf
    agrees(function, *args)


def test_a_matrix_and_its_transpose_share_their_memory():
    def mirrored(a, b):
        for i in range(a.shape[0]):
            for j in range(i):
                a[i, j] = b[i, j] + 1

    a = RNG.normal(size=(5, 5))
    agrees(mirrored, a, a.T)
    agrees(mirrored, a, a)
    agrees(mirrored, a[1:], a[:4])


def test_the_text_is_numpy_s_own_triangle():
    assert (
        "np.count_nonzero(np.triu(np.abs(x[:, None] - x) < eps, 1))"
        in agrees(close, RNG.normal(size=4), 0.5).source
    )
    assert "i, j = np.triu_indices(n)" in agrees(rbf, RNG.normal(size=4), 0.5).source
