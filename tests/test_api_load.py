"""autovec/emit/load.py: emitted text is a function like any other to Python's tools."""

import gc
import inspect
import linecache
import pickle
import traceback

import pytest

from autovec.emit.load import load

TEXT = '''\
import numpy as np


def half(x):
    """Half of it."""
    if x < 0:
        raise ValueError("negative")
    return np.true_divide(x, by)
'''


def test_source_and_traceback_show_the_text():
    half = load(TEXT, "half", {"by": 2}, "half")
    assert half(3) == 1.5
    assert inspect.getsource(half) == TEXT.partition("\n\n\n")[2]
    with pytest.raises(ValueError) as caught:
        half(-1)
    shown = "".join(traceback.format_exception(caught.value))
    assert 'raise ValueError("negative")' in shown
    assert "<autovec half " in shown


def test_lines_survive_checkcache():
    half = load(TEXT, "half", {"by": 2}, "half")
    linecache.checkcache()
    assert "def half" in inspect.getsource(half)


def test_namespace_is_copied():
    namespace = {"by": 2}
    load(TEXT, "half", namespace, "half")
    assert namespace == {"by": 2}


def test_two_texts_of_one_name_are_kept_apart():
    one = load(TEXT, "half", {"by": 2}, "half")
    other = load(TEXT.replace("Half", "Part"), "half", {"by": 4}, "half")
    assert "Half" in inspect.getsource(one)
    assert "Part" in inspect.getsource(other)
    assert (one(1), other(1)) == (0.5, 0.25)


def test_lines_go_with_the_function():
    half = load(TEXT, "half", {"by": 2}, "half")
    filename = half.__code__.co_filename
    assert filename in linecache.cache
    del half
    gc.collect()
    assert filename not in linecache.cache


def test_text_that_fails_leaves_nothing_behind():
    gc.collect()
    before = set(linecache.cache)
    with pytest.raises(SyntaxError):
        load("def half(:\n", "half", {}, "half")
    with pytest.raises(KeyError):
        load("x = 1\n", "half", {}, "half")
    with pytest.raises(TypeError, match="half as a int, not a function"):
        load("half = 1\n", "half", {}, "half")
    gc.collect()
    assert set(linecache.cache) == before


def test_future_statements_of_the_loader_are_not_inherited():
    annotated = load("def f(x: int): return x\n", "f", {}, "f")
    assert annotated.__annotations__ == {"x": int}
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(annotated)


def test_live_names_are_looked_up_at_every_call():
    world = {"k": 2}
    text = "def f(x):\n    return abs(x) * k\n"
    f = load(text, "f", {}, "f", world.__getitem__)
    assert f(-3) == 6
    world["k"] = 5
    assert f(-3) == 15
    del world["k"]
    with pytest.raises(NameError, match="k"):
        f(1)
    assert world == {}
