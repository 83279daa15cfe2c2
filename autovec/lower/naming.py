"""What to call a value: the user's name for it, or a word for the idea."""

from __future__ import annotations

import re
from collections.abc import Callable

from autovec.program.values import Const, Operation, Value
from autovec.syntax.names import HIDDEN

#: what to call the result of an operation that the user gave no name
IDEAS = {
    "+": "total", "-": "difference", "*": "product", "/": "ratio", "//": "quotient", "%": "rest",
    "**": "power", "neg": "opposite", "not": "others", "and": "both", "or": "either",
    "&": "test", "|": "test", "truth": "nonzero",
    "in": "known", "max": "largest", "min": "smallest", "phi": "value", "call": "result",
    "list": "values", "carry": "value", "item": "item", "invert": "inverse", "<<": "shifted",
    ">>": "shifted", "^": "flipped",
    "abs": "size", "absolute": "size", "part": "result", "round": "rounded",
    "int": "whole", "float": "number", "isnan": "missing", "isinf": "infinite",
    "isfinite": "finite", "fails": "bad",
}  # fmt: skip
#: what to call a comparison: with zero, with another literal, with a value
_COMPARISONS = {
    "<": ("negative", "low", "below"),
    "<=": ("not_positive", "low", "below"),
    ">": ("positive", "high", "above"),
    ">=": ("not_negative", "high", "above"),
    "==": ("zero", "equal", "equal"),
    "!=": ("nonzero", "other", "different"),
}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_POWERS = {2: "squared", 3: "cubed"}


def numbered(want: str, free: Callable[[str], bool]) -> str:
    """The first of ``want``, ``want2``, ``want3``, ... that is free."""
    name, k = want, 1
    while not free(name):
        k += 1
        name = f"{want}{k}"
    return name


def clean(origin: str | None) -> str | None:
    """A user's name as an identifier."""
    if origin is None or origin.startswith(HIDDEN + HIDDEN):
        return None
    name = origin.strip(HIDDEN).partition(HIDDEN)[0]
    return name if name.isidentifier() else None


def idea(value: Value) -> str:
    """A name for what the user left unnamed, from what it is."""
    name = getattr(value.op, "name", "value")
    if name in _COMPARISONS and len(value.args) == 2:
        return mask(name, *value.args)
    last = re.sub(r"\W.*", "", name.rpartition(".")[2]) or name
    of = subject(value)
    if of is not None and name == "**":
        return f"{of}_{_POWERS[value.args[1].op.value]}"  # type: ignore[union-attr]
    found = IDEAS.get(name) or IDEAS.get(last)
    if found is None and of is not None and last.isidentifier():
        return f"{last}_{of}"
    return found or (last if last.isidentifier() else "value")


def subject(value: Value) -> str | None:
    """What a function of one value, or a power, is of, if that is short.

    ``t_squared``, ``cos_angle``, ``sin_2angle``.
    """
    if not value.args or not isinstance(value.op, Operation):
        return None
    x, *others = value.args
    if value.op.name == "**":
        exponent = others[0].op
        if not isinstance(exponent, Const) or exponent.value not in _POWERS:
            return None
    elif others:
        return None
    users = clean(x.origin)
    if users is not None or value.op.name == "**":
        return users
    if isinstance(x.op, Operation) and x.op.name == "*":
        factor, of = x.args
        if isinstance(factor.op, Const) and type(factor.op.value) is int and clean(of.origin):
            return f"{factor.op.value}{clean(of.origin)}".replace("-", "minus_")
    return None


def mask(sign: str, x: Value, y: Value) -> str:
    """A name for where a comparison holds.

    ``negative``, ``low``, ``is_c``.
    """
    if isinstance(x.op, Const):
        x, y, sign = y, x, _MIRRORED.get(sign, sign)
    of_zero, of_literal, of_value = _COMPARISONS[sign]
    if not isinstance(y.op, Const):
        return of_value
    literal = y.op.value
    if isinstance(literal, (int, float)) and literal == 0:
        return of_zero
    word = f"is_{literal}".lower()
    if sign == "==" and isinstance(literal, (int, str)) and word.isidentifier() and len(word) < 16:
        return word
    return of_literal
