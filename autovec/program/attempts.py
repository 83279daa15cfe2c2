"""``try`` around arithmetic: the lanes that would raise go to the handler, as a branch.

The body is first written with one operation a statement.  Before an operation that a handler
answers for, the lanes where Python would raise take the handler instead of the rest of the body:

    try:                                 if x == 0:
        return 1 / math.sin(x)    ->         return 0.0
    except ZeroDivisionError:            ...

so each name holds, in the handler, what it held when the exception came.  In a ``try`` inside a
``try``, the lanes whose exception the outer one catches set a flag and skip the rest of the inner
one; the outer one asks for the flag behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gast

from autovec.canonical.operations import one_at_a_time
from autovec.errors import Unsupported
from autovec.program.build import Builder, statement
from autovec.program.failing import Attempt, DryRun, Failure
from autovec.program.nodes import Block, Let, defined, walk
from autovec.program.things import Known, Seq, Thing, literal
from autovec.program.truth import condition, truth_fact
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.walking import located

Rest = Callable[[], None]


@statement(gast.Try)
def try_(b: Builder, node: gast.Try) -> None:
    """A ``try`` statement whose exceptions come from arithmetic."""
    if node.finalbody:
        _no_exits(node)
        if b.attempts:
            raise Unsupported(
                node, "a try with a finally inside try", "it would run on the way out"
            )
    handlers = [h for h in node.handlers if isinstance(h, gast.ExceptHandler)]
    attempt = Attempt(tuple(classes(b, h) for h in handlers))

    def outside(body: list[gast.stmt]) -> None:
        inside = b.attempts.pop()
        try:
            protected(b, body)
        finally:
            b.attempts.append(inside)

    def handler(k: int) -> Rest:
        def run() -> None:
            name = handlers[k].name
            if isinstance(name, gast.Name):
                b.env.pop(name.id, None)
            outside(handlers[k].body)

        return run

    flags = [flag(len(b.attempts), k) for k in range(len(handlers))]
    b.env.update(dict.fromkeys(flags, b.const(False)))
    b.attempts.append(attempt)
    try:
        Guarded(b, attempt, handler).run(
            one_at_a_time(node.body, HIDDEN + HIDDEN), lambda: outside(node.orelse)
        )
    finally:
        b.attempts.pop()
    for name in flags:
        b.env.pop(name, None)
    if b.block.falls:
        b.statements(node.finalbody)


def flag(depth: int, k: int) -> str:
    """Says of a lane that the handler of an outer ``try`` answers for its exception."""
    return f"{HIDDEN}{HIDDEN}left{depth}_{k}"


def protected(b: Builder, body: list[gast.stmt]) -> None:
    """Build statements that stand in no ``try`` of their own, but maybe inside of others."""
    if not b.attempts:
        b.statements(body)
        return
    Guarded(b, None, lambda k: lambda: None).run(one_at_a_time(body, HIDDEN + HIDDEN), lambda: None)


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


@dataclass
class Guarded:
    """Builds the statements of a try's body, each with its exits to the handlers."""

    b: Builder
    attempt: Attempt | None
    handler: Callable[[int], Rest]

    def run(self, body: list[gast.stmt], after: Rest) -> None:
        """These statements, then what comes behind them."""
        b = self.b
        if not b.block.falls:
            return
        if not body:
            after()
            return
        first, rest = body[0], body[1:]

        def go_on() -> None:
            self.run(rest, after)

        if isinstance(first, gast.If):
            if dry_run(b, located(quote.stmt("test", test=first.test), first)).failures:
                raise in_condition(first)
            test = condition(b, first.test)
            b.branch(
                test,
                lambda: self.run([*first.body, *rest], after),
                lambda: self.run([*first.orelse, *rest], after),
                first,
            )
        elif isinstance(first, gast.Raise):
            self.leave(*self.caught(first))()
        elif isinstance(first, gast.Try):
            b.statements([first])
            self.resume(go_on, first)
        elif isinstance(first, (gast.For, gast.While, gast.Assert, gast.With)):
            raise Unsupported(
                first,
                f"{type(first).__name__.lower()} inside try",
                "only arithmetic is followed to the handler",
            )
        else:
            self.one(first, dry_run(b, first), go_on)

    def leave(self, attempt: Attempt, k: int) -> Rest:
        """To a handler: of this try at once, of an outer one by its flag."""
        b = self.b
        if attempt is self.attempt:
            return self.handler(k)
        name = flag(next(i for i, a in enumerate(b.attempts) if a is attempt), k)

        def escape() -> None:
            b.env[name] = b.const(True)

        return escape

    def resume(self, go_on: Rest, node: gast.AST) -> None:
        """Behind an inner try: the lanes that it left for a handler of this one or an outer one."""
        b = self.b
        set_: list[tuple[Value, Rest]] = []
        for depth, attempt in enumerate(b.attempts):
            for k in range(len(attempt.catches)):
                value = b.env[flag(depth, k)]
                if isinstance(value, Value) and literal(value) is not False:
                    set_.append((value, self.leave(attempt, k)))

        def next_(i: int) -> None:
            if i == len(set_):
                go_on()
            else:
                b.branch(set_[i][0], set_[i][1], lambda: next_(i + 1), node)

        if b.block.falls:
            next_(0)

    def caught(self, node: gast.Raise) -> tuple[Attempt, int]:
        """The handler that answers for a raise statement."""
        error = raised(self.b, node)
        for attempt in reversed(self.b.attempts):
            k = attempt.handler_of(error)
            if k is not None:
                return attempt, k
        raise Unsupported(node, "raise through a try", "it is not followed to the caller")

    def one(self, node: gast.stmt, dry: DryRun, go_on: Rest) -> None:
        """A statement with one operation, between its operands' checks and its result's."""
        b = self.b
        before = [f for f in dry.failures if not f.after]
        later = [f for f in dry.failures if f.after]
        if dry.nested:
            raise in_condition(node)
        if len(dry.results) > 1:
            raise Unsupported(node, "two operations that may raise in one step", "")

        def checked(i: int) -> None:
            if i < len(before):
                self.split(before[i], before[i].args, lambda: checked(i + 1), node)
                return
            first = len(b.block.nodes)
            b.statements([node])
            if later:
                result_checked(0, _last_result(b, first))
            else:
                go_on()

        def result_checked(i: int, made: Value) -> None:
            if i == len(later):
                go_on()
            else:
                args = (*later[i].args, made)
                self.split(later[i], args, lambda: result_checked(i + 1, made), node)

        checked(0)

    def split(self, failure: Failure, args: tuple[Value, ...], rest: Rest, node: gast.AST) -> None:
        """The lanes of a failure go to its handler, the others on."""
        ordered = dict(zip(failure.test.params, args, strict=True))
        read = [ordered[p] for p in failure.test.params]
        test = self.b.apply(failure.test, *read, fact=truth_fact(*read))
        self.b.branch(test, self.leave(failure.attempt, failure.handler), rest, node)


def in_condition(node: gast.AST) -> Unsupported:
    """What is computed for some lanes only has its exceptions for them only."""
    return Unsupported(
        node,
        "an operation inside a condition inside try",
        "its operands are not computed for every lane",
    )


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


def dry_run(b: Builder, node: gast.stmt) -> DryRun:
    """What one statement may raise: it is built and thrown away."""
    before = (dict(b.env), len(b.returns), len(b.notes), b.dry)
    dry = b.dry = DryRun(Block())
    try:
        with b.into(dry.block):
            b.statements([node])
    finally:
        b.env, b.dry = before[0], before[3]
        del b.returns[before[1] :], b.notes[before[2] :]
    inside = {id(v) for n in walk(dry.block) for v in defined(n)}
    if any(id(a) in inside for f in dry.failures for a in f.args):
        raise in_condition(node)
    return dry


def _last_result(b: Builder, first: int) -> Value:
    made = [
        n.value
        for n in b.block.nodes[first:]
        if isinstance(n, Let) and getattr(n.value.op, "ignore", False)
    ]
    return made[-1]
