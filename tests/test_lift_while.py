"""Inner loops that each lane leaves by itself: retiring lanes, and trips made for all lanes."""

import numpy as np
import pytest

from tests.lifting import FLOATS, INTS, SINGLE, agrees, loops

EDGES = np.linspace(-2.0, 3.0, 6)


def collatz(starts):
    out = np.zeros(len(starts), dtype=int)
    for i in range(len(starts)):
        v = starts[i]
        while v > 1:
            v = v // 2 if v % 2 == 0 else 3 * v + 1
            out[i] += 1
    return out


def hail_list(starts):
    out = []
    for s in starts:
        n = 0
        v = s
        while v > 1:
            if v % 2 == 0:
                v = v // 2
            else:
                v = 3 * v + 1
            n += 1
        out.append(n)
    return out


def newton(x, tol):
    out = np.zeros(len(x))
    for i in range(len(x)):
        g = x[i] if x[i] > 1 else 1.0
        while abs(g * g - x[i]) > tol:
            g = 0.5 * (g + x[i] / g)
        out[i] = g
    return out


def mandelbrot(re, im, most):
    out = np.zeros((len(im), len(re)), dtype=int)
    for i in range(len(im)):
        for j in range(len(re)):
            c = complex(re[j], im[i])
            z = 0j
            n = 0
            while abs(z) <= 2 and n < most:
                z = z * z + c
                n += 1
            out[i, j] = n
    return out


def julia(re, im, most):
    out = np.zeros((len(im), len(re)), dtype=int)
    for i in range(len(im)):
        for j in range(len(re)):
            x = re[j]
            y = im[i]
            out[i, j] = most
            for n in range(most):
                if x * x + y * y > 4.0:
                    out[i, j] = n
                    break
                x, y = x * x - y * y - 0.4, 2 * x * y + 0.6
    return out


def bins(values, edges):
    out = np.zeros(len(values), dtype=int)
    for i in range(len(values)):
        k = 0
        while k < len(edges) and values[i] >= edges[k]:
            k += 1
        out[i] = k
    return out


def bins_with_else(values, edges):
    out = np.zeros(len(values), dtype=int)
    for i in range(len(values)):
        for j in range(len(edges)):
            if values[i] < edges[j]:
                k = j
                break
        else:
            k = len(edges)
        out[i] = k
    return out


def bisect(a, low, high):
    out = np.empty(len(a))
    for i in range(len(a)):
        lo = low
        hi = high
        while hi - lo > 1e-6:
            mid = (lo + hi) / 2
            if mid * mid < a[i]:
                lo = mid
            else:
                hi = mid
        out[i] = (lo + hi) / 2
    return out


def kepler(m, e):
    out = np.empty(len(m))
    for i in range(len(m)):
        big = m[i]
        for _ in range(50):
            step = (big - e * np.sin(big) - m[i]) / (1 - e * np.cos(big))
            big -= step
            if abs(step) < 1e-12:
                break
        out[i] = big
    return out


def horner(x, c):
    out = np.zeros(len(x))
    for i in range(len(x)):
        p = 0.0
        for a in c:
            p = p * x[i] + a
        out[i] = p
    return out


def logistic(x, r, steps):
    out = []
    for v in x:
        y = v
        for _ in range(steps):
            y = r * y * (1 - y)
        out.append(y)
    return np.array(out)


def escape(cs, most):
    out = []
    for c in cs:
        z = 0.0
        n = most
        for k in range(most):
            if z * z > 4:
                n = k
                break
            z = z * z + c
        out.append(n)
    return np.array(out)


def roots(parent):
    out = np.zeros(len(parent), dtype=int)
    for i in range(len(parent)):
        r = i
        while parent[r] != r:
            r = parent[r]
        out[i] = r
    return out


