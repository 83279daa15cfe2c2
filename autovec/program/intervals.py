"""Between which bounds an integer certainly lies, as far as its operations say."""

from __future__ import annotations

import math

import numpy as np

from autovec.program.values import Const, Operation, Value

#: how far back through operations one looks
_DEPTH = 6
Interval = tuple[float, float]
ANYTHING: Interval = (-math.inf, math.inf)


def interval(value: Value, depth: int = _DEPTH) -> Interval:
    """The least and the greatest that an integer value can be.

    >>> from autovec.program.facts import Fact, INT, scalar_fact
    >>> five = Value(Const(5), (), scalar_fact(5))
    >>> n = Value(Operation("n", (), "n", "n"), (), Fact(INT, ("B",)))
    >>> interval(Value(Operation("%", ("x", "y"), "x % y", "x % y"), (n, five), n.fact))
    (0, 4)
    """
    op = value.op
    if isinstance(op, Const):
        return (op.value, op.value) if isinstance(op.value, int) else ANYTHING
    if value.fact.kind == "b":
        return (0, 1)
    if value.fact.kind not in "iu" or not isinstance(op, Operation) or depth == 0:
        return ANYTHING
    if op.name == "place":
        return (0 if op.impure else -1, math.inf)
    sides = [interval(arg, depth - 1) for arg in value.args]
    if op.name == "%" and 0 < sides[1][0] == sides[1][1]:
        return (0, sides[1][0] - 1)
    if op.name == "//" and 0 < sides[1][0] == sides[1][1] < math.inf:
        return (_floor(sides[0][0], sides[1][0]), _floor(sides[0][1], sides[1][0]))
    if op.name == "&":
        masks = [hi for lo, hi in sides if lo >= 0]
        return (0, min(masks)) if masks else ANYTHING
    if op.name in ("max", "min"):
        best = max if op.name == "max" else min
        return (best(lo for lo, _ in sides), best(hi for _, hi in sides))
    if op.name in ("+", "-") and len(sides) == 2:
        (a, b), (c, d) = sides
        low, high = (a + c, b + d) if op.name == "+" else (a - d, b - c)
        limits = np.iinfo(value.fact.dtype)
        return (low, high) if limits.min <= low and high <= limits.max else ANYTHING
    if op.name == "neg":
        return (-sides[0][1], -sides[0][0])
    if op.name == "builtins.abs" and not value.varying:  # NumPy's of the least int is negative
        return (0, math.inf)
    if op.name == "pos":
        return sides[0]
    return ANYTHING


def _floor(x: float, y: float) -> float:
    return x // y if math.isfinite(x) else x


def within(value: Value, length: int) -> bool:
    """Is an index certainly one of a sequence of this length, counted from either end?"""
    low, high = interval(value)
    return -length <= low and high < length
