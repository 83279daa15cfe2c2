"""What lowering asks of a program: who reads a value, what a branch costs, what can fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from autovec.program.costs import cost, total
from autovec.program.nodes import (
    Block,
    Check,
    If,
    Let,
    Loop,
    Node,
    Raise,
    Return,
    children,
    reads,
    walk,
)
from autovec.program.truth import AND, OR
from autovec.program.values import (
    NO_MEMORY,
    CallTwin,
    Carry,
    Const,
    Memory,
    Operation,
    Param,
    Path,
    Value,
    is_store,
)

#: a side of a branch that costs more than this many nanoseconds a lane is worth packing
MAX_WHERE = 12.0
#: code behind a return that costs more is not run for the lanes that have returned
MAX_REST = 40.0


#: new arrays of one number, which are as easily made for all lanes
BLANKS = ("zeros", "ones", "empty")


@dataclass
class Uses:
    """How often each value is read, and for a single read the block it happens in.

    ``merged``: values that a branch hands to the value after it; ``nexts``: those that a trip of a
    loop hands to the next; ``blanks``: new arrays that are the same for every lane until the one
    place that reads them, where they differ.
    """

    count: Counter[int] = field(default_factory=Counter)
    block: dict[int, Block] = field(default_factory=dict)
    home: dict[int, Block] = field(default_factory=dict)
    merged: set[int] = field(default_factory=set)
    nexts: set[int] = field(default_factory=set)
    blanks: set[int] = field(default_factory=set)


def uses_of(body: Block) -> Uses:
    """Count the reads of a pruned program."""
    uses = Uses()

    def note(v: Value | None, block: Block) -> None:
        if v is not None:
            uses.count[id(v)] += 1
            uses.block[id(v)] = block

    def blank(made: Value, used: Value) -> None:
        new = isinstance(made.op, Operation) and made.op.name in BLANKS
        if new and used.varying and not made.varying:
            uses.blanks.add(id(made))

    def visit(block: Block) -> None:
        for node in block.nodes:
            if isinstance(node, If):
                note(node.test, block)
                for phi in node.phis:
                    uses.home[id(phi.value)] = block
                    note(phi.then, node.then)
                    note(phi.orelse, node.orelse)
                    uses.merged |= {id(phi.then), id(phi.orelse)}
            elif isinstance(node, Loop):
                for v in node.args:
                    note(v, block)
                if node.test is not None:
                    note(node.test, node.head or block)
                for carry in node.carries:
                    uses.home[id(carry.result)] = block
                    note(carry.init, block)
                    blank(carry.init, carry.head)
                    note(carry.next, node.body)
                    uses.nexts.add(id(carry.next))
            else:
                if isinstance(node, Let):
                    uses.home[id(node.value)] = block
                    if is_store(node.value):
                        blank(node.value.args[0], node.value)
                for v in reads(node):
                    note(v, block)
            for inner in children(node):
                visit(inner)

    visit(body)
    uses.blanks = {key for key in uses.blanks if uses.count[key] == 1}
    return uses


def stored_memory(body: Block) -> Memory:
    """The arrays that some store writes into."""
    stores = (n.value for n in walk(body) if isinstance(n, Let))
    return NO_MEMORY.union(*(v.memory for v in stores if is_store(v)))


def read_inside(nodes: list[Node]) -> Iterator[Value]:
    """Every value read by nodes or inside their blocks, with repetition."""
    for node in nodes:
        yield from reads(node)
        for inner in children(node):
            yield from read_inside(inner.nodes)


def defined_inside(nodes: list[Node]) -> set[int]:
    """The values that nodes define, by identity."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, Let):
            found.add(id(node.value))
        elif isinstance(node, If):
            found |= {id(p.value) for p in node.phis}
        elif isinstance(node, Loop):
            found |= {id(c.head) for c in node.carries} | {id(c.result) for c in node.carries}
        for inner in children(node):
            found |= defined_inside(inner.nodes)
    return found


