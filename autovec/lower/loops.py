"""Loops on whose trip count all lanes agree: a Python loop over arrays."""

from __future__ import annotations

from functools import partial

import gast

from autovec.lower.analysis import defined_inside, is_fresh, read_inside
from autovec.lower.carrying import finish, hand_on, held, start, starts, target_of
from autovec.lower.explaining import note
from autovec.lower.frames import LoopExits
from autovec.lower.lowering import Done, lower_nodes, lowering
from autovec.lower.retiring import retire
from autovec.lower.writer import Writer
from autovec.program.carries import UNSET
from autovec.program.facts import storage
from autovec.program.nodes import CarryResult, Exit, If, Loop, Node, returns
from autovec.program.values import Operation, Value
from autovec.syntax import quote
from autovec.syntax.visit import replace_names


@lowering(Loop)
def lower_loop(w: Writer, node: Loop, rest: list[Node], done: Done | None) -> bool:
    """A ``for`` or ``while``; each carried value keeps one name from trip to trip."""
    if node.retires or (returns(node.body) and not w.frame.root):
        note(w, node.line, "a loop over the lanes still running", "they leave it one by one")
        return retire(w, node, rest, done)
    note(w, node.line, "stays a Python loop over arrays", "all lanes make the same trips")
    inside = list(node.body.nodes) + (list(node.head.nodes) if node.head else [])
    iterable: gast.expr | None = None
    if node.iterable is not None:
        iterable = replace_names(
            node.iterable, {p: w.read(a) for p, a in zip(node.params, node.args, strict=True)}
        )
    private = [c for c in node.carries if is_private(w, c, node)]
    names, iterable = starts(w, node.carries, start, iterable)
    own = defined_inside([node])
    outer = {
        w.names[id(w.resolve(v))]
        for v in read_inside(inside)
        if id(v) not in own and id(w.resolve(v)) in w.names
    }
    w.locked.update(outer)
    w.loop_depth += 1
    for c in private:
        w.private.add(id(c.head))
        w.depths[id(c.head)] = w.loop_depth
    test: gast.expr = quote.const(True)
    with w.collect() as body:
        if node.head is not None and node.test is not None:
            read_behind = [c for c in node.carries if w.remaining[id(c.result)] > 0]
            with held(w, read_behind, names):
                lower_nodes(w, node.head.nodes)
                test = w.read(node.test)
            if body:
                body.append(quote.stmt("if not t:\n    break", t=test))
                test = quote.const(True)
        target = target_of(w, node.target) if iterable is not None else None
        w.loop_exits.append(LoopExits(partial(leave, w, node, names), _no_drop))
        lower_nodes(w, node.body.nodes, partial(finish, w, node.carries, names))
        w.loop_exits.pop()
    w.loop_depth -= 1
    for name in outer:
        w.release(name)
    if iterable is not None:
        text = "for target in items:\n    body"
        w.emit(quote.stmt(text, target=target, items=iterable, body=body))
    else:
        w.emit(quote.stmt("while test:\n    body", test=test, body=body))
    for c in node.carries:
        w.assigned(c.result, names[id(c.head)])
    w.own |= {id(c.result) for c in private}
    return False


def is_private(w: Writer, c: CarryResult, node: Loop) -> bool:
    """Is what it carries always in an array of its own, which the text may store into?"""
    init = None if c.init is UNSET else w.resolve(c.init)
    if init is None or c.next is None or not c.head.varying or node.breaks:
        return False
    if c.head.fact.kind not in "iufc":
        return False  # a mask may be the very array of a test
    made = not init.varying or storage(init.fact) != storage(c.head.fact)
    given = w.remaining[id(init)] == 1 and is_fresh(init) and id(init) not in w.shared
    if not made and not given:
        return False
    return c.next is c.head or (w.uses.count[id(c.next)] == 1 and _is_new(c.next, node))


def _is_new(value: Value, loop: Loop) -> bool:
    """Is it made anew by an operation, or by a branch on which lanes differ?"""
    if isinstance(value.op, Operation):
        return value.op.fresh
    for node in loop.body.nodes:
        if isinstance(node, If) and node.test.varying:
            for phi in node.phis:
                if phi.value is value:
                    return phi.then is not None and phi.orelse is not None
    return False


def _no_drop() -> None:
    """A return from a loop that all lanes leave together is Python's own."""


def leave(w: Writer, node: Loop, names: dict[int, str], exit: Exit) -> None:
    """All lanes break: what they leave with is handed on, then Python's break."""
    hand_on(w, node.carries, list(exit.values), names)
    w.emit(quote.stmt("break"))


@lowering(Exit)
def lower_exit(w: Writer, node: Exit, rest: list[Node], done: Done | None) -> bool:
    """``break``: as the loop around takes it."""
    w.loop_exits[-1].leave(node)
    return True
