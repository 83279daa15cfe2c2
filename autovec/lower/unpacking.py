"""A helper that returns several values: its call is unpacked into names, one for each."""

from __future__ import annotations

from typing import Any

import gast

from autovec.lower.writer import Writer
from autovec.program.nodes import Let, Node
from autovec.program.things import Maybe, Seq, Thing
from autovec.program.values import CallTwin, Operation, Value
from autovec.syntax import quote


def targets_of(w: Writer, whole: Value, rest: list[Node]) -> gast.expr | None:
    """The names to unpack a call into, taken now; None where its items are read otherwise.

    ``rest`` are the nodes behind the call: those that read its items come first.
    """
    parts: dict[str, Value] = {}
    for node in rest:
        v = node.value if isinstance(node, Let) else None
        if v is None or not isinstance(v.op, Operation) or v.op.name != "part":
            break
        if v.args[0] is whole:
            parts[v.op.lanes] = v
    assert isinstance(whole.op, CallTwin)
    result = whole.op.twin.program.result
    if len(parts) < 2 or len(parts) != w.remaining[id(whole)] or not is_flat(result):
        return None
    for _ in parts:
        w.consume(whole)
    made = target(w, result, "r", parts)
    w.unpacked |= {id(v) for v in parts.values()}
    targets: gast.expr = quote.in_context(made, gast.Store())
    return targets


def is_flat(thing: Thing) -> bool:
    """Is it made of tuples and lists only, so that unpacking reaches all of it?"""
    if isinstance(thing, Seq):
        return all(map(is_flat, thing.items))
    return isinstance(thing, (Value, Maybe))


def target(w: Writer, thing: Thing, text: str, parts: dict[str, Value]) -> gast.expr:
    """Names for the items that are read, ``_`` for others."""
    items: tuple[Any, ...] = ()
    if isinstance(thing, Seq):
        items = thing.items
    elif isinstance(thing, Maybe):
        items = (thing.value, thing.none)
    if items and any(part.startswith(text) for part in parts):
        inner = [target(w, t, f"{text}[{k}]", parts) for k, t in enumerate(items)]
        return quote.expr("(*items,)", items=inner)
    return quote.name(w.take(parts[text]) if text in parts else "_")
