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

from autovec.canonical.loops import leaves, with_flag, without_continue
from autovec.errors import Unsupported
from autovec.program.arrays.operands import arrays_as_values
from autovec.program.arrays.rows import over_rows
from autovec.program.arrays.stores import refuse_mingled
from autovec.program.binding import store
from autovec.program.build import Builder, statement
from autovec.program.carries import (
    Facts,
    assigned_before,
    can_carry,
    flag_result,
    fresh_result,
    head_of,
    result_of,
    widen,
)
from autovec.program.counted import counted, hidden, is_counted, varying_range
from autovec.program.guarded import dry_run, flags, in_condition, loop_body, protected
from autovec.program.identities import mutable
from autovec.program.iteration import Iterated, iterated
from autovec.program.leaving import leaves_apart
from autovec.program.letters import over_letters
from autovec.program.lists import changed_names, is_list
from autovec.program.marks import Mark
from autovec.program.nodes import Block, Loop, own_breaks, returns, silent_node
from autovec.program.noted import Note
from autovec.program.recursion import grow
from autovec.program.tables import SMALL
from autovec.program.things import Conflict, Seq, Thing, Unbound
from autovec.program.things import leaves as leaves_of
from autovec.program.truth import condition, harmless_node
from autovec.program.values import Const, Value
from autovec.program.watched import fresh, watch
from autovec.syntax import quote
from autovec.syntax.visit import assigned_names
from autovec.syntax.walking import located, updated, walk

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
        b.statements(with_flag(node, hidden(b, "broke")))
        return
    if (by_index := over_rows(b, node, lambda word: hidden(b, word))) is not None:
        b.statements(by_index)
        return
    if (by_place := over_letters(b, node, lambda word: hidden(b, word))) is not None:
        b.letters += 1
        b.statements(by_place)
        b.letters -= 1
        return
    varying = varying_range(b, node.iter)
    if varying is not None:
        b.statements(counted(b, node, varying))
        return
    node = updated(node, body=without_continue(node.body, hidden(b, "skips")))
    stops = any(isinstance(n, _EXITS) for n in walk(node.body))
    it = iterated(b, node.iter, harmless_node if stops else silent_node)
    if it.target is None or not it.text or it.items == () or _few_returns(node, it):
        unroll(b, node, it)
        return
    mark = Mark(b)
    try:
        kept_loop(b, node, it)
    except Unsupported:
        if it.items is None or len(it.items) > _UNROLL:
            raise
        mark.restore(b)
        unroll(b, node, it)


def _few_returns(node: gast.For, it: Iterated) -> bool:
    """Does it return at one of a few items: a chain of branches?"""
    if it.items is None or len(it.items) > _CHAIN or it.text.startswith("range"):
        return False
    kinds = [type(n) for s in node.body for n in gast.walk(s)]
    return gast.Return in kinds and not {gast.For, gast.While, gast.Break} & set(kinds)


def unroll(b: Builder, node: gast.For, it: Iterated) -> None:
    """Repeat the body for each known item."""
    if it.items is None or len(it.items) > SMALL:
        raise Unsupported(
            node, "a loop over these items", "they have no common type, or are too many to unroll"
        )
    if any(leaves(s, gast.Break) for s in node.body):
        raise Unsupported(node, "break in a loop over values that differ between lanes", "")
    items = it.items
    why = "its items are handled one by one"
    b.notes.append(Note(node.lineno, f"written out, {len(items)} times", why))

    names, grows, ask = assigned_names(node.body), b.grows, watch(b, node)

    def turn(k: int) -> None:
        for name in names if k else ():  # what a turn hands to the next may grow
            grow({name: b.env[name]} if name in b.env else {})
        ask(k)
        if k == len(items):
            b.statements(node.orelse)
            return
        store(b, node.target, fresh(b, items[k]))
        protected(b, node.body, lambda: turn(k + 1))

    b.grows = True
    try:
        turn(0)
    finally:
        b.grows = grows


