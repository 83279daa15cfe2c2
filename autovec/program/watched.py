"""Loops that are written out read their items when Python does: one before each trip.

    for i, v in enumerate(values):      an item is read before it is changed: no matter
        values[i] = 2 * v
    for v in values:                    the last one would be read as it is then
        values[-1] = 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.identities import containers, map_containers
from autovec.program.lists import current, is_list, reads_later
from autovec.program.marks import Mark
from autovec.program.things import Map, Seq, Thing
from autovec.syntax.visit import mutated_names


@dataclass(frozen=True)
class Watched:
    """A list or dict that a loop runs over; trip ``k`` reads what is k-th, if ``in_order``."""

    container: Seq | Map
    in_order: bool = True
    keys: bool = False

    def read(self, container: Any, trip: int) -> list[Any]:
        """What is read at this trip or later."""
        found = container.items
        if isinstance(container, Map):
            found = found if self.keys else found.values()
        return list(found)[trip if self.in_order else 0 :]


def watch(b: Builder, node: gast.For) -> Callable[[int], None]:
    """What to call before each trip: it refuses one whose item is not what it was at first."""
    changing = [s for s in node.body if mutated_names(s) or _updates(s)]
    watched = list(_watched(b, node.iter)) if changing else []

    def ask(trip: int) -> None:
        for w in watched:
            then, now = w.container, current(b, w.container)
            if now is then:
                continue
            same = len(then.items) == len(now.items)
            pairs = zip(w.read(then, trip), w.read(now, trip), strict=False)
            if not same or not all(_same(x, y) for x, y in pairs):
                what = "a loop over what its body changes"
                raise Unsupported(node, what, "its next items are not what they were")

    return ask


def _updates(statement: gast.stmt) -> bool:
    return any(isinstance(n, gast.AugAssign) for n in gast.walk(statement))


def _same(x: Any, y: Any) -> bool:
    """One item, or one list or dict: what is in that is looked up when it is read."""
    if isinstance(x, (Seq, Map)) and isinstance(y, (Seq, Map)):
        if isinstance(x, Map) or is_list(x):
            return x.objects == y.objects
        return len(x.items) == len(y.items) and all(map(_same, x.items, y.items))
    return x is y


def fresh(b: Builder, item: Thing) -> Thing:
    """An item as it is now: lists and dicts in it may have changed since the loop began."""
    return map_containers(item, lambda c: current(b, c))


def _watched(b: Builder, node: gast.expr) -> Iterator[Watched]:
    """The lists and dicts that a loop over an expression reads as it goes."""
    if not isinstance(node, (gast.Call, gast.GeneratorExp)):
        mark = Mark(b)
        thing = b.attempt(node)
        mark.restore(b)
        if isinstance(thing, Map) or (isinstance(thing, Seq) and is_list(thing)):
            yield Watched(thing, keys=True)
    elif reads_later(node):
        name = getattr(getattr(node, "func", None), "id", "")
        if name in ("enumerate", "zip", "iter") and isinstance(node, gast.Call):
            for part in node.args:
                yield from _watched(b, part)
            return
        view = node.func if isinstance(node, gast.Call) else None
        if isinstance(view, gast.Attribute):
            for w in _watched(b, view.value):
                yield Watched(w.container, w.in_order, view.attr == "keys")
            return
        for n in gast.walk(node):
            if isinstance(n, gast.Name):
                yield from (Watched(c, in_order=False) for c in containers(b.env.get(n.id)))
