"""Raises and asserts in emitted text: for the first bad lane, the message from its own values."""

import ast

import numpy as np
import pytest

from tests.programs.grid import array, vectorised
from tests.programs.reading import calls_of, emitted, line, ordering_signs, source

X, K = array("f", 0, 19), array("i", 1, 19)
SETTINGS = {"limit": 3.0}


def text(f, *args, in_axes=0):
    args = args or (X, K)[: f.__code__.co_argcount]
    vectorised(f, *args, in_axes=in_axes)
    return emitted(f, *args, in_axes=in_axes)


def raises(tree):
    return [n for n in ast.walk(tree) if isinstance(n, ast.Raise)]


def guarded(x):
    if x < -2:
        raise ValueError(f"negative: {x} of {SETTINGS['limit']:.1f}")
    return x + 1


def test_the_users_message_of_the_first_bad_lane():
    tree = text(guarded)
    (raised,) = raises(tree)
    assert line(raised).replace('"', "'") == (
        "raise ValueError(f'negative: {x[lane].item()} of {SETTINGS['limit']:.1f}')"
    )
    words = line(tree)
    assert "bad = x < -2" in words and "bad.any()" in words and "lane = bad.argmax()" in words
    assert words.index("raise") < words.index("x + 1"), "checked before the code behind it"


def test_a_message_of_no_lane_asks_only_whether_any():
    def f(x):
        if x < -2:
            raise ValueError("negative")
        return x

    words = line(text(f))
    assert "np.any(x < -2)" in words and "lane" not in words and "argmax" not in words


def test_what_only_the_message_needs_is_computed_there():
    def f(x, k):
        y = x * 100 + k
        if k == -1000:
            z = y / 3
            raise ValueError(f"{z}")
        return x

    tree = text(f)
    (check,) = [n for n in tree.body if isinstance(n, ast.If)]
    assert "/ 3" in line(check) and line(tree).count("/ 3") == 1


def test_a_raise_in_a_region_is_for_its_lanes():
    def f(x, k):
        if x > 0:
            y = np.log(x)
            if k < 0:
                raise ValueError(f"{y} {k}")
            return y
        return x

    tree = text(f)
    words = line(tree)
    assert "np.log(x)" not in words, "the log is of the region's lanes"
    assert "k[" in words and raises(tree)


def test_asserts_are_checks():
    def f(x, k):
        assert k > -500
        assert x != 3, f"x is {x}"
        return x

    tree = text(f)
    one, two = raises(tree)
    assert line(one) == "raise AssertionError" or line(one) == "raise AssertionError()"
    assert line(two).startswith("raise AssertionError(f'x is {x[lane].item()}')")
    assert ordering_signs(tree) <= {">"}, "k > -500 is not inverted"


def test_uniform_raises_stay_python():
    def f(x, limit):
        if limit < 0:
            raise ValueError(f"limit is {limit}")
        return x / limit

    tree = text(f, X, 2.0, in_axes=(0, None))
    (first,) = [n for n in tree.body if isinstance(n, ast.If)]
    assert line(first.test) == "limit < 0"
    assert line(first.body[0]) == "raise ValueError(f'limit is {limit}')"


def test_all_lanes_raise_only_if_there_is_one():
    def f(x):
        if x > 0:
            return x
        raise ValueError(x)

    tree = text(f)
    assert raises(tree) and ("any(" in line(tree) or ".size" in line(tree))

    def g(x):
        raise ValueError("always")

    (guard, *_rest) = emitted(g, X, in_axes=0).body
    assert isinstance(guard, ast.If) and "raise ValueError('always')" in line(guard)


def test_causes_are_kept():
    def f(x):
        if x == 7:
            raise ValueError(x) from KeyError("why")
        return x

    (raised,) = raises(text(f))
    assert line(raised.cause) == "KeyError('why')"


def test_an_error_is_checked_where_the_user_checks_it():
    """Before the code behind it, after the code in front of it, once."""

    def f(x, k):
        a = x * 2
        if a == 14:
            raise ValueError(f"a={a}")
        b = a + k
        if b == 4:
            raise KeyError(f"b={b}")
        return a + b

    words = line(text(f))
    places = [words.index(w) for w in ("a = x * 2", "ValueError", "b = a + k", "KeyError", "a + b")]
    assert places == sorted(places)
    assert words.count("raise") == 2


@pytest.mark.parametrize(
    ("f", "word"),
    [
        (lambda k: 10 // (k - 5), "ZeroDivisionError"),
        (lambda k: 10 % (k - 5), "ZeroDivisionError"),
    ],
)
def test_partial_integer_operations_check_their_lanes(f, word):
    k = np.array([1, 2, 3])
    vectorised(f, k)
    import autovec

    assert word in autovec.vectorize(f, fallback="error").emit(k)


def test_comparisons_in_guards_are_the_users():
    def f(x, k):
        if not x <= k:
            if not (x < 100 or k > 5):
                raise ValueError(f"{x} {k}")
        return x

    assert ordering_signs(emitted(f, X, X, in_axes=0)) <= ordering_signs(source(f))
    assert not list(calls_of(emitted(f, X, X, in_axes=0), "logical_not"))
