import math

import numpy as np


def drag(re):
    """A chain of branches with a division in some.

    Batched: re (arrays that broadcast).
    """
    shape, re = np.shape(re), np.ravel(re)
    out = np.full(len(re), math.inf, float)
    k = np.flatnonzero(~(re <= 0))
    coefficient = np.full(len(k), 0.44)
    low = re[k] < 0.1
    j2 = np.flatnonzero(low)
    coefficient[j2] = 24 / re[k[j2]]
    j2 = np.flatnonzero(~low & (re[k] < 1000))
    k2 = k[j2]
    coefficient[j2] = 24 / re[k2] * (1 + 0.15 * re[k2] ** 0.687)
    out[k] = coefficient
    return out.reshape(shape)
