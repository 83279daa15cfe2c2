"""A search in each row: the first hit of each, with the default where there is none."""

import numpy as np
import pytest

from tests.lifting import agrees, loops


def first_over(a, t):
    out = np.full(a.shape[0], -1)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > t:
                out[i] = j
                break
    return out


def first_from_one(a, t):
    rows, cols = a.shape
    out = np.zeros(rows, dtype=int)
    for i in range(rows):
        for j in range(1, cols):
            gap = a[i, j] - a[i, j - 1]
            if gap > t:
                out[i] = j
                break
        else:
            out[i] = cols
    return out


def all_positive(a, t):
    out = []
    for i in range(a.shape[0]):
        fine = True
        for j in range(a.shape[1]):
            if a[i, j] <= t:
                fine = False
                break
        out.append(fine)
    return out


def value_of_first(a, t):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        v = -1.0
        for j in range(a.shape[1]):
            if a[i, j] > t:
                v = a[i, j] * 2
                break
        out[i] = v
    return out


def counted_rows(a, t):
    n = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > t:
                n += 1
                break
    return n


def last_read(a, t):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > t:
                break
        out[i] = j
    return out


RANDOM = np.random.default_rng(3).normal(size=(6, 4))
WILD = np.array([[np.nan, 1.0, np.inf], [-np.inf, np.nan, np.nan], [0.0, -0.0, 3.0]])


@pytest.mark.parametrize("f", [
    first_over, first_from_one, all_positive, value_of_first, counted_rows, last_read,
])  # fmt: skip
@pytest.mark.parametrize("a", [
    RANDOM, WILD, RANDOM[:, :1], RANDOM[:, :0], RANDOM[:0], RANDOM[::-1, ::2], RANDOM.T,
    (RANDOM * 3).astype(int), RANDOM.astype(np.float32), (RANDOM * 9).astype(np.int8),
])  # fmt: skip
def test_rows(f, a):
    for t in (0.5, 9, -99.0):
        lifted = agrees(f, a, t)
    fits = f is not value_of_first or a.dtype == float
    assert f is last_read or not fits or not a.size or loops(lifted) == 0


def test_a_table():
    def pick(x, keys, values):
        out = np.zeros(len(x))
        for i in range(len(x)):
            for j in range(len(keys)):
                if x[i] == keys[j]:
                    out[i] = values[j]
                    break
        return out

    x = np.array([3, 1, 7, 0, 3])
    assert loops(agrees(pick, x, np.array([0, 3, 1]), np.array([0.5, 1.5, np.nan]))) == 0
    agrees(pick, x, np.array([0, 3, 1]), np.array([0.5]))
    agrees(pick, x, np.array([], int), np.array([]))
