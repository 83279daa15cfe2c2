"""NumPy's ufuncs: the batched call is the call as the user wrote it.

Each group is one signature, one domain, one kind of result; an entry is a name and its cost in
nanoseconds an element.  A NumPy function raises nothing for a float: it warns and gives inf or nan.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autovec.ops.rule import INTEGER, REAL, Rule, refuses, rule
from autovec.ops.table import add

ANY = ((0.5,), (-2.25,), (3.0,), (0.0,), (1.0,))
UNIT = ((0.5,), (0.25,), (1.0,), (0.0,))
BIG = ((1.0,), (2.5,), (100.0,))
PAIRS = ((0.5, 2.0), (3.0, -1.5), (-7.0, 2.0), (1.0, 4.0), (2.0, 3.0))
BASES = ((0.5, 2.0), (3.0, 1.5), (7.0, 2.0), (1.0, 4.0), (2.0, 3.0))
WHOLE = ((12, 18), (7, 1), (-5, 3), (20, 8), (9, 9))
COUNTS = ((12,), (-7,), (0,), (100,))


def group(signature: str, costs: Mapping[str, float], **facts: Any) -> list[Rule]:
    """Rules of ufuncs that differ in name and cost only."""
    return [
        rule(f"numpy.{name}", signature, cost=cost, number="numpy", **facts)
        for name, cost in costs.items()
    ]


def transcendental() -> list[Rule]:
    """One number to a float; a complex number to a complex one."""
    everywhere = {"arctan": 1.5, "arcsinh": 2, "tanh": 2}
    partly = {
        "exp": 1.5, "exp2": 1, "expm1": 1.5, "log": 1.5, "log2": 1, "log10": 1, "log1p": 1,
        "sin": 10, "cos": 10, "tan": 1.5, "sinh": 1.5, "cosh": 1, "sqrt": 1.2,
    }  # fmt: skip
    inverse = {"arcsin": 1.5, "arccos": 1.5}
    return [
        *group("x", everywhere, total=True, examples=ANY),
        *group("x", partly, examples=((0.5,), (3.0,), (1.0,))),
        *group("x", inverse, examples=UNIT),
        *group("x", {"arctanh": 1.5}, examples=((0.5,), (-0.25,), (0.0,))),
        *group("x", {"arccosh": 4}, examples=BIG),
    ]


def one_real() -> list[Rule]:
    """One real number to a float, an integer to itself, two parts, a bool."""
    to_float = {"cbrt": 1, "deg2rad": 1.5, "radians": 1.5, "fabs": 1.5}
    whole = {"floor": 0.3, "ceil": 0.3, "trunc": 0.3}
    return [
        *group("x", to_float, accepts=REAL, total=True, examples=ANY),
        *group("x", {"rad2deg": 1.5, "degrees": 1.5, "spacing": 3}, accepts=REAL, examples=ANY),
        *group("x", whole, accepts=REAL, total=True, dtype="same", examples=ANY),
        *group("x", {"signbit": 0.3}, accepts=REAL, total=True, dtype="bool", examples=ANY),
        *group("x", {"modf": 2, "frexp": 0.5}, accepts=REAL, total=True, outputs=2, examples=ANY),
    ]


def one_number() -> list[Rule]:
    """One real or complex number."""
    same = {
        "absolute": 0.4, "negative": 0.3, "positive": 0.4, "sign": 0.8, "square": 0.3,
        "conjugate": 0.4,
    }  # fmt: skip
    tests = {"isfinite": 0.2, "isinf": 0.2, "isnan": 0.2, "logical_not": 0.7}
    return [
        *group("x", same, total=True, dtype="same", examples=ANY),
        *group("x", {"rint": 0.3}, total=True, examples=ANY),
        *group("x", {"reciprocal": 0.8}, dtype="same", examples=((0.5,), (2.0,), (-4.0,))),
        *group("x", tests, total=True, dtype="bool", examples=ANY),
    ]


def arithmetic() -> list[Rule]:
    """Two numbers: NumPy's own arithmetic, which wraps integers and divides them by zero as 0."""
    return [
        *group("x1, x2", {"add": 0.5, "subtract": 0.5, "multiply": 0.5},
               total=True, dtype="same", examples=PAIRS),
        *group("x1, x2", {"divide": 1}, examples=PAIRS),
        *group("x1, x2", {"floor_divide": 10, "remainder": 10, "fmod": 5},
               accepts=REAL, dtype="same", examples=PAIRS),
        *group("x1, x2", {"divmod": 10}, accepts=REAL, dtype="same", outputs=2, examples=PAIRS),
        *group("x1, x2", {"float_power": 10}, examples=BASES),
        *group("x1, x2", {"power": 60}, dtype="same", examples=BASES,
               raises=[refuses("x2 < 0", np.power, np.array([2]), np.array([-1]), kinds="II")]),
    ]  # fmt: skip


def two_real() -> list[Rule]:
    """Two real numbers."""
    floats = {"arctan2": 2.5, "copysign": 0.6, "heaviside": 1.5}
    partly = {"hypot": 7, "logaddexp": 14, "logaddexp2": 14, "nextafter": 4}
    return [
        *group("x1, x2", floats, accepts=REAL, total=True, examples=PAIRS),
        *group("x1, x2", partly, accepts=REAL, examples=PAIRS),
        *group("x1, x2", {"ldexp": 4}, accepts=REAL, examples=((0.5, 3), (-3.0, -2), (1.0, 10))),
    ]


def selection() -> list[Rule]:
    """The larger or smaller of two, comparisons, logic."""
    same = dict.fromkeys(("maximum", "minimum", "fmax", "fmin"), 0.4)
    tests = dict.fromkeys(
        ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"), 0.4
    )
    logic = dict.fromkeys(("logical_and", "logical_or", "logical_xor"), 0.9)
    return [
        *group("x1, x2", same, total=True, dtype="same", examples=PAIRS),
        *group("x1, x2", tests | logic, total=True, dtype="bool", examples=PAIRS),
    ]


def bits() -> list[Rule]:
    """Integers and their bits."""
    logic = dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), 0.3)
    shifts = {"left_shift": 0.4, "right_shift": 0.4}
    both: dict[str, Any] = {"accepts": INTEGER, "total": True, "dtype": "same"}
    return [
        *group("x", {"invert": 0.3}, examples=COUNTS, **both),
        *group("x", {"bitwise_count": 0.5}, examples=COUNTS, **both),
        *group("x1, x2", logic, examples=WHOLE, **both),
        *group("x1, x2", shifts, examples=((12, 2), (7, 0), (-5, 3)), **both),
        *group("x1, x2", {"gcd": 6, "lcm": 8}, examples=WHOLE, **both),
    ]


def enter() -> None:
    """Enter the family into the table."""
    add(*transcendental(), *one_real(), *one_number(), *arithmetic(), *two_real())
    add(*selection(), *bits())
