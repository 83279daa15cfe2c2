import numpy as np


def signed_log(x, scale):
    """An operation that may not run for all samples, under a condition.

    Batched: x (axis 0).
    Shared: scale.
    """
    y = np.zeros(len(x))
    k = np.flatnonzero(x > 0)
    y[k] = np.log(x[k]) / scale
    k = np.flatnonzero(x < 0)
    y[k] = -np.log(-x[k]) / scale
    return y * 100
