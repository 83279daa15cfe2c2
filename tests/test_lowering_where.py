"""where: both sides run for all lanes, where that is harmless and cheap."""

import ast

import numpy as np
import pytest

from tests.programs.grid import vectorised
from tests.programs.reading import calls_of, emitted, line, ordering_signs, source

X = np.array([0.5, -2.0, 3.0])
K = np.array([1.0, 0.0, -1.0])


def text(f, *args, in_axes=0):
    args = args or (X, K)[: f.__code__.co_argcount]
    vectorised(f, *args, in_axes=in_axes)
    return emitted(f, *args, in_axes=in_axes)


def body(tree):
    """The def's statements as text."""
    return [line(s) for s in tree.body]


def total_sides(x, k):
    if x > k:
        z = x - k
    elif x < 0:
        z = -x * 2
    else:
        z = 0.0
    return z + 1


def chain(x):
    if x < 0:
        return 0.0
    if x < 1:
        return x
    return 1.0


def ternary(x, k):
    return x if x > k else k + x


def nested(x, k):
    if x > 0:
        if k > 0:
            return x + k
        return x - k
    return k


@pytest.mark.parametrize("f", [total_sides, chain, ternary, nested])
def test_cheap_and_total_is_where(f):
    tree = text(f)
    assert list(calls_of(tree, "where"))
    assert not list(calls_of(tree, "flatnonzero"))
    assert not any(isinstance(n, ast.Subscript) for n in ast.walk(tree))


@pytest.mark.parametrize("f", [total_sides, chain, ternary, nested])
def test_where_needs_neither_shapes_nor_copies(f):
    """Text for any shapes that only selects does not broadcast, flatten or reshape."""
    tree = text(f, *(X, K)[: f.__code__.co_argcount], in_axes=None)
    words = line(tree)
    assert "broadcast" not in words and "ravel" not in words and "shape" not in words
    assert ".copy()" not in words


def test_a_chain_is_one_nest_in_the_users_order():
    (statement,) = body(text(chain))
    assert statement == "return np.where(x < 0, 0.0, np.where(x < 1, x, 1.0))"


def test_a_merge_keeps_the_users_name():
    statements = body(text(total_sides))
    assert statements[0].startswith("z = np.where(x > k, x - k, np.where(x < 0,")
    assert statements[-1] == "return z + 1"


@pytest.mark.parametrize(
    "f",
    [
        lambda x, k: 1 / x if k else 0.0,
        lambda x, k: x // k if k else 0.0,
        lambda x, k: 0.0 if k == 0 else x % k,
        lambda x, k: np.log(x) if x > 0 else 0.0,
        lambda x, k: x**0.5 if x >= 0 else 0.0,
        lambda x, k: np.sqrt(x) if x > 0 else x,
        lambda x, k: int(x) if x > 0 else k,
        lambda x, k: k and x / k,
        lambda x, k: x > 0 and np.log(x) > 1,
    ],
)
def test_a_partial_side_is_never_in_where(f):
    tree = text(f)
    assert list(calls_of(tree, "flatnonzero")) or any(
        isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store) for n in ast.walk(tree)
    )
    for where in calls_of(tree, "where"):
        assert not any(isinstance(n, ast.BinOp | ast.Call) for n in where.args[1:])


def test_division_by_a_literal_is_total():
    tree = text(lambda x, k: x / 2 if k > 0 else x / -4.0)
    assert list(calls_of(tree, "where")) and not list(calls_of(tree, "flatnonzero"))
    tree = text(lambda x, k: x / k if k > 0 else x)
    assert not list(calls_of(tree, "where"))


def test_costly_sides_are_packed():
    """np.sin of every lane costs more than gathering the lanes that need it."""

    def f(x):
        if x > 0:
            return np.sin(np.cos(x) + np.sin(x))
        return x

    assert list(calls_of(text(f), "flatnonzero"))


def inverted_then(x, k):
    if x < k:
        return 1.0 / (k - x)
    return x


def inverted_not(x, k):
    if not x < k:
        return x
    elif not (x > 0 or k > 2):
        y = x + 1
    else:
        y = np.log(x - 7)
    return y


@pytest.mark.parametrize("f", [inverted_then, inverted_not, chain, nested, total_sides])
def test_comparisons_are_never_inverted(f):
    """The text asks what the user asked; else is ~test, not the opposite comparison (NaN)."""
    assert ordering_signs(text(f)) <= ordering_signs(source(f))
    x = np.array([np.nan, 1.0, -1.0])
    vectorised(f, *(x, K)[: f.__code__.co_argcount])


def counted(tree, wanted):
    """How often a comparison stands in the text."""
    return sum(line(n) == wanted for n in ast.walk(tree) if isinstance(n, ast.Compare))


def test_a_test_of_several_values_is_evaluated_once():
    def f(x, k):
        if x > k:
            a, b, c = x, k, 1.0
        else:
            a, b, c = k, x, 2.0
        return a + b * c, a

    assert counted(text(f), "x > k") == 1


def test_a_test_of_several_results_is_evaluated_once():
    def f(x, k):
        if x > k:
            return x, k
        return k, x + 1

    assert counted(text(f), "x > k") == 1


def test_a_test_of_a_packed_branch_is_evaluated_once():
    def f(x, k):
        if x > k:
            y = x / k
        else:
            y = x / (k - 9)
        return y

    assert counted(text(f), "x > k") == 1


def test_truth_values_are_the_test():
    assert body(text(lambda x: True if x > 0 else False)) == ["return x > 0"]
    (statement,) = body(text(lambda x: False if x > 0 else True))
    assert statement == "return ~(x > 0)"

    (statement,) = body(text(lambda x, k: x > 0 and k > 1))
    assert statement == "return (x > 0) & (k > 1)"
    (statement,) = body(text(lambda x, k: 0 < x < k))
    assert statement == "return (0 < x) & (x < k)"


def test_same_values_need_no_pick():
    def f(x, k):
        if x > 0:
            y = k
        else:
            y = k
        return y + x

    assert not list(calls_of(text(f), "where"))


def test_names_dead_behind_the_branch_are_not_merged():
    def f(x, k):
        if x > k:
            t = x + 1
            y = t * t
        else:
            t = k
            y = t - 1
        return y

    assert len(list(calls_of(text(f), "where"))) == 1


def test_straight_code_stays_as_it_was_written():
    def f(x, k):
        a = x + k
        b = a * a - 2
        return b / 4 + a

    assert body(text(f)) == ["a = x + k", "b = a * a - 2", "return b / 4 + a"]


def test_a_result_of_fewer_arguments_is_spread():
    def f(x, y):
        return x + 1

    x, y = np.ones((3, 1)), np.ones(4)
    tree = text(f, x, y, in_axes=None)
    assert "broadcast_shapes" in line(tree) or "np.broadcast" in line(tree)


def test_weak_literals_stay_literals():
    """A literal picked beside a float32 is not spread into a float64 array first."""

    def f(x):
        r = 0
        if x > 0:
            r = x
        return r

    x = X.astype("f4")
    (statement, *_rest) = body(text(f, x))
    assert "np.where(x > 0, x, 0)" in statement
    vectorised(f, x)
