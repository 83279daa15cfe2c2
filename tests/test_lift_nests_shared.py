"""Lifted loops: places that several turns store to, edges, flags of rows."""

import numpy as np
import pytest

from tests.lifting import agrees, loops

RNG = np.random.default_rng(5)


def adj(e, n):
    a = np.zeros((n, n))
    for u, v in e:
        a[u, v] = 1
        a[v, u] = 1
    return a


def adj2(e, n):
    a = np.zeros((n, n), dtype=bool)
    for k in range(len(e)):
        a[e[k, 0], e[k, 1]] = True
        a[e[k, 1], e[k, 0]] = True
    return a


def adj3(e, n):
    a = np.zeros((n, n))
    for u, v in e:
        a[u, v] = a[v, u] = 1.0
    return a


def flags(a, t):
    out = np.zeros(a.shape[0], dtype=bool)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > t:
                out[i] = True
    return out


def dominated(a):
    out = np.zeros(len(a), dtype=bool)
    for i in range(len(a)):
        for j in range(len(a)):
            if i != j and a[j, 0] < a[i, 0] and a[j, 1] < a[i, 1]:
                out[i] = True
    return out


def cols(a, y):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            y[j] = 0.0
            if a[i, j] > 0:
                y[j] = 2.0


@pytest.mark.parametrize("function", [adj, adj2, adj3])
@pytest.mark.parametrize("n", [1, 3, 6])
def test_edges_fill_an_adjacency_matrix(function, n):
    edges = RNG.integers(0, n, (2 * n, 2))
    assert not loops(agrees(function, edges, n))
    agrees(function, np.zeros((0, 2), int), n)
    agrees(function, edges - 1, n)
    agrees(function, edges + 1, n)
    agrees(function, np.zeros((2, 3), int), n)
    agrees(function, edges.astype(float), n)


@pytest.mark.parametrize("shape", [(0, 0), (3, 2), (4, 0), (0, 3), (5, 5)])
def test_a_row_is_marked_by_any_of_its_turns(shape):
    a = RNG.normal(size=shape)
    assert not loops(agrees(flags, a, 0.5))
    a.flat[::3] = np.nan
    agrees(flags, a, 0.5)
    agrees(dominated, a)
    agrees(cols, a, RNG.normal(size=shape[1]))


def test_what_turns_store_in_order_stays():
    def last(a, y):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                if a[i, j] > 0:
                    y[i] = a[i, j]

    agrees(last, RNG.normal(size=(4, 5)), np.zeros(4))
