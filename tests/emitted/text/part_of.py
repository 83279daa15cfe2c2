import numpy as np


def part_of(part, whole):
    """A guarded division: any shapes broadcast.

    Batched: part, whole (arrays that broadcast).
    """
    part, whole = np.broadcast_arrays(part, whole)
    shape, part, whole = part.shape, part.ravel(), whole.ravel()
    out = np.zeros(len(part))
    k = np.flatnonzero(~(whole == 0))
    out[k] = part[k] / whole[k]
    return out.reshape(shape)
