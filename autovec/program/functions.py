"""Whole functions: the unit of compilation, its programs, twins of helpers.

A *unit* is one emitted text: the program of the user's function and of each helper it calls, one
for every combination of facts it is called with.  Helpers know nothing of the batch's shape: their
parameters are values over the same lanes as the caller's.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.check import check_function
from autovec.errors import AutovecError, Unsupported, UnsupportedSyntax
from autovec.program.arguments import Arguments
from autovec.program.arrays.borrowed import borrow, changed, may_borrow, with_borrowed
from autovec.program.arrays.operands import arrays_as_values
from autovec.program.attempts import within_caller
from autovec.program.build import Builder, Unknown
from autovec.program.closures import Handed, reads
from autovec.program.columns import narrowed, only_read
from autovec.program.facts import BATCH, Lanes, union
from autovec.program.failing import Classes, all_handlers
from autovec.program.guarded import protected
from autovec.program.identities import mutable
from autovec.program.missing import closed, opened
from autovec.program.nodes import Block, If, Let, Loop, Return, returns, walk
from autovec.program.noted import Below, NamedNumber, NamedNumbers, Note
from autovec.program.prune import prune, summary
from autovec.program.recursion import MAX_CHAIN, ROUNDS, Chain, grow, handed_on
from autovec.program.results import merge_returns, with_escapes
from autovec.program.scope import Captures
from autovec.program.things import NONE, Known, Seq, Thing, any_maybe, leaves, thing_key
from autovec.program.unknown import LateDtype
from autovec.program.values import CallTwin, Value
from autovec.syntax import quote
from autovec.syntax.once import assigned_once
from autovec.syntax.parse import Source, source_of
from autovec.syntax.scope import mangle
from autovec.syntax.visit import local_names
from autovec.syntax.walking import located

#: a unit with more helper programs than this is refused
MAX_PROGRAMS = 60


@dataclass(eq=False)
class Program:
    """One function for one set of facts."""

    name: str
    source: Source
    parameters: tuple[inspect.Parameter, ...]
    things: dict[str, Thing]
    lanes: Lanes
    fn: Any  # a FunctionType is a descriptor, which a type checker would bind
    body: Block = field(default_factory=Block)
    result: Thing = NONE
    notes: list[Note] = field(default_factory=list)
    locals: set[str] = field(default_factory=set)
    numbers: dict[str, NamedNumber] = field(default_factory=dict)
    layout: str = "lanes"
    twin: bool = True
    total: bool = False
    cost: float = 100.0
    recursive: bool = False
    known: bool = False  # is it known what it returns?
    catches: tuple[Classes, ...] = ()  # by the tries of its caller
    escapes: tuple[int, ...] = ()  # which of these answer for some lanes
    below: list[Below] = field(default_factory=list)
    whole: dict[str, Thing] = field(default_factory=dict)  # the parameters as calls give them
    columns: dict[str, gast.expr] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    levels: int = 1  # lane axes of the arguments
    borrowed: tuple[str, ...] = ()  # the parameters that it stores into

    @property
    def varying(self) -> bool:
        """Does any parameter vary?"""
        return any(v.varying for thing in self.things.values() for v in leaves(thing))


@dataclass(eq=False)
class Twin:
    """A helper's program, what one call passes to it, and the same by parameter."""

    program: Program
    passed: tuple[Thing, ...]
    keywords: tuple[str | None, ...]
    given: dict[str, Thing]


