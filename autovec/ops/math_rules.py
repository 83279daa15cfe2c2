"""Rules for the module ``math``: Python floats and ints, on arrays.

Domain and overflow errors become nan and inf, as NumPy has it; ``raises`` says where Python would
have raised.  Whole numbers (floor, comb, isqrt, ...) stay exact in int64 or raise OverflowError.
Functions of sequences (dist, fsum, prod, sumprod) are the builder's own, as sum and max are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autovec.ops.rule import INTEGER, REAL, Raises, Rule, fails, refuses, rule
from autovec.ops.table import add

ANY = ((0.5,), (-2.25,), (3.0,), (0.0,), (20.0,))
UNIT = ((0.5,), (-0.25,), (1.0,), (0.0,), (-1.0,))
SMALL = ((0.5,), (-0.25,), (0.0,))
POSITIVE = ((0.5,), (3.0,), (1.0,), (1e10,), (8.0,))
ABOVE_ONE = ((1.0,), (2.5,), (100.0,))
PAIRS = ((0.5, 2.0), (3.0, -1.5), (-7.0, 2.0), (1.0, 4.0), (2.0, 3.0))
POWERS = ((2.0, 0.5), (3.0, -2.0), (1.5, 7.0), (-2.0, 3.0), (0.0, 0.0))
WHOLE = ((12, 18), (7, 0), (5, 3), (20, 8), (9, 9))
COUNTS = ((5,), (0,), (20,))

#: the predicates of exceptions, as CPython's sources have them
OVERFLOW = "np.isinf(result) & np.isfinite(x)"
OUTSIDE = "np.abs(x) > 1"
ATANH = "np.abs(x) >= 1"
POLE = "(x <= 0) & (x == np.floor(x))"
MODULO = "(np.isinf(x) & ~np.isnan(y)) | ((y == 0) & ~np.isnan(x))"
FINITE = "np.isfinite(x) & np.isfinite(y)"
LEAF = "NumPy has no {}: Python's own, one element at a time"


def real(name: str, text: str, cost: float, *raises: Raises | None, **facts: Any) -> Rule:
    """A function of one real number whose result is a float."""
    facts = {"examples": ANY, "accepts": REAL, "float_args": True, **facts}
    return rule(f"math.{name}", "x", text, cost=cost, raises=raises, **facts)


def two(name: str, text: str, cost: float, *raises: Raises | None, **facts: Any) -> Rule:
    """A function of two real numbers whose result is a float."""
    facts = {"signature": "x, y", "examples": PAIRS, "accepts": REAL, "float_args": True, **facts}
    return rule(f"math.{name}", text=text, cost=cost, raises=raises, **facts)


def count(signature: str, text: str, cost: float, *raises: Raises | None, **facts: Any) -> Rule:
    """A function of integers, exact in int64; ``text`` calls a helper of the same name."""
    name = facts.pop("name", text.partition("(")[0])
    facts = {"dtype": "int", "accepts": INTEGER, "examples": WHOLE, **facts}
    return rule(f"math.{name}", signature, text, cost=cost, raises=raises, **facts)


def domain(when: str, function: Callable[[float], float], value: float) -> Raises | None:
    """A domain error at this value."""
    return fails(when, function, value)


def overflow(function: Callable[[float], float], value: float) -> Raises | None:
    """A range error at this value: the result is infinite though the operand is not."""
    return fails(OVERFLOW, function, value, after=True)


def not_whole(function: Callable[[float], int]) -> list[Raises | None]:
    """What a conversion to int raises for nan and infinity."""
    return [
        refuses("np.isnan(x)", function, math.nan, kinds="f ?"),
        refuses("np.isinf(x)", function, math.inf, kinds="f ?"),
    ]


def as_float(ufunc: str) -> dict[str, str]:
    """Two integers, or what may be, become floats: NumPy would answer with an integer."""
    return dict.fromkeys(("II", "?I", "I?", "??"), f"{ufunc}(x * 1.0, y)")


#: integers are whole already: by kind, the text of floor, ceil, trunc, int and round
WHOLE_KINDS = {"i": "x.astype(int)", "b": "x.astype(int)", "u": "to_int(x)"}


def to_whole(name: str, text: str) -> Rule:
    """A rounding to Python's int, which neither nan nor infinity has."""
    return rule(
        f"math.{name}", "x", text, by_kind=WHOLE_KINDS, dtype="int", cost=3, accepts=REAL,
        raises=not_whole(getattr(math, name)), examples=ANY,
    )  # fmt: skip


