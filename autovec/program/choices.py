"""Items of a list or dict made in the function, at an index or key that differs between lanes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.rule import Raises
from autovec.program.agreement import written_dtype
from autovec.program.build import Builder
from autovec.program.comparisons import ordered
from autovec.program.facts import INT, UNKNOWN, Fact, NoCommonType, storage, union_of
from autovec.program.gathers import as_index
from autovec.program.guards import check, operate
from autovec.program.intervals import interval, within
from autovec.program.keys import lanes_of, parts_of, place, storable
from autovec.program.numbers import whole
from autovec.program.rules import operand
from autovec.program.things import (
    Map,
    Seq,
    Thing,
    describe,
    leaves,
    map_leaves,
    shape,
)
from autovec.program.truth import either
from autovec.program.unknown import result_type
from autovec.program.values import Const, Operation, Value

#: np.choose takes no more arrays than this
_MOST = 32
#: a store at an index that differs between lanes writes one np.where an item
_STORES = 16


def chosen(b: Builder, seq: Seq, index: Value, node: gast.AST) -> Thing:
    """``values[i]``: each leaf is picked among those of the items."""
    message = f"{seq.kind.__name__} index out of range"
    if index.varying and seq.items and not any(v.varying for v in leaves(seq)):
        scalars = tuple(t for t in seq.items if isinstance(t, Value))
        if len(scalars) == len(seq.items):  # one array, which raises itself
            index, error = range_error(b, len(scalars), index, node, message)
            return picked(b, scalars, index, node, error is None, error)
    index = checked(b, seq, index, node, message)
    return at_index(b, seq, index, node)


def at_index(b: Builder, seq: Seq, index: Value, node: gast.AST, sure: bool = False) -> Thing:
    """The same by an index that is good, ``sure``: on lanes that do not take it, too."""
    first = seq.items[0]
    if len({repr(shape(t)) for t in seq.items}) > 1 or not leaves(first):
        kinds = sorted({describe(t) for t in seq.items})
        raise Unsupported(node, f"an item that is {' or '.join(kinds)}", "no array holds both")
    columns = iter(zip(*map(leaves, seq.items), strict=True))
    return map_leaves(first, lambda _: picked(b, next(columns), index, node, sure))


def range_error(
    b: Builder, n: int, index: Value, node: gast.AST, message: str
) -> tuple[Value, Raises | None]:
    """An index into a sequence of this length, and its IndexError, if it may be out of range."""
    index = whole(b, index) or index
    if not n or index.fact.kind not in "biu":
        why = "Python raises TypeError" if n else "Python raises IndexError"
        raise Unsupported(node, f"{describe(index)} as an index", why)
    index = as_index(b, index, node)
    if within(index, n):
        return index, None
    low = f"(i < -{n}) | " if index.fact.kind != "u" else ""
    when = f"{low}(i >= {n})" if low else f"i >= {n}"
    wide = index.fact.dtype == np.dtype(np.uint64)
    return index, Raises("IndexError", when, message, always=True, in_text=not wide)


def checked(b: Builder, seq: Seq, index: Value, node: gast.AST, message: str) -> Value:
    """An index into a fixed sequence, out of range for no live lane."""
    index, error = range_error(b, len(seq.items), index, node, message)
    if error is None:
        return signed(b, index)
    error = replace(error, in_text=False)
    op = Operation("index", ("i",), "i", "i", total=True)
    if index.varying or b.attempts:
        operate(b, op, (error,), (index,), node, index.fact)
    else:
        check(b, error, op, (index,))
    return signed(b, index)


def signed(b: Builder, index: Value) -> Value:
    """An index that np.choose takes: no uint64."""
    wide = index.fact.dtype == np.dtype(np.uint64)
    cast = Operation("int", ("x",), "x.astype(int)", "int(x)", total=True)
    return b.apply(cast, index, fact=replace(index.fact, dtype=INT)) if wide else index


def at_place(b: Builder, index: Value, k: int, n: int, node: gast.AST) -> Value:
    """Does a good index mean item ``k`` of ``n``, counted from either end?"""
    test = ordered(b, "==", index, b.const(k), node)
    low, high = interval(index)
    if low < 0 and not high < 0:
        return either(b, test, ordered(b, "==", index, b.const(k - n), node))
    return test if low >= 0 else ordered(b, "==", index, b.const(k - n), node)


def picked(
    b: Builder,
    items: tuple[Value, ...],
    index: Value,
    node: gast.AST,
    sure: bool,
    error: Raises | None = None,
) -> Value:
    """One of several values, by an index that is good, or raises ``error``."""
    try:
        fact = union_of([v.fact for v in items])
    except NoCommonType as e:
        raise Unsupported(node, f"an item that is {e}", "no array holds both") from None
    lanes = lanes_of((*items, index))
    words = all(isinstance(v.op, Const) and storable([v.op.value]) for v in items)
    if not any(v.varying for v in items) and (fact.kind in "biufc" or words):
        array = operand(b, Seq(items, list), node)
        natural = result_type(*(storage(v.fact) for v in items))
        same = fact.kind == "U" or storage(fact) == natural
        literals = all(isinstance(v.op, Const) for v in items)
        if not storable(v.op.value for v in items if isinstance(v.op, Const)):
            raise Unsupported(node, "an item beyond int64", "no array holds it")
        known = same and (literals or fact.kind != "i")  # a Python int may be too large for int64
        dtype = "" if known else f", {written_dtype(storage(fact), node)}"
        text = f"np.array(x{dtype})"
        op = Operation("array", ("x",), text, text, total=True)
        made = b.apply(op, array, fact=replace(fact, shape=(UNKNOWN,)))
        total = sure or within(index, len(items))
        written = "a[i].item()" if fact.python else "a[i]"
        op = Operation(
            "item", ("a", "i"), "a[i]", written, cost=3, number="python",
            total=total, impure=error is not None,
        )  # fmt: skip
        raises = () if error is None else (error,)
        return operate(b, op, raises, (made, index), node, replace(fact, lanes=lanes))
    if len(items) > _MOST:
        raise Unsupported(node, f"an item of {len(items)} values", "np.choose takes no more")
    if error is not None:
        raise Unsupported(node, f"an item that is {describe(items[0])}", "no array holds it")
    names = tuple(f"x{k}" for k in range(len(items)))
    low, high = interval(index)
    mode = "" if low >= 0 and high < len(items) else ", mode='wrap'"  # which counts from the end
    text = f"np.choose(i, [{', '.join(names)}]{mode})"
    natural = result_type(*(storage(v.fact) for v in items))
    if fact.kind in "biufc?" and natural != storage(fact):
        text = f"{text}.astype({written_dtype(storage(fact), node)})"
    op = Operation("choose", ("i", *names), text, f"[{', '.join(names)}][i]", total=True, cost=9)
    return b.apply(op, index, *items, node=node, fact=replace(fact, lanes=lanes))


def stored(b: Builder, seq: Seq, index: Value, thing: Thing, node: gast.AST) -> Seq:
    """``values[i] = v``: each item is v on the lanes whose index means it."""
    n = len(seq.items)
    if n > _STORES:
        raise Unsupported(node, f"a store at a varying index of {n} items", "each would be merged")
    index = checked(b, seq, index, node, "list assignment index out of range")
    items = []
    for k, item in enumerate(seq.items):
        test = at_place(b, index, k, n, node)
        made = b.branch(test, _given(thing), _given(item), node)
        assert made is not None
        items.append(made)
    return replace(seq, items=tuple(items))


def stored_at_key(b: Builder, base: Map, key: Thing, thing: Thing, node: gast.AST) -> Map:
    """``values[k] = v`` of a dict that has the key for certain."""
    if len(base.items) > _STORES:
        what = f"a store at a varying key of {len(base.items)} items"
        raise Unsupported(node, what, "each would be merged")
    items: dict[Any, Thing] = {}
    for k, item in base.items.items():
        made = b.branch(ordered(b, "==", key, b.const(k), node), _given(thing), _given(item), node)
        assert made is not None
        items[k] = made
    return replace(base, items=items)


def _given(thing: Thing) -> Callable[[], Thing]:
    return lambda: thing


def mapped(b: Builder, base: Map, key: Thing, node: gast.AST, default: Thing | None) -> Thing:
    """``values[k]`` of a dict with literal keys; a missing one raises, or gives the default."""
    keys = list(base.items)
    parts = parts_of(key, keys, node)
    table = b.apply(
        Operation("keys", (), repr(keys), repr(keys), total=True),
        fact=Fact(np.dtype(object), shape=(UNKNOWN,)),
    )
    at = place(b, "table", (("table", table),), parts, node, "KeyError" if default is None else "")
    values = Seq(tuple(base.items.values()), list)
    if default is None:
        return at_index(b, values, at, node, sure=True)
    found = ordered(b, ">=", at, b.const(0), node)
    result = b.branch(
        found, lambda: at_index(b, values, at, node, sure=True), _given(default), node
    )
    assert result is not None
    return result
