"""vectorize called as np.vectorize is called: shapes, scalars, keywords, excluded, otypes."""

import array
import collections
import warnings

import numpy as np
import pytest

import autovec
from autovec import vectorize


def addsub(a, b):
    if a > b:
        return a - b
    return a + b


def scaled(x, k=2.0, *, shift=0.0):
    return x * k + shift


def assert_like(got, want):
    want = np.asarray(want)
    assert isinstance(got, np.ndarray)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_array_equal(got, want)


# ------------------------------------------------------------------ shapes


@pytest.mark.parametrize(
    "args",
    [
        ([0, 3, 6, 9], [1, 3, 5, 7]),
        ([0, 3, 6, 9], 5),
        (5, [0.5, 9.5]),
        (np.arange(3.0)[:, None], np.arange(2.0)),
        (np.arange(24).reshape(2, 3, 4), np.arange(4)),
        ((1, 2), range(2)),
        (np.array([1, 2], ">i4"), np.array([3, 0], "<i4")),
        (np.arange(6)[::-2], np.arange(3)),
    ],
    ids=repr,
)
def test_any_shapes_broadcast(args):
    assert_like(vectorize(addsub)(*args), np.vectorize(addsub)(*args))


def test_result_has_the_full_shape_where_it_does_not_depend_on_all():
    first = vectorize(lambda x, y: x)
    assert_like(first(np.arange(3), np.zeros((2, 1))), [[0, 1, 2], [0, 1, 2]])
    assert_like(vectorize(lambda x: 7)(np.zeros((2, 2))), np.full((2, 2), 7))


def test_mismatch_names_arguments_and_shapes():
    with pytest.raises(ValueError, match=r"a has shape \(3,\), b has shape \(2, 2\)"):
        vectorize(addsub)(np.arange(3), np.ones((2, 2)))


def test_mismatch_is_noticed_where_an_argument_is_not_used():
    first = vectorize(lambda x, y: x)
    assert first(np.arange(2), np.arange(2)).tolist() == [0, 1]
    with pytest.raises(ValueError, match="broadcast"):
        first(np.arange(2), np.arange(3))


def test_ragged_lists_name_the_argument():
    with pytest.raises(ValueError, match="argument b: .*inhomogeneous"):
        vectorize(addsub)(1, [[1, 2], [3]])


@pytest.mark.parametrize("shape", [(0,), (0, 5), (2, 0)])
def test_empty_input(shape):
    out = vectorize(addsub)(np.zeros(shape), 1.0)
    assert (out.shape, out.dtype) == (shape, np.dtype(float))


# ------------------------------------------------------------------ scalars


def test_only_scalars_give_a_0d_array():
    out = vectorize(addsub)(5, 3)
    assert type(out) is np.ndarray
    assert_like(out, np.array(2))
    assert_like(vectorize(scaled)(np.float32(1.5)), np.array(np.float32(3.0)))
    pair = vectorize(lambda x: (x, x + 0.5))(2)
    assert [type(leaf) for leaf in pair] == [np.ndarray] * 2
    assert [leaf.shape for leaf in pair] == [(), ()]


def test_scalar_call_agrees_with_the_array_call():
    ratio = vectorize(lambda x, y: x / y)
    with np.errstate(divide="ignore"):
        assert ratio(1.0, np.array([0.0]))[0] == ratio(1.0, 0.0) == np.inf


def test_zero_d_arrays_are_scalars():
    assert_like(vectorize(addsub)(np.array(5), np.array([3, 7])), [2, 12])


def test_a_huge_int_is_exact():
    out = vectorize(lambda n: n % 1000 + 0 * n)(2**80 + 7)
    assert out.shape == () and int(out) == (2**80 + 7) % 1000


def test_objects_are_uniform():
    table = {"a": 1.5, "b": 2.5}
    look = vectorize(lambda x, t: x * t["a"])
    assert_like(look(np.arange(2.0), table), [0.0, 1.5])
    assert look(2.0, table).shape == ()
    assert_like(vectorize(lambda t: t["a"])(table), np.array(1.5))


