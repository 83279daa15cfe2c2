"""Whole functions: the unit of compilation, its programs, twins of helpers, local functions.

A *unit* is one emitted text: the program of the user's function and of each helper it calls, one
for every combination of facts it is called with.  Helpers know nothing of the batch's shape: their
parameters are values over the same lanes as the caller's.
"""

from __future__ import annotations

import inspect
import types
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from autovec.check import check_function
from autovec.errors import AutovecError, Unsupported
from autovec.program.build import Builder, Note, describe
from autovec.program.facts import BATCH, Fact, Lanes, NoCommonType, join, scalar_fact, union
from autovec.program.prune import prune, summary
from autovec.program.results import merge_returns
from autovec.program.scope import Captures
from autovec.program.values import (
    NONE,
    Block,
    Const,
    If,
    Known,
    Local,
    Map,
    Param,
    Path,
    Range,
    Record,
    Return,
    Seq,
    Thing,
    Value,
    leaves,
    walk,
)
from autovec.syntax import quote
from autovec.syntax.parse import Source, source_of
from autovec.syntax.visit import free_names, local_names

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
    body: Block = field(default_factory=Block)
    result: Thing = NONE
    notes: list[Note] = field(default_factory=list)
    locals: set[str] = field(default_factory=set)
    globals: dict[str, Any] = field(default_factory=dict)
    fn: types.FunctionType | None = None
    layout: str = "lanes"
    twin: bool = True
    total: bool = False
    cost: float = 100.0

    @property
    def varying(self) -> bool:
        """Does any parameter vary?"""
        return any(v.varying for thing in self.things.values() for v in leaves(thing))


@dataclass(eq=False)
class Twin:
    """A helper's program, and what one call passes to it."""

    program: Program
    passed: tuple[Thing, ...]
    keywords: tuple[str | None, ...]


@dataclass(eq=False)
class Unit:
    """All programs of one emitted text, in the order they were first called."""

    captures: Captures = field(default_factory=Captures)
    programs: dict[Any, Program] = field(default_factory=dict)
    building: list[Any] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)

    def main(
        self, fn: types.FunctionType, things: dict[str, Thing], lanes: Lanes, name: str
    ) -> Program:
        """The program of the user's own function."""
        source = source_of(fn)
        problems = check_function(source)
        if problems:
            from autovec.errors import UnsupportedSyntax

            raise UnsupportedSyntax(problems)
        return self.build(fn, source, things, {}, lanes, name, key=("main", id(fn)))

    def twin(
        self, fn: types.FunctionType, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
    ) -> Twin:
        """A helper specialised for the facts of these arguments."""
        signature = inspect.signature(fn)
        try:
            given = signature.bind(*args, **keywords).arguments
        except TypeError as e:
            raise Unsupported(node, f"the call of {fn.__name__}", str(e)) from e
        things: dict[str, Thing] = {}
        passed: list[Thing] = []
        names: list[str | None] = []
        skipped = False
        for p, parameter in signature.parameters.items():
            if p not in given:
                skipped = True
                things[p] = self._default(fn, parameter, p, node)
                continue
            thing = given[p]
            if parameter.kind is parameter.VAR_POSITIONAL:
                thing = Seq(tuple(thing))
            elif parameter.kind is parameter.VAR_KEYWORD:
                thing = Map(dict(thing))
            things[p] = as_parameter(thing, p, node)
            passed.append(thing)
            by_name = parameter.kind is parameter.KEYWORD_ONLY or skipped
            names.append(p if by_name else None)
        lanes = _lanes(things)
        key = (
            id(fn.__code__),
            id(fn.__globals__),
            _closure_key(fn),
            thing_key(Seq(tuple(things.values()))),
        )
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
            name = fn.__name__ + ("_batched" if lanes else "")
            program = self.build(fn, source, things, {}, lanes, name, key)
        return Twin(program, tuple(passed), tuple(names))

    def _default(
        self, fn: types.FunctionType, parameter: inspect.Parameter, name: str, node: gast.AST
    ) -> Thing:
        if parameter.kind is parameter.VAR_POSITIONAL:
            return Seq(())
        if parameter.kind is parameter.VAR_KEYWORD:
            return Map({})
        return uniform_parameter(parameter.default, name)

    def build(
        self,
        fn: types.FunctionType,
        source: Source,
        things: dict[str, Thing],
        env: dict[str, Thing],
        lanes: Lanes,
        name: str,
        key: Any,
    ) -> Program:
        """Build a function's body with its parameters bound to these things."""
        parameters = tuple(inspect.signature(fn).parameters.values())
        program = Program(name, source, parameters, things, lanes, globals=fn.__globals__, fn=fn)
        b = Builder(fn, self.captures, self, lanes)
        b.env = {**env, **things}
        tree = source.tree
        b.locals = local_names(tree) | set(things)
        self.building.append(key)
        try:
            run_body(b, tree)
        except RecursionError:
            raise Unsupported(
                tree, "a program nested too deeply", "the compiler's own stack is bounded"
            ) from None
        finally:
            self.building.pop()
        program.body = b.block
        program.notes = b.notes
        program.locals = b.locals
        program.result = merge_returns(b.returns, tree, exit_lanes(b.block))
        finish(program)
        self.programs[key] = program
        return program


