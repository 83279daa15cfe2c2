"""Dtypes that are known only when the text runs: one text, right for arrays of any dtype."""

import itertools
import math

import numpy as np
import pytest

from autovec.errors import FallbackError
from autovec.pipeline import Options, specialise
from autovec.program.facts import Fact, Uniform, Varying, join, scalar_fact
from autovec.program.unknown import (
    DTYPES,
    UNDECLARED,
    Undeclared,
    Weak,
    mixture,
    named,
    result_type,
    source,
    substituted,
)
from tests.oracle.standalone import load_text

X, Y = source("x"), source("y")


# ------------------------------------------------------------------ dtypes
@pytest.mark.parametrize("extra", [(), (1,), (1.0,), (np.dtype("f4"),), (np.dtype(float),)])
def test_promotion_is_numpys_for_every_dtype(extra):
    late = result_type(X, Y, *extra)
    for a, b in itertools.product(DTYPES, DTYPES):
        want = np.result_type(a, b, *extra)
        if isinstance(late, np.dtype):
            assert late == want
        else:
            assert late.promotion.at({"x": a, "y": b}) == want


def test_what_is_always_one_dtype_is_known():
    assert result_type(X, np.dtype(float)) == np.dtype(float)
    assert result_type(1, 1.0) == np.dtype(float)


def test_inner_promotions_stay_where_they_matter():
    inner = result_type(X, 1.0)
    assert str(result_type(inner, 1)) == "np.result_type(x, 1.0)"
    nested = result_type(inner, Y)
    assert str(nested) == "np.result_type(np.result_type(x, 1.0), y)"
    small, half = np.dtype("i1"), np.dtype("f2")
    assert nested.promotion.at({"x": small, "y": half}) == np.dtype(float)
    assert np.result_type(small, half, 1.0) == half


def test_equality_is_that_of_all_dtypes():
    assert result_type(X, Y) == result_type(Y, X)
    assert result_type(result_type(X, 1.0), 1) == result_type(X, 1.0)
    assert result_type(X, 1.0) != result_type(X, 1)
    assert X != Y
    assert X != np.dtype(float)


def test_kinds():
    assert X.kind == "?"
    assert result_type(X, 1.0).kind == "f"
    assert {d.kind for d in X.possible} == set("biuf")


def test_a_callers_dtypes_stand_for_a_helpers():
    inside = result_type(source("v"), 1.0)
    assert substituted(inside, {"v": (X,)}) == result_type(X, 1.0)
    assert substituted(inside, {"v": (np.dtype("f4"),)}) == np.dtype("f4")
    assert named(result_type(X, 1.0), "v").kind == "f"


def test_integers_beside_floats():
    assert mixture((X,), (Y,)) == "apart"
    assert mixture((X,), (Weak("f"),)) == "mixed"
    assert mixture((X,), (X,)) == ""


def test_facts_join():
    x, y = Fact(X, ("B",)), Fact(Y, ("B",))
    joined = join(x, y)
    assert joined.dtype == result_type(X, Y)
    assert joined.apart
    assert not joined.mixed
    literal = join(x, scalar_fact(0.0))
    assert literal.dtype == result_type(X, 1.0)
    assert literal.mixed


# ------------------------------------------------------------------ texts
def ratio(x, y):
    if y == 0:
        return 0.0
    return x / y


def quotient(x, y):
    return x // y if y else -1


def area(x, y):
    return x * y + x


def minus(x, y):
    return -x if x > y else abs(y)


def power(x, y):
    return x**2 - y**3


def log(x, y):
    return math.log(x) if x > 0 else y


def root(x, y):
    return math.sqrt(abs(x)) ** 0.5 + y


def clamp(x, y):
    return max(0, min(x, y))


def total(x, y):
    s = 0
    for i in range(3):
        s += x * i
    return s + y


def halve(x, y):
    steps = 0
    while x > y and steps < 50:
        x = x / 2
        steps += 1
    return x, steps


def helped(x, y):
    return ratio(x, y) + area(y, y)


def whole(x, y):
    return int(x) + round(y)


def flag(x, y):
    return 1.5 if x else y


def rest(x, y):
    if x > 3:
        x = y
    return x % 7


FUNCTIONS = [
    ratio, quotient, area, minus, power, log, root, clamp, total, halve, helped, whole, flag, rest,
]  # fmt: skip
VALUES = np.array([0, 1, 2, 3, 5, 7, 1, 4]), np.array([1, 0, 3, 2, 2, 5, 0, 7])
DTYPE_PAIRS = [
    *((d, d) for d in ("?", "i1", "i4", "i8", "f4", "f8")),
    *(("i8", "f8"), ("f8", "i8"), ("i4", "f4"), ("f4", "f8"), ("i8", "i4")),
]


