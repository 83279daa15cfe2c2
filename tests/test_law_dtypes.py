"""The law: the result dtype is the union over all branches, decided before anything runs."""

import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs.grid import vectorised

NAN = np.nan
F, G, I, J, H, B, S = (np.dtype(d) for d in ("f8", "f4", "i8", "i4", "i1", "?", "U3"))


def dtype_of(f, *dtypes, n=0):
    """The result's dtype(s) for empty (or one-lane) arguments of these dtypes."""
    args = [np.ones(n, d) if d.kind != "U" else np.full(n, "abc") for d in dtypes]
    got = autovec.vectorize(f, fallback="error")(*args)
    return got.dtype if isinstance(got, np.ndarray) else [leaf.dtype for leaf in got]


CASES = [
    (lambda x: 1 if x > 0 else 2, (F,), I),
    (lambda x: 1 if x > 0 else 2.5, (F,), F),
    (lambda x: 1 if x > 0 else 2.5, (G,), F),
    (lambda x: x if x > 0 else 0, (G,), G),
    (lambda x: x if x > 0 else 0.5, (G,), G),
    (lambda x: x if x > 0 else 0.5, (I,), F),
    (lambda x: x if x > 0 else 0.5, (H,), F),
    (lambda x: x if x > 0 else 7, (H,), H),
    (lambda x: x > 1 if x > 0 else x < -1, (F,), B),
    (lambda x: x > 1 if x > 0 else 0, (F,), I),
    (lambda x: x > 1 if x > 0 else x, (H,), H),
    (lambda x: x > 1 if x > 0 else x, (F,), F),
    (lambda x, y: x if x > 0 else y, (I, G), F),
    (lambda x, y: x if x > 0 else y, (H, G), G),
    (lambda x, y: x if x > 0 else y, (H, J), J),
    (lambda x, y: x or y, (B, I), I),
    (lambda x, y: x and y, (B, G), G),
    (lambda x: None if x > 0 else 1, (F,), F),
    (lambda x: None if x > 0 else x, (G,), G),
    (lambda x: None if x > 0 else x, (I,), F),
    (lambda x: None if x > 0 else True, (F,), F),
    (lambda x: x / 2, (I,), F),
    (lambda x: x / 2, (G,), G),
    (lambda x: x // 2, (I,), I),
    (lambda x: x // 2.0, (I,), F),
    (lambda x: x**2, (H,), H),
    (lambda x: x**0.5, (I,), F),
    (lambda x: x**-1, (I,), F),
    (lambda x: math.sqrt(x), (G,), G),
    (lambda x: math.sqrt(x), (I,), F),
    (lambda x: math.floor(x), (F,), I),
    (lambda x: int(x), (G,), I),
    (lambda x: float(x), (I,), F),
    (lambda x: round(x), (F,), I),
    (lambda x: round(x, 1), (F,), F),
    (lambda x: bool(x), (F,), B),
    (lambda x: not x, (F,), B),
    (lambda x: (x, 1, 2.0, x > 0), (G,), [G, I, F, B]),
    (lambda x: sum([x, 1]), (I,), I),
    (lambda x: sum([x, 0.5]), (G,), G),
    (lambda x: max(x, 1), (H,), H),
    (lambda x: max(x, 1.5), (H,), F),
    (lambda x: 2j if x > 0 else x, (F,), np.dtype("c16")),
    (lambda x: 2j if x > 0 else x, (G,), np.dtype("c8")),
]
BY_CASE = pytest.mark.parametrize(("f", "dtypes", "want"), CASES)


@BY_CASE
def test_no_lane_has_the_dtype_of_all(f, dtypes, want):
    assert dtype_of(f, *dtypes) == want


@BY_CASE
def test_one_lane_has_the_dtype_of_all(f, dtypes, want):
    assert dtype_of(f, *dtypes, n=1) == want


@BY_CASE
def test_the_text_gives_the_same(f, dtypes, want):
    args = [np.resize(np.array([0, 1, 3]), 7).astype(d) for d in dtypes]
    vectorised(f, *args)


def test_dead_branches_count():
    """The data never decide: a branch that no lane takes is part of the union."""

    def f(x):
        if x > 1e9:
            return 2.5
        return 1

    for x in ([1, 2], [10**10], [1, 10**10], []):
        assert autovec.vectorize(f)(np.array(x, int)).dtype == float


def test_uniform_branches_decide_before_anything_runs():
    """A uniform test is not data of a lane; both ways give the same dtype."""

    def f(x, on):
        if on:
            return 2.5
        return x

    for on in (True, False):
        got = autovec.vectorize(f, fallback="error")(np.array([1, 2]), on)
        assert got.dtype == float


def test_early_returns_and_merges_agree():
    def early(x, k):
        if x > 0:
            return k
        if x < 0:
            return 0.5
        return k > 1

    def merged(x, k):
        r = k > 1
        if x > 0:
            r = k
        elif x < 0:
            r = 0.5
        return r

    for k in (I, H, G, B):
        assert dtype_of(early, F, k) == dtype_of(merged, F, k)
        args = np.array([1.0, -1.0, 0.0]), np.array([1, 0, 1]).astype(k)
        vectorised(early, *args)
        vectorised(merged, *args)


def test_each_leaf_has_its_own_union():
    def f(x, k):
        if k > 0:
            return x / k, k, 0
        return 0, 1.5, k > 5

    assert dtype_of(f, G, I) == [F, F, I]
    assert dtype_of(f, F, H) == [F, F, I]


def test_a_loop_has_one_dtype():
    def f(x):
        s = 0
        for i in range(3):
            s = s + x if i else s
        return s

    assert dtype_of(f, G) == G and dtype_of(f, I) == I and dtype_of(f, B) == I


def test_loop_results_are_typed_like_the_rest():
    """What runs as a loop has the loop's dtypes, and for no lane those that can be known."""

    def f(x):
        return len(f"{x}")

    check(f, np.array([1.0, 5.0]))
    with pytest.warns(autovec.FallbackWarning):
        assert autovec.vectorize(lambda x: f(x), otypes="f")(np.zeros(0)).dtype == np.float32


def test_otypes_win():
    got = autovec.vectorize(lambda x: x > 0, otypes="d", fallback="error")(np.array([1.0, -1.0]))
    assert got.dtype == float and got.tolist() == [1.0, 0.0]
    got = autovec.vectorize(lambda x: (x, 1), otypes=["f4", int], fallback="error")(np.zeros(0))
    assert [v.dtype for v in got] == [G, I]


def test_strings():
    def f(x, s):
        return s if x > 0 else "longer than that"

    got = autovec.vectorize(f, fallback="error")(np.array([1.0, -1.0]), np.array(["abc", "d"]))
    assert got.tolist() == ["abc", "longer than that"]
    assert dtype_of(f, F, S).kind in "UTO"
    assert dtype_of(lambda x: "a", F).kind in "UTO"


def test_mixed_kinds_are_objects_or_an_error_never_text():
    """A number here and a string there: Python has both; NumPy's '1.0' would be a lie."""

    def f(x):
        return "low" if x < 0 else x

    got = autovec.vectorize(f, fallback="silent")(np.array([1.5, -1.0]))
    assert got.tolist() == [1.5, "low"]
