import numpy as np


def overtime(hours, rate):
    """overtime, batched: every sample of the arguments at once.

    Batched: hours, rate (arrays that broadcast).
    """
    return np.where(hours <= 0, 0.0,
           np.where(hours <= 38, hours * rate,
           np.where(hours <= 48, (1.5 * hours - 19) * rate,
                    (2 * hours - 43) * rate)))
