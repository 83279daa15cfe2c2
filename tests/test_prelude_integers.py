"""The integer helpers of the prelude: exact, or an exception where Python's int outgrows int64."""

from __future__ import annotations

import math
import operator

import numpy as np
import pytest

from tests.prelude_checks import INTS, each, helper, integer_helper, pairs, same


# ---------------------------------------------------------------- integers
def test_int_power():
    small = [v for v in INTS if abs(v) < 2**33]
    x, y = pairs([*small, 2**62, 2**63 - 1, -(2**63), 3, 5, -8, -128, -512, 2097151, -2097152],
                 [0, 1, 2, 3, 7, 9, 20, 21, 39, 40, 62, 63, 64, 65, 1000])  # fmt: skip
    integer_helper("int_power", operator.pow, x, y)
    integer_helper("power", operator.pow, x, y)
    with pytest.raises(ValueError, match="Integers to negative integer powers"):
        helper("int_power")(np.array([2]), np.array([1, -1]))
    assert helper("int_power")(np.array([True, False]), np.array([True, True])).dtype == np.int64
    assert helper("int_power")(np.array([2, 3], np.int8), 2).dtype == np.int8
    with pytest.raises(OverflowError):
        helper("int_power")(np.array([2], np.int8), 7)
    with pytest.raises(OverflowError):
        helper("int_power")(np.array([2], np.uint64), np.array([64], np.uint64))
    assert helper("int_power")(2, np.array([62]))[0] == 2**62


def test_shifts():
    x, y = pairs(INTS, [0, 1, 2, 31, 62, 63, 64, 100, -1])
    integer_helper("int_shift_left", operator.lshift, x, y)
    integer_helper("int_shift_right", operator.rshift, x, y)
    assert helper("int_shift_left")(np.array([True]), np.array([True])).tolist() == [2]


@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_exact_arithmetic(name, rng):
    x, y = pairs(INTS)
    random = rng.integers(-(2**63), 2**63 - 1, (2, 200))
    halves = rng.integers(-(2**32), 2**32, (2, 200))
    x, y = np.concatenate([x, random[0], halves[0]]), np.concatenate([y, random[1], halves[1]])
    fn = getattr(operator, name)
    integer_helper(f"{name}_exact", fn, x, y)
    flags = np.array([True, False, True]), np.array([True, True, False])
    same(helper(f"{name}_exact")(*flags), each(fn, *flags))
    same(helper(f"{name}_exact")(np.array([0.5]), 2), [fn(0.5, 2)])
    small = helper(f"{name}_exact")(np.array([5], np.int8), np.int8(3))
    assert small.dtype == np.int8
    narrow = np.array([100, -100], np.int8), np.array([100, 100], np.int8)
    with np.errstate(over="ignore"):  # NumPy's other integers wrap, in the loop as well
        np.testing.assert_array_equal(helper(f"{name}_exact")(*narrow), fn(*narrow))


def test_number_theory(rng):
    x, y = pairs(INTS)
    integer_helper("int_gcd", math.gcd, x, y)
    integer_helper("int_lcm", math.lcm, x, y)
    big = rng.integers(1, 2**32, (2, 500))
    integer_helper("int_lcm", math.lcm, big[0], big[1])
    assert helper("int_gcd")(np.array([-128], np.int8), np.array([-128], np.int8)).tolist() == [128]


def test_isqrt_factorial_bit_length(rng):
    roots = rng.integers(0, 3037000499, 500)
    x = np.concatenate([INTS, roots * roots, roots * roots - 1, roots * roots + 2 * roots])
    integer_helper("isqrt", math.isqrt, x)
    integer_helper("factorial", math.factorial, np.arange(-3, 30))
    lengths = np.concatenate([x, 2 ** np.arange(63), 2 ** np.arange(63) - 1])
    same(helper("bit_length")(lengths), each(int.bit_length, lengths))


# ---------------------------------------------------------------- division
@pytest.mark.parametrize("name", ["floor_div", "modulo"])
def test_division_of_unknown_dtype(name):
    fn = {"floor_div": operator.floordiv, "modulo": operator.mod}[name]
    x, y = pairs([7, -7, 0, 1, 2**62], [2, -2, 3, 1, 0])
    integer_helper(name, fn, x, y)
    flags = helper(name)(np.array([True, False]), np.array([True, True]))
    assert flags.dtype == np.int64
    same(flags, [fn(True, True), fn(False, True)])
    u, v = pairs([7.5, -7.5, 0.0, -1e-300, 1e300], [2.0, -2.0, 0.1, math.inf])
    same(helper(name)(u, v), each(fn, u, v))
    with np.errstate(all="ignore"):
        assert not np.isfinite(helper(name)(np.array([1.0]), 0)).any()


def test_power_of_floats_is_numpys():
    assert helper("power")(np.array([2.0]), -1)[0] == 0.5
    assert helper("power")(np.array([2]), -1.0)[0] == 0.5
