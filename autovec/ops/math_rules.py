"""Rules for the module ``math``: Python floats and ints, on arrays.

Domain and overflow errors become nan and inf, as NumPy has it; ``raises`` says where Python would have
raised.  Whole numbers (floor, comb, isqrt, ...) stay exact in int64 or raise OverflowError.
"""

from __future__ import annotations

import math
from typing import Any

from autovec.ops.rule import INTEGER, REAL, Raises, Rule, fails, rule
from autovec.ops.table import add

ANY = ((0.5,), (-2.25,), (3.0,), (0.0,), (700.0,))
UNIT = ((0.5,), (-0.25,), (1.0,), (0.0,), (-1.0,))
POSITIVE = ((0.5,), (3.0,), (1.0,), (1e10,), (8.0,))
PAIRS = ((0.5, 2.0), (3.0, -1.5), (-7.0, 2.0), (1.0, 4.0), (2.0, 3.0))
WHOLE = ((12, 18), (7, 0), (5, 3), (20, 8), (9, 9))

INFINITE = "np.isinf(result) & np.isfinite(x)"
POLE = "(x <= 0) & (x == np.floor(x))"
MODULO = "(np.isinf(x) & ~np.isnan(y)) | ((y == 0) & ~np.isnan(x))"
LEAF = "NumPy has no {}: Python's own, one element at a time"


def real(name: str, text: str, cost: float, *raises: Raises | None, examples: Any = ANY, **facts: Any) -> Rule:
    """A function of one real number whose result is a float."""
    return rule(name, "x", text, cost=cost, raises=raises, examples=examples, accepts=REAL,
                float_args=True, **facts)


def two(name: str, text: str, cost: float, *raises: Raises | None, **facts: Any) -> Rule:
    """A function of two real numbers whose result is a float."""
    facts = {"signature": "x, y", "examples": PAIRS, "float_args": True, **facts}
    return rule(name, text=text, cost=cost, raises=raises, accepts=REAL, **facts)


def to_whole(name: str, text: str) -> Rule:
    """A rounding to Python's int, which neither nan nor infinity has."""
    whole = {"i": "x.astype(int)", "b": "x.astype(int)", "u": "to_int(x)"}
    function = getattr(math, name.removeprefix("math."))
    return rule(name, "x", text, by_kind=whole, dtype="int", cost=3, accepts=REAL, examples=ANY, raises=not_whole(function))


def not_whole(function: Any) -> list[Raises | None]:
    """What a conversion to int raises for nan and infinity."""
    return [fails("np.isnan(x)", function, math.nan, kinds="f ?", always=True, in_text=True),
            fails("np.isinf(x)", function, math.inf, kinds="f ?", always=True, in_text=True)]


def count(name: str, signature: str, text: str, cost: float, *raises: Raises | None, examples: Any, **facts: Any) -> Rule:
    """A function of integers, exact in int64; the helper raises for live lanes."""
    return rule(name, signature, text, dtype="int", cost=cost, accepts=INTEGER, raises=raises, examples=examples, **facts)


def test(name: str, text: str) -> Rule:
    """A predicate of one real number: Python's bool."""
    return rule(name, "x", text, dtype="bool", total=True, cost=0.5, accepts=REAL, examples=ANY)


