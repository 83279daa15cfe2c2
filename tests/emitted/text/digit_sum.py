import numpy as np


def digit_sum_sample(n):
    """A function that calls itself."""
    if n < 0:
        return digit_sum(-n)
    return n if n < 10 else n % 10 + digit_sum(n // 10)


def digit_sum(n):
    # a lane at a time: digit_sum calls itself (recursion loops for now), line 233
    lanes = np.broadcast(n)
    results = [digit_sum_sample(*lane) for lane in lanes]
    return np.array(results).reshape(lanes.shape)
