"""Names: what one stands for where it is read, and what an assignment binds it to."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder, expression
from autovec.program.nodes import Check, Raise
from autovec.program.rows import iterated_items
from autovec.program.scope import is_missing
from autovec.program.splits import is_split, unpacked_parts
from autovec.program.tables import unpacked
from autovec.program.things import (
    Conflict,
    Known,
    Map,
    Row,
    Seq,
    Thing,
    Unbound,
    describe,
    literal,
    mutable,
)
from autovec.program.truth import negated
from autovec.program.values import Const, Value
from autovec.syntax import quote
from autovec.syntax.names import users_name


@expression(gast.Name)
def name(b: Builder, node: gast.Name) -> Thing:
    """A local name's thing, or an object of the user's world."""
    if node.id in b.env:
        return read(b, node.id, b.env[node.id], node)
    if node.id in b.locals:
        raise Unsupported(
            node, f"{node.id} is read before it is assigned", "Python raises UnboundLocalError"
        )
    return free_name(b, node.id, node)


def read(b: Builder, name: str, thing: Thing, node: gast.AST) -> Thing:
    """A local name, checked to be assigned on every live lane."""
    if isinstance(thing, Unbound):
        if thing.value is None:
            raise Unsupported(
                node, f"{name} is read before it is assigned", "Python raises UnboundLocalError"
            )
        unbound_check(b, thing, name)
        b.env[name] = thing.value
        thing = thing.value
    if isinstance(thing, Conflict):
        raise Unsupported(node, thing.why, "no array holds both")
    return thing


def free_name(b: Builder, name: str, node: gast.AST) -> Thing:
    """A closure's, module's or builtin name."""
    obj = b.scope.lookup(name)
    if is_missing(obj):
        raise Unsupported(node, f"the name {name} is not defined", "Python raises NameError")
    if isinstance(obj, types.ModuleType):
        b.remember(name, (), obj)
        return Known(obj, quote.name(name))
    return b.path(quote.name(name), obj)


def unbound_check(b: Builder, thing: Unbound, name: str) -> None:
    """Reading a name raises where it is not bound, as Python does."""
    if thing.bound is None:
        return
    exc = quote.expr(
        "UnboundLocalError(text)",
        text=quote.const(
            f"cannot access local variable '{name}' where it is not associated with a value"
        ),
    )
    b.add(Check(negated(b, thing.bound), Raise(exc, None, {}, b.line), b.line))


@expression(gast.NamedExpr)
def walrus(b: Builder, node: gast.NamedExpr) -> Thing:
    """``(name := value)``."""
    thing = b.expr(node.value)
    store(b, node.target, thing)
    return thing


def store(b: Builder, target: gast.expr, thing: Thing) -> None:
    """Bind a target: a name, or a nest of names."""
    if isinstance(target, gast.Name):
        b.env[target.id] = named(thing, target.id)
        return
    if isinstance(target, (gast.Tuple, gast.List)):
        unpack(b, target, thing)
        return
    if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
        base = b.env.get(target.value.id)
        key: Any = (
            literal(b.expr(target.slice)) if not isinstance(target.slice, gast.Slice) else None
        )
        if isinstance(base, Map) and isinstance(key, (str, int, float, bool)):
            refuse_shared(b, target.value.id, base, target)
            b.env[target.value.id] = replace(base, items={**base.items, key: thing})
            return
        if isinstance(base, Seq) and base.kind is list and isinstance(key, int):
            items = list(base.items)
            if -len(items) <= key < len(items):
                items[key] = thing
                refuse_shared(b, target.value.id, base, target)
                b.env[target.value.id] = replace(base, items=tuple(items))
                return
    raise Unsupported(
        target, "a store into an object", "only names and small local containers can be assigned"
    )


def refuse_shared(b: Builder, name: str, base: Seq | Map, node: gast.AST) -> None:
    """A container that two names may hold, or a caller, would have to change under both."""
    for other, thing in b.env.items():
        if other != name and base.objects & mutable(thing):
            raise Unsupported(
                node,
                f"a store into {name}, which {other} holds, too",
                "it would change under both",
            )
    if base.objects & b.foreign:
        what = f"a store into {name}, which the caller holds, too"
        raise Unsupported(node, what, "it would change under both")


def named(thing: Thing, name: str) -> Thing:
    """Give a value the user's name for it, if it has none yet."""
    if isinstance(thing, Value) and thing.origin is None and not isinstance(thing.op, Const):
        thing.origin = users_name(name)
    return thing


def unpack(b: Builder, target: gast.Tuple | gast.List, thing: Thing) -> None:
    """``a, b = value``, with at most one starred name."""
    thing = unpacked(b, thing)
    if isinstance(thing, Row):
        thing = iterated_items(b, thing, target)
    if isinstance(thing, Map):
        thing = Seq(tuple(b.const(k) for k in thing.items))
    plain = not any(isinstance(e, gast.Starred) for e in target.elts)
    if isinstance(thing, Value) and is_split(thing) and plain:
        thing = unpacked_parts(b, thing, len(target.elts), target) or thing
    if not isinstance(thing, Seq):
        raise Unsupported(target, f"unpacking {describe(thing)}", "its length is not known")
    stars = [k for k, e in enumerate(target.elts) if isinstance(e, gast.Starred)]
    count, given = len(target.elts), len(thing.items)
    if (not stars and count != given) or (stars and count - 1 > given):
        raise Unsupported(
            target, f"unpacking {given} values into {count} names", "Python raises ValueError"
        )
    if not stars:
        for e, item in zip(target.elts, thing.items, strict=True):
            store(b, e, item)
        return
    k = stars[0]
    after = count - k - 1
    middle = Seq(thing.items[k : given - after], list)
    items = (*thing.items[:k], middle, *thing.items[given - after :])
    for e, item in zip(target.elts, items, strict=True):
        store(b, e.value if isinstance(e, gast.Starred) else e, item)
