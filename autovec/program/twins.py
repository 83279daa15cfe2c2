"""Calls of the user's own functions, each a batched twin of its own."""

from __future__ import annotations

import dataclasses
import inspect
import types
from typing import Any, cast, get_args

import gast
import numpy as np

from autovec.errors import AutovecError, Unsupported
from autovec.program.build import Builder
from autovec.program.facts import BOOL, Fact, Lanes, union
from autovec.program.facts import operands as fact_operands
from autovec.program.failing import Escape, all_handlers
from autovec.program.identities import mutable
from autovec.program.nodes import Let
from autovec.program.noted import Below
from autovec.program.scope import Step, path_of
from autovec.program.tables import literal_thing
from autovec.program.things import (
    Known,
    Local,
    Map,
    Maybe,
    Record,
    Seq,
    Thing,
    leaves,
    map_leaves,
)
from autovec.program.unknown import LateDtype, substituted
from autovec.program.values import CallTwin, Operation, Phi, Value
from autovec.syntax.parse import source_of
from autovec.syntax.visit import free_names

ANY_THING: tuple[type, ...] = get_args(Thing)


def call_function(
    b: Builder,
    fn: types.FunctionType,
    args: list[Thing],
    keywords: dict[str, Thing],
    node: gast.AST,
    name: str | None = None,
) -> Thing:
    """A call of one of the user's functions: its own batched twin, specialised for these facts.

    ``name`` is what it is called here, for a function that has no name of its own.
    """
    if fn.__module__ is not None and fn.__module__.split(".")[0] == "numpy":
        raise Unsupported(node, f"a call of numpy's {fn.__name__}", "there is no rule for it")
    made = function_made(b, fn, args, keywords)
    if made is not None:
        return made
    own = fn.__name__ if fn.__name__.isidentifier() else name or "function"
    return call_twin(b, b.unit.twin(b, fn, args, keywords, node, own))


