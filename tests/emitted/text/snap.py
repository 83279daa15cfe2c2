import numpy as np


def to_int(x):
    """int(x): truncates; a lane that is nan, infinite or beyond int64 raises."""
    x = np.asarray(x)
    if x.dtype.kind == "f":
        limit = np.float64(2 ** 63)
        bad = ~((x >= -limit) & (x < limit))
        if bad.any():
            int(x[bad][0])
            raise OverflowError("result too large for int64")
    elif x.dtype.kind == "u" and (x > 2 ** 63 - 1).any():
        raise OverflowError("result too large for int64")
    return x.astype(int)


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
    if not 0 < n <= 22:
        return np.asarray(np.frompyfunc(lambda v: round(v, n), 1, 1)(x), dtype=float)
    scale = 10.0 ** n
    with np.errstate(over="ignore", invalid="ignore"):
        product = x * scale
        digits = np.rint(product)
        result = np.copysign(digits / scale, x)
        k = np.nonzero((np.abs(product - digits) == 0.5) | (np.abs(product) >= 2.0 ** 52))
        if k[0].size:
            v, product = x[k], product[k]
            v_high, s_high = v * 134217729.0, scale * 134217729.0
            v_high, s_high = v_high - (v_high - v), s_high - (s_high - scale)
            v_low, s_low = v - v_high, scale - s_high
            error = v_high * s_high - product + v_high * s_low + v_low * s_high + v_low * s_low
            digits = np.rint(product)
            off = product - digits
            digits = digits + ((off == 0.5) & (error > 0)) - ((off == -0.5) & (error < 0))
            tie = (off == 0) & (np.abs(error) == 0.5) & (digits % 2 == 1)
            digits = np.where(tie, digits + 2 * error, digits)
            plain = np.abs(v) < 2.0 ** 53 / scale
            result[k] = np.where(plain, np.copysign(digits / scale, v), v)
    return result


def snap(x, step):
    """int(), floor, round and copysign side by side.

    Batched: x (axis 0).
    Shared: step.
    """
    units = x / step
    away = np.copysign(to_int(np.floor(np.abs(units) + 0.5)), units)
    return to_int(units), to_int(np.rint(units)), away * step, round_half_even(x, 1)
