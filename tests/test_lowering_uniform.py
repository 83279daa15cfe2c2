"""Uniform stays Python: what does not differ between samples is emitted as it was written."""

import ast
import math
import re

import numpy as np
import pytest

import autovec
from tests.oracle.standalone import load_text
from tests.programs.grid import array, vectorised
from tests.programs.reading import calls_of, emitted, line

X, K = array("f", 0, 19), array("i", 1, 19)
TABLE = ((1.0, 0.5), (2.0, 0.25))
LIMIT = 4.0


def text(f, *args):
    """The text for a first argument that varies and others that do not."""
    axes = tuple(0 if isinstance(a, np.ndarray) else None for a in args)
    vectorised(f, *args, in_axes=axes)
    return emitted(f, *args, in_axes=axes)


def kinds(tree, kind):
    return [n for n in ast.walk(tree) if isinstance(n, kind)]


def test_a_uniform_test_stays_an_if():
    def f(x, n):
        if n > 2 and not n % 2:
            y = x / n
        else:
            y = x * n
        return y + n

    tree = text(f, X, 4)
    words = line(tree)
    assert "n > 2 and (not n % 2)" in words or "n > 2 and n % 2 == 0" in words
    assert "np.where" not in words and "flatnonzero" not in words


def test_uniform_returns_stay_returns():
    def f(x, n):
        if n == 0:
            return x
        if n < 0:
            return -x
        return x / n

    tree = text(f, X, 2)
    assert len(kinds(tree, ast.Return)) == 3 and "where" not in line(tree)


def test_a_uniform_ternary_stays_one():
    def f(x, n):
        return x * (2 if n > 1 else 3)

    assert kinds(text(f, X, 2), ast.IfExp)


def test_uniform_arithmetic_stays_python():
    def f(x, n):
        scale = math.sqrt(n) + n**2 / 3
        top = max(n, 2, scale)
        return x * scale + top

    words = line(text(f, X, 4))
    assert "math.sqrt(n)" in words and "max(n, 2, scale)" in words
    assert "np." not in words.split("return")[0]


def test_uniform_code_is_not_moved_into_the_lanes():
    """A partial uniform operation in a varying branch runs where its branch has lanes."""

    def f(x, n):
        if x > 0:
            return x * (1 / n)
        return x

    tree = text(f, X, 4.0)
    assert "1 / n" in line(tree)
    got = autovec.vmap(f, (0, None), fallback="error")(np.array([-1.0, 0.0]), 0)
    assert got.tolist() == [-1.0, 0.0]


def test_loops_over_tables_stay_loops():
    table = [1.0, 2.0]

    def f(x):
        s = 0.0
        for c in table:
            if x > c:
                s += c * x
        return s

    tree = text(f, X)
    (loop,) = kinds(tree, ast.For)
    assert line(loop.iter) == "table" and line(loop.target) == "c"


def test_loop_headers_are_the_users():
    def f(x, n):
        s = 0.0
        for i, (a, b) in enumerate(zip(range(n), reversed(range(n)))):
            s = s * x + i * a - b
        return s

    (loop,) = kinds(text(f, X, 9), ast.For)
    assert line(loop.iter) == "enumerate(zip(range(n), reversed(range(n))))"
    assert line(loop.target) == "(i, (a, b))"


def test_loop_values_are_python_numbers():
    def f(x, n):
        s = x
        for i in range(n):
            step = i * 2 + 1
            s = s / step
        return s

    (loop,) = kinds(text(f, X, 9), ast.For)
    assert line(loop.body[0]) == "step = i * 2 + 1"


def test_carried_values_are_handed_over_at_once():
    def f(x, n):
        a, b = 0.0, 1.0
        for _ in range(n):
            a, b = b, a + b * x
        return a

    (loop,) = kinds(text(f, X, 9), ast.For)
    names = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name)}
    assert names <= {"a", "b", "x", "n", "_", "range"}


def test_a_carried_value_starts_with_the_lanes_it_will_have():
    def f(x, n):
        s = 0
        for _ in range(n):
            s = s + x
        return s

    x = np.array([1.5, -2.0, 0.0], "f4")
    tree = text(f, x, 9)
    assert "np.float32" in line(tree.body[0]) or "s = 0" in line(tree.body[0])
    got = autovec.vmap(f, (0, None), fallback="error")(x, 0)
    assert got.dtype == np.float32 and got.shape == x.shape


def test_uniform_breaks_stay_breaks():
    def f(x, n):
        s = 0.0
        for i in range(n):
            if i > 3:
                break
            if i == 1:
                continue
            s = s + x * i
        return s

    tree = text(f, X, 9)
    assert kinds(tree, ast.Break) and (kinds(tree, ast.Continue) or "!= 1" in line(tree))


def test_while_stays_while():
    def f(x, n):
        while n > 1:
            n = n // 2
            x = x + n
        return x

    (loop,) = kinds(text(f, X, 9), ast.While)
    assert re.fullmatch(r"n\d? > 1", line(loop.test))


def test_constants_are_names_above_the_def():
    def f(x):
        return x if x < LIMIT else LIMIT

    whole = autovec.vectorize(f).emit(X)
    assert "LIMIT = 4.0" in whole.partition("def f")[0]
    assert "LIMIT" in line(emitted(f, X))
    assert load_text(whole, "f")(np.array([5.0, 1.0])).tolist() == [4.0, 1.0]


def test_other_objects_are_parameters():
    class Settings:
        gain = 2.0

    settings = Settings()

    def f(x):
        return x * settings.gain

    whole = autovec.vectorize(f).emit(X)
    alone = load_text(whole, "f")
    np.testing.assert_array_equal(alone(np.ones(2), settings=settings), [2.0, 2.0])


def test_pure_uniform_functions():
    """Only scalars: the function as it was written, results as np.vectorize's."""

    def f(x, n):
        if n > 1:
            return math.log(x)
        return 0.0

    got = autovec.vectorize(f, fallback="error")(2.0, 2)
    assert np.shape(got) == () and got == math.log(2.0)


def test_modules_stay_modules():
    def f(x, n):
        return np.hypot(x, math.pi * n) + np.cos(x)

    tree = emitted(f, X, 2)
    assert list(calls_of(tree, "hypot")) and "math.pi" in line(tree)


def test_table_of_pairs():
    def f(x):
        s = 0.0
        for low, rate in TABLE:
            s += max(x - low, 0.0) * rate
        return s

    vectorised(f, X)
    assert "TABLE" in autovec.vectorize(f).emit(X)


@pytest.mark.parametrize("tol", [0.5, -2.5, 3, math.nan, np.float32(0.25), np.float64(7.5)])
@pytest.mark.parametrize("x", [X, K, K.astype("f4")])
def test_the_larger_of_uniform_values_has_a_dtype_for_either(x, tol):
    """max(0, tol) is an int or a float: it was taken for an int, and tol cut off."""

    def alone(x, tol):
        return max(0, tol)

    def of_three(x, tol):
        return min(2, tol, 5), max(True, tol) * 0

    def computed(x, tol):
        return max(0, math.sin(1)), max(1, tol) // 2, x * min(tol, 1)

    for f in (alone, of_three, computed):
        vectorised(f, x, tol)
