"""Functions of the user's that a function calls: their names, their world, their text."""

from __future__ import annotations

import ast
import functools
import types
from dataclasses import dataclass

import numpy as np

import autovec
from tests.harness import check

X = np.array([1.0, -2.0, 0.0, 3.5])
RATE = 1.5
ONE = (1.0, 2.0)
TABLE = ((1.0, 2.0), (3.0, 4.0))
SET = {1.0, 2.0}


def strict(f):
    return autovec.vectorize(f, fallback="error")


def scaled(c):
    def inner(x):
        return x * c if x > c else c

    return inner


one, two = scaled(1.0), scaled(-2.0)


def sum_of_two(x):
    c = 10
    return one(x) + c * two(x)


def test_closures_of_one_factory_are_helpers_with_values_of_their_own():
    text = check(sum_of_two, X).text
    assert "c = 1.0" in text and "-2.0" in text


def test_a_helper_reads_the_globals_of_its_own_module():
    other = types.ModuleType("other")
    exec("RATE = 7.0\ndef inner(x):\n    return x * RATE", vars(other))
    linked = types.FunctionType(
        sum_in.__code__, globals(), closure=(types.CellType(inner_of(other)),)
    )
    assert autovec.vectorize(linked)(X).tolist() == [linked(x) for x in X.tolist()]


def inner_of(module):
    """A function of this file that lives in another module's globals."""
    return types.FunctionType(by_rate.__code__, {**vars(module), "RATE": 7.0})


def by_rate(x):
    return x * RATE


def make_sum_in(inner):
    def sum_in(x):
        return inner(x) + RATE

    return sum_in


sum_in = make_sum_in(by_rate)


def test_the_text_is_that_of_the_function_asked(monkeypatch):
    first, second = (autovec.vectorize(scaled(c)) for c in (2.0, 5.0))
    assert "c = 2.0" in first.emit(X) and "c = 5.0" in second.emit(X)
    first(X)
    assert "c = 2.0" in first.source
    f = autovec.vectorize(by_rate)
    assert "RATE = 1.5" in f.emit(X)
    monkeypatch.setitem(globals(), "RATE", 7.5)
    assert "RATE = 7.5" in f.emit(X)
    assert f(X).tolist() == (X * 7.5).tolist()


def test_a_looping_text_is_that_of_the_function_asked():
    def factory(c):
        return lambda x: print(end="") or x * c

    for c in (2.0, 5.0):
        f = autovec.vectorize(factory(c), fallback="silent")
        assert f"c = {c}" in f.emit(X)


def polynomial(coefficients, x):
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


def rational(pair, x):
    above, below = pair
    return polynomial(above, x) / polynomial(below, x)


def of_table(x):
    return rational(TABLE, x) + polynomial(ONE, x)


def known(names, x):
    return 1.0 if x in names else 0.0


def in_set(x):
    return known(SET, x)


def test_what_a_helper_reads_of_a_table_is_checked_where_the_caller_has_it(monkeypatch):
    f = strict(of_table)
    for _ in range(3):
        f(X)
    assert f.cache_info().misses == 1
    monkeypatch.setitem(globals(), "ONE", (1.0, 2.0, 3.0))
    monkeypatch.setitem(globals(), "TABLE", ((1.0, 2.0), (3.0, 4.0, 5.0)))
    assert f(X).tolist() == [of_table(x) for x in X.tolist()]


def test_what_was_compiled_in_by_value_is_checked_by_value(monkeypatch):
    f = strict(in_set)
    assert f(X).tolist() == [in_set(x) for x in X.tolist()]
    monkeypatch.setitem(globals(), "SET", {1.0, 3.5})
    assert f(X).tolist() == [in_set(x) for x in X.tolist()]


@dataclass
class Body:
    mass: float
    speed: float = 2.0


@dataclass
class System:
    sun: Body
    planet: Body


def body(x, k):
    if k > 0:
        return Body(x / k, speed=x)
    return Body(1.0)


def system(x, k):
    sun = body(x, k)
    return System(sun, body(k, 1))


def test_dataclasses_made_in_helpers_and_in_each_other():
    for f in (body, system):
        check(f, X, np.array([1, 0, 5, 2]), vectorize=strict)


helper = lambda v: v * 2 if v > 0 else v  # noqa: E731


def test_a_lambda_is_called_what_its_variable_is():
    assert "def helper_batched(v)" in check(lambda x: helper(x), X, vectorize=strict).text


def root(x, k):
    return x**0.5 if x >= 0 else -1.0 * k


def int_power(x, k):
    return k**3 + root(x, k)


class Meter:
    def __init__(self, scale):
        self.scale = scale

    def rate(self):
        return self.scale * 2.0

    def read(self, x, rate):
        return self.rate() * x + rate


def test_functions_that_are_called_like_a_helper_of_ours_or_like_a_parameter():
    k = np.array([1, 3, 2, 0])
    for f in (root, int_power):
        check(f, np.abs(X), k, vectorize=strict)
    read = strict(Meter(3.0).read)
    assert read(X, X).tolist() == [Meter(3.0).read(x, x) for x in X.tolist()]


def logged(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)

    return wrapper


@logged
def twice(v, times=2):
    return v * times if v > 0 else v


def total(*values, **more):
    return sum(values) + more.get("extra", 0)


def test_helpers_with_any_number_of_arguments():
    functions = (
        lambda x: twice(x) + 1,
        lambda x: twice(v=x, times=3) + 1,
        lambda x: total(x, 2 * x, 3),
        lambda x: total(*(x, x), extra=x),
    )
    for f in functions:
        check(f, X, vectorize=strict)


def test_defaults_tell_two_functions_of_one_def_apart():
    pair = [lambda x, k=k: x * k for k in (2.0, 3.0)]
    first, second = pair

    def f(x):
        return first(x) + 10 * second(x)

    check(f, X, vectorize=strict)


class Gain:
    value = 2.0


GAIN = Gain()


def gained(x):
    return x * GAIN.value


def test_twins_see_the_objects_that_are_handed_to_the_text():
    text = strict(lambda x: gained(x) + 1).emit(X)
    space: dict = {}
    exec(text, space)
    f = next(v for k, v in space.items() if isinstance(v, types.FunctionType))
    assert f(X, GAIN=GAIN).tolist() == (X * 2 + 1).tolist()


def share(chroma):
    c7 = chroma**7
    return c7 / (c7 + 25**7) if c7 > 0 else 0.0


def test_every_def_of_a_text_is_called():
    tree = ast.parse(strict(share).emit(X))
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    assert all(d.name in used for d in tree.body[:-1] if isinstance(d, ast.FunctionDef))


def half(v):
    return v / 2 if v > 1 else v * 3


def test_twins_that_are_the_same_are_printed_once():
    def f(x, y):
        return half(x) + half(y)

    text = check(f, X, X.astype("f4"), vectorize=strict).text
    assert text.count("def half_batched") == 1 and "half_batched2" not in text
