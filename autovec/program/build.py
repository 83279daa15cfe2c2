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
from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program import probe
from autovec.program.facts import (
    BOOL,
    OBJECT,
    STRING,
    Fact,
    Lanes,
    NoCommonType,
    join,
    scalar_fact,
    union,
)
from autovec.program.scope import Captures, Scope, Step
from autovec.program.values import (
    Block,
    Check,
    Conflict,
    Const,
    Exit,
    If,
    Known,
    Let,
    Local,
    Map,
    Node,
    Operation,
    Path,
    Phi,
    PhiResult,
    Raise,
    Record,
    Return,
    Seq,
    Thing,
    Unbound,
    Value,
)
from autovec.syntax import quote

ExprRule = Callable[["Builder", Any], Thing]
StmtRule = Callable[["Builder", Any], None]
EXPRESSIONS: dict[type, ExprRule] = {}
STATEMENTS: dict[type, StmtRule] = {}

#: a program nested deeper than this is refused before it overflows the compiler's own stack
MAX_DEPTH = 150
#: operations that give an int for ints and a float for floats
KEEPS_KIND = frozenset(
    ["+", "-", "*", "**", "//", "%", "neg", "pos", "max", "min", "builtins.abs", "abs"]
)
#: begins names of our own in the environment: a letter that no program uses
HIDDEN = "\u01c0"


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


@dataclass
class Note:
    """One line of ``explain``: where, what became of it, why."""

    line: int
    what: str
    why: str = ""


@dataclass
class Attempt:
    """A ``try`` around the code being built: what it catches, one statement's checks."""

    catches: tuple[tuple[type[BaseException], ...], ...]
    checks: list[tuple[int, Operation, tuple[Value, ...], bool]] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    collecting: bool = False

    def handler_of(self, error: type[BaseException]) -> int | None:
        """The first handler that catches this exception."""
        for k, classes in enumerate(self.catches):
            if issubclass(error, classes):
                return k
        return None


