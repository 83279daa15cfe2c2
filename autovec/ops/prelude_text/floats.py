"""Floating-point functions of Python's math module that NumPy has otherwise or not at all."""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs

import numpy as np


def frexp(x):
    """math.frexp: the exponent is a Python int, not NumPy's int32."""
    mantissa, exponent = np.frexp(x)
    return mantissa, exponent.astype(int)


def ulp(x):
    """math.ulp: the gap above abs(x); np.spacing overflows at the largest float."""
    x = np.abs(np.asarray(x) * 1.0)
    largest = np.nextafter(np.finfo(x.dtype).max, 0, dtype=x.dtype)  # its gap is that of the last
    return np.where(np.isfinite(x), np.spacing(np.minimum(x, largest)), x)


def ieee_remainder(x, y):
    """math.remainder: x - n * y, n the integer nearest to x / y, a tie to the even one; exact."""
    dtype = np.result_type(x, y, 1.0)
    x, y = np.asarray(x, dtype), np.asarray(y, dtype)
    size, step = np.abs(x), np.abs(y)
    rest = np.fmod(size, step)
    other = step - rest
    half = rest - 2 * np.fmod(0.5 * (size - rest), step)  # for a tie: rest or -rest
    rest = np.where(rest < other, rest, np.where(rest > other, -other, half))
    return np.where(np.signbit(x), -rest, rest)


def is_close(a, b, rel_tol=1e-09, abs_tol=0.0):
    """math.isclose: symmetric in a and b, infinity close to itself only."""
    if np.any(np.less(rel_tol, 0) | np.less(abs_tol, 0)):
        raise ValueError("tolerances must be non-negative")
    dtype = np.result_type(a, b, float)
    a, b = np.asarray(a, dtype), np.asarray(b, dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        limit = np.maximum(rel_tol * np.maximum(np.abs(a), np.abs(b)), abs_tol)
        near = np.abs(a - b) <= limit
    return (a == b) | (np.isfinite(a) & np.isfinite(b) & near)


def order(x, y):
    """-1.0, 0.0 or 1.0 as x is below, at or above y, nan if either is; exact, as in Python.

    NumPy compares an int64 with a float as floats, so that neighbours beyond 2**53 look equal.
    A float of that size is a whole number, and its integer decides.
    """
    x, y = np.asarray(x), np.asarray(y)
    if x.dtype.kind == "f" and y.dtype.kind != "f":
        return -order(y, x)
    above, below = x > y, x < y
    if x.dtype.kind in "iu" and y.dtype.kind == "f":
        top = float(np.iinfo(x.dtype).max) + 1
        unsure = x == y
        whole = np.where(unsure & (y < top), y, 0).astype(x.dtype)
        above = above | (unsure & (y < top) & (x > whole))
        below = below | (unsure & ((y == top) | (x < whole)))
    return np.where((x == x) & (y == y), above - 1.0 * below, np.nan)


def root(x):
    """x ** 0.5: the square root, but 0.0 for -0.0 and inf for -inf, as powers have it."""
    found = np.sqrt(np.where(x == -np.inf, np.inf, x) + 0.0)
    return found.astype(np.result_type(x, 0.5))


def to_power(x, exponent):
    """x ** exponent, one for all: NumPy takes 0.5 for the square root, and -inf and -0.0 differ."""
    if exponent == 0.5:
        x = np.where(x == -np.inf, np.inf, x) + 0.0
    return x**exponent
