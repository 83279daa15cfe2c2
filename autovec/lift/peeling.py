"""The first turns of a loop on their own: its body as it is written, with the index known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.nest import Nest
from autovec.lift.searches import bindings
from autovec.lift.values import Turn
from autovec.syntax import quote
from autovec.syntax.scope import assigned_names, free_names
from autovec.syntax.visit import replace_names
from autovec.syntax.walking import updated


def without_first(nest: Nest, turn: Turn, count: int) -> Turn:
    """The turns that are left when some are peeled off."""
    if not count:
        return turn
    if turn.down:
        raise Unsupported(turn.node, "the first turns of a loop that descends")
    low = turn.low + count * turn.step
    nest.facts.symbols.low[turn.sym] = low
    nest.require(turn.stop - 1 - low)
    return replace(turn, low=low)


def peeled(
    nest: Nest, turn: Turn, node: Any, body: list[Any], count: int, counters: frozenset[str]
) -> list[Any]:
    """The statements of the first turns; `counters` are names of integers that are only read."""
    if assigned_names(node.target) & assigned_names(body):
        raise Unsupported(node, "an index that the loop changes")
    inside = assigned_names(body) - counters
    made: list[Any] = []
    known: dict[str, Any] = {}
    for k in range(count):
        if isinstance(node.target, gast.Name) and nest.scope.called(node.iter) is range:
            known[node.target.id] = nest.facts.render(turn.low + k * turn.step)
        else:
            made += bindings(nest, node.target, node.iter, quote.const(k))
        for part in body:
            here: Any = _with(part, known)
            target = here.targets[0] if isinstance(here, gast.Assign) else None
            if isinstance(target, gast.Name) and target.id in counters:
                if free_names(here.value) & inside:
                    raise Unsupported(part, f"{target.id} is carried from turn to turn")
                known[target.id] = here.value
                continue
            if assigned_names(here) & counters:
                raise Unsupported(part, "a counter that some turns set")
            made.append(here)
    return made


def _with(node: Any, known: Mapping[str, Any]) -> Any:
    """A statement with numbers in the place of names that are read."""
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
        return updated(node, value=replace_names(node.value, known))
    return replace_names(node, known)
