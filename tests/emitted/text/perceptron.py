import numpy as np


def perceptron(x, hidden, bias, out):
    """Products with shared matrices.

    Batched: x (axis 0).
    Shared: hidden, bias, out.
    """
    h = np.maximum(x @ hidden.T + bias, 0.0)
    return h @ out.T
