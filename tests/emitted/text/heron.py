import numpy as np


def heron(a, b, c):
    """heron, batched: every sample of the arguments at once.

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
    part6 = b2 + c
    part5 = a2 + part6
    part8 = a2 - b2
    part7 = c - part8
    part4 = part5 * part7
    part10 = a2 - b2
    part9 = c + part10
    part3 = part4 * part9
    part12 = b2 - c
    part11 = a2 + part12
    part2 = part3 * part11
    out = np.zeros(len(a))
    sqrt = part2 < 0
    k = np.flatnonzero(~sqrt)
    part1 = np.sqrt(part2[k])
    out[k] = part1 / 4
    return out.reshape(shape)
