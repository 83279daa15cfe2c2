"""What a test says of the names that may be None: on each side of a branch, some are settled.

    if name is None:            name is None here,
        return "nobody"
    return name.title()         and a string here
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from autovec.program.things import NONE, Known, Map, Maybe, Record, Seq, Thing, any_maybe
from autovec.program.values import Value


def implied(test: Value, holds: bool) -> dict[int, bool]:
    """The values, by identity, that are known where a test holds, or where it does not."""
    found = {id(test): holds}
    name = getattr(test.op, "name", "")
    if name == "not":
        found |= implied(test.args[0], not holds)
    elif (name == "and" and holds) or (name == "or" and not holds):
        for arg in test.args:
            found |= implied(arg, holds)
    return found


def narrowed(env: Mapping[str, Thing], test: Value, holds: bool) -> dict[str, Thing]:
    """The environment on one side of a test."""
    if not any(map(any_maybe, env.values())):
        return dict(env)
    known = implied(test, holds)
    return {name: settled(thing, known) for name, thing in env.items()}


def settled(thing: Thing, known: Mapping[int, bool]) -> Thing:
    """What may be None, where it is known whether it is."""
    if isinstance(thing, Maybe) and id(thing.none) in known:
        if not known[id(thing.none)]:
            return thing.value
        return thing if thing.nan else NONE
    if isinstance(thing, Map) and any_maybe(thing):
        return replace(thing, items={k: settled(t, known) for k, t in thing.items.items()})
    if isinstance(thing, Seq) and any_maybe(thing):
        return replace(thing, items=tuple(settled(t, known) for t in thing.items))
    if isinstance(thing, Record) and any_maybe(thing):
        return replace(thing, fields={k: settled(t, known) for k, t in thing.fields.items()})
    return thing


def unchanged(before: Thing | None, *sides: Thing | None) -> bool:
    """Is each side what was there before the branch, settled or not?"""
    if isinstance(before, (Map, Seq, Record)) and any_maybe(before):
        return all(t is before or same_parts(before, t) for t in sides)
    if not isinstance(before, Maybe):
        return False
    none = [isinstance(t, Known) and t.obj is None for t in sides]
    return all(n or t is before or t is before.value for n, t in zip(none, sides, strict=True))


def same_parts(before: Map | Seq | Record, side: Thing | None) -> bool:
    """Is each part of a structure what it was, settled or not?"""
    old, new = parts(before), parts(side) if type(side) is type(before) else None
    if new is None or list(old) != list(new):
        return False
    return all(old[k] is new[k] or unchanged(old[k], new[k]) for k in old)


def parts(thing: Thing | None) -> dict[Any, Thing]:
    """The parts of a structure by name or position."""
    if isinstance(thing, Map):
        return dict(thing.items)
    if isinstance(thing, Record):
        return dict(thing.fields)
    return dict(enumerate(thing.items)) if isinstance(thing, Seq) else {}
