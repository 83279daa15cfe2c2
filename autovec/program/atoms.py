"""Names, literals, displays, attributes, subscripts, conditional expressions, walrus."""

from __future__ import annotations

import types
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.build import Builder, describe, expression, unbound_check
from autovec.program.facts import scalar_fact
from autovec.program.scope import is_missing, static_getattr
from autovec.program.tables import element, item_path
from autovec.program.truth import literal, truth
from autovec.program.values import (
    NONE,
    Conflict,
    Known,
    Map,
    Operation,
    Path,
    Record,
    Seq,
    Thing,
    Unbound,
    Value,
)
from autovec.syntax import quote


@expression(gast.Constant)
def constant(b: Builder, node: gast.Constant) -> Thing:
    """A literal: a number or string is a value, None and Ellipsis are objects."""
    if node.value is None:
        return NONE
    if isinstance(node.value, (bool, int, float, complex, str)):
        return b.const(node.value)
    return Known(node.value, node)


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
        b.captures.add(name, (), obj)
        return Known(obj, quote.name(name))
    return b.path(quote.name(name), name, (), obj)


@expression(gast.Tuple, gast.List)
def display(b: Builder, node: gast.Tuple | gast.List) -> Thing:
    """A tuple or list of fixed length."""
    items: list[Thing] = []
    for e in node.elts:
        if isinstance(e, gast.Starred):
            inner = b.expr(e.value)
            from autovec.program.truth import unpacked

            inner = unpacked(b, inner)
            if not isinstance(inner, Seq):
                raise Unsupported(e, f"*{describe(inner)}", "its length is not fixed")
            items.extend(inner.items)
        else:
            items.append(b.expr(e))
    return Seq(tuple(items), tuple if isinstance(node, gast.Tuple) else list)


@expression(gast.Dict)
def dict_display(b: Builder, node: gast.Dict) -> Thing:
    """A dict with literal keys."""
    items: dict[Any, Thing] = {}
    for k, v in zip(node.keys, node.values, strict=True):
        if k is None:
            inner = b.expr(v)
            if not isinstance(inner, Map):
                raise Unsupported(v, f"**{describe(inner)}", "its keys are not known")
            items.update(inner.items)
            continue
        key = literal(b.expr(k))
        if not isinstance(key, (str, int, float, bool, complex)):
            raise Unsupported(
                k,
                "a dict key that is not a literal",
                "the keys of a result have to be the same on every lane",
            )
        items[key] = b.expr(v)
    return Map(items)


@expression(gast.IfExp)
def conditional(b: Builder, node: gast.IfExp) -> Thing:
    """``a if test else b``: each side on its own lanes."""
    test = truth(b, b.expr(node.test), node.test)
    result = b.branch(test, lambda: b.expr(node.body), lambda: b.expr(node.orelse), node)
    assert result is not None
    return result


@expression(gast.NamedExpr)
def walrus(b: Builder, node: gast.NamedExpr) -> Thing:
    """``(name := value)``."""
    from autovec.program.statements import store

    thing = b.expr(node.value)
    store(b, node.target, thing)
    return thing


@expression(gast.Attribute)
def attribute(b: Builder, node: gast.Attribute) -> Thing:
    """An attribute of a record, of an object of the user's, or of a scalar."""
    base = b.expr(node.value)
    if isinstance(base, Record) and node.attr in base.fields:
        return base.fields[node.attr]
    if (
        isinstance(base, Seq)
        and base.cls is not None
        and node.attr in getattr(base.cls, "_fields", ())
    ):
        return base.items[base.cls._fields.index(node.attr)]
    if isinstance(base, Known):
        return attribute_of(b, base, node.attr, node)
    if isinstance(base, Value):
        return scalar_attribute(b, base, node.attr, node)
    raise Unsupported(node, f".{node.attr} of {describe(base)}", "it is not known while compiling")


def attribute_of(b: Builder, base: Known, attr: str, node: gast.AST) -> Thing:
    """An attribute of an object known while compiling; a property is called, never run here."""
    found: Any = static_getattr(base.obj, attr)
    if is_missing(found):
        raise Unsupported(node, f".{attr} of {describe(base)}", "reading it would run code")
    expr = quote.expr(f"base.{attr}", base=base.expr) if base.expr is not None else None
    steps = path_of(expr) if expr is not None else None
    if steps is not None:
        b.captures.add(steps[0], steps[1], found)
    if isinstance(found, property):
        from autovec.program.calls import call_function

        if found.fget is None:
            raise Unsupported(node, f".{attr} of {describe(base)}", "it cannot be read")
        return call_function(b, found.fget, [base], {}, node)
    if isinstance(found, types.FunctionType) and not isinstance(base.obj, (type, types.ModuleType)):
        found = types.MethodType(found, base.obj)
    elif isinstance(found, staticmethod):
        found = found.__func__
    elif isinstance(found, classmethod):
        found = types.MethodType(
            found.__func__, base.obj if isinstance(base.obj, type) else type(base.obj)
        )
    fact = scalar_fact(found)
    if fact is None or expr is None:
        return Known(found, expr)
    return Value(Path(expr, steps[0] if steps else ""), (), fact, line=b.line)


