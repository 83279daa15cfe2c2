"""Lifted loops: rows and slices in the body, windows, blocks."""

import inspect

import numpy as np
import pytest

from tests.lifting import agrees, loops

RNG = np.random.default_rng(5)


def mutate(m, s):
    for row in m:
        row *= s


def sums(m):
    out = np.zeros(len(m))
    for i, row in enumerate(m):
        out[i] = row.sum()
    return out


def total(m):
    s = 0.0
    for row in m:
        for v in row:
            s += v
    return s


def normalise(m):
    for i in range(m.shape[0]):
        m[i] /= m[i].sum()


def normalise2(m):
    out = np.zeros(m.shape)
    for i in range(m.shape[0]):
        row = m[i]
        mu = row.mean()
        sd = row.std()
        out[i] = (row - mu) / sd
    return out


def softmax(m):
    out = np.zeros_like(m)
    for i in range(len(m)):
        e = np.exp(m[i] - m[i].max())
        out[i] = e / e.sum()
    return out


def colsum(m):
    t = np.zeros(m.shape[1])
    for row in m:
        t += row
    return t


def block(img, k):
    h, w = img.shape[0] // k, img.shape[1] // k
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            out[i, j] = np.mean(img[i * k : (i + 1) * k, j * k : (j + 1) * k])
    return out


def maxpool(img):
    h, w = img.shape[0] // 2, img.shape[1] // 2
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            out[i, j] = img[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].max()
    return out


def median3(x):
    out = x.copy()
    for i in range(1, len(x) - 1):
        out[i] = sorted(x[i - 1 : i + 2])[1]
    return out


def winmax(x, k):
    out = np.zeros(len(x) - k + 1)
    for i in range(len(x) - k + 1):
        out[i] = x[i : i + k].max()
    return out


def box(img):
    out = img.copy()
    for i in range(1, img.shape[0] - 1):
        for j in range(1, img.shape[1] - 1):
            out[i, j] = img[i - 1 : i + 2, j - 1 : j + 2].mean()
    return out


def medfilt(img):
    out = img.copy()
    for i in range(1, img.shape[0] - 1):
        for j in range(1, img.shape[1] - 1):
            out[i, j] = np.median(img[i - 1 : i + 2, j - 1 : j + 2])
    return out


def matvec(a, x):
    y = np.zeros(len(a))
    for i in range(len(a)):
        y[i] = a[i] @ x
    return y


def centre(m):
    mu = m.mean(axis=0)
    for row in m:
        row -= mu


def shiftrow(m):
    for i in range(m.shape[0]):
        m[i, 1:] = m[i, :-1]


def rowprev(m):
    for i in range(1, m.shape[0]):
        m[i] += m[i - 1]


def bests(m):
    out = np.zeros(len(m), dtype=int)
    for i in range(len(m)):
        out[i] = np.argmax(m[i])
    return out


def movsum(x, k):
    out = np.zeros(len(x) - k + 1)
    for i in range(len(out)):
        s = 0.0
        for j in range(k):
            s += x[i + j]
        out[i] = s / k
    return out


def pool2(img, k):
    h, w = img.shape[0] // k, img.shape[1] // k
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            s = 0.0
            for di in range(k):
                for dj in range(k):
                    s += img[i * k + di, j * k + dj]
            out[i, j] = s / (k * k)
    return out


def zero_rows(m, t):
    for i in range(m.shape[0]):
        if m[i].sum() > t:
            m[i] = 0.0


FUNCTIONS = [
    mutate, sums, total, normalise, normalise2, softmax, colsum, block, maxpool, median3, winmax,
    box, medfilt, matvec, centre, shiftrow, rowprev, bests, movsum, pool2, zero_rows,
]  # fmt: skip
STAY = {centre, rowprev}
SHAPES = [(0, 0), (1, 1), (2, 3), (5, 5), (7, 6), (3, 0)]


def arguments(function, shape, dtype=float, k=2):
    m = (3 * RNG.normal(size=shape)).astype(dtype)
    x = (3 * RNG.normal(size=shape[1])).astype(dtype)
    known = {"x": x, "m": m, "a": m, "img": m, "s": 1.5, "k": k, "t": 0.5}
    return [known[name] for name in inspect.signature(function).parameters]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_rows_windows_and_blocks(function, shape):
    lifted = agrees(function, *arguments(function, shape))
    if 0 not in shape:
        assert bool(loops(lifted)) == (function in STAY), lifted.explain()


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8, bool])
def test_types_are_those_of_the_loop(function, dtype):
    agrees(function, *arguments(function, (5, 6), dtype), rtol=1e-4)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_not_a_number_and_infinity(function):
    args = arguments(function, (6, 6))
    for arg in args:
        if isinstance(arg, np.ndarray):
            arg.flat[::4] = np.nan
            arg.flat[1::7] = np.inf
    agrees(function, *args)


@pytest.mark.parametrize("function", [block, winmax, movsum, pool2])
@pytest.mark.parametrize("k", [-1, 0, 1, 3, 9])
def test_sizes_that_do_not_fit(function, k):
    agrees(function, *arguments(function, (6, 6), k=k))


def test_rows_of_arrays_that_share_memory():
    def copied(m, other):
        for i in range(len(m)):
            m[i] = other[i] + m[i].sum()

    whole = RNG.normal(size=(6, 4))
    agrees(copied, whole[1:], whole[:5])
    agrees(copied, whole[:5], whole[1:])
    agrees(copied, whole[:4], whole[:4].T)
    agrees(copied, whole, whole)
    agrees(copied, whole, RNG.normal(size=(6, 1)))
    agrees(copied, whole, RNG.normal(size=(6, 3)))


def test_what_a_name_for_a_row_means_later():
    def changed(m, v):
        for i in range(len(m)):
            row = m[i]
            row[0] = v
            row += 1.0
            m[i, 1] = row[0] * row[1]

    agrees(changed, RNG.normal(size=(4, 3)), 2.0)
    agrees(changed, RNG.normal(size=(4, 1)), 2.0)
