"""Functions defined inside the function: lambdas and defs, compiled where they are called."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder, expression, statement
from autovec.program.closures import (
    Handed,
    comes_back,
    is_function,
    reads,
    scope_of,
)
from autovec.program.columns import only_read
from autovec.program.failing import Classes, all_handlers
from autovec.program.functions import Program, Twin, Unit, lanes_of
from autovec.program.guarded import dry_run
from autovec.program.identities import mutable
from autovec.program.parameters import as_parameter
from autovec.program.recursion import handed_on
from autovec.program.things import NONE, Local, Seq, Thing, thing_key
from autovec.program.twins import call_twin
from autovec.syntax import quote
from autovec.syntax.parse import source_of
from autovec.syntax.visit import free_names, local_names
from autovec.syntax.walking import located


def make_local(b: Builder, node: gast.FunctionDef | gast.Lambda, name: str) -> Local:
    """A local function, its defaults evaluated now."""
    a = node.args
    positional = _names([*a.posonlyargs, *a.args])
    given = [*zip(positional[len(positional) - len(a.defaults) :], a.defaults, strict=True)]
    by_name = zip(_names(a.kwonlyargs), a.kw_defaults, strict=True)
    given += [(p, d) for p, d in by_name if d is not None]
    defaults = {p: b.expr(d) for p, d in given}
    own = b.outer is None and not b.unrolling
    return Local(node, name, b.env, own, defaults, b.fn, tuple(sorted(free_names(node))))


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
    things = bind_local(target, args, keywords, node)
    body = single_expression(target.node)
    seen = scope_of(b, target)
    inline = body is not None and b.inlining <= 20 and not comes_back(target, seen)
    if inline and (target.fn is b.fn or knows_all(target, things)):
        assert body is not None
        if not b.attempts or not fails(b, target, things, body):
            return in_scope(b, target, things, lambda: b.expr(body))
    made = straight(target.node) if target.fn is b.fn and not comes_back(target, seen) else None
    if made is None or b.inlining > 20:
        return call_twin(b, local_twin(b, target, things, node))

    def run() -> Thing:
        b.statements(made[0])
        return b.expr(made[1])

    return in_scope(b, target, things, run)


def fails(b: Builder, target: Local, things: dict[str, Thing], body: gast.expr) -> bool:
    """May it raise what a handler answers for, so that it needs statements of its own?"""
    statement = located(quote.stmt("body", body=body), body)

    found: list[bool] = []

    def run() -> Thing:
        found.append(dry_run(b, statement).fails)
        return NONE

    try:
        in_scope(b, target, things, run)
    except Unsupported:
        return True
    return found[0]


def knows_all(target: Local, things: dict[str, Thing]) -> bool:
    """Does a function of another scope read no name of that scope's world?"""
    outside = {*target.names} - {*target.env, *things}
    return all(hasattr(builtins, name) for name in outside)


def straight(
    tree: gast.FunctionDef | gast.Lambda,
) -> tuple[list[gast.stmt], gast.expr] | None:
    """The statements of a function that makes a function, and what it returns behind them all."""
    if isinstance(tree, gast.Lambda):
        return None
    *body, last = tree.body
    inner = {s.name for s in body if isinstance(s, gast.FunctionDef)}
    made = last.value if isinstance(last, gast.Return) else None
    makes = isinstance(made, gast.Lambda) or (isinstance(made, gast.Name) and made.id in inner)
    plain = (gast.Assign, gast.AnnAssign, gast.Expr, gast.FunctionDef, gast.Pass)
    if made is None or not makes or not all(isinstance(s, plain) for s in body):
        return None
    return body, made


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
    seen = scope_of(b, target)
    b.env = {**seen, **things}
    b.locals = set(things) | local_names(target.node)
    b.inlining += 1
    b.callers.append(before)
    try:
        return run()
    finally:
        b.callers.pop()
        b.inlining -= 1
        b.env, b.locals, b.outer = before, names, outer


def local_twin(b: Builder, target: Local, things: dict[str, Thing], node: gast.AST) -> Twin:
    """A longer local function becomes a twin; the values it closes over are passed along."""
    seen = scope_of(b, target)
    handed = Handed(b, reads(target.node) - {n for n in target.names if n in seen}, node)
    values = {n: t for n, t in things.items() if not is_function(t)}
    env = {n: as_parameter(t, n, node) for n, t in values.items()}
    env |= {n: handed.open(t, n) for n, t in things.items() if n not in values}
    for name in target.names:
        if name in seen and name not in env:
            env[name] = handed.held(seen[name], name)
    params = {**{n: env[n] for n in values}, **handed.things}
    passed = {**values, **handed.passed}
    functions = tuple((n, thing_key(t)) for n, t in env.items() if is_function(t))
    key: Any = (id(target.node), tuple(params), thing_key(Seq(tuple(params.values()))), functions)
    catches = tuple(c for _, _, c in all_handlers(b.attempts))
    key = (*key, *catches)
    growing = bool(b.loops) or b.grows
    if growing and key not in b.unit.chain.programs:
        key = (*key, handed_on(passed, params))
    program = b.unit.found(key, node)
    if program is None:
        program = build_local(b, target, params, env, key, catches)
    read = tuple(only_read(t, program.things.get(n)) for n, t in passed.items())
    return Twin(program, read, (None,) * len(passed), passed)


def build_local(
    b: Builder,
    target: Local,
    params: dict[str, Thing],
    env: dict[str, Thing],
    key: Any,
    catches: tuple[Classes, ...],
) -> Program:
    """The program of a local function, what it closes over being parameters."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = tuple(inspect.Parameter(p, kind) for p in params)
    source = replace(source_of(target.fn), tree=target.node, name=target.name)
    lanes = lanes_of(params)
    name = target.name + ("_batched" if lanes else "")
    program = Program(name, source, parameters, params, lanes, target.fn, catches=catches)

    def begin() -> Builder:
        inner = Builder(target.fn, b.captures, b.unit, lanes)
        inner.env = dict(env)
        inner.env.update(params)
        inner.given = frozenset(params)
        inner.foreign = mutable(Seq(tuple(params.values())))
        return inner

    unit: Unit = b.unit
    return unit.run(program, begin, key)
