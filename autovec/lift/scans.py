"""Scans: ``b[i] = b[i - 1] + e`` and ``s += e`` whose running value is used are ``np.cumsum``.

Only where each turn adds to, subtracts from or multiplies what the turn before left; a linear
recurrence with a factor stays a loop. Sums are added in the order of the loop.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import binary, evaluate, record
from autovec.lift.nest import Nest
from autovec.lift.reading import place, subscript
from autovec.lift.values import Arr, Lane, Turn, sample_of
from autovec.syntax import quote
from autovec.syntax.walking import updated

_OPS: dict[type, type] = {gast.Add: gast.Add, gast.Sub: gast.Sub, gast.Mult: gast.Mult}


def recurrence(nest: Nest, node: Any, target: Any, value: Any) -> Any | None:
    """The terms of ``x[..i..] = x[..i - 1..] op rest``; None where the store is something else."""
    if nest.masks or nest.pack is not None:
        return None
    found = subscript(nest, target)
    if found is None:
        return None
    terms = _terms(value)
    if terms is None:
        return None
    for k, (op, term) in enumerate(terms):
        if op is gast.Sub or not isinstance(term, gast.Subscript):
            continue
        other = subscript(nest, term)
        if other is None or other[0] != found[0]:
            continue
        turn = one_before(nest, found, other)
        if turn is None:
            continue
        rest = terms[:k] + terms[k + 1 :]
        if rest and not (op is gast.Mult and len(rest) > 1):
            return turn, found, other, rest
    return None


def _terms(value: Any) -> list[tuple[type, Any]] | None:
    """A sum of terms with their signs, or the two factors of a product."""
    if not isinstance(value, gast.BinOp):
        return None
    if isinstance(value.op, gast.Mult):
        return [(gast.Mult, value.left), (gast.Mult, value.right)]
    if not isinstance(value.op, (gast.Add, gast.Sub)):
        return None
    left = value.left
    additive = isinstance(left, gast.BinOp) and isinstance(left.op, (gast.Add, gast.Sub))
    first = _terms(left) if additive else None
    return [*(first or [(gast.Add, left)]), (type(value.op), value.right)]


def one_before(nest: Nest, found: Any, other: Any) -> Turn | None:
    """The loop of whose turn before the second place was the first; None if there is none."""
    try:
        here = [evaluate(nest, i).poly for i in found[1]]
        there = [evaluate(nest, i).poly for i in other[1]]
    except Unsupported:
        return None
    moved: Turn | None = None
    for a, b in zip(here, there, strict=False):
        if a is None or b is None:
            return None
        if a == b:
            continue
        inside = [t for t in nest.turns if t.sym in a.symbols]
        if moved is not None or len(inside) != 1 or (a - b).constant != 1:
            return None
        factor = a.factor(inside[0].sym)
        if factor is None or factor.constant != 1:
            return None
        moved = inside[0]
    if moved is None or moved.down or moved.step != 1:
        return None
    return moved


def scan(nest: Nest, node: Any, parts: Any) -> None:
    """The whole recurrence along one loop, for all turns of the others."""
    turn, (name, indices), (_, before), rest = parts
    arr: Arr = nest.array_of(name, node)
    op = rest[0][0] if rest[0][0] is gast.Mult else gast.Add
    value: Lane | None = None
    for sign, term in rest:
        lane = evaluate(nest, term)
        if value is None:
            value = binary(nest, node, gast.Sub, _zero(lane), lane) if sign is gast.Sub else lane
        else:
            value = binary(nest, node, sign, value, lane)
    assert value is not None
    if arr.dtype.kind not in "if" or arr.dtype.itemsize < 4 or value.poly is not None:
        raise Unsupported(node, f"a running sum of {arr.dtype}")
    where = place(nest, arr, name, [evaluate(nest, i) for i in indices], node)
    if set(where.axes) != set(nest.axes) or turn.sym not in value.axes or not where.slices:
        raise Unsupported(node, "a running sum of this form")
    order = tuple(a for a in nest.axes if a in where.axes)
    if where.axes not in (order, order[::-1]):
        raise Unsupported(node, "a running sum whose axes are in another order")
    starts = [
        Lane(None, lane.axes, 1, lane.poly.replaced(turn.sym, turn.low))  # type: ignore[union-attr]
        for lane in (evaluate(nest, i) for i in before)
    ]
    first = place(nest, arr, name, starts, node)
    nest.needs_turns = True
    old = Lane(first.expr, first.axes, sample_of(arr.dtype), None, True, arr.roots)
    joint = binary(nest, node, op, old, value)
    if joint.dtype != arr.dtype or value.dtype != arr.dtype:
        raise Unsupported(node, f"a running sum of {value.dtype} in {arr.dtype}")
    earlier = place(nest, arr, name, [evaluate(nest, i) for i in before], node)
    record(nest, arr, earlier, node, write=False)
    record(nest, arr, where, node, write=True, atomic=True)
    full = nest.aligned(value, order)
    if value.axes != order:
        raise Unsupported(node, "a running sum of what does not vary in all loops")
    axis = order.index(turn.sym)
    kind = "np.cumprod" if op is gast.Mult else "np.cumsum"
    total = quote.expr("f(v)", f=kind, v=full)
    if len(order) > 1:
        total = quote.expr("f(v, axis=k)", f=kind, v=full, k=axis)
    text: Any = quote.expr("a + b", a=nest.aligned(replace(old, axes=first.axes), order), b=total)
    text = updated(text, op=op())
    nest.settle(arr.roots)
    into: Any = where.expr if where.axes == order else quote.expr("x.T[:]", x=where.expr)
    if where.axes != order and first.axes and len(order) > 2:
        raise Unsupported(node, "a running sum whose axes are in another order")
    if isinstance(into, gast.Name):
        into = quote.expr("x[:]", x=into)
    nest.out.append(quote.stmt("t = e", t=into, e=text))


def _zero(lane: Lane) -> Lane:
    return Lane(quote.const(0), (), 0)
