"""What tells things apart: their structure, and the facts of their values."""

from __future__ import annotations

from typing import Any

from autovec.program.things import (
    Chosen,
    Conflict,
    Known,
    Local,
    Map,
    Maybe,
    Partial,
    Record,
    Row,
    Seq,
    Thing,
    Unbound,
)
from autovec.program.values import Value


def shape(thing: Thing) -> Any:
    """A thing's structure without its leaves."""
    if isinstance(thing, Value):
        return "leaf"
    if isinstance(thing, Seq):
        return (thing.kind, thing.cls, *(shape(t) for t in thing.items))
    if isinstance(thing, Map):
        kind = thing.kind if isinstance(thing, Row) else ""
        return (kind, *((k, shape(t)) for k, t in thing.items.items()))
    if isinstance(thing, Record):
        return (thing.cls, *(shape(t) for t in thing.fields.values()))
    if isinstance(thing, Unbound) and thing.value is not None:
        return ("unbound", shape(thing.value))
    return ("maybe", thing.nan) if isinstance(thing, Maybe) else thing


def thing_key(thing: Thing) -> Any:
    """What distinguishes two specialisations of a function."""
    if isinstance(thing, Value):
        return thing.fact
    if isinstance(thing, Seq):
        return (thing.kind, thing.cls, *(thing_key(t) for t in thing.items))
    if isinstance(thing, Map):
        kind = thing.kind if isinstance(thing, Row) else ""
        return (kind, *((k, thing_key(t)) for k, t in thing.items.items()))
    if isinstance(thing, Record):
        return (thing.cls, *(thing_key(t) for t in thing.fields.values()))
    if isinstance(thing, Known):
        return ("object", id(thing.obj))
    if isinstance(thing, Local):
        names = sorted({*thing.names} & set(thing.env))
        seen = ((n, thing_key(thing.env[n])) for n in names if not isinstance(thing.env[n], Local))
        defaults = ((n, thing_key(t)) for n, t in thing.defaults.items())
        return ("local", id(thing.node), *seen, *defaults)
    if isinstance(thing, Partial):
        keywords = ((k, thing_key(t)) for k, t in thing.keywords.items())
        return ("partial", thing_key(thing.function), *map(thing_key, thing.args), *keywords)
    if isinstance(thing, Chosen):
        return ("chosen", *map(thing_key, (thing.test, thing.then, thing.orelse)))
    if isinstance(thing, Maybe):
        return ("maybe", thing.nan, thing_key(thing.value), thing_key(thing.none))
    if isinstance(thing, Conflict):
        return ("unreadable", thing.why)
    return ("other", id(thing))
