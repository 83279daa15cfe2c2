"""The order of the passes.  A newcomer reads this page first.

source text -> tree (syntax.parse) -> problems (check) and a region program (program: one operation
a statement inside try, match, pruning) -> statements (lower: where, pack, loops, raises, buffers)
-> text (emit) -> function (emit.load)
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import autovec.program  # noqa: F401  (registers the builders)
from autovec.emit.aliases import refuse_aliases, refuse_arrays_of_the_world
from autovec.emit.fallback import fallback_text
from autovec.emit.load import load
from autovec.emit.source import Parts, Text, assemble
from autovec.emit.world import World
from autovec.errors import FallbackError, Problem, Unsupported, UnsupportedSyntax
from autovec.lower.explaining import Explained, explanation
from autovec.lower.program import lower_program
from autovec.ops import prelude
from autovec.program.arrays.borrowed import results
from autovec.program.arrays.stores import StoresInto
from autovec.program.columns import bind_columns, table_thing
from autovec.program.facts import (
    BATCH,
    Extent,
    Fact,
    Opaque,
    Rows,
    Uniform,
    Varying,
    varying_fact,
)
from autovec.program.functions import Program, Unit
from autovec.program.levels import open_levels
from autovec.program.nodes import Let, walk
from autovec.program.outline import leaf_dtype, outline
from autovec.program.parameters import uniform_parameter
from autovec.program.prune import prune
from autovec.program.scope import MISSING, checker, is_function, is_missing
from autovec.program.things import Conflict, Known, Map, Seq, Thing
from autovec.program.values import Each, Operation, Param, Path, Value
from autovec.simplify.carries import equal_carries
from autovec.simplify.common import common
from autovec.simplify.extremes import plain_extremes
from autovec.simplify.inline import inline_shared
from autovec.simplify.negations import positive_tests
from autovec.simplify.powers import spare_signs
from autovec.syntax import quote
from autovec.syntax.names import RESERVED, Namer
from autovec.syntax.parse import Source, place_of, source_of

Argument = Varying | Uniform | Rows | Opaque | tuple[Any, ...] | Mapping[str, Any]


@dataclass(frozen=True)
class Options:
    """How to compile: the layout of the arguments, what to do about what cannot be vectorised."""

    layout: Literal["broadcast", "lanes"] = "broadcast"
    fallback: Literal["warn", "silent", "error"] = "warn"
    exact: bool = False
    raises: bool = False  # errors="raise"
    any_length: bool = False  # the text is for arrays of other lengths, too
    name: str | None = None
    levels: int = 1  # of vmaps inside each other
    stores: bool = False  # may the text store into arguments?


@dataclass(eq=False)
class Specialisation:
    """A function compiled for arguments of certain facts.

    ``text_for`` shows the text with what the names of a function are bound to when it is asked.
    """

    name: str
    run_text: str
    world: World
    text_for: Callable[[types.FunctionType], str]
    first: weakref.ref[types.FunctionType]
    still_valid: Callable[[types.FunctionType, dict[str, Any]], bool]
    result: Any
    mapped: Any = None  # the result's structure: does a leaf depend on an argument that varies?
    fallbacks: tuple[Problem, ...] = ()
    explain: list[Explained] = field(default_factory=list)
    quiet: bool = False
    whole_fallback: bool = False
    parts: Parts | None = None
    levels: int = 1  # lane axes of the arguments
    stores: tuple[str, ...] = ()  # the arguments that it stores into

    @property
    def text(self) -> str:
        """The text for the function that was compiled first."""
        fn = self.first()
        if fn is None:
            raise ReferenceError(f"{self.name} is gone: text_for(function) asks for another one")
        return self.text_for(fn)

    def bind(self, fn: types.FunctionType) -> Callable[..., Any]:
        """The compiled function, with the globals, closure and defaults of ``fn``, read live."""
        if self.whole_fallback:
            return fn
        reference = weakref.ref(fn)

        def live(name: str) -> object:
            asked, own = reference(), self.world.get(name)
            found = MISSING if asked is None or own is None else own.find(asked)
            if is_missing(found):
                raise KeyError(name)
            return found

        made = load(self.run_text, self.name, {}, fn.__name__, live)
        made.__defaults__ = fn.__defaults__
        made.__kwdefaults__ = fn.__kwdefaults__
        return made


def specialise(
    fn: types.FunctionType, params: Mapping[str, Argument], options: Options | None = None
) -> Specialisation:
    """Compile ``fn`` for arguments of these facts; one visible loop if it cannot be vectorised."""
    options = options or Options()
    try:
        return _specialise(fn, params, options, borrow=False)
    except StoresInto:  # perhaps into its own argument, as the loop does
        return _specialise(fn, params, options, borrow=True)


def _specialise(
    fn: types.FunctionType, params: Mapping[str, Argument], options: Options, borrow: bool
) -> Specialisation:
    source = source_of(fn)
    shared = {name: arg.value for name, arg in params.items() if isinstance(arg, Uniform)}
    unit = Unit(
        exact=options.exact, raises=options.raises, shared=shared, any_length=options.any_length,
        borrow=borrow,
    )  # fmt: skip
    lanes = (BATCH,)
    name = options.name or (fn.__name__ if fn.__name__.isidentifier() else "batched")
    try:
        things = {name: parameter(arg, name, lanes) for name, arg in params.items()}
        program = unit.main(fn, things, lanes, name)
        refuse_aliases(unit)
        if program.borrowed:
            refuse_arrays_of_the_world(unit, set(params))
        program.layout, program.twin = options.layout, False
        tables = {name: arg for name, arg in params.items() if isinstance(arg, Rows)}
        text, quiet = write(unit, program, tables, options.levels)
        looped = expressions_that_loop(unit)
    except UnsupportedSyntax:
        raise
    except Unsupported as e:
        if isinstance(e, StoresInto) and not borrow and options.stores:
            raise
        return refused(fn, source, e, params, options, name, checker(unit.captures))
    if looped and options.fallback == "error":
        raise FallbackError(looped)
    given = results(program.borrowed, program.result)
    return Specialisation(
        name,
        text.run,
        text.world,
        text.shown,
        weakref.ref(fn),
        checker(unit.captures),
        outline(given, leaf_dtype),
        outline(given, lambda value: value.varying),
        looped,
        explanation(unit.needed(program)),
        quiet,
        parts=text.parts,
        levels=program.levels,
        stores=program.borrowed,
    )


def write(
    unit: Unit, program: Program, tables: Mapping[str, Rows], levels: int = 1
) -> tuple[Text, bool]:
    """Lower every program of a unit and print them, helpers first; does departure 3 apply?"""
    for p in unit.needed(program):
        positive_tests(p.body)
        prune(p.body)
        equal_carries(p.body)
        inline_shared(p.body)
        common(p.body)
        spare_signs(p.body)
    programs = unit.needed(program)
    captures = unit.captures.found.values()
    unique_names(programs, {c.root for c in captures if not is_function(c.signature)})
    taken = {p.name for p in programs[:-1]} | {c.root for c in captures}
    used = {name for p in programs for name in helpers(p)} | {"put_text"}  # which lowering adds
    own_names = {n for p in programs for n in (p.name, *p.locals, *p.things)} | taken
    namer = Namer(own_names | used)
    renames = {
        name: namer.fresh(name) for name in sorted(prelude.closure(used)) if name in own_names
    }
    taken |= {renames.get(name, name) for name in prelude.closure(used)}
    for p in programs:
        live = prune(p.body)
        plain_extremes(p.body)
        bind_columns(p, tables if p is program else None, live, taken | RESERVED)
    if levels > 1 and programs == [program]:
        open_levels(program, levels)
    lowered = []
    packs = False
    for p in programs:
        own = taken - set(p.things)
        low = lower_program(p, own, packs and p is program, renames)
        packs |= low.flat and p is not program
        told = {n.line for n in p.notes}
        p.notes = [*p.notes, *(n for n in low.notes if n.line not in told)]
        lowered.append((p, low))
    return assemble(lowered, used, renames), any(low.quiet for _, low in lowered)


def expressions_that_loop(unit: Unit) -> tuple[Problem, ...]:
    """The expressions of Python's own that the texts run a lane at a time, each place once."""
    found: dict[Problem, None] = {}
    for program in unit.programs.values():
        for node in walk(program.body):
            op = node.value.op if isinstance(node, Let) else None
            if isinstance(op, Each) and isinstance(node, Let) and node.value.varying:
                place = place_of(program.source, op.node)
                found[Problem(place, op.what, op.why, expression=True)] = None
    return tuple(found)


