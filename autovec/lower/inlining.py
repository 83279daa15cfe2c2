"""A name of our own that only the next statement reads stands in that statement.

Values get names while it is open who reads them; a side that turns out to need nothing may leave a
name with one reader.  Only neighbours are joined, so nothing is computed at another time.
"""

from __future__ import annotations

from collections import Counter

import gast

from autovec.syntax.visit import replace_names

_SIMPLE = (gast.Assign, gast.AugAssign, gast.Return, gast.Expr)


def inline_once(body: list[gast.stmt], own: set[str]) -> list[gast.stmt]:
    """The statements without names of ``own`` that are read once, by the statement behind."""
    stored: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for statement in body:
        for node in gast.walk(statement):
            if isinstance(node, gast.Name):
                (read if isinstance(node.ctx, gast.Load) else stored)[node.id] += 1
    once = {n for n in own if stored[n] == 1 and read[n] == 1}
    return _joined(body, once) if once else body


def _joined(body: list[gast.stmt], once: set[str]) -> list[gast.stmt]:
    made: list[gast.stmt] = []
    for statement in body:
        for field in ("body", "orelse"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                setattr(statement, field, _joined(inner, once))
        before = _assigned(made[-1]) if made else None
        if before is not None and before[0] in once and _reads(statement, before[0]):
            made.pop()
            made.append(gast.copy_location(replace_names(statement, dict([before])), statement))
        else:
            made.append(statement)
    return made


def _assigned(statement: gast.stmt) -> tuple[str, gast.expr] | None:
    if isinstance(statement, gast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, gast.Name):
            return target.id, statement.value
    return None


def _reads(statement: gast.stmt, name: str) -> bool:
    """Is it read first thing here, and not in a block inside?"""
    part = statement.test if isinstance(statement, gast.If) else statement
    if not isinstance(statement, (*_SIMPLE, gast.If)):
        return False
    return any(isinstance(n, gast.Name) and n.id == name for n in gast.walk(part))
