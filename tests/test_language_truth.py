"""and, or, not, comparisons, in and is, in every layout of arguments."""

import numpy as np
import pytest

import autovec
from tests.programs import truth
from tests.programs.grid import FLOATS, INTS, array, calls, vectorised

NAN, INF = np.nan, np.inf
HUGE = np.array([2**53, 2**53 + 1, 2**62, -(2**63), 2**63 - 1, 0])


def values(f, *args):
    return autovec.vectorize(f, fallback="error")(*args)


@calls(truth)
def test_truth(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


@pytest.mark.parametrize("kinds", ["ff", "ii", "bb", "bi", "fb", "gj", "hh", "jb", "hf"])
def test_dtypes_of_operands(kinds):
    """`or` and `and` give operands: the union of their dtypes."""
    x, y = (array(c, k) for k, c in enumerate(kinds))
    for f in (truth.operand_of_or, truth.operand_of_and):
        vectorised(f, x, y)
    vectorised(lambda a, b: not a and not (a or b), x, y)
    vectorised(lambda a, b: a and b, x, y)
    vectorised(lambda a, b: (a or b) + 1, x, y)


def test_operands_not_bools():
    got = values(lambda x, k: x or k, np.array([0.0, -0.0, NAN, 2.0]), np.array([3, 4, 5, 6]))
    np.testing.assert_array_equal(got, [3.0, 4.0, NAN, 2.0])
    got = values(lambda x, k: x and k, np.array([0.0, -0.0, NAN, 2.0]), np.array([3, 4, 5, 6]))
    np.testing.assert_array_equal(got, [0.0, -0.0, 5.0, 6.0])
    assert np.signbit(got[1])
    got = values(lambda s, t: s or t, np.array(["", "a"]), np.array(["long", "other"]))
    assert got.tolist() == ["long", "a"]


def test_lanes_behind_and_are_only_those_that_reach_it():
    seen = values(lambda k: k != 0 and 10 // k > 2, np.array([0, 3, 5, -1]))
    assert seen.tolist() == [False, True, False, False] and seen.dtype == bool
    seen = values(lambda k: k == 0 or 10 % k == 1, np.array([0, 3, 5, -1]))
    assert seen.tolist() == [True, True, False, False]


def test_middle_operand_is_evaluated_once():
    """A walrus in the middle of a chain is seen once, and only where the chain gets there."""

    def f(x):
        n = 0
        if 0 < (n := n + 1) < x:
            return n
        return n + 10

    vectorised(f, array("f", 0))


def test_chain_stops_at_the_first_false():
    def f(k):
        return 0 < k < 12 // k

    with pytest.raises(ZeroDivisionError):
        autovec.vectorize(lambda k: -1 < k < 12 // k)(np.array([0, 2]))
    vectorised(f, np.array([0, 1, 2, 3, 4, -1]))


def test_huge_integers_against_floats():
    """Python compares ints and floats exactly."""
    x = HUGE.astype(float)
    vectorised(truth.comparisons, HUGE, x)
    vectorised(truth.comparisons, HUGE, 2.0**53)
    vectorised(truth.comparisons, HUGE, 2**53)
    vectorised(lambda k: k in (2.0**53, 1e30), HUGE)
    vectorised(lambda k, y: k if k < y else y, HUGE, x)


def test_python_ints_beyond_int64():
    vectorised(lambda k: k < 2**63, HUGE)
    vectorised(lambda k: k > -(2**70), HUGE)
    vectorised(lambda k: k == 2**64, HUGE)
    vectorised(lambda k: k in (2**64, 0), HUGE)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u8", "f4"])
def test_literals_beyond_the_dtype(dtype):
    """A comparison with a literal that the dtype cannot hold is answered, not refused."""
    k = np.array([0, 1, 100], dtype)
    vectorised(lambda k: k < 1000, k)
    vectorised(lambda k: k == -300, k)
    vectorised(lambda k: k in (5000, 1), k)


def test_tuple_order_is_lexicographic():
    a = np.array([1.0, 1.0, 2.0, NAN, 0.0])
    b = np.array([5, 1, 0, 0, 9])
    got = values(lambda a, b: (a, b) < (1.0, 5), a, b)
    assert got.tolist() == [False, True, False, False, True]
    got = values(lambda a, b: (a, b) >= (1.0, 5), a, b)
    assert got.tolist() == [True, False, True, False, False]


def test_the_same_object_is_equal():
    """Tuples and `in` ask for identity before equality: nan is in (nan,) when it is one object."""
    x = np.array([1.0, NAN])
    assert values(lambda x: (x, 1) == (x, 1), x).tolist() == [True, True]
    assert values(lambda x: x in (x, 3.0), x).tolist() == [True, True]
    assert values(lambda x: x == x, x).tolist() == [True, False]
    assert values(lambda x: (x, 2) > (x, 1), x).tolist() == [True, True]


def test_unequal_types():
    assert values(lambda k: k == "a", np.array([1, 2])).tolist() == [False, False]
    assert values(lambda s: s != 1, np.array(["a", "b"])).tolist() == [True, True]
    assert values(lambda k: k in ("a", 1), np.array([1, 2])).tolist() == [True, False]
    assert values(lambda k: k == None, np.array([1, 2])).tolist() == [False, False]  # noqa: E711


def test_constant_tests():
    def f(x):
        if True and not 0:
            x = x + 1
        if [] or () or "":
            return 1 / 0
        return x if not None else 0

    vectorised(f, array("f", 0))


def test_membership_in_rebound_table():
    table = [1, 2]

    def f(k):
        return k in table

    g = autovec.vectorize(f, fallback="error")
    k = np.array([1, 2, 3])
    assert g(k).tolist() == [True, True, False]
    table.append(3)
    assert g(k).tolist() == [True, True, True]
    table[:] = []
    assert g(k).tolist() == [False, False, False]


def test_nested_short_circuits():
    """Three partial operations, each behind its own guard, in one expression."""

    def f(x, k):
        return (k and x / k > 1) or (x > 0 and np.log(x) / (k or 1) > 0.2) and not (k and 3 % k)

    x, k = np.meshgrid(FLOATS, INTS)
    vectorised(f, x.ravel(), k.ravel())
