"""Literals, displays, subscripts, conditional expressions."""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder, expression
from autovec.program.tables import unpacked
from autovec.program.things import NONE, Known, Map, Seq, Thing, describe, literal
from autovec.program.truth import condition


@expression(gast.Constant)
def constant(b: Builder, node: gast.Constant) -> Thing:
    """A literal: a number or string is a value, None and Ellipsis are objects."""
    if node.value is None:
        return NONE
    if isinstance(node.value, (bool, int, float, complex, str)):
        return b.const(node.value, node if node.kind and node.value == node.value else None)
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


@expression(gast.Set)
def set_display(b: Builder, node: gast.Set) -> Thing:
    """A set of literals: a table that the text holds itself."""
    items = [literal(b.expr(e)) for e in node.elts]
    if not all(isinstance(v, (bool, int, float, complex, str)) for v in items):
        raise Unsupported(node, "a set of what is no literal", "lanes would differ in its length")
    return Known(set(items), node)


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
