"""Loops that lanes leave one by one."""

import math

from tests.programs.grid import program

WEIGHTS = (0.5, 2.0, -1.0, 4.0)


@program("f")
def varying_while(x):
    n = 0
    while 1 < x < 1e6:
        x = x / 2
        n += 1
    return n


@program("f")
def break_on_some(x):
    s = 0.0
    for i in range(50):
        if s > x:
            break
        s += i
    return s


@program("f")
def continue_on_some(x):
    s = 0.0
    for i in range(40):
        if x < i:
            continue
        s += i
    return s


@program("f")
def return_inside_a_loop(x):
    for i in range(50):
        if i > x:
            return i
    return -1


@program("i")
def varying_trip_count(k):
    s = 0
    for i in range(k):
        s += i
    return s


@program("ii")
def range_with_a_start(k, m):
    s = 0
    for i in range(k, m, 3):
        s = s + i if i % 2 else s - 1
    return s


@program("ii")
def greatest_divisor(a, b):
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a


@program("f")
def newton(x):
    if not 0 < x < 1e6:
        return -1.0
    y = x
    for _ in range(60):
        step = (y * y - x) / (2 * y)
        y -= step
        if abs(step) < 1e-9:
            break
    return y


@program("fi")
def else_of_a_loop(x, k):
    s = x
    for w in WEIGHTS:
        s = s * w
        if s > k:
            break
    else:
        s = -k
    return s


@program("fi")
def while_with_else(x, k):
    n = 0
    while n < k:
        n += 1
        if n > x:
            break
    else:
        return -1
    return n


@program("fi")
def continue_in_while(x, k):
    n, s = 0, 0.0
    while n < 8:
        n += 1
        if n == k:
            continue
        s += x if n < k else 1.0
    return s


@program("ii")
def nested(k, m):
    s = 0
    for i in range(5):
        if i > k:
            break
        for j in range(4):
            if j * i > m:
                break
            s += i + j
    return s


@program("fi")
def return_from_the_inner_loop(x, k):
    for i in range(4):
        for j in range(3):
            if i * j > x:
                return i
            if j > k:
                break
    return -1


@program("f")
def endless_until_a_break(x):
    n = 0
    while True:
        n += 1
        if not x > n or n > 20:
            break
    return n


@program("f")
def guarded_by_the_loop(x):
    """Behind the test of the loop the operand is never zero."""
    n = 3
    s = 0.0
    while x * 0 == 0 and x != 0 and n > 0:
        s += 1 / x
        n -= 1
        x = x - 1
    return s


@program("fi")
def structures(x, k):
    best, at = x, 0
    for i, w in enumerate(WEIGHTS):
        if i > k:
            break
        if w * x > best:
            best, at = w * x, i
    return {"best": best, "at": (at, k)}


@program("fi")
def in_a_branch(x, k):
    if x > 0:
        n = 0
        while n < k:
            n += 2
        return math.sqrt(x) + n
    return x


@program("fF")
def trips_are_uniform(x, limit):
    n = 0
    while n < limit:
        if x > 2:
            return x
        n += 1
        x = x + n
    return n
