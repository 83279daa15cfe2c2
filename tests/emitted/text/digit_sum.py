import numpy as np


def digit_sum(n):
    """A function that calls itself.

    Batched: n (arrays that broadcast).
    """
    shape, n = np.shape(n), np.ravel(n)
    out = np.empty(len(n), int)
    negative = n < 0
    k = np.flatnonzero(negative)
    if k.size:
        out[k] = digit_sum(-n[k])
    k = np.flatnonzero(~negative)
    if k.size:
        value = n[k]
        j2 = np.flatnonzero(~(n[k] < 10))
        k2 = k[j2]
        if k2.size:
            value[j2] = n[k2] % 10 + digit_sum(n[k2] // 10)
        out[k] = value
    return out.reshape(shape)
