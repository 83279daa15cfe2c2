"""Functions that NumPy lacks: Python's own, one element at a time, errors as inf and nan."""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs
# mypy: disable-error-code="attr-defined"

import math

import numpy as np


def erf(x):
    """math.erf of every element (NumPy has none: Python's own, one element at a time)."""
    return np.asarray(np.frompyfunc(math.erf, 1, 1)(x), dtype=np.result_type(x, 1.0))


def erfc(x):
    """math.erfc of every element (NumPy has none: Python's own, one element at a time)."""
    return np.asarray(np.frompyfunc(math.erfc, 1, 1)(x), dtype=np.result_type(x, 1.0))


def gamma(x):
    """math.gamma of every element; nan at poles, inf beyond the range, where Python raises."""

    def leaf(v):
        try:
            return math.gamma(v)
        except OverflowError:
            return math.copysign(math.inf, v)
        except ValueError:
            return math.nan

    return np.asarray(np.frompyfunc(leaf, 1, 1)(x), dtype=np.result_type(x, 1.0))


def lgamma(x):
    """math.lgamma of every element; nan at poles, inf beyond the range, where Python raises."""

    def leaf(v):
        try:
            return math.lgamma(v)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return np.asarray(np.frompyfunc(leaf, 1, 1)(x), dtype=np.result_type(x, 1.0))


def fma(x, y, z):
    """math.fma of every element: x * y + z with one rounding; inf and nan where Python raises."""

    def leaf(a, b, c):
        try:
            return math.fma(a, b, c)  # Python 3.13
        except OverflowError:  # the product alone decides the sign
            return math.copysign(math.inf, a) * math.copysign(1.0, b)
        except ValueError:
            return math.nan

    return np.asarray(np.frompyfunc(leaf, 3, 1)(x, y, z), dtype=np.result_type(x, y, z, 1.0))


def comb(n, k):
    """math.comb of every element, exact; OverflowError beyond int64."""
    try:
        return np.asarray(np.frompyfunc(math.comb, 2, 1)(n, k), dtype=int)
    except OverflowError:
        raise OverflowError("result too large for int64") from None


def perm(n, k):
    """math.perm of every element, exact; OverflowError beyond int64."""
    try:
        return np.asarray(np.frompyfunc(math.perm, 2, 1)(n, k), dtype=int)
    except OverflowError:
        raise OverflowError("result too large for int64") from None


def pow_mod(x, y, mod):
    """pow(x, y, mod) of every element (NumPy has no modular power: Python's own)."""
    return np.asarray(np.frompyfunc(pow, 3, 1)(x, y, mod), dtype=int)