class Builder:
    """The state of building one function for one set of facts."""

    def __init__(self, fn: types.FunctionType, captures: Captures, unit: Any, lanes: Lanes) -> None:
        self.fn = fn
        self.scope = Scope(fn)
        self.captures = captures
        self.unit = unit
        self.lanes = lanes
        self.block = Block()
        self.env: dict[str, Thing] = {}
        self.outer: dict[str, Thing] | None = None
        self.line = 0
        self.notes: list[Note] = []
        self.attempts: list[Attempt] = []
        self.returns: list[Return] = []
        self.loops: list[str] = []
        self.locals: set[str] = set()
        self.depth = 0
        self.inlining = 0
        self.unrolling = 0

    # ------------------------------------------------------------ dispatch
    def expr(self, node: gast.expr) -> Thing:
        """What an expression gives here."""
        rule = EXPRESSIONS.get(type(node))
        if rule is None:
            raise Unsupported(
                node, f"{type(node).__name__} in an expression", "it has no array form"
            )
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unsupported(
                node, "an expression nested too deeply", f"more than {MAX_DEPTH} levels"
            )
        try:
            return rule(self, node)
        finally:
            self.depth -= 1

    def value(self, node: gast.expr) -> Value:
        """What an expression gives here, which has to be one number or string."""
        return self.as_value(self.expr(node), node)

    def as_value(self, thing: Thing, node: gast.AST) -> Value:
        """A thing as one value."""
        if isinstance(thing, Value):
            return thing
        if isinstance(thing, Known):
            fact = scalar_fact(thing.obj)
            if fact is not None and thing.expr is not None:
                return Value(Path(thing.expr, ""), (), fact)
        what = describe(thing)
        raise Unsupported(
            node, f"{what} used as a number", "only scalars can be combined lane by lane"
        )

    def statements(self, body: list[gast.stmt]) -> None:
        """Build statements until no lane is left."""
        for node in body:
            if not self.block.falls:
                return
            rule = STATEMENTS.get(type(node))
            if rule is None:
                raise Unsupported(
                    node, f"the statement {type(node).__name__}", "it has no array form"
                )
            self.line = getattr(node, "lineno", self.line)
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise Unsupported(
                    node, "statements nested too deeply", f"more than {MAX_DEPTH} levels"
                )
            try:
                rule(self, node)
            finally:
                self.depth -= 1

    # ------------------------------------------------------------ values
    def const(self, value: Any) -> Value:
        """A literal."""
        fact = scalar_fact(value)
        if isinstance(value, str):
            fact = Fact(np.dtype(f"U{max(1, len(value))}"))
        if fact is None:
            raise TypeError(f"not a scalar: {value!r}")
        return Value(Const(value), (), fact, line=self.line)

    def path(
        self, expr: gast.expr, root: str, steps: tuple[Step, ...], obj: Any, values: bool = False
    ) -> Thing:
        """A uniform object of the user's world, read by an expression."""
        self.captures.add(root, steps, obj, values)
        fact = scalar_fact(obj)
        if fact is None:
            return Known(obj, expr)
        return Value(Path(expr, root), (), fact, line=self.line)

    def add(self, node: Node) -> None:
        """Append a node to the current block."""
        self.block.nodes.append(node)

    def apply(
        self, op: Operation, *args: Value, node: gast.AST | None = None, fact: Fact | None = None
    ) -> Value:
        """The value of an operation on these operands, with its fact found by probing."""
        if fact is None:
            fact = self.fact_of(op, args, node)
        value = Value(op, args, fact, None, self.line)
        self.add(Let(value))
        return value

    def fact_of(self, op: Operation, args: tuple[Value, ...], node: gast.AST | None) -> Fact:
        """Lanes: the union of the operands'; dtype: what the template gives for such operands."""
        lanes: Lanes = ()
        for arg in args:
            lanes = union(lanes, arg.fact.lanes)
        try:
            facts = tuple(replace(arg.fact, lanes=()) if not lanes else arg.fact for arg in args)
            text = op.lanes if lanes else op.python
            semantic = ".astype(" not in text  # which Python numbers do not have
            sample = probe.result(text, op.params, facts, semantic)
        except probe.NoResult as e:
            raise Unsupported(node, f"{op.name} of these operands", str(e)) from e
        return result_fact(sample, op, args, lanes)

    def test(self, thing: Thing, node: gast.AST) -> Value:
        """The truth of a thing, as a bool value."""
        from autovec.program.truth import truth

        return truth(self, thing, node)

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
        if test.varying and self.loops:
            self.loops.append("varying")
        sides: list[tuple[Block, dict[str, Thing], Thing | None]] = []
        for side in (then, orelse):
            block = Block()
            self.env = dict(before)
            with self.into(block):
                result = side()
            sides.append((block, self.env, result))
        if test.varying and self.loops:
            self.loops.pop()
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
        joiner = Joiner(made, before, self.line)
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


