"""Carried values: the name that one has from trip to trip, and the loop's own variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import gast

from autovec.lower.analysis import is_fresh
from autovec.lower.arrays import scalar, spread
from autovec.lower.expressions import names_in
from autovec.lower.writer import Writer
from autovec.program.carries import UNSET
from autovec.program.facts import storage
from autovec.program.nodes import CarryResult
from autovec.program.things import same_literal
from autovec.program.values import Const, Value
from autovec.syntax import quote
from autovec.syntax.scope import assigned_names


def starts(
    w: Writer,
    carries: list[CarryResult],
    start: Callable[[Writer, CarryResult], str],
    items: gast.expr | None,
) -> tuple[dict[int, str], gast.expr | None]:
    """The names of all carried values, by their heads: each its own, whether it is read or not.

    ``items``: what the loop runs over, which is computed before a name in it is assigned anew.
    """
    names: dict[int, str] = {}
    place = len(w.out)
    for c in carries:
        name = names[id(c.head)] = start(w, c)
        w.lock(name)
    for name in names.values():
        w.release(name)
    if items is not None and names_in(items) & assigned_names(w.out[place:]):
        kept = w.fresh("items")
        made = quote.stmt("items = value", items=kept, value=items)
        made.lineno = w.line
        w.out.insert(place, made)
        w.release(kept)
        items = quote.name(kept)
    return names, items


@contextmanager
def held(w: Writer, carries: list[CarryResult], names: dict[int, str]) -> Iterator[None]:
    """What is read behind the loop keeps its names while a trip is decided that may not follow."""
    found = [names[id(c.head)] for c in carries if id(c.head) in names]
    for name in found:
        w.lock(name)
    try:
        yield
    finally:
        for name in found:
            w.release(name)


def start(w: Writer, c: CarryResult) -> str:
    """A carried value's name, assigned the initial value in the dtype and lanes of all trips."""
    if c.init is UNSET:
        name = w.take_later(c.head)
        w.hold(c.head, name)
        return name
    init = w.resolve(c.init)
    fact = c.head.fact
    settled = init.varying == fact.varying and (
        not fact.varying or storage(init.fact) == storage(fact)
    )
    if fact.varying and not settled:
        expr = spread(w, c.init, fact)
    else:
        expr = scalar(w, c.init, fact)
    return begin(w, c, expr)


def begin(w: Writer, c: CarryResult, expr: gast.expr) -> str:
    """A carried value's name, assigned its initial value; its own if trips store into it."""
    own = not stored_into(w, c)
    name = w.take(c.head)
    if not own and isinstance(expr, gast.Name):
        init = w.resolve(c.init)
        ours = is_fresh(init) or id(init) in w.own
        own = expr.id == name and ours and id(init) not in w.shared
    elif not own:
        own = not c.init.varying or is_fresh(w.resolve(c.init)) or c.init.varying != c.head.varying
    if not own:
        expr = quote.expr("x.copy()", x=expr)
    if not (isinstance(expr, gast.Name) and expr.id == name):
        w.emit(quote.stmt("name = value", name=name, value=expr))
    if stored_into(w, c):
        w.own |= {id(c.head), id(c.result)}
    return name


def stored_into(w: Writer, c: CarryResult) -> bool:
    """Is it an array that some store may write into?"""
    return bool(c.head.fact.rank and c.head.memory & w.stored)


def finish(w: Writer, carries: list[CarryResult], names: dict[int, str]) -> None:
    """Hand this trip's values to the next, all at once."""
    going = [c for c in carries if c.next is not None and not settled(w, c)]
    hand_on(w, going, [c.next for c in going if c.next is not None], names)


def settled(w: Writer, c: CarryResult) -> bool:
    """Is it one literal from trip to trip, which no trip reads: a flag that only breaks set?"""
    if w.uses.count[id(c.head)] or c.init is UNSET or not isinstance(c.init.op, Const):
        return False
    return c.next is None or same_literal(c.init, c.next)


def hand_on(
    w: Writer, carries: list[CarryResult], values: list[Value], names: dict[int, str]
) -> None:
    """Assign carried values, in the lanes and dtype of the loop's head, all at once."""
    targets: list[gast.expr] = []
    exprs: list[gast.expr] = []
    for c, given in zip(carries, values, strict=True):
        fact = c.head.fact
        value = w.resolve(given)
        if fact.varying and (not value.varying or storage(value.fact) != storage(fact)):
            expr = spread(w, given, fact)
        else:
            expr = scalar(w, given, fact)
        name = names[id(c.head)]
        if isinstance(expr, gast.Name) and expr.id == name:
            continue
        if stored_into(w, c) and (isinstance(expr, gast.Name) or not is_fresh(value)):
            expr = quote.expr("x.copy()", x=expr)
        targets.append(quote.name(name))
        exprs.append(expr)
    if len(targets) == 1:
        w.emit(quote.stmt("name = value", name=targets[0], value=exprs[0]))
    elif targets:
        w.emit(quote.stmt("(*names,) = (*values,)", names=targets, values=exprs))


def target_of(w: Writer, target: Any) -> gast.expr:
    """The loop variables, ``_`` where one is not read."""
    if isinstance(target, tuple):
        return quote.expr("(*items,)", items=[target_of(w, t) for t in target])
    assert isinstance(target, Value)
    return quote.name("_" if w.remaining[id(target)] == 0 else w.take(target))
