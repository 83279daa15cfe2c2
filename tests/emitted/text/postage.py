import numpy as np


def postage(grams, *, table={20: 0.95, 50: 1.1, 500: 1.8, 1000: 2.9}):
    """A table in a default argument, scanned in order.

    Batched: grams (arrays that broadcast).
    Shared: table.
    """
    shape, grams = np.shape(grams), np.ravel(grams)
    price = np.full(len(grams), 0.85)
    for limit, step in table.items():
        price = np.where(grams > limit, price + step, price)
    return price.reshape(shape)
