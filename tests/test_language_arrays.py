"""Samples that are arrays: every program agrees with the loop over its rows, without a fallback."""

from __future__ import annotations

import copy
import inspect
import warnings

import numpy as np
import pytest

import autovec
from autovec.run.stack import stack
from tests.harness import check
from tests.programs import arrays, arrays_found
from tests.programs.grid import _KINDS, vectorised

FUNCTIONS = [g for m in (arrays, arrays_found) for g in inspect.getmembers(m, inspect.isfunction)]
OWN = [f for _, f in FUNCTIONS if f in _KINDS]
LANES = 11
EDGES = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 0.5, -3.0, 7.0]


def values(kind: str, n: int, edges: bool) -> np.ndarray:
    """An argument of one kind for n lanes; of one lane where the letter is a capital."""
    rng = np.random.default_rng(ord(kind))
    shape = {"v": (3,), "w": (3,), "m": (3, 3), "k": (4,), "b": (3,), "s": (), "i": ()}[
        kind.lower()
    ]
    if kind == "S":
        return 0.5
    whole = (n, *shape) if kind.islower() else shape
    if kind == "i":
        return rng.integers(-3, 3, whole)
    if kind == "k":
        return rng.integers(-5, 5, whole)
    if kind == "b":
        return rng.random(whole) > 0.5
    made = rng.choice(EDGES, whole) if edges else rng.normal(size=whole)
    return made.astype("f4" if kind == "w" else float)


def arguments(f, n, edges):
    kinds = _KINDS[f]
    in_axes = tuple(0 if c.islower() else None for c in kinds)
    return [values(c, n, edges) for c in kinds], in_axes


@pytest.mark.parametrize("f", OWN, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [LANES, 1])
def test_agrees_with_the_loop(f, n):
    args, in_axes = arguments(f, n, edges=False)
    vectorised(f, *args, in_axes=in_axes)


#: linear algebra refuses what is not finite, and a loop until a maximum is small does not end
TAME = {"solve", "mats", "retire"}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("f", [f for f in OWN if f.__name__ not in TAME], ids=lambda f: f.__name__)
def test_agrees_at_the_edges(f):
    args, in_axes = arguments(f, LANES, edges=True)
    vectorised(f, *args, in_axes=in_axes)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("f", OWN, ids=lambda f: f.__name__)
def test_empty_batches_have_the_shapes_of_full_ones(f):
    args, in_axes = arguments(f, 1, edges=False)
    one = autovec.vmap(f, in_axes)(*args)
    none = [a[:0] if axis == 0 else a for a, axis in zip(args, in_axes, strict=True)]
    empty = autovec.vmap(f, in_axes, fallback="error")(*none)

    def shapes(tree):
        if isinstance(tree, dict):
            return {k: shapes(v) for k, v in tree.items()}
        if isinstance(tree, (tuple, list)):
            return [shapes(v) for v in tree]
        return tree.dtype, tree.shape[1:]

    assert shapes(empty) == shapes(one)


def stores_into_an_argument(x):
    x[0] = 5.0
    return x.sum()


def stores_beside_a_view(x):
    y = x * 1.0
    v = y[1:]
    y[1] = 7.0
    return v.sum()


def swaps_buffers(x):
    a, b = x * 1.0, x * 2.0
    for i in range(3):
        a, b = b, a
        a[i] = 9.0
    return a + b


def other_name_in_a_loop(x):
    a = np.zeros(3)
    b = a
    for i in range(3):
        a[i] = x[i]
    return b


def one_array_in_the_next_trip(x):
    prev, cur = x * 1.0, x * 2.0
    s = 0.0
    for i in range(3):
        cur[0] = i + 5.0
        s += prev[0]
        prev = cur
    return s


def parameter_in_the_next_trip(x):
    a = x * 2.0
    for _ in range(3):
        a[0] = 5.0
        a = x
    return x.sum()


def other_array_in_the_next_trip(x):
    t = x * 1.0
    s = np.zeros(3)
    for _ in range(3):
        s[0] += 1.0
        if x[0] < 0.5:
            s = t
    return s + t


