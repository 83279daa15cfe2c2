import numpy as np


def heat_index(t, rh):
    """How hot it feels at temperature t (Fahrenheit) and relative humidity rh (percent).

    Batched: t, rh (arrays that broadcast).
    """
    t, rh = np.broadcast_arrays(t, rh)
    shape, t, rh = t.shape, t.ravel(), rh.ravel()
    simple = 0.5 * (t + 61.0 + (t - 68.0) * 1.2 + rh * 0.094)
    k = np.flatnonzero(~((simple + t) / 2 < 80.0))
    t_k = t[k]
    rh_k = rh[k]
    t_squared = t_k ** 2
    rh_squared = rh_k ** 2
    hi = (-42.379 + 2.04901523 * t_k + 10.14333127 * rh_k - 0.22475541 * t_k * rh_k
          - 6.83783e-3 * t_squared - 5.481717e-2 * rh_squared + 1.22874e-3 * t_squared * rh_k
          + 8.5282e-4 * t_k * rh_squared - 1.99e-6 * t_squared * rh_squared)
    both = (rh_k < 13) & (80 <= t_k) & (t_k <= 112)
    j2 = np.flatnonzero(both)
    k2 = k[j2]
    hi[j2] -= (13 - rh[k2]) / 4 * np.sqrt((17 - np.abs(t[k2] - 95)) / 17)
    j2 = np.flatnonzero(~both & (rh_k > 85) & (80 <= t_k) & (t_k <= 87))
    k2 = k[j2]
    hi[j2] += (rh[k2] - 85) / 10 * (87 - t[k2]) / 5
    simple[k] = hi
    return simple.reshape(shape)
