"""Functions as values: a helper's twin is made for the functions that it is handed."""

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import higher
from tests.programs.grid import calls, vectorised

X = np.array([-1.5, 0.0, 0.25, 3.0])


def strict(f):
    return autovec.vectorize(f, fallback="error")


@calls(higher)
def test_functions(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def test_what_a_function_reads_is_passed_in_its_place():
    text = strict(higher.lambda_passed).emit(X)
    assert "def bisect_batched(low, high, steps=20, *, x):" in text
    assert "bisect_batched(0.0, x + 2, x=x)" in text
    assert "lambda t" not in text


def test_a_function_that_holds_nothing_is_not_passed():
    text = strict(higher.global_function_passed).emit(X)
    assert "def bisect_batched(low, high, steps=20):" in text
    assert "bisect_batched(x, x + 1)" in text


def test_a_global_is_that_of_the_function_that_reads_it():
    text = strict(higher.lambda_that_reads_a_global_passed).emit(X)
    assert "RATE = 1.5" in text


@pytest.mark.parametrize("how", ["square", "negate", "absolute"])
def test_a_function_by_a_uniform_key(how):
    def f(x, how):
        return higher.OPS[how](x)

    vectorised(f, X, how)


def test_a_key_that_is_not_there():
    def f(x, how):
        return higher.OPS[how](x)

    def g(x, k):
        return higher.LISTED[k](x)

    check(f, X, "none")
    check(f, X, np.array(["square", "negate", "cube", "absolute"]))
    check(g, X, 3)
    check(g, X, np.array([0, -3, -4, 1]))


def test_a_function_that_was_rebound_is_compiled_anew():
    g = strict(higher.table_of_functions)
    before = g(X)
    higher.OPS["square"], kept = higher.applied, higher.OPS["square"]
    try:
        higher.OPS["square"] = abs
        assert not np.array_equal(g(X), before)
    finally:
        higher.OPS["square"] = kept
    np.testing.assert_array_equal(g(X), before)


def test_arguments_of_a_partial_are_read_at_every_call():
    import functools
    import operator

    def made(c):
        p = functools.partial(operator.mul, c)

        def f(x):
            return p(x) + 1

        return f

    for c in (2.0, 5.0):
        vectorised(made(c), X)


def test_memo_decorators_and_partials_that_are_rebound():
    import functools

    @functools.cache
    def inner(x):
        return x + 1

    def f(x):
        return inner(x)

    def other(x):
        return x * 3

    g = strict(f)
    np.testing.assert_array_equal(g(X), X + 1)
    inner = functools.cache(other)
    np.testing.assert_array_equal(g(X), X * 3)
    inner = functools.partial(max, 0.5)
    np.testing.assert_array_equal(g(X), np.maximum(X, 0.5))
    inner = functools.partial(min, 0.5)
    np.testing.assert_array_equal(g(X), np.minimum(X, 0.5))


class Scaled:
    """An object that is called, and holds what it is called with."""

    def __init__(self, rate):
        self.rate = rate

    def __call__(self, x):
        return self.rate * x

    def twice(self, x):
        return applied_twice(self.scaled, x)

    def scaled(self, x):
        return self.rate * x


def applied_twice(f, x):
    return f(f(x))


def test_methods_handed_to_a_helper():
    scaled = Scaled(1.5)

    def f(x):
        return applied_twice(scaled.scaled, x)

    vectorised(f, X)
    vectorised(scaled.twice, X)
    scaled = Scaled(-2)
    vectorised(f, X)
