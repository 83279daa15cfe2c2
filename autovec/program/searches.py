"""Searches in a table: ``index`` and ``count`` of a list or tuple."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.comparisons import equal
from autovec.program.facts import INT, OBJECT, UNKNOWN, Fact
from autovec.program.keys import as_compared, comparable, place
from autovec.program.nodes import Check, Raise
from autovec.program.things import NOT_LITERAL, Known, Seq, Thing, describe, literal, same_literal
from autovec.program.truth import either, truth_fact
from autovec.program.values import Operation, Param, Path, Value
from autovec.syntax import quote

IS_NAN = Operation("nan", ("x",), "x != x", "x != x", total=True, number="python")


def table_of(b: Builder, thing: Thing, node: gast.AST, values: bool = False) -> Value:
    """A table as a uniform value that the text reads; ``values``: its items are relied on."""
    if isinstance(thing, Known) and thing.expr is not None:
        root = b.capture(thing.expr, thing.obj, values)
        return Value(Path(thing.expr, root), (), Fact(OBJECT, shape=(UNKNOWN,)))
    items = repr(items_of(thing, node))
    fact = Fact(OBJECT, shape=(UNKNOWN,))
    return b.apply(Operation("table", (), items, items, total=True), fact=fact)


def items_of(thing: Thing, node: gast.AST) -> list[Any]:
    """The items of a table, known now."""
    if isinstance(thing, Known) and isinstance(thing.obj, (tuple, list, np.ndarray)):
        return list(thing.obj.tolist() if isinstance(thing.obj, np.ndarray) else thing.obj)
    if isinstance(thing, Seq):
        return [literal(t) for t in thing.items]
    raise Unsupported(node, f"a search in {describe(thing)}", "its items are not known")


def searched(b: Builder, base: Known | Seq, attr: str, value: Thing, node: gast.AST) -> Value:
    """``TABLE.index(x)`` or ``TABLE.count(x)``."""
    items = items_of(base, node)
    if not isinstance(value, Value) or not comparable(value, items):
        raise Unsupported(node, f".{attr}() of {describe(value)}", "NumPy compares otherwise")
    table = table_of(b, base, node)
    narrow = as_compared(value)
    text = f"np.array(table, {narrow})" if narrow else "table"
    if attr == "count":
        made = f"np.equal.outer(x, {text if narrow else 'np.array(table)'}).sum(axis=-1)"
        op = Operation("count", ("x", "table"), made, "table.count(x)", total=True, cost=20)
        return b.apply(op, value, table, fact=Fact(INT, value.fact.lanes, weak=True))
    # inside a try its lanes go to the handler, elsewhere a check says which value it was
    error = "ValueError" if b.attempts else ""
    at = place(b, text, (("table", table),), (value,), node, error)
    if not error:
        missing(b, at, value, base.kind if isinstance(base, Seq) else type(base.obj))
    return at


def first_equal(b: Builder, base: Seq, attr: str, value: Thing, node: gast.AST) -> Value:
    """``values.index(x)`` of a list made in the function: the first item that is equal."""
    if b.attempts or not isinstance(value, Value) or not base.items:
        raise Unsupported(node, f".{attr}() of {describe(value)}", "what it raises is not followed")
    largest = largest_of(value, base, node)
    sure = largest or any(item is value for item in base.items)
    at: Value | None = None if largest else b.const(-1)
    for k, item in reversed([*enumerate(base.items)]):
        if at is None:
            at = b.const(k)
            continue
        test = equal(b, item, value, node)
        if largest and k == 0 and isinstance(item, Value) and item.fact.kind in "fc":
            test = either(b, test, b.apply(IS_NAN, item, fact=truth_fact(item)))
        found = b.branch(test, _given(b.const(k)), _given(at), node)
        assert isinstance(found, Value)
        at = found
    assert at is not None
    if literal(at) == -1:
        raise Unsupported(node, f".{attr}() of what is not there", "Python raises ValueError")
    if not sure and literal(at) is NOT_LITERAL:
        missing(b, at, value, base.kind)
    return at


def largest_of(value: Thing, base: Seq, node: gast.AST) -> bool:
    """Is it the largest or smallest of these very items: an object found though it is NaN?

    It is NaN only where the first item is.  Of what else picks one of several objects, it is not
    known which one a NaN is.
    """
    if not isinstance(value, Value) or not value.varying or isinstance(value.op, (Param, Path)):
        return False
    name = getattr(value.op, "name", "")
    if isinstance(value.op, Operation) and name not in ("choose", "item", "part", "max", "min"):
        return False
    picked = _alternatives(value, name)
    same = len(picked) == len(base.items) and all(
        a is t or (isinstance(t, Value) and same_literal(a, t))
        for a, t in zip(picked, base.items, strict=True)
    )
    if not same and value.fact.kind in "fc":
        raise Unsupported(node, ".index() of an item that was picked", "which NaN is it?")
    return same


def _alternatives(value: Value, name: str) -> list[Value]:
    """The values that ``max`` or ``min`` is one of, in order."""
    if name in ("max", "min") and getattr(value.op, "name", "") == name and value.args:
        return [*_alternatives(value.args[0], name), *value.args[1:]]
    return [value]


def _given(thing: Thing) -> Callable[[], Thing]:
    return lambda: thing


def missing(b: Builder, at: Value, value: Value, kind: type) -> None:
    """The ValueError of a value that is not there, in the running Python's words."""
    below = Operation("fails", ("at",), "at < 0", "at < 0", total=True)
    test = b.apply(below, at, fact=truth_fact(at))
    try:
        kind().index(0)
    except ValueError as e:
        words = str(e)
    if "0" in words:
        exc = quote.expr("ValueError(f'{value!r}" + words.partition("0")[2] + "')")
        captures: dict[str, Thing] = {"value": value}
    else:
        exc, captures = quote.expr("ValueError(words)", words=quote.const(words)), {}
    b.add(Check(test, Raise(exc, None, captures, b.line), b.line))
