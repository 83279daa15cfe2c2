"""Runs of equal items: a ``while`` that goes from the start of one run to that of the next.

    i = 0                                   starts = np.flatnonzero(
    while i < len(x):                           np.concatenate(([True], x[1:] != x[:-1])))
        j = i                               ends = np.append(starts[1:], len(x))
        while j < len(x) and x[j] == x[i]:  counts = (ends - starts).tolist()
            j += 1
        counts.append(j - i)
        i = j
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.outside import value
from autovec.lift.poly import number
from autovec.lift.values import Arr, Lane
from autovec.syntax import quote
from autovec.syntax.build import branch
from autovec.syntax.convert import text_of
from autovec.syntax.names import Namer
from autovec.syntax.scope import assigned_names
from autovec.syntax.walking import located, walk


@dataclass(frozen=True, eq=False)
class Runs:
    """The parts of such a loop."""

    first: str
    behind: str
    stops: list[Any]
    array: str
    body: list[Any]


def runs_of(node: gast.While) -> Runs | None:
    """The parts of a loop over runs; None where it is something else.

    >>> loop = quote.stmt('''while i < n:
    ...     j = i + 1
    ...     while j < n and x[j] == x[i]:
    ...         j += 1
    ...     i = j''')
    >>> found = runs_of(loop)
    >>> found.first, found.behind, found.array
    ('i', 'j', 'x')
    """
    outer = _below(node.test)
    if outer is None or node.orelse or len(node.body) < 3:
        return None
    parts: Any = node.body
    start, inner, *body, last = parts
    i, stop = outer
    if not isinstance(inner, gast.While) or inner.orelse or not isinstance(inner.test, gast.BoolOp):
        return None
    j = start.targets[0].id if _assigns(start) else None
    if j is None or text_of(last) != f"{i} = {j}" or text_of(inner.body) != f"{j} += 1":
        return None
    if text_of(start) not in (f"{j} = {i}", f"{j} = {i} + 1"):
        return None
    tests = inner.test.values
    if not isinstance(inner.test.op, gast.And) or len(tests) != 2:
        return None
    end, same = _below(tests[0]), tests[1]
    if end is None or end[0] != j or not isinstance(same, gast.Compare) or len(same.ops) != 1:
        return None
    left: Any = same.left
    if not isinstance(left, gast.Subscript) or not isinstance(left.value, gast.Name):
        return None
    x = left.value.id
    if text_of(same) not in (f"{x}[{j}] == {x}[{i}]", f"{x}[{i}] == {x}[{j}]"):
        return None
    leaving = (gast.Break, gast.Continue, gast.Return)
    if {i, j, x} & assigned_names(body) or any(isinstance(n, leaving) for n in walk(body)):
        return None
    return Runs(i, j, [stop, end[1]], x, body)


def _assigns(node: Any) -> bool:
    return (
        isinstance(node, gast.Assign) and len(node.targets) == 1
        and isinstance(node.targets[0], gast.Name)
    )  # fmt: skip


def _below(test: Any) -> tuple[str, Any] | None:
    """``i < n`` as its two sides."""
    if not isinstance(test, gast.Compare) or len(test.ops) != 1:
        return None
    if not isinstance(test.ops[0], gast.Lt) or not isinstance(test.left, gast.Name):
        return None
    return test.left.id, test.comparators[0]


def segmented(walker: Any, node: gast.While, live: frozenset[str]) -> list[Any] | None:
    """The statements in place of a loop over runs; None where the loop is none."""
    parts = runs_of(node)
    if parts is None:
        return None
    held, arr = walker.facts.env.get(parts.first), walker.facts.env.get(parts.array)
    if not isinstance(held, Lane) or held.poly is None or held.poly.constant != 0:
        return None
    if not isinstance(arr, Arr) or arr.rank != 1 or arr.dtype.kind not in "biuf":
        return None
    for stop in parts.stops:
        end = value(walker.facts, walker.scope, stop)
        if not isinstance(end, Lane) or end.poly != arr.dims[0]:
            return None
    state = walker.state()
    try:
        return _segmented(walker, node, parts, arr, live)
    except Unsupported:
        walker.go_back(state)
        raise


def _segmented(
    walker: Any, node: gast.While, parts: Runs, arr: Arr, live: frozenset[str]
) -> list[Any]:
    names = Namer(walker.taken)
    starts, ends = names.fresh("starts"), names.fresh("ends")
    walker.taken |= {starts, ends}
    made: list[Any] = quote.stmts(
        "s = np.flatnonzero(np.concatenate(([True], x[1:] != x[:-1])))\n"
        "e = np.append(s[1:], len(x))",
        s=starts, e=ends, x=parts.array,
    )  # fmt: skip
    symbols = walker.symbols
    key = symbols.new("runs")
    dims = (symbols.length(key, 0),)
    [length] = dims[0].symbols
    symbols.low[length] = number(1)  # the text is for an array that is not empty
    for name, own in ((starts, key), (ends, symbols.new("runs"))):
        walker.facts.env[name] = Arr(own, np.dtype(np.int64), dims, frozenset({own}), plain=True)
    target = quote.expr("i, j", i=parts.first, j=parts.behind)
    loop = quote.stmt(
        "for t in zip(s, e):\n    body", t=target, s=starts, e=ends, body=parts.body
    )
    located(loop, node)
    before = walker.made.lifted
    after = live - {parts.first, parts.behind}
    made += walker.loop(loop, after)
    if walker.made.lifted == before:
        raise Unsupported(node, "what is done with each run is not lifted")
    for name in (parts.first, parts.behind):
        if name in live:
            made.append(quote.stmt("i = len(x)", i=name, x=parts.array))
    for name in (starts, ends):
        walker.facts.env.pop(name, None)
    walker.pass_over(node)
    walker.facts.env[parts.first] = Lane(quote.name(parts.first), (), 1, arr.dims[0])
    some = quote.expr("len(x) > 0", x=parts.array)
    return [located(branch(some, made), node)]
