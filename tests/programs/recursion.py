"""Functions that call themselves: for the lanes that make the call."""

import functools
import math

from tests.programs.grid import program


@program("i")
def digit_sum(n):
    if n < 0:
        return digit_sum(-n)
    if n < 10:
        return n
    return n % 10 + digit_sum(n // 10)


@program("i")
def factorial(n):
    n = n % 15
    return 1 if n <= 1 else n * product_down(n - 1)


def product_down(n):
    return 1 if n <= 1 else n * product_down(n - 1)


@program("i")
def fibonacci(k):
    if k > 10:
        return fibonacci(k % 10)
    if k < 2:
        return k
    return fibonacci(k - 1) + fibonacci(k - 2)


@program("i")
def even(n):
    n = abs(n) % 20
    return is_even(n)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@program("ii")
def common_divisor(a, b):
    return abs(a) if b == 0 else common_divisor(b, a % b)


@program("i")
def accumulated(n, total=0):
    n = min(n, 30)
    if n <= 0:
        return total
    return accumulated(n - 1, total + n)


@program("ff")
def quadrature(a, b):
    a, b = max(-5.0, min(5.0, a)), max(-5.0, min(5.0, b))
    return adaptive(a, b, 5)


def adaptive(a, b, depth):
    middle = (a + b) / 2
    whole = (b - a) * math.exp(-middle * middle)
    if depth == 0 or abs(whole) < 1e-3:
        return whole
    return adaptive(a, middle, depth - 1) + adaptive(middle, b, depth - 1)


@program("fi")
def power(x, n):
    return powered(x, n % 9)


def powered(x, n):
    if n == 0:
        return 1.0
    if n % 2:
        return x * powered(x, n - 1)
    half = powered(x, n // 2)
    return half * half


@program("i")
def statements_around_the_call(n):
    n = min(max(n, 0), 12)
    below = 0
    if n > 0:
        below = statements_around_the_call(n - 1)
        below = below * 2 + 1
    for _ in range(3):
        below += n
    return below


@program("i")
def in_a_loop(n):
    n = abs(n) % 5
    total = 1
    for k in range(n):
        total += in_a_loop(k)
    return total


@program("fi")
def several_results(x, n):
    n = abs(n) % 6
    return bounds(x, n)


def bounds(x, n):
    if n == 0:
        return x, x
    low, high = bounds(x / 2, n - 1)
    return low - 1, high + 1


@program("i")
def of_three(n):
    return first(abs(n) % 17)


def first(n):
    return 0 if n < 1 else 1 + second(n - 1)


def second(n):
    if n < 1:
        return 10
    return third(n - 1) if n % 2 else first(n - 2)


def third(n):
    return first(n - 1) - 1


@program("f")
def always_through_another(x):
    return ping(min(abs(x), 20.0)) if x == x else 0.0


def ping(x):
    return pong(x - 1)


def pong(x):
    if x < 0:
        return x
    return ping(x)


@program("i")
def kind_found_late(n):
    """The first way out is an int, the others floats."""
    n = abs(n) % 9
    if n == 0:
        return 0
    return kind_found_late(n - 1) + 0.5


@program("fi")
def local_function(x, n):
    def down(k):
        return x if k <= 0 else down(k - 1) + x

    return down(n % 7)


@program("fi")
def local_functions_in_turn(x, n):
    def ahead(k):
        if k <= 0:
            return x
        return -back(k - 1)

    def back(k):
        return ahead(k - 1) + 1

    return ahead(n % 8)


@program("i")
def remembered(n):
    return cached(n % 12)


@functools.lru_cache(maxsize=None, typed=True)
def cached(n):
    return n if n < 2 else cached(n - 1) + cached(n - 2)


@program("i")
def uniform_depth(n):
    return halved(n, 3)


def halved(n, times):
    if times == 0:
        return n
    return halved(n // 2, times - 1)


@program("fi")
def named_by_keyword(x, n):
    if n <= 0:
        return x
    return named_by_keyword(n=min(n, 20) - 1, x=x + 1)


@program("i")
def checked(n):
    n = min(n, 10)
    if n < -2:
        raise ValueError(f"{n} is too small")
    if n <= 0:
        return n
    return checked(n - 3)
