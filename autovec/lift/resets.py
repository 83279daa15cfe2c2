"""Counters that start again under a condition, and values that are kept until the next.

    for f in flags:                     i = np.arange(len(flags))
        if f:                           run = i - np.maximum.accumulate(np.where(flags, -1, i))
            run += 1
        else:
            run = 0

The largest index so far where the condition held says how long ago, and which value, that was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import evaluate, negated, truth
from autovec.lift.naming import name
from autovec.lift.nest import Nest
from autovec.lift.poly import symbol
from autovec.lift.running_values import alone, read_after
from autovec.lift.updates import update_of
from autovec.lift.values import Accumulator, Lane, merged
from autovec.syntax import quote
from autovec.syntax.build import branch
from autovec.syntax.names import Namer
from autovec.syntax.scope import assigned_names, free_names
from autovec.syntax.walking import located, walk


@dataclass(frozen=True, eq=False)
class Reset:
    """``name = kept if test else changed``: one side goes on from the turn before."""

    name: str
    test: Any
    goes_on: bool  # where the test holds
    step: int
    value: Any  # what it is set to, on the other side


def reset_of(node: Any) -> Reset | None:
    """The reset that an assignment is; None where it is something else.

    >>> made = reset_of(quote.stmt("run = run + 1 if f else 0"))
    >>> made.name, made.goes_on, made.step
    ('run', True, 1)
    """
    if not isinstance(node, gast.Assign) or len(node.targets) != 1:
        return None
    target, choice = node.targets[0], node.value
    if not isinstance(target, gast.Name) or not isinstance(choice, gast.IfExp):
        return None
    if target.id in free_names(choice.test):
        return None
    for side, other, goes_on in (
        (choice.body, choice.orelse, True), (choice.orelse, choice.body, False),
    ):  # fmt: skip
        step = _step(side, target.id)
        if step is not None and target.id not in free_names(other):
            return Reset(target.id, choice.test, goes_on, step, other)
    return None


def _step(side: Any, name: str) -> int | None:
    if isinstance(side, gast.Name) and side.id == name:
        return 0
    if isinstance(side, gast.BinOp) and isinstance(side.op, gast.Add):
        left, right = side.left, side.right
        plain = isinstance(left, gast.Name) and left.id == name
        if plain and isinstance(right, gast.Constant) and type(right.value) is int:
            return right.value
    return None


def with_resets(
    body: list[Any], live: frozenset[str], namer: Callable[[], Namer]
) -> tuple[list[Any], frozenset[str]]:
    """The body where such branches are assignments of a choice, and the names that were made."""
    names, made = namer(), frozenset[str]()
    for wanted in sorted(assigned_names(body)):
        found = _written(body, wanted, names, live)
        if found is not None:
            body, new = found
            made |= new
    return body, made


def _written(body: list[Any], wanted: str, names: Namer, live: frozenset[str]) -> Any:
    at = [k for k, s in enumerate(body) if wanted in assigned_names(s)]
    if len(at) == 1 and isinstance(body[at[0]], gast.If):
        return _branch(body, at[0], wanted, names, live)
    if len(at) == 2:
        return _two(body, at[0], at[1], wanted)
    return None


def _branch(body: list[Any], k: int, wanted: str, names: Namer, live: frozenset[str]) -> Any:
    """``if test: run += 1 else: run = 0``, and what else the sides do."""
    node: Any = body[k]
    if free_names(node.test) & assigned_names(node):
        return None
    sides: list[Any] = []
    rests: list[Any] = []
    for side in (node.body, node.orelse):
        own = [s for s in side if wanted in assigned_names(s)]
        if len(own) > 1:
            return None
        if not own:
            sides.append(quote.name(wanted))
            rests.append(side)
            continue
        before = side[: side.index(own[0])]
        update = update_of(own[0])
        if wanted in free_names(before) or assigned_names(before) & free_names(own):
            return None
        if update is not None and update.op == "+":
            sides.append(quote.expr("s + e", s=wanted, e=update.value))
        elif isinstance(own[0], gast.Assign) and wanted not in free_names(own[0].value):
            sides.append(own[0].value)
        else:
            return None
        rests.append([s for s in side if s is not own[0]])
    test, extra = node.test, []
    new = frozenset[str]()
    if any(rests) and not isinstance(test, (gast.Name, gast.Subscript)):
        if assigned_names([*rests[0], *rests[1]]) & free_names(test):
            return None
        alias = names.fresh("mask")
        new = frozenset({alias})
        extra = [gast.copy_location(quote.stmt("m = t", m=alias, t=test), node)]
        test = quote.name(alias)
    choice = quote.expr("a if t else b", a=sides[0], t=test, b=sides[1])
    first = quote.stmt("r = e", r=wanted, e=choice)
    found = reset_of(first)
    if found is None or (found.step == 0 and not _reads(body, k, wanted) and wanted not in live):
        return None
    if any(wanted in free_names(s) for s in body[:k]):
        return None
    rest: list[Any] = []
    if rests[0]:
        rest = [branch(test, rests[0], rests[1])]
    elif rests[1]:
        rest = [branch(quote.expr("not t", t=test), rests[1])]
    for part in [first, *extra, *rest]:
        located(part, node)
    return [*body[:k], *extra, first, *rest, *body[k + 1 :]], new


def _reads(body: list[Any], at: int, wanted: str) -> bool:
    """Does a turn look at the name, or is only its last value of interest?"""
    return any(
        isinstance(n, gast.Name) and n.id == wanted and isinstance(n.ctx, gast.Load)
        for k, s in enumerate(body) if k != at for n in walk([s])
    )  # fmt: skip


def _two(body: list[Any], first: int, second: int, wanted: str) -> Any:
    """``run += 1`` and ``if test: run = 0``, in either order."""
    one, two = body[first], body[second]
    update = update_of(one)
    ahead = update is not None
    leap: Any = two if ahead else one
    update = update if ahead else update_of(two)
    if update is None or update.op != "+" or _step_of(update) is None:
        return None
    if not isinstance(leap, gast.If) or leap.orelse or len(leap.body) != 1:
        return None
    setter: Any = leap.body[0]
    number = isinstance(setter, gast.Assign) and isinstance(setter.value, gast.Constant)
    if not number or len(setter.targets) != 1 or wanted in free_names(leap.test):
        return None
    between = body[first + 1 : second]
    changed = assigned_names(between) & free_names(leap.test)
    if wanted in free_names([*between, *body[:first]]) or changed:
        return None
    value = setter.value
    if not ahead:
        value = quote.expr("a + b", a=value, b=update.value)
        if type(setter.value.value) is int:
            value = quote.const(setter.value.value + update.value.value)
    kept = quote.expr("s + e", s=wanted, e=update.value)
    choice = quote.expr("a if t else b", a=value, t=leap.test, b=kept)
    made = quote.stmt("r = e", r=wanted, e=choice)
    located(made, leap)
    return [*body[:first], *between, made, *body[second + 1 :]], frozenset()


def _step_of(update: Any) -> int | None:
    value = update.value
    plain = isinstance(value, gast.Constant) and type(value.value) is int
    return value.value if plain else None


def resets(body: list[Any], wanted: str) -> str | None:
    """What a reset of the name is: one that turns look at, or one whose last value matters."""
    for k, node in enumerate(body):
        found = reset_of(node)
        if found is not None and found.name == wanted:
            if found.step not in (0, 1) or not read_after(body, wanted, k):
                return None
            return "reset" if found.step or _reads(body, k, wanted) else "last"
    return None


def run_reset(nest: Nest, held: Accumulator, node: Any) -> None:
    """All turns of a reset: the name is the array of its values after each turn."""
    found = reset_of(node)
    if found is None or nest.turns[0].count is None:
        raise Unsupported(node, f"{held.name} is carried from turn to turn")
    alone(nest, node)
    turn = nest.turns[0]
    count = nest.facts.render(turn.stop - turn.low)
    if not nest.facts.symbols.at_least(turn.stop - turn.low, 0):
        nest.needs_turns = True
    test = truth(nest, found.test)
    if test.axes != nest.axes:
        raise Unsupported(node, "a test that is the same in all turns")
    here = nest.text(test)
    if held.op == "last":
        _last(nest, held, found, test, node)
        return
    index = nest.bind(turn.name if turn.name != "_" else "k", Lane(_arange(count), nest.axes, 1))
    if found.step:
        _count(nest, held, found, here, nest.text(index), node)
        return
    value = evaluate(nest, found.value)
    if not value.total or value.mixed or held.before.mixed:
        raise Unsupported(node, "a value that may raise where it is not computed")
    if found.goes_on:
        here = nest.text(negated(nest, replace(test, named=None)))
    last = quote.expr(
        "np.maximum.accumulate(np.where(t, i, -1))", t=here, i=nest.text(index)
    )  # fmt: skip
    old = replace(held.before, expr=quote.name(held.name), named=held.name, poly=None)
    never = held.before.poly.constant if held.before.poly is not None else None
    if never == -1 and value.poly is not None and value.poly == _own(turn):
        name(nest, held.name, Lane(last, nest.axes, 1, small=True), node)
        return
    sample = merged(node, value, replace(old, axes=()))
    place = nest.bind("at", Lane(last, nest.axes, 1))
    text: Any = nest.text(value)
    if value.axes:
        text = quote.expr("v[k]", v=text, k=nest.text(place))
    text = quote.expr("np.where(k >= 0, v, s)", k=nest.text(place), v=text, s=held.name)
    made = Lane(
        text, nest.axes, sample, None, True, value.reads, mixed=value.python != old.python,
        small=value.small or value.poly is not None,
    )  # fmt: skip
    name(nest, held.name, made, node)


def _last(nest: Nest, held: Accumulator, found: Reset, test: Lane, node: Any) -> None:
    """The value of the last turn that set it; without one it is what it was."""
    turn = nest.turns[0]
    value = evaluate(nest, found.value)
    if not value.total or value.mixed or value.dtype != held.before.dtype:
        raise Unsupported(node, "a value that may raise where it is not computed")
    if found.goes_on:
        test = negated(nest, replace(test, named=None))
    hits, place = nest.namer.fresh("hits"), nest.namer.fresh("k")
    nest.out.append(quote.stmt("h = np.flatnonzero(m)", h=hits, m=nest.text(test)))
    text = nest.text(value) if value.poly is None or not value.axes else None
    if text is None:
        assert value.poly is not None
        symbols = nest.facts.symbols
        symbols.text[turn.sym] = quote.name(place)
        text = nest.facts.render(value.poly.replaced(turn.sym, symbol(turn.sym) + turn.low))
        del symbols.text[turn.sym]
    elif value.axes:
        text = quote.expr("v[k]", v=text, k=place)
        kind = type(value.sample).__name__
        text = quote.expr("f(v)", f=kind, v=text) if value.python else text
    body = quote.stmts("k = int(h[-1])\nr = v", k=place, h=hits, r=held.name, v=text)
    if place not in free_names(text):
        body = body[1:]
    nest.out.append(branch(quote.expr("h.size", h=hits), body))
    sample = value.sample
    held.value = Lane(quote.name(held.name), (), sample, named=held.name)


def _arange(count: gast.expr) -> gast.expr:
    return quote.expr("np.arange(n)", n=count)


def _own(turn: Any) -> Any:
    return symbol(turn.sym) if turn.low.constant == 0 else None


def _count(
    nest: Nest, held: Accumulator, found: Reset, here: gast.expr, index: gast.expr, node: Any
) -> None:
    start = held.before.poly.constant if held.before.poly is not None else None
    value = found.value.value if isinstance(found.value, gast.Constant) else None
    if start is None or type(value) is not int or not 0 <= value <= start + 1:
        raise Unsupported(node, "a counter that starts again from what is not known")
    set_to = index if value == 0 else quote.expr("i - r", i=index, r=value)
    never = quote.const(-1 - start)
    sides = (never, set_to) if found.goes_on else (set_to, never)
    text = quote.expr(
        "i - np.maximum.accumulate(np.where(t, a, b))", i=index, t=here, a=sides[0], b=sides[1]
    )
    name(nest, held.name, Lane(text, nest.axes, 1, small=True), node)
