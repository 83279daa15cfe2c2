import numpy as np


def decibels(power, *, reference=1.0, floor=-120.0):
    """Keyword-only arguments with defaults.

    Batched: power (arrays that broadcast).
    Shared: reference, floor.
    """
    shape, power = np.shape(power), np.ravel(power)
    ratio = power / reference
    value = np.full(len(power), floor, float)
    k = np.flatnonzero(ratio > 0)
    product = 10 * np.log10(ratio[k])
    value[k] = np.where(floor > product, floor, product)
    return value.reshape(shape)
