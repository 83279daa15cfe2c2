import numpy as np


def season(month, day):
    """Tuples in order, and strings for results.

    Batched: month, day (arrays that broadcast).
    """
    return np.where(((3 < month) | (3 == month) & (20 <= day))
                    & ((month < 6) | (month == 6) & (day < 21)),
                    "spring",
           np.where(((6 < month) | (6 == month) & (21 <= day))
                    & ((month < 9) | (month == 9) & (day < 22)),
                    "summer",
           np.where(((9 < month) | (9 == month) & (22 <= day))
                    & ((month < 12) | (month == 12) & (day < 21)),
                    "autumn",
                    "winter")))