def finish(program: Program) -> None:
    """Prune a built program; note if a call of it is harmless for lanes that do not need it."""
    prune(program.body)
    program.total, program.cost = summary(program.body)


def exit_lanes(body: Block) -> Lanes:
    """The lanes over which it differs which return is taken."""
    lanes: Lanes = ()
    for node in walk(body):
        if isinstance(node, If) and (node.then.exits or node.orelse.exits):
            lanes = union(lanes, node.test.fact.lanes)
    return lanes


def run_body(b: Builder, tree: gast.FunctionDef | gast.Lambda) -> None:
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


def _lanes(things: dict[str, Thing]) -> Lanes:
    return (BATCH,) if any(v.varying for t in things.values() for v in leaves(t)) else ()


def uniform_parameter(obj: Any, name: str) -> Thing:
    """A parameter that is the same for every lane."""
    fact = scalar_fact(obj)
    if fact is None:
        return Known(obj, quote.name(name)) if obj is not None else NONE
    return Value(Path(quote.name(name), name), (), fact, name)


def as_parameter(thing: Thing, name: str, node: gast.AST, expr: gast.expr | None = None) -> Thing:
    """What a callee sees of an argument: a parameter with the argument's facts."""
    expr = expr if expr is not None else quote.name(name)
    if isinstance(thing, Value):
        origin = name if isinstance(expr, gast.Name) else None
        if not thing.varying:
            return Value(Path(expr, name), (), thing.fact, origin)
        return Value(Param(name) if origin else Path(expr, name), (), thing.fact, origin)
    if isinstance(thing, Seq):
        items = (
            as_parameter(t, name, node, quote.expr("e[k]", e=expr, k=k))
            for k, t in enumerate(thing.items)
        )
        return replace(thing, items=tuple(items))
    if isinstance(thing, Map):
        return Map(
            {
                k: as_parameter(t, name, node, quote.expr("e[k]", e=expr, k=quote.const(k)))
                for k, t in thing.items.items()
            }
        )
    if isinstance(thing, Record):
        return Record(
            thing.cls,
            {
                k: as_parameter(t, name, node, quote.expr(f"e.{k}", e=expr))
                for k, t in thing.fields.items()
            },
        )
    if isinstance(thing, Known):
        return Known(thing.obj, expr) if thing.obj is not None else NONE
    raise Unsupported(
        node, f"{describe(thing)} passed to a function", "it is known only to the caller"
    )


def _closure_key(fn: types.FunctionType) -> Any:
    return tuple(id(c) for c in fn.__closure__ or ())


def thing_key(thing: Thing) -> Any:
    """What distinguishes two specialisations of a function."""
    if isinstance(thing, Value):
        return thing.fact
    if isinstance(thing, Seq):
        return (thing.kind, thing.cls, *(thing_key(t) for t in thing.items))
    if isinstance(thing, Map):
        return tuple((k, thing_key(t)) for k, t in thing.items.items())
    if isinstance(thing, Record):
        return (thing.cls, *(thing_key(t) for t in thing.fields.values()))
    if isinstance(thing, Known):
        return ("object", id(thing.obj))
    return ("other", id(thing))


