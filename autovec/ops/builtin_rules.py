"""Rules for Python's builtins on scalar samples.

min, max, sum, any, all and sorted take lists of values; they are the builder's own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autovec.ops.binary import BINARY, NUMBERS, by_zero
from autovec.ops.math_rules import ANY, WHOLE_KINDS, not_whole
from autovec.ops.rule import INTEGER, NUMBER, REAL, Raises, Rule, refuses, rule
from autovec.ops.table import add

MANY = (*ANY, (7.0,), (-1.0,), (1.5,), (2.5,))
DECIMALS = ((2.675, 2), (0.125, 2), (-1.005, 2), (25.0, 2))


def one(name: str, text: str, cost: float, *raises: Raises | None, **facts: Any) -> Rule:
    """A builtin of one number."""
    facts = {"examples": MANY, "accepts": REAL, **facts}
    return rule(f"builtins.{name}", "x", text, cost=cost, raises=raises, **facts)


def enter() -> None:
    """Enter the family into the table."""
    add(
        one("abs", "np.abs(x)", 0.5, by_kind={"b": "x.astype(int)"}, dtype="same", total=True,
            accepts=NUMBER, number="operands"),
        one("int", "to_int(x)", 2, *not_whole(int), by_kind=WHOLE_KINDS, dtype="int"),
        one("float", "x.astype(float)", 0.5, total=True),
        one("bool", "x != 0", 0.5, by_kind={"b": "x", "U": "x != ''"}, dtype="bool", total=True,
            accepts=NUMBER + "U"),
        one("complex", "x.astype(complex)", 1, dtype="complex", total=True, accepts=NUMBER),
        rule("builtins.complex", "real, imag", "make_complex(real, imag)", dtype="complex",
             total=True, cost=4, accepts=REAL, examples=((1.0, 2.0), (-0.5, 0.0), (3.0, -4.0))),
        one("round", "to_int(np.rint(x))", 3, *not_whole(round), dtype="int",
            by_kind=WHOLE_KINDS | {"?": "to_int(np.round(x))"}),
        rule("builtins.round", "x, n", "round_number(x, n)", dtype="same", cost=10, fixed="n",
             by_kind={"f": "round_half_even(x, n)", "I": "round_int(x, n)"},
             accepts=REAL, number="operands", examples=DECIMALS),
        rule("builtins.divmod", "x, y", "np.divmod(x, y)", dtype="same", cost=10, outputs=2,
             by_kind={"bb": "np.divmod(x, y, dtype=int)", "??": "(floor_div(x, y), modulo(x, y))"},
             raises=by_zero(divmod), accepts=REAL, number="operands", examples=NUMBERS),
        replace(BINARY["**"], name="builtins.pow"),
        rule("builtins.pow", "x, y, mod", "pow_mod(x, y, mod)", dtype="int", cost=150,
             accepts=INTEGER,
             raises=[refuses("mod == 0", pow, 7, 2, False),
                     refuses("(y < 0) & (np.gcd(x, mod, dtype=int) != 1)", pow, 2, -1, 4)],
             note="NumPy has no modular power: Python's own, one element at a time",
             examples=((3, 4, 5), (2, 10, 7), (7, 0, 3), (-3, 3, 4))),
    )  # fmt: skip
