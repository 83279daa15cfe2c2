"""Parameters: what a function being compiled sees of the arguments it is called with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.facts import Extent, scalar_fact
from autovec.program.things import (
    NONE,
    Conflict,
    Known,
    Map,
    Maybe,
    Record,
    Row,
    Seq,
    Thing,
    describe,
)
from autovec.program.values import Param, Path, Value
from autovec.syntax import quote


def uniform_parameter(obj: Any, name: str) -> Thing:
    """A parameter that is the same for every lane."""
    fact = scalar_fact(obj)
    if fact is None:
        return Known(obj, quote.name(name)) if obj is not None else NONE
    return Value(Path(quote.name(name), name), (), fact, name)


def as_parameter(thing: Thing, name: str, node: gast.AST, expr: gast.expr | None = None) -> Thing:
    """What a callee sees of an argument: a parameter with the argument's facts."""
    expr = expr if expr is not None else quote.name(name)
    if isinstance(thing, Value):
        origin = name if isinstance(expr, gast.Name) else None
        fact = thing.fact
        if fact.rank:  # the lengths of its axes are the parameter's own, or unknown
            own = isinstance(expr, gast.Name)
            lengths = (
                Extent(n, (name, k + thing.varying) if own else None)
                for k, n in enumerate(fact.shape)
            )
            fact = replace(fact, shape=tuple(lengths))
        if not thing.varying:
            return Value(Path(expr, name), (), fact, origin)
        return Value(Param(name) if origin else Path(expr, name), (), fact, origin)
    if isinstance(thing, Seq):
        items = (
            as_parameter(t, name, node, quote.expr("e[k]", e=expr, k=k))
            for k, t in enumerate(thing.items)
        )
        return replace(thing, items=tuple(items))
    if isinstance(thing, Row):
        thing = replace(thing, label=None)
    if isinstance(thing, Map):
        parts = {
            k: as_parameter(t, name, node, quote.expr("e[k]", e=expr, k=quote.const(k)))
            for k, t in thing.items.items()
        }
        return replace(thing, items=parts)
    if isinstance(thing, Record):
        return Record(
            thing.cls,
            {
                k: as_parameter(t, name, node, quote.expr(f"e.{k}", e=expr))
                for k, t in thing.fields.items()
            },
        )
    if isinstance(thing, Maybe):
        value, none = (
            as_parameter(t, name, node, quote.expr("e[k]", e=expr, k=k))
            for k, t in enumerate((thing.value, thing.none))
        )
        assert isinstance(value, Value) and isinstance(none, Value)
        return replace(thing, value=value, none=none)
    if isinstance(thing, Conflict):
        return thing
    if isinstance(thing, Known):
        return Known(thing.obj, expr) if thing.obj is not None else NONE
    raise Unsupported(
        node, f"{describe(thing)} passed to a function", "it is known only to the caller"
    )
