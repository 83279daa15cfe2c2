"""if, elif, else, early returns, ternaries."""

import math

from tests.programs.grid import program


@program("f")
def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    else:
        return 0


@program("ff")
def three_ways(x, y):
    if x > y:
        z = x - y
    elif x == y:
        z = 0.0
    else:
        z = y + 1
    return z * 2


@program("fi")
def nested(x, k):
    if x > 0:
        if k > 2:
            z = x + k
        elif k < 0:
            z = x - k
        else:
            z = 3.0
    else:
        if k == 0:
            z = -1.0
        else:
            z = x
    return z + k


@program("fi")
def partial_sides(x, k):
    if x > 0:
        z = math.log(x)
    elif k != 0:
        z = x / k
    else:
        z = math.sqrt(-x)
    return z


@program("f")
def without_else(x):
    z = x
    if x > 1:
        z = x - 1
    if z > 1:
        z = z / 2
    return z


@program("f")
def test_changes_in_its_branch(x):
    if x > 0:
        x = -x
    else:
        x = x - 1
    if x < -1:
        x = 5.0
    return x


@program("ff")
def test_of_names_that_change(x, y):
    big = x > y
    if big:
        x = y - 1
        y = x * 2
    elif x < y:
        x, y = y, x
    return x - y if big else y - x


@program("f")
def returns_at_every_depth(x):
    if x > 0:
        if x > 1:
            if x > 2:
                return 3.0
            return x / 2
        x = x + 10
    elif x < -1:
        return math.exp(x)
    return x * 3


@program("fi")
def some_paths_return(x, k):
    y = x
    if x > 0:
        if k > 2:
            return y * 2
        y = y + 1
    else:
        if k < 0:
            return math.log(2 - x)
        y = y - k
    if k == 1:
        y = y * y
    return y + 100


@program("fi")
def two_joins_behind_returns(x, k):
    if k > 3:
        if x < 0:
            return -1.0
    z = x * 2
    if x > 1:
        if k < 0:
            return z
        if k == 0:
            z = z / x
    elif k > 5:
        return z / k
    z = z + 1
    if z > 3:
        return math.sqrt(z)
    return z


@program("ff")
def five_returns(x, y):
    if x < y:
        return x / y
    if x == y:
        return 1.0
    if y < 0:
        return x - y
    if y == 0:
        return math.log1p(x)
    return x % y


@program("f")
def constant_tail(x):
    if x > 0:
        return math.log(x)
    return -1.0


@program("f")
def constant_in_front(x):
    if x <= 0:
        return -1.0
    return math.log(x) + 1


@program("fi")
def guard_clauses(x, k):
    if x != x:
        return 0.0
    if k == 0:
        return x
    if x < 0:
        x = -x
    r = x // k
    if r > 3:
        return r
    return r + x % k


@program("fb")
def flags(x, on):
    if on:
        return x + 1
    if not on and x > 1:
        return x - 1
    return x


@program("fB")
def uniform_test(x, on):
    if on:
        y = math.sqrt(x) if x > 0 else 0.0
    else:
        y = x
    return y + 1


@program("fB")
def uniform_test_with_returns(x, on):
    if on:
        if x > 1:
            return x
        x = x - 1
    else:
        return 2 * x
    return x / 2


@program("fI")
def uniform_inside_varying(x, k):
    if x > 0:
        if k > 1:
            y = x / k
        else:
            y = x * k
    else:
        y = 0
    return y


@program("ff")
def ternary(x, y):
    return x if x > y else y


@program("ff")
def nested_ternary(x, y):
    z = 0.0 if x < y else 1.0 if x > 1 else x - y
    return z + (y if z > 0.5 else -y)


@program("fi")
def ternary_with_partial_side(x, k):
    return 1 / x if x else float(k)


@program("fi")
def ternary_in_ternary_test(x, k):
    return x + 1 if (k if x > 0 else k - 1) > 0 else x - 1


@program("fi")
def ternary_in_arguments(x, k):
    return max(x if k else 0, k if x > 1 else 2) - abs(k if x < 0 else x)


@program("f")
def empty_sides(x):
    if x > 0:
        pass
    else:
        x = -x
    if x > 1:
        """Only a docstring."""
    return x


@program("f")
def both_sides_the_same(x):
    if x > 0:
        y = 1
    else:
        y = 1
    return y + x


@program("fi")
def branches_of_other_types(x, k):
    if k > 2:
        return k
    if k < 0:
        return x
    return k > 1


@program("fi")
def value_of_one_branch_only(x, k):
    if k > 0:
        y = x / k
    if k > 0:
        return y
    return -1


@program("f")
def code_behind_all_returned(x):
    if x > 0:
        return x
    else:
        return -x
    return 1 / 0  # never reached


@program("fi")
def long_chain(x, k):
    if k == 0:
        y = 0.0
    elif k == 1:
        y = x
    elif k == 2:
        y = x * x
    elif k == 3:
        y = x * x * x
    elif k < 0:
        y = 1 / x if x else 0.0
    else:
        y = abs(x) ** 0.5 * k
    return y


@program("fii")
def deep(x, a, b):
    if a > 0:
        if b > 0:
            if x > 0:
                if a > b:
                    r = x / a
                else:
                    r = math.log(x)
            else:
                r = a // b
        elif x < 0:
            r = a % (b - 1)
        else:
            return b
    elif b == 0:
        r = x
    else:
        r = a / b
    return r + a


@program("fi")
def same_value_in_nested_buffers(x, k):
    y = x
    if k > 0:
        y = x + 1
        if x > 1:
            y = math.log(x)
        z = y
    else:
        z = y - 1
    return y, z


@program("fi")
def reads_an_outer_value_in_depth(x, k):
    w = x * 2
    if k > 0:
        u = w / k
        if u > 1:
            v = u / w
            if v < k:
                return u + v + w
            w = v - u
        return w
    return w - 1


@program("i")
def parity(k):
    return "even" if k % 2 == 0 else "odd"


@program("fs")
def strings(x, s):
    if s == "a":
        return "first"
    if x > 1:
        return s
    return "no" if s else "empty"
