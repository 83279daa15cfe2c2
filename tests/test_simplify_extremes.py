"""max and min: NumPy's own functions where neither a NaN nor the sign of a zero can tell."""

import math

import numpy as np
import pytest

from autovec import vectorize
from tests.harness import check

NAN, INF = math.nan, math.inf
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 2.5, -2.5, NAN, INF, -INF, 1e-320, 1e308])
X, Y = (a.ravel() for a in np.meshgrid(EDGES, EDGES))
WHOLE = np.array([0, 1, -1, 7, -12, 2**53 + 1, -(2**62), 3, 0, 5, 9])
TABLE = ((0.0, 1.0), (1.0, 2.5), (2.5, 90.0))
BROKEN = ((0.0, 1.0), (1.0, NAN))
LIMIT, NOTHING, MINUS = 2.0, NAN, -0.0


def blocks(x):
    total, used = 0.0, 0.0
    for end, price in TABLE:
        total += price * max(min(x, end) - used, 0.0)
        used = end
    return total


def added(x, y):
    return 1.0 + max(x, 0.0) + min(-0.0, y)


def compared(x):
    return max(x, 0.0) > min(0.0, x)


def exponential(x):
    return math.exp(-max(x, 0.0)) + math.cos(min(0.0, x))


def scaled(n):
    return min(0.055 * n, 0.119 * (n - 4))


def limited(x):
    return max(LIMIT, x) - min(x, LIMIT)


def sizes(x, y):
    return abs(max(x, 0.0)) + abs(min(0.0, y))


def overflows(n):
    return min(1e300 * n * n - 1e300 * n * n, 1.0 * n) + 1.0


FAST = [(blocks, X), (added, X, Y), (compared, X), (exponential, X[np.isfinite(X)]),
        (scaled, WHOLE), (limited, X), (sizes, X, Y), (overflows, WHOLE)]  # fmt: skip


@pytest.mark.parametrize(("f", "args"), [(f, args) for f, *args in FAST], ids=lambda p: str(p)[:20])
def test_numpys_own_function_where_nothing_can_tell(f, args):
    check(f, *args)
    text = vectorize(f).emit(*args)
    assert "np.where" not in text
    assert "np.maximum" in text or "np.minimum" in text or "np.fm" in text


def returned(x):
    return max(x, 0.0)


def returned_second(x):
    return max(0.0, x)


def two(x, y):
    return min(x, y) + 1.0


def signed(x):
    return math.copysign(3.0, max(x, 0.0))


def difference(x, y):
    return max(x, 0.0) - max(y, 0.0)


def product(x, y):
    return max(0.0, x) * y


def divisor(x):
    return max(x, 0.0) / max(0.0, x)


def broken(x):
    total = 0.5
    for end, price in BROKEN:
        total += price + min(x, end)
    return total


def nothing(x):
    return 1.0 + max(x, NOTHING) + min(NOTHING, x)


def minus(x):
    return max(MINUS, x)


def nan_later(x):
    used = 0.0
    for _ in range(3):
        x = 1.0 + max(x, used)
        used = (used + 1e308) * 10.0 - INF
    return x


def argument(x, limit):
    return 1.0 + max(x, limit)


SLOW = [(returned, X), (returned_second, X), (two, X, Y), (signed, X), (difference, X, Y),
        (product, X, Y), (divisor, X), (broken, X), (nothing, X), (minus, X),
        (nan_later, X), (argument, X, NAN), (argument, X, 1.5)]  # fmt: skip


@pytest.mark.parametrize(("f", "args"), [(f, args) for f, *args in SLOW], ids=lambda p: str(p)[:20])
def test_pythons_choice_where_something_tells(f, args):
    check(f, *args)
    assert "np.where" in vectorize(f).emit(*args)


@pytest.mark.parametrize("f", [f for f, *_ in FAST + SLOW])
@pytest.mark.parametrize("dtype", ["float32", "int8", "bool"])
def test_other_dtypes(f, dtype):
    with np.errstate(all="ignore"):
        x = np.array([0.0, -0.0, 1.0, -1.0, 2.5, NAN, INF], "float32")
        x = x if dtype == "float32" else np.array([0, 1, 3, -4, 11], "int8").astype(dtype)
    if f is scaled or f is overflows:
        x = np.array([0, 1, 3, 100], "uint8")
    check(f, *[x[np.isfinite(x)] if f is exponential else x] * f.__code__.co_argcount)


def test_a_number_that_turns_nan_is_seen():
    def clipped(x):
        return 1.0 + min(x, limit)

    limit = 2.0
    batched = vectorize(clipped)
    x = np.array([1.0, 3.0, NAN])
    np.testing.assert_array_equal(batched(x), [2.0, 3.0, NAN])
    limit = NAN
    np.testing.assert_array_equal(batched(x), [clipped(v) for v in x.tolist()])