def row_of_a_matrix(x):
    m = np.stack([x, x * 2, x * 3])
    r = m[1]
    r[0] = 9.0
    return m


def one_of_two_behind_a_loop(x):
    a = x * 1.0
    b = x * 2.0
    for _ in range(2):
        b = a
    b[0] = 7.0
    return a


def nested_loops(x):
    a = x * 1.0
    s = x * 2.0
    for _ in range(2):
        s[1] += 1.0
        for _ in range(2):
            s = a
    return a, s


def updated_in_the_next_trip(x):
    t = x * 1.0
    u = x * 3.0
    for _ in range(2):
        t += 1
        t = u
    return u


def mask_as_an_index(x):
    return (x[x > 0] * 2).sum()


def other_shapes_on_some_lanes(x):
    y = x[:1] if x[0] > 0 else x
    return y.sum()


def none_on_some_lanes(x):
    if x[0] > 0:
        return x
    return None


@pytest.mark.parametrize(
    "f",
    [stores_into_an_argument, stores_beside_a_view, swaps_buffers, other_name_in_a_loop,
     one_array_in_the_next_trip, parameter_in_the_next_trip,
     other_array_in_the_next_trip,
     updated_in_the_next_trip, row_of_a_matrix, one_of_two_behind_a_loop, nested_loops,
     mask_as_an_index, other_shapes_on_some_lanes, none_on_some_lanes],
)  # fmt: skip
def test_loops_where_it_must(f):
    x = np.random.default_rng(1).normal(size=(6, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", autovec.FallbackWarning)
        mine = x.copy()
        got = autovec.vmap(f)(mine)
    own = x.copy()
    want = [f(row) for row in own]
    want = [np.full(3, np.nan) if w is None else w for w in want]
    got = np.stack(got, 1) if isinstance(got, tuple) else got
    np.testing.assert_array_equal(got, np.array(want))
    np.testing.assert_array_equal(mine, own)


def test_an_index_out_of_range_has_the_samples_own_message():
    def pick(x, i):
        return x[i]

    with pytest.raises(IndexError, match="axis 0 with size 3") as error:
        autovec.vmap(pick)(np.zeros((4, 3)), np.array([0, 1, 7, 8]))
    assert "lane 2 of 4" in error.value.__notes__[0]


def test_a_mask_that_keeps_nothing_has_no_maximum():
    with pytest.raises(ValueError, match="zero-size array") as error:
        x = np.array([[10.0, 1.0], [1.0, 2.0]])
        autovec.vmap(lambda x: x[x > 9].max(), fallback="error")(x)
    assert "lane 1 of 2" in error.value.__notes__[0]


def generators(v, c):
    total = sum(x * x for x in v)
    low = min(abs(x - c) for x in v)
    high = max(x for x in v)
    above = sum(1 for x in v if x > c)
    pairs = sum(x * y for x, y in zip(v, v[1:]))
    weighted = sum(k * x for k, x in enumerate(v))
    return total, low, high, above, pairs, weighted, any(x > c for x in v), all(x > c for x in v)


@pytest.mark.parametrize("length", [2, 4, 5, 9, 70, 300])
@pytest.mark.parametrize("dtype", ["f8", "i8", "f4"])
def test_generators_over_rows(length, dtype):
    """Short rows are written out, long ones are loops; none of them runs a lane at a time."""
    rng = np.random.default_rng(length)
    v = rng.integers(-9, 9, (6, length)).astype(dtype)
    if dtype != "i8":
        v[0, 0], v[1, -1], v[2, 1] = np.nan, np.inf, -0.0
    report = check(generators, v, np.arange(6.0), in_axes=(0, 0))
    assert not report.fallbacks
    assert len(report.text.splitlines()) < 90


def test_a_largest_of_no_rows_raises():
    def f(v):
        return max(x * 2 for x in v)

    check(f, np.zeros((3, 0)), in_axes=0)
    check(f, np.zeros((3, 1)), in_axes=0)
    check(lambda v: max((x * 2 for x in v), default=3.0), np.zeros((3, 9)), in_axes=0)


def test_what_a_generator_does_not_leave_behind():
    def f(v, x):
        total = sum(x for x in v) + max(x for x in v)
        return total + x

    assert not check(f, np.ones((3, 9)), np.arange(3.0), in_axes=0).fallbacks


def stores_on_some_lanes(x):
    if x[0] > 0:
        x[1] = 7.0
        return x[0]
    x += 1
    return x.sum()


def clipped(x):
    for i in range(len(x)):
        if x[i] < 0:
            x[i] = 0.0


def halved(x):
    while x.max() > 1:
        x /= 2
    return x


def swapped(x):
    t = x[0]
    x[0] = x[1]
    x[1] = t
    return t, x


def under_another_name(x):
    y = x
    y[y < 0] = 5.0
    return x * 2


STORES = [stores_into_an_argument, stores_on_some_lanes, clipped, halved, swapped,
          under_another_name]  # fmt: skip


def loop_that_stores(f, rows):
    results = [copy.deepcopy(f(row)) for row in rows]
    return stack(results) if results[0] is not None else None


@pytest.mark.parametrize("n", [6, 1])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("f", STORES)
def test_what_is_stored_into_an_argument_is_in_the_callers_array(f, axis, n):
    x = np.random.default_rng(3).normal(size=(n, 3)) * 2
    mine, own = (np.moveaxis(x.copy(), 0, axis) for _ in range(2))
    batched = autovec.vmap(f, axis, fallback="error")
    got = batched(mine)
    want = loop_that_stores(f, np.moveaxis(own, axis, 0))
    for a, b in zip(*(v if isinstance(v, tuple) else (v,) for v in (got, want)), strict=True):
        np.testing.assert_array_equal(a, b)
        assert a is None or not np.shares_memory(a, mine)
    np.testing.assert_array_equal(mine, own)
    text = {}
    exec(batched.emit(mine), text)
    again, after = x.copy(), x.copy()
    text[f.__name__](again)
    loop_that_stores(f, after)
    np.testing.assert_array_equal(again, after)


def test_stores_before_an_exception_stay():
    def f(x):
        x[0] = 1.0
        if x[1] > 10:
            raise ValueError("too large")
        x[2] = 2.0
        return x.sum()

    mine, own = (np.array([[0.0, 1, 0], [0, 11, 0], [0, 12, 0]]) for _ in range(2))
    with pytest.raises(ValueError, match="too large") as error:
        autovec.vmap(f, fallback="error")(mine)
    with pytest.raises(ValueError, match="too large"):
        loop_that_stores(f, own)
    np.testing.assert_array_equal(mine, own)
    assert "lane 1 of 3" in error.value.__notes__[0]


def adds(x, y):
    x += y
    return x.sum()


def test_arguments_that_share_memory_are_stored_into_in_order():
    x = np.arange(12.0).reshape(4, 3)
    mine, own = x.copy(), x.copy()
    with pytest.warns(autovec.FallbackWarning, match="shares memory with another"):
        got = autovec.vmap(adds)(mine[1:], mine[:-1])
    want = [adds(a, b) for a, b in zip(own[1:], own[:-1], strict=True)]
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(mine, own)
    with pytest.warns(autovec.FallbackWarning, match="shares memory"):
        autovec.vmap(adds)(x, x)


def test_a_read_only_argument_is_not_stored_into():
    x = -np.ones((4, 3))
    x.flags.writeable = False
    with (
        pytest.warns(autovec.FallbackWarning, match="read-only"),
        pytest.raises(ValueError, match="read-only"),
    ):
        autovec.vmap(clipped)(x)


def test_levels_store_into_the_callers_rows():
    x, y = np.arange(6.0).reshape(2, 3), np.arange(9.0).reshape(3, 3)
    own = x.copy()
    with pytest.warns(autovec.FallbackWarning):
        got = autovec.vmap(autovec.vmap(adds, (None, 0)), (0, None))(x, y)
    want = [[adds(a, b) for b in y] for a in own]
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(x, own)
