import numpy as np


def hsl(r, g, b):
    """The largest and smallest of three, and which of them it was.

    Batched: r, g, b (arrays that broadcast).
    """
    r, g, b = np.broadcast_arrays(r, g, b)
    shape, r, g, b = r.shape, r.ravel(), g.ravel(), b.ravel()
    n = len(r)
    largest = np.where(g > r, g, r)
    high = np.where(b > largest, b, largest)
    smallest = np.where(g < r, g, r)
    low = np.where(b < smallest, b, smallest)
    light = (high + low) / 2
    out0 = np.zeros(n)
    out1 = np.zeros(n)
    k = np.flatnonzero(~(high == low))
    high_k = high[k]
    spread = high_k - low[k]
    saturation = spread / (1 - np.abs(2 * light[k] - 1))
    sector = np.empty(len(k))
    equal = high_k == r[k]
    j2 = np.flatnonzero(equal)
    k2 = k[j2]
    sector[j2] = (g[k2] - b[k2]) / spread[j2] % 6
    equal2 = high_k == g[k]
    j2 = np.flatnonzero(~equal & equal2)
    k2 = k[j2]
    sector[j2] = (b[k2] - r[k2]) / spread[j2] + 2
    j2 = np.flatnonzero(~(equal | equal2))
    k2 = k[j2]
    sector[j2] = (r[k2] - g[k2]) / spread[j2] + 4
    out0[k] = 60 * sector
    out1[k] = saturation
    return out0.reshape(shape), out1.reshape(shape), light.reshape(shape)
