import numpy as np


def int_power(x, y):
    """x ** y of integers; a negative exponent or a result beyond the integer type raises."""
    if np.less(y, 0).any():
        raise ValueError("Integers to negative integer powers are not allowed.")
    dtype = np.result_type(x, y)
    power = np.power(x, y, dtype=int if dtype.kind == "b" else dtype)
    info = np.iinfo(power.dtype)
    with np.errstate(over="ignore"):
        size = np.power(x, y, dtype=float)
    if ((np.asarray(y) > 1) & ((size >= float(info.max) + 1) | (size < info.min))).any():
        raise OverflowError("result too large for int64")
    return power


def power(x, y):
    """x ** y: integers stay exact or raise, floats are NumPy's."""
    if np.result_type(x, y).kind in "biu":
        return int_power(x, y)
    return np.power(x, y)


def decibels(power, *, reference=1.0, floor=-120.0):
    """decibels, batched: every sample of the arguments at once.

    Batched: power (arrays that broadcast).
    Shared: reference, floor.
    """
    shape, power = np.shape(power), np.ravel(power)
    ratio = power / reference
    value = np.empty(len(power))
    test = ratio > 0
    k = np.flatnonzero(test)
    product = 10 * np.log10(ratio[k])
    value[k] = np.where(floor > product, floor, product)
    value[~test] = floor
    return value.reshape(shape)
