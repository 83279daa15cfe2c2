import numpy as np


def one_hot(k, weight):
    """A store at an index that differs between samples, and one under a condition.

    Batched: k, weight (axis 0).
    """
    out = np.zeros((len(k), 4))
    out[np.arange(len(out)), k] = weight
    k2 = np.flatnonzero(weight > 1)
    out[k2, 0] += 1.0
    return out
