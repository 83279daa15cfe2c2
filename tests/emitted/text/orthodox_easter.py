import numpy as np


def orthodox_easter(year):
    """Integers only: divmod, // and %.

    Batched: year (arrays that broadcast).
    """
    a = year % 4
    b = year % 7
    c = year % 19
    d = (19 * c + 15) % 30
    e = (2 * a + 4 * b - d + 34) % 7
    divmod2 = np.divmod(d + e + 114, 31)
    month = divmod2[0]
    day = divmod2[1]
    return month, day + 1
