"""What a loop carries from one trip to the next, and the fixpoint of its facts."""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.facts import NoCommonType, join, scalar_fact
from autovec.program.nodes import CarryResult, Loop
from autovec.program.things import Conflict, Local, Range, Thing, Unbound, leaves, map_leaves, shape
from autovec.program.values import Carry, Const, Value

UNSET = Value(Const(None), (), scalar_fact(0))  # type: ignore[arg-type]


def can_carry(thing: Thing) -> bool:
    """Is it made of values that one trip can hand to the next?"""
    return bool(leaves(thing)) and not isinstance(thing, (Unbound, Conflict, Local, Range))


def head_of(b: Builder, name: str, init: Thing, facts: dict[tuple[str, int], Any]) -> Thing:
    """A name's thing at the loop's head, with the facts found so far."""
    counter = [0]

    def leaf(v: Value) -> Value:
        key = (name, counter[0])
        counter[0] += 1
        fact = facts.setdefault(key, v.fact)
        return Value(Carry(), (), fact, name, b.line)

    return map_leaves(init, leaf)


def widen(
    name: str, head: Thing, after: Thing | None, facts: dict[tuple[str, int], Any], node: gast.AST
) -> bool:
    """Join the facts at the loop's end into those at its head; did any grow?"""
    if after is None or isinstance(after, (Unbound, Conflict)) or shape(head) != shape(after):
        raise Unsupported(node, f"{name} changes its type in the loop", "no array holds both")
    grown = False
    for k, (h, a) in enumerate(zip(leaves(head), leaves(after), strict=True)):
        try:
            joined = join(h.fact, a.fact)
        except NoCommonType as e:
            raise Unsupported(node, f"{name} is {e} in the loop", "no array holds both") from None
        if joined.lanes != h.fact.lanes or joined != h.fact:
            facts[name, k] = joined
            grown = True
    return grown


def result_of(b: Builder, made: Loop, head: Thing, init: Thing, after: Thing, name: str) -> Thing:
    """A carried name's thing after the loop."""
    pairs = zip(leaves(head), leaves(init), leaves(after), strict=True)
    results = []
    for h, i, a in pairs:
        result = Value(Carry(), (), h.fact, name, b.line)
        made.carries.append(CarryResult(h, i, a, result))
        results.append(result)
    found = iter(results)
    return map_leaves(init, lambda _: next(found))


def fresh_result(b: Builder, made: Loop, after: Thing, name: str) -> Thing:
    """A name first assigned in the loop: what its last iteration left."""
    if not can_carry(after):
        return after if not isinstance(after, Unbound) else Unbound(name)

    def leaf(v: Value) -> Value:
        head = Value(Carry(), (), v.fact, name, b.line)
        result = Value(Carry(), (), v.fact, name, b.line)
        made.carries.append(CarryResult(head, UNSET, v, result))
        return result

    return map_leaves(after, leaf)
