"""Joining what the two sides of a branch hold into what holds after it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.program.facts import BOOL, FLOAT, Fact, NoCommonType, join, uniform_fact
from autovec.program.narrowing import unchanged
from autovec.program.nodes import If, PhiResult
from autovec.program.things import (
    Chosen,
    Conflict,
    Known,
    Local,
    Map,
    Maybe,
    Partial,
    Record,
    Seq,
    Thing,
    Unbound,
    describe,
    map_key,
    map_leaves,
    same_literal,
)
from autovec.program.values import Const, Path, Phi, Value
from autovec.syntax.names import users_name

NAN = Value(Const(math.nan), (), Fact(FLOAT, weak=True))
EMPTY = Value(Const(""), (), Fact(np.dtype("U1")))


class Joiner:
    """Joins what two branches hold into what holds after them."""

    def __init__(
        self,
        made: If,
        before: dict[str, Thing],
        line: int,
        capture: Callable[[gast.expr | None, Any], str],
    ) -> None:
        self.capture = capture
        self.made = made
        self.before = before
        self.lanes = made.test.fact.lanes
        self.line = line
        self.seen: dict[tuple[int, int], Value] = {}
        self.only = None
        if not (made.then.falls and made.orelse.falls):
            self.only = "then" if made.then.falls else "orelse"

    def named(self, name: str, a: Thing | None, b: Thing | None) -> Thing:
        """The join of one name, which a branch may have left unassigned."""
        if self.only is not None:
            side = a if self.only == "then" else b
            if side is None:
                return Unbound(name)
            before = self.before.get(name)
            same = side is before or unchanged(before, side)
            return side if same else self.one(side, name)
        if unchanged(self.before.get(name), a, b):
            return self.before[name]
        if a is None or b is None or isinstance(a, Unbound) or isinstance(b, Unbound):
            return self.partly(name, a, b)
        return self.things(a, b, name)

    def partly(self, name: str, a: Thing | None, b: Thing | None) -> Thing:
        """The join of a name that some lanes may not have assigned."""
        a, b = a or Unbound(name), b or Unbound(name)
        if a is b:
            return a
        if any(isinstance(t, Unbound) and t.late for t in (a, b)):
            return Conflict(f"{name} may not be assigned in the loop")
        x = a.value if isinstance(a, Unbound) else a
        y = b.value if isinstance(b, Unbound) else b
        if x is None and y is None:
            return Unbound(name)
        both = x is not None and y is not None
        value = self.things(x, y, name) if both else self.half(x, y, name)
        return Unbound(name, value, self.values(_bound(a), _bound(b), None))

    def half(self, a: Thing | None, b: Thing | None, name: str | None) -> Thing:
        """A name assigned on one side only: the other side's lanes hold nothing."""
        thing = a if a is not None else b
        assert thing is not None
        return map_leaves(
            thing,
            lambda v: self.phi(v if a is not None else None, v if b is not None else None, name),
        )

    def one(self, thing: Thing, name: str | None) -> Thing:
        """Only one side reaches the join: its value goes on, under its own fact."""

        def leaf(v: Value) -> Value:
            if isinstance(v.op, Const):
                return v
            return self.phi(v, None, name) if self.only == "then" else self.phi(None, v, name)

        return map_leaves(thing, leaf)

    def things(self, a: Thing | None, b: Thing | None, name: str | None) -> Thing:
        """The join of two things."""
        if self.only is not None:
            side = a if self.only == "then" else b
            assert side is not None
            return self.one(side, name)
        if a is b:
            assert a is not None
            return a
        if isinstance(a, Value) or isinstance(b, Value):
            a, b = self.as_array(a), self.as_array(b)
        if isinstance(a, Conflict) or isinstance(b, Conflict):
            return a if isinstance(a, Conflict) else b  # type: ignore[return-value]
        if isinstance(a, Value) and isinstance(b, Value):
            try:
                return self.values(a, b, name)
            except NoCommonType as e:
                return Conflict(f"{name or 'it'} is {e} on different lanes")
        if (
            isinstance(a, Seq)
            and isinstance(b, Seq)
            and (a.kind, a.cls, len(a.items)) == (b.kind, b.cls, len(b.items))
        ):
            return replace(
                a,
                items=tuple(self.things(x, y, name) for x, y in zip(a.items, b.items, strict=True)),
                objects=a.objects | b.objects,
            )
        if isinstance(a, Map) and isinstance(b, Map) and map_key(a) == map_key(b):
            items = {k: self.things(a.items[k], b.items[k], name) for k in a.items}
            return replace(a, items=items, objects=a.objects | b.objects)
        if isinstance(a, Record) and isinstance(b, Record) and a.cls is b.cls:
            return Record(a.cls, {k: self.things(a.fields[k], b.fields[k], name) for k in a.fields})
        if isinstance(a, Known) and isinstance(b, Known) and a.obj is b.obj:
            return a
        if _maybe(a) and _maybe(b) and _kinds(a, b):
            return self.maybe(a, b, name)
        if isinstance(a, Local) and isinstance(b, Local) and a.node is b.node:
            return a
        if is_function(a) and is_function(b):
            assert a is not None and b is not None
            return Chosen(self.made.test, self.half(a, None, name), self.half(None, b, name))
        return Conflict(
            f"{name or 'it'} is {describe(a)} on some lanes and {describe(b)} on others"
        )

    def as_array(self, thing: Thing | None) -> Thing | None:
        """An array of the user's world as a value."""
        if not isinstance(thing, Known) or thing.expr is None or not hasattr(thing.obj, "shape"):
            return thing
        fact = uniform_fact(thing.obj)
        if fact is None:
            return thing
        return Value(Path(thing.expr, self.capture(thing.expr, thing.obj)), (), fact)

    def maybe(self, a: Thing | None, b: Thing | None, name: str | None) -> Maybe:
        """The join of a number or string and None: nan or nothing, and who is None."""
        blank = EMPTY if "U" in map(_kind, (a, b)) else NAN
        (x, x_is_none), (y, y_is_none) = value_and_flag(a, blank), value_and_flag(b, blank)
        return Maybe(self.values(x, y, name), self.values(x_is_none, y_is_none, None))

    def values(self, a: Value, b: Value, name: str | None) -> Value:
        """The join of two values: themselves if they are one."""
        if a is b or same_literal(a, b):
            return a
        return self.phi(a, b, name)

    def phi(self, a: Value | None, b: Value | None, name: str | None) -> Value:
        """The value that is one or the other, made once for each pair."""
        if (id(a), id(b)) in self.seen:
            return self.seen[id(a), id(b)]
        if a is not None and b is not None:
            fact = join(a.fact, b.fact).over(self.lanes)
        else:
            one = a or b
            assert one is not None
            fact = one.fact if self.only is not None else one.fact.over(self.lanes)
        value = Value(Phi(), (), fact, users_name(name), self.line)
        sides = [v for v in (a, b) if v is not None]
        value.bound = max(v.bound for v in sides)
        value.carried = any(v.carried for v in sides)
        value.memory = sides[0].memory.union(*(v.memory for v in sides))
        self.made.phis.append(PhiResult(value, a, b))
        self.seen[id(a), id(b)] = value
        return value


