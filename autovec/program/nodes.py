"""The nodes of a region program, which order its values.

A block runs for a set of lanes.  Its nodes are evaluated in order; it ends by falling through, or
by an exit (return, raise, break, continue) that takes its lanes out of every block up to the exit's
target.  An ``If`` runs one block for the lanes whose test is true and the other for the rest; its
*phis* are the values that differ between the two.  A ``Loop`` runs its body as often for every
lane; its carries are the values that one iteration hands to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.program.things import Thing, leaves
from autovec.program.values import Const, Value


@dataclass
class Let:
    """Compute a value here."""

    value: Value


@dataclass
class PhiResult:
    """``value`` is ``then`` for the lanes of the first block, ``orelse`` for the others.

    A side is None when no lane reaches the join from it.
    """

    value: Value
    then: Value | None
    orelse: Value | None


@dataclass
class If:
    """Run ``then`` where the test holds, ``orelse`` elsewhere."""

    test: Value
    then: Block
    orelse: Block
    phis: list[PhiResult] = field(default_factory=list)
    line: int = 0


@dataclass
class CarryResult:
    """A loop-carried value: ``head`` in the body, from ``init`` or the last trip's ``next``."""

    head: Value
    init: Value
    next: Value | None
    result: Value


@dataclass
class Loop:
    """``for target in iterable``, or ``while test``.

    ``iterable`` is a template over ``args``; ``target`` the (nested) tuple of its item values.  For
    a while loop ``iterable`` is None and ``test`` is computed by ``head`` at every trip.
    ``retires``: lanes leave it one by one, by the test, a break or a return; a break hands on one
    value a carry, in the carries' order.
    """

    iterable: gast.expr | None
    params: tuple[str, ...]
    args: tuple[Value, ...]
    target: Any
    body: Block
    carries: list[CarryResult]
    head: Block | None = None
    test: Value | None = None
    line: int = 0
    retires: bool = False

    @property
    def breaks(self) -> list[Exit]:
        """The exits that leave this loop."""
        return own_breaks(self.body)


@dataclass
class Raise:
    """Raise for the first lane: the user's own expression over that lane's Python values."""

    exc: gast.expr
    cause: gast.expr | None
    captures: dict[str, Thing]
    line: int = 0


@dataclass
class Check:
    """Raise where ``test`` holds; the other lanes go on."""

    test: Value
    error: Raise
    line: int = 0


@dataclass
class Return:
    """These lanes' result."""

    thing: Thing
    leaves: tuple[Value, ...] = ()
    line: int = 0
    escape: int | None = None  # of a helper inside a try: the handler that answers for these lanes


@dataclass
class Exit:
    """``break``: these lanes leave the innermost loop, with a value for each of its carries."""

    line: int = 0
    env: dict[str, Thing] = field(default_factory=dict)
    values: tuple[Value, ...] = ()


Node = Let | If | Loop | Check | Return | Raise | Exit


@dataclass
class Block:
    """Nodes in order; an exit can only be the last of them."""

    nodes: list[Node] = field(default_factory=list)

    @property
    def end(self) -> Return | Raise | Exit | None:
        """The exit that ends this block for every lane, if it is a plain one."""
        last = self.nodes[-1] if self.nodes else None
        return last if isinstance(last, (Return, Raise, Exit)) else None

    @property
    def falls(self) -> bool:
        """Can a lane reach the end of this block?"""
        last = self.nodes[-1] if self.nodes else None
        if isinstance(last, (Return, Raise, Exit)):
            return False
        if isinstance(last, Loop):
            endless = last.test is not None and isinstance(last.test.op, Const)
            return not endless or bool(last.breaks)
        return not (isinstance(last, If) and not last.then.falls and not last.orelse.falls)

    @property
    def exits(self) -> bool:
        """Can a lane leave for good from inside this block: return, or break the loop around?"""
        return returns(self) or bool(own_breaks(self))


def silent_node(node: Node) -> bool:
    """Does it compute a value, and raise for no lane?"""
    return isinstance(node, Let) and not getattr(node.value.op, "impure", True)


def walk(block: Block) -> Iterator[Node]:
    """Every node inside, outer ones first."""
    for node in block.nodes:
        yield node
        for inner in children(node):
            yield from walk(inner)


def returns(block: Block) -> bool:
    """Does some lane return from inside this block?"""
    return any(isinstance(n, Return) for n in walk(block))


def own_breaks(block: Block) -> list[Exit]:
    """The breaks of the loop that a block stands in, not those of loops inside it."""
    found: list[Exit] = []
    for node in block.nodes:
        if isinstance(node, Exit):
            found.append(node)
        elif isinstance(node, If):
            found += own_breaks(node.then) + own_breaks(node.orelse)
    return found


def defined(node: Node) -> list[Value]:
    """The values that a node itself defines."""
    if isinstance(node, Let):
        return [node.value]
    if isinstance(node, If):
        return [p.value for p in node.phis]
    if isinstance(node, Loop):
        return [v for c in node.carries for v in (c.head, c.result)]
    return []


def children(node: Node) -> tuple[Block, ...]:
    """The blocks of a node, in order of evaluation."""
    if isinstance(node, If):
        return (node.then, node.orelse)
    if isinstance(node, Loop):
        return (node.head, node.body) if node.head is not None else (node.body,)
    return ()


def reads(node: Node) -> Iterator[Value]:
    """The values that a node itself reads, not those inside its blocks."""
    if isinstance(node, Let):
        yield from node.value.args
    elif isinstance(node, If):
        yield node.test
        for phi in node.phis:
            if phi.then is not None:
                yield phi.then
            if phi.orelse is not None:
                yield phi.orelse
    elif isinstance(node, Loop):
        yield from node.args
        if node.test is not None:
            yield node.test
        for carry in node.carries:
            yield carry.init
            if carry.next is not None:
                yield carry.next
    elif isinstance(node, Check):
        yield node.test
        yield from raise_reads(node.error)
    elif isinstance(node, Raise):
        yield from raise_reads(node)
    elif isinstance(node, Return):
        yield from node.leaves
    elif isinstance(node, Exit):
        yield from node.values


def raise_reads(error: Raise) -> Iterator[Value]:
    """The values that the message of an exception is made of."""
    for thing in error.captures.values():
        yield from leaves(thing)
