"""What may be vectorized: defs, lambdas, closures, methods, partials, operations, opaque ones."""

import copy
import fractions
import functools
import math
import operator
import pickle
import types

import numpy as np
import pytest

import autovec
from autovec import vectorize, vmap

X = np.array([1.0, 4.0, 9.0])


def plain(x, k=2):
    return x * k


class Lens:
    """Methods of every kind, each vectorized."""

    unit = 3

    def __init__(self, power=2.0):
        self.power = power

    @vectorize
    def bend(self, x, extra=0.0):
        """Bend it."""
        return x * self.power + extra

    @vectorize(excluded={"table"})
    def look(self, x, table):
        return x * table[0]

    @staticmethod
    @vectorize
    def half(x):
        return x / 2

    @vectorize
    @staticmethod
    def third(x):
        return x / 3

    @vectorize
    @classmethod
    def scaled(cls, x):
        return x * cls.unit

    def ordinary(self, x):
        return x + self.power

    def __call__(self, x):
        return x - self.power


class Strong(Lens):
    unit = 5


def test_methods():
    lens = Lens()
    np.testing.assert_array_equal(lens.bend(X), X * 2)
    np.testing.assert_array_equal(lens.bend(X, extra=1.0), X * 2 + 1)
    np.testing.assert_array_equal(Lens(5.0).bend(X), X * 5)
    np.testing.assert_array_equal(Lens.bend(lens, X), X * 2)
    np.testing.assert_array_equal(lens.look(X, [3.0]), X * 3)
    np.testing.assert_array_equal(Lens.half(X), X / 2)
    np.testing.assert_array_equal(lens.half(X), X / 2)
    np.testing.assert_array_equal(lens.third(X), X / 3)
    np.testing.assert_array_equal(Lens.scaled(X), X * 3)
    np.testing.assert_array_equal(Strong().scaled(X), X * 5)


def test_an_attribute_that_changes_counts():
    lens = Lens()
    for power in (2.0, 2.0, 7.0, 7, 0.5):
        lens.power = power
        np.testing.assert_array_equal(lens.bend(X), X * power)


def test_bound_methods_look_like_methods():
    lens = Lens()
    assert lens.bend.__self__ is lens and lens.bend.__func__ is Lens.bend
    assert lens.bend == lens.bend and lens.bend != Lens().bend
    assert hash(lens.bend) == hash(lens.bend)
    assert lens.bend.__name__ == "bend" and lens.bend.__doc__ == "Bend it."
    assert lens.bend.__wrapped__(2.0) == 4.0
    assert str(lens.bend.__signature__) == "(x, extra=0.0)"
    assert "bend" in repr(lens.bend)


def test_bound_methods_pickle_and_copy_with_their_object():
    lens = Lens(7.0)
    again = pickle.loads(pickle.dumps(lens.bend))
    np.testing.assert_array_equal(again(X), X * 7)
    assert copy.deepcopy(lens.bend).__self__ is not lens


def test_bound_methods_and_callable_objects_given_as_functions():
    np.testing.assert_array_equal(vectorize(Lens().ordinary)(X), X + 2)
    np.testing.assert_array_equal(vectorize(Lens(4.0))(X), X - 4)
    np.testing.assert_array_equal(vmap(Lens().ordinary)(X), X + 2)


def test_function_in_a_class_attribute_after_the_fact():
    Lens.later = vectorize(lambda self, x: x + self.power)
    try:
        np.testing.assert_array_equal(Lens().later(X), X + 2)
    finally:
        del Lens.later


def test_closures_of_one_factory_are_kept_apart():
    def factory(k):
        def inner(x):
            return x * k

        return vectorize(inner)

    two, three = factory(2.0), factory(3)
    for _ in range(2):
        np.testing.assert_array_equal(two(X), X * 2)
        np.testing.assert_array_equal(three(X), X * 3)


def test_a_rebound_cell_counts():
    k = 2.0

    @vectorize
    def inner(x):
        return x * k

    np.testing.assert_array_equal(inner(X), X * 2)
    k = 5.0
    np.testing.assert_array_equal(inner(X), X * 5)
    k = 3
    assert inner(np.array([1, 2])).dtype == int


def test_lambdas_on_one_line():
    double, triple = vectorize(lambda x: x * 2), vectorize(lambda x: x * 3)
    np.testing.assert_array_equal(double(X), X * 2)
    np.testing.assert_array_equal(triple(X), X * 3)


