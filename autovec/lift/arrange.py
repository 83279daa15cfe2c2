"""How the statements of a loop are arranged: their order, copies made first, turns peeled off.

The plain arrangement is the loop's own. What is wrong with one (a dependence against the order of
the text, a name that is carried) leads to the next; each is checked as a whole, so that a bad guess
here costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from autovec.lift.carried import Peel
from autovec.lift.depend import Dependence
from autovec.lift.separate import Separated, order_of, separated, split_branches
from autovec.syntax.names import Namer
from autovec.syntax.scope import assigned_names
from autovec.syntax.walking import walk


@dataclass(frozen=True, eq=False)
class Plan:
    """One arrangement: `order` of the statements, reads that are copied first, peeled turns."""

    original: list[Any]
    made: Separated
    live: frozenset[str]
    namer: Callable[[], Namer]
    order: list[int]
    edges: frozenset[tuple[int, int]] = frozenset()
    hoist: tuple[Any, ...] = ()
    peel: int = 0
    counters: frozenset[str] = frozenset()  # names of integers, known in peeled turns
    apart: bool = False
    split: bool = False
    fresh: frozenset[str] = field(default=frozenset())  # names that were made

    @property
    def body(self) -> list[Any]:
        """The statements in order."""
        return [self.made.body[k] for k in self.order]

    def position(self, node: Any) -> int:
        """The statement that a node stands in, -1 for none."""
        for k, part in enumerate(self.made.body):
            if any(n is node for n in walk([part])):
                return k
        return -1

    def avoiding(self, found: Dependence) -> Plan | None:
        """Another arrangement that has not this fault; None if there is none to try."""
        store, other = found.store, found.other
        first, second = (store, other) if store.at < other.at else (other, store)
        if first.order != second.order and min(first.order, second.order) >= 0 and not other.early:
            edges = self.edges | {(second.order, first.order)}
            order = order_of(self.made.body, self.made, set(edges))
            if order is not None:
                return replace(self, edges=edges, order=order)
            if not self.apart and (made := self.separate()) is not None:
                return made
        if self._may_hoist(found) and len(self.hoist) < 6:
            return replace(self, hoist=(*self.hoist, other.node))
        return None if self.split else self._split()

    def _may_hoist(self, found: Dependence) -> bool:
        store, other = found.store, found.other
        return (
            not other.write and isinstance(other.node, gast.Subscript)
            and other.node not in self.hoist and store.at < other.at
            and self.position(other.node) >= 0
        )  # fmt: skip

    def separate(self) -> Plan | None:
        """With one name for each value; None where that changes nothing."""
        if self.apart:
            return None
        namer = self._namer()
        made = separated(self.made.body, self.live, namer)
        new = assigned_names(made.body) - assigned_names(self.made.body)
        if not new and not made.earlier:
            return None
        order = order_of(made.body, made, set())
        if order is None:
            return None
        fresh = self.fresh | new | set(made.earlier)
        return replace(
            self, made=made, order=order, edges=frozenset(), hoist=(), apart=True, fresh=fresh
        )

    def _split(self) -> Plan | None:
        body = split_branches(self.made.body, self._namer())
        if body is None:
            return None
        made = Separated(body, {})
        if self.apart:
            return None
        new = assigned_names(body) - assigned_names(self.made.body)
        order = list(range(len(body)))
        return replace(
            self, made=made, order=order, edges=frozenset(), hoist=(), split=True,
            fresh=self.fresh | new,
        )  # fmt: skip

    def peeled(self, found: Peel) -> Plan:
        """With the first turns on their own."""
        counters = self.counters | {found.name}
        return replace(self, peel=max(self.peel, found.turns), counters=counters)

    def _namer(self) -> Namer:
        namer = self.namer()
        namer.take(self.fresh)
        return namer


def plain(body: list[Any], live: frozenset[str], namer: Callable[[], Namer]) -> Plan:
    """The loop's own arrangement."""
    return Plan(body, Separated(body, {}), live, namer, list(range(len(body))))
