"""The user's lists and dicts behind a thing: objects with an identity, which names can share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from autovec.program.things import (
    Chosen,
    Local,
    Map,
    Once,
    Partial,
    Record,
    Seq,
    Thing,
    Unbound,
)


def mutable(thing: Thing | None) -> frozenset[object]:
    """The user's lists and dicts that a thing may be or hold.

    >>> from autovec.program.things import NONE
    >>> some = Seq((), list)
    >>> mutable(Seq((NONE, some))) == some.objects, mutable(Seq((NONE,)))
    (True, frozenset())
    """
    return frozenset[object]().union(*(c.objects for c in containers(thing)))


def held(thing: Thing | None) -> frozenset[object]:
    """The user's lists and dicts that the functions and views hold which a thing is or holds."""
    if isinstance(thing, Local):
        inner: list[Thing] = thing.held
    elif isinstance(thing, Partial):
        inner = [thing.function, *thing.args, *thing.keywords.values()]
    elif isinstance(thing, Chosen):
        inner = [thing.then, thing.orelse]
    elif isinstance(thing, Once):
        inner = list(thing.items)
    elif isinstance(thing, (Seq, Map)):
        items = thing.items if isinstance(thing, Seq) else thing.items.values()
        own = thing.objects if isinstance(thing, Seq) and thing.kind is not list else frozenset()
        return own.union(*map(held, items))
    else:
        return frozenset()
    return frozenset[object]().union(*(mutable(t) | held(t) for t in inner))


def containers(thing: Thing | None) -> list[Seq | Map]:
    """The lists and dicts that a thing is or holds, outer ones first."""
    if isinstance(thing, Unbound):
        return containers(thing.value)
    if isinstance(thing, Record):
        return [c for item in thing.fields.values() for c in containers(item)]
    if not isinstance(thing, (Seq, Map)):
        return []
    inner = thing.items if isinstance(thing, Seq) else thing.items.values()
    own = [thing] if isinstance(thing, Map) or thing.kind is list else []
    return [*own, *(c for item in inner for c in containers(item))]


def map_containers(thing: Thing, f: Callable[[Seq | Map], Thing]) -> Thing:
    """A thing with each list and dict replaced, outer ones first; what is new is left as it is."""
    if isinstance(thing, Unbound) and thing.value is not None:
        return replace(thing, value=map_containers(thing.value, f))
    if isinstance(thing, Record):
        return Record(thing.cls, {k: map_containers(t, f) for k, t in thing.fields.items()})
    if not isinstance(thing, (Seq, Map)):
        return thing
    if isinstance(thing, Map) or thing.kind is list:
        made = f(thing)
        if not isinstance(made, (Seq, Map)):
            return made
        if made.items is not thing.items:
            return made
        thing = made
    if isinstance(thing, Seq):
        return replace(thing, items=tuple(map_containers(t, f) for t in thing.items))
    return replace(thing, items={k: map_containers(t, f) for k, t in thing.items.items()})
