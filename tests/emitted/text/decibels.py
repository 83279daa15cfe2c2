import numpy as np


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
