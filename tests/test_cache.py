"""Compiled text is kept by function and facts, and never answers for another function."""

import gc
import importlib.util
import threading
import types
import weakref

import numpy as np
import pytest

from autovec import vectorize
from autovec.run.cache import REGISTRY

X = np.array([1.0, 2.0, 3.0])

MODULE = """
import math
K = {k}

def f(x):
    return x * K
"""


def module_of(tmp_path, name, k):
    """Equal functions in two files: the same bytes of code, other globals."""
    path = tmp_path / f"{name}.py"
    path.write_text(MODULE.format(k=k))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_equal_functions_in_two_files(tmp_path):
    one, two = module_of(tmp_path, "one", 2.0), module_of(tmp_path, "two", 5)
    f, g = vectorize(one.f), vectorize(two.f)
    for _ in range(2):
        np.testing.assert_array_equal(f(X), X * 2)
        np.testing.assert_array_equal(g(X), X * 5)


def test_one_code_in_two_worlds():
    def template(x):
        return x * factor  # noqa: F821

    double = types.FunctionType(template.__code__, {"factor": 2.0})
    triple = types.FunctionType(template.__code__, {"factor": 3.0})
    f, g = vectorize(double), vectorize(triple)
    for _ in range(2):
        np.testing.assert_array_equal(f(X), X * 2)
        np.testing.assert_array_equal(g(X), X * 3)


def test_rebound_globals(tmp_path):
    module = module_of(tmp_path, "rebound", 2.0)
    f = vectorize(module.f)
    for k in (2.0, 2.0, 7, 7.5, np.float32(2), 2.0):
        module.K = k
        want = np.array([module.f(v) for v in X])
        out = f(X)
        np.testing.assert_array_equal(out, want)
        assert out.dtype == want.dtype


def test_a_rebound_helper(tmp_path):
    path = tmp_path / "helpers.py"
    path.write_text("def helper(x):\n    return x + 1\n\n\ndef f(x):\n    return helper(x) * 2\n")
    spec = importlib.util.spec_from_file_location("helpers", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    f = vectorize(module.f)
    np.testing.assert_array_equal(f(X), (X + 1) * 2)

    def helper(x):
        return x * 10

    module.helper = helper
    np.testing.assert_array_equal(f(X), X * 20)


def test_two_objects_of_one_function_share():
    def f(x):
        return x + 0.25

    one, two = vectorize(f), vectorize(f)
    one(X), two(X)
    assert one.cache_info().misses == 1
    assert two.cache_info() == (1, 0, 1)


def test_options_are_part_of_the_key():
    def f(x):
        return x + 0.5

    vectorize(f)(X)
    named = vectorize(f, name="other")
    named(X)
    assert named.cache_info().misses == 1 and "def other(" in named.source


def test_facts_are_part_of_the_key():
    f = vectorize(lambda x, k: x * k)
    assert f(X, 2).dtype == float
    assert f(X.astype(int), 2).dtype == int
    assert f(X.astype(int), 2.5).dtype == float
    assert f(X.astype("f4"), 2.5).dtype == np.float32
    assert f(X.astype("f4"), np.float64(2.5)).dtype == float
    assert f.cache_info().misses == 5


def test_entries_die_with_the_function():
    def build():
        def local(x):
            return x + offset

        offset = 3.0
        vectorized = vectorize(local)
        vectorized(X), vectorized(2.0)
        return vectorized, weakref.ref(local)

    vectorized, function = build()
    del vectorized
    gc.collect()
    assert function() is None


@pytest.mark.parametrize("with_source", [True, False])
def test_the_registry_holds_no_code(tmp_path, with_source):
    gc.collect()
    before = len(REGISTRY)
    if with_source:
        f = module_of(tmp_path, "short", 2.0).f
    else:
        f = eval("lambda x: x + 1")
    vectorized = vectorize(f, fallback="silent")
    vectorized(X), vectorized(X)
    assert len(REGISTRY) == before + 1
    del vectorized, f
    gc.collect()
    assert len(REGISTRY) == before


def test_the_object_of_a_method_is_not_kept_alive():
    class Model:
        k = 2.0

        @vectorize
        def scale(self, x):
            return x * self.k

    model = Model()
    model.scale(X), model.scale(X)
    alive, kind = weakref.ref(model), weakref.ref(Model)
    del model
    gc.collect()
    assert alive() is None
    del Model
    gc.collect()
    assert kind() is None


def test_arguments_are_not_kept_alive():
    class Table:
        k = 2.0

    f = vectorize(lambda x, t: x * t.k)
    table = Table()
    f(X, table), f(X, table)
    alive = weakref.ref(table)
    del table
    gc.collect()
    assert alive() is None


def test_ten_threads_compile_once():
    f = vectorize(lambda x: x * 2 if x > 1 else 0.0)
    results, start = [], threading.Barrier(10)

    def work():
        start.wait()
        results.append(f(X))

    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 10
    for out in results:
        np.testing.assert_array_equal(out, [0, 4, 6])
    info = f.cache_info()
    assert (info.hits, info.misses, info.currsize) == (9, 1, 1)


@pytest.mark.parametrize("count", [40])
def test_many_closures_do_not_pile_up(count):
    def factory(k):
        return vectorize(lambda x: x * k)

    for k in range(count):
        np.testing.assert_array_equal(factory(float(k))(X), X * k)
    code = factory(0.0).__wrapped__
    assert REGISTRY.size(code) <= 16
