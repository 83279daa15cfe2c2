"""A name of our own that one statement reads stands in that statement.

Values get names while it is open who reads them; a side that turns out to need nothing may leave a
name with one reader.  Neighbours are joined, so nothing is computed at another time; literals
move farther, and so do comparisons, past statements that leave what is compared alone.
"""

from __future__ import annotations

from collections import Counter

import gast

from autovec.syntax.visit import replace_names

#: what raises for no numbers
_SILENT = (
    *(gast.Name, gast.Constant, gast.BoolOp, gast.Compare, gast.UnaryOp, gast.BinOp),
    *(gast.Add, gast.Sub, gast.Mult, gast.boolop, gast.cmpop, gast.unaryop, gast.expr_context),
)
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
        found: dict[str, gast.expr] = {}
        for k in range(len(made) - 1, -1, -1):
            before = _assigned(made[k])
            if before is None or before[0] not in once or not _reads(statement, before[0]):
                continue
            literal = isinstance(before[1], gast.Constant)
            still = _is_mask(before[1]) and _untouched(before[1], made[k + 1 :])
            beside = k + 1 == len(made) and (still or not _reads_later(statement, before))
            if beside or literal or still:
                found = {n: replace_names(e, {before[0]: before[1]}) for n, e in found.items()}
                found[before[0]] = before[1]
                del made[k]
        joined = gast.copy_location(replace_names(statement, {**found}), statement)
        made.append(joined if found else statement)
    return made


def _is_mask(expr: gast.expr) -> bool:
    """Is it made of comparisons of names and numbers?"""
    parts = (gast.Compare, gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp)
    other = (gast.operator, gast.unaryop, gast.cmpop, gast.expr_context)
    return isinstance(expr, gast.Compare) and all(
        isinstance(n, (*parts, *other)) for n in gast.walk(expr)
    )


def _reads_later(statement: gast.stmt, before: tuple[str, gast.expr]) -> bool:
    """Does the statement come to this name under a condition, though its value may raise?"""
    name, value = before
    return not all(isinstance(n, _SILENT) for n in gast.walk(value)) and any(
        isinstance(n, gast.Name) and n.id == name
        for part in gast.walk(statement)
        for late in _conditional(part)
        for n in gast.walk(late)
    )


def _conditional(node: gast.AST) -> list[gast.expr]:
    """The parts of an expression that are not always evaluated."""
    if isinstance(node, gast.BoolOp):
        return list(node.values[1:])
    if isinstance(node, gast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, gast.Compare):
        return list(node.comparators[1:])
    return [node.body] if isinstance(node, gast.Lambda) else []


def _untouched(expr: gast.expr, between: list[gast.stmt]) -> bool:
    """Does nothing between store into what it reads?"""
    read = {n.id for n in gast.walk(expr) if isinstance(n, gast.Name)}
    stored = (n for s in between for n in gast.walk(s) if _stores(n))
    return not any(getattr(getattr(n, "value", n), "id", None) in read for n in stored)


def _stores(node: gast.AST) -> bool:
    return isinstance(node, (gast.Name, gast.Subscript)) and not isinstance(node.ctx, gast.Load)


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
