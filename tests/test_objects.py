"""Objects that all samples share: settings, methods, enumerations, dataclasses."""

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import objects
from tests.programs.objects import Code, Level, Model, Settings, Zone

X = np.array([0.5, -3.0, 2.0, np.nan, 60.0, 1.0, -0.0, 500.0])
K = np.array([3, 0, 5, 1, 2, -4, 1, 9])


def name_of(f):
    return getattr(f, "__name__", type(f).__name__)


@pytest.mark.parametrize("f", objects.FUNCTIONS, ids=name_of)
def test_functions(f):
    assert not check(f, X, K).fallbacks


@pytest.mark.parametrize("f", objects.METHODS, ids=name_of)
def test_methods(f):
    assert not check(f, X, K).fallbacks


@pytest.mark.parametrize("f", objects.OF_SETTINGS, ids=name_of)
def test_settings_as_arguments(f):
    for settings in (Settings(), Settings(rate=2.0, cap=1.0)):
        assert not check(f, X, K, settings).fallbacks


@pytest.mark.parametrize("f", objects.LOOPED, ids=name_of)
def test_members_as_results_are_objects(f):
    with pytest.warns(autovec.FallbackWarning):
        made = autovec.vectorize(f)(X, K)
    assert made.dtype == object
    assert all(a is f(x, k) for a, x, k in zip(made, X.tolist(), K.tolist(), strict=True))


def test_text_members_are_their_texts_in_comparisons():
    names = np.array(["local", "abroad", "moon"])

    def here(zone):
        return zone == Zone.LOCAL or zone in (Zone.ABROAD, "x")

    assert autovec.vectorize(here, fallback="error")(names).tolist() == [True, True, False]


def test_settings_are_read_at_every_call():
    model = Model()
    f = autovec.vectorize(model.score, fallback="error")
    before = f(1.0, 1)
    model.inner.k = 2.0
    model.weights[1] = 7.0
    assert f(1.0, 1) == model.score(1.0, 1) != before
    g = autovec.vectorize(model.by_mode, fallback="error")
    g(X, K)
    model.mode = "slow"
    assert g(np.array([1.0]), 1) == 0.0


def test_a_class_method_sees_its_class():
    model = Model()
    model.scale = 100.0  # the object's own
    f = autovec.vectorize(lambda x: model.of_class(x, 1), fallback="silent")
    assert f(np.array([2.0])).tolist() == [6.0]


def test_a_member_that_changes_is_noticed():
    class Switch:
        level = Level.MID

    def f(x):
        return x if Switch.level is Level.MID else -x

    g = autovec.vectorize(f, fallback="error")
    assert g(X[:1]) == 0.5
    Switch.level = Level.LOW
    assert g(X[:1]) == -0.5


def test_integer_members_are_integers():
    made = autovec.vectorize(objects.int_enum_result, fallback="error")(X, K)
    assert made.dtype == int and made.tolist() == [Code.A if k > 2 else Code.B for k in K]


def test_class_constants_are_noticed(monkeypatch):
    f = autovec.vectorize(objects.result_method, fallback="error")
    assert f(np.array([2.0]), 1) == 13.0
    monkeypatch.setattr(objects.Result, "RATE", 1.0)
    assert f(np.array([2.0]), 1) == 5.0
