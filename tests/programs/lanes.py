"""Partial operations behind guards: what a lane does not take neither raises nor warns there."""

import math

import numpy as np

INF = float("inf")


def div(x, k):
    return x / k if k else 0.0


def whole_div(x, k):
    return 10 // k if k != 0 else -1


def mod(x, k):
    if k == 0:
        return 0
    return 10 % k


def divmods(x, k):
    if k:
        q, r = divmod(7, k)
        return q + r
    return 0


def log(x, k):
    return math.log(x) if x > 0 else 0.0


def log_base(x, k):
    return math.log(x, k) if x > 0 and k > 1 else 0.0


def sqrt(x, k):
    y = 0.0
    if x >= 0:
        y = math.sqrt(x)
    return y


def root(x, k):
    return x**0.5 if x >= 0 else -1.0


def reciprocal_power(x, k):
    return x**-2 if x and abs(x) < 1e9 and abs(x) > 1e-9 else 1.0


def int_power(x, k):
    return 2**k if k >= 0 else 0


def exp(x, k):
    return math.exp(x) if x < 700 else INF


def acos(x, k):
    return math.acos(x) if -1 <= x <= 1 else 0.0


def atanh(x, k):
    if not -1 < x < 1:
        return 2.0
    return math.atanh(x)


def integer(x, k):
    return int(x) if -1e9 < x < 1e9 else 0


def floor(x, k):
    return math.floor(x) if abs(x) < 1e9 else k


def rounding(x, k):
    return round(x) if x == x and abs(x) < 1e9 else 0


def factorial(x, k):
    return math.factorial(k) if k >= 0 else 1


def shift(x, k):
    return 1 << k if k >= 0 else 0


def gamma(x, k):
    return math.gamma(x) if 0.1 < x < 100 else 0.0


def fmod(x, k):
    return math.fmod(x, k) if k and abs(x) < 1e300 else 0.0


def numpy_log(x, k):
    return np.log(x) if x > 0 else 0.0


def raising(x, k):
    if k == 99:
        raise ValueError(1 / 0)
    return x


def asserting(x, k):
    if x > 0:
        assert k > -5, 1 // 0
    return k


def behind_and(x, k):
    return k and x and 10 // k > 0 or x > 0 and math.log(x) > 1


def behind_return(x, k):
    if k == 0:
        return 0
    if x != x or abs(x) == INF:
        return 1
    return 10 // k + int(x > 1)


def in_helper(x, k):
    def inverse(v):
        return 10 // v

    return inverse(k) if k else 0


def in_match(x, k):
    match k:
        case 0:
            return 0
        case n if 10 // n > 3:
            return n
        case _:
            return 10 % k


def in_loop(x, k):
    s = 0
    for i in (0, 1, 2):
        if k != i:
            s += 10 // (k - i)
    return s


def in_comprehension(x, k):
    return sum(10 // (k - i) if k != i else 0 for i in range(3))


def in_try(x, k):
    if x > 0:
        try:
            return 10 // k
        except ZeroDivisionError:
            return -1
    return 0


def in_nested(x, k):
    if x > 0:
        if k:
            y = 10 // k
            if y > 2:
                return math.log(x) / y
            return y
        return math.sqrt(x)
    return x


def uniform_failure(x, k, limit=0):
    """Uniform code that fails stands in a branch that no lane takes."""
    if k > 1000:
        return 1 // limit
    return k


def uniform_log(x, k, limit=-1.0):
    if x == 12.5:
        return math.factorial(int(limit)) + 0.5
    return x
