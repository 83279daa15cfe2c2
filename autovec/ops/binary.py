"""Rules for Python's operators, keyed by how they are written.

Operands of kind ``b`` are Python's bools, which count as integers: ``True + True`` is 2.  NumPy's
bools (results of NumPy functions) act as NumPy does: for them the compiler uses ``rule.text``,
not ``by_kind``.

    >>> BINARY["//"].text_for("ii"), BINARY["//"].text_for("bb"), BINARY["//"].text_for("i?")
    ('x // y', 'np.floor_divide(x, y, dtype=int)', 'floor_div(x, y)')
    >>> [(r.error, r.always) for r in BINARY["//"].raises_for("ii")]
    [('ZeroDivisionError', True)]
    >>> BINARY["<"].text_for("if"), BINARY["<"].text_for("if", exact=True)
    ('x < y', 'order(x, y) < 0')

A literal decides what kinds cannot: no divisor check for a nonzero literal, no sign check for a
literal count, and a negative literal exponent of an integer is a float: ``n ** -1`` is a division.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autovec.ops.rule import ANYTHING, INTEGER, REAL, Raises, Rule, fails, refuses, rule

NUMBERS = ((7.0, 2.0), (-7.0, 2.0), (7.0, -2.0), (0.5, 0.25), (1.0, 3.0))
POWERS = ((2.0, 3.0), (-1.5, 2.0), (5.0, 0.0), (0.5, 4.0))
COUNTS = ((7, 2), (-7, 3), (1, 0), (5, 1))
ONES = ((7,), (-3.5,), (0.0,), (1,))

FINITE = "np.isfinite(x) & np.isfinite(y)"
#: pairs of kinds that make a float, and pairs of which one is unknown
FLOATS, UNKNOWN = "fN Nf", "?I I? ??"


def op(symbol: str, text: str, cost: float, *raises: Raises | None, **facts: Any) -> Rule:
    """A binary operator."""
    facts = {"dtype": "same", "examples": NUMBERS, **facts}
    return rule(symbol, "x, y", text, cost=cost, raises=raises, number="operands", **facts)


def comparison(symbol: str, sign: str) -> Rule:
    """A comparison: silent for nan, exact between integers and floats with ``order``."""
    test = f"order(x, y) {sign}"
    return op(
        symbol, f"x {symbol} y", 0.5, dtype="bool", total=True, accepts=ANYTHING,
        exact={"if": test, "uf": test, "fi": test, "fu": test},
    )  # fmt: skip


def unknown(helper: str) -> dict[str, str]:
    """With an operand of unknown dtype beside no float, a helper looks when the text runs."""
    return dict.fromkeys(UNKNOWN.split(), f"{helper}(x, y)")


def as_int(ufunc: str) -> dict[str, str]:
    """Two bools meet as integers."""
    return {"bb": f"np.{ufunc}(x, y, dtype=int)"}


def by_zero(function: Callable[[Any, Any], Any]) -> list[Raises | None]:
    """Integer division by zero raises; that of floats only where a try asks."""
    return [
        fails("y == 0", function, 7, 0, kinds="II", always=True),
        refuses("y == 0", function, 7, 0, kinds=UNKNOWN),
        fails("y == 0", function, 7.0, 0.0, kinds=FLOATS + " f? ?f"),
    ]


BINARY: dict[str, Rule] = {
    r.name: r
    for r in (
        op("+", "x + y", 0.5, by_kind=as_int("add"),
           total=True, accepts=ANYTHING),
        op("-", "x - y", 0.5, by_kind=as_int("subtract"), total=True),
        op("*", "x * y", 0.5, total=True, accepts=ANYTHING,
           by_kind=as_int("multiply") | {"UI": "texts(str.__mul__, x, y)",
                                         "IU": "texts(str.__mul__, y, x)"}),
        op("/", "x / y", 1,
           fails("y == 0", operator.truediv, 7, 0, kinds=f"II {UNKNOWN}"),
           fails("y == 0", operator.truediv, 7.0, 0.0, kinds=f"{FLOATS} f? ?f"),
           fails("y == 0", operator.truediv, 7j, 0j, kinds="c *c")),
        op("//", "x // y", 20, *by_zero(operator.floordiv), accepts=REAL,
           by_kind=as_int("floor_divide") | unknown("floor_div")),
        op("%", "x % y", 20, *by_zero(operator.mod), accepts=REAL,
           by_kind=as_int("remainder") | unknown("modulo")),
        op("**", "x ** y", 60,
           fails("(x == 0) & (y < 0) & ~np.isinf(y)", operator.pow, -0.0, -2,
                 kinds=f"II {FLOATS} {UNKNOWN} f? ?f"),
           fails(f"np.isinf(result) & (x != 0) & {FINITE}", operator.pow, 2.0, 5000, after=True,
                 kinds=f"{FLOATS} {UNKNOWN} f? ?f"),
           fails("(x == 0) & (np.imag(y) != 0) | (x == 0) & (np.real(y) < 0)",
                 operator.pow, 0j, -2, kinds="c *c"),
           fails(f"~np.isfinite(result) & (x != 0) & {FINITE}", operator.pow, 2j, 5000,
                 after=True, kinds="c *c"),
           by_kind={"II": "int_power(x, y)"} | unknown("power"), examples=POWERS),
        op("<<", "int_shift_left(x, y)", 4,
           refuses("y < 0", operator.lshift, 1, -2),
           accepts=INTEGER, examples=COUNTS),
        op(">>", "x >> y", 1,
           fails("y < 0", operator.rshift, 1, -2, kinds="II", always=True),
           refuses("y < 0", operator.rshift, 1, -2, kinds=UNKNOWN),
           by_kind=as_int("right_shift") | unknown("int_shift_right"),
           accepts=INTEGER, examples=COUNTS),
        op("&", "x & y", 0.5, total=True, accepts=INTEGER, examples=COUNTS),
        op("|", "x | y", 0.5, total=True, accepts=INTEGER, examples=COUNTS),
        op("^", "x ^ y", 0.5, total=True, accepts=INTEGER, examples=COUNTS),
        comparison("<", "< 0"),
        comparison("<=", "<= 0"),
        comparison(">", "> 0"),
        comparison(">=", ">= 0"),
        comparison("==", "== 0"),
        comparison("!=", "!= 0"),
    )
}  # fmt: skip


def one(symbol: str, text: str, by_bool: str, **facts: Any) -> Rule:
    """A unary operator."""
    by_kind = {"b": by_bool, **facts.pop("by_kind", {})}
    facts = {"dtype": "same", "number": "operands", **facts}
    return rule(symbol, "x", text, by_kind=by_kind, cost=0.5, total=True, examples=ONES, **facts)


UNARY: dict[str, Rule] = {
    r.name: r
    for r in (
        one("-", "-x", "-x.astype(int)"),
        one("+", "+x", "x.astype(int)"),
        one("~", "~x", "~x.astype(int)", accepts=INTEGER),
        one("not", "x == 0", "~x", by_kind={"U": "x == ''"}, dtype="bool", number="python",
            accepts=ANYTHING),
    )
}  # fmt: skip
