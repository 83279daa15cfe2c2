"""``try``: its handlers, ``else`` and ``finally``; see guarded.py for its body."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gast

from autovec.canonical.operations import one_at_a_time
from autovec.errors import Unsupported
from autovec.program.build import Builder, statement
from autovec.program.failing import Attempt, Classes, Final
from autovec.program.guarded import Guarded, flag, nothing, protected, unwind
from autovec.program.nodes import Return
from autovec.program.things import NONE, Caught, Known, Seq, Thing, Unbound
from autovec.syntax.names import HIDDEN

_EXITS = (gast.Return, gast.Break, gast.Continue)


@statement(gast.Try)
def try_(b: Builder, node: gast.Try) -> None:
    """A ``try`` statement: what its operations raise is known before they are computed."""
    if not node.finalbody:
        attempted(b, node)
        return
    for part in (p for s in node.finalbody for p in gast.walk(s)):
        if isinstance(part, (*_EXITS, gast.Raise)):
            raise Unsupported(part, "an exit from a finally", "it would hide what was raised")
    depth, keep = len(b.attempts), len(b.ways.finals)
    b.ways.finals = [*b.ways.finals, Final(node.finalbody, depth)]
    try:
        if node.handlers:
            attempted(b, node)
        else:
            protected(b, [*node.body, *node.orelse])
        if b.block.falls:
            unwind(b, keep, nothing)
    finally:
        b.ways.finals = b.ways.finals[:keep]


def attempted(b: Builder, node: gast.Try) -> None:
    """The body, the handlers and the else of a ``try``."""
    handlers = [h for h in node.handlers if isinstance(h, gast.ExceptHandler)]
    depth = len(b.attempts)

    def handle(k: int, caught: Caught) -> None:
        with outside(b, depth):
            name = getattr(handlers[k].name, "id", None)
            if name is not None:
                b.env[name] = caught
            b.ways.caught.append(caught)
            try:
                protected(b, handlers[k].body)
            finally:
                b.ways.caught.pop()
            if name is not None:
                b.env[name] = Unbound(name)

    attempt = Attempt(
        tuple(classes(b, h) for h in handlers), handle, tuple(leaves(h.body) for h in handlers)
    )
    flags = [flag(depth, k) for k in range(len(handlers))]
    b.env.update(dict.fromkeys(flags, b.const(False)))

    def otherwise() -> None:
        with outside(b, depth):
            protected(b, node.orelse)

    b.attempts.append(attempt)
    try:
        Guarded(b, attempt).run(one_at_a_time(node.body, HIDDEN + HIDDEN), otherwise)
    finally:
        b.attempts.pop()
    for name in flags:
        b.env.pop(name, None)


@contextmanager
def outside(b: Builder, depth: int) -> Iterator[None]:
    """Build code that only the outer tries, so many of them, answer for."""
    inside, b.attempts = b.attempts, b.attempts[:depth]
    try:
        yield
    finally:
        b.attempts = inside


def leaves(body: list[gast.stmt]) -> bool:
    """Does a handler leave the function on every way, and no loop: may it stand anywhere?"""
    parts = [p for s in body for p in gast.walk(s)]
    if any(isinstance(p, (gast.Break, gast.Continue, gast.For, gast.While)) for p in parts):
        return False
    last = body[-1]
    if isinstance(last, gast.If):
        return leaves(last.body) and bool(last.orelse) and leaves(last.orelse)
    return isinstance(last, gast.Return)


def within_caller(b: Builder, catches: tuple[Classes, ...]) -> None:
    """The body of a helper stands in the tries of its caller: it returns which handler answers."""

    def handle(k: int, caught: Caught) -> None:
        made = Return(NONE, line=b.line, escape=k)
        b.returns.append(made)
        b.add(made)

    b.attempts.append(Attempt(catches, handle, (True,) * len(catches)))
    b.env.update({flag(0, k): b.const(False) for k in range(len(catches))})


def classes(b: Builder, handler: gast.ExceptHandler) -> Classes:
    """The exception classes of an ``except`` clause."""
    if handler.type is None:
        return (BaseException,)
    return tuple(_class_of(t, handler) for t in _flat(b.expr(handler.type)))


def _flat(thing: Thing) -> list[Thing]:
    if isinstance(thing, Seq):
        return [t for item in thing.items for t in _flat(item)]
    if isinstance(thing, Known) and isinstance(thing.obj, tuple):
        return [Known(c) for c in thing.obj]
    return [thing]


def _class_of(thing: Thing, handler: gast.ExceptHandler) -> type[BaseException]:
    if (
        isinstance(thing, Known)
        and isinstance(thing.obj, type)
        and issubclass(thing.obj, BaseException)
    ):
        return thing.obj
    raise Unsupported(handler, "except of something that is not an exception class", "")
