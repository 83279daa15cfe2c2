"""Look-ups in every layout of arguments, their exceptions, and tables that change."""

import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import tables
from tests.programs.grid import array, calls, looped, vectorised

K = array("i", 0)


@calls(tables)
def test_tables(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


RATES = [0.5, 1.5, 4.0]
FEES = {"a": 1.5, "bb": 2.0}
PLACES = {(1, "a"): 0.5, (2, "b"): 0.75}
GRID = ((1, 2, 3), (4, 5, 6))
VECTOR = np.array([1.0, 2.0])


def index(k):
    return RATES[k]


def second_index(k):
    return GRID[k % 2][k]


def row(k):
    a, b, c = GRID[k]
    return a + b + c


def character(k):
    return "abc"[k]


def of_an_array(k):
    return VECTOR[k]


def of_a_list(k):
    return [k, 1, 2][k]


def position(k):
    return [7, 5, 9].index(k)


def which_comes_first(k):
    return GRID[k][6 // (k - 3)]


@pytest.mark.parametrize(
    "f",
    [index, second_index, row, character, of_an_array, of_a_list, position, which_comes_first],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("k", [[0, 1, 5, 9], [0, -4, 3], [3, 0], [-1, -2, 2], [7]])
def test_what_is_not_there(f, k):
    """The exception is the loop's: that of the lowest lane, in Python's words."""
    vectorised(f, np.array(k))


@pytest.mark.parametrize("words", [["a", "zz", "y"], ["bb", ""], ["a"]])
def test_keys_that_are_not_there(words):
    vectorised(lambda s: FEES[s], np.array(words))
    vectorised(lambda k, s: PLACES[k, s], np.array([1, 2, 1])[: len(words)], np.array(words))


def test_lanes_not_taken_never_index():
    vectorised(lambda x, k: RATES[k] if x > 0 else 0.0, np.array([1.0, -1.0]), np.array([2, 99]))
    vectorised(lambda x, s: FEES[s] if x else 0, np.array([1, 0]), np.array(["a", "no"]))


def test_tables_are_read_at_every_call():
    table, fees = [1.0, 2.0], {"a": 1, "b": 2}

    def f(k, s):
        return table[k] + fees[s] + fees.get(s, 0)

    g = autovec.vectorize(f, fallback="error")
    k, s = np.array([0, 1]), np.array(["a", "b"])
    for change in (
        lambda: None,
        lambda: table.__setitem__(0, 7.5),
        lambda: fees.__setitem__("a", 9),
        lambda: fees.__setitem__("c", 1),
        lambda: table.append(4.0),
        lambda: table.__setitem__(1, 3),
        lambda: fees.__setitem__("b", 0.5),
    ):
        change()
        np.testing.assert_array_equal(g(k, s), [f(0, "a"), f(1, "b")])
    table[0] = 2**70
    with pytest.warns(autovec.FallbackWarning):
        assert autovec.vectorize(f)(k, s)[0] == f(0, "a")


def test_long_tables_that_change():
    table = list(range(1000))
    g = autovec.vectorize(lambda k: table[k], fallback="error")
    assert g(np.array([3])).dtype == int
    table[500] = 0.5
    assert g(np.array([3, 500])).tolist() == [3.0, 0.5]


def test_a_sorted_table_that_is_sorted_no_more():
    import bisect

    edges = [1.0, 2.0, 3.0]

    def f(x):
        return bisect.bisect(edges, x)

    g = autovec.vectorize(f, fallback="silent")
    x = np.array([0.5, 1.5, 2.5, 9.0])
    for change in (0.0, 2.5, 9.0):
        edges[0] = change
        assert g(x).tolist() == [f(v) for v in x.tolist()]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u4", "u8", "?"])
def test_indices_of_every_dtype(dtype):
    k = np.array([0, 1, 1, 0]).astype(dtype)
    vectorised(index, k)
    vectorised(of_a_list, k)
    if dtype != "?":
        vectorised(of_an_array, k)


def test_an_index_beyond_int64():
    k = np.array([0, 2**64 - 1], np.uint64)
    for f in (index, character, of_an_array, row):
        with pytest.raises(IndexError):
            autovec.vectorize(f, fallback="error")(k)


NARROW = [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_floats_of_every_width(dtype):
    """Of equality float32 asks in float32, of a hash exactly."""
    by_hash = dict.fromkeys(NARROW, 1)
    kept = set(NARROW)
    x = np.array([0.1, 0.25, 0.5, math.nan]).astype(dtype)
    vectorised(lambda x: (x in NARROW, x in by_hash, x in kept, NARROW.count(x)), x)
    vectorised(lambda x: by_hash.get(x, 0), x)


def test_integers_that_a_float_does_not_tell_apart():
    big = {2**53: 1, 2**53 + 1: 2}
    vectorised(lambda k: big[k], np.array([2**53, 2**53 + 1]))
    looped(lambda x: big.get(x, 0), np.array([2.0**53]))


def test_what_has_no_common_type_loops():
    odd = [1, "a"]
    ragged = [[1, 2], [3]]
    looped(lambda k: odd[k], np.array([0, 1, 0]))
    check(lambda k: ragged[k][0] + len(ragged[k]), np.array([0, 1]))
    looped(lambda k: {1: 1.0, "a": 2.0}.get(k, 0.0), np.array([0, 1]))
    looped(lambda k: [2**70, 1][k], np.array([0, 1]))


def test_a_row_of_a_table_is_not_changed():
    grid = [[1.0, 2.0], [3.0, 4.0]]

    def f(k, x):
        row = grid[k]
        row[0] = x
        return row[1]

    autovec.vectorize(f, fallback="silent")(np.array([0, 1]), np.array([7.0, 8.0]))
    assert grid == [[7.0, 2.0], [8.0, 4.0]]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_loops_over_slices(n):
    vectorised(tables.loops_over_slices, array("f", 0, 13), n)


def test_the_truth_of_a_slice_is_asked_when_it_runs():
    for n in (0, 1):
        check(lambda x, n: 1.0 if RATES[:n] else x, np.array([2.0, 3.0]), n)


@pytest.mark.parametrize("n", [0, 1])
def test_few_lanes(n):
    vectorised(index, np.zeros(n, int))
    vectorised(row, np.zeros(n, int))
    vectorised(lambda s: FEES[s], np.full(n, "a"))
    vectorised(lambda k: {1: "one"}.get(k, "many"), np.zeros(n, int))


def test_the_text():
    emit = autovec.vectorize(index).emit(K)
    assert "return np.array(RATES)[k]" in emit
    emit = autovec.vectorize(lambda s: FEES[s] * 2).emit(np.array(["a"]))
    assert "np.array(list(FEES.values()))[key_index(FEES, s)] * 2" in emit
    emit = autovec.vectorize(lambda k, j: GRID[k][j]).emit(K, K)
    assert "np.array(GRID)[k, j]" in emit
