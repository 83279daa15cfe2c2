import numpy as np


def heron(a, b, c):
    """sorted() of a fixed number of values, an assert, and arithmetic under try.

    Batched: a, b, c (arrays that broadcast).
    """
    a, b, c = np.broadcast_arrays(a, b, c)
    shape, a, b, c = a.shape, a.ravel(), b.ravel(), c.ravel()
    below = b < c
    below2 = a < b
    below3 = a < c
    below4 = a < b
    below5 = a < b
    below6 = a < b
    below7 = a < c
    a2 = np.where(below, np.where(below2, c, np.where(below3, c, a)),
         np.where(below5, np.where(below6, b, a),
                  a))
    b2 = np.where(below, np.where(below2, b, np.where(below3, np.where(below4, b, a), c)),
         np.where(below5, np.where(below6, np.where(below7, c, a), b),
                  b))
    c = np.where(below, np.where(below2, a, np.where(below3, np.where(below4, a, b), b)),
        np.where(below5, np.where(below6, np.where(below7, a, c), c),
                 c))
    if np.any(~(c > 0)):
        raise AssertionError("sides are positive")
    product = (a2 + (b2 + c)) * (c - (a2 - b2)) * (c + (a2 - b2)) * (a2 + (b2 - c))
    out = np.zeros(len(a))
    k = np.flatnonzero(~(product < 0))
    out[k] = np.sqrt(product[k]) / 4
    return out.reshape(shape)