def function_made(
    b: Builder, fn: types.FunctionType, args: list[Thing], keywords: dict[str, Thing]
) -> Thing | None:
    """What a function gives that does nothing but make another one, which sees the arguments."""
    try:
        tree = source_of(fn).tree
        given = inspect.signature(fn, follow_wrapped=False).bind(*args, **keywords)
    except (AutovecError, TypeError):
        return None
    body: list[gast.stmt] = [] if isinstance(tree, gast.Lambda) else tree.body[:-1]
    last = tree.body if isinstance(tree, gast.Lambda) else tree.body[-1]
    made = last.value if isinstance(last, gast.Return) else last
    inner = {s.name: s for s in body if isinstance(s, gast.FunctionDef)}
    docs = sum(isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant) for s in body)
    node = inner.get(made.id) if isinstance(made, gast.Name) else made
    plain = len(inner) + docs == len(body)
    if not plain or not isinstance(node, (gast.Lambda, gast.FunctionDef)) or has_own(node):
        return None
    given.apply_defaults()
    env: dict[str, Thing] = {}
    for name, thing in given.arguments.items():
        parameter = given.signature.parameters[name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            env[name] = Seq(tuple(thing))
        elif parameter.kind is parameter.VAR_KEYWORD:
            env[name] = Map(dict(thing))
        else:
            known = isinstance(thing, ANY_THING)
            env[name] = thing if known else literal_thing(b, thing)

    def local(f: gast.FunctionDef | gast.Lambda) -> Local:
        called = getattr(f, "name", "anonymous")
        return Local(f, called, env, False, {}, fn, tuple(sorted(free_names(f))))

    env |= {name: local(f) for name, f in inner.items()}
    return local(node)


def has_own(node: gast.FunctionDef | gast.Lambda) -> bool:
    """Does making the function compute something: a default, a decorator?"""
    a = node.args
    computed = [d for d in (*a.defaults, *a.kw_defaults) if d is not None]
    return bool(computed) or bool(getattr(node, "decorator_list", ()))


def call_twin(b: Builder, twin: Any) -> Thing:
    """The call of a compiled helper, and the leaves of its result."""
    for below in twin.program.below:
        cover(b, twin.given[below.parameter], below.steps, below)
    operands = tuple(v for thing in twin.passed for v in leaves(thing))
    result = for_caller(twin)
    if isinstance(result, Value):
        value = Value(CallTwin(twin), operands, result.fact, None, b.line)
        value.carried |= twin.program.recursive
        b.add(Let(value))
        return value
    lanes: Lanes = ()
    for v in operands:
        lanes = union(lanes, v.fact.lanes)
    whole = Value(CallTwin(twin), operands, Fact(np.dtype(object), lanes), None, b.line)
    whole.carried |= twin.program.recursive
    b.add(Let(whole))
    passed = mutable(Seq(twin.passed))
    if not twin.program.escapes:
        return _parts(b, result, whole, "r", passed)
    assert isinstance(result, Seq)
    made, code = (_parts(b, t, whole, f"r[{k}]", passed) for k, t in enumerate(result.items))
    assert isinstance(code, Value)
    escapes(b, whole, code, twin.program.escapes)
    return made


def escapes(b: Builder, whole: Value, code: Value, found: tuple[int, ...]) -> None:
    """Where a helper says that it raised what a handler of a ``try`` around answers for."""
    handlers = all_handlers(b.attempts)
    code.origin = "failed"
    for k in found:
        attempt, handler, _ = handlers[k]
        test = code
        if len(found) > 1:
            test = b.apply(_IS, code, b.const(k + 1), fact=Fact(BOOL, code.fact.lanes, weak=True))
        b.ways.escapes.append(Escape(test, attempt, handler, whole))
    if b.dry is not None:
        b.dry.nested |= b.block is not b.dry.block


_IS = Operation("==", ("x", "y"), "x == y", "x == y", total=True, number="python")


def for_caller(twin: Any) -> Thing:
    """A helper's result: dtypes that its parameters decide are those of the caller's arguments."""
    given: dict[str, tuple[Any, ...]] = {}
    for name, thing in twin.given.items():
        inside = leaves(twin.program.whole[name])
        for own, passed in zip(inside, leaves(thing), strict=True):
            if isinstance(own.fact.dtype, LateDtype):
                (source,) = own.fact.dtype.promotion.sources()
                given[source.text] = fact_operands(passed.fact)
    if not given:
        return cast(Thing, twin.program.result)

    def leaf(v: Value) -> Value:
        fact = dataclasses.replace(v.fact, dtype=substituted(v.fact.dtype, given))
        return Value(Phi(), (), fact, v.origin, v.line)

    return map_leaves(twin.program.result, leaf)


def cover(b: Builder, thing: Thing, steps: tuple[Step, ...], below: Below) -> None:
    """What a helper reads below an argument is read from the caller's own world."""
    if isinstance(thing, Known):
        found = path_of(thing.expr)
        if found is not None:
            b.remember(found[0], (*found[1], *steps), below.obj, below.values)
    elif steps and isinstance(thing, (Seq, Map, Record)):
        items = thing.fields if isinstance(thing, Record) else thing.items
        cover(b, items[steps[0][1]], steps[1:], below)


def _parts(b: Builder, thing: Thing, whole: Value, text: str, passed: frozenset[object]) -> Thing:
    """A result, part by part; a list in it may be one of those that were passed."""
    new = frozenset([object()]) | passed
    if isinstance(thing, Value):
        op = Operation("part", ("r",), text, text, total=True, fresh=False)
        return b.apply(op, whole, fact=thing.fact)
    if isinstance(thing, Maybe):
        number, flag = (
            _parts(b, t, whole, f"{text}[{k}]", passed)
            for k, t in enumerate((thing.value, thing.none))
        )
        assert isinstance(number, Value) and isinstance(flag, Value)
        return dataclasses.replace(thing, value=number, none=flag)
    if isinstance(thing, Seq):
        items = (_parts(b, t, whole, f"{text}[{k}]", passed) for k, t in enumerate(thing.items))
        return dataclasses.replace(thing, items=tuple(items), objects=new)
    if isinstance(thing, Map):
        named = thing.items.items()
        return Map({k: _parts(b, t, whole, f"{text}[{k!r}]", passed) for k, t in named}, new)
    if isinstance(thing, Record):
        return Record(
            thing.cls,
            {k: _parts(b, t, whole, f"{text}.{k}", passed) for k, t in thing.fields.items()},
        )
    return thing
