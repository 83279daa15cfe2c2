import numpy as np


def band_sample(x, code):
    """An operation that has no rule: that expression alone loops."""
    y = 2 * x + 1
    return y * len(str(code))


def band(x, code):
    # a lane at a time: a call of str (there is no rule for it), line 240
    lanes = np.broadcast(x, code)
    results = [band_sample(*lane) for lane in lanes]
    return np.array(results).reshape(lanes.shape)