class Joiner:
    """Joins what two branches hold into what holds after them."""

    def __init__(self, made: If, before: dict[str, Thing], line: int) -> None:
        self.made = made
        self.before = before
        self.lanes = made.test.fact.lanes
        self.line = line
        self.seen: dict[tuple[int, int], Value] = {}
        self.only = (
            None
            if made.then.falls and made.orelse.falls
            else ("then" if made.then.falls else "orelse")
        )

    def named(self, name: str, a: Thing | None, b: Thing | None) -> Thing:
        """The join of one name, which a branch may have left unassigned."""
        if self.only is not None:
            side = a if self.only == "then" else b
            if side is None:
                return Unbound(name)
            return side if side is self.before.get(name) else self.one(side, name)
        if a is None or b is None or isinstance(a, Unbound) or isinstance(b, Unbound):
            return self.partly(name, a, b)
        return self.things(a, b, name)

    def partly(self, name: str, a: Thing | None, b: Thing | None) -> Thing:
        a, b = a or Unbound(name), b or Unbound(name)
        if a is b:
            return a
        values = [t.value if isinstance(t, Unbound) else t for t in (a, b)]
        if values[0] is None and values[1] is None:
            return Unbound(name)
        flags = [_bound(t) for t in (a, b)]
        value = self.things(*values, name) if None not in values else self.half(*values, name)
        return Unbound(name, value, self.values(flags[0], flags[1], None))

    def half(self, a: Thing | None, b: Thing | None, name: str) -> Thing:
        """A name assigned on one side only: the other side's lanes hold nothing."""
        thing = a if a is not None else b
        assert thing is not None
        return self.map(
            thing,
            lambda v: self.phi(v if a is not None else None, v if b is not None else None, name),
        )

    def one(self, thing: Thing, name: str | None) -> Thing:
        """Only one side reaches the join: its value goes on, under its own fact."""
        return self.map(
            thing,
            lambda v: self.phi(
                v if self.only == "then" else None, v if self.only == "orelse" else None, name
            ),
        )

    def map(self, thing: Thing, f: Callable[[Value], Value]) -> Thing:
        if isinstance(thing, Value):
            return f(thing)
        if isinstance(thing, Seq):
            return replace(thing, items=tuple(self.map(t, f) for t in thing.items))
        if isinstance(thing, Map):
            return Map({k: self.map(t, f) for k, t in thing.items.items()})
        if isinstance(thing, Record):
            return Record(thing.cls, {k: self.map(t, f) for k, t in thing.fields.items()})
        if isinstance(thing, Unbound) and thing.value is not None:
            return Unbound(
                thing.name, self.map(thing.value, f), f(thing.bound) if thing.bound else None
            )
        return thing

    def things(self, a: Thing | None, b: Thing | None, name: str | None) -> Thing:
        """The join of two things."""
        if self.only is not None:
            side = a if self.only == "then" else b
            assert side is not None
            return self.one(side, name)
        if a is b:
            assert a is not None
            return a
        if isinstance(a, Conflict) or isinstance(b, Conflict):
            return a if isinstance(a, Conflict) else b  # type: ignore[return-value]
        if isinstance(a, Value) and isinstance(b, Value):
            try:
                return self.values(a, b, name)
            except NoCommonType as e:
                return Conflict(f"{name or 'it'} is {e} on different lanes")
        if (
            isinstance(a, Seq)
            and isinstance(b, Seq)
            and (a.kind, a.cls, len(a.items)) == (b.kind, b.cls, len(b.items))
        ):
            return replace(
                a,
                items=tuple(self.things(x, y, name) for x, y in zip(a.items, b.items, strict=True)),
            )
        if isinstance(a, Map) and isinstance(b, Map) and list(a.items) == list(b.items):
            return Map({k: self.things(a.items[k], b.items[k], name) for k in a.items})
        if isinstance(a, Record) and isinstance(b, Record) and a.cls is b.cls:
            return Record(a.cls, {k: self.things(a.fields[k], b.fields[k], name) for k in a.fields})
        if isinstance(a, Known) and isinstance(b, Known) and a.obj is b.obj:
            return a
        if isinstance(a, Local) and isinstance(b, Local) and a.node is b.node:
            return a
        return Conflict(
            f"{name or 'it'} is {describe(a)} on some lanes and {describe(b)} on others"
        )

    def values(self, a: Value, b: Value, name: str | None) -> Value:
        if a is b or same_literal(a, b):
            return a
        return self.phi(a, b, name)

    def phi(self, a: Value | None, b: Value | None, name: str | None) -> Value:
        if (id(a), id(b)) in self.seen:
            return self.seen[id(a), id(b)]
        if a is not None and b is not None:
            fact = join(a.fact, b.fact).over(self.lanes)
        else:
            one = a or b
            assert one is not None
            fact = one.fact if self.only is not None else one.fact.over(self.lanes)
        value = Value(Phi(), (), fact, name, self.line)
        self.made.phis.append(PhiResult(value, a, b))
        self.seen[id(a), id(b)] = value
        return value


