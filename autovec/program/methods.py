"""Methods of scalars, of small structures, and of constant tables."""

from __future__ import annotations

import types
from typing import Any

import gast

from autovec import ops
from autovec.errors import Unsupported
from autovec.program import dates, searches, strings
from autovec.program.build import Builder
from autovec.program.choices import mapped
from autovec.program.comparisons import ordered
from autovec.program.gathers import finished
from autovec.program.lookups import extended, got, is_table, start
from autovec.program.operators import binary
from autovec.program.rows import row_method
from autovec.program.rules import apply_rule, operand
from autovec.program.series import series_method
from autovec.program.tables import DictView, item_path
from autovec.program.things import (
    NONE,
    NOT_LITERAL,
    Known,
    Map,
    Record,
    Row,
    Seq,
    Thing,
    describe,
    literal,
)
from autovec.program.twins import call_function
from autovec.program.uniform_calls import uniform_call
from autovec.program.values import Value


def method_call(
    b: Builder,
    base: Thing,
    attr: str,
    args: list[Thing],
    keywords: dict[str, Thing],
    node: gast.AST,
) -> Thing:
    """A method of a scalar or of a structure made in the function."""
    if isinstance(base, Value) and base.fact.kind == "U":
        return strings.method(b, base, attr, args, keywords, node)
    if isinstance(base, Value) and base.fact.kind in "Mm" and not keywords:
        return dates.method(b, base, attr, args, node)
    if isinstance(base, Value):
        rule = ops.method(base.fact.kind, attr, 1 + len(args) + len(keywords))
        if rule is None or rule.attribute:
            raise Unsupported(node, f".{attr}() of {describe(base)}", "there is no rule for it")
        values = {rule.params[0]: base}
        for p, thing in [*zip(rule.params[1:], args, strict=False), *keywords.items()]:
            values[p] = operand(b, thing, node)
        return apply_rule(b, rule, values, node, set(keywords))
    if isinstance(base, Row) and base.kind == "frame" and not args and not keywords:
        found = series_method(b, base, attr, node)
        if found is not None:
            return found
    if isinstance(base, Row) and not keywords:
        return row_method(b, base, attr, args, node)
    if isinstance(base, Map):
        return map_method(b, base, attr, args, node)
    if isinstance(base, Seq) and not keywords:
        return seq_method(b, base, attr, args, node)
    if isinstance(base, Record):
        found = getattr(base.cls, attr, None)
        if isinstance(found, types.FunctionType):
            return call_function(b, found, [base, *args], keywords, node)
    raise Unsupported(node, f".{attr}() of {describe(base)}", "it has no array form")


def map_method(b: Builder, base: Map, attr: str, args: list[Thing], node: gast.AST) -> Thing:
    """``items``, ``keys``, ``values`` and ``get`` of a dict with known keys."""
    if attr == "items" and not args:
        pairs = (Seq((b.const(k), v)) for k, v in base.items.items())
        return Seq(tuple(pairs), objects=base.objects)
    if attr == "keys" and not args:
        return Seq(tuple(b.const(k) for k in base.items), objects=base.objects)
    if attr == "values" and not args:
        return Seq(tuple(base.items.values()), objects=base.objects)
    if attr == "copy" and not args:
        return Map(dict(base.items))
    if attr == "get" and args:
        key: Any = literal(args[0])
        default = args[1] if len(args) > 1 else NONE
        if isinstance(key, (str, int, float)) or not base.items:
            return base.items.get(key, default)
        return mapped(b, base, args[0], node, default)
    raise Unsupported(node, f".{attr}() of a dict", "it has no array form")


def seq_method(b: Builder, base: Seq, attr: str, args: list[Thing], node: gast.AST) -> Thing:
    """Methods of a list or namedtuple that give a new thing (``append`` is a statement)."""
    if base.cls is not None:
        if attr == "_asdict":
            return Map(dict(zip(base.cls._fields, base.items, strict=True)))
        found = getattr(base.cls, attr, None)
        if isinstance(found, types.FunctionType):
            return call_function(b, found, [base, *args], {}, node)
    if attr == "copy" and not args:
        return Seq(base.items, base.kind)
    if attr == "count" and len(args) == 1:
        total = b.const(0)
        for item in base.items:
            total = binary(b, "+", total, ordered(b, "==", item, args[0], node), node)
        return total
    if attr == "index" and len(args) == 1:
        literals = all(literal(t) is not NOT_LITERAL for t in base.items)
        search = searches.searched if literals else searches.first_equal
        return search(b, base, attr, args[0], node)
    raise Unsupported(node, f".{attr}() of {describe(base)}", "it has no array form")


def table_method(
    b: Builder,
    base: Known,
    attr: str,
    args: list[Thing],
    keywords: dict[str, Thing],
    node: gast.AST,
) -> Thing:
    """A method of a constant table: read-only ones of dicts; uniform look-ups."""
    obj = base.obj
    if type(obj) is dict and not keywords:
        if attr == "get" and args:
            key: Any = literal(args[0])
            default = args[1] if len(args) > 1 else NONE
            if isinstance(key, (str, int, float)):
                b.capture(base.expr, obj)
                return item_path(b, base, key, node) if key in obj else default
            return got(b, base, args[0], default, node)
        if attr in ("items", "keys", "values") and not args:
            return Known(DictView(base, attr), None)
    if attr == "__getitem__" and len(args) == 1 and is_table(base):
        return finished(b, extended(b, start(b, base, node), args[0], node), node)
    kept = None if keywords else uniform_call(b, type(obj).__name__, base, attr, args, node)
    if kept is not None:
        return kept
    if type(obj) in (tuple, list) and attr in ("index", "count") and len(args) == 1:
        return searches.searched(b, base, attr, args[0], node)
    raise Unsupported(node, f".{attr}() of {describe(base)}", "look-ups loop for now")
