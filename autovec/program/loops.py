"""Loops: uniform ones stay Python loops, from others the lanes leave one by one.

What a body carries from one trip to the next reaches a fixpoint of facts before any test counts as
uniform.  A carried value on which the lanes still running agree stays uniform, though they leave
with different ones (a count of steps).  A loop over a few values that differ between lanes (a tuple
of arguments, say) is unrolled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from autovec.canonical.loops import flagged_breaks, leaves, without_continue
from autovec.errors import Unsupported
from autovec.program.arrays.rows import over_rows
from autovec.program.arrays.stores import refuse_mingled
from autovec.program.binding import store
from autovec.program.build import Builder, statement
from autovec.program.carries import Facts, can_carry, fresh_result, head_of, result_of, widen
from autovec.program.facts import INT
from autovec.program.identities import mutable
from autovec.program.iteration import Iterated, iterated
from autovec.program.leaving import leaves_apart
from autovec.program.letters import over_letters
from autovec.program.lists import changed_names
from autovec.program.nodes import Block, Loop, own_breaks, silent_node
from autovec.program.numbers import whole
from autovec.program.rules import rule_call
from autovec.program.tables import SMALL
from autovec.program.things import Conflict, Range, Seq, Thing, Unbound, literal
from autovec.program.things import leaves as leaves_of
from autovec.program.truth import condition, harmless_node
from autovec.program.values import Const, Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.visit import assigned_names
from autovec.syntax.walking import updated, walk

#: rounds after which facts that still grow are refused
_ROUNDS = 12
#: what may leave a loop before all items were asked for
_EXITS = (gast.Break, gast.Return, gast.Raise, gast.Assert)
#: a loop over literals with this many trips at most is unrolled when its body needs it
_UNROLL = 16
#: and one with this many, when lanes return from it: a chain of branches reads better
_CHAIN = 8


@statement(gast.For)
def for_(b: Builder, node: gast.For) -> None:
    """``for``: kept as a loop, or unrolled where its items differ between lanes."""
    if node.orelse and any(leaves(s, gast.Break) for s in node.body):
        b.statements(with_flag(b, node))
        return
    if (by_index := over_rows(b, node, lambda word: hidden(b, word))) is not None:
        b.statements(by_index)
        return
    if (by_place := over_letters(b, node, lambda word: hidden(b, word))) is not None:
        b.statements(by_place)
        return
    varying = varying_range(b, node.iter)
    if varying is not None:
        b.statements(counted(b, node, varying))
        return
    node = updated(node, body=without_continue(node.body))
    stops = any(isinstance(n, _EXITS) for n in walk(node.body))
    it = iterated(b, node.iter, harmless_node if stops else silent_node)
    if it.target is None or not it.text or _few_returns(node, it):
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


def _few_returns(node: gast.For, it: Iterated) -> bool:
    """Does it return at one of a few items: a chain of branches?"""
    if it.items is None or len(it.items) > _CHAIN or it.text.startswith("range"):
        return False
    kinds = [type(n) for s in node.body for n in gast.walk(s)]
    return gast.Return in kinds and not {gast.For, gast.While, gast.Break} & set(kinds)


def with_flag(b: Builder, node: gast.For | gast.While) -> list[gast.stmt]:
    """A loop whose ``else`` is a branch on a flag that each break sets."""
    flag = hidden(b, "broke")
    loop = updated(node, body=flagged_breaks(node.body, flag), orelse=[])
    made = quote.stmts(
        "flag = False\nloop\nif not flag:\n    orelse", flag=flag, loop=[loop], orelse=node.orelse
    )
    return [gast.copy_location(s, node) if s is not loop else s for s in made]


def hidden(b: Builder, word: str) -> str:
    """A name of our own for this loop; the text calls it by the word alone."""
    return f"{HIDDEN}{word}{HIDDEN}{b.line}"


def varying_range(b: Builder, node: gast.expr) -> tuple[Value, ...] | None:
    """The bounds of a ``range`` that differ between lanes."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return None
    if node.func.id in b.env or b.scope.lookup(node.func.id) is not range or node.keywords:
        return None
    mark = len(b.block.nodes)
    thing = b.expr(node)
    if isinstance(thing, Range) and any(v.varying for v in thing.args):
        return thing.args
    del b.block.nodes[mark:]
    return None


