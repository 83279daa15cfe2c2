"""Names: what one stands for where it is read, and what an assignment binds it to."""

from __future__ import annotations

import math
import types
from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.arrays.items import elements
from autovec.program.arrays.operands import is_array
from autovec.program.arrays.stores import store_array_item
from autovec.program.build import Builder, expression
from autovec.program.choices import stored, stored_at_key
from autovec.program.lists import change, current, items_of
from autovec.program.nodes import Check, Let, Raise
from autovec.program.noted import NamedNumber
from autovec.program.rows import iterated_items
from autovec.program.scope import is_missing
from autovec.program.splits import unpacked_parts
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
    map_leaves,
)
from autovec.program.truth import negated
from autovec.program.values import Const, Operation, Value
from autovec.syntax import quote
from autovec.syntax.names import users_name

ASSIGNED = Operation("assigned", ("x",), "x", "x", cost=0, impure=True, fresh=False)


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
        if thing.late:
            return map_leaves(thing.value, lambda v: assigned(b, v))
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


def assigned(b: Builder, v: Value) -> Value:
    """What a loop of no trips leaves unassigned: not to be read where no lane needs it."""
    for node in b.block.nodes:
        if isinstance(node, Let) and node.value.op is ASSIGNED and node.value.args == (v,):
            return node.value
    made = b.apply(ASSIGNED, v, fact=v.fact)
    made.origin = v.origin
    return made


def called_object(b: Builder, func: gast.expr) -> Any:
    """The function of a module that is called, if it is known."""
    if isinstance(func, gast.Name):
        return None if func.id in b.env else b.scope.lookup(func.id)
    if not isinstance(func, gast.Attribute) or not isinstance(func.value, gast.Name):
        return None
    module = None if func.value.id in b.env else b.scope.lookup(func.value.id)
    return getattr(module, func.attr, None) if isinstance(module, types.ModuleType) else None


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
        b.env[target.id] = named(by_name(b, thing, target.id), target.id)
        return
    if isinstance(target, (gast.Tuple, gast.List)):
        unpack(b, target, thing)
        return
    if isinstance(target, gast.Subscript):
        array, index = array_target(b, target)
        if array is not None:
            store_array_item(b, array, index, thing, target)
            return
        store_item(b, target, thing)
        return
    raise Unsupported(
        target, "a store into an object", "only names and small local containers can be assigned"
    )


def array_target(b: Builder, target: gast.Subscript) -> tuple[Value | None, list[gast.expr]]:
    """The array that ``out[i]`` or ``out[i][j]`` stores into, and the whole index."""
    parts: list[gast.expr] = []
    base: gast.expr = target
    while isinstance(base, gast.Subscript):
        if isinstance(base.slice, gast.Slice) and parts:
            return None, parts
        inner = list(base.slice.elts) if isinstance(base.slice, gast.Tuple) else [base.slice]
        parts = [*inner, *parts]
        base = base.value
    thing = b.env.get(base.id) if isinstance(base, gast.Name) else None
    if not isinstance(thing, Value) or not thing.fact.rank:
        return None, parts
    return thing, parts


def store_item(b: Builder, target: gast.Subscript, thing: Thing, read: bool = False) -> None:
    """``values[i] = thing`` of a list or dict made in the function; ``read``: the item is there."""
    base = b.expr(target.value)
    made: Seq | Map | None = None
    if isinstance(base, Row) and base.kind == "record":
        raise Unsupported(target, "a store into a record", "it is part of the caller's array")
    if isinstance(base, Seq) and base.kind is list and isinstance(target.slice, gast.Slice):
        items = list(base.items)
        items[bounds(b, target.slice, target)] = items_of(b, thing, target)
        made = replace(base, items=tuple(items))
    elif isinstance(base, (Seq, Map)) and not isinstance(target.slice, gast.Slice):
        made = with_item(b, base, b.expr(target.slice), thing, target, read)
    if made is None or not isinstance(base, (Seq, Map)):
        raise Unsupported(
            target, f"a store into {describe(base)}", "only lists and dicts made here are changed"
        )
    change(b, current(b, base), made, target)


def with_item(
    b: Builder, base: Seq | Map, index: Thing, thing: Thing, node: gast.AST, read: bool
) -> Seq | Map | None:
    """A list or dict with one item replaced."""
    key: Any = literal(index)
    if isinstance(base, Map):
        if isinstance(key, (str, int, float, bool)):
            return replace(base, items={**base.items, key: thing})
        return stored_at_key(b, base, index, thing, node) if read else None
    if base.kind is not list or not isinstance(index, Value):
        return None
    if not isinstance(key, int):
        return stored(b, base, index, thing, node)
    items = list(base.items)
    if not -len(items) <= key < len(items):
        raise Unsupported(node, f"a store at index {key}", "Python raises IndexError")
    items[key] = thing
    return replace(base, items=tuple(items))


def bounds(b: Builder, s: gast.Slice, node: gast.AST) -> slice:
    """A slice with literal bounds."""
    parts: list[int | None] = []
    for part in (s.lower, s.upper, s.step):
        value = None if part is None else literal(b.expr(part))
        if value is not None and not isinstance(value, int):
            raise Unsupported(
                node, "a slice with bounds that are not literals", "its length is not fixed"
            )
        parts.append(value)
    return slice(*parts)


def by_name(b: Builder, thing: Thing, name: str) -> Thing:
    """A number that the user gives a name for good is written by that name."""
    if not isinstance(thing, Value) or not isinstance(thing.op, Const):
        return thing
    number = thing.op.value
    if type(number) not in (int, float, complex) or not abs(number) < math.inf:
        return thing
    known = b.numbers
    if name not in known.once or b.locals is not known.among:
        return thing
    if isinstance(thing.op.written, gast.Name):  # it has a name already
        return thing
    made = NamedNumber(number, thing.op.written or quote.const(number), b.line)
    if repr(known.found.setdefault(name, made).value) != repr(number):
        return thing
    return Value(Const(number, quote.name(name)), (), thing.fact, line=thing.line)


def named(thing: Thing, name: str) -> Thing:
    """Give a value the user's name for it, if it has none yet."""
    if isinstance(thing, Value) and thing.origin is None and not isinstance(thing.op, Const):
        thing.origin = users_name(name)
    return thing


def unpack(b: Builder, target: gast.Tuple | gast.List, thing: Thing) -> None:
    """``a, b = value``, with at most one starred name."""
    if is_array(thing):
        rows = elements(b, b.as_value(thing, target), target, 16)
        if rows is not None:
            thing = rows
    thing = unpacked(b, thing)
    if isinstance(thing, Row):
        thing = iterated_items(b, thing, target)
    if isinstance(thing, Map):
        thing = Seq(tuple(b.const(k) for k in thing.items))
    plain = not any(isinstance(e, gast.Starred) for e in target.elts)
    if isinstance(thing, Value) and thing.fact.kind == "O" and plain:
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