def powers() -> list[Rule]:
    """Powers and logarithms."""
    return [
        real("sqrt", "np.sqrt(x)", 1.2, domain("x < 0", math.sqrt, -1.5), examples=POSITIVE),
        real("cbrt", "np.cbrt(x)", 1, total=True),
        real("exp", "np.exp(x)", 1.5, overflow(math.exp, 1e3)),
        real("exp2", "np.exp2(x)", 1, overflow(math.exp2, 2e3)),
        real("expm1", "np.expm1(x)", 1.5, overflow(math.expm1, 1e3)),
        real("log2", "np.log2(x)", 1, domain("x <= 0", math.log2, -1.5), examples=POSITIVE),
        real("log10", "np.log10(x)", 1, domain("x <= 0", math.log10, -1.5), examples=POSITIVE),
        real("log1p", "np.log1p(x)", 1, domain("x <= -1", math.log1p, -1.5), examples=POSITIVE),
        real("log", "np.log(x)", 1.5, domain("x <= 0", math.log, -1.5), examples=POSITIVE),
        # Not np.log(x, base): Python divides two logarithms.  A uniform one stays Python's number.
        two("log", "np.log(x) / np.log(base)", 3,
            fails("(x <= 0) | ~(x <= 0) & (base <= 0)", math.log, -1.5, 2.0),
            fails("~(x <= 0) & (base == 1)", math.log, 5.0, 1.0),
            by_uniform={"base": "np.log(x) / math.log(base)", "x": "math.log(x) / np.log(base)"},
            signature="x, base", examples=((8.0, 2.0), (0.5, 10.0), (3.0, 0.25))),
        two("pow", "np.power(x, y)", 60,
            fails(f"{FINITE} & ((x < 0) & (y != np.floor(y)) | (x == 0) & (y < 0))",
                  math.pow, -8.0, 0.5),
            fails(f"{FINITE} & np.isinf(result) & (x != 0)", math.pow, 2.0, 5e3, after=True),
            by_kind=as_float("np.power"), examples=POWERS),
    ]  # fmt: skip


def trigonometry() -> list[Rule]:
    """Angles, circular and hyperbolic."""
    return [
        real("sin", "np.sin(x)", 10, domain("np.isinf(x)", math.sin, math.inf)),
        real("cos", "np.cos(x)", 10, domain("np.isinf(x)", math.cos, math.inf)),
        real("tan", "np.tan(x)", 1.5, domain("np.isinf(x)", math.tan, math.inf)),
        real("asin", "np.arcsin(x)", 1.5, domain(OUTSIDE, math.asin, 2.5), examples=UNIT),
        real("acos", "np.arccos(x)", 1.5, domain(OUTSIDE, math.acos, 2.5), examples=UNIT),
        real("atan", "np.arctan(x)", 1.5, total=True),
        two("atan2", "np.arctan2(y, x)", 2.5, signature="y, x", total=True),
        real("sinh", "np.sinh(x)", 1.5, overflow(math.sinh, 1e3)),
        real("cosh", "np.cosh(x)", 1, overflow(math.cosh, 1e3)),
        real("tanh", "np.tanh(x)", 2, total=True),
        real("asinh", "np.arcsinh(x)", 2, total=True),
        real("acosh", "np.arccosh(x)", 4, domain("x < 1", math.acosh, 0.5), examples=ABOVE_ONE),
        real("atanh", "np.arctanh(x)", 1.5, domain(ATANH, math.atanh, 1.0), examples=SMALL),
        two("hypot", "np.hypot(x, y)", 7, fold=True),
        real("hypot", "np.fabs(x)", 1.5, total=True),
        real("degrees", "np.degrees(x)", 1.5),
        real("radians", "np.radians(x)", 1.5, total=True),
    ]


def special() -> list[Rule]:
    """Functions of C's library that NumPy lacks."""
    return [
        real("gamma", "gamma(x)", 100, domain(f"(x == -np.inf) | {POLE}", math.gamma, -1.0),
             overflow(math.gamma, 200.0), note=LEAF.format("gamma function")),
        real("lgamma", "lgamma(x)", 100, domain(f"np.isfinite(x) & {POLE}", math.lgamma, -1.0),
             overflow(math.lgamma, 1e308), note=LEAF.format("log-gamma function")),
        real("erf", "erf(x)", 80, total=True, note=LEAF.format("error function")),
        real("erfc", "erfc(x)", 80, total=True, note=LEAF.format("error function")),
    ]  # fmt: skip


