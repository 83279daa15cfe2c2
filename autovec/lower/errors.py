"""Raising: Python's exception, and its message, for the first lane whose test holds."""

from __future__ import annotations

import gast

from autovec.lower.writer import Writer
from autovec.program.facts import PYTHON_DTYPES
from autovec.program.values import Check, Known, Let, Map, Raise, Record, Seq, Thing, Value, leaves
from autovec.syntax import quote
from autovec.syntax.visit import replace_names


def lower_check(w: Writer, node: Check) -> None:
    """Raise where the test holds; the other lanes go on."""
    lower_guard(w, node.test, False, node.error, [])


def lower_guard(w: Writer, test: Value, negate: bool, error: Raise, lets: list[Let]) -> None:
    """``if np.any(test): raise ...``."""
    if not test.varying:
        expr = w.read(test)
        with w.collect() as body:
            for node in lets:
                w.let(node.value)
            body.append(raise_statement(w, error, None))
        w.emit(gast.If(test=_negated(expr) if negate else expr, body=body, orelse=[]))
        return
    lane_values = [v for thing in error.captures.values() for v in leaves(thing) if v.varying]
    mask = w.read(test)
    if negate:
        mask = quote.expr("~t", t=mask)
    if not lane_values:
        with w.collect() as body:
            for node in lets:
                w.let(node.value)
            body.append(raise_statement(w, error, None))
        w.emit(gast.If(test=quote.expr("np.any(t)", t=mask), body=body, orelse=[]))
        return
    w.need_flat()
    lane, bad = w.fresh("lane"), w.fresh("bad")
    w.emit(quote.stmt("bad = t", bad=bad, t=mask))
    with w.collect() as body:
        for node in lets:
            w.let(node.value)
        body.append(quote.stmt("lane = bad.argmax()", lane=lane, bad=bad))
        body.append(raise_statement(w, error, quote.name(lane)))
    w.emit(gast.If(test=quote.expr("bad.any()", bad=bad), body=body, orelse=[]))
    w.release(lane)
    w.release(bad)


def lower_raise(w: Writer, node: Raise) -> None:
    """Every lane of the current frame raises, if there is any."""
    lane_values = [v for thing in node.captures.values() for v in leaves(thing) if v.varying]
    first = quote.const(0) if lane_values else None
    statement = raise_statement(w, node, first)
    if w.frame.root:
        w.emit(statement)
        return
    test = quote.expr("k.size", k=w.frame.index())
    w.emit(gast.If(test=test, body=[statement], orelse=[]))


def raise_statement(w: Writer, error: Raise, lane: gast.expr | None) -> gast.stmt:
    """The user's own raise, each name read for one lane."""
    names: dict[str, gast.expr | str] = {}
    for name, thing in error.captures.items():
        expr = picked(w, thing, lane)
        if not (isinstance(expr, gast.Name) and expr.id == name):
            names[name] = expr
    exc = replace_names(error.exc, names) if error.exc is not None else None
    cause = replace_names(error.cause, names) if error.cause is not None else None
    return gast.Raise(exc=exc, cause=cause)


def picked(w: Writer, thing: Thing, lane: gast.expr | None) -> gast.expr:
    """A thing for one lane: Python's own scalar."""
    if isinstance(thing, Value):
        expr = w.read(thing)
        if not w.resolve(thing).varying:
            return expr
        one = quote.expr("x[i]", x=expr, i=lane)
        own = thing.fact.dtype in PYTHON_DTYPES or thing.fact.weak or thing.fact.kind == "U"
        return quote.expr("x.item()", x=one) if own and thing.fact.python else one
    if isinstance(thing, Seq):
        items = [picked(w, t, lane) for t in thing.items]
        if thing.cls is not None:
            return quote.expr("cls(*items)", cls=thing.cls.__name__, items=items)
        return quote.expr("[*items]" if thing.kind is list else "(*items,)", items=items)
    if isinstance(thing, Map):
        values = [picked(w, t, lane) for t in thing.items.values()]
        return gast.Dict(keys=[quote.const(k) for k in thing.items], values=values)
    if isinstance(thing, Record):
        fields = {k: picked(w, t, lane) for k, t in thing.fields.items()}
        return quote.expr("cls(**fields)", cls=thing.cls.__name__, fields=fields)
    assert isinstance(thing, Known)
    return thing.expr if thing.expr is not None else quote.const(None)


def _negated(test: gast.expr) -> gast.expr:
    return quote.expr("not t", t=test)