def _bound(thing: Thing) -> Value:
    if not isinstance(thing, Unbound):
        return Value(Const(True), (), Fact(BOOL, weak=True))
    return thing.bound or Value(Const(False), (), Fact(BOOL, weak=True))


def same_literal(a: Value, b: Value) -> bool:
    """Are both the same literal, down to its type and the sign of zero?"""
    if isinstance(a.op, Const) and isinstance(b.op, Const):
        return repr(a.op.value) == repr(b.op.value)
    if isinstance(a.op, Path) and isinstance(b.op, Path):
        return gast.dump(a.op.expr) == gast.dump(b.op.expr)
    return False


def result_fact(sample: Any, op: Operation, args: tuple[Value, ...], lanes: Lanes) -> Fact:
    """The fact of an operation's result, from a sample of it."""
    if isinstance(sample, (np.ndarray, np.generic)):
        dtype = sample.dtype
        weak = False
    else:
        found = scalar_fact(sample)
        if found is None:
            raise Unsupported(
                None, f"{op.name} gives {type(sample).__name__}", "it is not a scalar"
            )
        dtype, weak = found.dtype, found.weak
    if dtype.kind == "U" and any(a.fact.kind == "U" and not a.fact.dtype.itemsize for a in args):
        dtype = STRING
    if dtype == OBJECT:
        raise Unsupported(None, f"{op.name} gives Python objects", "no NumPy dtype holds them")
    if isinstance(sample, np.ndarray) and sample.ndim > 1:
        raise Unsupported(None, f"{op.name} gives an array", "samples are scalars here")
    strong = [a.fact for a in args if not a.fact.weak]
    python = op.number == "python" or (op.number == "operands" and all(f.python for f in strong))
    # a bool sample is Python's bool: with Python numbers it makes Python numbers
    numbers = [f for f in strong if f.kind != "b" or not f.python]
    alone = (bool(args) and not strong) or (bool(strong) and not numbers and dtype.kind != "b")
    weak = (
        (weak or op.weak or (bool(lanes) and alone) or dtype.kind == "b")
        and python
        and dtype.kind in "biufc"
    )
    mixed = dtype.kind == "f" and op.name in KEEPS_KIND and any(a.fact.mixed for a in args)
    mixed = mixed and not any(a.fact.kind in "fc" and not a.fact.mixed for a in args)
    return Fact(dtype, lanes, weak=weak, python=python, mixed=mixed)


def describe(thing: Thing | None) -> str:
    """A thing in a user's words."""
    if isinstance(thing, Value):
        return {
            "b": "a bool",
            "i": "an int",
            "f": "a float",
            "c": "a complex",
            "U": "a string",
        }.get(thing.fact.kind, f"a {thing.fact.dtype}")
    if isinstance(thing, Known):
        return "None" if thing.obj is None else f"a {type(thing.obj).__name__}"
    if isinstance(thing, Seq):
        return f"a {thing.cls.__name__ if thing.cls else thing.kind.__name__} of {len(thing.items)}"
    if isinstance(thing, Map):
        return "a dict"
    if isinstance(thing, Record):
        return f"a {thing.cls.__name__}"
    if isinstance(thing, Local):
        return "a function"
    if isinstance(thing, Conflict):
        return thing.why
    return "a range" if type(thing).__name__ == "Range" else "nothing"


def unbound_check(b: Builder, thing: Unbound, name: str) -> None:
    """Reading a name raises where it is not bound, as Python does."""
    from autovec.program.truth import negated

    if thing.bound is None:
        return
    exc = quote.expr(
        "UnboundLocalError(text)",
        text=quote.const(
            f"cannot access local variable '{name}' where it is not associated with a value"
        ),
    )
    b.add(Check(negated(b, thing.bound), Raise(exc, None, {}, b.line), b.line))


__all__ = ["Builder", "Exit", "expression", "statement"]
