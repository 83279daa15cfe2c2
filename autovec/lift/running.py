"""The statements that a loop's body may have, and how they run one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.live import live_before
from autovec.lift.nest import Nest

Rule = Callable[[Nest, Any, frozenset[str]], None]
_STATEMENTS: dict[type[gast.AST], Rule] = {}


def statement(kind: type[gast.AST]) -> Callable[[Rule], Rule]:
    """Registers what does a statement for all turns; it is told which names are read later."""

    def register(rule: Rule) -> Rule:
        _STATEMENTS[kind] = rule
        return rule

    return register


def run(nest: Nest, body: list[Any], live: frozenset[str]) -> None:
    """The statements in order; `live` names are read after them."""
    for k, node in enumerate(body):
        rule = _STATEMENTS.get(type(node))
        if rule is None:
            raise Unsupported(node, f"{type(node).__name__.lower()} in a loop", "it stays a loop")
        nest.order = nest.positions.get(id(node), nest.order)
        rule(nest, node, live_before(body[k + 1 :], live))
        if id(node) in nest.after:
            nest.after[id(node)]()
