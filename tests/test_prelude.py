"""Each helper of the prelude against Python's own function, on random and edge data."""

from __future__ import annotations

import ast
import builtins
import math
import operator
import re
import symtable
from fractions import Fraction

import numpy as np
import pytest

from autovec.ops import prelude

INT64 = range(-(2**63), 2**63)
INTS = [0, 1, -1, 2, -2, 3, 7, 10, 25, 35, -25, 62, 63, 64, 2**31, 2**32 + 1, 2**53, 2**53 + 1,
        3037000499, 3037000500, 2**62, -(2**62), 2**63 - 1, -(2**63), -(2**63) + 1]  # fmt: skip
FLOATS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 2.675, 1.005, 1e-5, 5e-324, 1e22,
          1e300, -1e300, 2.0**52 + 0.5, 2.0**53, 2.0**63, -(2.0**63), 9.2e18, 1.7976931348623157e308,
          math.inf, -math.inf, math.nan]  # fmt: skip

helper = prelude.function


def each(fn, *columns):
    """Python's answers, one a lane; an exception stands for itself."""
    out = []
    for args in zip(*[np.asarray(c).tolist() for c in columns], strict=True):
        try:
            out.append(fn(*args))
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            out.append(error)
    return out


def same(got, want):
    """Bit for bit, nan like nan, the sign of zero included."""
    got = np.asarray(got)
    want = np.asarray(want, dtype=got.dtype)
    assert got.shape == want.shape
    np.testing.assert_array_equal(got, want)
    if got.dtype.kind == "f":
        number = ~np.isnan(want)
        np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(want[number]))


def integer_helper(name, fn, *columns):
    """Good lanes together; every bad lane alone raises, as Python does or because int64 ends."""
    columns = [np.asarray(c) for c in columns]
    want = each(fn, *columns)
    good = [k for k, w in enumerate(want) if not isinstance(w, Exception) and w in INT64]
    assert good
    got = helper(name)(*[c[good] for c in columns])
    assert got.dtype == np.int64
    same(got, [want[k] for k in good])
    for k in sorted(set(range(len(want))) - set(good)):
        args = [c[k : k + 1] for c in columns]
        if isinstance(want[k], Exception):
            with pytest.raises(type(want[k]), match=re.escape(str(want[k]))):
                helper(name)(*args)
        else:
            with pytest.raises(OverflowError, match="result too large for int64"):
                helper(name)(*args)


def pairs(values, others=None):
    """All pairs of two lists, as two columns."""
    a, b = np.meshgrid(np.array(values), np.array(others or values))
    return a.ravel(), b.ravel()


# ---------------------------------------------------------------- the sources
def global_names(table):
    """The names that a scope and those within it take from outside."""
    inner = [global_names(child) for child in table.get_children()]
    own = set(table.get_globals()) if table.get_type() == "function" else set()
    return own.union(*inner)


@pytest.mark.parametrize("name", prelude.names())
def test_source_is_plain_documented_numpy(name):
    text = prelude.text(name)
    (definition,) = ast.parse(text).body
    assert ast.get_docstring(definition)
    assert max(map(len, text.splitlines())) <= 100
    known = {"np", *prelude.imports(name), *prelude.needs(name), *dir(builtins), name}
    assert global_names(symtable.symtable(text, "<helper>", "exec")) <= known


def test_closure_puts_a_helper_after_what_it_needs():
    order = prelude.closure(prelude.names())
    assert sorted(order) == sorted(prelude.names())
    for name in order:
        assert all(order.index(other) < order.index(name) for other in prelude.needs(name))


CALLS = {
    "to_int": (2.5,), "cast_int": (2.5, np.int8), "round_half_even": (2.5, 1),
    "round_int": (25, -1), "round_number": (2.5, 1), "make_complex": (1.0, 2.0), "erf": (0.5,),
    "erfc": (0.5,), "gamma": (2.5,), "lgamma": (2.5,), "comb": (5, 2), "perm": (5, 2),
    "pow_mod": (3, 2, 5), "frexp": (2.5,), "ulp": (2.5,), "ieee_remainder": (7.0, 2.0),
    "is_close": (1.0, 2.0), "order": (2, 2.5), "int_power": (3, 2), "int_shift_left": (3, 2),
    "int_shift_right": (3, 2), "add_exact": (3, 2), "sub_exact": (3, 2), "mul_exact": (3, 2),
    "int_gcd": (12, 8), "int_lcm": (12, 8), "isqrt": (16,), "factorial": (5,), "bit_length": (5,),
    "floor_div": (7, 2), "modulo": (7, 2), "power": (3, 2), "fma": (1.0, 2.0, 3.0),
}  # fmt: skip
FIXED = {"cast_int": 1, "round_half_even": 1, "round_int": 1, "round_number": 1}


