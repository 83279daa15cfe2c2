"""Dead code: after this pass every value is read, and every branch and loop does something.

Merges of names that are dead afterwards go here: a phi that nobody reads is no phi.  What can raise
stays.
"""

from __future__ import annotations

from autovec.program.nodes import (
    Block,
    CarryResult,
    Check,
    Exit,
    If,
    Let,
    Loop,
    PhiResult,
    Raise,
    Return,
    raise_reads,
    walk,
)
from autovec.program.values import CallTwin, Operation, Value


class _Pruner:
    """Marks the values that are read, then sweeps the nodes that make the others."""

    def __init__(self, body: Block) -> None:
        self.live: set[int] = set()
        self.phis: dict[int, tuple[If, PhiResult]] = {}
        self.carries: dict[int, CarryResult] = {}
        self.breaks: dict[int, list[Value]] = {}
        self.index(body)

    def index(self, block: Block) -> None:
        """Find what each merged and carried value is made of."""
        for node in block.nodes:
            if isinstance(node, If):
                for phi in node.phis:
                    self.phis[id(phi.value)] = (node, phi)
                self.index(node.then)
                self.index(node.orelse)
            elif isinstance(node, Loop):
                for k, carry in enumerate(node.carries):
                    self.carries[id(carry.head)] = self.carries[id(carry.result)] = carry
                    self.breaks[id(carry)] = [e.values[k] for e in node.breaks]
                if node.head is not None:
                    self.index(node.head)
                self.index(node.body)

    def mark(self, value: Value | None) -> None:
        """A value is read: so is all that it is made of."""
        todo = [value]
        while todo:
            v = todo.pop()
            if v is None or id(v) in self.live:
                continue
            self.live.add(id(v))
            todo.extend(v.args)
            if id(v) in self.phis:
                node, phi = self.phis[id(v)]
                todo += [phi.then, phi.orelse, node.test]
            if id(v) in self.carries:
                carry = self.carries[id(v)]
                todo += [carry.head, carry.result, carry.init, carry.next]
                todo += self.breaks[id(carry)]

    def needed(self, block: Block) -> bool:
        """Mark what the nodes that stay read; does any stay?"""
        stays = False
        for node in block.nodes:
            if isinstance(node, Let):
                op = node.value.op
                raises = isinstance(op, Operation) and op.impure
                if raises or (not isinstance(op, Operation) and _may_raise(node.value)):
                    self.mark(node.value)
                here = id(node.value) in self.live
            elif isinstance(node, If):
                inside = [self.needed(node.then), self.needed(node.orelse)]
                here = any(inside) or any(id(p.value) in self.live for p in node.phis)
                if here:
                    self.mark(node.test)
            elif isinstance(node, Loop):
                inside = [self.needed(node.body), node.head is not None and self.needed(node.head)]
                here = any(inside) or any(id(c.head) in self.live for c in node.carries)
                if here:
                    for v in node.args:
                        self.mark(v)
                    self.mark(node.test)
            elif isinstance(node, Check):
                self.mark(node.test)
                for v in raise_reads(node.error):
                    self.mark(v)
                here = True
            elif isinstance(node, Raise):
                for v in raise_reads(node):
                    self.mark(v)
                here = True
            elif isinstance(node, Return):
                for v in node.leaves:
                    self.mark(v)
                here = True
            else:
                here = isinstance(node, Exit)
            stays |= here
        return stays

    def sweep(self, block: Block) -> bool:
        """Remove what is not read; is anything left?"""
        kept = []
        for node in block.nodes:
            if isinstance(node, Let):
                if id(node.value) not in self.live:
                    continue
            elif isinstance(node, If):
                node.phis = [p for p in node.phis if id(p.value) in self.live]
                inside = [self.sweep(node.then), self.sweep(node.orelse)]
                if not any(inside) and not node.phis:
                    continue
            elif isinstance(node, Loop):
                kept_carries = [id(c.head) in self.live for c in node.carries]
                for e in node.breaks:
                    e.values = tuple(v for v, k in zip(e.values, kept_carries, strict=True) if k)
                node.carries = [c for c in node.carries if id(c.head) in self.live]
                inside = [self.sweep(node.body)]
                if node.head is not None:
                    inside.append(self.sweep(node.head))
                if not any(inside) and not node.carries:
                    continue
            kept.append(node)
        block.nodes = kept
        return bool(kept)


def _may_raise(value: Value) -> bool:
    """A helper's call may raise: it is made even where its result is not read."""
    return isinstance(value.op, CallTwin)


def prune(body: Block) -> set[int]:
    """Remove what nobody reads, in place; the values that are read, by identity."""
    pruner = _Pruner(body)
    size = -1
    while size != len(pruner.live):
        size = len(pruner.live)
        pruner.needed(body)
    pruner.sweep(body)
    return pruner.live


def summary(body: Block) -> tuple[bool, float]:
    """Is every node total, so that the whole may run for any lane, and what does it cost?"""
    total, cost = True, 0.0
    for node in walk(body):
        if isinstance(node, Let):
            op = node.value.op
            if isinstance(op, Operation):
                total &= op.total and not op.ignore
                cost += op.cost if node.value.varying else 0.0
            elif isinstance(op, CallTwin):
                total &= bool(op.twin.program.total)
                cost += float(op.twin.program.cost)
        elif isinstance(node, If):
            total &= node.test.varying
            cost += 4.5
        elif not isinstance(node, Return):
            total = False
    return total, cost
