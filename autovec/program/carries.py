"""What a loop carries from one trip to the next, and the fixpoint of its facts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import count
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.facts import BOOL, Fact, Lanes, NoCommonType, join, scalar_fact
from autovec.program.identities import containers, map_containers
from autovec.program.lists import is_list
from autovec.program.nodes import CarryResult, Loop
from autovec.program.things import (
    Chosen,
    Conflict,
    Local,
    Map,
    Partial,
    Range,
    Seq,
    Thing,
    Unbound,
    leaves,
    literal,
    map_leaves,
    shape,
)
from autovec.program.values import NO_MEMORY, Carry, Const, Memory, Value

UNSET = Value(Const(None), (), scalar_fact(0))  # type: ignore[arg-type]


def can_carry(thing: Thing) -> bool:
    """Is it made of values that one trip can hand to the next?"""
    if isinstance(thing, Unbound) and thing.value is not None and thing.bound is not None:
        return can_carry(thing.value)
    if isinstance(thing, (Unbound, Conflict, Local, Partial, Chosen, Range)):
        return False
    return bool(leaves(thing))


@dataclass
class Facts:
    """What is found of the values at a loop's head, and of the lists and dicts they may be.

    ``before``: the lists and dicts there are before the loop; one that a trip makes is ``made``.
    """

    before: frozenset[object]
    values: dict[tuple[str, int], Fact] = field(default_factory=dict)
    objects: dict[tuple[str, int], frozenset[object]] = field(default_factory=dict)
    made: object = field(default_factory=object)

    def of(self, found: frozenset[object]) -> frozenset[object]:
        """Objects, those that a trip makes counted as one."""
        return found & self.before | ({self.made} if found - self.before else frozenset())


def head_of(b: Builder, name: str, init: Thing, facts: Facts) -> Thing:
    """A name's thing at the loop's head, with the facts found so far."""
    counter, objects = count(), count()

    def leaf(v: Value) -> Value:
        fact = facts.values.setdefault((name, next(counter)), v.fact)
        flag = isinstance(init, Unbound) and v is init.bound
        return Value(Carry(v), (), fact, "assigned" if flag else name, b.line)

    def container(c: Seq | Map) -> Thing:
        own = facts.objects.setdefault((name, next(objects)), c.objects)
        return c if own == c.objects else replace(c, objects=own)

    return map_containers(map_leaves(init, leaf), container)


def partly(thing: Thing | None, head: Thing) -> Thing | None:
    """What a name holds, as what some lanes may not have assigned where the head is that."""
    if not isinstance(head, Unbound) or head.value is None or isinstance(thing, Conflict):
        return thing
    value: Thing | None = thing
    flag = True
    if thing is None or isinstance(thing, Unbound):
        value, flag = None if thing is None else thing.value, False
        if isinstance(thing, Unbound) and value is not None:
            if not thing.late:
                return thing
            flag = True
    if value is None:
        value = map_leaves(head.value, lambda v: filler(v.fact))
    return Unbound(head.name, value, Value(Const(flag), (), Fact(BOOL, weak=True)))


def assigned_before(
    b: Builder, name: str, things: list[Thing | None], facts: Facts
) -> Unbound | None:
    """What a name holds before the first trip that not every way through a trip assigns.

    ``things``: what it is at the end of a trip and at the breaks.  It keeps its value from trips
    before, so it is carried.
    """
    sure = (t is not None and (not isinstance(t, Unbound) or t.late) for t in things)
    if things[0] is None or all(sure):
        return None
    for t in things:
        value = t.value if isinstance(t, Unbound) else t
        if value is not None and can_carry(value):
            facts.values.update({(name, k): v.fact for k, v in enumerate(leaves(value))})
            return Unbound(name, map_leaves(value, lambda v: filler(v.fact)), b.const(False))
    return None


def widen(name: str, head: Thing, after: Thing | None, facts: Facts, node: gast.AST) -> bool:
    """Join the facts at the loop's end into those at its head; did any grow?"""
    after = partly(after, head)
    if after is None or shape(head) != shape(after):
        if after is not None and is_list(head) and is_list(after):
            what = f"{name} changes its length in the loop"
            raise Unsupported(node, what, "only loops of few trips are written out")
        raise Unsupported(node, f"{name} changes its type in the loop", "no array holds both")
    grown = False
    for k, (h, a) in enumerate(zip(leaves(head), leaves(after), strict=True)):
        try:
            joined = join(h.fact, a.fact)
        except NoCommonType as e:
            raise Unsupported(node, f"{name} is {e} in the loop", "no array holds both") from None
        if joined.lanes != h.fact.lanes or joined != h.fact:
            facts.values[name, k] = joined
            grown = True
    for k, (own, new) in enumerate(zip(containers(head), containers(after), strict=True)):
        if not facts.of(new.objects) <= own.objects:
            facts.objects[name, k] = own.objects | facts.of(new.objects)
            grown = True
    return grown


