"""vmap: axes in and out, trees, rows, and the law that element i is f of sample i."""

import collections
import dataclasses
import math

import numpy as np
import pytest

import autovec
from autovec import vmap


def quiet(f, *args, **options):
    """vmap for samples that only the loop can take today."""
    return vmap(f, *args, fallback="silent", **options)


def clip(x, limit):
    return x if x < limit else limit


X = np.array([1.0, 5.0, 9.0])


def same(got, want):
    assert type(got) is type(want)
    if isinstance(want, np.ndarray):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_array_equal(got, want)


# ------------------------------------------------------------------ scalar samples


@pytest.mark.parametrize("in_axes", [(0, None), [0, None], {"limit": None}, (-1, None)], ids=repr)
def test_mapped_and_uniform(in_axes):
    same(vmap(clip, in_axes)(X, 6.0), np.array([1.0, 5.0, 6.0]))


def test_int_for_all_and_keywords_on_axis_0():
    same(vmap(clip)(X, np.full(3, 6.0)), np.array([1.0, 5.0, 6.0]))
    same(vmap(clip, in_axes=(0,))(X, limit=np.full(3, 6.0)), np.array([1.0, 5.0, 6.0]))
    same(vmap(clip, in_axes={"limit": None})(X, limit=6.0), np.array([1.0, 5.0, 6.0]))
    same(vmap(clip, in_axes=None)(6.0, limit=X), np.array([1.0, 5.0, 6.0]))


def test_an_array_with_in_axes_none_is_uniform():
    def look(i, table):
        return i * len(table)

    same(quiet(look, (0, None))(np.arange(3), X), np.array([0, 3, 6]))


def test_dtypes():
    same(vmap(lambda x: x + 1)(np.arange(3, dtype="f4")), np.arange(1, 4, dtype="f4"))
    same(vmap(lambda x: 0 if x < 2 else x)(X), np.array([0.0, 5.0, 9.0]))
    same(vmap(lambda x: (x, x > 2))(X)[1], np.array([False, True, True]))


def test_uniform_results_are_spread():
    same(vmap(lambda x, y: y * 2.0, (0, None))(X, 4.0), np.full(3, 8.0))
    assert vmap(lambda x: None)(X) is None


def test_lanes_that_all_return_none_where_others_would_not():
    find = quiet(lambda s: s.find("q") if "q" in s else None)
    rows = quiet(lambda r: r["s"] if r["s"] != "a" else None)
    assert rows({"s": ["a", "a"]}).tolist() == [None, None]
    assert len(find(np.array(["a", "b"]))) == 2
    assert quiet(lambda r: None)({"s": ["a", "a"]}) is None


def test_as_decorator():
    @vmap(in_axes=(0, None))
    def f(x, k):
        return x * k

    same(f(X, 2.0), X * 2)


def test_empty_batches():
    out = vmap(clip, (0, None))(np.zeros(0), 1.0)
    same(out, np.zeros(0))
    same(vmap(lambda x: (x, x > 1))(np.zeros(0, int))[0], np.zeros(0, int))
    same(quiet(lambda x: x.sum())(np.zeros((0, 4))), np.zeros(0))


# ------------------------------------------------------------------ array samples and trees


def test_rows_of_arrays():
    m = np.arange(6.0).reshape(2, 3)
    same(quiet(np.sum)(m), m.sum(1))
    same(quiet(np.sum, in_axes=1)(m), m.sum(0))
    same(quiet(np.sum, in_axes=-1)(m), m.sum(0))
    same(quiet(lambda x, w: x @ w, (0, None))(m, np.ones(3)), m @ np.ones(3))
    same(vmap(lambda x: x.sum(), fallback="error")(m), m.sum(1))
    assert "x.sum(axis=-1)" in vmap(lambda x: x.sum()).emit(m)


def test_rows_of_strings_loop():
    m = np.array([["a", "b"], ["c", "d"]])
    with pytest.warns(autovec.FallbackWarning, match="an array of <U"):
        vmap(lambda x: len(x))(m)
    with pytest.raises(autovec.FallbackError, match="it has no array form"):
        vmap(lambda x: len(x), fallback="error")(m)


def test_samples_of_arrays_are_views_as_in_the_loop():
    m = np.zeros((2, 3))

    def fill(x):
        x[0] = 7
        return 1

    quiet(fill)(m)
    assert m[:, 0].tolist() == [7, 7]


def test_scalar_samples_in_the_loop_are_python_objects():
    kinds = quiet(lambda d, m: [type(d["x"]).__name__, m.sum()])
    for values, kind in [
        (np.arange(2.0), "float"),
        (np.arange(2), "int"),
        (np.array([True, False]), "bool"),
        (np.array(["a", "b"]), "str"),
        (np.arange(2, dtype="f4"), "float32"),
        (np.arange(2, dtype="i2"), "int16"),
        (np.array(["2020-01-01", "2021-01-01"], "M8[D]"), "datetime64"),
    ]:
        assert kinds({"x": values}, np.zeros((2, 1)))[0].tolist() == [kind, kind]


@dataclasses.dataclass
class State:
    pos: object
    vel: object


