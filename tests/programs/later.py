"""What still runs as one visible loop; a program moves to its subject's file when it compiles."""

import functools
import math


def recursion(k):
    if k < 1:
        return 0
    return 1 + recursion(k // 2)


def no_rule(k):
    return len(str(k)) + int(format(k, "d"))


def prints(x):
    if x > 1e6:
        print(x)
    return x


def partial_inside(x):
    return functools.partial(max, 1.0)(x)


def function_chosen_by_a_test(x):
    f = math.sin if x > 0 else math.cos
    return f(x)


def twice(f, x):
    return f(f(x))


def function_passed_to_a_helper(x):
    return twice(lambda v: v * 2 if v > 1 else v + 1, x)


def inverse(v):
    return 1 / v


def helper_inside_a_try(k):
    try:
        return inverse(k)
    except ZeroDivisionError:
        return 0.0


def loop_inside_a_try(k):
    s = 0.0
    try:
        for i in range(3):
            s += 6 / (k - i)
    except ZeroDivisionError:
        s = s - 100
    return s


def return_through_a_finally(k):
    y = 1.0
    try:
        if k == 0:
            return 0.0
        y = 6 / k
    finally:
        y = y + 1
    return y


def array_sample(v):
    return v.sum() + v[0]
