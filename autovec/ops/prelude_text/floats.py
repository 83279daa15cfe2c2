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
    finite = np.isfinite(x)
    below = np.nextafter(np.where(finite, x, 1.0), 0.0)
    top = finite & ~np.isfinite(below * (1 + np.finfo(x.dtype).eps))
    return np.where(finite, np.spacing(np.where(finite & ~top, x, below)), x)


def ieee_remainder(x, y):
    """math.remainder: x - n * y, n the integer nearest to x / y, a tie to the even one; exact."""
    size, step = np.abs(x), np.abs(y)
    rest = np.fmod(size, step)
    other = step - rest
    half = rest - 2 * np.fmod(0.5 * (size - rest), step)  # for a tie: rest or -rest
    rest = np.where(rest < other, rest, np.where(rest > other, -other, half))
    return np.copysign(1.0, x) * rest


def is_close(a, b, rel_tol=1e-09, abs_tol=0.0):
    """math.isclose: symmetric in a and b, infinity close to itself only."""
    if np.any(np.less(rel_tol, 0) | np.less(abs_tol, 0)):
        raise ValueError("tolerances must be non-negative")
    finite = np.isfinite(a) & np.isfinite(b)
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.maximum(np.abs(a), np.abs(b))
        near = np.abs(np.subtract(a, b, dtype=float)) <= np.maximum(rel_tol * size, abs_tol)
    return np.equal(a, b) | (finite & near)


def order(x, y):
    """-1.0, 0.0 or 1.0 as x is below, at or above y, nan if either is; exact, as in Python.

    NumPy compares an int64 with a float as floats, so that neighbours beyond 2**53 look equal.
    A float of that size is a whole number, and its integer decides.
    """
    x, y = np.asarray(x), np.asarray(y)
    if x.dtype.kind == "f":
        return -order(y, x) if y.dtype.kind != "f" else (x > y) - 1.0 * (x < y)
    above, below = x > y, x < y
    if y.dtype.kind == "f":
        unsure = (x == y) & (np.abs(y) < 2.0**63)
        whole = np.where(unsure, y, 0).astype(np.int64)
        above, below = above | (unsure & (x > whole)), below | (unsure & (x < whole))
        return np.where(np.isnan(y), np.nan, above - 1.0 * below)
    return above - 1.0 * below
