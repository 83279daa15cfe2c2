"""``raise`` and ``assert``: what an exception's message is made of."""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.binding import free_name
from autovec.program.build import Builder, statement
from autovec.program.nodes import Check, Raise
from autovec.program.things import (
    Known,
    Map,
    Record,
    Row,
    Seq,
    Thing,
    Unbound,
    any_maybe,
    describe,
    leaves,
)
from autovec.program.truth import condition, negated
from autovec.program.values import Const, Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.visit import Transformer, free_names


@statement(gast.Raise)
def raise_(b: Builder, node: gast.Raise) -> None:
    """Raise for the first of these lanes, the message made from that lane's own values."""
    if b.attempts:
        raise Unsupported(node, "raise inside try", "it is not followed to the handler")
    if node.exc is None:
        raise Unsupported(node, "raise without an exception", "there is none to raise again")
    fields = _Fields(b)
    exc, cause = fields.visit(node.exc), node.cause and fields.visit(node.cause)
    b.add(Raise(exc, cause, {**captured(b, exc, cause), **fields.found}, b.line))


class _Fields(Transformer):
    """Reads of a row's columns become names, each for one column's value."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.found: dict[str, Thing] = {}

    def _read(self, node: gast.expr, base: gast.expr) -> Any:
        while isinstance(base, (gast.Attribute, gast.Subscript)):
            base = base.value
        if not isinstance(base, gast.Name) or not isinstance(self.b.env.get(base.id), Row):
            return self.generic_visit(node)
        thing = self.b.expr(node)
        name = f"{HIDDEN}{HIDDEN}field{len(self.found)}"
        self.found[name] = thing
        return quote.name(name)

    def visit_Subscript(self, node: gast.Subscript) -> Any:
        return self._read(node, node.value)

    def visit_Attribute(self, node: gast.Attribute) -> Any:
        return self._read(node, node.value)

    def visit_Call(self, node: gast.Call) -> Any:
        if isinstance(node.func, gast.Attribute):
            return self._read(node, node.func.value)
        return self.generic_visit(node)


def captured(b: Builder, *nodes: gast.AST | None) -> dict[str, Thing]:
    """The things that an exception's expression reads, by name."""
    found: dict[str, Thing] = {}
    for node in nodes:
        if node is None:
            continue
        for name in sorted(free_names(node)):
            if name.startswith(HIDDEN):
                continue
            thing = b.env.get(name)
            if name in b.env or name in b.locals:
                if thing is None or (isinstance(thing, Unbound) and thing.value is None):
                    raise Unsupported(
                        node,
                        f"{name} is read before it is assigned",
                        "Python raises UnboundLocalError",
                    )
                thing = thing.value if isinstance(thing, Unbound) else thing
                if isinstance(thing, Row):
                    raise Unsupported(node, "a row in an exception", "its text is the row's own")
                structure = isinstance(thing, (Value, Seq, Map, Record)) and not any_maybe(thing)
                if thing is not None and any(v.fact.rank for v in leaves(thing)):
                    raise Unsupported(node, "an array in an exception", "its text is the sample's")
                if structure or (isinstance(thing, Known) and _plain(thing)):
                    assert thing is not None
                    found[name] = thing
                    continue
                raise Unsupported(
                    node, f"{describe(thing)} in an exception", "it is known only while compiling"
                )
            _capture_free(b, name, node)
    return found


def _plain(thing: Known) -> bool:
    return thing.expr is not None or thing.obj is None


def _capture_free(b: Builder, name: str, node: gast.AST) -> None:
    thing = free_name(b, name, node)
    if isinstance(thing, Known) and hasattr(thing.obj, "__code__"):
        raise Unsupported(
            node, f"{name}() in an exception", "a function is not called for one lane"
        )


@statement(gast.Assert)
def assert_(b: Builder, node: gast.Assert) -> None:
    """Raise AssertionError for the first lane whose test fails."""
    test = condition(b, node.test)
    message = [] if node.msg is None else [node.msg]
    exc = quote.expr("AssertionError(*message)", message=message)
    fields = _Fields(b)
    exc = fields.visit(exc)
    error = Raise(exc, None, {**captured(b, *exc.args), **fields.found}, b.line)
    if isinstance(test.op, Const):
        if not test.op.value:
            b.add(error)
        return
    if b.attempts:
        raise Unsupported(node, "assert inside try", "it is not followed to the handler")
    b.add(Check(negated(b, test), error, b.line))
