"""What a node reads, replaced; and copies of operations over other operands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from autovec.program.nodes import Check, Exit, If, Let, Loop, Node, PhiResult, Raise, Return
from autovec.program.things import map_leaves
from autovec.program.values import CallTwin, Value

Replace = Callable[[Value], Value]


def replace_reads(node: Node, f: Replace) -> None:
    """Let a node read ``f(v)`` for each value v that it reads itself, in place."""

    def some(v: Value | None) -> Value | None:
        return None if v is None else f(v)

    if isinstance(node, Let):
        replace_operands(node.value, f)
    elif isinstance(node, If):
        node.test = f(node.test)
        node.phis = [PhiResult(p.value, some(p.then), some(p.orelse)) for p in node.phis]
    elif isinstance(node, Loop):
        node.args = tuple(map(f, node.args))
        node.test = some(node.test)
        for c in node.carries:
            c.init, c.next = f(c.init), some(c.next)
    elif isinstance(node, Check):
        node.test = f(node.test)
        replace_reads(node.error, f)
    elif isinstance(node, Raise):
        node.captures = {name: map_leaves(t, f) for name, t in node.captures.items()}
    elif isinstance(node, Return):
        node.leaves = tuple(map(f, node.leaves))
    elif isinstance(node, Exit):
        node.values = tuple(map(f, node.values))


def replace_operands(value: Value, f: Replace) -> None:
    """The same for the operands of an operation or a call."""
    value.args = tuple(map(f, value.args))
    if isinstance(value.op, CallTwin):
        twin = value.op.twin
        passed = tuple(map_leaves(t, f) for t in twin.passed)
        given = {name: map_leaves(t, f) for name, t in twin.given.items()}
        value.op = CallTwin(replace(twin, passed=passed, given=given))