Pair = collections.namedtuple("Pair", "a b")


def test_trees():
    pos, vel = np.arange(3.0), np.ones(3)
    moved = quiet(lambda s, dt: dataclasses.replace(s, pos=s.pos + dt * s.vel), (0, None))
    out = moved(State(pos, vel), 0.5)
    assert isinstance(out, State)
    same(out.pos, pos + 0.5)
    mixed = quiet(lambda t: t[0] + t[1].a * t[1].b, in_axes=((0, Pair(None, 1)),))
    same(mixed((pos, Pair(10.0, np.array([[1.0, 2, 3]])))), np.array([[10.0], [21], [32]]))
    same(quiet(lambda p, _: p + 1)(pos, ()), pos + 1)


def test_dicts_of_columns_are_rows():
    rows = {"x": X, "name": ["a", "b", "a"]}
    same(quiet(lambda r: r.x if r["name"] == "a" else -1.0)(rows), np.array([1.0, -1.0, 9.0]))
    out = quiet(lambda r: r)(rows)
    assert type(out) is dict and out["name"].tolist() == ["a", "b", "a"]
    with pytest.raises(AttributeError, match="missing"):
        quiet(lambda r: r.missing)(rows)


def test_nesting():
    x, y = np.arange(3.0), np.arange(2.0)
    outer = quiet(quiet(lambda a, b: a * 10 + b, (None, 0)), (0, None))
    same(outer(x, y), x[:, None] * 10 + y)


# ------------------------------------------------------------------ out_axes, axis_size


def test_out_axes():
    m = np.arange(24.0).reshape(2, 3, 4)
    same(quiet(lambda v: v, out_axes=-1)(m), np.moveaxis(m, 0, -1))
    same(quiet(lambda v: v, in_axes=1, out_axes=1)(m), m)
    out = quiet(lambda v: {"s": v.sum(), "v": (v, [v])}, out_axes={"s": 0, "v": 1})(m)
    same(out["s"], m.sum((1, 2)))
    same(out["v"][1][0], np.moveaxis(m, 0, 1))
    one = vmap(lambda x, y: (x + y, y * 2.0), (0, None), out_axes=(0, None))(X, 4.0)
    assert one[1] == 8.0 and np.ndim(one[1]) == 0
    text = quiet(lambda v: (v, "same"), out_axes=(0, None))(m)
    assert text[1] == "same" and type(text[1]) is str


def test_axis_size():
    same(quiet(lambda: np.arange(2.0), axis_size=3)(), np.tile(np.arange(2.0), (3, 1)))
    with pytest.raises(ValueError, match="the argument axis_size"):
        vmap(clip, (0, None), axis_size=4)(X, 1.0)


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: vmap(clip)(X, np.ones(2)), ValueError, "argument x of shape.*\n.*argument limit"),
        (lambda: vmap(clip)(X, np.ones(1)), ValueError, "size 3.*\n.*size 1"),
        (lambda: vmap(clip)(X, limit=np.ones(2)), ValueError, "limit"),
        (lambda: vmap(clip)(X, 1.0), ValueError, "argument limit along axis 0.*at least 1"),
        (lambda: vmap(clip, (1, None))(X, 1.0), ValueError, "at least 2, but is only 1"),
        (lambda: vmap(clip, None)(X, 1.0), ValueError, "in_axes"),
        (lambda: vmap(clip, (0,))(X, 1.0), ValueError, "1 entries for 2 positional"),
        (lambda: vmap(clip, {"z": 0})(X, 1.0), ValueError, "names z"),
        (lambda: vmap(clip, "0"), TypeError, "in_axes"),
        (lambda: vmap(clip, (0, 1.5)), TypeError, "in_axes"),
        (lambda: vmap(clip, out_axes=(np.ones(2),)), TypeError, "out_axes"),
        (lambda: vmap(clip)(X, "abc"), TypeError, "cannot map over argument limit of type str"),
        (lambda: vmap(clip)(X, math.sin), TypeError, "type builtin_function_or_method"),
        (lambda: vmap(lambda x: x, out_axes=(0, 1))(X), ValueError, "prefix"),
        (lambda: vmap(lambda x: x, out_axes=-3)(X), ValueError, "axis -3 is out of bounds"),
        (lambda: vmap(lambda x: x, out_axes=None)(X), ValueError, "the result depends on a mapped"),
        (lambda: vmap(lambda x: (1, x), out_axes=(0, None))(X), ValueError, r"result\[1\] depends"),
        (lambda: quiet(lambda x: x[x > 2])(np.tri(3) * 3), ValueError, r"shape \(1,\) for lane 0"),
    ],
)
def test_refusals(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_out_axes_none_counts_nan_as_the_same():
    out = vmap(lambda x, y: (x, y), (0, None), out_axes=(0, None))(X, math.nan)
    assert math.isnan(out[1])


def test_series_with_other_axes(recwarn):
    pd = pytest.importorskip("pandas")
    s = pd.Series([1.0, 2.0], index=["a", "b"])
    assert quiet(lambda v, m: v + m.sum(), (0, 1))(s, np.ones((3, 2))).tolist() == [4, 5]
