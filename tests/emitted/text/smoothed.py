import numpy as np


def smoothed(x, rounds):
    """A loop over elements, stores into an array of its own.

    Batched: x (axis 0).
    Shared: rounds.
    """
    y = np.absolute(x)
    for _ in range(rounds):
        for i in range(1, x.shape[1] - 1):
            y[:, i] = (y[:, i - 1] + 2 * y[:, i] + y[:, i + 1]) / 4
    return y
