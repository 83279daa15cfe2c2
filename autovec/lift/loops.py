"""One loop of a function: the statements that do all its turns at once, or why there are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autovec.canonical.loops import without_continue
from autovec.errors import Unsupported
from autovec.lift import (
    calls,  # noqa: F401  (registers its rule)
    depend,
    stepping,  # noqa: F401  (registers its rules)
)
from autovec.lift.expressions import evaluate, record
from autovec.lift.facts import Facts
from autovec.lift.headers import open_turn
from autovec.lift.nest import Nest
from autovec.lift.poly import symbol
from autovec.lift.reading import in_order, place, subscript
from autovec.lift.statements import loop
from autovec.lift.values import Accumulator, Carried, Lane, sample_of
from autovec.syntax import quote
from autovec.syntax.build import all_of, branch
from autovec.syntax.names import Namer
from autovec.syntax.scope import assigned_names


class Lifted:
    """The statements in place of a loop, and what was relied on."""

    def __init__(self, nest: Nest, statements: list[gast.stmt], guarded: bool) -> None:
        self.statements = statements
        self.strict = nest.strict
        self.risky = nest.risky or nest.strict
        self.guarded = guarded
        self.lists = nest.lists
        self.samples = {
            name: held.value for name, held in nest.env.items() if isinstance(held, Accumulator)
        }


def lift_loop(
    facts: Facts,
    namer: Callable[[], Namer],
    scope: Any,
    node: gast.For,
    live: frozenset[str],
    as_lists: frozenset[str],
) -> Lifted:
    """The loop as array operations. Raises Unsupported with what forbids it."""
    hoist: list[Any] = []
    for _ in range(6):
        try:
            return _attempt(facts, namer(), scope, node, live, as_lists, hoist)
        except depend.Dependence as found:
            reader = found.other
            if reader.write or reader.node in hoist or not isinstance(reader.node, gast.Subscript):
                raise
            if not found.store.at < reader.at:
                raise
            hoist.append(reader.node)
        except Carried as name:
            raise Unsupported(
                node, f"{name} is carried from turn to turn", "each turn needs the one before"
            ) from None
    raise Unsupported(node, "a loop whose turns depend on each other")


def _attempt(
    facts: Facts,
    namer: Namer,
    scope: Any,
    node: gast.For,
    live: frozenset[str],
    as_lists: frozenset[str],
    hoist: list[Any],
) -> Lifted:
    body = without_continue(node.body)
    inner = facts.copy()
    nest = Nest(inner, namer, scope, as_lists=as_lists)
    turn, bindings = open_turn(nest, node)
    prelude = _named_length(nest, turn)
    outside = dict(inner.env)
    for name in assigned_names(body) | assigned_names(node.target):
        nest.env[name] = outside.get(name)
        inner.env.pop(name, None)

    def bind() -> None:
        bindings()
        for read in hoist:
            _hoisted(nest, read)

    loop(nest, turn, bind, body, live)
    depend.check(nest)
    _last_values(nest, turn, node, body, live)
    return _assembled(nest, turn, node, prelude)


def _named_length(nest: Nest, turn: Any) -> list[gast.stmt]:
    """``n = min(len(x), len(y))``, where no name holds it."""
    made: list[gast.stmt] = []
    for sym in sorted(turn.stop.symbols):
        if sym not in nest.facts.symbols.written:
            continue
        held = [
            v for v in nest.facts.env.values()
            if isinstance(v, Lane) and not v.axes and v.poly == symbol(sym)
        ]  # fmt: skip
        if not held:
            name = nest.namer.fresh("n")
            made.append(quote.stmt("n = e", n=name, e=nest.facts.symbol(sym)))
            nest.facts.env[name] = Lane(quote.name(name), (), 1, symbol(sym))
    return made


def _hoisted(nest: Nest, read: Any) -> None:
    """A read of what the loop overwrites before: the old values are copied first."""
    found = subscript(nest, read)
    assert found is not None
    name, indices = found
    arr = nest.array_of(name, read)
    where = place(nest, arr, name, [evaluate(nest, i) for i in indices], read)
    record(nest, arr, where, read, write=False, early=True)
    expr, axes = in_order(nest, where)
    lane = Lane(quote.expr("x.copy()", x=expr), axes, sample_of(arr.dtype))
    nest.hoisted[id(read)] = nest.bind("old", lane)


def _last_values(
    nest: Nest, turn: Any, node: gast.For, body: list[Any], live: frozenset[str]
) -> None:
    """What the names that are read later hold after the last turn."""
    names = assigned_names(node.target) | assigned_names(body)
    end = turn.low if turn.down else turn.last
    nest.axes, nest.pack = (turn.sym,), None
    late: list[gast.stmt] = []
    for name in sorted(names & live):
        held = nest.env.get(name)
        if isinstance(held, Accumulator) or name in nest.lists:
            continue
        if not isinstance(held, Lane):
            raise Unsupported(node, f"{name} is read after the loop")
        nest.needs_turns = True
        if held.poly is not None:
            poly = held.poly.replaced(turn.sym, end)
            late.append(quote.stmt("t = e", t=name, e=nest.facts.render(poly)))
            continue
        if (held.python or held.mixed) and held.axes:
            raise Unsupported(node, f"{name} is a Python number that is read after the loop")
        text = nest.text(held)
        if held.axes:
            text = quote.expr("x[k]", x=text, k=0 if turn.down else -1)
        if held.reads and any(a.write and a.arr.roots & held.reads for a in nest.accesses):
            raise Unsupported(node, f"{name} is read after the loop, its array has changed")
        late.append(quote.stmt("t = e", t=name, e=text))
    nest.out += late


def _assembled(nest: Nest, turn: Any, node: gast.For, prelude: list[gast.stmt]) -> Lifted:
    body = nest.out
    facts = nest.facts
    tests = [made for _, made in nest.conditions]
    if nest.needs_turns and not facts.symbols.at_least(turn.stop - turn.low, 1):
        more = turn.stop - turn.low - 1  # not negative, once the test below holds
        tests = [
            made
            for text, made in nest.conditions
            if (poly := nest.proofs[text]) is None or not facts.symbols.at_least(poly - more, 0)
        ]
        low, stop = facts.render(turn.low), facts.render(turn.stop)
        test = quote.expr("a < b", a=low, b=stop)
        if turn.low.constant == 0:
            test = quote.expr("b > 0", b=stop)
        if not tests:
            return Lifted(nest, [*prelude, branch(test, body)], True)
        tests = [test, *tests]
    if not tests:
        return Lifted(nest, [*prelude, *body], False)
    if not body:
        body = [quote.stmt("pass")]
    return Lifted(nest, [*prelude, branch(all_of(tests), body, [node])], True)
