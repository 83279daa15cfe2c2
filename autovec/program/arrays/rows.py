"""Loops over the rows of arrays: by index, for a row is read of the lanes that still run then.

``for v in x`` becomes ``for j in range(len(x)): v = x[j]``; so do ``enumerate``, ``reversed`` and
``zip`` of arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gast

from autovec.program.arrays.operands import is_array
from autovec.program.build import Builder
from autovec.program.marks import Mark
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.visit import replace_names
from autovec.syntax.walking import updated

#: an expression over so many rows is written out
FEW = 4


@dataclass(frozen=True)
class Rows:
    """What a loop runs over: arrays, the item of a trip over their names, in reverse or not."""

    arrays: list[Value]
    item: gast.expr
    back: bool = False


def over_rows(b: Builder, node: gast.For, hidden: Callable[[str], str]) -> list[gast.stmt] | None:
    """The loop by index that a loop over arrays is; None for a loop over anything else."""
    mark = Mark(b)
    found = rows_of(b, node.iter)
    if found is None:
        mark.restore(b)  # it is looked at once more: what it changes is changed then
        return None
    names: dict[str, str] = {}
    for k, array in enumerate(found.arrays):
        names[f"s{k}"] = hidden(f"rows{k}")
        b.env[names[f"s{k}"]] = array
    lengths = [int(array.fact.shape[0]) for array in found.arrays]
    shortest = quote.expr("len(s)", s=names[f"s{lengths.index(min(lengths))}"])
    trip = hidden("j")
    trips = quote.expr("range(n - 1, -1, -1)" if found.back else "range(n)", n=shortest)
    item = replace_names(found.item, {**names, "j": trip})
    text = "target = item\nbody"
    body = quote.stmts(text, target=node.target, item=item, body=node.body)
    loop = quote.stmt("for j in trips:\n    body", j=trip, trips=trips, body=body)
    made = updated(loop, orelse=node.orelse)
    for part in gast.walk(made):
        if isinstance(part, (gast.expr, gast.stmt)) and not hasattr(part, "lineno"):
            gast.copy_location(part, node)
    return [made]


def rows_of(b: Builder, node: gast.expr) -> Rows | None:
    """The arrays that an expression iterates over, if it is arrays."""
    wrapper = _wrapper(b, node)
    if wrapper is None:
        return _alone(b, node)
    assert isinstance(node, gast.Call)
    if node.keywords or not node.args or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    inner = [rows_of(b, a) for a in node.args]
    parts = [p for p in inner if p is not None and not p.back and len(p.arrays) == 1]
    if len(parts) < len(inner) or (wrapper is not zip and len(parts) > 1):
        return None
    if wrapper is zip:
        item = quote.expr(f"({', '.join(f's{k}[j]' for k in range(len(parts)))},)")
        return Rows([p.arrays[0] for p in parts], item)
    if wrapper is reversed:
        return Rows(parts[0].arrays, parts[0].item, back=True)
    return Rows(parts[0].arrays, quote.expr("(j, item)", item=parts[0].item))


def has_rows(b: Builder, node: gast.expr) -> bool:
    """Does a generator run over arrays, too long to be written out row by row?"""
    mark = Mark(b)
    found = rows_of(b, node)
    mark.restore(b)
    if found is None:
        return False
    return b.unit.any_length or min(int(a.fact.shape[0]) for a in found.arrays) > FEW


def _wrapper(b: Builder, node: gast.expr) -> object:
    """``zip``, ``enumerate`` or ``reversed``, if that is what is called."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return None
    found = None if node.func.id in b.env else b.scope.lookup(node.func.id)
    return next((f for f in (zip, enumerate, reversed) if found is f), None)


def _alone(b: Builder, node: gast.expr) -> Rows | None:
    """An expression that is an array; calls of builtins are iterated in ways of their own."""
    named = isinstance(node, (gast.Name, gast.Attribute, gast.Subscript))
    computed = isinstance(node, gast.BinOp) or (
        isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute)
    )
    if not named and (not computed or b.attempts):
        return None
    if isinstance(node, gast.Name) and node.id in b.env and not is_array(b.env[node.id]):
        return None  # an iterator is run through once
    thing = b.iterable(node)
    if not is_array(thing):
        return None
    return Rows([b.as_value(thing, node)], quote.expr("s0[j]"))