# ---------------------------------------------------------------- local functions
def call_local(
    b: Builder, target: Local, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of a def or lambda inside the function: its body, built with its own names."""
    if b.inlining > 20 or any(t is target.node for t in b.unit.building):
        raise Unsupported(node, f"{target.name} calls itself", "recursion loops for now")
    tree = target.node
    things = bind_local(b, target, args, keywords, node)
    if not isinstance(tree, gast.Lambda) and not single_return(tree):
        return inline_body(b, target, things, node)
    body = tree.body if isinstance(tree, gast.Lambda) else tree.body[-1].value
    return in_scope(b, target, things, lambda: b.expr(body))


def single_return(tree: gast.FunctionDef) -> bool:
    """Is the function one expression, but for a docstring?"""
    body = [
        s
        for s in tree.body
        if not (isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant))
    ]
    return len(body) == 1 and isinstance(body[0], gast.Return) and body[0].value is not None


def in_scope(b: Builder, target: Local, things: dict[str, Thing], run: Any) -> Any:
    """Run with the environment of a local function, then restore the caller's."""
    before, names, outer = b.env, b.locals, b.outer
    if outer is None:
        b.outer = before
    # a def of the function's own body sees that scope's names as they are now, not as they were
    seen = b.outer if target.own and b.outer is not None else target.env
    b.env = {**seen, **things}
    b.locals = set(things) | local_names(target.node)
    b.inlining += 1
    b.unit.building.append(target.node)
    try:
        return run()
    finally:
        b.unit.building.pop()
        b.inlining -= 1
        b.env, b.locals, b.outer = before, names, outer


def inline_body(b: Builder, target: Local, things: dict[str, Thing], node: gast.AST) -> Thing:
    """A longer local function becomes a twin; the values it closes over are passed along."""
    seen = (b.outer if b.outer is not None else b.env) if target.own else target.env
    outer = {n: seen[n] for n in sorted(free_names(target.node)) if n in seen}
    captured: dict[str, Thing] = {}
    env: dict[str, Thing] = {}
    for name, thing in outer.items():
        if isinstance(thing, Local):
            env[name] = thing
            for inner in sorted(free_names(thing.node)):
                if inner in seen and inner not in outer and leaves(seen[inner]):
                    captured[inner] = seen[inner]
        elif leaves(thing) or isinstance(thing, Known):
            captured[name] = thing
        else:
            env[name] = thing
    passed = {**things, **{k: v for k, v in captured.items() if k not in things}}
    params = {k: as_parameter(v, k, node) for k, v in passed.items()}
    lanes = _lanes(params)
    key = (id(target.node), tuple(params), thing_key(Seq(tuple(params.values()))))
    program = b.unit.programs.get(key)
    if b.attempts:
        raise Unsupported(
            node, f"a call of {target.name} inside try", "what it raises is not followed"
        )
    if program is None:
        source = replace(source_of(b.fn), tree=target.node, name=target.name)
        name = target.name + ("_batched" if lanes else "")
        program = build_local(b, source, params, env, lanes, name, key)
    from autovec.program.calls import call_twin

    return call_twin(b, Twin(program, tuple(passed.values()), (None,) * len(passed)))


def build_local(
    b: Builder,
    source: Source,
    params: dict[str, Thing],
    env: dict[str, Thing],
    lanes: Lanes,
    name: str,
    key: Any,
) -> Program:
    """The program of a local function, what it closes over being parameters."""
    parameters = tuple(
        inspect.Parameter(p, inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in params
    )
    program = Program(name, source, parameters, params, lanes, globals=b.fn.__globals__, fn=b.fn)
    inner = Builder(b.fn, b.captures, b.unit, lanes)
    inner.env = {**env, **params}
    inner.locals = local_names(source.tree) | set(params)
    inner.inlining = b.inlining + 1
    b.unit.building.append(source.tree)
    try:
        run_body(inner, source.tree)
    finally:
        b.unit.building.pop()
    program.body, program.notes, program.locals = inner.block, inner.notes, inner.locals
    program.result = merge_returns(inner.returns, source.tree, exit_lanes(inner.block))
    finish(program)
    b.unit.programs[key] = program
    return program


def make_local(b: Builder, node: gast.FunctionDef | gast.Lambda, name: str) -> Local:
    """A local function, its defaults evaluated now."""
    a = node.args
    positional = [p.id for p in (*a.posonlyargs, *a.args)]
    given = [*zip(positional[len(positional) - len(a.defaults) :], a.defaults, strict=True)]
    given += [(p.id, d) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None]
    defaults = {p: b.expr(d) for p, d in given}
    return Local(node, name, b.env, b.outer is None and not b.unrolling, defaults)


def bind_local(
    b: Builder, target: Local, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> dict[str, Thing]:
    """The parameters of a local function bound to arguments and defaults."""
    a = target.node.args
    positional = [p.id for p in (*a.posonlyargs, *a.args)]
    only = [p.id for p in a.kwonlyargs]
    things: dict[str, Thing] = dict(zip(positional, args, strict=False))
    extra = args[len(positional) :]
    if a.vararg is not None:
        things[a.vararg.id] = Seq(tuple(extra))
    elif extra:
        raise Unsupported(node, f"{target.name} with {len(args)} arguments", "it takes fewer")
    for k, thing in keywords.items():
        if k not in (*positional, *only) or k in things:
            raise Unsupported(
                node, f"{target.name} with the argument {k}", "Python raises TypeError"
            )
        things[k] = thing
    for k in (*positional, *only):
        if k not in things:
            if k not in target.defaults:
                raise Unsupported(node, f"{target.name} without {k}", "Python raises TypeError")
            things[k] = target.defaults[k]
    return things


def is_literal(value: Value) -> bool:
    """Is it a literal of the program?"""
    return isinstance(value.op, Const)


__all__ = ["Fact", "NoCommonType", "Program", "Range", "Twin", "Unit", "join"]