def test_no_arguments_is_a_plain_call():
    assert vectorize(lambda: 1)() == 1
    assert vectorize(lambda x=3: [x])() == [3]


def test_strings():
    assert_like(vectorize(lambda s: s + "!")(np.array(["ab", "c"])), ["ab!", "c!"])
    assert_like(vectorize(lambda s: s == "ab")(["ab", "c"]), [True, False])
    mark = vectorize(lambda x, how: -x if how == "neg" else x)
    assert_like(mark(np.arange(2.0), "neg"), [0.0, -1.0])


def test_mixed_lists_are_not_made_text():
    kind = vectorize(lambda v: isinstance(v, str), fallback="silent")
    assert_like(kind([1, "a", 2.5]), [False, True, False])


def test_lists_of_huge_ints_stay_exact():
    out = vectorize(lambda n: n + 1, fallback="silent")([2**63, 2**70])
    assert out.tolist() == [2**63 + 1, 2**70 + 1]


# ------------------------------------------------------------------ keywords and defaults


def test_keywords_and_defaults():
    f = vectorize(scaled)
    x = np.arange(3.0)
    assert_like(f(x), x * 2)
    assert_like(f(x=x, k=3.0), x * 3)
    assert_like(f(x, shift=np.array([[1.0], [2.0]])), x * 2 + [[1.0], [2.0]])
    assert_like(f(k=x, x=2.0), 2 * x)


def test_a_default_that_is_changed_counts():
    def f(x, k=2.0):
        return x * k

    g = vectorize(f)
    x = np.arange(3.0)
    g(x), g(x)
    f.__defaults__ = (5.0,)
    assert_like(g(x), x * 5)


def test_star_arguments():
    total = vectorize(lambda *v, **named: v[0] + v[1] * 10 + named["c"])
    assert_like(total([1, 2], 3, c=np.array([100, 200])), [131, 232])


def test_positional_only():
    def f(x, /, x2=1, **rest):
        return x + x2 + rest.get("x", 0)

    assert_like(vectorize(f)(np.arange(2), x=10), [11, 12])


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f(),
        lambda f: f(1, 2, 3),
        lambda f: f(1, z=2),
        lambda f: f(1, a=2),
        lambda f: f(np.arange(3), b=1, a=2),
    ],
)
def test_wrong_arguments_give_the_plain_functions_message(call):
    with pytest.raises(TypeError) as want:
        call(addsub)
    with pytest.raises(TypeError) as got:
        call(vectorize(addsub))
    assert str(got.value) == str(want.value)


# ------------------------------------------------------------------ excluded


def poly(x, p):
    p = list(p)
    result = p.pop(0)
    while p:
        result = result * x + p.pop(0)
    return result


@pytest.mark.parametrize("excluded", [{"p"}, {1}, ["p", 1], {-1}, frozenset({"p"})], ids=repr)
def test_excluded_by_name_or_position_either_way_it_is_passed(excluded):
    f = vectorize(poly, excluded=excluded, fallback="silent")
    assert_like(f([0, 1], [1, 2, 3]), [3, 6])
    assert_like(f([0, 1], p=[1, 2, 3]), [3, 6])
    assert_like(f(p=np.array([1, 2, 3]), x=[0, 1]), [3, 6])


def test_excluded_first_and_variable_arguments():
    f = vectorize(lambda p, x: p[0] * x + p[1], excluded={0}, fallback="silent")
    assert_like(f([1.0, 2.0], [0.0, 1.0]), [2.0, 3.0])
    g = vectorize(lambda x, *rest: x + len(rest[0]), excluded={1}, fallback="silent")
    assert_like(g([1, 2], [7, 8, 9]), [4, 5])


def test_all_excluded_is_a_plain_call():
    assert vectorize(lambda p: p, excluded={0})([1, 2]) == [1, 2]


# ------------------------------------------------------------------ otypes