def kept_loop(b: Builder, node: gast.For, it: Iterated) -> None:
    """A loop that stays one in the emitted text."""
    assert it.target is not None
    target = it.target

    def body() -> None:
        store(b, node.target, target)
        loop_body(b, node.body)

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
            b.statements(with_flag(node, hidden(b, "broke")))
            return
        b.statements([updated(node, orelse=[]), *node.orelse])
        return
    body = without_continue(node.body, hidden(b, "skips"))
    if never(b, node.test):
        return
    carried(b, updated(node, body=body), lambda: loop_body(b, body), node.test)


def never(b: Builder, test: gast.expr) -> bool:
    """Is a ``while``'s test a literal that is false? Then it is asked here, once."""
    mark = Mark(b)
    asked = condition(b, test)
    if isinstance(asked.op, Const) and not asked.op.value:
        return True
    mark.restore(b)
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
    stores = b.stores
    before = {n: arrays_as_values(b, t) if n in inside else t for n, t in before.items()}
    facts = Facts(frozenset().union(*map(mutable, before.values())))
    for _ in range(_ROUNDS):
        marks = (len(b.returns), len(b.notes))
        made = one_round(b, before, names, facts, body, test)
        grown = False
        for n in names:
            if n not in made.heads and (n not in before or isinstance(before[n], Unbound)):
                after = made.after.get(n) if made.body.falls else None
                ways = [after, *(e.env.get(n) for e in own_breaks(made.body))]
                unset = assigned_before(b, n, ways, facts)
                if unset is not None:
                    before = {**before, n: unset}
                    grown = True
        if made.body.falls:
            for n, head in made.heads.items():
                grown |= widen(n, head, made.after.get(n), facts, node)
        if not grown:
            break
        del b.returns[marks[0] :], b.notes[marks[1] :]
    else:
        raise Unsupported(node, "a loop whose values keep changing type", "")
    refuse_mingled(b.stores > stores, made.heads, made.after, node)
    line = getattr(node, "lineno", b.line)
    loop = Loop(None, (), (), None, made.body, [], None, None, line)
    if test is not None:
        loop.head, loop.test = made.head, made.test
    loop.retires = (made.test is not None and made.test.varying) or leaves_apart(made.body, False)
    b.add(loop)
    b.notes.append(note(node, loop))
    b.env = after_loop(b, loop, made, names, before, runs)
    return loop


def note(node: gast.For | gast.While, loop: Loop) -> Note:
    """How a loop runs, and why."""
    if not loop.retires:
        same = "all lanes make the same trips"
        return Note(node.lineno, "a loop over whole arrays", same)
    why = []
    if loop.test is not None and loop.test.varying:
        told = isinstance(node, gast.While) and is_counted(node.test)
        why.append(f"the {'number of trips' if told else 'test'} differs between lanes")
    why += ["some lanes break"] if loop.breaks else []
    why += ["some lanes return"] if returns(loop.body) else []
    return Note(node.lineno, "lanes leave the loop one by one", ", ".join(why))


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
        n: Conflict(f"{n} changes its {'length' if is_list(before[n]) else 'type'} in the loop")
        for n in names
        if n in before and n not in heads and not isinstance(before[n], (Unbound, Conflict))
    }
    b.env = {**before, **heads, **changing}
    block, head, value = Block(), Block(), None
    b.loops.append(len(b.ways.finals))
    try:
        if test is not None:
            with b.into(head):
                if b.attempts and dry_run(b, located(quote.stmt("test", test=test), test)).fails:
                    raise in_condition(test)
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
            certain = endless or runs or not loop.retires  # else a lane may make no trip
            last = after if not endless else None
            made_there = fresh_result(b, loop, last, ways, n, lanes, certain)
            surely = runs or endless or loop.retires or not leaves_of(made_there)
            env[n] = made_there if surely else Unbound(n, made_there, late=True)
    for n in flags(before):
        left = [e.env[n] for e in breaks]
        if any(way is not before[n] for way in left):
            env[n] = flag_result(b, loop, left, lanes)
    return env
