"""Functions defined inside the function: lambdas and defs, compiled where they are called."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder, expression, statement
from autovec.program.facts import Lanes
from autovec.program.functions import Program, Twin, Unit, lanes_of
from autovec.program.parameters import as_parameter
from autovec.program.things import Known, Local, Seq, Thing, leaves, mutable, thing_key
from autovec.program.twins import call_twin
from autovec.syntax.parse import Source, source_of
from autovec.syntax.visit import free_names, local_names


def make_local(b: Builder, node: gast.FunctionDef | gast.Lambda, name: str) -> Local:
    """A local function, its defaults evaluated now."""
    a = node.args
    positional = _names([*a.posonlyargs, *a.args])
    given = [*zip(positional[len(positional) - len(a.defaults) :], a.defaults, strict=True)]
    by_name = zip(_names(a.kwonlyargs), a.kw_defaults, strict=True)
    given += [(p, d) for p, d in by_name if d is not None]
    defaults = {p: b.expr(d) for p, d in given}
    return Local(node, name, b.env, b.outer is None and not b.unrolling, defaults)


def _names(parameters: list[gast.expr]) -> list[str]:
    return [p.id for p in parameters if isinstance(p, gast.Name)]


@expression(gast.Lambda)
def lambda_(b: Builder, node: gast.Lambda) -> Thing:
    """A lambda, with the names it sees now."""
    return make_local(b, node, "anonymous")


@statement(gast.FunctionDef)
def local_function(b: Builder, node: gast.FunctionDef) -> None:
    """A def inside the function, compiled where it is called."""
    if node.decorator_list:
        raise Unsupported(
            node, f"a decorator on the local function {node.name}", "it would have to run"
        )
    b.env[node.name] = make_local(b, node, node.name)


def call_local(
    b: Builder, target: Local, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of a def or lambda inside the function: its body, built with its own names."""
    if b.inlining > 20 or any(t is target.node for t in b.unit.building):
        raise Unsupported(node, f"{target.name} calls itself", "recursion loops for now")
    things = bind_local(target, args, keywords, node)
    body = single_expression(target.node)
    if body is None:
        return inline_body(b, target, things, node)
    return in_scope(b, target, things, lambda: b.expr(body))


def bind_local(
    target: Local, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> dict[str, Thing]:
    """The parameters of a local function bound to arguments and defaults."""
    a = target.node.args
    positional = _names([*a.posonlyargs, *a.args])
    only = _names(a.kwonlyargs)
    things: dict[str, Thing] = dict(zip(positional, args, strict=False))
    extra = args[len(positional) :]
    if a.vararg is not None:
        things[_names([a.vararg])[0]] = Seq(tuple(extra))
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


def single_expression(tree: gast.FunctionDef | gast.Lambda) -> gast.expr | None:
    """The expression that is the whole function, but for a docstring."""
    if isinstance(tree, gast.Lambda):
        return tree.body
    last = tree.body[-1]
    texts = (
        isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant) for s in tree.body[:-1]
    )
    return last.value if isinstance(last, gast.Return) and all(texts) else None


def in_scope(
    b: Builder, target: Local, things: dict[str, Thing], run: Callable[[], Thing]
) -> Thing:
    """Run with the environment of a local function, then restore the caller's."""
    before, names, outer = b.env, b.locals, b.outer
    if outer is None:
        b.outer = before
    # a def of the function's own body sees that scope's names as they are now, not as they were
    seen = b.outer if target.own and b.outer is not None else target.env
    b.env = {**seen, **things}
    b.locals = set(things) | local_names(target.node)
    b.inlining += 1
    b.callers.append(before)
    b.unit.building.append(target.node)
    try:
        return run()
    finally:
        b.callers.pop()
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
    lanes = lanes_of(params)
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
    return call_twin(b, Twin(program, tuple(passed.values()), (None,) * len(passed), passed))


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
    program = Program(name, source, parameters, params, lanes, b.fn)
    inner = Builder(b.fn, b.captures, b.unit, lanes)
    inner.env = {**env, **params}
    inner.given = frozenset(params)
    inner.foreign = mutable(Seq(tuple(params.values())))
    inner.inlining = b.inlining + 1
    unit: Unit = b.unit
    return unit.run(program, inner, key, source.tree)
