"""Whole functions: the unit of compilation, its programs, twins of helpers.

A *unit* is one emitted text: the program of the user's function and of each helper it calls, one
for every combination of facts it is called with.  Helpers know nothing of the batch's shape: their
parameters are values over the same lanes as the caller's.
"""

from __future__ import annotations

import inspect
import types
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.check import check_function
from autovec.errors import AutovecError, Unsupported, UnsupportedSyntax
from autovec.program.build import Below, Builder, Note
from autovec.program.facts import BATCH, Lanes, union
from autovec.program.nodes import Block, If, Loop, Return, returns, walk
from autovec.program.parameters import as_parameter, uniform_parameter
from autovec.program.prune import prune, summary
from autovec.program.results import merge_returns
from autovec.program.scope import Captures
from autovec.program.unknown import Unknown
from autovec.program.things import NONE, Map, Seq, Thing, leaves, mutable, thing_key
from autovec.syntax.parse import Source, source_of
from autovec.syntax.visit import local_names

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
    layout: str = "lanes"
    twin: bool = True
    total: bool = False
    cost: float = 100.0
    below: list[Below] = field(default_factory=list)

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
    building: list[Any] = field(default_factory=list)
    function: Any = None  # the user's own
    exact: bool = False  # only what rounds as Python does

    def main(
        self, fn: types.FunctionType, things: dict[str, Thing], lanes: Lanes, name: str
    ) -> Program:
        """The program of the user's own function."""
        source = source_of(fn)
        problems = check_function(source)
        if problems:
            raise UnsupportedSyntax(problems)
        self.function = fn
        return self.build(fn, source, things, lanes, name, key=("main", id(fn)))

    def twin(
        self,
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
        things: dict[str, Thing] = {}
        passed: list[Thing] = []
        names: list[str | None] = []
        whole: dict[str, Thing] = {}
        skipped = False
        for p, parameter in signature.parameters.items():
            if p not in given:
                skipped = True
                things[p] = _default(parameter, p)
                continue
            thing = given[p]
            by_name = parameter.kind is parameter.KEYWORD_ONLY or skipped
            if parameter.kind is parameter.VAR_POSITIONAL:
                passed += thing
                names += [None] * len(thing)
                thing = Seq(tuple(thing))
            elif parameter.kind is parameter.VAR_KEYWORD:
                passed += thing.values()
                names += thing
                thing = Map(dict(thing))
            else:
                passed.append(thing)
                names.append(p if by_name else None)
            whole[p] = thing
            things[p] = as_parameter(thing, p, node)
        lanes = lanes_of(things)
        key = (id(fn), thing_key(Seq(tuple(things.values()))))
        if key in self.building:
            raise Unsupported(node, f"{fn.__name__} calls itself", "recursion loops for now")
        program = self.programs.get(key)
        if program is None:
            if len(self.programs) >= MAX_PROGRAMS:
                raise Unsupported(node, "too many helpers", f"more than {MAX_PROGRAMS} in one text")
            try:
                source = source_of(fn)
            except AutovecError as e:
                raise Unsupported(node, f"a call of {fn.__name__}", str(e)) from e
            problems = check_function(source)
            if problems:
                raise Unsupported(
                    node, f"a call of {fn.__name__}: {problems[0].what}", problems[0].why
                )
            name += "_batched" if lanes else ""
            foreign = mutable(Seq(tuple(passed)))
            program = self.build(fn, source, things, lanes, name, key, frozenset(whole), foreign)
        return Twin(program, tuple(passed), tuple(names), whole)

    def build(
        self,
        fn: types.FunctionType,
        source: Source,
        things: dict[str, Thing],
        lanes: Lanes,
        name: str,
        key: Any,
        given: frozenset[str] = frozenset(),
        foreign: frozenset[object] = frozenset(),
    ) -> Program:
        """Build a function's body with its parameters bound to these things."""
        parameters = tuple(inspect.signature(fn, follow_wrapped=False).parameters.values())
        program = Program(name, source, parameters, things, lanes, fn)
        b = Builder(fn, self.captures, self, lanes)
        b.env = dict(things)
        b.given, b.foreign = given, foreign
        return self.run(program, b, key, key)

    def run(self, program: Program, b: Builder, key: Any, mark: Any) -> Program:
        """Build a program's body; ``mark`` stands for it in the chain of calls being built."""
        tree = program.source.tree
        b.locals = local_names(tree) | set(program.things)
        for value in (v for thing in program.things.values() for v in leaves(thing)):
            if isinstance(value.fact.dtype, Unknown):
                b.sources[value.fact.dtype.promotion.sources()[0].text] = value
        self.building.append(mark)
        try:
            run_body(b, tree)
        except RecursionError:
            raise Unsupported(
                tree, "a program nested too deeply", "the compiler's own stack is bounded"
            ) from None
        finally:
            self.building.pop()
        b.block.nodes[:0] = b.header
        program.body = b.block
        program.notes = b.notes
        program.locals = b.locals
        program.below = b.below
        program.result = merge_returns(b.returns, tree, exit_lanes(b.block), key[0] == "main")
        prune(program.body)
        program.total, program.cost = summary(program.body)
        self.programs[key] = program
        return program


def _default(parameter: inspect.Parameter, name: str) -> Thing:
    """What a parameter is that a call does not give."""
    if parameter.kind is parameter.VAR_POSITIONAL:
        return Seq(())
    if parameter.kind is parameter.VAR_KEYWORD:
        return Map({})
    return uniform_parameter(parameter.default, name)


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
        add_return(b, b.expr(tree.body))
        return
    b.statements(tree.body)
    if b.block.falls:
        add_return(b, NONE)


def add_return(b: Builder, thing: Thing) -> None:
    """End the current block with a result."""
    made = Return(thing, line=b.line)
    b.returns.append(made)
    b.add(made)


def lanes_of(things: dict[str, Thing]) -> Lanes:
    """The lanes of a helper with these parameters: the batch's, if any of them varies."""
    return (BATCH,) if any(v.varying for t in things.values() for v in leaves(t)) else ()
