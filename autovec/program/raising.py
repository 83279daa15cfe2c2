"""``raise`` and ``assert``: what an exception's message is made of."""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.binding import free_name
from autovec.program.build import Builder, statement
from autovec.program.nodes import Check, Raise
from autovec.program.things import (
    Caught,
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
    b.add(made(b, node))


def made(b: Builder, node: gast.Raise) -> Raise:
    """The exception of a raise statement, its message made from the lane's own values."""
    again = caught_again(b, node)
    if again is not None:
        kept: Raise = again.made
        return kept
    assert node.exc is not None
    fields = _Fields(b)
    cause = node.cause
    if isinstance(cause, gast.Name) and isinstance(b.env.get(cause.id), Caught):
        cause = None  # where it came from: the loop's own traceback tells
    exc, cause = fields.visit(node.exc), cause and fields.visit(cause)
    return Raise(exc, cause, {**captured(b, exc, cause), **fields.found}, b.line)


def caught_again(b: Builder, node: gast.Raise) -> Caught | None:
    """The exception that a handler raises again."""
    caught: Any = None
    if node.exc is None:
        if not b.ways.caught:
            raise Unsupported(node, "raise without an exception", "there is none to raise again")
        caught = b.ways.caught[-1]
    elif isinstance(node.exc, gast.Name):
        caught = b.env.get(node.exc.id)
    if isinstance(caught, Caught) and caught.made is None:
        raise Unsupported(node, "raise of what was caught", "several places may have raised it")
    return caught if isinstance(caught, Caught) else None


def raised(b: Builder, node: gast.Raise) -> tuple[type[BaseException], Raise]:
    """The class that a raise statement raises, and how."""
    again = caught_again(b, node)
    if again is not None and again.error is not None:
        return again.error, again.made
    exc = node.exc.func if isinstance(node.exc, gast.Call) else node.exc
    thing = b.expr(exc) if exc is not None else None
    if (
        isinstance(thing, Known)
        and isinstance(thing.obj, type)
        and issubclass(thing.obj, BaseException)
    ):
        return thing.obj, made(b, node)
    raise Unsupported(node, "raise of something that is not an exception class", "")


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
                if isinstance(thing, Caught) and thing.text is not None and not shows(node, name):
                    found[name] = thing.text
                    continue
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


def shows(node: gast.AST, name: str) -> bool:
    """Is it read in another way than as its text: by ``repr``, an attribute, a type?"""
    plain = 0
    for part in gast.walk(node):
        if isinstance(part, gast.FormattedValue) and part.conversion == -1:
            plain += isinstance(part.value, gast.Name) and part.value.id == name
        elif isinstance(part, gast.Call) and isinstance(part.func, gast.Name):
            called = part.func.id == "str" and len(part.args) == 1
            plain += called and isinstance(part.args[0], gast.Name) and part.args[0].id == name
    reads = sum(isinstance(p, gast.Name) and p.id == name for p in gast.walk(node))
    return plain != reads


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
    b.add(Check(negated(b, test), error, b.line))
