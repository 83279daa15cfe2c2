"""The object that vectorize returns: names, text, explanations, pickling, the cache's counters."""

import copy
import functools
import inspect
import math
import pickle

import numpy as np
import pytest

import autovec
from autovec import vectorize, vmap

X = np.array([1.0, -4.0, 9.0])


@vectorize
def decorated(x, limit=2.0):
    """Cut it off."""
    return x if x < limit else limit


def function(x, k=2.0):
    """Scale it."""
    return x * k


made = vectorize(function)
mapped = vmap(function, in_axes=(0, None))


class Holder:
    @vectorize
    def method(self, x):
        return x


def test_names():
    assert decorated.__name__ == "decorated" and decorated.__module__ == __name__
    assert decorated.__doc__ == "Cut it off." and made.__doc__ == "Scale it."
    assert made.__wrapped__ is function
    assert str(inspect.signature(decorated)) == "(x, limit=2.0)"
    assert Holder.method.__qualname__ == "Holder.method"
    assert repr(made) == "<autovec.vectorize of function(x, k=2.0)>"
    assert repr(mapped) == "<autovec.vmap of function(x, k=2.0)>"


def test_attributes_of_the_function_are_kept():
    def f(x):
        return x

    f.unit, f.emit = "m", "mine"
    assert vectorize(f).unit == "m" and "def f(" in vectorize(f).emit(X)


def test_doc_and_name():
    f = vectorize(function, doc="Other.", name="scale_all")
    assert f.__doc__ == "Other."
    assert "def scale_all(" in f.emit(X)


@pytest.mark.parametrize("value", [decorated, made, mapped, Holder.method], ids=repr)
def test_pickling(value):
    again = pickle.loads(pickle.dumps(value))
    if value in (decorated, Holder.method):
        assert again is value
    else:
        np.testing.assert_array_equal(again(X, 3.0), value(X, 3.0))
        assert repr(again) == repr(value)


def test_options_survive_pickling():
    f = vectorize(function, otypes="f", excluded={"k"}, fallback="silent")
    again = pickle.loads(pickle.dumps(f))
    assert again(X, [3.0][0]).dtype == np.float32


def test_what_cannot_be_pickled_says_so():
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(vectorize(lambda x: x))


def test_copies():
    assert copy.copy(decorated) is decorated and copy.deepcopy(decorated) is decorated
    assert copy.deepcopy(made)(X).tolist() == made(X).tolist()

    class Model:
        k = 2.0

        def scale(self, x):
            return x * self.k

    model = Model()
    bound = vectorize(model.scale)
    other = copy.deepcopy(bound)
    model.k = 3.0
    assert other(X).tolist() == (X * 2).tolist() and bound(X).tolist() == (X * 3).tolist()


# ------------------------------------------------------------------ text


def test_emit_runs_nothing():
    def f(x):
        raise ValueError("ran")

    assert "def " in vectorize(f, fallback="silent").emit(X)


def test_emit_depends_on_the_arguments_only_by_their_facts():
    f = vectorize(function)
    assert f.emit(X) == f.emit(X[:1] * 7) == vectorize(function).emit(X)


def test_source_before_and_after_the_first_call():
    def f(x, n: int, label: "str" = "a"):
        return x * n

    g = vectorize(f)
    before = g.source
    assert before == g.emit(np.zeros(1), np.zeros(1, int))
    g(np.zeros(2, "f4"), np.zeros(2, "i2"))
    assert g.source == g.emit(np.zeros(1, "f4"), np.zeros(1, "i2"))
    compile(g.source, "text", "exec")


def test_source_takes_what_is_declared():
    def f(x: np.float32, n: "int", *rest, flag: bool, k=2, unknown: "Later" = 1, **named):  # noqa: F821
        return x * n if flag else x * k

    text = vectorize(f).source
    x, n, flag = np.zeros(1, "f4"), np.zeros(1, int), np.zeros(1, bool)
    assert text == vectorize(f).emit(x, n, flag=flag)
    assert vectorize(functools.partial(f, k=3)).source