def helpers(program: Program) -> set[str]:
    """The prelude's functions that a program's operations may call."""
    texts = {
        n.value.op.lanes if n.value.varying else n.value.op.python
        for n in walk(program.body)
        if isinstance(n, Let) and isinstance(n.value.op, Operation)
    }
    return {name for text in texts for name in prelude.used_in(text)}


def unique_names(programs: list[Program], taken: set[str]) -> None:
    """Two specialisations of one helper get two names; none hides what another name stands for."""
    parameters = {name for p in programs for name in p.things}
    namer = Namer({programs[-1].name, *parameters, *taken})
    for p in programs[:-1]:
        p.name = namer.fresh(p.name)


def parameter(arg: Argument, name: str, lanes: tuple[str, ...], expr: Any = None) -> Thing:
    """What the function sees of an argument."""
    expr = expr if expr is not None else quote.name(name)
    if isinstance(arg, Varying):
        fact = varying_fact(arg, lanes)
        if fact.rank:
            fact = sourced(fact, name if getattr(expr, "id", None) == name else None)
        return Value(
            Param(name) if getattr(expr, "id", None) == name else Path(expr, name), (), fact, name
        )
    if isinstance(arg, Uniform):
        thing = uniform_parameter(arg.value, name)
        if isinstance(thing, Value):
            return Value(Path(expr, name), (), thing.fact, name)
        return (
            Known(thing.obj, expr) if isinstance(thing, Known) and thing.obj is not None else thing
        )
    if isinstance(arg, Rows):
        return table_thing(arg, expr, lambda part, at: parameter(part, name, lanes, at))
    if isinstance(arg, Opaque):
        return Conflict(arg.why)
    if isinstance(arg, tuple):
        return Seq(
            tuple(
                parameter(a, name, lanes, quote.expr("e[k]", e=expr, k=k))
                for k, a in enumerate(arg)
            )
        )
    return Map(
        {
            k: parameter(a, name, lanes, quote.expr("e[k]", e=expr, k=quote.const(k)))
            for k, a in arg.items()
        }
    )


