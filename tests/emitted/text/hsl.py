import numpy as np


def hsl(r, g, b):
    """hsl, batched: every sample of the arguments at once.

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
    out0 = np.empty(n)
    out1 = np.empty(n)
    out2 = np.empty(n)
    test = high == low
    k = np.flatnonzero(test)
    out0[k] = 0.0
    out1[k] = 0.0
    out2[k] = light[k]
    k = np.flatnonzero(~test)
    spread = high[k] - low[k]
    saturation = spread / (1 - np.abs(2 * light[k] - 1))
    sector = np.empty(len(k))
    test2 = high[k] == r[k]
    j2 = np.flatnonzero(test2)
    k2 = k[j2]
    sector[j2] = (g[k2] - b[k2]) / spread[j2] % 6
    j2 = np.flatnonzero(~test2)
    k2 = k[j2]
    spread_k = spread[j2]
    test3 = high[k2] == g[k2]
    j3 = np.flatnonzero(test3)
    k3 = k2[j3]
    sector[j2[j3]] = (b[k3] - r[k3]) / spread_k[j3] + 2
    j3 = np.flatnonzero(~test3)
    k3 = k2[j3]
    sector[j2[j3]] = (r[k3] - g[k3]) / spread_k[j3] + 4
    out0[k] = 60 * sector
    out1[k] = saturation
    out2[k] = light[k]
    return out0.reshape(shape), out1.reshape(shape), out2.reshape(shape)
