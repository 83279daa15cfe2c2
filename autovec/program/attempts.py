"""``try`` around arithmetic: the lanes that would raise go to the handler, as a branch.

The body is first written with one operation a statement.  Before an operation that a handler
answers for, the lanes where Python would raise take the handler instead of the rest of the body:

    try:                                 if x == 0:
        return 1 / math.sin(x)    ->         return 0.0
    except ZeroDivisionError:            ...

so each name holds, in the handler, what it held when the exception came.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autovec.canonical.operations import one_at_a_time
from autovec.errors import Unsupported
from autovec.program.build import Attempt, Builder, statement
from autovec.program.nodes import Block, Let, walk
from autovec.program.things import Known, Seq, Thing
from autovec.program.truth import truth
from autovec.program.values import Operation, Value

Rest = Callable[[], None]


@statement(gast.Try)
def try_(b: Builder, node: gast.Try) -> None:
    """A ``try`` statement whose exceptions come from arithmetic."""
    if node.finalbody:
        _no_exits(node)
    handlers = [h for h in node.handlers if isinstance(h, gast.ExceptHandler)]
    attempt = Attempt(tuple(classes(b, h) for h in handlers))
    body = one_at_a_time(node.body, b.locals)

    def handler(k: int) -> Rest:
        def run() -> None:
            name = handlers[k].name
            if isinstance(name, gast.Name):
                b.env.pop(name.id, None)
            inside = b.attempts.pop()
            try:
                b.statements(handlers[k].body)
            finally:
                b.attempts.append(inside)

        return run

    def after() -> None:
        inside = b.attempts.pop()
        try:
            b.statements(node.orelse)
        finally:
            b.attempts.append(inside)

    b.attempts.append(attempt)
    try:
        guarded(b, attempt, body, handler, after)
    finally:
        b.attempts.pop()
    if b.block.falls:
        b.statements(node.finalbody)


def _no_exits(node: gast.Try) -> None:
    for part in gast.walk(node):
        if isinstance(part, (gast.Return, gast.Break, gast.Continue, gast.Raise)):
            raise Unsupported(
                part, "leaving a try with a finally", "the finally would run on the way out"
            )


def classes(b: Builder, handler: gast.ExceptHandler) -> tuple[type[BaseException], ...]:
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


def guarded(
    b: Builder, attempt: Attempt, body: list[gast.stmt], handler: Callable[[int], Rest], after: Rest
) -> None:
    """Build statements of a try's body, each with its exits to the handlers."""
    if not b.block.falls:
        return
    if not body:
        after()
        return
    first, rest = body[0], body[1:]

    def go_on() -> None:
        guarded(b, attempt, rest, handler, after)

    if isinstance(first, gast.If):
        test = truth(b, b.expr(first.test), first.test)
        b.branch(
            test,
            lambda: guarded(b, attempt, [*first.body, *rest], handler, after),
            lambda: guarded(b, attempt, [*first.orelse, *rest], handler, after),
            first,
        )
        return
    if isinstance(first, gast.Raise):
        k = attempt.handler_of(raised(b, first))
        if k is None:
            raise Unsupported(
                first, "raise through an outer try", "it is not followed to the handler"
            )
        handler(k)()
        return
    if isinstance(first, (gast.For, gast.While, gast.Try, gast.Assert, gast.With)):
        raise Unsupported(
            first,
            f"{type(first).__name__.lower()} inside try",
            "only arithmetic is followed to the handler",
        )
    checks, results = dry_run(b, attempt, first)
    one_statement(b, first, checks, len(results), handler, go_on)


def raised(b: Builder, node: gast.Raise) -> type[BaseException]:
    """The class that a raise statement raises."""
    exc = node.exc.func if isinstance(node.exc, gast.Call) else node.exc
    thing = b.expr(exc) if exc is not None else None
    if (
        isinstance(thing, Known)
        and isinstance(thing.obj, type)
        and issubclass(thing.obj, BaseException)
    ):
        return thing.obj
    raise Unsupported(node, "raise of something that is not an exception class", "")


def dry_run(b: Builder, attempt: Attempt, node: gast.stmt) -> tuple[list[Any], list[Value]]:
    """The checks of one statement, which is built and thrown away."""
    before = (dict(b.env), len(b.returns), len(b.notes))
    attempt.collecting = True
    attempt.checks, attempt.results = [], []
    try:
        scratch = Block()
        with b.into(scratch):
            b.statements([node])
    finally:
        attempt.collecting = False
        b.env = before[0]
        del b.returns[before[1] :], b.notes[before[2] :]
    inside = {id(n.value) for n in walk(scratch) if isinstance(n, Let)}
    if any(id(a) in inside for _, _, args, _ in attempt.checks for a in args):
        raise Unsupported(
            node,
            "an operation inside a condition inside try",
            "its operands are not computed for every lane",
        )
    return attempt.checks, attempt.results


def one_statement(
    b: Builder,
    node: gast.stmt,
    checks: list[Any],
    results: int,
    handler: Callable[[int], Rest],
    go_on: Rest,
) -> None:
    """A statement with one operation, between its operands' checks and its result's."""
    before = [c for c in checks if not c[3]]
    later = [c for c in checks if c[3]]
    if results > 1:
        raise Unsupported(node, "two operations that may raise in one step", "")

    def checked(k: int) -> None:
        if k < len(before):
            which, test, args, _ = before[k]
            b.branch(_test(b, test, args), handler(which), lambda: checked(k + 1), node)
            return
        first = len(b.block.nodes)
        if later:
            b.statements([node])
            made = _last_result(b, first)
            result_checked(0, made)
        else:
            b.statements([node])
            go_on()

    def result_checked(k: int, made: Value) -> None:
        if k == len(later):
            go_on()
            return
        which, test, args, _ = later[k]
        b.branch(
            _test(b, test, (*args, made)), handler(which), lambda: result_checked(k + 1, made), node
        )

    checked(0)


def _test(b: Builder, op: Operation, args: tuple[Value, ...]) -> Value:
    ordered = dict(zip(op.params, args, strict=True))
    return b.apply(op, *(ordered[p] for p in op.params))


def _last_result(b: Builder, first: int) -> Value:
    made = [
        n.value
        for n in b.block.nodes[first:]
        if isinstance(n, Let) and getattr(n.value.op, "ignore", False)
    ]
    return made[-1]
