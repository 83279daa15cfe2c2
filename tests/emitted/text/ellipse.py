import math

import numpy as np


def ellipse(a, b):
    """An inner function and a loop with the same number of turns for every sample.

    Batched: a, b (arrays that broadcast).
    """
    panels = 8
    a, b = np.broadcast_arrays(a, b)
    shape, a, b = a.shape, a.ravel(), b.ravel()
    bad = (a < 0) | (b < 0)
    if bad.any():
        lane = bad.argmax()
        raise ValueError(f"axes are positive: {a[lane].item()}, {b[lane].item()}")
    h = math.pi / 2 / panels
    ratio = math.pi / 2
    total = (np.sqrt((a * math.sin(0.0)) ** 2 + (b * math.cos(0.0)) ** 2)
             + np.sqrt((a * math.sin(ratio)) ** 2 + (b * math.cos(ratio)) ** 2))
    for i in range(1, panels):
        product = i * h
        total = total + ((4 if i % 2 != 0 else 2)
                         * np.sqrt((a * math.sin(product)) ** 2 + (b * math.cos(product)) ** 2))
    return (4 * total * h / 3).reshape(shape)
