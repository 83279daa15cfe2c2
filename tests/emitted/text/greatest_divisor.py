import numpy as np


def greatest_divisor(a, b):
    """A loop whose number of turns differs between samples.

    Batched: a, b (arrays that broadcast).
    """
    a, b = np.broadcast_arrays(a, b)
    shape, a, b = a.shape, a.ravel(), b.ravel()
    n = len(a)
    a_out = np.empty(n, int)
    k = np.arange(n)  # the lanes still running
    while k.size:
        running = b != 0
        if not running.all():
            j = np.flatnonzero(~running)
            a_out[k[j]] = a[j]
            keep = np.flatnonzero(running)
            k, a, b = k[keep], a[keep], b[keep]
        if np.any(b == 0):
            raise ZeroDivisionError("integer modulo by zero")
        a, b = b, a % b
    return a_out.reshape(shape)
