"""Conversions and roundings of Python numbers."""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs

import numpy as np


def to_int(x):
    """int(x): truncates; a lane that is nan, infinite or beyond int64 raises."""
    x = np.asarray(x)
    if x.dtype.kind == "f":
        limit = np.float64(2**63)
        bad = ~((x >= -limit) & (x < limit))
        if bad.any():
            int(x[bad][0])  # raises for nan and infinity, with Python's message
            raise OverflowError("result too large for int64")
    elif x.dtype.kind == "u" and (x > 2**63 - 1).any():
        raise OverflowError("result too large for int64")
    return x.astype(int)


def cast_int(x, dtype):
    """np.int8(x) and its kin: truncates; a lane that is nan, infinite or out of bounds raises."""
    x = np.asarray(x)
    info = np.iinfo(dtype)
    whole = np.trunc(x) if x.dtype.kind == "f" else x
    bad = ~((whole >= np.float64(info.min)) & (whole < np.float64(info.max) + 1))
    if bad.any():
        first = int(x[bad][0])  # raises for nan and infinity, with Python's message
        raise OverflowError(f"Python integer {first} out of bounds for {info.dtype}")
    return x.astype(dtype)


def round_half_even(x, n):
    """round(x, n) of floats: the decimal nearest to the exact x, a tie to the even digit.

    np.round(x, n) rounds x * 10**n, itself rounded: 2.675 becomes 2.68, in Python 2.67.  So where
    the product seems to be a tie, its rounding error decides.
    """
    x = np.asarray(x)
    if x.dtype != np.float64 or n == 0:
        return np.round(x, n)
    if x.ndim == 0:
        return round_half_even(x.reshape(1), n)[0]
    if not 0 < n <= 22:  # 10**n is exact in a float up to 22
        return np.asarray(np.frompyfunc(lambda v: round(v, n), 1, 1)(x), dtype=float)
    scale = 10.0**n
    with np.errstate(over="ignore", invalid="ignore"):
        product = x * scale
        digits = np.rint(product)
        result = np.copysign(digits / scale, x)
        k = np.nonzero((np.abs(product - digits) == 0.5) | (np.abs(product) >= 2.0**52))
        if k[0].size:  # what seems a tie, and what has no bits to spare
            v, product = x[k], product[k]
            v_high, s_high = v * 134217729.0, scale * 134217729.0  # 2**27 + 1 splits in two halves
            v_high, s_high = v_high - (v_high - v), s_high - (s_high - scale)
            v_low, s_low = v - v_high, scale - s_high
            error = ((v_high * s_high - product) + v_high * s_low + v_low * s_high) + v_low * s_low
            digits = np.rint(product)
            off = product - digits
            digits = digits + ((off == 0.5) & (error > 0)) - ((off == -0.5) & (error < 0))
            tie = (off == 0) & (np.abs(error) == 0.5) & (digits % 2 == 1)
            digits = np.where(tie, digits + 2 * error, digits)
            plain = np.abs(v) < 2.0**53 / scale  # larger numbers have no more than n decimals
            result[k] = np.where(plain, np.copysign(digits / scale, v), v)
    return result


def round_int(x, n):
    """round(x, n) of integers: to a multiple of 10**-n, a tie to the even multiple."""
    x = np.asarray(x)
    x = x.astype(int) if x.dtype.kind == "b" else x.copy()
    if n >= 0:
        return x
    unit = 10 ** min(-n, 18)
    if n < -18:  # the unit is beyond int64: zero, unless that rounds up
        if n == -19 and ((x > 5 * 10**18) | (x < -5 * 10**18)).any():
            raise OverflowError("result too large for int64")
        return x * 0
    count, rest = x // unit, x % unit
    count = count + ((2 * rest > unit) | ((2 * rest == unit) & (count % 2 == 1)))
    rounded = count * unit
    if ((x > 0) & (rounded < 0) | (x < 0) & (rounded > 0)).any():
        raise OverflowError("result too large for int64")
    return rounded


def round_number(x, n):
    """round(x, n) as Python rounds: integers to multiples of 10**-n, floats to n decimals."""
    return round_int(x, n) if np.asarray(x).dtype.kind in "biu" else round_half_even(x, n)


def make_complex(real, imag):
    """complex(real, imag): real + 1j * imag would lose signed zeros and infinities."""
    shape = np.broadcast_shapes(np.shape(real), np.shape(imag))
    z = np.empty(shape, complex)
    z.real, z.imag = real, imag
    return z
