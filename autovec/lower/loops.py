"""Loops on whose trip count all lanes agree: a Python loop over arrays."""

from __future__ import annotations

from typing import Any

import gast

from autovec.lower.analysis import defined_inside, read_inside
from autovec.lower.arrays import scalar, spread
from autovec.lower.lowering import Done, lower_nodes, lowering
from autovec.lower.writer import Writer
from autovec.program.carries import UNSET
from autovec.program.facts import storage
from autovec.program.nodes import CarryResult, Loop, Node
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.visit import replace_names


@lowering(Loop)
def lower_loop(w: Writer, node: Loop, rest: list[Node], done: Done | None) -> bool:
    """A ``for`` or ``while``; each carried value keeps one name from trip to trip."""
    inside = list(node.body.nodes) + (list(node.head.nodes) if node.head else [])
    iterable: gast.expr | None = None
    if node.iterable is not None:
        iterable = replace_names(
            node.iterable, {p: w.read(a) for p, a in zip(node.params, node.args, strict=True)}
        )
    names = {id(c.head): start(w, c) for c in node.carries}
    own = defined_inside([node])
    outer = {
        w.names[id(w.resolve(v))]
        for v in read_inside(inside)
        if id(v) not in own and id(w.resolve(v)) in w.names
    }
    w.locked.update(outer)
    w.loop_depth += 1
    test: gast.expr = quote.const(True)
    with w.collect() as body:
        if node.head is not None and node.test is not None:
            lower_nodes(w, node.head.nodes)
            test = w.read(node.test)
            if body:
                body.append(quote.stmt("if not t:\n    break", t=test))
                test = quote.const(True)
        target = target_of(w, node.target) if iterable is not None else None
        lower_nodes(w, node.body.nodes)
        finish(w, node.carries, names)
    w.loop_depth -= 1
    for name in outer:
        w.release(name)
    if iterable is not None:
        text = "for target in items:\n    body"
        w.emit(quote.stmt(text, target=target, items=iterable, body=body))
    else:
        w.emit(quote.stmt("while test:\n    body", test=test, body=body))
    for c in node.carries:
        w.keep(c.result, names[id(c.head)])
    return False


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
    name = w.take(c.head)
    if not (isinstance(expr, gast.Name) and expr.id == name):
        w.emit(quote.stmt("name = value", name=name, value=expr))
    return name


def finish(w: Writer, carries: list[CarryResult], names: dict[int, str]) -> None:
    """Hand this trip's values to the next, all at once."""
    targets: list[gast.expr] = []
    values: list[gast.expr] = []
    for c in carries:
        fact = c.head.fact
        value = w.resolve(c.next)
        if fact.varying and (not value.varying or storage(value.fact) != storage(fact)):
            expr = spread(w, c.next, fact)
        else:
            expr = scalar(w, c.next, fact)
        name = names[id(c.head)]
        if isinstance(expr, gast.Name) and expr.id == name:
            continue
        targets.append(quote.name(name))
        values.append(expr)
    if len(targets) == 1:
        w.emit(quote.stmt("name = value", name=targets[0], value=values[0]))
    elif targets:
        w.emit(quote.stmt("(*names,) = (*values,)", names=targets, values=values))


def target_of(w: Writer, target: Any) -> gast.expr:
    """The loop variables, ``_`` where one is not read."""
    if isinstance(target, tuple):
        return quote.expr("(*items,)", items=[target_of(w, t) for t in target])
    assert isinstance(target, Value)
    return quote.name("_" if w.remaining[id(target)] == 0 else w.take(target))
