"""What one statement does to a name of its own: ``s += e``, ``s = s + e``, ``s = e * s``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from autovec.syntax import quote
from autovec.syntax.scope import free_names
from autovec.syntax.walking import updated, walk


@dataclass(frozen=True, eq=False)
class Update:
    """``name op= value``."""

    name: str
    op: str
    value: Any


_OPS: dict[type, str] = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*"}


def update_of(node: Any) -> Update | None:
    """The update that a statement is: ``s += e``, ``s = s + e`` or ``s = e + s``."""
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        op = _OPS.get(type(node.op))
        if op is not None and node.target.id not in free_names(node.value):
            return Update(node.target.id, op, node.value)
        return None
    if not isinstance(node, gast.Assign) or len(node.targets) != 1:
        return None
    target, value = node.targets[0], node.value
    if not isinstance(target, gast.Name):
        return None
    wanted = target.id
    if isinstance(value, gast.BinOp) and type(value.op) in _OPS:
        op = _OPS[type(value.op)]
        left, right = value.left, value.right
        if isinstance(left, gast.Name) and left.id == wanted and wanted not in free_names(right):
            return Update(wanted, op, right)
        last = isinstance(right, gast.Name) and right.id == wanted
        if last and op != "-" and wanted not in free_names(left):
            return Update(wanted, op, left)
        # a + b + e with the name leftmost
        if op in "+-" and wanted not in free_names(right):
            inner = update_of(updated(node, value=left))
            if inner is not None and inner.op in "+-":
                sign = inner.op + op
                template = {"++": "a + b", "+-": "a - b", "--": "a + b", "-+": "a - b"}[sign]
                return Update(wanted, inner.op, quote.expr(template, a=inner.value, b=right))
    return None


def augmented_only(body: list[Any]) -> set[str]:
    """The names that statements change with ``name += e``, and assign in no other way.

    >>> sorted(augmented_only(quote.stmts("a += 1\\nb += 1\\nb = 2")))
    ['a']
    """
    changed: set[str] = set()
    bound: set[str] = set()
    for node in walk(body):
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            changed.add(node.target.id)
        elif isinstance(node, (gast.Assign, gast.For)):
            targets = node.targets if isinstance(node, gast.Assign) else [node.target]
            bound |= {n.id for n in walk(targets) if isinstance(n, gast.Name)}
    return changed - bound