@pytest.mark.parametrize("in_axes", [(0, None), {"n": None}, [0, None]])
def test_source_of_vmap_knows_what_is_mapped(in_axes):
    def f(x, n: int):
        return x * n

    assert vmap(f, in_axes).source == vmap(f, (0, None)).emit(X, 3)
    with pytest.raises(autovec.AutovecError, match="uniform argument n"):
        assert vmap(lambda x, n: x * n, in_axes).source
    with pytest.raises(autovec.AutovecError, match="uniform argument x"):
        assert vmap(lambda x, n: x * n, None).source


def test_source_of_an_operation_needs_a_call():
    with pytest.raises(autovec.AutovecError, match="depends on its arguments"):
        assert vectorize(np.hypot).source


def test_source_of_an_excluded_argument_needs_a_call():
    f = vectorize(lambda x, table: x * table[0], excluded={"table"}, fallback="silent")
    with pytest.raises(autovec.AutovecError, match="uniform argument table: call .* once"):
        assert f.source
    f(X, [2.0])
    assert "def " in f.source


def test_source_of_a_method_needs_its_object():
    class Local:
        @vectorize
        def method(self, x):
            return x

    with pytest.raises(autovec.AutovecError, match="Local.method is a method"):
        assert Local.method.source
    assert Local().method.source == Local().method.emit(X)
    assert "nothing runs as a loop" in Local().method.explain()
    Local().method(X)
    assert "def " in Local.method.source


def test_source_is_the_same_in_two_objects():
    assert vectorize(function).source == vectorize(function).source


def test_explain_names_lines():
    told = decorated.explain(X)
    assert told.startswith("decorated: what became of each line")
    assert "nothing runs as a loop" in told
    assert vectorize(function).explain() == vectorize(function).explain(np.zeros(1))
    told = vectorize(lambda x: f"{x}".upper(), fallback="silent").explain(X)
    assert "runs as a loop" in told and 'f"{x}".upper()' in told
    assert "no Python source" in vectorize("{}".format).explain(X)


# ------------------------------------------------------------------ counters


def test_cache_info_and_clear():
    f = vectorize(lambda x: x * 3)
    assert f.cache_info() == (0, 0, 0)
    for _ in range(3):
        f(X)
    f(X.astype("f4"))
    info = f.cache_info()
    assert (info.hits, info.misses, info.currsize) == (2, 2, 2)
    f.cache_clear()
    assert f.cache_info() == (0, 0, 0)
    f(X)
    assert f.cache_info() == (0, 1, 1)


def test_every_kind_of_call_is_cached():
    f = vectorize(lambda x, k=1.0, *rest, **named: x * k)
    calls = [
        lambda: f(X),
        lambda: f(X, 2.0),
        lambda: f(X, k=2.0),
        lambda: f(X, 2.0, 3.0),
        lambda: f(X, z=X),
        lambda: f(1.5),
        lambda: f([1, 2]),
    ]
    for call in calls:
        call()
        misses = f.cache_info().misses
        call()
        assert f.cache_info().misses == misses


def test_public_names():
    for name in autovec.__all__:
        assert getattr(autovec, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        autovec.nothing  # noqa: B018


def layered(x, y):
    scale = 2.0
    if x < 0:
        raise ValueError("below zero")
    z = x * scale
    if y > 1:
        z = math.log(z + 1)
    for k in range(3):
        z = z + k
    while z > 9:
        z = z / 2
    return z if y > 0 else -z


def test_explain_says_what_became_of_each_line():
    told = vectorize(layered).explain(X, X)
    for text, what in (
        ("if x < 0:", "a check"),
        ("z = x * scale", "all lanes"),
        ("if y > 1:", "math.log can warn or fail"),
        ("z = math.log(z + 1)", "the lanes that get there"),
        ("for k in range(3):", "a loop over whole arrays"),
        ("while z > 9:", "one by one"),
        ("return z if y > 0 else -z", "np.where"),
    ):
        assert f"{text}\n       -> " in told
        line = told.split(f"{text}\n       -> ")[1].split("\n")[0]
        assert what in line, line