@pytest.mark.parametrize("name", [n for n in prelude.names() if n != "fma" or hasattr(math, "fma")])
def test_any_shape(name):
    args, fixed = CALLS[name], FIXED.get(name, 99)
    scalar = helper(name)(*args)

    def shaped(shape):
        return [np.full(shape, a) if k < fixed else a for k, a in enumerate(args)]

    for shape in ((), (0,), (3,), (2, 0), (2, 3)):
        got = helper(name)(*shaped(shape))
        for part, one in zip(*[v if isinstance(v, tuple) else (v,) for v in (got, scalar)], strict=True):
            assert np.shape(part) == shape
            assert part.dtype == np.asarray(one).dtype
            assert (part == np.asarray(one)).all()
    if len(args) > 1 and fixed > 1:  # a column against a row
        got = helper(name)(np.full((2, 1), args[0]), *[np.full(3, a) for a in args[1:]])
        assert np.shape(got) == (2, 3)
        assert np.shape(helper(name)(args[0], *[np.full(3, a) for a in args[1:]])) == (3,)
        assert np.shape(helper(name)(np.full(3, args[0]), *args[1:])) == (3,)


STAYS = ["round_half_even", "erf", "erfc", "gamma", "lgamma", "frexp", "ulp", "ieee_remainder",
         "floor_div", "modulo", "power"]  # fmt: skip


@pytest.mark.parametrize("name", STAYS)
def test_float32_stays(name):
    args = [np.float32(a) if isinstance(a, float) or k == 0 else a for k, a in enumerate(CALLS[name])]
    got = helper(name)(np.array([args[0]]), *args[1:])
    assert (got[0] if isinstance(got, tuple) else got).dtype == np.float32


# ---------------------------------------------------------------- casts
@pytest.mark.parametrize("dtype", [float, np.float32, np.int64, np.int8, np.uint64, bool])
def test_to_int(dtype, rng):
    if np.dtype(dtype).kind == "f":
        with np.errstate(over="ignore"):
            x = np.array(FLOATS).astype(dtype)
        x = np.concatenate([x, rng.normal(size=100).astype(dtype) * 1e6])
    else:
        x = np.array([0, 1, 1, 0], dtype=dtype)
    integer_helper("to_int", int, x)


def test_to_int_ends_with_int64():
    with pytest.raises(OverflowError, match="too large"):
        helper("to_int")(np.array([1, 2**63], np.uint64))
    limit = np.nextafter(2.0**63, 0)
    assert helper("to_int")(np.array([limit, -(2.0**63)])).tolist() == [int(limit), -(2**63)]


def test_to_int_is_fresh():
    x = np.arange(3)
    assert not np.shares_memory(helper("to_int")(x), x)
    assert not np.shares_memory(helper("round_int")(x, 2), x)


def test_the_first_bad_lane_decides():
    with pytest.raises(OverflowError, match="cannot convert float infinity"):
        helper("to_int")(np.array([1.0, np.inf, np.nan]))
    with pytest.raises(ValueError, match="cannot convert float NaN"):
        helper("to_int")(np.array([1.0, np.nan, np.inf]))


def test_cast_int():
    assert helper("cast_int")(np.array([-128.9, 127.9]), np.int8).tolist() == [-128, 127]
    with pytest.raises(OverflowError, match="Python integer 128 out of bounds for int8"):
        helper("cast_int")(np.array([1.0, 128.0]), np.int8)
    with pytest.raises(OverflowError, match="Python integer -1 out of bounds for uint64"):
        helper("cast_int")(np.array([-1]), np.uint64)
    with pytest.raises(ValueError, match="NaN"):
        helper("cast_int")(np.array([np.nan]), np.int8)
    assert helper("cast_int")(np.array([2**63 - 1]), np.uint64)[0] == 2**63 - 1


