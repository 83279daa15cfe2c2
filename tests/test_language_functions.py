"""Helpers, closures, lambdas, methods, parameters of every kind, in every layout of arguments."""

import functools
import math
import operator

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import functions
from tests.programs.functions import clipped, safe_log
from tests.programs.grid import array, calls, vectorised

NAN = np.nan
SCALE = 2.0
X = np.array([0.0, -0.0, 1.0, 3.0, -2.0, NAN, np.inf])


@calls(functions)
def test_functions(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def strict(f):
    return autovec.vectorize(f, fallback="error")


def uses_global(x):
    return x * SCALE if x > 0 else SCALE


def test_rebinding_a_global_is_seen(monkeypatch):
    g = strict(uses_global)
    assert g(np.array([1.0, -1.0])).tolist() == [2.0, 2.0]
    monkeypatch.setitem(globals(), "SCALE", 10.0)
    assert g(np.array([1.0, -1.0])).tolist() == [10.0, 10.0]
    monkeypatch.setitem(globals(), "SCALE", 3)  # another type: another text
    got = g(np.array([2, -1]))
    assert got.tolist() == [6, 3] and got.dtype == np.int64
    monkeypatch.setitem(globals(), "SCALE", np.float32(0.5))
    assert g(np.array([1.0], "f4")).dtype == np.float32


def helper(x):
    return x + 1


def uses_helper(x):
    return helper(x) if x > 0 else x


def test_rebinding_a_helper_is_seen(monkeypatch):
    g = strict(uses_helper)
    assert g(np.array([1.0])).tolist() == [2.0]
    monkeypatch.setitem(globals(), "helper", lambda x: x * 100)
    assert g(np.array([1.0])).tolist() == [100.0]
    monkeypatch.setitem(globals(), "helper", math.sqrt)
    assert g(np.array([4.0])).tolist() == [2.0]


def test_rebinding_a_closure_is_seen():
    limit = 1.0

    def f(x):
        return x if x < limit else limit

    g = strict(f)
    assert g(np.array([0.5, 3.0])).tolist() == [0.5, 1.0]
    limit = 2
    assert g(np.array([0.5, 3.0])).tolist() == [0.5, 2.0]
    assert g(np.array([0, 3])).dtype == np.int64


def test_two_closures_of_one_factory():
    def factory(limit, f):
        def inner(x):
            return f(x) if x < limit else limit

        return inner

    one, two = strict(factory(1.0, abs)), strict(factory(5, lambda v: v * 2))
    x = np.array([-3.0, 2.0, 9.0])
    assert one(x).tolist() == [3.0, 1.0, 1.0]
    assert two(x).tolist() == [-6.0, 4.0, 5.0]
    assert one(x).tolist() == [3.0, 1.0, 1.0]


def test_mutated_objects_are_read_at_every_call():
    class Settings:
        gain = 2.0
        names = ("a", "b")

    settings = Settings()
    g = strict(lambda x: x * settings.gain)
    assert g(np.array([1.5])).tolist() == [3.0]
    settings.gain = 10
    assert g(np.array([1.5])).tolist() == [15.0]
    Settings.gain = 3.0
    del settings.gain
    assert g(np.array([1.5])).tolist() == [4.5]


def test_defaults_rebound():
    def f(x, a=1.0):
        return x + a

    g = strict(f)
    assert g(np.array([1.0])).tolist() == [2.0]
    f.__defaults__ = (5,)
    assert g(np.array([1.0])).tolist() == [6.0]
    assert g(np.array([1.0]), a=np.array([1, 2])).tolist() == [2.0, 3.0]
    assert g(np.array([1.0]), 7).tolist() == [8.0]


def test_keyword_only_arguments_as_arrays():
    def f(x, *, low=0.0, high):
        return low if x < low else high if x > high else x

    check(f, X, high=2.0)
    check(f, X, high=np.array(1.0), low=np.array(-1))
    check(f, X[:, None], high=np.array([1.0, 2.0]))
    with pytest.raises(TypeError, match="high"):
        strict(f)(X)


def test_star_arguments():
    def f(x, *rest, **named):
        total = x
        for r in rest:
            total += r
        for v in named.values():
            total *= v
        return total

    check(f, X)
    check(f, X, X, 2)
    check(f, X, 1.0, X, a=X, b=2)
    check(f, 2.0, X[:, None], X)


def test_methods_and_their_objects():
    class Pid:
        kind = "p"

        def __init__(self, kp, limit):
            self.kp, self.limit = kp, limit

        def __call__(self, x):
            return self.kp * x

        def output(self, error, scale=1.0):
            u = self.kp * error / scale
            if u > self.limit:
                return self.limit
            return max(u, -self.limit)

        @autovec.vectorize(fallback="error")
        def decorated(self, error):
            return self.limit if self.output(error) > 1 else self.kp

        @staticmethod
        def double(x):
            return x * 2

        @classmethod
        def named(cls, x):
            return x + len(cls.kind)

    a, b = Pid(2.0, 3.0), Pid(0.5, 1)
    for pid in (a, b):
        vectorised(pid.output, X)
        vectorised(pid.output, X, scale=np.array(2.0))
        vectorised(Pid.double, X)
        vectorised(Pid.named, X)
        np.testing.assert_array_equal(
            pid.decorated(X), [pid.limit if pid.output(v) > 1 else pid.kp for v in X.tolist()]
        )
    a.kp = 0.25
    assert a.decorated(np.array([9.0])).tolist() == [3.0]
    check(a, X)


def test_partials_and_lambdas_on_one_line():
    add, mul = (lambda x, y: x + y), (lambda x, y: x * y)
    assert strict(add)(np.array([3.0]), 4).tolist() == [7.0]
    assert strict(mul)(np.array([3.0]), 4).tolist() == [12.0]
    low = functools.partial(clipped, low=-1.0)
    np.testing.assert_array_equal(strict(low)(X), [low(v) for v in X.tolist()])
    np.testing.assert_array_equal(
        strict(functools.partial(clipped, 3.0))(np.array([5.0, 0.0])), [5.0, 2.0]
    )


@pytest.mark.parametrize("kinds", ["ff", "gg", "ii", "gj", "hb", "fi", "if", "bf"])
def test_helpers_are_compiled_for_their_arguments(kinds):
    """One helper for several dtypes and for uniform and varying arguments in one program."""
    x, y = (array(c, n) for n, c in enumerate(kinds))

    def f(x, y):
        if x > 1:
            return clipped(x, y, 3) + clipped(y)
        return clipped(y, x, 9) - clipped(2) * safe_log(3.0)

    vectorised(f, x, y)


def test_helper_chain():
    """A helper's helper under two guards runs for its own lanes only."""

    def inverse(v):
        return 1 // v

    def guarded(v):
        return inverse(v) if v else -1

    def f(k):
        if k > -3:
            return guarded(k) + guarded(k - 1)
        return inverse(k)

    vectorised(f, array("i", 0))


def test_helper_with_unused_partial_result():
    """A call whose result is not read still raises for the lanes that make it."""

    def inverse(v):
        return 1 // v

    def f(k, x):
        if x > 0:
            inverse(k)
        return x

    k, x = np.array([0, 1, 0]), np.array([-1.0, 1.0, 2.0])
    assert check(f, k, x).raised == "ZeroDivisionError"
    vectorised(f, k, np.array([-1.0, 1.0, -2.0]))


def test_helpers_of_one_name():
    """Two functions of one name in one program stay two."""

    def make(c):
        def inner(x):
            return x * c if x > c else c

        return inner

    one, two = make(1.0), make(-2.0)

    def f(x):
        return one(x) + 10 * two(x)

    vectorised(f, X)


def test_local_names_of_a_helper_are_its_own():
    def g(x):
        y = x * 2
        out = y + 1
        return out

    def f(x, y):
        out = g(y)
        if out > y:
            y = g(out)
        return out + y

    vectorised(f, X, X[::-1].copy())


def test_functions_as_values():
    def f(x, k):
        table = (math.sin, abs, lambda v: v + k)
        s = 0.0
        for fn in table:
            s = s + fn(x) if x == x and abs(x) < 1e9 else s
        return s, table[1](k)

    vectorised(f, X[:5], np.arange(5))


@pytest.mark.parametrize(
    "f", [math.sin, np.hypot, operator.mul, abs, max, round, float, math.floor, divmod, pow]
)
def test_operations_themselves(f):
    """A callable that has a rule may be passed itself."""
    x = np.array([1.25, 2.5, -3.75])
    args = (x,) if f in (math.sin, abs, round, float, math.floor) else (x, np.array([2, 3, 4]))
    got = strict(f)(*args)
    want = [f(*v) for v in zip(*(a.tolist() for a in args))]
    if isinstance(want[0], tuple):
        for g, w in zip(got, zip(*want)):
            np.testing.assert_allclose(g, w, rtol=1e-15)
    else:
        np.testing.assert_allclose(got, want, rtol=1e-15, equal_nan=True)


def test_nothing_of_the_users_is_called_or_written():
    """Compiling runs none of the user's code and leaves no trace in the user's world."""
    calls = []

    class Loud:
        @property
        def value(self):
            calls.append("value")
            return 2.0

        def __getattr__(self, name):
            calls.append(name)
            raise AttributeError(name)

    loud = Loud()

    def f(x):
        return x * loud.value

    before = dict(globals())
    autovec.vectorize(f, fallback="silent").emit(X)
    assert calls == []
    assert globals() == before
