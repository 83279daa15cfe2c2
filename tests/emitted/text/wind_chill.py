import numpy as np


def wind_chill(celsius, kmh):
    """None where the formula does not hold, which is nan in a column of floats.

    Batched: celsius, kmh (arrays that broadcast).
    """
    celsius, kmh = np.broadcast_arrays(celsius, kmh)
    shape, celsius, kmh = celsius.shape, celsius.ravel(), kmh.ravel()
    out = np.full(len(celsius), np.nan)
    k = np.flatnonzero(~((celsius > 10) | (kmh < 4.8)))
    v = kmh[k] ** 0.16
    out[k] = 13.12 + 0.6215 * celsius[k] - 11.37 * v + 0.3965 * celsius[k] * v
    return out.reshape(shape)
