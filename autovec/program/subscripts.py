"""Subscripts: an item or a slice of a structure, a table, an array or a string."""

from __future__ import annotations

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program import array_items, choices, lookups, rows, splits, strings
from autovec.program.arrays import items
from autovec.program.arrays.masked import kept
from autovec.program.arrays.operands import is_array
from autovec.program.binding import bounds
from autovec.program.build import Builder, expression
from autovec.program.dispatch import function_at, functions_of
from autovec.program.gathers import Lookup, finished, verified
from autovec.program.nodes import Block
from autovec.program.tables import TableSlice, item_path, unpacked
from autovec.program.things import NOT_LITERAL, Known, Map, Row, Seq, Thing, describe, literal
from autovec.program.truth import harmless
from autovec.program.values import Value


@expression(gast.Subscript)
def subscript(b: Builder, node: gast.Subscript) -> Thing:
    """An item of a structure or table, by a literal, uniform or varying index or key."""
    found = item(b, node)
    if isinstance(found, array_items.ArrayRow):
        array = b.as_value(found.base, node)
        return items.read(b, array, items.index_of(b, found.indices, node), node)
    return finished(b, found, node) if isinstance(found, Lookup) else found


def item(b: Builder, node: gast.Subscript) -> Thing | Lookup | array_items.ArrayRow:
    """The same; what was looked up in a table may be subscripted again."""
    inner = node.value
    base = item(b, inner) if isinstance(inner, gast.Subscript) else b.expr(inner)
    whole = isinstance(base, Value) or has_slice(node.slice)
    if isinstance(base, (Value, Known)) and is_array(base) and whole:
        return items.array_item(b, base, node.slice, node)
    if isinstance(base, Lookup):
        if not isinstance(node.slice, gast.Slice):
            return further(b, base, node)
        base = finished(b, base, node)
    if isinstance(node.slice, gast.Slice) and not isinstance(base, array_items.ArrayRow):
        return sliced(b, base, node.slice, node)
    index = b.expr(node.slice)
    if isinstance(base, Known) and isinstance(base.obj, np.ndarray):
        if isinstance(index, Value) and index.fact.kind == "b" and index.fact.rank:
            return kept(b.as_value(base, node), index, node)
        if picks_several(index):
            parts = index.items if isinstance(index, Seq) and index.kind is tuple else (index,)
            return items.read(b, b.as_value(base, node), items.index_of(b, parts, node), node)
        base = array_items.ArrayRow(base, ())
    if isinstance(base, array_items.ArrayRow):
        return array_items.array_row(b, base, index, node)
    if isinstance(base, Row):
        return rows.item(b, base, index, node)
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
    functions = functions_of(b, base) if key is NOT_LITERAL else None
    if functions is not None and isinstance(index, Value):
        return function_at(b, base, functions, index, node)
    if isinstance(base, Seq) and isinstance(index, Value):
        return choices.chosen(b, base, index, node)
    if isinstance(base, Map):
        return choices.mapped(b, base, index, node, None)
    if isinstance(base, Known):
        if isinstance(key, (int, str, float, bool)):
            return item_path(b, base, key, node)
        if lookups.is_table(base):
            return lookups.extended(b, lookups.start(b, base, node), index, node)
    if isinstance(base, Value) and isinstance(key, int):
        part = splits.part(b, base, key, node)
        if part is not None:
            return part
    if isinstance(base, Value) and isinstance(index, Value) and base.fact.kind == "U":
        if not base.varying and index.varying:
            return array_items.character(b, base, index, node)
        return strings.character(b, base, index, node)
    raise Unsupported(node, f"an item of {describe(base)}", "it has no array form")


def picks_several(index: Thing) -> bool:
    """Is it, or holds it, an array or list of positions?"""
    if isinstance(index, Seq):
        return index.kind is list or any(map(picks_several, index.items))
    return is_array(index)


def has_slice(index: gast.expr) -> bool:
    """Is there a slice, an ellipsis or a new axis in it?"""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return any(
        isinstance(p, gast.Slice) or (isinstance(p, gast.Constant) and p.value in (None, ...))
        for p in parts
    )


def further(b: Builder, row: Lookup, node: gast.Subscript) -> Lookup:
    """One more index; what it raises itself comes behind a bad index before it."""
    inside = Block()
    with b.into(inside):
        index = b.expr(node.slice)
    if not harmless(inside):
        row = verified(b, row, node)
    b.block.nodes += inside.nodes
    return lookups.extended(b, row, index, node)


def sliced(b: Builder, base: Thing, s: gast.Slice, node: gast.AST) -> Thing:
    """A slice of a fixed sequence with literal bounds, or of a table to be looped over."""
    if isinstance(base, Known) and type(base.obj) in (list, tuple) and base.expr is not None:
        parts = [None if p is None else b.expr(p) for p in (s.lower, s.upper, s.step)]
        whole = tuple(p for p in parts if isinstance(p, Value) and p.fact.kind in "iu")
        named = sum(p is not None for p in parts)
        late = any(literal(p) is NOT_LITERAL for p in whole)
        if late and len(whole) == named and not any(p.varying for p in whole):
            values = tuple(p if isinstance(p, Value) else None for p in parts)
            return Known(TableSlice(base, values), None)
    base = unpacked(b, base)
    if isinstance(base, Value) and base.fact.kind == "U":
        return strings.cut(b, base, s, node)
    if isinstance(base, Seq):
        return Seq(base.items[bounds(b, s, node)], base.kind)
    raise Unsupported(node, f"a slice of {describe(base)}", "it has no array form")
