"""Operators and dtypes."""

import math

import numpy as np

from tests.programs.grid import program


@program("ff")
def arithmetic(x, y):
    return x + y, x - y, x * y, x / y, x // y, x % y


@program("ii")
def whole_arithmetic(a, b):
    if b == 0:
        return a + 1, a - 1, a * 2, 0.0, 0, 0
    return a + b, a - b, a * b, a / b, a // b, a % b


@program("fi")
def mixed(x, k):
    return x + k, k - x, k * x, k / x, 2 * x + 3 * k - 1


@program("f")
def literals_are_weak(x):
    return x + 1, x * 2.5, 1 / x, 3 - x, x > 0.1


@program("i")
def int_literals(k):
    return k + 1, k * 2.5, k / 2, 7 // (k or 1), -k, +k, ~k


@program("i")
def bits(k):
    return k & 5, k | 3, k ^ 6, k << 2, k >> 1


@program("ii")
def bits_of_two(a, b):
    return a & b, a | b, a ^ b, a >> abs(b % 8)


@program("f")
def powers(x):
    return x**2, x**3, x**-1, x**0.5, 2**x, x**0, x**1


@program("i")
def int_powers(k):
    return k**2, k**3, abs(k) ** 0.5, k**0


@program("fi")
def power_of_varying(x, k):
    return x ** (k % 3)


@program("fi")
def divmods(x, k):
    if k == 0:
        return divmod(x, 2.0)
    return divmod(x, k)


@program("f")
def unary(x):
    return -x, +x, abs(x), -abs(-x)


@program("f")
def rounding(x):
    if x != x or abs(x) > 1e9:
        return 0, 0.0, 0, 0, 0
    return round(x), round(x, 1), int(x), math.floor(x), math.ceil(x)


@program("i")
def rounding_ints(k):
    return round(k), round(k, -1), int(k), math.floor(k)


@program("fi")
def conversions(x, k):
    return float(k), bool(x), bool(k), int(k > 1), float(x > 1), complex(x, k)


@program("ff")
def extremes(x, y):
    return max(x, y), min(x, y), max(x, 1), min(0, x, y), max(y, x, 2.0)


@program("fi")
def extremes_of_types(x, k):
    return max(x, k), min(k, 2), max(k, 1.5), min(k, x, 0)


@program("f")
def maths(x):
    return math.sin(x), math.atan2(x, 2), math.hypot(x, 1), math.copysign(2, x), math.fabs(x)


@program("f")
def logarithms(x):
    if x > 0:
        return math.log(x), math.log(x, 2), math.log10(x), math.log2(x), math.log1p(x)
    return 0, 0, 0, 0, 0


@program("f")
def ufuncs(x):
    return np.sin(x), np.maximum(x, 1), np.where(x > 0, x, 2), np.clip(x, -1, 1), np.isnan(x)


@program("fi")
def numpy_and_python(x, k):
    return np.float64(2) * k, np.abs(x) + k, np.floor(x) if x > 0 else k, np.hypot(x, k)


@program("f")
def complex_numbers(x):
    if abs(x) > 1e9:
        x = 0.0
    z = complex(x, 1.0)
    return z.real, z.imag + 1, (z * z).real, z == 2, abs(z), z.conjugate()


@program("f")
def complex_literals(x):
    return x + 2j, 1j * x if x > 0 else 0j, 3 - 1j


@program("fi")
def union_of_three(x, k):
    if k > 2:
        return 1
    if k < 0:
        return x
    return k


@program("ib")
def bools_among_ints(k, on):
    if on:
        return k
    return k > 2


@program("fi")
def int_constant_beside_floats(x, k):
    r = 0
    if k > 0:
        r = x
    return r, r / 2


@program("fi")
def merged_literals(x, k):
    a = 1 if k > 0 else 2
    b = 1 if k > 1 else 0.5
    return a * x, b * x, a + b, a * k, a // 2


@program("b")
def numbers_from_bools(p):
    return p + 1, p * 2.5, -p, p / 2, p**2, p // 1, sum((p, p, True)), p & True, p ^ p, p << 2


@program("ff")
def nan_aware(x, y):
    if x < y:
        return 1
    elif x >= y:
        return 2
    else:
        return 3


@program("fi")
def static_dtype_of_dead_branch(x, k):
    if k > 10**6:
        return 1.5
    return k