def elementary() -> list[Rule]:
    """Powers, logarithms, trigonometry."""
    return [
        real("math.sqrt", "np.sqrt(x)", 2, fails("x < 0", math.sqrt, -1.5), examples=POSITIVE),
        real("math.cbrt", "np.cbrt(x)", 8, total=True),
        real("math.exp", "np.exp(x)", 1.5, fails(INFINITE, math.exp, 1e3, after=True)),
        real("math.exp2", "np.exp2(x)", 2, fails(INFINITE, math.exp2, 2e3, after=True)),
        real("math.expm1", "np.expm1(x)", 8, fails(INFINITE, math.expm1, 1e3, after=True)),
        real("math.log2", "np.log2(x)", 5, fails("x <= 0", math.log2, -1.5), examples=POSITIVE),
        real("math.log10", "np.log10(x)", 8, fails("x <= 0", math.log10, -1.5), examples=POSITIVE),
        real("math.log1p", "np.log1p(x)", 8, fails("x <= -1", math.log1p, -1.5), examples=POSITIVE),
        real("math.log", "np.log(x)", 1.5, fails("x <= 0", math.log, -1.5), examples=POSITIVE),
        # not np.log(x, base): Python divides two logarithms; a uniform base stays Python's number
        rule("math.log", "x, base", "np.log(x) / np.log(base)", by_uniform={"base": "np.log(x) / math.log(base)"},
             cost=4, accepts=REAL, float_args=True, examples=((8.0, 2.0), (0.5, 10.0), (3.0, 0.25)),
             raises=[fails("(x <= 0) | (base <= 0)", math.log, -1.5),
                     fails("(x > 0) & (base == 1) | np.isnan(x) & (base == 1)", math.log, 5.0, 1.0)]),
        two("math.pow", "np.power(x, y)", 60,
            fails("(x < 0) & np.isfinite(x) & np.isfinite(y) & (y != np.floor(y)) | (x == 0) & (y < 0) & np.isfinite(y)",
                  math.pow, -8.0, 0.5),
            fails("np.isinf(result) & (x != 0) & np.isfinite(x) & np.isfinite(y)", math.pow, 2.0, 5e3, after=True),
            by_kind={"II": "np.power(x, y, dtype=float)"}, examples=((2.0, 0.5), (3.0, -2.0), (1.5, 7.0), (-2.0, 3.0), (0.0, 0.0))),
        real("math.sin", "np.sin(x)", 10, fails("np.isinf(x)", math.sin, math.inf)),
        real("math.cos", "np.cos(x)", 10, fails("np.isinf(x)", math.cos, math.inf)),
        real("math.tan", "np.tan(x)", 15, fails("np.isinf(x)", math.tan, math.inf)),
        real("math.asin", "np.arcsin(x)", 8, fails("np.abs(x) > 1", math.asin, 2.5), examples=UNIT),
        real("math.acos", "np.arccos(x)", 8, fails("np.abs(x) > 1", math.acos, 2.5), examples=UNIT),
        real("math.atan", "np.arctan(x)", 8, total=True),
        two("math.atan2", "np.arctan2(y, x)", 15, signature="y, x", total=True),
        real("math.sinh", "np.sinh(x)", 10, fails(INFINITE, math.sinh, 1e3, after=True)),
        real("math.cosh", "np.cosh(x)", 10, fails(INFINITE, math.cosh, 1e3, after=True)),
        real("math.tanh", "np.tanh(x)", 1.5, total=True),
        real("math.asinh", "np.arcsinh(x)", 15, total=True),
        real("math.acosh", "np.arccosh(x)", 15, fails("x < 1", math.acosh, 0.5), examples=((1.0,), (2.5,), (100.0,))),
        real("math.atanh", "np.arctanh(x)", 15, fails("np.abs(x) >= 1", math.atanh, 1.0), examples=((0.5,), (-0.25,), (0.0,))),
        two("math.hypot", "np.hypot(x, y)", 8, fold=True),
        real("math.hypot", "np.fabs(x)", 0.5, total=True),
        real("math.degrees", "np.degrees(x)", 0.5),
        real("math.radians", "np.radians(x)", 0.5, total=True),
        real("math.gamma", "gamma(x)", 100, fails(f"(x == -np.inf) | {POLE}", math.gamma, -1.0),
             fails(INFINITE, math.gamma, 200.0, after=True), note=LEAF.format("gamma function")),
        real("math.lgamma", "lgamma(x)", 100, fails(f"np.isfinite(x) & {POLE}", math.lgamma, -1.0),
             fails(INFINITE, math.lgamma, 1e308, after=True), note=LEAF.format("log-gamma function")),
        real("math.erf", "erf(x)", 80, total=True, note=LEAF.format("error function")),
        real("math.erfc", "erfc(x)", 80, total=True, note=LEAF.format("error function")),
    ]