@pytest.mark.parametrize("n", [0, 1, 2, 3, 6, 10, 15, 22, 23, 300, 400, -1, -2, -15, -30, -400])
def test_round_half_even(n, rng):
    ties = (rng.integers(-(10**6), 10**6, 500) * 10 + 5) / 10.0 ** (min(max(n, -20), 20) + 1)
    big = rng.uniform(1, 10, 500) * 10.0 ** rng.integers(-8, 18, 500)
    edge = np.concatenate([np.nextafter(ties, np.inf), np.nextafter(ties, -np.inf)])
    near = rng.uniform(2.0**51, 2.0**54, 500) / 10.0 ** min(max(n, 0), 22)
    x = np.concatenate([FLOATS, ties, edge, big, -big, near, rng.integers(-99, 99, 99) / 8])
    want = each(lambda v: round(v, n), x)
    good = [k for k, w in enumerate(want) if not isinstance(w, Exception)]  # beyond the range
    same(helper("round_half_even")(x[good], n), [want[k] for k in good])
    same(helper("round_number")(x[good], n), [want[k] for k in good])


def test_round_of_float32_is_numpys():
    x = np.array([2.675, 0.125, 1.005], np.float32)
    same(helper("round_half_even")(x, 2), [round(v, 2) for v in x])


@pytest.mark.parametrize("n", [3, 0, -1, -2, -17, -18, -19, -20, -40])
def test_round_int(n, rng):
    x = np.concatenate([INTS, rng.integers(-1000, 1000, 200), rng.integers(-(2**63), 2**63 - 1, 200)])
    want = each(lambda v: round(v, n), x)
    good = [k for k, w in enumerate(want) if w in INT64]
    same(helper("round_int")(x[good], n), [want[k] for k in good])
    for k in sorted(set(range(len(x))) - set(good)):
        with pytest.raises(OverflowError, match="too large"):
            helper("round_int")(x[k : k + 1], n)
    flags = helper("round_number")(np.array([True, False]), -1)
    assert flags.dtype == np.int64 and flags.tolist() == [0, 0]


def test_make_complex_keeps_signs_and_infinities():
    a, b = pairs([0.0, -0.0, 1.0, -2.0, math.inf, -math.inf, math.nan])
    got = helper("make_complex")(a, b)
    same(got.real, a)
    same(got.imag, b)
    assert helper("make_complex")(np.float32([1]), np.float32([2])).dtype == np.complex128


# ---------------------------------------------------------------- leaves
@pytest.mark.parametrize("name", ["erf", "erfc", "gamma", "lgamma"])
def test_leaves(name, rng):
    x = np.concatenate([FLOATS, np.arange(-5.0, 5.0), rng.normal(size=50) * 50, [171.0, 172.0, -1e-310]])
    want = each(getattr(math, name), x)
    with np.errstate(all="ignore"):
        got = helper(name)(x)
    good = [k for k, w in enumerate(want) if not isinstance(w, Exception)]
    helper(name)(x[good])  # in silence
    limits = {ValueError: math.nan, OverflowError: math.inf}
    for value, wanted in zip(got.tolist(), want, strict=True):
        expected = limits[type(wanted)] if isinstance(wanted, Exception) else wanted
        assert value == expected or (math.isnan(value) and math.isnan(expected)) or (
            isinstance(wanted, OverflowError) and value == -math.inf
        )
    assert helper(name)(np.array([2, 3])).dtype == float
    assert helper(name)(np.array([True])).dtype == float


@pytest.mark.skipif(not hasattr(math, "fma"), reason="math.fma came with Python 3.13")
def test_fma():
    values = [0.1, -3.0, 0.0, 1e300, math.inf, math.nan]
    x, y = pairs(values)
    x, y, z = np.repeat(x, 6), np.repeat(y, 6), np.tile(values, len(x))
    with np.errstate(all="ignore"):
        got = helper("fma")(x, y, z)
    for g, w, a, b in zip(got.tolist(), each(math.fma, x, y, z), x, y, strict=True):
        if isinstance(w, OverflowError):
            w = math.copysign(math.inf, float(a) * float(b))
        elif isinstance(w, ValueError):
            w = math.nan
        assert g == w or (math.isnan(g) and math.isnan(w))