def halvings(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 0:
            v = x[i]
            n = 0
            while v > 1 and n < 40:
                v = v / 2
                n += 1
            out[i] = n + v
    return out


def from_one(x, y):
    for i in range(1, len(x)):
        v = x[i]
        n = 0
        while v > 0.5 and n < 5:
            v = v - y
            n += 1
        x[i] = v


def swapped(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        a = x[i]
        b = 1.0
        for _ in range(4):
            a, b = b, 0.5 * (a + b)
        out[i] = a - b
    return out


@pytest.mark.parametrize("x", FLOATS + SINGLE, ids=repr)
@pytest.mark.parametrize("f", [halvings, swapped])
def test_one_array(f, x):
    lifted = agrees(f, x, rtol=1e-6 if x.dtype == np.float32 else 1e-9)
    assert x.dtype == np.float32 or loops(lifted) == 0


@pytest.mark.parametrize("x", FLOATS + SINGLE + INTS, ids=repr)
@pytest.mark.parametrize("f", [bins, bins_with_else, horner])
@pytest.mark.parametrize("edges", [EDGES, EDGES[:0], EDGES[::-1], EDGES.astype(int)])
def test_with_a_shared_array(f, x, edges):
    lifted = agrees(f, x, edges, rtol=1e-5 if x.dtype == np.float32 else 1e-9)
    assert (f is horner and x.dtype == np.float32) or loops(lifted) == 0


@pytest.mark.parametrize("x", FLOATS[:4] + FLOATS[5:] + INTS, ids=repr)
def test_a_number_of_steps(x):
    for steps in (0, 1, 7, -2):
        lifted = agrees(logistic, x % 1, 3.1, steps)
        assert x.dtype == int or loops(lifted) == 0
        assert loops(agrees(escape, x, steps)) == 0
    agrees(from_one, x, 0.25)


@pytest.mark.parametrize("n", [0, 1, 2, 30])
def test_counts_of_integers(n):
    starts = np.random.default_rng(n).integers(-3, 60, n)
    assert loops(agrees(collatz, starts)) == 0
    assert loops(agrees(hail_list, starts)) == 0
    agrees(hail_list, starts.tolist())
    agrees(hail_list, starts.astype(np.int16))


@pytest.mark.parametrize("n", [0, 1, 2, 30])
def test_until_it_converges(n):
    x = np.random.default_rng(n).uniform(0.1, 50, n)
    assert loops(agrees(newton, x, 1e-10, rtol=1e-8)) == 0
    assert loops(agrees(bisect, x, 0.0, 60.0)) == 0
    assert loops(agrees(bisect, x, 0, 60)) == 0
    assert loops(agrees(kepler, x, 0.3)) == 0


@pytest.mark.parametrize("n", [0, 1, 2, 12])
def test_escape_times(n):
    re, im = np.linspace(-2, 0.5, n), np.linspace(-1.2, 1.2, max(n - 1, 0))
    for most in (0, 1, 20):
        assert loops(agrees(mandelbrot, re, im, most)) == 0
        assert loops(agrees(julia, re, im, most)) == 0
    wild = np.array([np.inf, np.nan, -0.0, 1e300, 0.25])
    agrees(mandelbrot, wild, re, 5)
    agrees(mandelbrot, re, wild, 5)
    agrees(julia, wild, wild, 5)


def test_a_chain_of_places():
    assert loops(agrees(roots, np.array([0, 0, 1, 2, 4, 4, 5, 3]))) == 0
    agrees(roots, np.array([0, 0, -2, 2]))
    agrees(roots, np.array([0, 9, 1]))


def test_what_another_lane_stores_is_not_read_in_a_trip():
    def relax(x):
        for i in range(1, len(x)):
            n = 0
            while n < 3:
                x[i] = x[i] + x[i - 1]
                n += 1

    agrees(relax, np.arange(6.0))

    def outside(x, y):
        for i in range(len(x)):
            n = 0
            while x[i] > 0 and n < 9:
                y[i] -= 1
                x[i] -= 2
                n += 1

    x = np.arange(6.0)
    assert loops(agrees(outside, x, x.copy())) == 0
    agrees(outside, x, x)
    agrees(outside, x[1:], x[:-1])


def test_a_value_that_an_inner_loop_may_not_set():
    def last(x):
        out = []
        for v in x:
            for k in range(3):
                w = v * k
                if w > 2:
                    break
            out.append(w)
        return out

    agrees(last, np.arange(5.0))

    def unset(x):
        out = np.zeros(len(x))
        for i in range(len(x)):
            for k in range(3):
                if x[i] > k:
                    w = x[i] + k
                    break
            out[i] = w
        return out

    agrees(unset, np.arange(5.0))
    agrees(unset, np.arange(5.0)[1:])


def test_tuples_are_assigned_at_once():
    def f(x, y):
        out = np.zeros(len(x))
        for i in range(len(x)):
            a = x[i] + 1
            b = x[i] * 2
            a, b = a + b, a - b
            out[i] = a * b - y
        return out

    assert loops(agrees(f, np.arange(5.0), 2.0)) == 0


def test_the_order_of_turns_is_kept():
    def place(a):
        best = a[0, 0]
        at = (0, 0)
        x = y = 0
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                if a[i, j] > best:
                    best = a[i, j]
                    x = i
                    y = j
        return best, x, y, at

    agrees(place, np.array([[0, 1, 3], [3, 2, 1], [3, 3, 3]]))

    def flat(a):
        out = []
        for i in range(a.shape[0]):
            n = 0
            while n < 3 and a[i, 0] > n:
                out.append(a[i, 0] * n)
                n += 1
        return np.array(out)

    agrees(flat, np.arange(6.0).reshape(3, 2))

    def steps(x):
        total = 0
        for i in range(len(x)):
            v = x[i]
            while v > 1:
                v = v / 2
                total += 1
        return total

    agrees(steps, np.arange(6.0))