def compiled(function, **uniform):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    facts = {n: Uniform(uniform[n]) if n in uniform else Varying(UNDECLARED) for n in names}
    made = specialise(function, facts, Options(fallback="error"))
    return made.text, load_text(made.text, function.__name__)


def sample(array, k):
    python = array.dtype in (bool, int, float)
    return array[k].item() if python else array[k]


@pytest.mark.parametrize("dtypes", DTYPE_PAIRS, ids=str)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_one_text_is_right_for_every_dtype(function, dtypes):
    _, batched = compiled(function)
    x, y = (v.astype(d) for v, d in zip(VALUES, dtypes, strict=True))
    with np.errstate(all="ignore"):
        want = [function(sample(x, k), sample(y, k)) for k in range(len(x))]
        got = batched(x, y)
    columns = zip(*want, strict=True) if isinstance(want[0], tuple) else [want]
    for column, part in zip(columns, got if isinstance(got, tuple) else (got,), strict=True):
        expected = np.array(column)
        assert (part.dtype.kind == "f") == (expected.dtype.kind == "f"), part.dtype
        assert (part.dtype.kind == "b") == (expected.dtype.kind == "b"), part.dtype
        rtol = 1e-6 if "f4" in dtypes else 1e-12
        np.testing.assert_allclose(part.astype(float), expected.astype(float), rtol=rtol)


@pytest.mark.parametrize("dtype", ["i8", "i4", "f8", "f4"])
def test_the_dtype_of_a_buffer_is_the_loops(dtype):
    _, batched = compiled(ratio)
    x = np.arange(4).astype(dtype)
    assert batched(x, x).dtype == (np.dtype("f4") if dtype == "f4" else np.dtype(float))


def test_an_integer_zero_raises_and_a_float_zero_does_not():
    _, batched = compiled(divided)
    with pytest.raises(ZeroDivisionError, match="integer"):
        batched(np.array([1, 2]), np.array([1, 0]))
    with np.errstate(all="ignore"):
        assert np.isinf(batched(np.array([1.0, 2.0]), np.array([1.0, 0.0]))[1])


def divided(x, y):
    return x // y


def test_integers_beyond_int64_raise():
    _, batched = compiled(power)
    big = np.array([2**40])
    with pytest.raises(OverflowError):
        batched(big, big)
    assert batched(big.astype(float), big.astype(float)).dtype == np.dtype(float)


def picked(x, y):
    z = x if x > 0 else y
    return z % (y if y > 1 else x)


def test_what_only_one_kind_can_decide_is_refused_when_the_kinds_differ():
    text, batched = compiled(picked)
    assert "np.result_type(x).kind" in text
    whole, real = np.array([3, 5]), np.array([2.0, 4.0])
    assert batched(whole, whole).dtype == np.dtype(int)
    assert batched(real, real).dtype == np.dtype(float)
    with pytest.raises(TypeError, match="x, y: all have to be"):
        batched(whole, real)


def typed(x, y):
    return y if isinstance(x, int) else x


def test_what_no_text_is_right_for_asks_for_an_annotation():
    with pytest.raises(FallbackError, match="annotate the parameters"):
        compiled(typed)


def scaled(x, rate):
    if x > 0:
        return x * rate
    return rate


@pytest.mark.parametrize("rate", [2, 0.5])
def test_a_shared_number_may_be_an_int_or_a_float(rate):
    _, batched = compiled(scaled, rate=Undeclared(1.5))
    for dtype in ("i8", "f4", "f8", "i1"):
        x = np.array([3, 0, 1]).astype(dtype)
        want = np.array([scaled(sample(x, k), rate) for k in range(3)])
        got = batched(x, rate)
        np.testing.assert_allclose(got, want)
        assert got.dtype == np.result_type(x, rate)


def test_texts():
    assert compiled(ratio)[0].endswith(
        "    out = np.zeros(len(x), np.result_type(x, y, 1.0))\n"
        "    k = np.flatnonzero(~(y == 0))\n"
        "    out[k] = x[k] / y[k]\n"
        "    return out.reshape(shape)\n"
    )
    assert "= 1 * x  # a bool counts as 0 or 1\n" in compiled(area)[0]
    assert "def modulo(x, y):" in compiled(picked)[0]
