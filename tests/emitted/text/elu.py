import numpy as np


def batched(x, alpha):
    """batched for whole arrays: one sample a position.

    Batched: x (arrays that broadcast).
    Shared: alpha.
    """
    shape, x = np.shape(x), np.ravel(x)
    value = x.copy()
    k = np.flatnonzero(~(x > 0))
    value[k] = alpha * np.expm1(x[k])
    return value.reshape(shape)