def sourced(fact: Fact, name: str | None) -> Fact:
    """An array argument's fact, whose lengths are those of the parameter's axes."""
    of = "unknown shape" if any(n < 0 for n in fact.shape) else str(fact.dtype)
    if fact.kind not in "biufc" or not fact.is_array:
        raise Unsupported(None, f"{name or 'a column'} is an array of {of}", "it has no array form")
    lengths = (Extent(n, None if name is None else (name, k + 1)) for k, n in enumerate(fact.shape))
    return replace(fact, shape=tuple(lengths))


def refused(
    fn: types.FunctionType,
    source: Source,
    error: Unsupported,
    params: Mapping[str, Argument],
    options: Options,
    name: str,
    still_valid: Callable[[types.FunctionType, dict[str, Any]], bool],
) -> Specialisation:
    """One visible loop over the samples, and the place that forced it."""
    node = error.node if error.node is not None and hasattr(error.node, "lineno") else source.tree
    problem = Problem(place_of(source, node), error.what, error.why, error.instead)
    if options.fallback == "error":
        raise FallbackError(problem)
    varying = {n: a for n, a in params.items() if isinstance(a, (Varying, Rows))}

    def text(fn: types.FunctionType) -> str:
        return fallback_text(fn, source, problem, varying, options.layout, name)

    explained = [
        Explained(
            problem.place.line,
            problem.place.text.strip(),
            "the whole function loops over samples",
            problem.what,
        )
    ]
    return Specialisation(
        name,
        "",
        {},
        text,
        weakref.ref(fn),
        still_valid,
        None,
        None,
        (problem,),
        explained,
        whole_fallback=True,
    )
