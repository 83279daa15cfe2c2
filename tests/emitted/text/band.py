import numpy as np


def texts(method, *args):
    """What a function makes of every element, as text: np.strings has none, or cuts what grows."""
    return np.asarray(np.frompyfunc(method, len(args), 1)(*args), dtype=str)


def band(x, code):
    """An operation that has no rule: that expression alone loops.

    Batched: x, code (arrays that broadcast).
    """
    y = 2 * x + 1
    return y * np.strings.str_len(texts(str, code))
