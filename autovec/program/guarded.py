"""The statements of a ``try``: before what may raise, the lanes where it does go to the handler.

The body is first written with one operation a statement.  Each statement is built once to see what
it may raise, then for good, between the tests of where it does:

    try:                                 if x == 0:
        return 1 / math.sin(x)    ->         return 0.0
    except ZeroDivisionError:            ...

so each name holds, in the handler, what it held when the exception came.  From inside of a loop or
of an inner ``try``, a handler that returns is built in place.  The lanes that any other one answers
for set a flag, and leave the loop or skip the rest of the inner ``try``; behind it the flag is
asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gast

from autovec.canonical.loops import leaves as contains
from autovec.canonical.loops import with_flag
from autovec.canonical.match import without_match
from autovec.canonical.operations import one_at_a_time, operates
from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.failing import Attempt, DryRun, Escape, Failure, caught_by
from autovec.program.nodes import Block, Check, Exit, Let, Raise, defined, walk
from autovec.program.raising import captured, raised
from autovec.program.things import Caught, Thing, literal
from autovec.program.truth import condition, negated, truth_fact
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.walking import located, updated

Rest = Callable[[], None]
_LEFT = f"{HIDDEN}{HIDDEN}failed{HIDDEN}"


def nothing() -> None:
    """Nothing comes behind."""


def flag(depth: int, k: int) -> str:
    """Says of a lane that the handler of an outer ``try`` answers for its exception."""
    return f"{_LEFT}{depth}_{k}"


def flags(env: dict[str, Thing]) -> list[str]:
    """The flags of all tries around."""
    return [name for name in env if name.startswith(_LEFT)]


def protected(b: Builder, body: list[gast.stmt], after: Rest = nothing) -> None:
    """Build statements that stand in no ``try`` of their own, but maybe inside of others."""
    if b.attempts:
        Guarded(b, None).run(one_at_a_time(body, HIDDEN + HIDDEN), after)
        return
    b.statements(body)
    if b.block.falls:
        after()


def loop_body(b: Builder, body: list[gast.stmt]) -> None:
    """Build the body of a loop: lanes that a handler behind the loop answers for leave it."""
    if b.attempts:
        Guarded(b, None, True).run(one_at_a_time(body, HIDDEN + HIDDEN), nothing)
    else:
        b.statements(body)


def unwind(b: Builder, keep: int, then: Rest) -> None:
    """Run the ``finally`` clauses that a way out passes, innermost first, but for ``keep``."""
    if len(b.ways.finals) <= keep:
        then()
        return
    attempts, finals = b.attempts, b.ways.finals
    b.attempts, b.ways.finals = attempts[: finals[-1].depth], finals[:-1]
    try:
        protected(b, finals[-1].body, lambda: unwind(b, keep, then))
    finally:
        b.attempts, b.ways.finals = attempts, finals


@dataclass
class Guarded:
    """Builds statements, each with its exits to the handlers.

    ``attempt`` is the try whose body they are; ``breaks``: they are a loop's.
    """

    b: Builder
    attempt: Attempt | None
    breaks: bool = False

    def run(self, body: list[gast.stmt], after: Rest) -> None:
        """These statements, then what comes behind them."""
        b = self.b
        if not b.block.falls:
            return
        if not body:
            after()
            return
        first, rest = body[0], body[1:]
        b.line = getattr(first, "lineno", b.line)

        def go_on() -> None:
            self.run(rest, after)

        if isinstance(first, gast.If):
            if dry_run(b, located(quote.stmt("test", test=first.test), first)).fails:
                raise in_condition(first)
            test = condition(b, first.test)
            b.branch(
                test,
                lambda: self.run([*first.body, *rest], after),
                lambda: self.run([*first.orelse, *rest], after),
                first,
            )
        elif isinstance(first, gast.Raise):
            self.raised(first)
        elif isinstance(first, gast.Assert):
            self.asserted(first, go_on)
        elif isinstance(first, gast.Try):
            b.statements([first])
            self.resume(go_on, first)
        elif isinstance(first, (gast.For, gast.While)):
            self.loop(first, rest, after)
        elif isinstance(first, gast.Match):
            subject = f"{HIDDEN}{HIDDEN}subject{len(body)}"
            self.run([*one_at_a_time(without_match(first, subject), HIDDEN * 3), *rest], after)
        elif isinstance(first, (gast.Return, gast.Break)) and b.ways.finals:
            self.exit(first, go_on)
        elif isinstance(first, gast.With):
            raise Unsupported(first, "with inside try", "what it runs is not followed")
        else:
            self.one(first, dry_run(b, first), go_on)

    def exit(self, node: gast.Return | gast.Break, go_on: Rest) -> None:
        """A way out through ``finally``: what is returned is known before the clauses run."""

        def leave() -> None:
            self.b.statements([made])
            self.resume(go_on, node)

        if isinstance(node, gast.Break) or node.value is None:
            made: gast.stmt = node
            leave()
        else:
            name = f"{HIDDEN}{HIDDEN}returned"
            first = quote.stmt("name = value", name=name, value=node.value)
            made = updated(node, value=gast.copy_location(quote.name(name), node))
            self.run([gast.copy_location(first, node)], leave)

    def loop(self, node: gast.For | gast.While, rest: list[gast.stmt], after: Rest) -> None:
        """A loop, behind it the lanes that left it for a handler; its else is for the others."""
        b = self.b
        if node.orelse:
            made = with_flag(node, f"{HIDDEN}broke{HIDDEN}{b.line}")
            if not any(contains(s, gast.Break) for s in node.body):
                made = [updated(node, orelse=[]), *node.orelse]
            self.run([*one_at_a_time(made, HIDDEN * 4), *rest], after)
            return
        if isinstance(node, gast.For):
            if dry_run(b, located(quote.stmt("items", items=node.iter), node)).fails:
                raise in_condition(node.iter)
        elif operates(node.test):  # it is asked at every trip, with names that change
            leave = located(quote.stmt("if not test:\n    break", test=node.test), node)
            endless = located(quote.expr("True"), node)
            node = updated(node, test=endless, body=[leave, *node.body])
        b.statements([node])
        self.resume(lambda: self.run(rest, after), node)

    def leave(self, attempt: Attempt, k: int, caught: Caught) -> Rest:
        """To a handler: in place where that may be, else by a flag of the outer try."""
        b = self.b
        depth = next(i for i, a in enumerate(b.attempts) if a is attempt)
        if attempt is self.attempt or attempt.anywhere[k]:
            keep = sum(f.depth <= depth for f in b.ways.finals)
            return lambda: unwind(b, keep, lambda: attempt.handle(k, caught))

        def escape() -> None:
            b.env.update(dict.fromkeys(flags(b.env), b.const(False)))
            b.env[flag(depth, k)] = b.const(True)
            if self.breaks:
                b.add(Exit(b.line, dict(b.env)))

        return escape

    def resume(self, go_on: Rest, node: gast.AST) -> None:
        """Behind an inner try or a loop: the lanes that left it for a handler around."""
        b = self.b
        set_: list[tuple[Value, Rest]] = []
        for depth, attempt in enumerate(b.attempts):
            for k in range(len(attempt.catches)):
                value = b.env.get(flag(depth, k))
                if isinstance(value, Value) and literal(value) is not False:
                    set_.append((value, self.leave(attempt, k, Caught())))

        def next_(i: int) -> None:
            if i == len(set_):
                go_on()
            else:
                b.branch(set_[i][0], set_[i][1], lambda: next_(i + 1), node)

        if b.block.falls:
            next_(0)

    def raised(self, node: gast.Raise) -> None:
        """``raise``: to the handler that answers for it, or out of the function."""
        b = self.b
        error, made = raised(b, node)
        found = caught_by(b.attempts, error)
        if found is None:
            b.add(made)
        else:
            self.leave(*found, Caught(error, made, literal_text(b, error, made)))()

    def asserted(self, node: gast.Assert, go_on: Rest) -> None:
        """``assert``: the lanes that fail it, to their handler."""
        b = self.b
        found = caught_by(b.attempts, AssertionError)
        if dry_run(b, located(quote.stmt("test", test=node.test), node)).fails:
            raise in_condition(node)
        test = negated(b, condition(b, node.test))
        message = [] if node.msg is None else [node.msg]
        exc = quote.expr("AssertionError(*message)", message=message)
        error = Raise(exc, None, captured(b, node.msg), b.line)
        if found is None:
            b.add(Check(test, error, b.line))
            go_on()
        else:
            caught = Caught(AssertionError, error, literal_text(b, AssertionError, error))
            b.branch(test, self.leave(*found, caught), go_on, node)

    def one(self, node: gast.stmt, dry: DryRun, go_on: Rest) -> None:
        """A statement with one operation, between its operands' checks and its result's."""
        b = self.b
        before = [f for f in dry.failures if not f.after]
        later = [f for f in dry.failures if f.after]
        if dry.nested:
            raise in_condition(node)
        if len(dry.results) + len({id(e.call) for e in dry.escapes}) > 1:
            raise Unsupported(node, "two operations that may raise in one step", "")

        def checked(i: int) -> None:
            if i < len(before):
                self.split(before[i], before[i].args, lambda: checked(i + 1), node)
                return
            first, held = len(b.block.nodes), dict(b.env)
            escapes, b.ways.escapes = b.ways.escapes, []
            b.statements([node])
            found, b.ways.escapes = b.ways.escapes, escapes
            if later:
                result_checked(0, _last_result(b, first), held)
            else:
                escaped(found, held)

        def result_checked(i: int, made: Value, held: dict[str, Thing]) -> None:
            if i == len(later):
                self.resume(go_on, node)
            else:
                args = (*later[i].args, made)
                rest = lambda: result_checked(i + 1, made, held)  # noqa: E731
                self.split(later[i], args, rest, node, held)

        def escaped(found: list[Escape], held: dict[str, Thing]) -> None:
            if not found:
                self.resume(go_on, node)
                return
            e, *others = found
            leave = self.leave(e.attempt, e.handler, Caught())
            b.branch(e.test, as_before(b, held, leave), lambda: escaped(others, held), node)

        checked(0)

    def split(
        self,
        failure: Failure,
        args: tuple[Value, ...],
        rest: Rest,
        node: gast.AST,
        held: dict[str, Thing] | None = None,
    ) -> None:
        """The lanes of a failure go to its handler, the others on."""
        ordered = dict(zip(failure.test.params, args, strict=True))
        read = [ordered[p] for p in failure.test.params]
        test = self.b.apply(failure.test, *read, fact=truth_fact(*read))
        leave = self.leave(failure.attempt, failure.handler, failure.caught)
        if held is not None:
            leave = as_before(self.b, held, leave)
        self.b.branch(test, leave, rest, node)


def as_before(b: Builder, held: dict[str, Thing], leave: Rest) -> Rest:
    """To a handler, which sees the names as they were before the statement that raised."""

    def go() -> None:
        b.env = dict(held)
        leave()

    return go


def in_condition(node: gast.AST) -> Unsupported:
    """What is computed for some lanes only has its exceptions for them only."""
    return Unsupported(
        node,
        "an operation inside a condition inside try",
        "its operands are not computed for every lane",
    )


def literal_text(b: Builder, error: type[BaseException], made: Raise) -> Value | None:
    """What ``str`` gives of an exception whose only argument is a string literal."""
    exc = made.exc
    if isinstance(exc, gast.Call) and len(exc.args) == 1 and not exc.keywords:
        text = getattr(exc.args[0], "value", None)
        if isinstance(text, str) and error.__module__ == "builtins":
            return b.const(str(error(text)))
    return None


def dry_run(b: Builder, node: gast.stmt) -> DryRun:
    """What one statement may raise: it is built and thrown away."""
    before = (dict(b.env), len(b.returns), len(b.notes), b.dry, b.ways.escapes)
    dry = b.dry = DryRun(Block())
    b.ways.escapes = dry.escapes
    try:
        with b.into(dry.block):
            b.statements([node])
    finally:
        b.env, b.dry, b.ways.escapes = before[0], before[3], before[4]
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