def test_otypes():
    x = np.array([1, 2])
    assert_like(vectorize(addsub, otypes="d")(x, 1), np.array([2.0, 1.0]))
    assert_like(vectorize(addsub, otypes=[np.float32])(x, 1), np.array([2, 1], "f4"))
    two = vectorize(lambda x: (x, x * 0.5), otypes=["f4", "i4"])([2, 4])
    assert_like(two[0], np.array([2, 4], "f4"))
    assert_like(two[1], np.array([1, 2], "i4"))
    assert_like(vectorize(lambda x: x, otypes="d")(np.zeros((0, 5), int)), np.zeros((0, 5)))


def test_otypes_of_text_are_as_wide_as_need_be():
    name = "n" * 5
    assert_like(vectorize(lambda n: "v" * n, otypes="U", fallback="silent")([1, 3]), ["v", "vvv"])
    wide = vectorize(lambda n: "v" * n, otypes=["<U10"], fallback="silent")([1, 3])
    assert wide.dtype == "<U10"
    cut = vectorize(lambda n: name, otypes=["<U2"], fallback="silent")([1, 3])
    assert cut.tolist() == [name, name]
    assert vectorize(lambda x: x, otypes="U")([1.5]).tolist() == ["1.5"]


def test_otypes_object_keeps_containers():
    with pytest.warns(autovec.FallbackWarning):
        out = vectorize(lambda x: [x, x], otypes=[object])([1, 2])
    assert out.dtype == object and out.shape == (2,) and out[1] == [2, 2]
    plain = vectorize(lambda x: x * 2, otypes="O")([1, 2])
    assert plain.dtype == object and plain.tolist() == [2, 4]


@pytest.mark.parametrize(
    ("value", "otype", "error"),
    [
        (float("nan"), "i", ValueError),
        (float("inf"), "l", OverflowError),
        (1e30, "l", OverflowError),
        (300, "b", OverflowError),
        (-1, "B", OverflowError),
        (1j, "d", TypeError),
    ],
)
def test_otypes_that_cannot_hold_a_value_raise_as_numpy_does(value, otype, error):
    for maker in (np.vectorize, vectorize):
        with pytest.raises(error):
            maker(lambda x: x, otypes=otype)(np.array([value]))


@pytest.mark.parametrize("bad", ["Z", 5, float])
def test_bad_otypes(bad):
    with pytest.raises(ValueError, match="Invalid otype"):
        vectorize(addsub, otypes=bad)


def test_otypes_and_results_must_agree_in_number():
    with pytest.raises(ValueError, match="expected 2, got 1"):
        vectorize(lambda x: x, otypes="dd")([1.0])
    with pytest.raises(ValueError, match="expected 1, got 2"):
        vectorize(lambda x: (x, x), otypes="d")([1.0])


# ------------------------------------------------------------------ memory


def test_results_share_no_memory():
    x = np.arange(3.0)
    same = vectorize(lambda x: x)
    for _ in range(2):  # the first call, and the short way of later ones
        out = same(x)
        out[0] = 9
        assert x[0] == 0
    twice = vectorize(lambda x: (x, x, x + 1))
    for _ in range(2):
        a, b, c = twice(x)
        a[0] = 9
        assert x[0] == 0 and b[0] == 0 and c[0] == 1
    out = vectorize(lambda x, y: x)(x, np.zeros((2, 1)))
    out[0, 0] = 9
    assert out[1, 0] == 0 and x[0] == 0


def test_inputs_are_not_changed():
    x = np.arange(3.0)

    def f(x):
        x += 1
        return x

    assert_like(vectorize(f)(x), [1.0, 2, 3])
    assert_like(x, [0.0, 1, 2])


# ------------------------------------------------------------------ subclasses, options


class Marked(np.ndarray):
    pass


