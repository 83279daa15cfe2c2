"""Strings, missing values, and expressions that only Python has, against the loop."""

from __future__ import annotations

import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.oracle.standalone import load_text
from tests.programs import leaves, missing, strings
from tests.programs.grid import array, calls, vectorised


@calls(strings)
def test_strings(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


@calls(missing)
def test_missing(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


@calls(leaves)
def test_one_expression_loops(f, args, in_axes):
    """The expression loops visibly, not the function; a uniform one does not at all."""
    report = check(f, *args, in_axes=in_axes)
    assert not report.fallbacks
    if in_axes is None and all(isinstance(a, np.ndarray) for a in args):
        assert report.expressions


WORDS = array("t", 0, 24)


def test_the_warning_names_the_expression_once():
    def label(word, x):
        return f"{word}: {x:.1f}"

    g = autovec.vectorize(label)
    with pytest.warns(autovec.FallbackWarning, match=r"this expression runs as a loop") as seen:
        g(WORDS, 1.5)
    (one,) = seen
    assert one.filename == __file__ and 'f"{word}: {x:.1f}"' in str(one.message)
    g(WORDS, 2.5)  # a second warning would be an error here
    with pytest.raises(autovec.FallbackError, match="an f-string"):
        autovec.vectorize(label, fallback="error")(WORDS, 1.5)
    autovec.vectorize(label, fallback="silent")(WORDS, 1.5)


def test_the_text_says_where_it_loops():
    text = autovec.vectorize(leaves.first_word, fallback="silent").emit(WORDS)
    assert "# a lane at a time" in text and "_sample" not in text
    alone = load_text(text, "first_word")(WORDS)
    assert alone.tolist() == [leaves.first_word(w) for w in WORDS.tolist()]


@pytest.mark.parametrize("dtype", ["f4", "i1", "u8", "f2"])
def test_numpys_own_scalars_are_shown_as_such(dtype):
    def label(x):
        return f"{x}|{x!r}"

    x = np.array([0, 1, 3]).astype(dtype)
    x = x / x.dtype.type(7) if dtype[0] == "f" else x
    got = autovec.vectorize(label, fallback="silent")(x)
    assert got.tolist() == [label(v) for v in x]


def test_floats_are_written_as_python_writes_them():
    def written(x):
        return str(x), repr(x)

    x = array("f", 0, 20)
    got = autovec.vectorize(written, fallback="error")(x)
    assert [leaf.tolist() for leaf in got] == [list(map(str, x.tolist()))] * 2


def test_a_lane_that_raises():
    def second(text):
        return text.split(" ")[1]

    def number(text):
        return int(text)

    def position(text):
        return text.index("z")

    for f, good, bad, error in (
        (second, "a b", "a", IndexError),
        (number, "12", "twelve", ValueError),
        (position, "xyz", "abc", ValueError),
    ):
        words = np.array([good, bad, "", good])
        with pytest.raises(error) as caught:
            autovec.vectorize(f, fallback="silent")(words)
        with pytest.raises(error) as wanted:
            f(bad)
        assert str(caught.value) == str(wanted.value)
        assert "in lane 1 of 4" in caught.value.__notes__[0]


@pytest.mark.parametrize("function", [lambda s: s[:2], lambda s: s.strip("b"), lambda s: s + "!"])
def test_null_characters_are_kept(function):
    """NumPy's fixed width text ends at the last character that is no null."""
    words = np.array(["a\0b", "xyz"])
    got = autovec.vectorize(function, fallback="silent")(words)
    assert got.tolist() == [function(w) for w in words.tolist()]


def test_chr_of_zero():
    got = autovec.vectorize(lambda k: "a" + chr(k), fallback="silent")(np.array([65, 0, 66]))
    assert got.tolist() == ["aA", "a\0", "aB"]


def test_integers_of_any_length():
    got = autovec.vectorize(int, fallback="silent")(np.array(["1", "9" * 25]))
    assert got.tolist() == [1, int("9" * 25)]


@pytest.mark.parametrize("n", [0, 1])
def test_few_lanes(n):
    for f in (strings.case, strings.padded, strings.replaced, strings.parts, strings.split_twice):
        args = [WORDS[:n], np.full(n, 3)] if f is strings.padded else [WORDS[:n]]
        out = autovec.vectorize(f, fallback="error")(*args)
        for leaf in out if isinstance(out, tuple) else (out,):
            assert leaf.shape == (n,) and leaf.dtype.kind == "U"


def test_the_text_fits_texts_of_any_width():
    f = autovec.vectorize(lambda s: s + "!")
    for words in (["a"], ["abc", "de"], ["much longer than that"]):
        assert f(np.array(words)).tolist() == [w + "!" for w in words]
    assert f.cache_info().misses == 1


def test_an_array_of_objects_of_one_type_is_that_type():
    several = (([1, 2], "i"), ([0.5, 2.0], "f"), ([True, False], "b"), (["a", "bc"], "U"))
    for values, kind in several:
        out = autovec.vectorize(lambda v: v, fallback="error")(np.array(values, object))
        assert out.dtype.kind == kind and out.tolist() == values
    out = autovec.vectorize(lambda v, x: v + x)(np.array([1, 2], object), np.ones(2, "f4"))
    assert out.dtype == np.float32  # a Python int is weak, other than an array of int64
    big = np.array([1, 2**70], object)
    out = autovec.vectorize(lambda v: v + 1, fallback="silent")(big)
    assert out.tolist() == [2, 2**70 + 1]


def test_mixtures_are_the_loops():
    for values in (["a", 1], ["a", None, 2.5], [None, None], [1, 2.5, None], ["a", math.nan, None]):
        mixed = np.array(values, object)
        out = autovec.vectorize(lambda v: v is None, fallback="silent")(mixed)
        assert out.tolist() == [v is None for v in values]