def floating() -> list[Rule]:
    """The parts and neighbours of a floating-point number."""
    return [
        real("fabs", "np.fabs(x)", 1.5, total=True),
        two("copysign", "np.copysign(x, y)", 0.6, total=True),
        two("fmod", "np.fmod(x, y)", 5, fails(MODULO, math.fmod, 1.0, 0.0),
            by_kind=as_float("np.fmod")),
        two("remainder", "ieee_remainder(x, y)", 40, fails(MODULO, math.remainder, 1.0, 0.0)),
        real("frexp", "frexp(x)", 1.5, outputs=2, total=True),
        real("modf", "np.modf(x)", 2, outputs=2, total=True),
        two("ldexp", "np.ldexp(x, i)", 4, fails(OVERFLOW, math.ldexp, 1.5, 5000, after=True),
            by_kind={"I": "np.ldexp(x, i, dtype=float)"}, signature="x, i", float_args=False,
            examples=((0.5, 3), (-3.0, -2), (1.0, 10))),
        two("nextafter", "np.nextafter(x, y)", 4),
        real("ulp", "ulp(x)", 8, total=True),
        to_whole("floor", "to_int(np.floor(x))"),
        to_whole("ceil", "to_int(np.ceil(x))"),
        to_whole("trunc", "to_int(x)"),
    ]  # fmt: skip


def tests() -> list[Rule]:
    """Predicates: Python's bool."""
    facts: dict[str, Any] = {"dtype": "bool", "accepts": REAL}
    negative = "(rel_tol < 0) | (abs_tol < 0)"
    return [
        *(rule(f"math.{name}", "x", f"np.{name}(x)", total=True, cost=0.2, examples=ANY, **facts)
          for name in ("isfinite", "isinf", "isnan")),
        rule("math.isclose", "a, b, *, rel_tol=1e-09, abs_tol=0.0",
             "is_close(a, b, rel_tol, abs_tol)", cost=10, **facts,
             raises=[refuses(negative, lambda: math.isclose(1, 2, rel_tol=-1.0))],
             examples=((1.0, 1.0 + 1e-12), (1.0, 2.0), (0.0, 0.0))),
    ]  # fmt: skip


def whole() -> list[Rule]:
    """Number theory and combinatorics on int64."""
    n, k = "n < 0", "(n >= 0) & (k < 0)"
    return [
        count("x, y", "int_gcd(x, y)", 6, name="gcd", fold=True),
        count("x", "int_gcd(x, 0)", 6, name="gcd", examples=((12,), (-7,), (0,))),
        count("x, y", "int_lcm(x, y)", 30, name="lcm", fold=True),
        count("x", "int_lcm(x, 1)", 30, name="lcm", examples=((12,), (-7,), (0,))),
        count("n", "isqrt(n)", 8, refuses(n, math.isqrt, -3), examples=((16,), (15,), (0,))),
        count("n", "factorial(n)", 5, refuses(n, math.factorial, -3), examples=COUNTS),
        count("n, k", "comb(n, k)", 150, refuses(n, math.comb, -3, 2),
              refuses(k, math.comb, 3, -2), note=LEAF.format("binomial")),
        count("n, k", "perm(n, k)", 150, refuses(n, math.perm, -3, 2),
              refuses(k, math.perm, 3, -2), note=LEAF.format("number of permutations")),
        count("n", "factorial(n)", 5, refuses(n, math.perm, -3), name="perm", examples=COUNTS),
    ]  # fmt: skip


def fused() -> list[Rule]:
    """Fused multiply-add, which Python 3.13 brought."""
    fma: Callable[..., float] | None = getattr(math, "fma", None)
    if fma is None:
        return []
    finite = f"{FINITE} & np.isfinite(z) & np.isinf(result)"
    given = "np.isnan(result) & ~np.isnan(x) & ~np.isnan(y) & ~np.isnan(z)"
    return [
        rule("math.fma", "x, y, z", "fma(x, y, z)", cost=120, accepts=REAL,
             note=LEAF.format("fused multiply-add"),
             raises=[fails(given, fma, math.inf, 0.0, 1.0, after=True),
                     fails(finite, fma, 1e300, 1e300, 1.0, after=True)],
             examples=((0.5, 2.0, 1.0), (3.0, -1.5, 0.25), (0.1, 10.0, -1.0))),
    ]  # fmt: skip


def enter() -> None:
    """Enter the family into the table."""
    add(*powers(), *trigonometry(), *special(), *floating(), *tests(), *whole(), *fused())
