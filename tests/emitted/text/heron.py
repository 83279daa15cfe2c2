import numpy as np


def heron(a, b, c):
    """sorted() of a fixed number of values, an assert, and arithmetic under try.

    Batched: a, b, c (arrays that broadcast).
    """
    a, b, c = np.broadcast_arrays(a, b, c)
    shape, a, b, c = a.shape, a.ravel(), b.ravel(), c.ravel()
    test = b < c
    test2 = a < b
    test3 = a < c
    test4 = a < b
    test5 = a < b
    test6 = a < b
    test7 = a < c
    a2 = np.where(test, np.where(test2, c, np.where(test3, c, a)),
         np.where(test5, np.where(test6, b, a),
                  a))
    b2 = np.where(test, np.where(test2, b, np.where(test3, np.where(test4, b, a), c)),
         np.where(test5, np.where(test6, np.where(test7, c, a), b),
                  b))
    c = np.where(test, np.where(test2, a, np.where(test3, np.where(test4, a, b), b)),
        np.where(test5, np.where(test6, np.where(test7, a, c), c),
                 c))
    if np.any(~(c > 0)):
        raise AssertionError("sides are positive")
    product = (a2 + (b2 + c)) * (c - (a2 - b2)) * (c + (a2 - b2)) * (a2 + (b2 - c))
    out = np.zeros(len(a))
    k = np.flatnonzero(~(product < 0))
    out[k] = np.sqrt(product[k]) / 4
    return out.reshape(shape)
