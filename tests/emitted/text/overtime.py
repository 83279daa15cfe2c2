import numpy as np


def overtime(hours, rate):
    """Piecewise linear, early returns: selections only.

    Batched: hours, rate (arrays that broadcast).
    """
    return np.where(hours <= 0, 0.0,
           np.where(hours <= 38, hours * rate,
           np.where(hours <= 48, (1.5 * hours - 19) * rate,
                    (2 * hours - 43) * rate)))
