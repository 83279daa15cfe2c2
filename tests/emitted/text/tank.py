import math

import numpy as np


def cone_volume(self):
    return math.pi * self.radius ** 2 * self.cone / 3


def level(self, volume):
    """level for whole arrays: one sample a position.

    Batched: volume (arrays that broadcast).
    Shared: self.
    """
    shape, volume = np.shape(volume), np.ravel(volume)
    bad = volume < 0
    if bad.any():
        lane = bad.argmax()
        raise ValueError(f"a volume is not negative: {volume[lane].item()}")
    rest = volume - cone_volume(self)
    out = np.empty(len(volume))
    not_negative = rest >= 0
    k = np.flatnonzero(not_negative)
    out[k] = self.cone + rest[k] / (math.pi * self.radius ** 2)
    k = np.flatnonzero(~not_negative)
    out[k] = (3 * volume[k] * self.cone ** 2 / (math.pi * self.radius ** 2)) ** (1 / 3)
    return out.reshape(shape)
