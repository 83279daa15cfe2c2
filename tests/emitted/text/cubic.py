import math

import numpy as np


def cubic(p, q):
    """The real roots of x^3 + p x + q as a dict, smallest first.

    Batched: p, q (arrays that broadcast).
    """
    p, q = np.broadcast_arrays(p, q)
    shape, p, q = p.shape, p.ravel(), q.ravel()
    n = len(p)
    ratio = p / 3
    disc = (q / 2) ** 2 + ratio * ratio * ratio
    count_out = np.full(n, 3)
    low_out = np.zeros(n)
    high_out = np.zeros(n)
    positive = disc > 0
    k = np.flatnonzero(positive)
    root = np.sqrt(disc[k])
    x = np.cbrt(-q[k] / 2 + root) + np.cbrt(-q[k] / 2 - root)
    count_out[k] = 1
    low_out[k] = x
    high_out[k] = x
    zero = p == 0
    count_out[~positive & zero] = 1
    k = np.flatnonzero(~(positive | zero))
    size = 2 * np.sqrt(-p[k] / 3)
    cosine = 3 * q[k] / (p[k] * size)
    angle = np.arccos(np.fmax(-1.0, np.fmin(1.0, cosine))) / 3
    low = size * np.cos(angle)
    high = size * np.cos(angle - 4 * math.pi / 3)
    above = low > high
    high2 = np.where(above, low, high)
    low = np.where(above, high, low)
    low_out[k] = low
    high_out[k] = high2
    return {"count": count_out.reshape(shape),
            "low": low_out.reshape(shape),
            "high": high_out.reshape(shape)}
