"""The module ``operator``: its functions are Python's operators under a name.

>>> from autovec.ops import find
>>> find("operator.floordiv", 2).text_for("bb")
'np.floor_divide(x, y, dtype=int)'
>>> OPERATORS["operator.floordiv"]
'//'
"""

from __future__ import annotations

from dataclasses import replace

from autovec.ops.binary import BINARY, UNARY
from autovec.ops.table import add, rules

_NAMES = {
    "+": "add iadd",
    "-": "sub isub",
    "*": "mul imul",
    "/": "truediv itruediv",
    "//": "floordiv ifloordiv",
    "%": "mod imod",
    "**": "pow ipow",
    "<<": "lshift ilshift",
    ">>": "rshift irshift",
    "&": "and_ iand",
    "|": "or_ ior",
    "^": "xor ixor",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "==": "eq",
    "!=": "ne",
}
_BUILTINS = {"operator.abs": "builtins.abs", "operator.truth": "builtins.bool"}
_UNARY_NAMES = {"-": "neg", "+": "pos", "~": "invert inv", "not": "not_"}

#: the operator that a function of two arguments stands for
OPERATORS = {
    f"operator.{name}": symbol for symbol, names in _NAMES.items() for name in names.split()
}
#: the operator that a function of one argument stands for
UNARY_OPERATORS = {
    f"operator.{name}": symbol for symbol, names in _UNARY_NAMES.items() for name in names.split()
}


def enter() -> None:
    """Enter the family into the table."""
    add(*(replace(BINARY[symbol], name=name) for name, symbol in OPERATORS.items()))
    add(*(replace(UNARY[symbol], name=name) for name, symbol in UNARY_OPERATORS.items()))
    for name, builtin in _BUILTINS.items():
        add(*(replace(known, name=name) for known in rules(builtin)))
