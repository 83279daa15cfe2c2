import numpy as np


def standardised(x):
    """A branch on a reduction, packed.

    Batched: x (axis 0).
    """
    spread = x.std(axis=-1)
    out = np.empty(x.shape)
    zero = spread == 0
    k = np.flatnonzero(zero)
    out[k] = x[k] * 0
    k = np.flatnonzero(~zero)
    out[k] = (x[k] - x[k].mean(axis=-1)[:, None]) / spread[k, None]
    return out