def test_subclasses_come_back():
    x = np.arange(3.0).view(Marked)
    assert type(vectorize(addsub)(x, 1.0)) is Marked
    masked = np.ma.array([1.0, 2.0], mask=[True, False])
    out = vectorize(addsub)(masked, np.ma.array([5.0, 5.0], mask=[False, False]))
    assert out.mask.tolist() == [True, False] and out[1] == 7


def test_as_decorator_with_and_without_options():
    @vectorize
    def one(x):
        return x

    @vectorize(otypes="d", doc="other", excluded=["k"], cache=True)
    def two(x, k):
        "own"
        return x * k

    assert_like(one([1]), [1])
    assert_like(two([1], 2), [2.0])
    assert two.__doc__ == "other"


def test_bad_options():
    with pytest.raises(TypeError, match="only accepts keyword arguments"):
        vectorize("d")
    with pytest.raises(ValueError, match="fallback must be one of warn, silent, error"):
        vectorize(addsub, fallback="never")
    with pytest.raises(ValueError, match="identifier"):
        vectorize(addsub, name="a b")
    with pytest.raises(ValueError, match="not a valid gufunc signature"):
        vectorize(addsub, signature="(x),(y)->")


def test_nothing_is_evaluated_twice():
    seen = []

    def f(x):
        seen.append(x)
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", autovec.FallbackWarning)
        vectorize(f)([1, 2, 3])
    assert seen == [1, 2, 3]


class Reading:
    """What other array libraries offer."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype)


def test_array_likes():
    for value in (
        array.array("d", [1.0, 5.0]),
        memoryview(np.array([1.0, 5.0])),
        Reading([1.0, 5.0]),
        collections.deque([1.0, 5.0]),
    ):
        assert_like(vectorize(addsub)(value, 2.0), [3.0, 3.0])
    assert vectorize(addsub)(Reading(5.0), np.array([2.0])).tolist() == [3.0]


def test_variable_width_strings():
    text = np.array(["a", "bcd"], dtype=np.dtypes.StringDType())
    assert_like(vectorize(lambda s: s + "!")(text), ["a!", "bcd!"])
    odd = vectorize(lambda s: len(s), fallback="silent")
    assert_like(odd(np.array(["a\0", "b"], dtype=object)), [2, 1])
    assert_like(odd(np.array(["a\0", "b"], dtype=np.dtypes.StringDType())), [2, 1])


def test_a_type_is_no_array():
    assert vectorize(lambda kind, x: x, fallback="silent")(np.ndarray, [1, 2]).tolist() == [1, 2]


# ------------------------------------------------------------------ refusals of the compiler


def test_syntax_without_a_sample_is_refused():
    def f(x):
        yield x

    with pytest.raises(autovec.UnsupportedSyntax, match="yield"):
        vectorize(f)(np.arange(3))


def test_a_bug_of_the_compiler_does_not_stop_the_user(monkeypatch):
    from autovec import pipeline

    def broken(*_):
        raise RuntimeError("oops")

    def f(x):
        return x + 1

    monkeypatch.setattr(pipeline, "specialise", broken)
    with pytest.warns(autovec.FallbackWarning, match="which is a bug: RuntimeError: oops"):
        assert vectorize(f)([1, 2]).tolist() == [2, 3]
    with pytest.raises(autovec.FallbackError, match="which is a bug: RuntimeError: oops"):
        vectorize(f, fallback="error")([1, 2])
    with pytest.raises(autovec.AutovecError, match="RuntimeError: oops"):
        vectorize(f).emit([1, 2])


def test_fallbacks_are_announced_once_and_at_the_users_line():
    f = vectorize(lambda x: f"{x}".upper())
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        f([1, 2])
        f([1, 2])
    (warning,) = [w for w in seen if w.category is autovec.FallbackWarning]
    assert warning.filename == __file__
    assert 'f"{x}".upper()' in str(warning.message) and "why:" in str(warning.message)
    with pytest.raises(autovec.FallbackError, match="why:") as caught:
        vectorize(lambda x: f"{x}".upper(), fallback="error")([1, 2])
    assert len(caught.value.problems) == 1