def result_of(
    b: Builder,
    made: Loop,
    head: Thing,
    init: Thing,
    after: Thing | None,
    ways: list[Thing | None],
    name: str,
    lanes: Lanes,
) -> Thing:
    """A carried name's thing behind the loop; ``ways``: what it is at each break."""
    after, ways = partly(after, head), [partly(way, head) for way in ways]
    for way in ways:
        if way is None or shape(way) != shape(head):
            ways = [head] * len(ways)
            broken = Conflict(f"{name} has no one type where the loop is left")
            _carry(b, made, head, init, after, ways, name, lanes)
            return broken
    try:
        return _carry(b, made, head, init, after, ways, name, lanes)
    except NoCommonType as e:
        raise Unsupported(None, f"{name} is {e} in the loop", "no array holds both") from None


def _carry(
    b: Builder,
    made: Loop,
    head: Thing,
    init: Thing,
    after: Thing | None,
    ways: list[Thing | None],
    name: str,
    lanes: Lanes,
) -> Thing:
    nexts: list[Value | None] = [None] * len(leaves(head)) if after is None else [*leaves(after)]
    broken = [leaves(way) if way is not None else [] for way in ways]
    results = []
    for k, (h, i, a) in enumerate(zip(leaves(head), leaves(init), nexts, strict=True)):
        fact = h.fact
        for values in broken:
            fact = join(fact, values[k].fact)
        result = Value(Carry(), (), fact.over(lanes), h.origin, b.line)
        result.memory = shared_memory([h, i, a, *(values[k] for values in broken)])
        made.carries.append(CarryResult(h, i, a, result))
        for e, values in zip(made.breaks, broken, strict=True):
            e.values = (*e.values, values[k])
        results.append(result)
    found = iter(results)
    ends = [t for t in (head, after, *ways) if t is not None]
    objects = iter(zip(*map(containers, ends), strict=True))

    def container(c: Seq | Map) -> Thing:
        return replace(c, objects=frozenset[object]().union(*(o.objects for o in next(objects))))

    return map_containers(map_leaves(init, lambda _: next(found)), container)


def fresh_result(
    b: Builder,
    made: Loop,
    after: Thing | None,
    ways: list[Thing | None],
    name: str,
    lanes: Lanes,
    certain: bool,
) -> Thing:
    """A name first assigned in the loop: what its last trip, or the break, left."""
    things = [t for t in (after, *ways) if t is not None]
    if not things:
        return Unbound(name)
    if not all(map(can_carry, things)):
        return Conflict(f"{name} may not be assigned in the loop")
    if len({repr(shape(t)) for t in things}) > 1:
        return Conflict(f"{name} has no one type where the loop is left")
    try:
        facts = [
            reduce(join, (v.fact for v in column))
            for column in zip(*map(leaves, things), strict=True)
        ]
    except NoCommonType as e:
        return Conflict(f"{name} is {e} in the loop")
    sure = certain and None not in ways
    results = []
    for k, fact in enumerate(facts):
        nothing = UNSET if sure else filler(fact)
        last = None if after is None else leaves(after)[k]
        left = [nothing if way is None else leaves(way)[k] for way in ways]
        results.append(_fresh(b, made, nothing, last, left, fact, name, lanes))
    found = iter(results)
    thing = map_leaves(things[0], lambda _: next(found))
    if sure:
        return thing
    flags = [b.const(way is not None) for way in ways]
    last = None if after is None else b.const(True)
    fact = Fact(BOOL, weak=True)
    bound = _fresh(b, made, b.const(False), last, flags, fact, "assigned", lanes)
    return Unbound(name, thing, bound)


def flag_result(b: Builder, made: Loop, ways: list[Thing], lanes: Lanes) -> Value:
    """Which lanes left the loop for a handler behind it: a flag that each break says."""
    left = [way for way in ways if isinstance(way, Value)]
    if all(literal(way) is False for way in left):
        return b.const(False)
    fact = Fact(BOOL, weak=True)
    last = b.const(False) if made.body.falls or made.test is not None else None
    return _fresh(b, made, b.const(False), last, left, fact, "failed", lanes)


def filler(fact: Fact) -> Value:
    """What lanes hold that have assigned nothing: it is never read."""
    if fact.kind == "U":
        return Value(Const(""), (), Fact(np.dtype("U1")))
    nothing: Any = {"b": False, "f": 0.0, "c": 0j}.get(fact.kind, 0)
    return Value(Const(nothing), (), Fact(np.dtype(type(nothing)), weak=True))


def shared_memory(values: list[Value | None]) -> Memory:
    """The arrays of which a value may be one, that is one of these."""
    return NO_MEMORY.union(*(v.memory for v in values if v is not None))


def _fresh(
    b: Builder,
    made: Loop,
    init: Value,
    last: Value | None,
    left: list[Value],
    fact: Fact,
    name: str,
    lanes: Lanes,
) -> Value:
    """The value behind a loop of what its trips assign, each anew; ``left``: at each break."""
    head = Value(Carry(), (), fact, name, b.line)
    result = Value(Carry(), (), fact.over(lanes), name, b.line)
    head.memory = result.memory = shared_memory([last, *left])
    made.carries.append(CarryResult(head, init, last, result))
    for e, value in zip(made.breaks, left, strict=True):
        e.values = (*e.values, value)
    return result
