"""Building a region program from the user's tree, by abstract interpretation.

The builder walks the statements once, with an environment that maps each of the user's names to
what it holds there: a value with its fact, a structure of values, or an object known while
compiling.  Expressions and statements register themselves by node type (see the sibling modules);
this module holds the state they share and the one way in which branches are made and joined.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program import probe
from autovec.program.agreement import Late, has_unknown, late_fact
from autovec.program.facts import Fact, Lanes, common_lanes, scalar_fact, uniform_fact
from autovec.program.failing import Attempt, DryRun, Ways
from autovec.program.joining import Joiner
from autovec.program.marks import Mark, last_resort
from autovec.program.narrowing import narrowed
from autovec.program.nodes import Block, If, Let, Node, Raise, Return
from autovec.program.noted import Below, NamedNumbers, Note
from autovec.program.probe import ROUNDS_ALIKE, one_of, result_fact
from autovec.program.scope import (
    MISSING,
    Capture,
    Captures,
    Scope,
    Step,
    Unread,
    follow,
    path_of,
    plain,
)
from autovec.program.things import Known, Once, Thing, describe
from autovec.program.values import Const, Operation, Path, Value
from autovec.syntax import quote

ExprRule = Callable[["Builder", Any], Thing]
StmtRule = Callable[["Builder", Any], None]
EXPRESSIONS: dict[type, ExprRule] = {}
STATEMENTS: dict[type, StmtRule] = {}
ONLY_ONCE = "it can be run through only once; a list or tuple of it can be kept"
#: a program nested deeper than this is refused before it overflows the compiler's own stack
MAX_DEPTH = 150


def expression(*kinds: type) -> Callable[[ExprRule], ExprRule]:
    """Register the builder of an expression node."""

    def register(rule: ExprRule) -> ExprRule:
        EXPRESSIONS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def statement(*kinds: type) -> Callable[[StmtRule], StmtRule]:
    """Register the builder of a statement node."""

    def register(rule: StmtRule) -> StmtRule:
        STATEMENTS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


class Unknown(Exception):
    """A function calls itself, and what it returns is not known in this round."""


_ATOMS = (gast.Name, gast.Constant, gast.Starred)


class Builder:
    """The state of building one function for one set of facts.

    ``given`` are the parameters that a caller passes: what is read below them is the caller's.
    """

    def __init__(self, fn: types.FunctionType, captures: Captures, unit: Any, lanes: Lanes) -> None:
        self.fn = fn
        self.scope = Scope(fn)
        self.captures = captures
        self.unit = unit
        self.lanes, self.owner = lanes, fn if fn is not unit.function else None
        self.given: frozenset[str] = frozenset()
        self.below: list[Below] = []
        self.foreign: frozenset[object] = frozenset()  # lists and dicts that a caller holds
        self.block = Block()
        self.late = Late()
        self.env: dict[str, Thing] = {}
        self.outer: dict[str, Thing] | None = None
        self.stores = 0  # into arrays, so far
        self.borrowed: tuple[str, ...] = ()  # parameters that it may store into
        self.callers: list[dict[str, Thing]] = []  # around a local function being inlined
        self.statement: gast.stmt | None = None
        self.notes: list[Note] = []
        self.attempts: list[Attempt] = []
        self.ways = Ways()
        self.dry: DryRun | None = None
        self.returns: list[Return] = []
        self.loops: list[int] = []  # of each: how many finally clauses stand around
        self.locals: set[str] = set()
        self.numbers = NamedNumbers()
        # nesting: how deep an expression stands in its statement; letters: in how many loops over
        # the letters of strings
        self.line = self.depth = self.inlining = self.unrolling = self.nesting = self.letters = 0
        self.stopped = self.grows = False  # a way not built yet; arguments that come round
        self.whole = False  # the user's own function, not a helper
        self.trying = False  # an expression is looked at, and may as well be refused

    # ------------------------------------------------------------ dispatch
    def expr(self, node: gast.expr) -> Thing:
        """What an expression gives here."""
        thing = self.iterable(node)
        if isinstance(thing, Once):
            raise Unsupported(node, "an iterator that is not run through at once", ONLY_ONCE)
        return thing

    def iterable(self, node: gast.expr) -> Thing:
        """The same where it is run through at once, so that it may be an iterator."""
        rule = EXPRESSIONS.get(type(node))
        if rule is None:
            what = f"{type(node).__name__} in an expression"
            raise Unsupported(node, what, "it has no array form")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            why = f"more than {MAX_DEPTH} levels"
            raise Unsupported(node, "an expression nested too deeply", why)
        mark = None if self.trying or isinstance(node, _ATOMS) else Mark(self)
        self.nesting += 1
        try:
            thing = rule(self, node)
        except Unsupported as refusal:
            made = None if mark is None else last_resort(self, mark, node, refusal)
            if made is None:
                raise
            thing = made
        finally:
            self.depth -= 1
            self.nesting -= 1
        if isinstance(thing, Known) and isinstance(thing.obj, Unread):
            what = f"what {thing.obj.name} is cannot be read"
            raise Unsupported(node, what, thing.obj.why)
        return thing

    def attempt(self, node: gast.expr) -> Thing | None:
        """What an expression gives here, or None, and nothing has happened."""
        mark, before = Mark(self), self.trying
        self.trying = True
        try:
            return self.expr(node)
        except Unsupported:
            mark.restore(self)
            return None
        finally:
            self.trying = before

    def value(self, node: gast.expr) -> Value:
        """What an expression gives here, which has to be one number or string."""
        return self.as_value(self.expr(node), node)

    def as_value(self, thing: Thing, node: gast.AST) -> Value:
        """A thing as one value."""
        if isinstance(thing, Value):
            return thing
        fact = uniform_fact(thing.obj) if isinstance(thing, Known) and thing.expr else None
        if fact is None or not isinstance(thing, Known) or thing.expr is None:
            what = f"{describe(thing)} used as a number"
            raise Unsupported(node, what, "only scalars can be combined lane by lane")
        return Value(Path(thing.expr, self.capture(thing.expr, thing.obj)), (), fact)

    def statements(self, body: list[gast.stmt]) -> None:
        """Build statements until no lane is left."""
        for node in body:
            if not self.block.falls:
                return
            rule = STATEMENTS.get(type(node))
            if rule is None:
                what = f"the statement {type(node).__name__}"
                raise Unsupported(node, what, "it has no array form")
            self.line = getattr(node, "lineno", self.line)
            around, self.statement = self.statement, node
            self.depth += 1
            nesting, self.nesting = self.nesting, 0
            if self.depth > MAX_DEPTH:
                why = f"more than {MAX_DEPTH} levels"
                raise Unsupported(node, "statements nested too deeply", why)
            try:
                rule(self, node)
            except Unknown:
                self.stop(node)
            finally:
                self.depth -= 1
                self.statement = around
                self.nesting = nesting

    def stop(self, node: gast.AST) -> None:
        """Build no further here, in a round whose program is thrown away."""
        self.stopped = True
        if self.block.falls:
            self.add(Raise(quote.expr("RecursionError"), None, {}, self.line))

    # ------------------------------------------------------------ values
    def const(self, value: Any, written: gast.expr | None = None) -> Value:
        """A literal; ``written``: as the user has it."""
        fact = scalar_fact(value)
        if isinstance(value, str):
            fact = Fact(np.dtype(f"U{max(1, len(value))}"))
        if fact is None:
            raise TypeError(f"not a scalar: {value!r}")
        return Value(Const(value, written), (), fact, line=self.line)

    def capture(self, expr: gast.expr | None, obj: Any, values: bool = False) -> str:
        """Remember the object that ``root.attr[key]`` leads to; the root's name, or nothing."""
        found = path_of(expr)
        if found is None:
            return ""
        self.remember(*found, obj, values)
        return found[0]

    def remember(self, root: str, steps: tuple[Step, ...], obj: Any, values: bool = False) -> None:
        """The same for a path that is known already."""
        if root in self.given:
            self.below.append(Below(root, steps, obj, values))
        else:
            self.captures.add(root, steps, obj, values, self.owner)

    def path(self, expr: gast.expr, obj: Any) -> Thing:
        """A uniform object of the user's world, read by an expression."""
        root = self.capture(expr, obj)
        fact = scalar_fact(obj)
        if fact is None:
            return Known(obj, expr)
        value = Value(Path(expr, root), (), fact, line=self.line)
        value.plain = plain(obj) if root else 0
        return value

    def known_object(self, root: str, steps: tuple[Step, ...]) -> Any:
        """What a path of the user's leads to while compiling; ``missing`` where it is not known."""
        local = root in self.env or root in self.given
        if local and (self.owner is not None or root not in self.unit.shared):
            return MISSING
        return follow(self.fn, self.unit.shared, Capture(root, steps, None))

    def add(self, node: Node) -> None:
        """Append a node to the current block."""
        self.block.nodes.append(node)

    def apply(
        self, op: Operation, *args: Value, node: gast.AST | None = None, fact: Fact | None = None
    ) -> Value:
        """The value of an operation on these operands, with its fact found by probing."""
        if not op.arrays and any(a.varying and a.fact.is_array for a in args):
            raise Unsupported(node, f"{op.name} of an array", "it has no form for array samples")
        if fact is None:
            fact = self.fact_of(op, args, node)
        if self.unit.exact and fact.varying and fact.kind in "fc?" and op.name not in ROUNDS_ALIKE:
            raise Unsupported(node, f"{op.name} with exact=True", "NumPy may round it differently")
        return self.let(Value(op, args, fact, None, self.line))

    def let(self, value: Value) -> Value:
        """Compute a value here."""
        self.add(Let(value))
        return value

    def fact_of(self, op: Operation, args: tuple[Value, ...], node: gast.AST | None) -> Fact:
        """Lanes: the union of the operands'; dtype: what the template gives for such operands."""
        lanes = common_lanes(arg.fact for arg in args)
        if op.name in ("max", "min") and not lanes:
            return one_of(op, args, node)
        if has_unknown(*args):
            return late_fact(op, args, lanes, node)
        try:
            facts = tuple(replace(arg.fact, lanes=()) if not lanes else arg.fact for arg in args)
            text = op.lanes if lanes else op.python
            semantic = ".astype(" not in text  # which Python numbers do not have
            sample = probe.result(text, op.params, facts, semantic)
        except probe.NoResult as e:
            raise Unsupported(node, f"{op.name} of these operands", str(e)) from e
        return result_fact(sample, op, args, lanes)

    # ------------------------------------------------------------ branches
    @contextmanager
    def into(self, block: Block) -> Iterator[None]:
        """Append to this block for a while."""
        before, self.block = self.block, block
        try:
            yield
        finally:
            self.block = before

    def branch(
        self,
        test: Value,
        then: Callable[[], Thing | None],
        orelse: Callable[[], Thing | None],
        node: gast.AST,
    ) -> Thing | None:
        """Run one side where the test holds, the other elsewhere; join names and results."""
        if isinstance(test.op, Const):
            return then() if test.op.value else orelse()
        before = self.env
        unknown = False
        sides: list[tuple[Block, dict[str, Thing], Thing | None]] = []
        for side, holds in ((then, True), (orelse, False)):
            block = Block()
            self.env = narrowed(before, test, holds)
            with self.into(block):
                try:
                    result = side()
                except Unknown:
                    if unknown:
                        raise  # neither side says what it gives
                    unknown = True
                    self.stop(node)
                    result = None
            sides.append((block, self.env, result))
        made = If(test, sides[0][0], sides[1][0], line=getattr(node, "lineno", self.line))
        self.add(made)
        self.env, result = self.join(made, before, sides[0][1:], sides[1][1:])
        return result

    def join(
        self,
        made: If,
        before: dict[str, Thing],
        then: tuple[dict[str, Thing], Thing | None],
        orelse: tuple[dict[str, Thing], Thing | None],
    ) -> tuple[dict[str, Thing], Thing | None]:
        """The environment and result after a branch."""
        joiner = Joiner(made, before, self.line, self.capture)
        if not made.then.falls and not made.orelse.falls:
            return before, then[1]
        env: dict[str, Thing] = {}
        for name in sorted({*then[0], *orelse[0]}):
            a, b = then[0].get(name), orelse[0].get(name)
            env[name] = joiner.named(name, a, b)
        result: Thing | None = None
        if then[1] is not None or orelse[1] is not None:
            result = joiner.things(then[1], orelse[1], None)
        return env, result
