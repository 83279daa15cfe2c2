import numpy as np


def softmax(x):
    """A reduction beside its own operand.

    Batched: x (axis 0).
    """
    e = np.exp(x - x.max(axis=-1)[:, None])
    return e / e.sum(axis=-1)[:, None]
