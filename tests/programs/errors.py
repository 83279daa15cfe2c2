"""raise and assert on varying conditions."""

import math

from tests.programs.grid import program

LOW = -5


class Refused(Exception):
    """An exception of the user's own."""

    def __init__(self, value, why="no"):
        super().__init__(value, why)
        self.value = value


@program("f")
def raise_in_front(x):
    if x < -2:
        raise ValueError(f"too low: {x}")
    return x + 1


@program("fi")
def raise_in_else(x, k):
    if k >= -1:
        y = x * k
    else:
        raise ValueError("negative", k)
    return y


@program("fi")
def two_raises(x, k):
    if k == -1000:
        raise KeyError(k)
    y = x + k
    if x == -3:
        raise ValueError(f"{x:.2f} and {k:+d}, {y!r}")
    return y


@program("fi")
def raise_in_depth(x, k):
    if x > 0:
        if k < 0:
            z = math.log(x)
            if z > 1:
                raise ArithmeticError(f"z={z:.3f} at {k}")
            return z
        x = x - 1
    return x


@program("fi")
def raise_behind_returns(x, k):
    if k > 0:
        return x / k
    if k == -1000:
        raise IndexError
    return x


@program("f")
def own_exception(x):
    if x == 7:
        raise Refused(x, why="seven")
    return x


@program("f")
def raise_from(x):
    if x == 2.5:
        raise ValueError("bad") from KeyError("cause")
    return x


@program("fi")
def asserts(x, k):
    assert k > -500, f"k is {k}"
    assert x == x
    return x + k


@program("fi")
def assert_in_branch(x, k):
    if k > 0:
        assert x != 2.5, (x, k)
        y = x / k
    else:
        y = 1.0
    return y


@program("f")
def raise_in_helper(x):
    return checked(x) + 1


def checked(v):
    if v < -2:
        raise ValueError(f"helper: {v}")
    return v * 2


@program("fi")
def helper_guarded(x, k):
    if x > -1:
        return checked(x)
    return k


@program("fI")
def uniform_raise(x, k):
    if k > 100:
        raise ValueError("never here")
    if x > 5 and k > 1:
        raise ValueError(f"{k} and {x}")
    return x


@program("f")
def all_paths_raise_or_return(x):
    if x > 0:
        return x
    elif x > -2:
        return 0.0
    else:
        raise ValueError


@program("f")
def message_computes(x):
    scaled = x * 100
    if scaled < -200:
        raise ValueError(f"{scaled:8.1f}|{abs(x):g}|{x > 0}|{'low' if x < 0 else 'high'}")
    return scaled


@program("fi")
def raise_in_loop(x, k):
    s = 0.0
    for i in range(3):
        if k + i == -6:
            raise ValueError(f"trip {i} of {k}")
        s += x * i
    return s


@program("fi")
def raise_in_ternary_side(x, k):
    y = checked(x) if k > 2 else x
    return y


@program("s")
def raise_for_strings(s):
    if s == "ccc":
        raise KeyError(s)
    return len(s)


@program("i")
def integer_division(k):
    return 10 // (k - 7), 10 % (k - 7)


@program("fi")
def int_of_float(x, k):
    if k > 0 and x != 1e300:
        return int(x)
    return k


@program("f")
def factorial_of_negative(x):
    if x > 1e18 or x != x:
        return 0
    return math.factorial(int(abs(x)) % 9) + math.floor(x)


@program("i")
def match_raises(k):
    match k:
        case 0 | 1:
            return k
        case n if n < -500:
            raise ValueError(f"no case for {n}")
        case _:
            return -k


@program("fi")
def first_failing_place_is_not_first_lane(x, k):
    if k == 10:
        raise ValueError(f"first place {k}")
    if k == 3:
        raise ValueError(f"second place {k}")
    assert k != 7, "third place"
    return x // k