def floating() -> list[Rule]:
    """The parts and neighbours of a floating-point number."""
    return [
        real("math.fabs", "np.fabs(x)", 0.5, total=True),
        two("math.copysign", "np.copysign(x, y)", 0.5, total=True),
        two("math.fmod", "np.fmod(x, y)", 15, fails(MODULO, math.fmod, 1.0, 0.0), by_kind={"II": "np.fmod(x, y, dtype=float)"}),
        two("math.remainder", "ieee_remainder(x, y)", 40, fails(MODULO, math.remainder, 1.0, 0.0)),
        rule("math.frexp", "x", "frexp(x)", cost=5, outputs=2, total=True, accepts=REAL, float_args=True, examples=ANY),
        rule("math.modf", "x", "np.modf(x)", cost=5, outputs=2, total=True, accepts=REAL, float_args=True, examples=ANY),
        rule("math.ldexp", "x, i", "np.ldexp(x, i)", by_kind={"I": "np.ldexp(x, i, dtype=float)"}, cost=5, accepts=REAL,
             raises=[fails(INFINITE, math.ldexp, 1.5, 5000, after=True)], examples=((0.5, 3), (-3.0, -2), (1.0, 10))),
        two("math.nextafter", "np.nextafter(x, y)", 5),
        real("math.ulp", "ulp(x)", 8, total=True),
        to_whole("math.floor", "to_int(np.floor(x))"),
        to_whole("math.ceil", "to_int(np.ceil(x))"),
        to_whole("math.trunc", "to_int(x)"),
        test("math.isfinite", "np.isfinite(x)"),
        test("math.isinf", "np.isinf(x)"),
        test("math.isnan", "np.isnan(x)"),
        rule("math.isclose", "a, b, *, rel_tol=1e-09, abs_tol=0.0", "is_close(a, b, rel_tol, abs_tol)", dtype="bool", cost=10,
             accepts=REAL, examples=((1.0, 1.0 + 1e-12), (1.0, 2.0), (0.0, 0.0)),
             raises=[fails("(rel_tol < 0) | (abs_tol < 0)", lambda: math.isclose(1, 2, rel_tol=-1.0), always=True, in_text=True)]),
    ]


def whole() -> list[Rule]:
    """Number theory and combinatorics on int64."""
    negative = {"always": True, "in_text": True}
    return [
        count("math.gcd", "x, y", "int_gcd(x, y)", 50, examples=WHOLE, fold=True),
        count("math.gcd", "x", "int_gcd(x, 0)", 50, examples=((12,), (-7,), (0,))),
        count("math.lcm", "x, y", "int_lcm(x, y)", 60, examples=WHOLE, fold=True),
        count("math.lcm", "x", "int_lcm(x, 1)", 60, examples=((12,), (-7,), (0,))),
        count("math.isqrt", "n", "isqrt(n)", 8, fails("n < 0", math.isqrt, -3, **negative), examples=((16,), (15,), (0,))),
        count("math.factorial", "n", "factorial(n)", 5, fails("n < 0", math.factorial, -3, **negative), examples=((5,), (0,), (20,))),
        count("math.comb", "n, k", "comb(n, k)", 150, fails("n < 0", math.comb, -3, 2, **negative),
              fails("(n >= 0) & (k < 0)", math.comb, 3, -2, **negative), examples=WHOLE, note=LEAF.format("binomial")),
        count("math.perm", "n, k", "perm(n, k)", 150, fails("n < 0", math.perm, -3, 2, **negative),
              fails("(n >= 0) & (k < 0)", math.perm, 3, -2, **negative), examples=WHOLE, note=LEAF.format("permutations")),
        count("math.perm", "n", "factorial(n)", 5, fails("n < 0", math.perm, -3, **negative), examples=((5,), (0,), (20,))),
    ]


def fused() -> list[Rule]:
    """Fused multiply-add, which Python 3.13 brought."""
    finite = "np.isfinite(x) & np.isfinite(y) & np.isfinite(z)"
    given = "~np.isnan(x) & ~np.isnan(y) & ~np.isnan(z)"
    return [
        rule("math.fma", "x, y, z", "fma(x, y, z)", cost=120, accepts=REAL, note=LEAF.format("fused multiply-add"),
             raises=[fails(f"np.isnan(result) & {given}", math.fma, math.inf, 0.0, 1.0, after=True),
                     fails(f"np.isinf(result) & {finite}", math.fma, 1e300, 1e300, 1.0, after=True)],
             examples=((0.5, 2.0, 1.0), (3.0, -1.5, 0.25), (0.1, 10.0, -1.0))),
    ]


def enter() -> None:
    """Enter the family into the table."""
    add(*elementary(), *floating(), *whole())
    if hasattr(math, "fma"):
        add(*fused())
