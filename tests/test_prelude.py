"""Each helper of the prelude against Python's own function, on random and edge data."""

from __future__ import annotations

import ast
import builtins
import math
import operator
import re
import symtable

import numpy as np
import pytest

from autovec.ops import prelude
from tests.prelude_checks import FLOATS, INT64, INTS, each, helper, integer_helper, pairs, same


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
    "root": (2.25,), "to_power": (2.25, 0.5),
}  # fmt: skip
FIXED = {"cast_int": 1, "round_half_even": 1, "round_int": 1, "round_number": 1,
         "to_power": 1}  # fmt: skip


#: helpers of strings are in test_prelude_texts.py, those of tables in test_prelude_tables.py
OTHERS = {"rows_of", "stack_results", *prelude.names("texts"), *prelude.names("tables")}
ELEMENTWISE = [
    n for n in prelude.names() if n not in OTHERS and (n != "fma" or hasattr(math, "fma"))
]


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_any_shape(name):
    args, fixed = CALLS[name], FIXED.get(name, 99)
    scalar = helper(name)(*args)

    def shaped(shape):
        return [np.full(shape, a) if k < fixed else a for k, a in enumerate(args)]

    for shape in ((), (0,), (3,), (2, 0), (2, 3)):
        got = helper(name)(*shaped(shape))
        both = [v if isinstance(v, tuple) else (v,) for v in (got, scalar)]
        for part, one in zip(*both, strict=True):
            assert np.shape(part) == shape
            assert part.dtype == np.asarray(one).dtype
            assert (part == np.asarray(one)).all()
    if len(args) > 1 and fixed > 1:  # a column against a row
        got = helper(name)(np.full((2, 1), args[0]), *[np.full(3, a) for a in args[1:]])
        assert np.shape(got) == (2, 3)
        assert np.shape(helper(name)(args[0], *[np.full(3, a) for a in args[1:]])) == (3,)
        assert np.shape(helper(name)(np.full(3, args[0]), *args[1:])) == (3,)


STAYS = ["round_half_even", "erf", "erfc", "gamma", "lgamma", "frexp", "ulp", "ieee_remainder",
         "floor_div", "modulo", "power", "root"]  # fmt: skip


@pytest.mark.parametrize("name", STAYS)
def test_float32_stays(name):
    first, *rest = CALLS[name]
    got = helper(name)(np.array([first], np.float32), *rest)
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
    any_int = rng.integers(-(2**63), 2**63 - 1, 200)
    x = np.concatenate([INTS, rng.integers(-1000, 1000, 200), any_int])
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
    few = [171.0, 172.0, -1e-310, *range(-5, 5)]
    x = np.concatenate([FLOATS, few, rng.normal(size=50) * 50])
    want = each(getattr(math, name), x)
    with np.errstate(all="ignore"):
        got = helper(name)(x)
    good = [k for k, w in enumerate(want) if not isinstance(w, Exception)]
    helper(name)(x[good])  # in silence
    limits = {ValueError: math.nan, OverflowError: math.inf}
    for value, wanted in zip(got.tolist(), want, strict=True):
        expected = limits[type(wanted)] if isinstance(wanted, Exception) else wanted
        assert (
            value == expected
            or (math.isnan(value) and math.isnan(expected))
            or (isinstance(wanted, OverflowError) and value == -math.inf)
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
    tolerances = (1e-9, 0.0), (0.0, 0.0), (0.5, 0.0), (0.0, 1e-3), (1e-9, 2.0), (2.0, 0.0)
    for rel, absolute in tolerances:
        want = each(lambda u, v, r=rel, s=absolute: math.isclose(u, v, rel_tol=r, abs_tol=s), a, b)
        with np.errstate(all="raise", under="ignore"):
            same(helper("is_close")(a, b, rel, absolute), want)
    assert helper("is_close")(np.array([3]), 3).dtype == bool
    with pytest.raises(ValueError, match="tolerances must be non-negative"):
        helper("is_close")(a, b, rel_tol=-1.0)


def test_order_is_exact_between_integers_and_floats(rng):
    near = [2**53, 2**53 + 1, -(2**53) - 1, 2**62 + 1, 2**63 - 1, -(2**63), 0, 1, -5]
    floats = [*map(float, near), 2.0**53 + 2, 2.0**63, 1e300, -1e300, 0.5]
    floats += [math.inf, -math.inf, math.nan]
    x, y = pairs(near, floats)
    x, y = np.array(x, np.int64), np.array(y, float)
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        compare = getattr(operator, name)
        same(compare(helper("order")(x, y), 0), each(compare, x, y))
        same(compare(helper("order")(y, x), 0), each(compare, y, x))
        same(compare(helper("order")(x, x[::-1]), 0), each(compare, x, x[::-1]))
        same(compare(helper("order")(y, y[::-1]), 0), each(compare, y, y[::-1]))
    assert helper("order")(2**53 + 1, np.array([2.0**53]))[0] == 1


# ---------------------------------------------------------------- powers and stacking
def test_root_is_the_power_not_the_square_root():
    x = np.array([4.0, -0.0, -np.inf, np.inf, 0.25, np.nan])
    same(helper("root")(x), [v**0.5 for v in x.tolist()])
    same(helper("to_power")(x, 0.5), [v**0.5 for v in x.tolist()])
    same(helper("to_power")(x, 3.0), [v**3.0 for v in x.tolist()])
    assert helper("to_power")(x.astype("f4"), 0.5).dtype == np.float32
    assert helper("to_power")(x.astype("f4"), np.float64(0.5)).dtype == np.float64


def test_rows_are_dicts_with_attributes():
    first, second = helper("rows_of")(["a", "items"], [1, 2], ["x", "y"])
    assert first == {"a": 1, "items": "x"} and second.a == 2 and callable(second.items)
    with pytest.raises(AttributeError, match="b"):
        first.b  # noqa: B018


def test_stack_results_keeps_structure_and_union():
    stack = helper("stack_results")
    pair = stack([(1, "a"), (2.5, "bc")], (2,))
    assert pair[0].tolist() == [1.0, 2.5] and pair[1].tolist() == ["a", "bc"]
    assert stack([{"a": 1}, {"a": None}], (2, 1))["a"].shape == (2, 1)
    assert stack([None, None], (2,)) is None
    assert stack([1, "x"], (2,)).dtype == object
    assert stack([0.0, np.float32(2)], (2,)).dtype == np.float32
    assert stack([10**30, 1], (2,)).tolist() == [10**30, 1]