def test_comb_perm_pow_mod():
    n, k = pairs([0, 1, 2, 5, 20, 21, 66, 67, 100, -1])
    integer_helper("comb", math.comb, n, k)
    integer_helper("perm", math.perm, n, k)
    x, y = pairs([0, 1, 2, -3, 10**12, 2**62])
    m = np.full(x.shape, 10**18 + 9)
    integer_helper("pow_mod", pow, x, np.abs(y), m)
    integer_helper("pow_mod", pow, x, np.full(x.shape, -1), np.full(x.shape, 7))
    with pytest.raises(ValueError, match=re.escape("pow() 3rd argument cannot be 0")):
        helper("pow_mod")(np.array([2]), 3, 0)


# ---------------------------------------------------------------- floats
def test_frexp_and_ulp(rng):
    x = np.concatenate([FLOATS, rng.normal(size=100) * 10.0 ** rng.integers(-300, 300, 100)])
    mantissa, exponent = helper("frexp")(x)
    want = each(math.frexp, x)
    same(mantissa, [m for m, _ in want])
    assert exponent.dtype == np.int64
    same(exponent, [e for _, e in want])
    same(helper("ulp")(x), each(math.ulp, x))
    same(helper("ulp")(np.array([3, 2**53, 0])), [math.ulp(3), math.ulp(2**53), math.ulp(0)])
    top = np.finfo(np.float32).max
    assert helper("ulp")(np.array([top]))[0] == top - np.nextafter(top, np.float32(0))


def test_ieee_remainder(rng):
    x, y = pairs(FLOATS)
    more = rng.normal(size=(2, 2000)) * 10.0 ** rng.integers(-5, 5, (2, 2000))
    ties = rng.integers(-40, 40, (2, 2000)) / 2
    x, y = np.concatenate([x, more[0], ties[0]]), np.concatenate([y, more[1], ties[1]])
    want = each(math.remainder, x, y)
    with np.errstate(invalid="ignore"):
        got = helper("ieee_remainder")(x, y)
    same(got, [math.nan if isinstance(w, Exception) else w for w in want])
    good = [k for k, w in enumerate(want) if not isinstance(w, Exception)]
    with np.errstate(all="raise", under="ignore"):
        helper("ieee_remainder")(x[good], y[good])


def test_is_close(rng):
    a, b = pairs([*FLOATS, 1.0 + 1e-9, 1.0 + 2e-9, 1e300 * (1 + 1e-10)])
    for rel, absolute in ((1e-9, 0.0), (0.0, 0.0), (0.5, 0.0), (0.0, 1e-3), (1e-9, 2.0), (2.0, 0.0)):
        want = each(lambda u, v, r=rel, s=absolute: math.isclose(u, v, rel_tol=r, abs_tol=s), a, b)
        with np.errstate(all="raise", under="ignore"):
            same(helper("is_close")(a, b, rel, absolute), want)
    assert helper("is_close")(np.array([3]), 3).dtype == bool
    with pytest.raises(ValueError, match="tolerances must be non-negative"):
        helper("is_close")(a, b, rel_tol=-1.0)


def test_order_is_exact_between_integers_and_floats(rng):
    near = [2**53, 2**53 + 1, -(2**53) - 1, 2**62 + 1, 2**63 - 1, -(2**63), 0, 1, -5]
    floats = [float(v) for v in near] + [2.0**53 + 2, 2.0**63, 1e300, -1e300, 0.5, math.inf, -math.inf, math.nan]
    x, y = pairs(near, floats)
    x, y = np.array(x, np.int64), np.array(y, float)
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        compare = getattr(operator, name)
        same(compare(helper("order")(x, y), 0), each(compare, x, y))
        same(compare(helper("order")(y, x), 0), each(compare, y, x))
        same(compare(helper("order")(x, x[::-1]), 0), each(compare, x, x[::-1]))
        same(compare(helper("order")(y, y[::-1]), 0), each(compare, y, y[::-1]))
    assert helper("order")(2**53 + 1, np.array([2.0**53]))[0] == 1


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
    with pytest.raises(OverflowError):
        helper(f"{name}_exact")(np.array([100 if name != "sub" else -100], np.int8), np.int8(100))
    with pytest.raises(OverflowError):
        top = 2**64 - 1 if name != "sub" else 1
        helper(f"{name}_exact")(np.array([top], np.uint64), np.uint64(2))


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
@pytest.mark.parametrize(("name", "fn"), [("floor_div", operator.floordiv), ("modulo", operator.mod)])
def test_division_of_unknown_dtype(name, fn):
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
    assert helper("power")(np.array([2]), -1.0)[0] == float(Fraction(1, 2))
