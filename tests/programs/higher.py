"""Functions as values: passed, returned, chosen, kept in tables, closed over."""

import functools
import math
import operator

from tests.programs.grid import program

RATE = 1.5


def square(t):
    return t * t


def bisect(f, low, high, steps=20):
    for _ in range(steps):
        middle = (low + high) / 2
        if f(middle) > 0:
            high = middle
        else:
            low = middle
    return low


@program("f")
def global_function_passed(x):
    return bisect(square, x, x + 1)


@program("f")
def lambda_passed(x):
    return bisect(lambda t: t * t - x, 0.0, x + 2)


@program("f")
def lambda_that_reads_a_global_passed(x):
    return bisect(lambda t: RATE * t - x, 0.0, high=x + 1)


def newton(f, slope, x, tol):
    for _ in range(30):
        if not abs(f(x)) > tol:
            break
        x = x - f(x) / slope(x)
    return x


@program("f")
def functions_passed_into_a_loop(x):
    return newton(lambda t: t * t - 2 - abs(x), lambda t: 2 * t, 1.0, 1e-9)


def integrate(f, a, b, n):
    if n == 0:
        return (b - a) * f((a + b) / 2)
    m = (a + b) / 2
    return integrate(f, a, m, n - 1) + integrate(f, m, b, n - 1)


@program("f")
def function_passed_down_a_recursion(x):
    return integrate(lambda t: math.cos(t) * x, 0.0, 1.0, 3)


def twice(f):
    return lambda t: f(f(t))


@program("f")
def function_of_a_function(x):
    return twice(lambda t: t + x)(x)


def compose(*functions):
    """What it gives calls them one after the other."""

    def composed(t):
        for f in functions:
            t = f(t)
        return t

    return composed


@program("f")
def variadic_composition(x):
    return compose(square, lambda t: t + x, math.sin)(x)


@program("f")
def local_function_passed_to_a_local_one(x):
    def add(t):
        return t + x

    def apply(h, x):
        return h(x) * 2

    return apply(add, 3 * x)


@program("f")
def names_of_two_scopes(x):
    """`c` is the helper's parameter here and the outer function's variable there."""
    c = 1.5

    def shifted(t):
        y = t + c
        return y

    def scaled(c):
        return shifted(c) * 2

    return scaled(x)


@program("f")
def nested_closures(x):
    def outer(t):
        c = t * 2

        def inner(u):
            return u + c + x

        return inner(t) + inner(c)

    return outer(x)


@program("f")
def closure_made_by_statements(x):
    def make(c):
        k = c * 2
        return lambda t: t + k

    return make(x)(3.0) + make(1.0)(x)


@program("f")
def variable_read_when_called(x):
    n = 0

    def count():
        return n + x

    n = 3
    return count()


@program("f")
def late_binding(x):
    fs = [lambda t: t * i for i in range(3)]
    return fs[0](x) + fs[1](x) + fs[2](x)


@program("f")
def default_of_each_turn(x):
    fs = [lambda t, i=i: t * i for i in range(3)]
    return fs[0](x) + fs[1](x) + fs[2](x)


@program("f")
def loop_over_functions(x):
    s = x
    for f in (lambda t: t + x, lambda t: t * 2, square):
        s = f(s)
    return s


OPS = {"square": square, "negate": lambda t: -t, "absolute": math.fabs}
LISTED = [square, math.sin, lambda t: t + 1]


@program("f")
def table_of_functions(x):
    return OPS["square"](x) + LISTED[-1](x)


@program("fi")
def function_at_a_varying_index(x, k):
    return LISTED[k % 3](x) + (math.sin, math.cos)[k % 2 - 1](x)


@program("f")
def local_table_of_functions(x):
    table = {True: lambda t: t * x, False: square}
    return table[x > 1](x)


@program("f")
def chosen_by_a_test(x):
    f = math.sin if x > 0 else math.cos
    return f(x)


@program("fi")
def chosen_in_branches(x, k):
    if x > 0:
        y = x * 2
        f = functools.partial(operator.add, y)
        if k > 1:

            def f(t):
                return t - k

    else:
        f = math.fabs
    return f(x)


@program("f")
def partial_inside(x):
    p = functools.partial(bisect, square, steps=5)
    return p(x, x + 1) + functools.partial(max, 1.0)(x)


halved = functools.partial(operator.mul, 0.5)
clamped = functools.partial(max, 0.0)


@program("f")
def partial_outside(x):
    return halved(x) + clamped(x)


def powers(x, n=2, *rest, **named):
    s = x**n
    for r in rest:
        s = s + r
    return s + named.get("z", 0) if named else s


@program("f")
def stars(x):
    a = (x, 3)
    k = {"z": x}
    return powers(*a) + powers(x, 2, 1.0, x, **k)


def total(items):
    return sum(items)


@program("f")
def generator_passed(x):
    return total(x * i for i in range(4))


def counted(x, seen=[]):  # noqa: B006
    return x + len(seen)


@program("f")
def mutable_default(x):
    return counted(x) + counted(x)


def applied(f, x, *, g=math.cos):
    return f(g(x))


@program("f")
def function_by_default(x):
    return applied(math.exp, x) + applied(g=lambda t: t / 10, f=math.cos, x=x)
