import math
import numpy as np


def drag(re):
    """drag, batched: every sample of the arguments at once.

    Batched: re (arrays that broadcast).
    """
    shape, re = np.shape(re), np.ravel(re)
    out = np.empty(len(re))
    test = re <= 0
    out[test] = math.inf
    k = np.flatnonzero(~test)
    coefficient = np.empty(len(k))
    test2 = re[k] < 0.1
    j2 = np.flatnonzero(test2)
    coefficient[j2] = 24 / re[k[j2]]
    j2 = np.flatnonzero(~test2)
    k2 = k[j2]
    test3 = re[k2] < 1000
    j3 = np.flatnonzero(test3)
    k3 = k2[j3]
    coefficient[j2[j3]] = 24 / re[k3] * (1 + 0.15 * re[k3] ** 0.687)
    j3 = np.flatnonzero(~test3)
    coefficient[j2[j3]] = 0.44
    out[k] = coefficient
    return out.reshape(shape)
