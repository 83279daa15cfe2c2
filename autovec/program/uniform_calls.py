"""Calls that only uniform values reach: they stay as they were written.

What such a call gives is known by its type alone: the value is asked when the text runs.
"""

from __future__ import annotations

import types
from typing import Any

import gast

from autovec.program.build import Builder
from autovec.program.facts import BOOL, FLOAT, INT, STRING, Fact
from autovec.program.things import Known, Thing
from autovec.program.values import Operation, Path, Value

_FACTS = {
    "str": Fact(STRING),
    "int": Fact(INT, weak=True),
    "float": Fact(FLOAT, weak=True),
    "bool": Fact(BOOL, weak=True),
}
_GIVES = {
    "str": {
        "str": "upper lower strip lstrip rstrip title capitalize casefold swapcase replace "
        "removeprefix removesuffix zfill center ljust rjust",
        "int": "count find index rfind rindex",
        "bool": "startswith endswith isdigit isdecimal isnumeric isalpha isalnum isupper islower "
        "isspace isidentifier istitle isascii",
    },
    "list": {"int": "index count"},
    "tuple": {"int": "index count"},
    "date": {"int": "toordinal weekday isoweekday", "str": "isoformat"},
    "datetime": {"int": "toordinal weekday isoweekday", "float": "timestamp", "str": "isoformat"},
    "timedelta": {"float": "total_seconds"},
    "builtins": {"str": "str repr ascii bin oct hex chr", "int": "ord int", "float": "float"},
}
_RESULTS = {
    (owner, name): _FACTS[kind]
    for owner, kinds in _GIVES.items()
    for kind, names in kinds.items()
    for name in names.split()
}


def uniform_call(
    b: Builder, owner: str, base: Thing | None, name: str, args: list[Thing], node: gast.AST
) -> Value | None:
    """``base.name(args)``, or a builtin's call, as it stands; None if anything in it varies."""
    fact = _RESULTS.get((owner, name))
    parts = [part(b, t) for t in ([] if base is None else [base]) + args]
    values = [v for v in parts if v is not None]
    if fact is None or b.attempts or len(values) < len(parts):
        return None
    params = tuple(f"a{k}" for k in range(len(values)))
    text = f"{name}({', '.join(params)})"
    if base is not None:
        text = f"a0.{name}({', '.join(params[1:])})"
    op = Operation(name, params, text, text, impure=True)
    return b.apply(op, *values, node=node, fact=fact)


def part(b: Builder, thing: Thing) -> Value | None:
    """A uniform value, or an object of the user's that the text can read."""
    if isinstance(thing, Value):
        return None if thing.varying else thing
    if isinstance(thing, Known) and thing.expr is not None:
        root = b.capture(thing.expr, thing.obj)
        return Value(Path(thing.expr, root), (), Fact(_FACTS["str"].dtype))
    return None


def bound_method(b: Builder, target: Known, args: list[Thing], node: gast.AST) -> Value | None:
    """A method of an object of the standard library's that is the same for every lane."""
    obj: Any = target.obj
    if not isinstance(obj, types.BuiltinMethodType) or not isinstance(target.expr, gast.Attribute):
        return None
    owner = type(obj.__self__)
    if owner.__module__ not in ("builtins", "datetime"):
        return None
    base = Known(obj.__self__, target.expr.value)
    return uniform_call(b, owner.__name__, base, obj.__name__, args, node)
