"""The result of a function: one structure for all its returns, each leaf one dtype.

A lane that returns None in a numeric function has nan there; a function that only returns None
stays None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.facts import (
    OBJECT,
    Fact,
    Lanes,
    NoCommonType,
    join,
    scalar_fact,
    union,
    union_of,
)
from autovec.program.joining import EMPTY, NAN, value_and_flag
from autovec.program.nodes import Return
from autovec.program.python_types import DATE_DTYPES
from autovec.program.things import (
    NONE,
    Conflict,
    Known,
    Map,
    Maybe,
    Record,
    Seq,
    Thing,
    Unbound,
    describe,
    leaves,
    map_key,
    map_leaves,
    same_literal,
)
from autovec.program.values import Const, Item, Path, Value

#: None beside strings or dates: the result is an array of objects
NO_OBJECT = Value(Const(None), (), Fact(OBJECT, holds="None"))


def merge_returns(
    returns: list[Return], tree: gast.AST, lanes: Lanes = (), whole: bool = True
) -> Thing:
    """The joined result of all returns, whose leaves are set in the same order.

    ``whole``: it is the user's own function's, whose None is nan; a helper says who is None.

    ``lanes``: those over which it differs which return a lane takes.

    >>> from autovec.program.facts import scalar_fact
    >>> from autovec.program.values import Const
    >>> one = Value(Const(1), (), scalar_fact(1))
    >>> half = Value(Const(0.5), (), scalar_fact(0.5))
    >>> merge_returns([Return(one), Return(half), Return(NONE)], None).fact.dtype
    dtype('float64')
    """
    things = [r.thing for r in returns]
    if not things:
        return NONE
    result, columns = _merge(things, tree, "the result", lanes, whole)
    for k, r in enumerate(returns):
        r.leaves = tuple(column[k] for column in columns)
    return result


def with_escapes(returns: list[Return], result: Thing, lanes: Lanes) -> Thing:
    """The result of a helper inside a ``try``: what it returns, and who raised something.

    The second is a bool, or where several handlers may answer 0 and else one more than their place.
    Lanes that raised return something that nobody reads.
    """
    codes = {r.escape for r in returns}
    plain = [r for r in returns if r.escape is None]
    fillers: tuple[Value, ...] = ()
    if plain:
        columns = zip(leaves(result), *(r.leaves for r in plain), strict=True)
        fillers = tuple(_unread(own, list(values)) for own, *values in columns)
    several = len(codes - {None}) > 1
    for r in returns:
        code: Any = (0 if r.escape is None else r.escape + 1) if several else r.escape is not None
        fact = scalar_fact(code)
        assert fact is not None
        held = r.leaves if r.escape is None else fillers
        r.leaves = (*held, Value(Const(code), (), fact))
    result = map_leaves(result, lambda v: Value(v.op, (), v.fact.over(lanes), v.origin))
    fact = scalar_fact(0 if several else False)
    assert fact is not None
    return Seq((result, Value(Item(), (), fact.over(lanes), "failed")))


def _unread(own: Value, values: list[Value]) -> Value:
    """What stands in a leaf that is not read: what needs no computing."""
    for v in values:
        if isinstance(v.op, (Const, Path)) and not v.varying:
            return v
    kind: Any = {"b": False, "f": 0.0, "c": 0j, "U": "", "S": ""}.get(own.fact.kind, 0)
    fact = scalar_fact(kind)
    assert fact is not None
    return Value(Const(kind), (), fact)


def _merge(
    things: list[Thing], tree: gast.AST, path: str, lanes: Lanes, whole: bool
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
    numbers = all(isinstance(t, (Value, Maybe)) for t in present)
    if numbers and not whole and not all(isinstance(t, Value) for t in things):
        return _pairs(things, tree, path, lanes)
    if numbers:
        objects = any(isinstance(t, Value) and t.fact.kind in "UO" for t in present)
        blank = NO_OBJECT if objects else NAN
        values = [t if isinstance(t, Value) else blank for t in things]
        return _scalars(values, len(present) < len(things), tree, path, lanes)
    if len(present) < len(things):
        raise Unsupported(
            tree,
            f"{path} is {describe(first)} on some lanes and None on others",
            "no array holds both",
        )
    rows = _rows(first, things)
    if len(rows) == len(things):
        merged = {
            k: _merge([r[k] for r in rows], tree, f"{path}[{k!r}]", lanes, whole) for k in rows[0]
        }
        columns = [c for m in merged.values() for c in m[1]]
        return _refilled(first, {k: m[0] for k, m in merged.items()}), columns
    kinds = sorted({describe(t) for t in things})
    raise Unsupported(tree, f"{path} is {' or '.join(kinds)}", "a batch of it has no one structure")


def _pairs(
    things: list[Thing], tree: gast.AST, path: str, lanes: Lanes
) -> tuple[Thing, list[list[Value]]]:
    """A helper's result that is None on some lanes: the value, and where it is None."""
    if any(isinstance(t, Maybe) and t.nan for t in things):
        raise Unsupported(tree, f"{path} is nan on some lanes", "it is a string on others")
    inner = [t.value if isinstance(t, Maybe) else t for t in things]
    texts = any(isinstance(t, Value) and t.fact.kind == "U" for t in inner)
    blank = EMPTY if texts else NAN
    pairs = list(zip(*(value_and_flag(t, blank) for t in things), strict=True))
    value, first_column = _scalars(list(pairs[0]), not texts, tree, path, lanes)
    none, second_column = _scalars(list(pairs[1]), False, tree, path, lanes)
    assert isinstance(value, Value) and isinstance(none, Value)
    return Maybe(value, none), [*first_column, *second_column]


