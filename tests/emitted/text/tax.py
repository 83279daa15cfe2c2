import numpy as np

SOLI_FREE = 19950


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


def tariff_batched(income):
    """The tariff of 2025: whole euros in, whole euros out."""
    x = to_int(np.floor(income))
    out = np.zeros(len(income), int)
    low2 = x <= 17_443
    k = np.flatnonzero(~(x <= 12_096) & low2)
    y = (x[k] - 12_096) / 10_000
    out[k] = to_int(np.floor((932.30 * y + 1_400) * y))
    low3 = x <= 68_480
    k = np.flatnonzero(~low2 & low3)
    z = (x[k] - 17_443) / 10_000
    out[k] = to_int(np.floor((176.64 * z + 2_397) * z + 1_015.13))
    low4 = x <= 277_825
    k = np.flatnonzero(~low3 & low4)
    out[k] = to_int(np.floor(0.42 * x[k] - 10_911.92))
    k = np.flatnonzero(~low4)
    out[k] = to_int(np.floor(0.45 * x[k] - 19_246.67))
    return out


def tax(income, couple):
    """(income tax, solidarity surcharge) in euros.

    Batched: income, couple (arrays that broadcast).
    """
    income, couple = np.broadcast_arrays(income, couple)
    shape, income, couple = income.shape, income.ravel(), couple.ravel()
    n = len(income)
    if np.any(np.isnan(income)):
        raise ValueError("income is missing")
    due = np.empty(n, int)
    k = np.flatnonzero(couple)
    due[k] = 2 * tariff_batched(income[k] / 2)
    k = np.flatnonzero(~couple)
    due[k] = tariff_batched(income[k])
    free = np.where(couple, 2 * SOLI_FREE, SOLI_FREE)
    out1 = np.zeros(n)
    k = np.flatnonzero(~(due <= free))
    soli = np.minimum(0.055 * due[k], 0.119 * (due[k] - free[k]))
    out1[k] = to_int(np.floor(100 * soli)) / 100
    return due.reshape(shape), out1.reshape(shape)
