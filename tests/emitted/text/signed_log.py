import numpy as np


def signed_log(x, scale):
    """An operation that may not run for all samples, under a condition.

    Batched: x (axis 0).
    Shared: scale.
    """
    y = np.empty(len(x))
    test = x > 0
    k = np.flatnonzero(test)
    y[k] = np.log(x[k]) / scale
    k = np.flatnonzero(~test)
    test2 = x[k] < 0
    k2 = k[test2]
    y[k2] = -np.log(-x[k2]) / scale
    y[k[~test2]] = 0.0
    return y * 100
