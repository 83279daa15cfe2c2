"""Loops that do something else in their first and last turn: those turns alone, and the rest.

    for i in range(n):                 if n > 0:
        if i == 0:                         d[0] = first
            d[i] = first               for i in range(1, n - 1):
        elif i == n - 1:                   d[i] = inner(i)
            d[i] = last                if n > 1:
        else:                              d[n - 1] = last
            d[i] = inner(i)

The order of all turns stays what it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.values import Arr, Lane
from autovec.syntax import quote
from autovec.syntax.build import branch
from autovec.syntax.convert import text_of
from autovec.syntax.scope import assigned_names, free_names, mutated_names
from autovec.syntax.visit import replace_names
from autovec.syntax.walking import children, located, updated, walk

_LEAVING = (gast.For, gast.While, gast.Break, gast.Continue, gast.Return)


@dataclass(frozen=True, eq=False)
class Edges:
    """A loop's turns in three parts; a part that is not there is None."""

    first: list[Any] | None
    middle: Any
    last: list[Any] | None


def edges_apart(walker: Any, node: Any, live: frozenset[str]) -> list[Any] | None:
    """The statements in place of the loop; None where its edges are no others, or it stays."""
    parts = _edges(walker, node, live)
    if parts is None:
        return None
    facts, notes = walker.facts.copy(), len(walker.made.notes)
    try:
        made = []
        if parts.first is not None:
            made.append(walker.branch(parts.first[0], live | free_names(node)))
        made += walker.lifted(parts.middle, live | free_names(parts.last or []))
        if parts.last is not None:
            made.append(walker.branch(parts.last[0], live))
    except Unsupported:
        walker.facts = facts
        del walker.made.notes[notes:]
        return None
    return [located(s, node) for s in made]


def _edges(walker: Any, node: Any, live: frozenset[str]) -> Edges | None:
    call = node.iter
    if not isinstance(node.target, gast.Name) or len(node.body) != 1 or node.orelse:
        return None
    if walker.scope.called(call) is not range:
        return None
    if not 1 <= len(call.args) <= 2 or call.keywords or node.target.id in live:
        return None
    low = call.args[0] if len(call.args) == 2 else quote.const(0)
    stop = call.args[-1]
    if not isinstance(low, gast.Constant) or type(low.value) is not int or low.value < 0:
        return None
    name, body = node.target.id, node.body
    if not _settled(walker, stop, body) or name in assigned_names(body):
        return None
    if any(isinstance(n, _LEAVING) for n in walk(body)):
        return None
    turns: dict[str, list[Any]] = {}
    rest: list[Any] = body
    while len(rest) == 1 and isinstance(rest[0], gast.If):
        edge = _edge_of(rest[0].test, name, low, stop)
        if edge is None or edge in turns:
            break
        turns[edge] = rest[0].body
        rest = rest[0].orelse
    if not turns or (list(turns) == ["last", "first"]):
        return None
    if any(not _only_as_index(part, name) for part in turns.get("last", [])):
        return None
    return _parts(node, turns, rest, low.value, stop)


def _parts(node: Any, turns: dict[str, list[Any]], rest: list[Any], low: int, stop: Any) -> Edges:
    name = node.target.id
    first = last = None
    begin, end = low, stop
    if "first" in turns:
        test = quote.expr("n > k", n=stop, k=low)
        body = replace_names(turns["first"], {name: quote.const(low)})
        first = [located(branch(test, body), node)]
        begin = low + 1
    if "last" in turns:
        test = quote.expr("n > k", n=stop, k=begin)
        before = quote.expr("n - 1", n=stop)
        body = replace_names(turns["last"], {name: before})
        last = [located(branch(test, body), node)]
        end = before
    header = quote.expr("range(a, b)", a=begin, b=end)
    middle = updated(node, iter=gast.copy_location(header, node), body=rest or quote.stmts("pass"))
    return Edges(first, located(middle, node), last)


def _edge_of(test: Any, name: str, low: Any, stop: Any) -> str | None:
    """Which turn a test picks: the first, the last, or neither."""
    if not isinstance(test, gast.Compare) or len(test.ops) != 1:
        return None
    left, right = test.left, test.comparators[0]
    if isinstance(right, gast.Name) and right.id == name:
        left, right = right, left
    if not isinstance(test.ops[0], gast.Eq) or not isinstance(left, gast.Name) or left.id != name:
        return None
    if text_of(right) == text_of(low):
        return "first"
    return "last" if text_of(right) == text_of(quote.expr("n - 1", n=stop)) else None


def _settled(walker: Any, stop: Any, body: list[Any]) -> bool:
    """Is the end of the range the same after every turn?"""
    for part in walk([stop]):
        plain = isinstance(part, (gast.Name, gast.Constant, gast.BinOp, gast.operator))
        length = walker.scope.called(part) is len
        if not plain and not length and not isinstance(part, gast.expr_context):
            return False
    names = free_names(stop) - {"len"}
    known = [walker.facts.env.get(n) for n in names]
    if not all(isinstance(thing, (Arr, Lane)) for thing in known):
        return False
    changed = {n for n in mutated_names(body) if not isinstance(walker.facts.env.get(n), Arr)}
    return not (names & (assigned_names(body) | changed))


def _only_as_index(node: Any, name: str) -> bool:
    """Is the name only read in subscripts?"""
    if isinstance(node, gast.Subscript):
        return _only_as_index(node.value, name)
    if isinstance(node, gast.Name):
        return bool(node.id != name)
    return all(_only_as_index(child, name) for child in children(node))
