"""Rules: what autovec knows of Python's and NumPy's functions, methods and operators."""

from __future__ import annotations

from autovec.ops import (
    builtin_rules,
    cmath_rules,
    math_rules,
    methods,
    numpy_rules,
    operator_rules,
    string_rules,
    ufunc_rules,
)
from autovec.ops.binary import BINARY, UNARY
from autovec.ops.operator_rules import OPERATORS, UNARY_OPERATORS
from autovec.ops.rule import Raises, Rule
from autovec.ops.table import find, method, names, qualified_name, register, rules

for _family in (
    ufunc_rules,
    numpy_rules,
    math_rules,
    cmath_rules,
    builtin_rules,
    operator_rules,
    methods,
    string_rules,
):
    _family.enter()

__all__ = [
    "BINARY",
    "OPERATORS",
    "UNARY",
    "UNARY_OPERATORS",
    "Raises",
    "Rule",
    "find",
    "method",
    "names",
    "qualified_name",
    "register",
    "rules",
]