def counted(b: Builder, node: gast.For, bounds: tuple[Value, ...]) -> list[gast.stmt]:
    """``for i in range(n)`` with a trip count that differs between lanes, as a ``while``."""
    start, stop = (b.const(0), bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = literal(bounds[2]) if len(bounds) == 3 else 1
    if not isinstance(step, int) or step == 0:
        raise Unsupported(node, "a range with a step that is not a literal", "its end is not known")
    names = {n: hidden(b, n) for n in ("trip", "stop")}
    start = python_int(b, start, node)
    if stop.fact.dtype != INT:
        stop = python_int(b, stop, node)
    b.env[names["trip"]], b.env[names["stop"]] = start, stop
    sign = "<" if step > 0 else ">"
    body = quote.stmts(
        "target = trip\nbody\ntrip = trip + step",
        target=node.target, trip=names["trip"], step=step, body=without_continue(node.body),
    )  # fmt: skip
    test = quote.expr(f"trip {sign} stop", **names)
    made = quote.stmt("while test:\n    body", test=test, body=body)
    loop = updated(made, orelse=node.orelse)
    for part in gast.walk(loop):
        if isinstance(part, (gast.expr, gast.stmt)) and not hasattr(part, "lineno"):
            gast.copy_location(part, node)
    return [loop]


def python_int(b: Builder, bound: Value, node: gast.For) -> Value:
    """A bound as Python's int, whatever its dtype: that is what ``range`` gives."""
    if not bound.varying or bound.fact.weak:
        return bound
    made = whole(b, bound) or rule_call(b, "builtins.int", [bound], {}, node)
    assert isinstance(made, Value)
    return made


def unroll(b: Builder, node: gast.For, it: Iterated) -> None:
    """Repeat the body for each known item."""
    if it.items is None or len(it.items) > SMALL:
        raise Unsupported(
            node, "a loop over these items", "they have no common type, or are too many to unroll"
        )
    if any(leaves(s, gast.Break) for s in node.body):
        raise Unsupported(node, "break in a loop over values that differ between lanes", "")
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

    made = carried(b, node, body, None, it.at_least_one)
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
    """``while``: its test is asked at every trip, of the lanes still running."""
    if node.orelse:
        if any(leaves(s, gast.Break) for s in node.body):
            b.statements(with_flag(b, node))
            return
        b.statements([updated(node, orelse=[]), *node.orelse])
        return
    body = without_continue(node.body)
    if never(b, node.test):
        return
    carried(b, updated(node, body=body), lambda: b.statements(body), node.test)


def never(b: Builder, test: gast.expr) -> bool:
    """Is a ``while``'s test a literal that is false? Then it is asked here, once."""
    before, mark = dict(b.env), len(b.block.nodes)
    notes = len(b.notes)
    asked = condition(b, test)
    if isinstance(asked.op, Const) and not asked.op.value:
        return True
    b.env = before
    del b.block.nodes[mark:], b.notes[notes:]
    return False


@dataclass
class _Round:
    """One attempt at a loop's body, with the facts of its heads as they were then."""

    heads: dict[str, Thing]
    body: Block
    head: Block
    test: Value | None
    after: dict[str, Thing]


def carried(
    b: Builder,
    node: gast.For | gast.While,
    body: Callable[[], None],
    test: gast.expr | None,
    runs: bool = False,
) -> Loop:
    """Build a loop's body to a fixpoint of the facts it carries; append the loop node."""
    before = b.env
    inside = assigned_names(node.body) | changed_names(b, node)
    if isinstance(node, gast.For):
        inside |= assigned_names(node.target)
    names = sorted(inside)
    facts = Facts(frozenset().union(*map(mutable, before.values())))
    for _ in range(_ROUNDS):
        marks = (len(b.returns), len(b.notes))
        made = one_round(b, before, names, facts, body, test)
        grown = False
        if made.body.falls:
            for n, head in made.heads.items():
                grown |= widen(n, head, made.after.get(n), facts, node)
        if not grown:
            break
        del b.returns[marks[0] :], b.notes[marks[1] :]
    else:
        raise Unsupported(node, "a loop whose values keep changing type", "")
    refuse_mingled(made.body, made.heads, made.after, node)
    loop = Loop(None, (), (), None, made.body, [], None, None, b.line)
    if test is not None:
        loop.head, loop.test = made.head, made.test
    loop.retires = (made.test is not None and made.test.varying) or leaves_apart(made.body, False)
    b.add(loop)
    b.env = after_loop(b, loop, made, names, before, runs)
    return loop


def one_round(
    b: Builder,
    before: dict[str, Thing],
    names: list[str],
    facts: Facts,
    body: Callable[[], None],
    test: gast.expr | None,
) -> _Round:
    """Build the body once."""
    heads = {
        n: head_of(b, n, before[n], facts) for n in names if n in before and can_carry(before[n])
    }
    # what no trip can hand to the next must not be read as it was before the first one
    changing = {
        n: Conflict(f"{n} changes its type in the loop")
        for n in names
        if n in before and n not in heads and not isinstance(before[n], (Unbound, Conflict))
    }
    b.env = {**before, **heads, **changing}
    block, head, value = Block(), Block(), None
    b.loops.append("loop")
    try:
        if test is not None:
            with b.into(head):
                value = condition(b, test)
        with b.into(block):
            body()
    finally:
        b.loops.pop()
    return _Round(heads, block, head, value, b.env)


def after_loop(
    b: Builder,
    loop: Loop,
    made: _Round,
    names: list[str],
    before: dict[str, Thing],
    runs: bool,
) -> dict[str, Thing]:
    """What the names hold behind the loop: by its end, or by each of its breaks.

    ``runs``: every lane makes a trip.
    """
    breaks = own_breaks(made.body)
    endless = loop.test is not None and isinstance(loop.test.op, Const)
    lanes = b.lanes if loop.retires else ()
    env = dict(before)
    for n in names:
        ways = [e.env.get(n) for e in breaks]
        after = made.after.get(n) if made.body.falls else None
        if n in made.heads:
            env[n] = result_of(b, loop, made.heads[n], before[n], after, ways, n, lanes)
        else:
            old = before.get(n)
            held = old.value if isinstance(old, Unbound) else old
            if held is not None and not (runs or endless):
                env[n] = Conflict(f"{n} has another type if the loop does not run")
                continue
            certain = endless or not loop.retires  # else a lane may leave before its first trip
            last = after if not endless else None
            made_there = fresh_result(b, loop, last, ways, n, lanes, certain)
            surely = runs or endless or loop.retires or not leaves_of(made_there)
            env[n] = made_there if surely else Unbound(n, made_there, late=True)
    return env
