"""What to call a value: the user's name for it, or a word for the idea."""

from __future__ import annotations

import re

from autovec.program.values import Value
from autovec.syntax.names import HIDDEN

#: what to call the result of an operation that the user gave no name
IDEAS = {
    "+": "total", "-": "difference", "*": "product", "/": "ratio", "//": "quotient", "%": "rest",
    "**": "power", "neg": "negative", "not": "others", "&": "test", "|": "test", "truth": "test",
    "in": "known", "max": "largest", "min": "smallest", "phi": "value", "call": "result",
    "list": "values", "carry": "value", "item": "item", "invert": "inverse", "<<": "shifted",
    ">>": "shifted", "^": "flipped",
    "abs": "size", "absolute": "size", "part": "result", "round": "rounded",
    "int": "whole", "float": "number", "fails": "bad",
}  # fmt: skip
_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}


def clean(origin: str | None) -> str | None:
    """A user's name as an identifier."""
    if origin is None or origin.startswith(HIDDEN + HIDDEN):
        return None
    name = origin.strip(HIDDEN).partition(HIDDEN)[0]
    return name if name.isidentifier() else None


def idea(value: Value) -> str:
    """A name for what the user left unnamed, from what it is."""
    name = getattr(value.op, "name", "value")
    if name in _COMPARISONS:
        return "test"
    last = re.sub(r"\W.*", "", name.rpartition(".")[2]) or name
    return IDEAS.get(name) or IDEAS.get(last) or (last if last.isidentifier() else "value")
