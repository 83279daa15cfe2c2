"""Rows of tables: what a function reads of them by subscript, attribute, method or iteration.

A row's columns are known while compiling, each a value of its own dtype.  A row of a DataFrame has
the manners of the Series that ``df.apply(f, axis=1)`` passes: attributes of a Series come before
columns, and iterating gives the values; a row of a dict of arrays is a dict, one of a structured
array is a NumPy record.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.scope import MISSING, path_of
from autovec.program.things import (
    NONE,
    NOT_LITERAL,
    Conflict,
    Known,
    Map,
    Row,
    Seq,
    Thing,
    describe,
    literal,
)
from autovec.program.values import Path, Value


def column(row: Row, key: Any, node: gast.AST) -> Thing:
    """One column of a row."""
    try:
        found = row.items[key]
    except (KeyError, TypeError):
        error = "ValueError" if row.kind == "record" else "KeyError"
        raise Unsupported(node, f"column {key!r} is not there", f"Python raises {error}") from None
    if isinstance(found, Conflict):
        raise Unsupported(node, f"column {key!r} is read lane by lane", found.why)
    return found


def key_of(thing: Thing) -> Any:
    """A subscript known while compiling: a literal, a tuple or a list of literals."""
    if isinstance(thing, Seq) and thing.cls is None:
        keys = [key_of(item) for item in thing.items]
        return NOT_LITERAL if NOT_LITERAL in keys else thing.kind(keys)
    if isinstance(thing, Known) and isinstance(thing.obj, (tuple, list)):
        return thing.obj if all(isinstance(k, (str, int)) for k in thing.obj) else NOT_LITERAL
    return literal(thing)


def constant_key(b: Builder, thing: Thing) -> Any:
    """A subscript that is a literal, or a constant of the user's whose value is compiled in."""
    key = key_of(thing)
    if key is not NOT_LITERAL or not isinstance(thing, Value) or not isinstance(thing.op, Path):
        return key
    found = path_of(thing.op.expr)
    obj = MISSING if found is None else b.known_object(*found)
    if not isinstance(obj, (str, int)) or found is None:
        return NOT_LITERAL
    b.remember(*found, obj, values=True)
    return obj


def item(b: Builder, row: Row, index: Thing, node: gast.AST) -> Thing:
    """``row["price"]``, ``row[["a", "b"]]``; a record's fields have positions, too."""
    key = constant_key(b, index)
    if key is NOT_LITERAL:
        what = f"a row's item at {describe(index)}"
        raise Unsupported(node, what, "which column it is, is not known while compiling")
    if isinstance(index, Known):
        b.capture(index.expr, index.obj, values=True)
    if isinstance(key, list):
        if row.kind == "dict":
            raise Unsupported(node, "a list as the key of a dict", "Python raises TypeError")
        found = {k: column(row, k, node) for k in key}
        return replace(row, items=found, objects=frozenset([object()]))
    if row.kind == "record" and isinstance(key, int):
        return position(row, key, node)
    return column(row, key, node)


def position(row: Row, k: int, node: gast.AST) -> Thing:
    """The column at a position."""
    if not -len(row.items) <= k < len(row.items):
        raise Unsupported(node, f"index {k} of a row", "Python raises IndexError")
    return column(row, [*row.items][k], node)


def values(row: Row, node: gast.AST) -> Seq:
    """All columns of a row in order; one that has no array is refused where it is read."""
    return Seq(tuple(row.items.values()), list)


def keys(b: Builder, row: Row, node: gast.AST) -> Seq:
    """The names of a row's columns."""
    if not all(isinstance(k, (str, int, float, bool)) for k in row.items):
        raise Unsupported(node, "the names of a row's columns", "not all are strings or numbers")
    return Seq(tuple(b.const(k) for k in row.items), list)


def iterated_items(b: Builder, row: Row, node: gast.AST) -> Seq:
    """What a loop over a row, or unpacking it, sees."""
    return keys(b, row, node) if row.kind == "dict" else values(row, node)


def row_attribute(b: Builder, row: Row, attr: str, node: gast.AST) -> Thing:
    """``row.price``, ``row.name``, ``row.loc`` and its kin."""
    if row.kind == "frame":
        if attr == "name":
            return label(row, node)
        if attr == "index":
            return keys(b, row, node)
        if attr in ("values", "array"):
            return values(row, node)
        if attr in ("loc", "at"):
            return replace(row, kind="by label")
        if attr in ("iloc", "iat"):
            return replace(row, kind="record")
        if attr == "size":
            return b.const(len(row.items))
        if _has(_series(), attr):
            raise Unsupported(node, f".{attr} of a row", "it is an attribute of pandas' Series")
    elif _has({"record": np.record}.get(row.kind, dict), attr):
        raise Unsupported(node, f".{attr} of a row", "it has no array form")
    if attr not in row.items:
        raise Unsupported(node, f".{attr} of a row", "Python raises AttributeError")
    return column(row, attr, node)


def label(row: Row, node: gast.AST) -> Thing:
    """The row's label in the index of its table."""
    if row.label is None:
        raise Unsupported(node, ".name of a row", "its label is not handed on")
    if isinstance(row.label, Conflict):
        raise Unsupported(node, ".name of a row", row.label.why)
    return row.label


def row_class(row: Row) -> type:
    """The class whose manners a row has."""
    if row.kind == "frame":
        return _series()
    return np.record if row.kind == "record" else dict


def row_method(b: Builder, row: Row, attr: str, args: list[Thing], node: gast.AST) -> Thing:
    """``get``, ``keys``, ``items``, ``to_dict`` and their kin."""
    if attr == "get" and args and row.kind != "record":
        return item_or(b, row, args, node)
    if attr == "keys" and not args and row.kind != "record":
        return keys(b, row, node)
    if attr == "items" and not args and row.kind != "record":
        names = keys(b, row, node).items
        pairs = zip(names, values(row, node).items, strict=True)
        return Seq(tuple(Seq(pair) for pair in pairs), list)
    if attr == "values" and not args and row.kind == "dict":
        return values(row, node)
    if attr == "copy" and not args:
        return replace(row, items=dict(row.items), objects=frozenset([object()]))
    if attr in ("to_dict", "_asdict") and not args and row.kind == "frame":
        return Map(dict(row.items))
    if attr in ("tolist", "to_list", "to_numpy") and not args and row.kind == "frame":
        return values(row, node)
    if attr in ("item", "tolist") and not args and row.kind == "record":
        return Seq(values(row, node).items)
    raise Unsupported(node, f".{attr}() of a row", "it has no array form")


def item_or(b: Builder, row: Row, args: list[Thing], node: gast.AST) -> Thing:
    """``row.get(key, default)``: which of the two is known while compiling."""
    key = constant_key(b, args[0])
    if key is NOT_LITERAL or isinstance(key, list):
        raise Unsupported(node, ".get() of a row", "its column is not known while compiling")
    if key in row.items:
        return column(row, key, node)
    return args[1] if len(args) > 1 else NONE


def _series() -> type:
    """pandas' Series; it is loaded where a DataFrame was passed."""
    found: type = getattr(sys.modules.get("pandas"), "Series", dict)
    return found


def _has(cls: type, attr: str) -> bool:
    return hasattr(cls, attr)