def path_of(expr: gast.expr) -> tuple[str, tuple[tuple[str, Any], ...]] | None:
    """The root name and the steps of ``root.attr[key]``; None for anything else."""
    steps: list[tuple[str, Any]] = []
    while not isinstance(expr, gast.Name):
        if isinstance(expr, gast.Attribute):
            steps.append(("attr", expr.attr))
            expr = expr.value
        elif isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Constant):
            steps.append(("item", expr.slice.value))
            expr = expr.value
        else:
            return None
    return expr.id, tuple(reversed(steps))


def scalar_attribute(b: Builder, base: Value, attr: str, node: gast.AST) -> Thing:
    """``x.real`` and its kin: data attributes of a scalar."""
    kind = base.fact.kind
    if kind not in "biufc" or attr not in ("real", "imag", "numerator", "denominator"):
        raise Unsupported(node, f".{attr} of {describe(base)}", "it has no array form")
    if attr in ("numerator", "denominator") and kind not in "biu":
        raise Unsupported(node, f".{attr} of {describe(base)}", "Python raises AttributeError")
    if attr == "denominator":
        return b.const(1)
    if kind != "c":
        if attr == "imag":
            return b.const(0.0 if kind == "f" else 0)
        if kind == "b" and base.fact.python:
            return b.apply(
                Operation(attr, ("x",), "x.astype(int)", f"x.{attr}", total=True), base, node=node
            )
        return base
    text = f"np.{attr}(x)"
    return b.apply(
        Operation(attr, ("x",), text, f"x.{attr}", total=True, fresh=False), base, node=node
    )


@expression(gast.Subscript)
def subscript(b: Builder, node: gast.Subscript) -> Thing:
    """An item of a structure or table, by a literal or uniform index."""
    base = b.expr(node.value)
    if isinstance(node.slice, gast.Slice):
        return sliced(b, base, node)
    index = b.expr(node.slice)
    key = literal(index)
    if isinstance(base, Seq) and isinstance(key, int):
        try:
            return base.items[key]
        except IndexError:
            raise Unsupported(
                node, f"index {key} of {describe(base)}", "Python raises IndexError"
            ) from None
    if isinstance(base, Map) and index is not None and isinstance(key, (str, int, float, bool)):
        if key not in base.items:
            raise Unsupported(node, f"key {key!r}", "Python raises KeyError")
        return base.items[key]
    if isinstance(base, Known):
        if isinstance(key, (int, str, float, bool)):
            return item_path(b, base, key, node)
        if isinstance(index, Value) and not index.varying:
            return element(b, base, index, node)
    if isinstance(index, Value) and index.varying:
        raise Unsupported(
            node,
            f"{describe(base)} indexed by a value that differs between lanes",
            "look-ups loop for now",
        )
    raise Unsupported(node, f"an item of {describe(base)}", "it has no array form")


def sliced(b: Builder, base: Thing, node: gast.Subscript) -> Thing:
    """A slice of a fixed sequence with literal bounds."""
    from autovec.program.truth import unpacked

    base = unpacked(b, base)
    s = node.slice
    bounds = []
    for part in (s.lower, s.upper, s.step):
        value = None if part is None else literal(b.expr(part))
        if part is not None and not isinstance(value, int):
            raise Unsupported(
                node, "a slice with bounds that are not literals", "its length is not fixed"
            )
        bounds.append(value)
    if isinstance(base, Seq):
        return Seq(base.items[slice(*bounds)], base.kind)
    raise Unsupported(node, f"a slice of {describe(base)}", "it has no array form")


@expression(gast.JoinedStr)
def f_string(b: Builder, node: gast.JoinedStr) -> Thing:
    """An f-string whose parts are literals; others are built only inside ``raise``."""
    parts: list[str] = []
    for v in node.values:
        if not isinstance(v, gast.Constant):
            raise Unsupported(
                node, "an f-string over varying values", "a string is not built lane by lane"
            )
        parts.append(v.value)
    return b.const("".join(parts))


@expression(gast.Lambda)
def lambda_(b: Builder, node: gast.Lambda) -> Thing:
    """A lambda, with the names it sees now."""
    from autovec.program.functions import make_local

    return make_local(b, node, "anonymous")


def scalar_array(obj: Any) -> bool:
    """Is it an array of rank 0?"""
    return isinstance(obj, np.ndarray) and obj.ndim == 0
