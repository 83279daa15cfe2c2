"""Rules for operations: what autovec knows of Python's and NumPy's functions, methods and operators."""

from __future__ import annotations

from autovec.ops import builtin_rules as _builtin_rules
from autovec.ops import math_rules as _math_rules
from autovec.ops import operator_rules as _operator_rules
from autovec.ops.binary import BINARY, UNARY
from autovec.ops.operator_rules import OPERATORS, UNARY_OPERATORS
from autovec.ops.rule import Raises, Rule
from autovec.ops.table import find, method, names, qualified_name, register, rules

for _family in (_math_rules, _builtin_rules, _operator_rules):
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
