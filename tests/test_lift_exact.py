"""``lift(f, exact=True)``: no sum or product in another order than the loop's."""

import numpy as np
import pytest

import autovec


def total(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


def dot(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s


def product(m, v):
    out = np.zeros(len(m))
    for i in range(len(m)):
        s = 0.0
        for j in range(len(v)):
            s += m[i, j] * v[j]
        out[i] = s
    return out


def squares(x):
    return sum(v * v for v in x)


def weights(h, b, w):
    for i in range(len(b)):
        h[b[i]] += w[i]
    return h


def smooth(x):
    out = x.copy()
    for i in range(1, len(x) - 1):
        out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return out


def running(x):
    out = np.zeros(len(x))
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        out[i] = s
    return out


def largest(x):
    best = x[0]
    for i in range(1, len(x)):
        if x[i] > best:
            best = x[i]
    return best


SIZES = 10.0 ** np.arange(-8, 8).repeat(63)[:1000]
X = np.random.default_rng(3).normal(size=1000) * SIZES
CALLS = {
    total: (X,), dot: (X, X[::-1].copy()), product: (X.reshape(20, 50), X[:50].copy()),
    squares: (X,), weights: (np.ones(5), np.arange(1000) % 5, X), smooth: (X,), running: (X,),
    largest: (X,),
}  # fmt: skip


@pytest.mark.parametrize("f", CALLS, ids=lambda f: f.__name__)
def test_to_the_last_bit(f):
    args = CALLS[f]
    want = f(*(a.copy() for a in args))
    got = autovec.lift(f, exact=True)(*(a.copy() for a in args))
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("f", [total, dot, product, squares], ids=lambda f: f.__name__)
def test_what_would_add_in_another_order_stays_a_loop(f):
    exact, plain = autovec.lift(f, exact=True), autovec.lift(f)
    assert exact.source != plain.source and "np.may_share" not in exact.source
    assert not any(word in exact.source for word in ("@", ".sum(", "np.vecdot"))
    assert "exact=True keeps the loop's order" in exact.explain()


@pytest.mark.parametrize("f", [smooth, running, largest], ids=lambda f: f.__name__)
def test_what_does_not_is_lifted(f):
    assert "for " not in autovec.lift(f, exact=True).source