@dataclass(eq=False)
class Unit:
    """All programs of one emitted text, in the order they were first called."""

    captures: Captures = field(default_factory=Captures)
    programs: dict[Any, Program] = field(default_factory=dict)
    chain: Chain = field(default_factory=Chain)
    function: Any = None  # the user's own
    main_key: Any = None
    apart: bool = False  # may it not call itself? (its None is nan, say, which a call may not see)
    exact: bool = False  # only what rounds as Python does
    raises: bool = False  # Python's exceptions instead of inf and nan
    any_length: bool = False  # the lengths of arrays may be others
    shared: dict[str, Any] = field(default_factory=dict)  # its uniform arguments
    borrow: bool = False  # may it store into its arguments?

    def main(
        self, fn: types.FunctionType, things: dict[str, Thing], lanes: Lanes, name: str
    ) -> Program:
        """The program of the user's own function."""
        source = source_of(fn)
        problems = check_function(source)
        if problems:
            raise UnsupportedSyntax(problems)
        self.function = fn
        # one that takes tables or tuples is not laid out as a call of itself passes them
        self.apart = not all(isinstance(t, (Value, Known)) for t in things.values())
        self.main_key = ("main", thing_key(Seq(tuple(things.values()))))
        parameters = tuple(inspect.signature(fn, follow_wrapped=False).parameters.values())
        program = Program(name, source, parameters, things, lanes, fn)
        return self.build(program, self.main_key, things)

    def twin(
        self,
        b: Builder,
        fn: types.FunctionType,
        args: list[Thing],
        keywords: dict[str, Thing],
        node: gast.AST,
        name: str,
    ) -> Twin:
        """A helper specialised for the facts of these arguments, under a name."""
        signature = inspect.signature(fn, follow_wrapped=False)
        try:
            given = signature.bind(*args, **keywords).arguments
        except TypeError as e:
            raise Unsupported(node, f"the call of {fn.__name__}", str(e)) from e
        call = Arguments(node)
        for p, parameter in signature.parameters.items():
            call.add(parameter, given.get(p))
        if call.functions:
            tree = self.source(fn, node).tree
            call.hand_on(Handed(b, reads(tree) | set(signature.parameters), node))
        key: Any = (id(fn), thing_key(Seq(tuple(call.env.values()))), *call.whole)
        catches = tuple(c for _, _, c in all_handlers(b.attempts))
        key = (*key, *catches)
        main = fn is self.function and not self.apart and not catches
        if main and key[1] == self.main_key[1]:
            key = self.main_key
        elif (b.loops or b.grows) and key not in self.chain.programs:
            key = (*key, handed_on(call.whole, call.things))
        program = self.found(key, node)
        if program is None:
            lanes = lanes_of(call.things)
            name += "_batched" if lanes else ""
            source = self.source(fn, node)
            program = Program(name, source, tuple(call.parameters), call.things, lanes, fn)
            program.catches = catches
            foreign = mutable(Seq(tuple(call.passed)))
            program = self.build(program, key, call.env, frozenset(call.whole), foreign)
        pairs = zip(call.passed, call.places, strict=True)
        passed = tuple(only_read(t, program.things.get(p)) for t, p in pairs)
        return Twin(program, passed, tuple(call.names), call.whole)

    def source(self, fn: types.FunctionType, node: gast.AST) -> Source:
        """A helper's source, which has to be in the language."""
        try:
            source = source_of(fn)
        except AutovecError as e:
            raise Unsupported(node, f"a call of {fn.__name__}", str(e)) from e
        problems = check_function(source)
        if problems:
            raise Unsupported(node, f"a call of {fn.__name__}: {problems[0].what}", problems[0].why)
        return source

    def build(
        self,
        program: Program,
        key: Any,
        env: dict[str, Thing],
        given: frozenset[str] = frozenset(),
        foreign: frozenset[object] = frozenset(),
    ) -> Program:
        """Build a function's body with its parameters bound to these things."""

        def begin() -> Builder:
            b = Builder(program.fn, self.captures, self, program.lanes)
            b.whole = key == self.main_key
            b.env = {name: opened(b, thing) for name, thing in env.items()}
            b.given, b.foreign = given, foreign
            if self.borrow and key == self.main_key:
                b.borrowed = may_borrow(program.source.tree, program.things)
            borrow(b, b.borrowed)
            return b

        return self.run(program, begin, key)

    def run(self, program: Program, begin: Callable[[], Builder], key: Any) -> Program:
        """Build a program's body; of one that calls itself until its result is what it takes."""
        for _ in range(ROUNDS):
            finished = dict(self.programs)
            before = thing_key(program.result) if program.known else None
            self.round(program, begin(), key)
            if key not in self.chain.called or before == thing_key(program.result):
                break
            program.known = True
            self.programs = {
                k: p
                for k, p in self.programs.items()
                if k in finished or not self.chain.takes(k, key)
            }
        else:
            tree = program.source.tree
            raise Unsupported(tree, "a recursion whose result keeps changing type", "")
        if program.recursive and any_maybe(program.result) and key == self.main_key:
            self.apart, program.known = True, False
            self.chain, self.programs = Chain(), {}
            return self.run(program, begin, key)
        program.known = True
        live = prune(program.body)
        if program.twin and key != self.main_key:
            program.things = {n: narrowed(t, live) for n, t in program.things.items()}
        program.total, program.cost = summary(program.body)
        self.programs[key] = program
        return program

    def round(self, program: Program, b: Builder, key: Any) -> None:
        """Build a program's body once."""
        tree = program.source.tree
        mangle(tree, program.source.class_name)
        b.locals = local_names(tree) | set(program.things)
        b.numbers = NamedNumbers(assigned_once(tree) - set(program.things), b.locals)
        program.whole = dict(program.things)
        for value in (v for thing in program.things.values() for v in leaves(thing)):
            if isinstance(value.fact.dtype, LateDtype):
                b.late.sources[value.fact.dtype.promotion.sources()[0].text] = value
        program.recursive = self.chain.goes_round(key)
        if program.recursive:
            grow(program.things)
        b.grows = any(v.carried for thing in program.things.values() for v in leaves(thing))
        if program.catches:
            within_caller(b, program.catches)
        self.chain.enter(key, program)
        try:
            run_body(b, tree)
        except RecursionError:
            raise Unsupported(
                tree, "a program nested too deeply", "the compiler's own stack is bounded"
            ) from None
        finally:
            self.chain.leave()
        if b.stopped and not b.returns and self.chain.comes_back(key):
            raise Unknown  # until that is known
        b.block.nodes[:0] = b.late.header
        program.body = b.block
        program.notes = b.notes
        program.locals, program.numbers = b.locals, b.numbers.found
        program.below = b.below
        whole = key == self.main_key and (self.apart or not program.recursive)
        lanes = exit_lanes(b.block)
        plain = [r for r in b.returns if r.escape is None]
        program.result = merge_returns(plain, tree, lanes, whole)
        program.borrowed, program.result = changed(b.borrowed, program.result, plain)
        if program.borrowed and program.recursive:
            raise Unsupported(tree, "a recursion that stores into its argument", "")
        program.escapes = tuple(sorted({r.escape for r in b.returns if r.escape is not None}))
        if program.escapes:
            program.result = with_escapes(b.returns, program.result, lanes)

    def needed(self, main: Program) -> list[Program]:
        """The programs that a text needs: those called from another one, the main one last."""
        called: set[int] = set()
        todo = [main]
        while todo:
            for node in walk(todo.pop().body):
                op = node.value.op if isinstance(node, Let) else None
                if isinstance(op, CallTwin) and id(op.twin.program) not in called:
                    called.add(id(op.twin.program))
                    todo.append(op.twin.program)
        helpers = (p for p in self.programs.values() if id(p) in called and p is not main)
        return [*helpers, main]

    def found(self, key: Any, node: gast.AST) -> Program | None:
        """The program of this key: finished, or one that a call comes back to."""
        if key in self.chain.programs:
            self.chain.close(key)
            program = self.chain.programs[key]
            if not program.known:
                raise Unknown
            return program
        if key in self.programs:
            self.chain.close_again(key)
            return self.programs[key]
        if len(self.programs) >= MAX_PROGRAMS or len(self.chain.keys) >= MAX_CHAIN:
            raise Unsupported(node, "too many helpers", f"more than {MAX_PROGRAMS} in one text")
        return None


