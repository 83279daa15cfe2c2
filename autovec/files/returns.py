"""What a written function returns, changed: cast, moved to other axes, laid out in other shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autovec.syntax.walking import updated

BLOCKS = ("body", "orelse", "finalbody")


def map_returns(
    body: list[gast.stmt], change: Callable[[gast.Return], list[gast.stmt]]
) -> list[gast.stmt]:
    """A function's statements, those that return something replaced.

    >>> from autovec.syntax import quote
    >>> from autovec.syntax.convert import text_of
    >>> body = quote.stmts("if t:\\n    return x\\nreturn y")
    >>> twice = lambda node: [node, node]
    >>> [text_of(s) for s in map_returns(body, twice)]
    ['if t:\\n    return x\\n    return x', 'return y', 'return y']
    """
    result: list[gast.stmt] = []
    for statement in body:
        if isinstance(statement, gast.Return):
            result += change(statement) if statement.value is not None else [statement]
            continue
        changed: dict[str, Any] = {
            field: map_returns(inner, change)
            for field in BLOCKS
            if isinstance(inner := getattr(statement, field, None), list)
        }
        result.append(updated(statement, **changed) if changed else statement)
    return result


def map_values(body: list[gast.stmt], change: Callable[[gast.expr], gast.expr]) -> list[gast.stmt]:
    """The same, only what is returned replaced."""

    def returned(node: gast.Return) -> list[gast.stmt]:
        assert node.value is not None
        return [updated(node, value=change(node.value))]

    return map_returns(body, returned)
