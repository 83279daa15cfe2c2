"""One loop of a function: the statements that do all its turns at once, or why there are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from autovec.canonical.loops import without_continue
from autovec.errors import Unsupported
from autovec.lift import (
    calls,  # noqa: F401  (registers its rule)
    depend,
    fills,  # noqa: F401  (registers its rule)
    stepping,  # noqa: F401  (registers its rules)
)
from autovec.lift.arrange import Plan, plain
from autovec.lift.carried import Peel, shifted
from autovec.lift.expressions import evaluate, record
from autovec.lift.facts import Facts
from autovec.lift.headers import named_length, open_turn
from autovec.lift.live import carried
from autovec.lift.nest import Nest
from autovec.lift.peeling import peeled, without_first
from autovec.lift.reading import in_order, place, subscript
from autovec.lift.resets import with_resets
from autovec.lift.statements import loop
from autovec.lift.updates import augmented_only
from autovec.lift.values import Accumulator, Arr, Carried, Lane, Turn, sample_of
from autovec.syntax import quote
from autovec.syntax.build import all_of, branch
from autovec.syntax.names import Namer
from autovec.syntax.scope import assigned_names

#: arrangements of one loop that are tried
_MOST = 16


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
    body, made = with_resets(without_continue(node.body), live, namer)
    plan: Plan | None = plain(body, live, namer)
    assert plan is not None
    plan = replace(plan, fresh=plan.fresh | made)
    first: Unsupported | None = None
    why: Unsupported
    for _ in range(_MOST):
        assert plan is not None
        try:
            return _attempt(facts, namer(), scope, node, live, as_lists, plan)
        except depend.Dependence as found:
            why, plan = found, plan.avoiding(found)
        except Peel as found:
            why, plan = found, plan.peeled(found)
        except Carried as name:
            what = f"{name} is carried from turn to turn"
            why, plan = Unsupported(node, what, "each turn needs the one before"), plan.separate()
        except Unsupported as error:
            why, plan = error, plan.separate()
        first = first or why
        if plan is None:
            raise first
    assert first is not None
    raise first


def _attempt(
    facts: Facts,
    namer: Namer,
    scope: Any,
    node: gast.For,
    live: frozenset[str],
    as_lists: frozenset[str],
    plan: Plan,
) -> Lifted:
    body = plan.body
    namer.take(plan.fresh)
    inner = facts.copy()
    nest = Nest(inner, namer, scope, as_lists=as_lists)
    turn, bindings = open_turn(nest, node)
    prelude = named_length(nest, turn)
    outside = dict(inner.env)
    kept = whole_arrays(nest, body)
    for name in (assigned_names(body) | assigned_names(node.target)) - kept:
        nest.env[name] = outside.get(name)
        inner.env.pop(name, None)
    nest.kept = frozenset(e.name for e in plan.made.earlier.values())
    if plan.peel:
        nest.out += peeled(nest, turn, node, plan.original, plan.peel, plan.counters)
        if carried(body, live) & assigned_names(body) - nest.kept:
            raise Unsupported(node, "a sum in a loop whose first turns differ")
        turn = without_first(nest, turn, plan.peel)
    _arranged(nest, turn, plan, outside)

    def bind() -> None:
        bindings()
        for read in plan.hoist:
            nest.order = plan.position(read)
            _hoisted(nest, read)
        nest.order = -1

    nest.order = -1
    known = dict(inner.symbols.low)
    try:
        loop(nest, turn, bind, body, live)
        depend.check(nest)
        _last_values(nest, turn, node, body, live)
    finally:  # what was supposed holds under the conditions only
        inner.symbols.low = {name: known.get(name, low) for name, low in inner.symbols.low.items()}
    return _assembled(nest, turn, node, prelude, bool(plan.peel))


def _arranged(nest: Nest, turn: Turn, plan: Plan, outside: dict[str, Any]) -> None:
    """Tells the nest which statements were moved, and what names of the turn before are."""
    nest.positions = {id(part): k for k, part in enumerate(plan.made.body)}

    def follow(setter: int) -> Callable[[], None]:
        def after() -> None:
            for alias, earlier in plan.made.earlier.items():
                if earlier.setter == setter:
                    shifted(nest, turn, alias, earlier, outside.get(earlier.name), plan.peel)

        return after

    for earlier in plan.made.earlier.values():
        nest.after[id(plan.made.body[earlier.setter])] = follow(earlier.setter)


def whole_arrays(nest: Nest, body: list[Any]) -> set[str]:
    """The arrays that the loop updates in place as a whole: ``total += row``."""
    return {n for n in augmented_only(body) if isinstance(nest.facts.env.get(n), Arr)}


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
    arrays = whole_arrays(nest, body)
    end = turn.low if turn.down else turn.last
    nest.axes, nest.pack = (turn.sym,), None
    late: list[gast.stmt] = []
    for name in sorted(names & live):
        held = nest.env.get(name)
        if isinstance(held, Accumulator) or name in nest.lists or name in arrays:
            continue
        if not isinstance(held, Lane):
            raise Unsupported(node, f"{name} is read after the loop")
        nest.needs_turns = True
        if held.poly is not None:
            poly = held.poly.replaced(turn.sym, end)
            late.append(quote.stmt("t = e", t=name, e=nest.facts.render(poly)))
            continue
        kind = type(held.sample).__name__
        if held.axes and (held.mixed or (held.python and kind not in ("int", "float", "bool"))):
            raise Unsupported(node, f"{name} is a Python number that is read after the loop")
        text = nest.text(held)
        if held.axes:
            text = quote.expr("x[k]", x=text, k=-1)
            if held.python:
                text = quote.expr("f(x)", f=kind, x=text)
        if held.reads and any(a.write and a.arr.roots & held.reads for a in nest.accesses):
            raise Unsupported(node, f"{name} is read after the loop, its array has changed")
        late.append(quote.stmt("t = e", t=name, e=text))
    nest.out += late


def _assembled(
    nest: Nest, turn: Any, node: gast.For, prelude: list[gast.stmt], peeled_off: bool
) -> Lifted:
    body = nest.out
    facts = nest.facts
    _without_implied(nest)
    tests = [made for _, made in nest.conditions]
    if nest.needs_turns and not peeled_off and not facts.symbols.at_least(turn.stop - turn.low, 1):
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


def _without_implied(nest: Nest) -> None:
    """Drops the conditions that another one says."""
    left = list(nest.conditions)
    for condition in reversed(nest.conditions):
        poly = nest.proofs[condition[0]]
        if poly is None:
            continue
        known = [nest.proofs[text] for text, _ in left if text != condition[0]]
        if any(k is not None and nest.facts.symbols.at_least(poly - k, 0) for k in known):
            left.remove(condition)
    nest.conditions = left