def exit_lanes(body: Block) -> Lanes:
    """The lanes over which it differs which return is taken."""
    lanes: Lanes = ()
    for node in walk(body):
        if isinstance(node, If) and (returns(node.then) or returns(node.orelse)):
            lanes = union(lanes, node.test.fact.lanes)
        if isinstance(node, Loop) and node.test is not None and returns(node.body):
            lanes = union(lanes, node.test.fact.lanes)
    return lanes


def run_body(b: Builder, tree: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda) -> None:
    """Build the statements of a function; falling off its end returns None."""
    if isinstance(tree, gast.Lambda):
        b.line = tree.lineno
        protected(b, [located(quote.stmt("return value", value=tree.body), tree)])
        return
    protected(b, tree.body, lambda: add_return(b, NONE))


def add_return(b: Builder, thing: Thing) -> None:
    """End the current block with a result."""
    thing = closed(b, thing) if b.whole else thing
    thing = arrays_as_values(b, thing)
    if b.borrowed:
        thing = with_borrowed(b, b.borrowed, thing)
    made = Return(thing, line=b.line)
    b.returns.append(made)
    b.add(made)


def lanes_of(things: dict[str, Thing]) -> Lanes:
    """The lanes of a helper with these parameters: the batch's, if any of them varies."""
    return (BATCH,) if any(v.varying for t in things.values() for v in leaves(t)) else ()
