"""Helpers, closures, lambdas, methods, parameters of every kind."""

import math
import operator
from dataclasses import dataclass

from tests.programs.grid import program

RATE = 0.25
LIMITS = (0.0, 2.5, 7.0)
TABLE = {"low": 1.5, "high": 4}


def halved(x):
    return x / 2


def clipped(x, low=0.0, high=2.0):
    if x < low:
        return low
    if x > high:
        return high
    return x


def safe_log(x):
    if x > 0:
        return math.log(x)
    return -1.0


def ratio(a, b):
    return a / b if b else 0


def pair(a, b):
    if a > b:
        return a, b
    return b, a


def fact3(k):
    r = 1
    for i in range(1, 4):
        r = r * (k + i)
    return r


def double_guard(x, k):
    if k == 0:
        return 0.0
    return ratio(safe_log(x), k)


@program("f")
def one_helper(x):
    return halved(x) + 1


@program("f")
def helper_with_branches(x):
    return clipped(x) + clipped(x, -1.0) * clipped(x, high=1.0)


@program("fi")
def helper_in_branch(x, k):
    if k > 0:
        y = safe_log(x)
    else:
        y = ratio(x, k)
    return y + safe_log(y)


@program("fi")
def helper_behind_and(x, k):
    return k != 0 and safe_log(x) / k > 0


@program("fi")
def helper_of_helpers(x, k):
    return double_guard(x, k) - double_guard(2.5, k)


@program("fi")
def helper_with_tuple(x, k):
    a, b = pair(x, k)
    c = pair(b, 1.0)[0]
    return a - b, c


@program("i")
def helper_with_loop(k):
    if k > 1:
        return fact3(k)
    return fact3(0) + fact3(k + 1)


@program("f")
def helper_of_a_constant(x):
    return x + safe_log(3.0) - clipped(9)


@program("fi")
def helper_after_return(x, k):
    if x > 1:
        return clipped(k)
    if k < 0:
        x = safe_log(-k)
    return clipped(x, k, 10)


@program("fi")
def helper_as_argument(x, k):
    def twice(f, v):
        return f(f(v))

    return twice(safe_log, x) + twice(halved, k)


@program("f")
def module_constants(x):
    return x * RATE + LIMITS[1] - TABLE["low"] * TABLE["high"]


@program("fi")
def nested_def(x, k):
    def inner(y):
        if y > 1:
            return y * 2
        return y + k

    return inner(x) - inner(k)


@program("f")
def local_lambda(x):
    square = lambda v: v * v  # noqa: E731
    return square(x) + square(2) - (lambda v, w=3: v + w)(x)


@program("f")
def late_binding(x):
    scale = 2
    grow = lambda v: v * scale  # noqa: E731
    scale = 5
    return grow(x)


@program("f")
def late_binding_in_loop(x):
    fs = [lambda v: v + c for c in (1, 2, 3)]
    return fs[0](x) + fs[1](x)


@program("f")
def default_binds_early(x):
    fs = [lambda v, c=c: v + c for c in (1, 2, 3)]
    return fs[0](x) * 10 + fs[1](x)


@program("fi")
def late_binding_of_a_varying_name(x, k):
    y = x

    def read():
        return y + 1

    a = read()
    if k > 0:
        y = k
    return a, read()


@program("fi")
def local_def_with_default(x, k):
    step = k + 1

    def move(v, by=step):
        return v + by

    step = 100
    return move(x) + move(x, 2)


@program("fi")
def local_with_early_return(x, k):
    def pick(v):
        if v > 2:
            return v
        if v < 0:
            return math.sqrt(-v)
        return 0.5

    return pick(x) + (pick(k) if k else 0)


@program("ff")
def local_calls_local(x, y):
    def f(v):
        return g(v) + 1

    def g(v):
        return v * y

    return f(x)


@program("ffi")
def many_parameters(x, y, k=2, *, scale=1.5, shift=0):
    return (x + y * k) * scale + shift


@program("ff")
def star_args(*values):
    return sum(values) / len(values)


@program("fff")
def first_and_rest(first, *rest):
    total = first
    for r in rest:
        if r > total:
            total = r
    return total


@program("fi")
def passes_star(x, k):
    args = (x, 0.0)
    kw = {"high": k + 3}
    return clipped(*args, **kw) + max(*args)


@program("f")
def positional_only(x, /, y=2.0):
    return x * y


@dataclass(frozen=True)
class Gains:
    kp: float
    limit: float = 2.0

    def clip(self, v):
        if v > self.limit:
            return self.limit
        return max(v, -self.limit)

    def output(self, error, k):
        if k == 0:
            return 0.0
        return self.clip(self.kp * error) / k

    @property
    def half(self):
        return self.limit / 2

    @staticmethod
    def bump(v):
        return v + 1

    @classmethod
    def name_length(cls, v):
        return v + len(cls.__name__)


GAINS = Gains(0.8)


@program("fi")
def method_of_an_object(x, k):
    return GAINS.output(x, k) + GAINS.limit


@program("f")
def property_and_static(x):
    return x * GAINS.half + GAINS.bump(x)


@program("ff")
def operators_as_functions(x, y):
    return operator.add(x, y) - operator.mul(x, 2) + operator.neg(y)


@program("fi")
def helper_raises_type(x, k):
    return float(int(k) + bool(k)) + abs(x)


@program("fi")
def same_helper_other_dtypes(x, k):
    return clipped(x), clipped(k, 0, 5), clipped(k + 0.5), clipped(3)


@program("fi")
def helper_argument_rebound(x, k):
    def shift(v):
        v = v + 1
        if v > 2:
            v = v / 2
        return v

    y = shift(x)
    return x, y, shift(y) + k
