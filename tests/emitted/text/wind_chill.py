import numpy as np


def wind_chill(celsius, kmh):
    """wind_chill, batched: every sample of the arguments at once.

    Batched: celsius, kmh (arrays that broadcast).
    """
    celsius, kmh = np.broadcast_arrays(celsius, kmh)
    shape, celsius, kmh = celsius.shape, celsius.ravel(), kmh.ravel()
    out = np.full(len(celsius), np.nan)
    or2 = (celsius > 10) | (kmh < 4.8)
    k = np.flatnonzero(~or2)
    v = kmh[k] ** 0.16
    out[k] = 13.12 + 0.6215 * celsius[k] - 11.37 * v + 0.3965 * celsius[k] * v
    return out.reshape(shape)
