"""What is computed twice is computed once: after this pass equal operations are one value.

    >>> import math
    >>> import numpy as np
    >>> from autovec import vectorize
    >>> def swing(t):
    ...     return math.cos(2 * t) + 3 * math.sin(t) / (1 + math.cos(2 * t))
    >>> print("".join(vectorize(swing).emit(np.ones(3)).splitlines(True)[-2:]), end="")
        cos_2t = np.cos(2 * t)
        return cos_2t + 3 * np.sin(t) / (1 + cos_2t)

An operation is kept where it stands first if that runs for all lanes of the others: in the same
block, or in one around it.  A product or sum costs no more than the array that would keep it, so
only those that stand there three times are kept, and what costs little is not kept for lanes that
would have to be gathered.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autovec.program.costs import cost
from autovec.program.facts import OBJECT
from autovec.program.nodes import Block, Check, If, Let, Node, children
from autovec.program.prune import prune
from autovec.program.values import CallTwin, Const, Operation, Path, Value
from autovec.simplify.reads import replace_reads

#: an operation that costs more nanoseconds a lane is kept for other lanes, too
GATHERED = 3.0
#: and one that costs more is kept where it stands twice
TWICE = 1.5
#: others where they stand so often
OFTEN = 3


def common(body: Block) -> None:
    """Keep what a program computes several times, in place: what is costly first."""
    for least, times in ((TWICE, 2), (0.0, OFTEN)):
        while _merge(body, least, times):
            prune(body)


    once_checked(body, frozenset())


def once_checked(block: Block, around: frozenset[int]) -> None:
    """A check is made once: behind it, or inside, the same test holds for no lane."""
    nodes: list[Node] = []
    for node in block.nodes:
        if isinstance(node, Check):
            if id(node.test) in around:
                continue
            around |= {id(node.test)}
        nodes.append(node)
        for inner in children(node):
            once_checked(inner, around)
    block.nodes = nodes


def _merge(body: Block, least: float, times: int) -> bool:
    found = Numbering(body)
    merged: dict[int, Value] = {}
    for places in found.places.values():
        groups: dict[int, list[Place]] = {}
        for place in places:
            if cost(place.value) >= least and place.value.varying:
                first = next((g for g in groups.values() if g[0].serves(place)), None)
                (groups.setdefault(id(place.value), []) if first is None else first).append(place)
        for group in groups.values():
            if len(group) >= times:
                first_named = next((p.value.origin for p in group if p.value.origin), None)
                group[0].value.origin = group[0].value.origin or first_named
                merged |= {id(p.value): group[0].value for p in group[1:]}
    if merged:
        _replace(body, merged)
    return bool(merged)


def _replace(block: Block, merged: dict[int, Value]) -> None:
    block.nodes = [n for n in block.nodes if not (isinstance(n, Let) and id(n.value) in merged)]
    for node in block.nodes:
        replace_reads(node, lambda v: merged.get(id(v), v))
        for inner in children(node):
            _replace(inner, merged)


@dataclass(frozen=True)
class Place:
    """Where a value is computed: the blocks around, the innermost last, and the stretch of it.

    A stretch ends where lanes leave.
    """

    value: Value
    blocks: tuple[int, ...]
    stretch: int

    def serves(self, other: Place) -> bool:
        """May another operation that stands later be this one's value?"""
        if self.blocks == other.blocks and self.stretch == other.stretch:
            return True
        whole = self.value.fact.dtype != OBJECT  # a tuple or table of values is not gathered
        dear = whole and cost(self.value) >= GATHERED
        return dear and self.blocks == other.blocks[: len(self.blocks)]


class Numbering:
    """Numbers for values: equal operations on equal operands have one number."""

    def __init__(self, body: Block) -> None:
        self.numbers: dict[object, int] = {}
        self.known: dict[int, int] = {}
        self.kept: list[Value] = []
        self.places: dict[int, list[Place]] = {}
        self.visit(body, ())

    def visit(self, block: Block, around: tuple[int, ...]) -> None:
        """Number the values that a block computes, in order."""
        blocks = (*around, id(block))
        stretch = 0
        for node in block.nodes:
            if isinstance(node, Let):
                number = self.of(node.value)
                self.places.setdefault(number, []).append(Place(node.value, blocks, stretch))
            for inner in children(node):
                self.visit(inner, blocks)
            if isinstance(node, If) and (node.then.exits or node.orelse.exits):
                stretch += 1

    def of(self, value: Value) -> int:
        """The number of a value."""
        number = self.known.get(id(value))
        if number is None:
            number = self.numbers.setdefault(self.key(value), len(self.numbers))
            self.known[id(value)] = number
            self.kept.append(value)
        return number

    def key(self, value: Value) -> object:
        """What two values share that are equal."""
        op = value.op
        if isinstance(op, Const):
            return ("literal", type(op.value), repr(op.value), value.fact)
        if isinstance(op, Path) and not value.varying:
            return ("path", gast.dump(op.expr), value.fact)
        if type(op) is Operation:  # what is run a lane at a time may do more than compute
            return (op, value.fact, *map(self.of, value.args))
        if isinstance(op, CallTwin):
            twin = op.twin
            plain = all(isinstance(t, Value) for t in twin.passed) and twin.program.total
            if plain:
                return (id(twin.program), twin.keywords, *map(self.of, value.args))
        return ("itself", id(value))
