import numpy as np


def greatest_divisor_sample(a, b):
    """A loop whose number of turns differs between samples."""
    while b:
        a, b = b, a % b
    return a


def greatest_divisor(a, b):
    # a lane at a time: a loop test that differs between lanes (lanes that leave a loop one by one
    # come later), line 245
    lanes = np.broadcast(a, b)
    results = [greatest_divisor_sample(*lane) for lane in lanes]
    return np.array(results).reshape(lanes.shape)