def nodes_cost(nodes: list[Node]) -> float:
    """What computing costs each lane; picking between the results is not counted."""
    found = 0.0
    for node in nodes:
        if isinstance(node, Let):
            found += cost(node.value)
        found += sum(nodes_cost(inner.nodes) for inner in children(node))
    return found


def block_cost(block: Block) -> float:
    """What a block costs each lane."""
    return nodes_cost(block.nodes)


def selectable(node: If) -> bool:
    """Can both sides run for all lanes, harmlessly and cheaply, and be merged by np.where?"""
    if not node.test.varying:
        return False
    if any(stores(block) for block in (node.then, node.orelse)):
        return False
    cheap = block_cost(node.then) <= MAX_WHERE and block_cost(node.orelse) <= MAX_WHERE
    return cheap and harmless(node.then.nodes) and harmless(node.orelse.nodes)


def stores(block: Block) -> bool:
    """Does it store into an array?"""
    return any(isinstance(n, Let) and is_store(n.value) for n in walk(block))


def harmless(nodes: list[Node]) -> bool:
    """Can these nodes run for all lanes, harmlessly?"""
    for node in nodes:
        if isinstance(node, Let):
            if not total(node.value):
                return False
        elif isinstance(node, If):
            if (
                not node.test.varying
                or not harmless(node.then.nodes)
                or not harmless(node.orelse.nodes)
            ):
                return False
        elif not isinstance(node, Return):
            return False
    return True


def only_raises(block: Block) -> bool:
    """Does the block do nothing but raise, whatever it computes for the message?"""
    return isinstance(block.end, Raise) and all(isinstance(n, Let) for n in block.nodes[:-1])


def risky_uniform(nodes: list[Node]) -> bool:
    """Is there uniform code that can fail, a loop or a raise: not to be run for no lane?"""
    for node in nodes:
        if isinstance(node, (Loop, Raise)):
            return True
        if isinstance(node, Let):
            op = node.value.op
            if not node.value.varying and not total(node.value):
                return True
            if isinstance(op, Operation) and op.name == "assigned":
                return True
            if isinstance(op, CallTwin):
                program = op.twin.program
                if program.recursive or risky_uniform(program.body.nodes):
                    return True
        if isinstance(node, If) and not node.test.varying:
            return True
        if isinstance(node, Check) and not node.test.varying:
            return True
        if any(risky_uniform(inner.nodes) for inner in children(node)):
            return True
    return False


def is_atom(value: Value) -> bool:
    """Does reading it cost nothing and print as a name or literal?"""
    return isinstance(value.op, (Const, Path))


def speculates(body: Block) -> bool:
    """Does an ``and`` or ``or`` compute arithmetic for lanes that Python would have spared?"""
    return any(
        isinstance(n, Let) and n.value.op in (AND, OR) and _arithmetic(n.value.args[1], 12)
        for n in walk(body)
    )


def _arithmetic(value: Value, depth: int) -> bool:
    op = value.op
    if not isinstance(op, Operation) or not value.varying or depth == 0:
        return False
    if value.fact.kind in "fc?" and op.name in ("+", "-", "*", "/", "**"):
        return True
    return any(_arithmetic(arg, depth - 1) for arg in value.args)


def float_arithmetic(nodes: list[Node]) -> bool:
    """Does it hold arithmetic that can overflow for a lane that does not take it (departure 3)?"""
    return any(
        isinstance(n, Let)
        and n.value.varying
        and n.value.fact.kind in "fc?"
        and isinstance(n.value.op, Operation)
        and n.value.op.name in ("+", "-", "*", "/", "**", "neg")
        for node in nodes
        for n in (node, *(m for inner in children(node) for m in walk(inner)))
    )


def is_fresh(value: Value) -> bool:
    """Is its array new, made by the operation that computes it?"""
    if isinstance(value.op, Operation):
        return value.op.fresh
    return not isinstance(value.op, (Param, Path, Carry, CallTwin))
