"""Helpers that compute what their caller or another helper computes, too, lose their calls.

After this pass a call stands where it stood, or its helper's operations do, if these are a plain
sequence and something costly in it is computed elsewhere for the same lanes: `common` then keeps
that once.  A call that shares nothing stays a call, which reads better.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autovec.program.costs import cost
from autovec.program.functions import Twin
from autovec.program.nodes import Block, Let, Node, Return, children
from autovec.program.things import leaves
from autovec.program.values import CallTwin, Const, Operation, Value
from autovec.simplify.common import GATHERED, Numbering, Place
from autovec.simplify.reads import replace_reads

#: helpers with more operations than this stay as they are
LONGEST = 60


def inline_shared(body: Block) -> None:
    """Put the operations of such helpers in the place of their calls, in place."""
    copies = {id(v): made for v in _calls(body) if (made := _copied(v)) is not None}
    if not copies:
        return
    calls = _Calls(body, copies)
    chosen = calls.sharing()
    if chosen:
        _replace(body, {key: copies[key] for key in chosen})


def _calls(block: Block) -> Iterator[Value]:
    for node in block.nodes:
        if isinstance(node, Let) and isinstance(node.value.op, CallTwin):
            yield node.value
        for inner in children(node):
            yield from _calls(inner)


#: the operations of a helper over a call's arguments, and the one that is its result
Copy = tuple[list[Value], Value]


def _copied(call: Value) -> Copy | None:
    """A helper's operations, if it is a plain sequence of operations on its arguments."""
    assert isinstance(call.op, CallTwin)
    twin: Twin = call.op.twin
    nodes = twin.program.body.nodes
    if not nodes or len(nodes) > LONGEST or twin.program.recursive or not call.varying:
        return None
    *lets, end = nodes
    if not isinstance(end, Return) or len(end.leaves) != 1 or not isinstance(end.thing, Value):
        return None
    known = _arguments(twin)
    if known is None:
        return None
    made: list[Value] = []
    for node in lets:
        if not isinstance(node, Let) or type(node.value.op) is not Operation:
            return None
        value = node.value
        args = [_operand(a, known) for a in value.args]
        own = tuple(a for a in args if a is not None)
        if len(own) < len(args):
            return None
        copy = Value(value.op, own, value.fact, value.origin, call.line)
        known[id(value)] = copy
        made.append(copy)
    result = _operand(end.leaves[0], known)
    if result is None or result.fact != call.fact or result not in made:
        return None
    return made, result


def _arguments(twin: Twin) -> dict[int, Value] | None:
    """What each parameter's values are for a call."""
    known: dict[int, Value] = {}
    for name, thing in twin.program.things.items():
        if name not in twin.given:
            return None
        inside, outside = list(leaves(thing)), list(leaves(twin.given[name]))
        if len(inside) != len(outside) or not inside:
            return None
        known.update({id(a): b for a, b in zip(inside, outside, strict=True)})
    return known


def _operand(value: Value, known: dict[int, Value]) -> Value | None:
    if id(value) in known:
        return known[id(value)]
    if not isinstance(value.op, Const):
        return None  # a name of the helper's own world is looked up there
    written = value.op.written
    if written is None or not any(isinstance(n, gast.Name) for n in gast.walk(written)):
        return value
    return Value(Const(value.op.value), (), value.fact)  # by no name of the helper's


class _Calls:
    """Which calls compute something costly that stands elsewhere for the same lanes."""

    def __init__(self, body: Block, copies: dict[int, Copy]) -> None:
        self.copies = copies
        self.numbers = Numbering(Block())
        self.found: dict[int, list[tuple[Place, int]]] = {}
        self.visit(body, ())

    def visit(self, block: Block, around: tuple[int, ...]) -> None:
        """Note where everything costly is computed, and by which call."""
        blocks = (*around, id(block))
        for node in block.nodes:
            if isinstance(node, Let):
                values, _ = self.copies.get(id(node.value), ([node.value], None))
                for v in values:
                    number = self.numbers.of(v)
                    if cost(v) >= GATHERED:
                        place = (Place(v, blocks, 0), id(node.value))
                        self.found.setdefault(number, []).append(place)
            for inner in children(node):
                self.visit(inner, blocks)

    def sharing(self) -> set[int]:
        """The calls."""
        chosen: set[int] = set()
        for places in self.found.values():
            for k, (place, call) in enumerate(places):
                for other, second in places[k + 1 :]:
                    if call != second and place.serves(other):
                        chosen |= {call, second} & set(self.copies)
        return chosen


def _replace(block: Block, copies: dict[int, Copy]) -> None:
    results = {key: result for key, (_, result) in copies.items()}

    def visit(block: Block) -> None:
        nodes: list[Node] = []
        for node in block.nodes:
            replace_reads(node, lambda v: results.get(id(v), v))
            if isinstance(node, Let) and id(node.value) in copies:
                values, result = copies[id(node.value)]
                result.origin = node.value.origin or result.origin
                nodes += [Let(v) for v in values]
            else:
                nodes.append(node)
            for inner in children(node):
                visit(inner)
        block.nodes = nodes

    visit(block)
