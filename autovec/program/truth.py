"""Truth values and the boolean operators: ``not``, ``and``, ``or``."""

from __future__ import annotations

from collections.abc import Callable

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.build import Builder, Unknown, expression
from autovec.program.facts import Fact, Lanes, union
from autovec.program.narrowing import implied, narrowed, settled
from autovec.program.nodes import Block, If, Let, Node
from autovec.program.things import (
    Chosen,
    Known,
    Local,
    Map,
    Maybe,
    Partial,
    Record,
    Seq,
    Thing,
    describe,
)
from autovec.program.values import CallTwin, Const, Operation, Value

NOT = Operation("not", ("x",), "~x", "not x", total=True, number="python", cost=0.1)
AND = Operation("and", ("x", "y"), "x & y", "x and y", total=True, number="python", cost=0.1)
OR = Operation("or", ("x", "y"), "x | y", "x or y", total=True, number="python", cost=0.1)
NOT_TRUE = Operation("not", ("x",), "x == 0", "not x", total=True, number="python", cost=0.4)
IS_TRUE = Operation("truth", ("x",), "x != 0", "x != 0", total=True, number="python", cost=0.4)
IS_TRUE_OBJECT = Operation(
    "truth", ("x",), "x.astype(bool)", "bool(x)", total=True, cost=30, number="python"
)
ANY_TIME = 'x != np.timedelta64(0, "s")'
NONZERO_SPAN = Operation("truth", ("x",), ANY_TIME, ANY_TIME, total=True, number="python")
NOT_EMPTY = Operation("truth", ("x",), "x != ''", "x != ''", total=True, number="python")

#: a helper that costs more nanoseconds a lane is called for the lanes that need it only
CHEAP_CALL = 16.0


def truth(b: Builder, thing: Thing, node: gast.AST) -> Value:
    """Whether a thing is true, as Python has it: nan is, zero and the empty are not."""
    if isinstance(thing, Value):
        if isinstance(thing.op, Const):
            return b.const(bool(thing.op.value))
        if thing.fact.rank:
            raise Unsupported(node, "the truth of an array", "Python raises ValueError")
        if thing.fact.kind == "b":
            return thing
        if thing.fact.kind in "US":
            return b.apply(NOT_EMPTY, thing, node=node)
        if thing.fact.kind in "iufc?":
            return b.apply(IS_TRUE, thing, node=node)
        if thing.fact.kind == "M" and thing.fact.holds is not None:
            return b.const(True)
        if thing.fact.kind == "m":
            return b.apply(NONZERO_SPAN, thing, fact=truth_fact(thing))
        if thing.fact.kind == "O" and thing.fact.holds is not None:
            return b.apply(IS_TRUE_OBJECT, thing, fact=truth_fact(thing))
        raise Unsupported(node, f"the truth of {describe(thing)}", "it has no array form")
    if isinstance(thing, Maybe):
        inner = truth(b, thing.value, node)
        there = negated(b, thing.none)
        return either(b, thing.none, inner) if thing.nan else both(b, there, inner)
    if isinstance(thing, Seq):
        return b.const(bool(thing.items))
    if isinstance(thing, Map):
        return b.const(bool(thing.items))
    if isinstance(thing, Known):
        if thing.obj is None or isinstance(thing.obj, (list, tuple, dict, set, frozenset)):
            return b.const(bool(thing.obj))
        if hasattr(type(thing.obj), "__bool__") or hasattr(type(thing.obj), "__len__"):
            raise Unsupported(
                node, f"the truth of {describe(thing)}", "its __bool__ would have to run"
            )
        return b.const(True)
    if isinstance(thing, (Local, Partial, Chosen, Record)):
        return b.const(True)
    raise Unsupported(node, f"the truth of {describe(thing)}", "it is not known for every lane")


def condition(b: Builder, node: gast.expr) -> Value:
    """Whether an expression is true; the operands of ``and`` and ``or`` may be anything."""
    if isinstance(node, gast.BoolOp):
        values, stop = node.values, isinstance(node.op, gast.Or)

        def rest(k: int) -> Value:
            here = condition(b, values[k])
            if k + 1 == len(values):
                return here
            if isinstance(here.op, Const):
                return here if here.op.value is stop else rest(k + 1)
            found = lazy(b, here, lambda: rest(k + 1), stop)
            assert isinstance(found, Value)
            return found

        return rest(0)
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        return negated(b, condition(b, node.operand))
    return truth(b, b.expr(node), node)


