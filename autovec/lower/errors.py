"""Raising: Python's exception, and its message, for the first lane whose test holds."""

from __future__ import annotations

import gast

from autovec.lower.computing import let
from autovec.lower.explaining import note
from autovec.lower.expressions import display, inverse
from autovec.lower.lowering import Done, lowering
from autovec.lower.shapes import varying_parameters
from autovec.lower.writer import Writer
from autovec.program.facts import PYTHON_DTYPES
from autovec.program.nodes import Check, Let, Node, Raise, raise_reads
from autovec.program.unknown import LateDtype
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.visit import replace_names


@lowering(Check)
def lower_check(w: Writer, node: Check, rest: list[Node], done: Done | None) -> bool:
    """Raise where the test holds; the other lanes go on."""
    note(w, node.line, "a check: the first lane where it holds raises", "the others go on")
    lower_guard(w, node.test, False, node.error, [])
    return False


def lower_guard(w: Writer, test: Value, negate: bool, error: Raise, lets: list[Let]) -> None:
    """``if np.any(test): raise ...``."""
    where = w.read(test)
    if negate:
        where = inverse(where) if test.varying else quote.expr("not t", t=where)
    if not test.varying or not lane_values(error):
        text = "if np.any(t):\n    body" if test.varying else "if t:\n    body"
        w.emit(quote.stmt(text, t=where, body=guarded(w, lets, error)))
        return
    w.need_flat()
    w.partial = True  # the first lane is looked for along one axis
    lane, bad = w.fresh("lane"), w.fresh("bad")
    w.emit(quote.stmt("bad = t", bad=bad, t=where))
    body = guarded(w, lets, error, lane, bad)
    w.emit(quote.stmt("if bad.any():\n    body", bad=bad, body=body))
    w.release(lane)
    w.release(bad)


def guarded(
    w: Writer, lets: list[Let], error: Raise, lane: str | None = None, bad: str = ""
) -> list[gast.stmt]:
    """What the message is made of, and the raise, for the first of the ``bad`` lanes."""
    with w.collect() as body:
        for node in lets:
            let(w, node.value)
        if lane is None:
            body.append(raise_statement(w, error, None))
        else:
            body.append(quote.stmt("lane = bad.argmax()", lane=lane, bad=bad))
            body.append(raise_statement(w, error, quote.name(lane)))
    return body


def lane_values(error: Raise) -> list[Value]:
    """The values of the message that differ between lanes."""
    return [v for v in raise_reads(error) if v.varying]


@lowering(Raise)
def lower_raise(w: Writer, node: Raise, rest: list[Node], done: Done | None) -> bool:
    """Every lane of the current frame raises, if there is any."""
    first = quote.const(0) if lane_values(node) else None
    statement = raise_statement(w, node, first)
    if w.frame.root and w.out is w.body and varying_parameters(w):
        w.emit(quote.stmt("if size:\n    body", size=w.whole_size(), body=[statement]))
    elif w.frame.root or not w.frame.looping:  # a packed frame that raises runs for some lane
        w.emit(statement)
    else:
        w.emit(quote.stmt("if k.size:\n    body", k=w.frame.index(), body=[statement]))
    return True


def raise_statement(w: Writer, error: Raise, lane: gast.expr | None) -> gast.stmt:
    """The user's own raise, each name read for one lane."""
    names: dict[str, gast.expr | str] = {}
    for name, thing in error.captures.items():
        expr = display(thing, lambda value: picked(w, value, lane))
        if not (isinstance(expr, gast.Name) and expr.id == name):
            names[name] = expr
    exc = replace_names(error.exc, names)
    if error.cause is None:
        return quote.stmt("raise exc", exc=exc)
    return quote.stmt("raise exc from cause", exc=exc, cause=replace_names(error.cause, names))


def picked(w: Writer, value: Value, lane: gast.expr | None) -> gast.expr:
    """A value for one lane: Python's own scalar."""
    expr = w.read(value)
    if not w.resolve(value).varying:
        return expr
    one = quote.expr("x[i]", x=expr, i=lane)
    fact = value.fact
    own = fact.dtype in PYTHON_DTYPES or fact.weak or fact.kind == "U"
    own = own or isinstance(fact.dtype, LateDtype)
    return quote.expr("x.item()", x=one) if own and fact.python else one
