import numpy as np


def signed_area(points):
    """A loop over the rows of a matrix.

    Batched: points (axis 0).
    """
    previous = points[:, -1]
    total = np.zeros(len(points))
    for j in range(points.shape[1]):
        p = points[:, j]
        total = total + (previous[:, 0] * p[:, 1] - p[:, 0] * previous[:, 1])
        previous = p
    return total / 2
