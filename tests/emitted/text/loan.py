import numpy as np


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


def loan(principal, annual_rate, months, fee=25.0):
    """(monthly payment, total interest), in cents; loans below 1000 pay no fee.

    Batched: principal, annual_rate, months (arrays that broadcast).
    Shared: fee.
    """
    principal, annual_rate, months = np.broadcast_arrays(principal, annual_rate, months)
    shape, principal, annual_rate, months = (
        principal.shape, principal.ravel(), annual_rate.ravel(), months.ravel())
    n = len(principal)
    bad = (principal <= 0) | (months < 1)
    if bad.any():
        lane = bad.argmax()
        raise ValueError(f"no loan: {principal[lane].item()} over {months[lane].item()} months")
    principal = np.where(principal >= 1000, principal + fee, principal)
    rate = annual_rate / 12
    growth = (1 + rate) ** months
    product = principal * rate * growth
    difference = growth - 1
    payment = np.empty(n)
    bad = difference == 0
    k = np.flatnonzero(bad)
    payment[k] = principal[k] / months[k]
    k = np.flatnonzero(~bad)
    payment[k] = product[k] / difference[k]
    payment = round_half_even(payment, 2)
    difference = payment * months - principal
    return (payment.reshape(shape),
            round_half_even(np.where(0.0 > difference, 0.0, difference), 2).reshape(shape))
