"""Facts: promotion, weakness, lanes; storage and stand-ins."""

import itertools

import numpy as np
import pytest

from autovec.program.facts import (
    BATCH,
    Fact,
    NoCommonType,
    Varying,
    dummy,
    join,
    promote,
    scalar_fact,
    storage,
    union,
    varying_fact,
)

DTYPES = [np.dtype(d) for d in ("?", "i1", "u1", "i4", "i8", "f4", "f8", "c8", "c16")]
PYTHON = [True, 1, 1.0, 1j]


def strong(dtype):
    return Fact(np.dtype(dtype), (BATCH,))


def weak(value):
    fact = scalar_fact(value)
    assert fact is not None and fact.weak
    return fact


@pytest.mark.parametrize(("a", "b"), list(itertools.product(DTYPES, DTYPES)))
def test_strong_facts_promote_as_numpy_does(a, b):
    assert promote(strong(a), strong(b)) == np.result_type(a, b)


@pytest.mark.parametrize(("a", "value"), list(itertools.product(DTYPES, PYTHON[1:])))
def test_python_numbers_are_weak(a, value):
    assert promote(strong(a), weak(value)) == np.result_type(a, value)
    assert promote(weak(value), strong(a)) == np.result_type(a, value)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(PYTHON, PYTHON)))
def test_two_python_numbers_stay_weak(a, b):
    made = join(weak(a), weak(b))
    assert made.weak and made.dtype == np.result_type(type(a), type(b))


def test_the_join_does_not_depend_on_the_order():
    facts = [strong(d) for d in DTYPES] + [weak(v) for v in PYTHON]
    for a, b in itertools.product(facts, facts):
        one, two = join(a, b), join(b, a)
        assert (one.dtype, one.weak, one.lanes) == (two.dtype, two.weak, two.lanes)


def test_the_join_of_three_does_not_depend_on_the_order():
    """Strong float32, a weak float and a bool: whichever comes first, float32."""
    three = [strong("f4"), weak(0.5), strong("?")]
    found = {join(join(a, b), c).dtype for a, b, c in itertools.permutations(three)}
    assert found == {np.dtype("f4")}


def test_lanes_are_a_union_in_one_order():
    assert union((), ("B",)) == ("B",)
    assert union(("B",), ("A",)) == union(("A",), ("B",)) == ("A", "B")
    assert union(("A", "B"), ("B",)) == ("A", "B")
    made = join(Fact(np.dtype(int), ("B",)), Fact(np.dtype(int), ("A",)))
    assert made.lanes == ("A", "B") and made.varying
    assert not join(weak(1), weak(2)).varying
    assert weak(1).over(("B",)).lanes == ("B",)


def test_numbers_and_strings_have_no_common_type():
    for other in (strong("f8"), weak(1), strong("?")):
        with pytest.raises(NoCommonType):
            join(other, strong("U3"))
    assert join(strong("U3"), strong("U7")).dtype == np.dtype("U7")
    with pytest.raises(NoCommonType):
        join(Fact(np.dtype(float), ("B",)), Fact(np.dtype(float), ("B",), (3,)))


def test_scalar_facts():
    assert scalar_fact(True) == Fact(np.dtype(bool), weak=True)
    assert scalar_fact(3) == Fact(np.dtype(np.int64), weak=True)
    assert scalar_fact(2.5) == Fact(np.dtype(float), weak=True)
    assert scalar_fact("a").kind == "U" and not scalar_fact("a").weak
    assert scalar_fact(np.float32(2)) == Fact(np.dtype("f4"), python=False)
    assert scalar_fact(np.float64(2)).weak is False
    for other in (None, [1], (1,), np.zeros(3), {}, object()):
        assert scalar_fact(other) is None


def test_storage_of_weak_values_is_the_default_dtype():
    assert storage(weak(1).over(("B",))) == np.int64
    assert storage(weak(1.0).over(("B",))) == np.float64
    assert storage(weak(True).over(("B",))) == np.bool_
    assert storage(strong("f4")) == np.float32


def test_arguments():
    fact = varying_fact(Varying(np.dtype("i1")), ("B",))
    assert fact.dtype == np.int8 and fact.varying and not fact.weak


@pytest.mark.parametrize("dtype", [*DTYPES, np.dtype("U3"), np.dtype("M8[s]")])
def test_stand_ins_have_the_fact(dtype):
    assert dummy(Fact(dtype, ("B",))).dtype == dtype
    assert dummy(Fact(dtype, ("B",))).shape == (1,)


def test_stand_ins_of_python_numbers_are_python_numbers():
    for value in PYTHON:
        assert type(dummy(weak(value))) is type(value)
        assert type(dummy(weak(value).over(("B",)))) is type(value)
        assert isinstance(dummy(weak(value).over(("B",)), semantic=False), np.ndarray)