def test_partials():
    g = functools.partial(lambda x, y, *, z=0: x * 100 + y * 10 + z, 3)
    np.testing.assert_array_equal(vectorize(g)(np.array([1, 2])), [310, 320])
    np.testing.assert_array_equal(
        vectorize(functools.partial(g, z=5))(np.array([1, 2])), [315, 325]
    )
    named = functools.partial(plain, k=5)
    np.testing.assert_array_equal(vectorize(named)(X), X * 5)
    np.testing.assert_array_equal(vectorize(named)(X, k=np.array([1, 2, 3])), X * [1, 2, 3])
    nested = functools.partial(functools.partial(g, 2), z=1)
    np.testing.assert_array_equal(vectorize(nested)(), 321)
    method = functools.partial(Lens(2.0).bend.__wrapped__, extra=1.0)
    np.testing.assert_array_equal(vectorize(method)(X), X * 2 + 1)


def test_an_array_in_a_partial_is_uniform():
    table = np.array([10.0, 20.0])
    g = functools.partial(lambda t, x: t[0] + x, table)
    np.testing.assert_array_equal(vectorize(g, fallback="silent")(X), X + 10)


def test_vectorized_functions_again():
    np.testing.assert_array_equal(vectorize(vectorize(plain))(X), X * 2)
    np.testing.assert_array_equal(vmap(vectorize(plain), fallback="silent")(X), X * 2)


def test_a_cached_function():
    @functools.lru_cache
    def square(x):
        return x * x

    np.testing.assert_array_equal(vectorize(square)(X), X * X)


@pytest.mark.parametrize(
    ("operation", "args", "want"),
    [
        (np.sqrt, (X,), [1, 2, 3]),
        (math.sqrt, (X,), [1, 2, 3]),
        (math.hypot, (X, 0.0), X),
        (operator.add, (X, 1), X + 1),
        (np.add, (X, X), X + X),
        (abs, (-X,), X),
        (max, (X, 4.0), [4, 4, 9]),
        (round, (X + 0.26, 1), [1.3, 4.3, 9.3]),
        (int, (X + 0.75,), [1, 4, 9]),
        (float, ([1, 2],), [1.0, 2.0]),
        (bool, ([0, 2],), [False, True]),
        (functools.partial(operator.mul, 2), (X,), X * 2),
    ],
)
def test_operations_that_have_a_rule(operation, args, want):
    f = vectorize(operation, fallback="error")
    for _ in range(2):
        np.testing.assert_array_equal(f(*args), want)
    assert f.cache_info().misses == 1
    assert "def " in f.source


@pytest.mark.parametrize(
    ("callee", "args", "want"),
    [
        (fractions.Fraction, ([1, 2],), None),
        ("{:.1f}".format, (X,), ["1.0", "4.0", "9.0"]),
        (str.encode, (["a", "b"],), [b"a", b"b"]),
        ([10, 20, 30].__getitem__, ([2, 0],), [30, 10]),
        (operator.itemgetter(0), (["ab", "cd"],), ["a", "c"]),
        (np.vectorize(plain), (X,), X * 2),
    ],
    ids=lambda v: getattr(v, "__name__", type(v).__name__),
)
def test_callables_without_source_or_rule_loop_visibly(callee, args, want):
    with pytest.warns(autovec.FallbackWarning, match="no Python source and no rule"):
        out = vectorize(callee)(*args)
    assert out.tolist() == [callee(v) for v in args[0]]
    if want is not None:
        assert out.tolist() == list(want)
    with pytest.raises(autovec.FallbackError, match="no Python source and no rule"):
        vectorize(callee, fallback="error")(*args)


def test_a_function_whose_source_is_gone_loops_visibly():
    namespace = {}
    exec("def f(x):\n    return x * 2 if x > 1 else 0.0\n", namespace)
    f = vectorize(namespace["f"])
    with pytest.warns(autovec.FallbackWarning, match="why: its source is not found: it was made"):
        np.testing.assert_array_equal(f(X), [0, 8, 18])
    with pytest.raises(autovec.SourceNotFound):
        f.emit(X)


def test_an_already_bound_builtin_without_arguments():
    assert vectorize(types.SimpleNamespace)() == types.SimpleNamespace()


def test_not_callable():
    with pytest.raises(TypeError):
        vectorize(None)
    with pytest.raises(TypeError, match="vmap takes a function, got 3"):
        vmap(3)
