"""The result of a function: one structure for all its returns, each leaf one dtype.

A lane that returns None in a numeric function has nan there; a function that only returns None
stays None.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.facts import Fact, Lanes, NoCommonType, join, scalar_fact
from autovec.program.nodes import Return
from autovec.program.things import (
    NONE,
    Conflict,
    Known,
    Map,
    Record,
    Seq,
    Thing,
    Unbound,
    describe,
    same_literal,
)
from autovec.program.values import Const, Item, Value

NAN = Value(Const(math.nan), (), Fact(scalar_fact(0.5).dtype, weak=True))  # type: ignore[union-attr]


def merge_returns(returns: list[Return], tree: gast.AST, lanes: Lanes = ()) -> Thing:
    """The joined result of all returns, whose leaves are set in the same order.

    ``lanes``: those over which it differs which return a lane takes.

    >>> one = Value(Const(1), (), scalar_fact(1))
    >>> half = Value(Const(0.5), (), scalar_fact(0.5))
    >>> merge_returns([Return(one), Return(half), Return(NONE)], None).fact.dtype
    dtype('float64')
    """
    things = [r.thing for r in returns]
    if not things:
        return NONE
    result, columns = _merge(things, tree, "the result", lanes)
    for k, r in enumerate(returns):
        r.leaves = tuple(column[k] for column in columns)
    return result


def _merge(
    things: list[Thing], tree: gast.AST, path: str, lanes: Lanes
) -> tuple[Thing, list[list[Value]]]:
    """The joined thing, and for each of its leaves the value every return has there."""
    present = [t for t in things if not (isinstance(t, Known) and t.obj is None)]
    if not present:
        return NONE, []
    for t in present:
        if isinstance(t, Conflict):
            raise Unsupported(tree, t.why, "no array holds both")
        if isinstance(t, Unbound):
            raise Unsupported(
                tree, f"{t.name} may be unassigned", "Python raises UnboundLocalError"
            )
    first = present[0]
    if all(isinstance(t, Value) for t in present):
        return _scalars(
            [t if isinstance(t, Value) else NAN for t in things],
            len(present) < len(things),
            tree,
            path,
            lanes,
        )
    if len(present) < len(things):
        raise Unsupported(
            tree,
            f"{path} is {describe(first)} on some lanes and None on others",
            "no array holds both",
        )
    if isinstance(first, Seq) and all(_alike(first, t) for t in things):
        merged = [
            _merge([t.items[k] for t in things], tree, f"{path}[{k}]", lanes)
            for k in range(len(first.items))
        ]  # type: ignore[union-attr]
        return replace(first, items=tuple(m[0] for m in merged)), [c for m in merged for c in m[1]]
    if isinstance(first, Map) and all(
        isinstance(t, Map) and list(t.items) == list(first.items) for t in things
    ):
        return _fields(first.items, [t.items for t in things], tree, path, lanes, Map)  # type: ignore[union-attr]
    if isinstance(first, Record) and all(
        isinstance(t, Record) and t.cls is first.cls for t in things
    ):
        cls = first.cls
        return _fields(
            first.fields, [t.fields for t in things], tree, path, lanes, lambda f: Record(cls, f)
        )  # type: ignore[union-attr]
    kinds = sorted({describe(t) for t in things})
    raise Unsupported(tree, f"{path} is {' or '.join(kinds)}", "a batch of it has no one structure")


def _fields(
    keys: Mapping[Any, Thing],
    rows: list[Mapping[Any, Thing]],
    tree: gast.AST,
    path: str,
    lanes: Lanes,
    make: Any,
) -> tuple[Thing, list[list[Value]]]:
    merged = {k: _merge([row[k] for row in rows], tree, f"{path}[{k!r}]", lanes) for k in keys}
    return make({k: m[0] for k, m in merged.items()}), [c for m in merged.values() for c in m[1]]


def _alike(a: Seq, b: Thing) -> bool:
    return isinstance(b, Seq) and (a.kind, a.cls, len(a.items)) == (b.kind, b.cls, len(b.items))


def _scalars(
    values: list[Value], missing: bool, tree: gast.AST, path: str, lanes: Lanes
) -> tuple[Value, list[list[Value]]]:
    fact = values[0].fact
    try:
        for v in values[1:]:
            fact = join(fact, v.fact)
        if missing and fact.kind in "SUO":
            raise NoCommonType("a string and None")
        if missing:
            fact = join(fact, Fact(NAN.fact.dtype, weak=fact.kind != "b"))
    except NoCommonType as e:
        raise Unsupported(
            tree, f"{path} is {e} on different lanes", "no NumPy dtype holds both"
        ) from None
    if lanes and not all(same_literal(values[0], v) for v in values[1:]):
        fact = fact.over(lanes)
    return Value(Item(), (), fact), [values]
