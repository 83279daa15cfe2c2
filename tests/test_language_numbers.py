"""Operators and dtypes, in every layout of arguments and for every pair of dtypes."""

import cmath
import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import numbers
from tests.programs.grid import FLOATS, INTS, array, calls, vectorised

NAN, INF = np.nan, np.inf
EDGES = [
    np.array(v, d)
    for v, d in (
        ([0.0, -0.0, 1.5, -2.5, NAN, INF, -INF], "f8"),
        ([0.0, -0.0, 1.5, -2.5, NAN, INF, -INF], "f4"),
        ([0, 1, -1, 7, -7, 100, 3], "i8"),
        ([0, 1, -1, 7, -7, 100, 3], "i4"),
        ([0, 1, -1, 7, -7, 100, 3], "i1"),
        ([0, 1, 2, 7, 9, 100, 3], "u1"),
        ([True, False, True, True, False, False, True], "?"),
    )
]
PAIRS = [pytest.param(a, b, id=f"{a.dtype}-{b.dtype}") for a in EDGES for b in EDGES]


def strict(f):
    return autovec.vectorize(f, fallback="error")


@calls(numbers)
def test_numbers(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def arithmetic(x, y):
    return x + y, x * y, x > y, x == y


def divisions(x, y):
    if y == 0:
        return 0, 0, 0
    return x / y, x // y, x % y


def merged(x, y):
    z = x
    if y > 1:
        z = y
    return z, (x if y > 2 else 1), max(x, y), x or y


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_pairs_of_dtypes(x, y):
    rng = np.random.default_rng(1)
    x, y = rng.permutation(np.resize(x, 21)), rng.permutation(np.resize(y, 21))
    for f in (arithmetic, divisions, merged):
        vectorised(f, x, y)


@pytest.mark.parametrize("x", EDGES, ids=lambda x: str(x.dtype))
def test_unary_operators_and_literals(x):
    if x.dtype != bool and x.dtype != np.uint8:
        vectorised(lambda x: -x, x)
    vectorised(lambda x: (+x, abs(x), not x), x)
    vectorised(lambda x: (x + 1, x * 2, 1 - x, x + 0.5, x / 2), x)
    vectorised(lambda x: (x // 2, x % 3, x // 0.5, divmod(x, 2)), x)
    vectorised(lambda x: (x**2, x**0, x < 1, 1 <= x, x == 1.0), x)


@pytest.mark.parametrize("x", [e for e in EDGES if e.dtype.kind != "f"], ids=lambda x: str(x.dtype))
def test_bits(x):
    vectorised(lambda x: (x & 3, x | 1, x ^ 2, x >> 1), x)
    vectorised(lambda x: x << 1, x % 8 if x.dtype != bool else x)


def test_floor_and_sign_of_remainders():
    a = np.array([7, -7, 7, -7, 0])
    b = np.array([2, 2, -2, -2, 5])
    q, r = strict(lambda a, b: (a // b, a % b))(a, b)
    assert q.tolist() == [3, -4, -4, 3, 0] and r.tolist() == [1, 1, -1, -1, 0]
    x, y = np.meshgrid(FLOATS, FLOATS)
    vectorised(lambda x, y: (x // y, x % y), x.ravel(), y.ravel())
    k, m = np.meshgrid(INTS, [1, 2, 3, -1, -2, -7])
    vectorised(lambda k, m: (k // m, k % m, divmod(k, m)), k.ravel(), m.ravel())


def test_powers():
    x, y = np.meshgrid([v for v in FLOATS if abs(v) < 100 or v != v or abs(v) == INF], FLOATS)
    vectorised(lambda x, y: x**y, x.ravel(), y.ravel())
    vectorised(lambda x: (x**2, x**3, x**4, x**5, x**-2, x**1.5, x**0.5), array("f", 0))
    vectorised(lambda x: (2**x, 2.0**x, 0**x, (-1) ** x), np.array([0, 1, 2, 3, 10]))
    vectorised(lambda k: (k**2, k**3, k**4), array("i", 0))
    vectorised(lambda k, m: k**m, np.array([0, 1, -1, 2, -3, 10]), np.array([0, 5, 3, 10, 7, 18]))


def test_round_is_pythons():
    """Half to even, by the decimal repr, not by scaling."""
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.675, 1.005, 0.15, 0.25, 0.35, 1e22, -2.5, 5e-324])
    vectorised(lambda x: round(x, 2), x)
    vectorised(lambda x: round(x, 1), x)
    vectorised(lambda x: round(x, 0), x)
    vectorised(lambda x: round(x), np.array([0.5, 1.5, 2.5, -0.5, 3.49999, -2.5]))
    vectorised(lambda k: (round(k, -1), round(k, 1)), np.array([15, 25, -15, 4, 1005, 0]))
    assert strict(lambda x: round(x, 2))(np.array([2.675, 1.005])).tolist() == [2.67, 1.0]


@pytest.mark.parametrize("digits", [-2, 0, 1, 3, 15, 20])
def test_round_to_digits(digits, rng):
    x = rng.normal(size=200) * 10.0 ** rng.integers(-3, 6, 200)
    vectorised(lambda x: round(x, digits), x)


def test_int_truncates():
    x = np.array([0.5, -0.5, 1.999, -1.999, 2.0**53, -(2.0**62), 0.0])
    got = strict(lambda x: int(x))(x)
    assert got.tolist() == [int(v) for v in x] and got.dtype == np.int64
    vectorised(lambda x: (int(x), math.floor(x), math.ceil(x), math.trunc(x), round(x)), x)


def test_conversions():
    x = array("f", 0)
    vectorised(lambda x: (float(x), bool(x), complex(x), float(x > 1), int(x > 1)), x)
    vectorised(lambda k: (float(k), bool(k), int(k), complex(k, 1)), array("i", 0))
    vectorised(lambda p: (float(p), int(p), bool(p)), array("b", 0))
    vectorised(lambda x: float(x) + 1, array("g", 0))
    assert strict(lambda x: float(x))(np.ones(2, "f4")).dtype == float


def test_complex_samples():
    z = np.array([1 + 2j, -1j, 0, 3.0])
    vectorised(lambda z: (z + 1, z * z, z.real, z.imag, abs(z), z.conjugate(), z == 0), z)
    vectorised(lambda z: z if z.imag > 0 else z.real, z)
    vectorised(lambda z: cmath.exp(z) if z.real < 2 else 1j, z)
    vectorised(lambda x: cmath.sqrt(x) if x == x else 0j, np.array([-1.0, 4.0, NAN]))
    vectorised(lambda z: z * 2 if z else 1, z.astype("c8"))


def test_huge_integers_are_exact():
    k = np.array([2**53 + 1, 2**62, -(2**63), 2**63 - 1, 3, 0])
    vectorised(lambda k: (k // 3, k % 10, k // -7, k & 0xFF, k >> 3), k)
    vectorised(lambda k: k / 3, k)
    vectorised(lambda k: (k < 2.0**53 + 2, k == 2.0**62, k > 9.3e18), k)
    vectorised(lambda k: float(k), k)
    vectorised(lambda k: max(k, 0) if k < 2**62 else min(k, 1), k)


def test_straight_line_integers_are_int64():
    """Departure 2: + - * wrap as NumPy's do."""
    k = np.array([2**63 - 1, -(2**63), 5])
    got = strict(lambda k: (k + 1, k - 1, k * 2))(k)
    assert [v.tolist() for v in got] == [
        [-(2**63), -(2**63) + 1, 6],
        [2**63 - 2, 2**63 - 1, 4],
        [-2, 0, 10],
    ]


def test_literals_beyond_int64():
    check(lambda k: k + 2**63, np.array([1, 2]), deep=False)
    check(lambda k: 2**70 if k > 1 else k, np.array([1, 2]), deep=False)
    vectorised(lambda x: x * 2**70, np.array([1.0, -2.0]))
    vectorised(lambda x: x + 10**25, np.array([1.0, -2.0]))


def test_small_integers_wrap():
    k = np.array([100, 27, -128], "i1")
    with np.errstate(over="ignore"):
        want = [int(v + np.int8(100)) for v in k]
    assert strict(lambda k: k + 100)(k).tolist() == want
    for f in (lambda k: k + 1000, lambda k: k * -129):
        with pytest.raises(OverflowError):
            autovec.vectorize(f)(k)


def test_unsigned_integers():
    k = np.array([0, 1, 200, 255], "u1")
    vectorised(lambda k: (k // 2, k % 7, k / 2, k > 100, k == 255), k)
    vectorised(lambda k: k if k > 100 else 1, k)
    k = np.array([0, 2**64 - 1, 5], "u8")
    vectorised(lambda k: (k // 2, k > 2**63, k % 10), k)


def test_half_precision():
    x = np.array([0.0, 1.5, -2.0, 60000.0], "f2")
    vectorised(lambda x: x + 1 if x > 1 else x / 2, x)
    assert strict(lambda x: math.sin(x))(x).dtype == np.float16


def test_numpy_functions_of_samples():
    x, k = array("f", 0), array("i", 1)
    vectorised(lambda x, k: np.where(x > 0, x, k), x, k)
    vectorised(lambda x: np.clip(x, 0, 1) + np.maximum(x, 0.5), x)
    vectorised(lambda x: (np.isnan(x), np.isfinite(x), np.signbit(x), np.nan_to_num(x)), x)
    vectorised(lambda x: np.interp(x, [0.0, 1.0, 5.0], [1.0, 2.0, -3.0]), x)
    vectorised(lambda x, k: np.float64(k) / 4 + np.sign(x), x, k)
    vectorised(lambda x: np.sqrt(x) if x >= 0 else np.nan, x)
    vectorised(lambda x: np.select([x > 1, x < 0], [x, -x], 0.0), x)
    vectorised(lambda k: np.int8(3) + (k > 1), k)
