"""The helpers for strings against Python's own methods."""

from __future__ import annotations

import numpy as np
import pytest

from tests.prelude_checks import helper

TEXTS = ["", "a", "ab", "aXb", "banana", "aaaa", " Pad\t", "\u00df", "\u0130x", "\ufb01n",
         "TITLE case", "12", "-7", " 1_0 ", "1.5", "nan", "inf", "1e5", "x,y,z", ",", "a,", ",a",
         "\u0663", "\U0001d518"]  # fmt: skip
SHAPES = [(0,), (1,), (len(TEXTS),), (2, len(TEXTS) // 2), (2, 0)]


def columns():
    """The texts in arrays of several shapes."""
    for shape in SHAPES:
        count = int(np.prod(shape))
        yield np.array(TEXTS[:count], dtype=str).reshape(shape)


def agree(got, want):
    assert isinstance(got, np.ndarray) and got.shape == want.shape
    assert got.dtype.kind == want.dtype.kind or not got.size
    assert got.tolist() == want.tolist()


def each(method, x, *args):
    """Python's answers, one an element."""
    out = np.empty(x.shape, object)
    for index in np.ndindex(x.shape):
        out[index] = method(x[index].item(), *args)
    return out.astype(str)


@pytest.mark.parametrize("name", ["upper", "lower"])
def test_case(name):
    for x in columns():
        before = x.copy()
        agree(helper(name)(x), each(getattr(str, name), x))
        assert (x == before).all()
    ascii_only = np.array(["abc", "XyZ", "", "0[`{@"])
    agree(helper(name)(ascii_only), each(getattr(str, name), ascii_only))
    assert helper(name)("aBc") == getattr("aBc", name)()


@pytest.mark.parametrize("method", [str.title, str.capitalize, str.swapcase, str.casefold])
def test_texts(method):
    for x in columns():
        agree(helper("texts")(method, x), each(method, x))


@pytest.mark.parametrize("old", ["a", "aa", "", ",", "a much longer one"])
@pytest.mark.parametrize("new", ["", "<>", "a"])
@pytest.mark.parametrize("count", [-1, 0, 1])
def test_replace(old, new, count):
    for x in columns():
        agree(helper("replace")(x, old, new, count), each(str.replace, x, old, new, count))


@pytest.mark.parametrize("width", [-1, 0, 3, 9])
@pytest.mark.parametrize("name", ["zfill", "ljust", "rjust", "center"])
def test_pad(name, width):
    for x in columns():
        want = each(lambda v: getattr(v, name)(width), x)
        agree(helper("pad")(getattr(np.strings, name), x, width), want)
    if name != "zfill":
        got = helper("pad")(getattr(np.strings, name), np.array(TEXTS), width, "*")
        assert got.tolist() == [getattr(t, name)(width, "*") for t in TEXTS]


def test_put_text():
    texts = np.array(["a", "b", "c"])
    wide = helper("put_text")(texts, np.array([1]), "much longer")
    assert wide.tolist() == ["a", "much longer", "c"] and texts.tolist() == ["a", "b", "c"]
    same = helper("put_text")(wide, np.array([0, 2]), np.array(["x", "y"]))
    assert same is wide and wide.tolist() == ["x", "much longer", "y"]
    none = helper("put_text")(texts, np.array([], int), np.array([], "U1"))
    assert none.tolist() == texts.tolist()


@pytest.mark.parametrize("sep", [",", "an", "a much longer one"])
@pytest.mark.parametrize("name", ["partition", "rpartition"])
def test_partition(sep, name):
    for x in columns():
        got = helper(name)(x, sep)
        for k in range(3):
            agree(got[k], each(lambda v: getattr(v, name)(sep)[k], x))


@pytest.mark.parametrize("k", range(-3, 4))
def test_field(k):
    enough = np.array([t for t in TEXTS if -len(t.split(",")) <= k < len(t.split(","))])
    if enough.size:
        agree(helper("field")(enough, ",", k), each(lambda v: v.split(",")[k], enough))
    if k not in (0, -1):
        with pytest.raises(IndexError, match="list index out of range"):
            helper("field")(np.array(["x,y,z,w", "x"]), ",", k)
    agree(helper("field")(np.array([], "U3"), ",", k), np.array([], "U1"))


@pytest.mark.parametrize(("kind", "name"), [(int, "int"), (float, "float")])
def test_parse(kind, name):
    def readable(text):
        try:
            kind(text)
        except ValueError:
            return False
        return True

    want = np.array([readable(t) for t in TEXTS])
    assert (helper(f"is_{name}")(np.array(TEXTS)) == want).all()
    good = np.array([t for t in TEXTS if readable(t)])
    got = helper(f"parse_{name}")(good)
    assert got.dtype == np.dtype(kind)
    np.testing.assert_array_equal(got, [kind(t) for t in good.tolist()])
    assert helper(f"parse_{name}")(np.array([], str)).dtype == np.dtype(kind)
    with pytest.raises(ValueError, match=r": 'no'$"):
        helper(f"parse_{name}")(np.array(["1", "no", "neither"]))


def test_parse_int_ends_with_int64():
    with pytest.raises(OverflowError, match="too large for int64"):
        helper("parse_int")(np.array(["1", "9" * 25]))


def test_characters():
    agree(helper("characters")(np.array([65, 0x1D518])), np.array(["A", "\U0001d518"]))
    agree(helper("characters")(np.array([], int)), np.array([], "U1"))
    with pytest.raises(OverflowError, match="null character"):
        helper("characters")(np.array([65, 0]))


@pytest.mark.parametrize("k", [0, 1, -1, -2])
def test_char_at(k):
    enough = np.array([t for t in TEXTS if -len(t) <= k < len(t)])
    agree(helper("char_at")(enough, k), each(lambda v: v[k], enough))
    both = helper("char_at")(np.array(["ab", "xyz"]), np.array([k, 0]))
    assert both.tolist() == ["ab"[k], "x"]
    with pytest.raises(IndexError, match="string index out of range"):
        helper("char_at")(np.array(["abc", ""]), k)


def test_is_int_in_a_base():
    texts = np.array(["ff", "0x1f", "z", "", "0b1"])
    assert helper("is_int")(texts, 16).tolist() == [True, True, False, False, True]
    assert helper("is_int")(texts, 0).tolist() == [False, True, False, False, True]
