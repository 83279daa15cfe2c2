import math

import numpy as np


def drag(re):
    """A chain of branches with a division in some.

    Batched: re (arrays that broadcast).
    """
    shape, re = np.shape(re), np.ravel(re)
    out = np.full(len(re), math.inf, float)
    k = np.flatnonzero(~(re <= 0))
    coefficient = np.empty(len(k))
    test = re[k] < 0.1
    j2 = np.flatnonzero(test)
    coefficient[j2] = 24 / re[k[j2]]
    j2 = np.flatnonzero(~test)
    k2 = k[j2]
    test2 = re[k2] < 1000
    j3 = np.flatnonzero(test2)
    k3 = k2[j3]
    coefficient[j2[j3]] = 24 / re[k3] * (1 + 0.15 * re[k3] ** 0.687)
    j3 = np.flatnonzero(~test2)
    coefficient[j2[j3]] = 0.44
    out[k] = coefficient
    return out.reshape(shape)
