"""Literals, displays, subscripts, conditional expressions."""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program import splits
from autovec.program.build import Builder, expression
from autovec.program.dispatch import function_at, functions_of
from autovec.program.rows import item
from autovec.program.strings import character, cut
from autovec.program.tables import element, item_path, unpacked
from autovec.program.things import NONE, Known, Map, Row, Seq, Thing, describe, literal
from autovec.program.truth import condition
from autovec.program.values import Const, Value


@expression(gast.Constant)
def constant(b: Builder, node: gast.Constant) -> Thing:
    """A literal: a number or string is a value, None and Ellipsis are objects."""
    if node.value is None:
        return NONE
    if isinstance(node.value, (bool, int, float, complex, str)):
        return b.const(node.value)
    return Known(node.value, node)


@expression(gast.Tuple, gast.List)
def display(b: Builder, node: gast.Tuple | gast.List) -> Thing:
    """A tuple or list of fixed length."""
    items: list[Thing] = []
    for e in node.elts:
        if isinstance(e, gast.Starred):
            inner = unpacked(b, b.iterable(e.value))
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
    test = condition(b, node.test)
    result = b.branch(test, lambda: b.expr(node.body), lambda: b.expr(node.orelse), node)
    assert result is not None
    return result


@expression(gast.Subscript)
def subscript(b: Builder, node: gast.Subscript) -> Thing:
    """An item of a structure or table, by a literal or uniform index."""
    base = b.expr(node.value)
    if isinstance(node.slice, gast.Slice):
        return sliced(b, base, node.slice, node)
    index = b.expr(node.slice)
    key = literal(index)
    if isinstance(base, Seq) and isinstance(key, int):
        try:
            return base.items[key]
        except IndexError:
            raise Unsupported(
                node, f"index {key} of {describe(base)}", "Python raises IndexError"
            ) from None
    if isinstance(base, Row):
        return item(b, base, index, node)
    if isinstance(base, Map) and index is not None and isinstance(key, (str, int, float, bool)):
        if key not in base.items:
            raise Unsupported(node, f"key {key!r}", "Python raises KeyError")
        return base.items[key]
    unknown = isinstance(index, Value) and not isinstance(index.op, Const)
    functions = functions_of(b, base) if unknown else None
    if functions is not None:
        assert isinstance(index, Value)
        return function_at(b, base, functions, index, node)
    if isinstance(base, Known):
        if isinstance(key, (int, str, float, bool)):
            return item_path(b, base, key, node)
        if isinstance(index, Value) and not index.varying:
            return element(b, base, index, node)
    if isinstance(base, Value) and splits.is_split(base) and isinstance(key, int):
        found = splits.part(b, base, key, node)
        if found is not None:
            return found
    if isinstance(base, Value) and isinstance(index, Value) and base.fact.kind == "U":
        return character(b, base, index, node)
    if isinstance(index, Value) and index.varying:
        raise Unsupported(
            node,
            f"{describe(base)} indexed by a value that differs between lanes",
            "look-ups loop for now",
        )
    raise Unsupported(node, f"an item of {describe(base)}", "it has no array form")


def sliced(b: Builder, base: Thing, s: gast.Slice, node: gast.AST) -> Thing:
    """A slice of a fixed sequence with literal bounds."""
    base = unpacked(b, base)
    if isinstance(base, Value) and base.fact.kind == "U":
        return cut(b, base, s, node)
    bounds: list[int | None] = []
    for part in (s.lower, s.upper, s.step):
        value = None if part is None else literal(b.expr(part))
        if value is not None and not isinstance(value, int):
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
