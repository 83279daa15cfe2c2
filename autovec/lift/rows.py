"""What a loop's body does with rows and slices: sums and extremes of them, stores, names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift import calls  # noqa: F401  (its rule is the one for all other calls)
from autovec.lift.branches import pack
from autovec.lift.expressions import RULES, evaluate
from autovec.lift.nest import Nest
from autovec.lift.reductions import total_over
from autovec.lift.stores import store
from autovec.lift.values import Arr, Lane, Row, Vector, sample_of
from autovec.lift.vectors import (
    Elements,
    element,
    inside,
    lengths_of,
    marked,
    rank_of,
    span,
    vector,
)
from autovec.syntax import quote
from autovec.syntax.build import axis_argument
from autovec.syntax.walking import updated

_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod, "any": np.any,
    "all": np.all, "std": np.std, "var": np.var, "argmax": np.argmax, "argmin": np.argmin,
    "median": np.median, "ptp": np.ptp, "amax": np.max, "amin": np.min,
}  # fmt: skip
_METHODS = set(_REDUCTIONS) - {"median", "ptp", "amax", "amin"}
_EMPTY = {"sum", "prod", "any", "all"}  # what an empty row has


def _call(nest: Nest, node: gast.Call) -> Lane:
    func: Any = node.func
    if node.keywords or (not node.args and not isinstance(func, gast.Attribute)):
        return _numbers(nest, node)
    obj = nest.scope.find(func)
    method = obj is None and not node.args and func.attr in _METHODS
    if method and rank_of(nest, func.value):
        return reduced(nest, node, func.attr, func.value, True)
    for name, fn in _REDUCTIONS.items():
        if obj is fn and len(node.args) == 1 and rank_of(nest, node.args[0]):
            return reduced(nest, node, name, node.args[0], name in _METHODS)
    if obj is sum and len(node.args) == 1 and rank_of(nest, node.args[0]) == 1:
        return reduced(nest, node, "sum", node.args[0], True, builtin=True)
    if obj in (max, min) and len(node.args) == 1 and rank_of(nest, node.args[0]) == 1:
        return reduced(nest, node, obj.__name__, node.args[0], True, builtin=True)
    if obj is np.dot and len(node.args) == 2 and any(rank_of(nest, a) for a in node.args):
        return product(nest, node, *node.args)
    return _numbers(nest, node)


def _binop(nest: Nest, node: gast.BinOp) -> Lane:
    if isinstance(node.op, gast.MatMult):
        return product(nest, node, node.left, node.right)
    return _operator(nest, node)


def reduced(
    nest: Nest, node: Any, name: str, array: Any, method: bool, builtin: bool = False
) -> Lane:
    """A number of each row: its sum, its largest, where that is."""
    found = vector(nest, array)
    lane, turns = found.lane, found.turns
    if builtin and name != "sum" and lane.dtype.kind != "i":
        raise Unsupported(node, f"{name} of floats", "it skips NaN, or keeps it")
    if lane.python or lane.mixed or lane.poly is not None:
        raise Unsupported(node, "a row of Python's numbers")
    for turn in turns:
        nest.needs(turn, 1 if builtin or name not in _EMPTY else 0)
    for turn in nest.turns if name == "median" else []:
        nest.needs(turn, 1)
    axes = tuple(t.sym for t in turns)
    if not set(axes) <= set(lane.axes):
        raise Unsupported(node, "a row that does not vary along its axis")
    with np.errstate(all="ignore"):
        sample = sample_of(
            np.asarray(_REDUCTIONS[name](np.ones((2,) * len(turns), lane.dtype))).dtype
        )
    if lane.factors is not None and name == "sum" and lane.dtype == np.dtype(float):
        return _total(nest, lane, found, node)
    if builtin and name == "sum" and lane.dtype not in (np.dtype(float), np.dtype(np.int64)):
        raise Unsupported(node, f"a sum of {lane.dtype}", "NumPy sums it in another type")
    places = [k for k, a in enumerate(lane.axes) if a in axes]
    keep = tuple(a for a in lane.axes if a not in axes)
    template = f"x.{name}(axis=a)" if method else f"np.{name}(x, axis=a)"
    if name.startswith("arg") and len(turns) > 1:
        raise Unsupported(node, "the place of an extreme in a matrix")
    if not keep:
        template = template.replace("axis=a", "").replace(", )", ")")
        made = quote.expr(template, x=nest.text(lane))
        if not nest.lanes_now():
            raise Unsupported(node, "a row that is the same in all turns, in a branch")
        nest.needs_turns = nest.risky = True
    else:
        axis = axis_argument(places)
        made = quote.expr(template, x=nest.text(lane), a=axis)
    total = name not in ("std", "var", "mean", "median") or lane.total
    return Lane(made, keep, sample, None, lane.total and total, lane.reads)


def _total(nest: Nest, lane: Lane, found: Vector, node: Any) -> Lane:
    turns, axes = list(nest.turns), nest.axes
    nest.turns += found.turns
    made = total_over(nest, lane, tuple(t.sym for t in found.turns), node)
    nest.turns[:], nest.axes = turns, axes
    return made


def product(nest: Nest, node: Any, left: Any, right: Any) -> Lane:
    """``a @ b`` of two rows."""
    if rank_of(nest, left) != 1 or rank_of(nest, right) != 1:
        raise Unsupported(node, "a product of matrices in a loop")
    made = quote.expr("a * b", a=left, b=right)
    found = vector(nest, gast.copy_location(made, node))
    if found.lane.dtype.kind != "f" or found.lane.python:
        raise Unsupported(node, f"a product of {found.lane.dtype}")
    for turn in found.turns:
        nest.needs(turn, 0)
    return _total(nest, found.lane, found, node)


def _ordered(nest: Nest, node: gast.Subscript) -> Lane:
    """``sorted(row)[k]``, the number at one place in the order of a row."""
    call: Any = node.value
    if nest.scope.called(call) not in (sorted, np.sort):
        return _subscript(nest, node)
    place = evaluate(nest, node.slice)
    if call.keywords or len(call.args) != 1 or rank_of(nest, call.args[0]) != 1:
        raise Unsupported(node, "an order of this form")
    found = vector(nest, call.args[0])
    [turn] = found.turns
    lane = found.lane
    at = place.poly.constant if place.poly is not None else None
    if at is None or lane.python or turn.sym not in lane.axes or len(lane.axes) < 2:
        raise Unsupported(node, "a place in the order that is not a number")
    nest.require(turn.stop - 1 - at if at >= 0 else turn.stop + at)
    if nest.scope.find(call.func) is sorted and lane.dtype.kind == "f":
        for name in sorted(n for n, t in nest.facts.env.items() if _is_read(t, lane)):
            nest.condition(quote.expr("not np.isnan(x).any()", x=name))
    axis = lane.axes.index(turn.sym)
    if axis != len(lane.axes) - 1:
        raise Unsupported(node, "an order along this axis")
    sort = quote.expr("np.sort(x)", x=nest.text(lane))
    slots = [quote.expr("x[...]", x="x").slice, quote.const(at)]  # type: ignore[attr-defined]
    if len(lane.axes) == 2:
        slots[0] = quote.expr("x[:]", x="x").slice  # type: ignore[attr-defined]
    made = quote.expr("s[*k]", s=sort, k=slots)
    return Lane(made, lane.axes[:-1], lane.sample, None, lane.total, lane.reads)


def _is_read(thing: Any, lane: Lane) -> bool:
    return isinstance(thing, Arr) and bool(thing.roots & lane.reads)


# ------------------------------------------------------------- statements


def bind_rows(nest: Nest, target: Any, value: Any) -> bool:
    """``row = m[i]`` is a name for a part of `m`, ``r = row / s`` an array; False for numbers."""
    if not rank_of(nest, value):
        return False
    thing = nest.lookup(value.id) if isinstance(value, gast.Name) else None
    if isinstance(thing, Row):
        nest.env[target.id] = thing
        return True
    if isinstance(value, gast.Name):
        raise Unsupported(value, "a second name for an array")
    if isinstance(value, gast.Subscript):
        nest.env[target.id] = _part(nest, value)
        return True
    found = vector(nest, value)
    if nest.masks or nest.guessing or found.lane.python:
        raise Unsupported(value, "an array under a condition")
    if not {t.sym for t in found.turns} <= set(found.lane.axes):
        raise Unsupported(value, "a row that does not vary along its axis")
    nest.env[target.id] = replace(found, lane=nest.bind(target.id, found.lane))
    return True


def _part(nest: Nest, node: Any) -> Row:
    """The part that a subscript is, with its ends as they are now."""
    parts = list(node.slice.elts) if isinstance(node.slice, gast.Tuple) else [node.slice]
    lengths = lengths_of(nest, node.value, node)
    base: Any = node.value
    arr = nest.array_of(_root(base), node)
    made: list[Any] = []
    dims = []
    for part, dim in zip(parts, lengths, strict=False):
        if isinstance(part, gast.Slice):
            dims.append(span(nest, part, dim, node)[1])
            ends = {
                k: None if end is None else _end(nest, end)
                for k, end in (("lower", part.lower), ("upper", part.upper))
            }
            made.append(updated(part, **ends))
        else:
            made.append(_end(nest, part))
    node = quote.expr("x[*i]", x=base, i=made)
    plain = not any(isinstance(p, gast.Slice) for p in parts)
    return Row(node, arr, (*dims, *lengths[len(parts) :]), plain)


def _end(nest: Nest, node: Any) -> Any:
    lane = evaluate(nest, node)
    if lane.reads:
        raise Unsupported(node, "a part of an array whose place is read from another")
    return marked(nest, lane)


def _root(base: Any) -> str:
    while isinstance(base, gast.Subscript):
        base = base.value
    name: str = base.id
    return name


def store_rows(nest: Nest, node: Any, target: Any, value: Any, op: type | None) -> bool:
    """``m[i] = expr``, ``row *= s``: for all elements of the row; False where that is a number."""
    rank = rank_of(nest, target)
    if not rank:
        return False
    if isinstance(target, gast.Name) and isinstance(nest.lookup(target.id), Vector):
        return _rebound(nest, node, target, value, op)
    if rank_of(nest, value) > rank:
        raise Unsupported(node, "an array that is stored into a smaller one")
    pack(nest, node)
    found = Elements()
    item = element(nest, value, found)
    into = element(nest, quote.in_context(target, gast.Load()), found)
    if found.rank > rank:
        raise Unsupported(node, "an array that is stored into a smaller one")
    with inside(nest, found):
        lane = evaluate(nest, item)
        store(nest, node, into, lane, op, rows=True)
    return True


def _rebound(nest: Nest, node: Any, target: Any, value: Any, op: type | None) -> bool:
    assert op is not None
    old = nest.lookup(target.id)
    made: Any = quote.expr("a + b", a=target.id, b=value)
    found = vector(nest, gast.copy_location(updated(made, op=op()), node))
    if nest.masks or found.lane.dtype != old.lane.dtype or len(found.turns) != len(old.turns):
        raise Unsupported(node, "an update of an array under a condition, or of its type")
    nest.env[target.id] = replace(found, lane=nest.bind(target.id, found.lane))
    return True


_numbers = RULES[gast.Call]
_operator = RULES[gast.BinOp]
_subscript = RULES[gast.Subscript]
RULES.update({gast.Call: _call, gast.BinOp: _binop, gast.Subscript: _ordered})
