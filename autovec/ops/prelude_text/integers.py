"""Integer arithmetic that notices when a result leaves int64, where Python's int would go on."""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs

import numpy as np


def int_power(x, y):
    """x ** y of integers; a negative exponent or a result beyond the integer type raises."""
    if np.less(y, 0).any():
        raise ValueError("Integers to negative integer powers are not allowed.")
    dtype = np.result_type(x, y)
    power = np.power(x, y, dtype=int if dtype.kind == "b" else dtype)
    info = np.iinfo(power.dtype)
    with np.errstate(over="ignore"):
        size = np.power(x, y, dtype=float)  # exact enough: powers near 2**63 are far apart
    if ((np.asarray(y) > 1) & ((size >= float(info.max) + 1) | (size < info.min))).any():
        raise OverflowError("result too large for int64")
    return power


def int_shift_left(x, y):
    """x << y of integers; a negative count or a bit shifted out raises."""
    if np.less(y, 0).any():
        raise ValueError("negative shift count")
    dtype = np.result_type(x, y)
    shifted = np.left_shift(x, y, dtype=int if dtype.kind == "b" else dtype)
    if (np.right_shift(shifted, y) != x).any():
        raise OverflowError("result too large for int64")
    return shifted


def int_shift_right(x, y):
    """x >> y of integers; a negative count raises."""
    if np.less(y, 0).any():
        raise ValueError("negative shift count")
    dtype = np.result_type(x, y)
    return np.right_shift(x, y, dtype=int if dtype.kind == "b" else dtype)


def add_exact(x, y):
    """x + y; an int64 that would wrap raises OverflowError."""
    if np.result_type(x, y).kind == "b":
        return np.add(x, y, dtype=int)
    total = np.add(x, y)
    # it wrapped where the sign differs from that of both
    if total.dtype == int and np.any(((x ^ total) & (y ^ total)) < 0):
        raise OverflowError("result too large for int64")
    return total


def sub_exact(x, y):
    """x - y; an int64 that would wrap raises OverflowError."""
    if np.result_type(x, y).kind == "b":
        return np.subtract(x, y, dtype=int)
    total = np.subtract(x, y)
    if total.dtype == int and np.any(((x ^ y) & (x ^ total)) < 0):
        raise OverflowError("result too large for int64")
    return total


def mul_exact(x, y):
    """x * y; an int64 that would wrap raises OverflowError."""
    if np.result_type(x, y).kind == "b":
        return np.multiply(x, y, dtype=int)
    product = np.multiply(x, y)
    if product.dtype == int:
        info = np.iinfo(product.dtype)
        size = np.multiply(x, y, dtype=float)
        close = (size >= 0.999999 * float(info.max)) | (size <= 0.999999 * float(info.min) - 0.5)
        if close.any():  # too near to the limit for floats: Python's own integers decide
            exact = np.asarray(x).astype(object) * np.asarray(y).astype(object)
            if np.any((exact > info.max) | (exact < info.min)):
                raise OverflowError("result too large for int64")
    return product


def int_gcd(x, y):
    """math.gcd; the one that is beyond int64, gcd(-2**63, 0), raises."""
    divisor = np.gcd(x, y, dtype=np.int64)
    if (divisor < 0).any():
        raise OverflowError("result too large for int64")
    return divisor


def int_lcm(x, y):
    """math.lcm; beyond int64 it raises."""
    x, y = np.asarray(x, dtype=int), np.asarray(y, dtype=int)
    multiple = mul_exact(np.abs(x // np.maximum(np.gcd(x, y), 1)), np.abs(y))
    if (multiple < 0).any():  # abs(-2**63) is not in int64
        raise OverflowError("result too large for int64")
    return multiple


def isqrt(n):
    """math.isqrt, exact: the float root is off by at most one, upwards."""
    n = np.asarray(n, dtype=np.int64)
    if (n < 0).any():
        raise ValueError("isqrt() argument must be nonnegative")
    root = np.minimum(np.sqrt(n).astype(np.int64), 3037000499)  # whose square still fits
    return root - (root * root > n)


def factorial(n):
    """math.factorial from a table; beyond 20! it leaves int64 and raises."""
    n = np.asarray(n)
    if (n < 0).any():
        raise ValueError("factorial() not defined for negative values")
    if (n > 20).any():
        raise OverflowError("result too large for int64")
    return np.cumprod([1, *range(1, 21)])[n.astype(int)]


def bit_length(x):
    """int.bit_length; the float exponent is one too large where the float was rounded up."""
    size = np.abs(np.asarray(x).astype(np.int64)).astype(np.uint64)
    length = np.frexp(size.astype(float))[1].astype(np.int64)
    return length - ((length > 0) & (size >> np.maximum(length - 1, 0).astype(np.uint64) == 0))