def negated(b: Builder, test: Value) -> Value:
    """``not`` of a bool value."""
    if isinstance(test.op, Const):
        return b.const(not test.op.value)
    if test.op is NOT:
        return test.args[0]
    if test.op is IS_TRUE and not test.varying:
        return b.apply(NOT_TRUE, *test.args, fact=truth_fact(test))  # as it was written
    return b.apply(NOT, test, fact=truth_fact(test))


def both(b: Builder, x: Value, y: Value) -> Value:
    """``x and y`` of two bool values that may both be computed."""
    return _fold(b, AND, x, y, True)


def either(b: Builder, x: Value, y: Value) -> Value:
    """``x or y`` of two bool values that may both be computed."""
    return _fold(b, OR, x, y, False)


def _fold(b: Builder, op: Operation, x: Value, y: Value, neutral: bool) -> Value:
    for one, other in ((x, y), (y, x)):
        if isinstance(one.op, Const):
            return other if one.op.value is neutral else b.const(not neutral)
    return b.apply(op, x, y, fact=truth_fact(x, y))


def truth_fact(*tests: Value) -> Fact:
    """A Python bool over the lanes of all."""
    lanes: Lanes = ()
    for test in tests:
        lanes = union(lanes, test.fact.lanes)
    return Fact(np.dtype(bool), lanes, weak=True)


@expression(gast.BoolOp)
def bool_op(b: Builder, node: gast.BoolOp) -> Thing:
    """``and`` and ``or`` give an operand; later ones are evaluated only where needed."""
    stop = isinstance(node.op, gast.Or)

    def rest(k: int) -> Thing:
        thing = b.expr(node.values[k])
        if k + 1 == len(node.values):
            return thing
        test = truth(b, thing, node.values[k])
        if isinstance(test.op, Const):
            return thing if test.op.value is stop else rest(k + 1)
        if test is thing:  # a bool: the operand is its own truth
            return lazy(b, test, lambda: rest(k + 1), stop)
        kept = settled(thing, implied(test, stop))
        go = (lambda: kept, lambda: rest(k + 1)) if stop else (lambda: rest(k + 1), lambda: kept)
        result = b.branch(test, go[0], go[1], node)
        assert result is not None
        return result

    return rest(0)


def lazy(b: Builder, test: Value, rest: Callable[[], Thing], stop: bool) -> Thing:
    """``test or rest`` (``stop``) or ``test and rest``, of bools where the rest is one, too.

    The rest is computed for all lanes if that is harmless, else only for the lanes that need it.
    """
    block = Block()
    own = b.env
    before = dict(own)
    b.env = narrowed(own, test, not stop)
    there = dict(b.env)
    with b.into(block):
        try:
            thing = rest()
        except Unknown:  # what is known of it is what the test says
            b.env, b.stopped = before, True
            return test
    plain = isinstance(thing, Value) and thing.fact.kind == "b"
    if plain and b.env == there and harmless(block):
        b.env = own
        b.block.nodes.extend(block.nodes)
        assert isinstance(thing, Value)
        return either(b, test, thing) if stop else both(b, test, thing)
    other = b.const(stop)
    after, b.env = b.env, before
    blocks = (Block(), block) if stop else (block, Block())
    made = If(test, blocks[0], blocks[1], line=b.line)
    b.add(made)
    sides: list[tuple[dict[str, Thing], Thing | None]] = [(before, other), (after, thing)]
    if not stop:
        sides.reverse()
    b.env, result = b.join(made, before, sides[0], sides[1])
    assert result is not None
    return result


def harmless(block: Block) -> bool:
    """May every node run for lanes that do not need it?"""
    return all(map(harmless_node, block.nodes))


def harmless_node(node: Node) -> bool:
    """May this one?"""
    return isinstance(node, Let) and _spared(node.value.op)


def _spared(op: object) -> bool:
    if isinstance(op, CallTwin):
        return bool(op.twin.program.total) and op.twin.program.cost <= CHEAP_CALL
    return bool(getattr(op, "total", False))
