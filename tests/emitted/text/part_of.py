import numpy as np


def part_of(part, whole):
    """part_of, batched: every sample of the arguments at once.

    Batched: part, whole (arrays that broadcast).
    """
    part, whole = np.broadcast_arrays(part, whole)
    shape, part, whole = part.shape, part.ravel(), whole.ravel()
    out = np.zeros(len(part))
    test = whole == 0
    k = np.flatnonzero(~test)
    out[k] = part[k] / whole[k]
    return out.reshape(shape)
