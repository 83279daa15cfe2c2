"""How deeply a function may be nested."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autovec.errors import Problem
from autovec.syntax.parse import Source, place_of
from autovec.syntax.visit import children

# Statements and expressions on the way from the function to its deepest node. The passes are
# recursive, with up to five Python frames a level: this keeps them below Python's limit of 1000.
MAX_DEPTH = 150


def too_deep(source: Source) -> Iterator[Problem]:
    """A problem for each statement in which, or with which, the nesting passes MAX_DEPTH."""
    body = source.tree.body
    tops = list(body) if isinstance(body, list) else [body]
    stack: list[tuple[gast.AST, int, gast.AST]] = [(top, 1, top) for top in reversed(tops)]
    reported: set[int] = set()
    while stack:
        node, depth, statement = stack.pop()
        if isinstance(node, gast.stmt):
            statement = node
        if depth > MAX_DEPTH:
            if id(statement) not in reported:
                reported.add(id(statement))
                yield _problem(source, statement)
            continue
        for child in children(node):
            deeper = depth + isinstance(child, (gast.stmt, gast.expr))
            stack.append((child, deeper, statement))


def _problem(source: Source, statement: gast.AST) -> Problem:
    if isinstance(statement, gast.If):
        instead = "look the value up in a table, or move some branches into a function"
    else:
        instead = "name parts of it with variables, or move them into functions"
    return Problem(
        place_of(source, statement),
        f"this is nested more than {MAX_DEPTH} levels deep",
        "an operator, a call, a branch (elif too) and a loop are a level each",
        instead,
    )
