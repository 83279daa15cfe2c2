"""Loops whose trip count is the same for every lane.

A loop over a constant table or a range stays a Python loop; what its body carries from one
iteration to the next reaches a fixpoint of facts before any test counts as uniform.  A loop over a
few values that differ between lanes (a tuple of arguments, say) is unrolled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.binding import store
from autovec.program.build import Builder, statement
from autovec.program.carries import can_carry, fresh_result, head_of, result_of, widen
from autovec.program.iteration import Iterated, iterated
from autovec.program.nodes import Block, Exit, Loop, walk
from autovec.program.tables import SMALL
from autovec.program.things import Seq, Thing
from autovec.program.truth import truth
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.visit import assigned_names
from autovec.syntax.walking import walk as walk_tree

#: rounds after which facts that still grow are refused
_ROUNDS = 12
#: a loop over literals with this many trips at most is unrolled when its body needs it
_UNROLL = 16


@statement(gast.For)
def for_(b: Builder, node: gast.For) -> None:
    """``for``: kept as a loop, or unrolled where its items differ between lanes."""
    it = iterated(b, node.iter)
    keep = it.target is not None and it.text and not _leaves_early(node)
    if not keep:
        unroll(b, node, it)
        return
    before = (dict(b.env), len(b.block.nodes), len(b.returns), len(b.notes))
    try:
        kept_loop(b, node, it)
    except Unsupported:
        if it.items is None or len(it.items) > _UNROLL:
            raise
        b.env = before[0]
        del b.block.nodes[before[1] :], b.returns[before[2] :], b.notes[before[3] :]
        unroll(b, node, it)


def _leaves_early(node: gast.For) -> bool:
    return any(isinstance(n, gast.Return) for s in node.body for n in walk_tree(s))


def unroll(b: Builder, node: gast.For, it: Iterated) -> None:
    """Repeat the body for each known item."""
    if it.items is None or len(it.items) > SMALL:
        raise Unsupported(
            node, "a loop over these items", "they have no common type, or are too many to unroll"
        )
    if any(isinstance(n, (gast.Break, gast.Continue)) for s in node.body for n in walk_tree(s)):
        raise Unsupported(
            node,
            "break or continue on some lanes only",
            "lanes that leave a loop one by one come later",
        )
    for item in it.items:
        if not b.block.falls:
            return
        store(b, node.target, item)
        b.statements(node.body)
    if b.block.falls:
        b.statements(node.orelse)


def kept_loop(b: Builder, node: gast.For, it: Iterated) -> None:
    """A loop that stays one in the emitted text."""
    assert it.target is not None
    target = it.target

    def body() -> None:
        store(b, node.target, target)
        b.statements(node.body)

    made, _ = carried(b, node, body, None)
    made.params, made.args = it.params, it.args
    made.iterable = quote.expr(it.text, **it.exprs)
    made.target = _target_tree(node.target, target)
    b.statements(node.orelse)


def _target_tree(target: gast.expr, thing: Thing) -> Any:
    """The loop's target as nested tuples of (name, value)."""
    if (
        isinstance(target, (gast.Tuple, gast.List))
        and isinstance(thing, Seq)
        and len(thing.items) == len(target.elts)
    ):
        return tuple(_target_tree(t, i) for t, i in zip(target.elts, thing.items, strict=True))
    if isinstance(target, gast.Name) and isinstance(thing, Value):
        return thing
    if isinstance(target, gast.Name) and isinstance(thing, Seq):
        return tuple(_target_tree(target, i) for i in thing.items)
    raise Unsupported(target, "this loop target", "it does not match the items")


@statement(gast.While)
def while_(b: Builder, node: gast.While) -> None:
    """``while`` with a test on which all lanes agree."""
    if node.orelse:
        raise Unsupported(node, "else of a while", "it comes later")

    def body() -> None:
        b.statements(node.body)

    carried(b, node, body, node.test)


def carried(
    b: Builder, node: gast.For | gast.While, body: Callable[[], None], test: gast.expr | None
) -> tuple[Loop, dict[str, Thing]]:
    """Build a loop's body to a fixpoint of the facts it carries; append the loop node."""
    if _leaves_early(node):  # type: ignore[arg-type]
        raise Unsupported(
            node, "return inside a loop", "lanes that leave a loop one by one come later"
        )
    before = b.env
    names = sorted(assigned_names(node.body))
    if isinstance(node, gast.For):
        names = sorted({*names, *assigned_names(node.target)})
    facts: dict[tuple[str, int], Any] = {}
    for _ in range(_ROUNDS):
        heads = {
            n: head_of(b, n, before[n], facts)
            for n in names
            if n in before and can_carry(before[n])
        }
        marks = (len(b.returns), len(b.notes))
        b.env = {**before, **heads}
        block, head, value = Block(), Block(), None
        b.loops.append("uniform")
        try:
            if test is not None:
                with b.into(head):
                    value = truth(b, b.expr(test), test)
                if value.varying:
                    raise Unsupported(
                        test,
                        "a loop test that differs between lanes",
                        "lanes that leave a loop one by one come later",
                    )
            with b.into(block):
                body()
        finally:
            b.loops.pop()
        after = b.env
        grown = False
        for n, head_thing in heads.items():
            grown |= widen(n, head_thing, after.get(n), facts, node)
        if not grown:
            break
        del b.returns[marks[0] :], b.notes[marks[1] :]
    else:
        raise Unsupported(node, "a loop whose values keep changing type", "")
    if any(isinstance(n, Exit) for n in walk(block)):
        raise Unsupported(
            node, "break or continue", "lanes that leave a loop one by one come later"
        )
    made = Loop(None, (), (), None, block, [], head if test is not None else None, value, b.line)
    b.add(made)
    env = dict(before)
    for n in names:
        if n in heads:
            env[n] = result_of(b, made, heads[n], before[n], after[n], n)
        elif n in after:
            env[n] = fresh_result(b, made, after[n], n)
    b.env = env
    return made, heads
