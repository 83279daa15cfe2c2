"""Calls of the user's own functions, each a batched twin of its own."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, cast

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.build import Below, Builder
from autovec.program.facts import Fact, Lanes, union
from autovec.program.facts import operands as fact_operands
from autovec.program.nodes import Let
from autovec.program.scope import Step, path_of
from autovec.program.things import Known, Map, Maybe, Record, Seq, Thing, leaves, map_leaves, mutable
from autovec.program.unknown import Unknown, substituted
from autovec.program.values import CallTwin, Operation, Phi, Value


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
    if b.attempts:
        raise Unsupported(
            node, f"a call of {fn.__name__} inside try", "what it raises is not followed"
        )
    if fn.__module__ is not None and fn.__module__.split(".")[0] == "numpy":
        raise Unsupported(node, f"a call of numpy's {fn.__name__}", "there is no rule for it")
    own = fn.__name__ if fn.__name__.isidentifier() else name or "function"
    return call_twin(b, b.unit.twin(fn, args, keywords, node, own))


def call_twin(b: Builder, twin: Any) -> Thing:
    """The call of a compiled helper, and the leaves of its result."""
    for below in twin.program.below:
        cover(b, twin.given[below.parameter], below.steps, below)
    operands = tuple(v for thing in twin.passed for v in leaves(thing))
    result = for_caller(twin)
    if isinstance(result, Value):
        value = Value(CallTwin(twin), operands, result.fact, None, b.line)
        b.add(Let(value))
        return value
    lanes: Lanes = ()
    for v in operands:
        lanes = union(lanes, v.fact.lanes)
    whole = Value(CallTwin(twin), operands, Fact(np.dtype(object), lanes), None, b.line)
    b.add(Let(whole))
    return _parts(b, result, whole, "r", mutable(Seq(twin.passed)))


def for_caller(twin: Any) -> Thing:
    """A helper's result: dtypes that its parameters decide are those of the caller's arguments."""
    given: dict[str, tuple[Any, ...]] = {}
    for name, thing in twin.given.items():
        inside = leaves(twin.program.things[name])
        for own, passed in zip(inside, leaves(thing), strict=True):
            if isinstance(own.fact.dtype, Unknown):
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
        return Maybe(number, flag)
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
