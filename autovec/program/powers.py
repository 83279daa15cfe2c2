"""Powers: the batched and the uniform text of ``x ** y`` and ``math.pow(x, y)``.

NumPy takes the square root where one exponent of 0.5 stands for a whole row, and has nan for -inf
and -0.0 for -0.0 there; powers have inf and 0.0.  So such an exponent is looked for: a literal
while compiling, a uniform one when the text runs.  One that varies does it no harm in flat arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast
import numpy as np

from autovec.ops.prelude import NEGATIVE_POWER
from autovec.program.build import Builder
from autovec.program.facts import Fact
from autovec.program.intervals import interval
from autovec.program.nodes import Check, Raise
from autovec.program.things import NOT_LITERAL, literal
from autovec.program.truth import truth_fact
from autovec.program.values import Operation, Value
from autovec.syntax import quote

BELOW_ZERO = Operation("fails", ("x",), "x < 0", "x < 0", total=True)

#: x ** n as products, each factor evaluated once
POWERS = {
    3: "x * x * x",
    4: "(x * x) ** 2",
    5: "(x * x) ** 2 * x",
    6: "(x * x * x) ** 2",
    8: "((x * x) ** 2) ** 2",
}


@dataclass(frozen=True)
class Power:
    """How a power is written: for lanes, and for uniform operands."""

    lanes: str
    python: str = "x ** y"
    total: bool = False
    impure: bool = False
    flat: bool = False


def power(x: Value, y: Value, whole: bool, text: str) -> Power:
    """``x ** y``; ``whole``: of Python's integers, for which ``text`` is the batched form."""
    n = literal(y)
    if whole:
        if isinstance(n, int) and n < 0:
            return Power("np.power(x, y, dtype=float)")
        return Power(text, impure=True)
    if isinstance(n, int) and not isinstance(n, bool) and x.fact.kind in "fc":
        return Power(POWERS.get(n, "x ** y"), total=n == 2 or n in POWERS)
    if x.fact.kind in "biu" and y.fact.kind in "biu":  # NumPy's integers wrap
        total = isinstance(n, int) and n >= 0
        return Power(text, total=total, impure=not total)
    return Power(rooted(x, y, "x ** y"), uniform(x, y), flat=meets(x, y))


def shrinks(x: Value, y: Value) -> bool:
    """Is it an int to a uniform int power, which is a float in Python if that is negative?"""
    if x.varying or y.varying:
        return False
    ints = x.fact.kind in "biu" and y.fact.kind in "iu" and (x.fact.python or x.fact.weak)
    if not ints or not (y.fact.python or y.fact.weak) or literal(y) is not NOT_LITERAL:
        return False
    return interval(y)[0] < 0 and not y.plain


def fractional(b: Builder, op: Operation, x: Value, y: Value, node: gast.AST | None) -> Value:
    """Such a power: ``10 ** -digits`` is meant to be a float, another one to be an int.

    An int that is none after all is for the loop.
    """
    if getattr(y.op, "name", "") == "neg":
        fact = Fact(np.dtype(float), weak=True, mixed=True)
        return b.apply(op, x, y, node=node, fact=fact)
    below = b.apply(BELOW_ZERO, y, fact=truth_fact(y))
    error = quote.expr("OverflowError(words)", words=quote.const(NEGATIVE_POWER))
    b.add(Check(below, Raise(error, None, {}, b.line), b.line))
    return b.apply(op, x, y, node=node)


def uniform(x: Value, y: Value) -> str:
    """The text of uniform operands: a negative float to a fraction is complex in Python, nan here.

    Not np.power, see above; NumPy's own scalars have nan themselves.
    """
    base = literal(x)
    positive = isinstance(base, (int, float)) and base > 0
    numbers = x.fact.weak and y.fact.weak
    real = x.fact.kind != "c" and y.fact.kind == "f" and numbers
    return "float(np.float_power(x, y))" if real and not positive else "x ** y"


def rooted(x: Value, y: Value, text: str) -> str:
    """The text of a float power for lanes, with an exponent of 0.5 seen to."""
    if not x.varying or x.fact.kind != "f" or y.varying or y.fact.kind not in "f":
        return text
    n = literal(y)
    if n is NOT_LITERAL:
        return "to_power(x, y)"
    return "root(x)" if n == 0.5 else text


def meets(x: Value, y: Value) -> bool:
    """Do two operands vary, so that one exponent may stand for a row when they broadcast?"""
    return x.varying and y.varying and x.fact.kind == y.fact.kind == "f"