def is_function(thing: Thing | None) -> bool:
    """Is it a function that is known while compiling?"""
    if isinstance(thing, Known):
        return callable(thing.obj)
    return isinstance(thing, (Local, Partial, Chosen))


def _none(thing: Thing | None) -> bool:
    return isinstance(thing, Known) and thing.obj is None


def _maybe(thing: Thing | None) -> bool:
    """Is it None, or a number or string, or either?"""
    scalar = isinstance(thing, Value) and thing.fact.kind in "biufc?U" and not thing.fact.rank
    return scalar or (isinstance(thing, Maybe) and not thing.nan) or _none(thing)


def _kind(thing: Thing | None) -> str:
    value = thing.value if isinstance(thing, Maybe) else thing
    return value.fact.kind if isinstance(value, Value) else ""


def _kinds(a: Thing | None, b: Thing | None) -> bool:
    """Are both numbers, or both strings?"""
    kinds = {_kind(a), _kind(b)} - {""}
    return kinds <= {"U"} or "U" not in kinds


def value_and_flag(thing: Thing | None, blank: Value) -> tuple[Value, Value]:
    """A number or string, a blank for None, and whether it is None."""
    if isinstance(thing, Maybe):
        return thing.value, thing.none
    flag = Value(Const(not isinstance(thing, Value)), (), Fact(BOOL, weak=True))
    return (thing if isinstance(thing, Value) else blank), flag


def _bound(thing: Thing) -> Value:
    if not isinstance(thing, Unbound):
        return Value(Const(True), (), Fact(BOOL, weak=True))
    return thing.bound or Value(Const(False), (), Fact(BOOL, weak=True))