def _rows(first: Thing, things: list[Thing]) -> list[Mapping[Any, Thing]]:
    """The items by key of each thing that has the structure of the first."""
    if isinstance(first, Seq):
        alike = (t for t in things if isinstance(t, Seq) and _alike(first, t))
        return [dict(enumerate(t.items)) for t in alike]
    if isinstance(first, Map):
        wanted = map_key(first)
        return [t.items for t in things if isinstance(t, Map) and map_key(t) == wanted]
    if isinstance(first, Record):
        return [t.fields for t in things if isinstance(t, Record) and t.cls is first.cls]
    return []


def _alike(a: Seq, b: Seq) -> bool:
    return (a.kind, a.cls, len(a.items)) == (b.kind, b.cls, len(b.items))


def _refilled(thing: Thing, items: Mapping[Any, Thing]) -> Thing:
    """A structure with other items."""
    if isinstance(thing, Seq):
        return replace(thing, items=tuple(items.values()))
    if isinstance(thing, Map):
        return replace(thing, items=items, objects=frozenset([object()]))
    assert isinstance(thing, Record)
    return Record(thing.cls, items)


def _scalars(
    values: list[Value], missing: bool, tree: gast.AST, path: str, lanes: Lanes
) -> tuple[Value, list[list[Value]]]:
    try:
        fact = _objects([v.fact for v in values]) or union_of([v.fact for v in values])
        if fact.kind == "O" and not _returnable(fact):
            raise NoCommonType(f"{fact.holds or 'an object'}, which NumPy has no dtype for,")
        if missing and fact.kind != "O":
            fact = join(fact, Fact(NAN.fact.dtype, weak=fact.kind != "b"))
    except NoCommonType as e:
        raise Unsupported(
            tree, f"{path} is {e} on different lanes", "no NumPy dtype holds both"
        ) from None
    if lanes and not all(same_literal(values[0], v) for v in values[1:]):
        fact = fact.over(lanes)
    return Value(Item(), (), fact), [values]


def _objects(facts: list[Fact]) -> Fact | None:
    """The fact of strings or dates some of which are missing: objects; None if it is no such."""
    if all(f.kind != "O" for f in facts) or any(f.kind not in "UO" for f in facts):
        return None
    kinds, missing = set(), set()
    for f in facts:
        holds = "str" if f.kind == "U" else f.holds
        if isinstance(holds, tuple) and holds[0] == "optional":
            missing.add(holds[2])
            holds = holds[1]
        if holds == "None":
            missing.add("None")
        else:
            kinds.add(holds)
    if len(kinds) != 1 or len(missing) > 1:
        return None
    lanes: Lanes = ()
    for f in facts:
        lanes = union(lanes, f.lanes)
    [kind] = kinds
    return Fact(OBJECT, lanes, holds=("optional", kind, missing.pop()) if missing else kind)


def _returnable(fact: Fact) -> bool:
    """May an array of such objects be a result: no lists, which the loop's stacking takes apart?"""
    kind = fact.holds[1] if isinstance(fact.holds, tuple) else fact.holds
    return kind == "str" or kind in DATE_DTYPES
