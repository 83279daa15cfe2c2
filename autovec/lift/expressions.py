"""Expressions of a loop's body, for all turns at once."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift import integers
from autovec.lift.nest import Access, Nest
from autovec.lift.poly import as_poly
from autovec.lift.reading import Place, in_order, place, subscript
from autovec.lift.values import (
    Accumulator,
    Arr,
    Carried,
    Lane,
    constant,
    is_constant,
    merged,
    naturals_of,
    sample_of,
    small,
    typed,
)  # fmt: skip
from autovec.syntax import quote
from autovec.syntax.walking import updated

BINARY: dict[type, Callable[..., Any]] = {
    gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul,
    gast.Div: operator.truediv, gast.FloorDiv: operator.floordiv, gast.Mod: operator.mod,
    gast.Pow: operator.pow, gast.BitAnd: operator.and_, gast.BitOr: operator.or_,
    gast.BitXor: operator.xor,
}  # fmt: skip
_COMPARE: dict[type, Callable[..., Any]] = {
    gast.Lt: operator.lt, gast.LtE: operator.le, gast.Gt: operator.gt, gast.GtE: operator.ge,
    gast.Eq: operator.eq, gast.NotEq: operator.ne,
}  # fmt: skip
_TOTAL = (gast.Add, gast.Sub, gast.Mult, gast.BitAnd, gast.BitOr, gast.BitXor)


def evaluate(nest: Nest, node: Any) -> Lane:
    """The number that an expression is in each turn."""
    method = RULES.get(type(node))
    if method is None:
        raise Unsupported(node, f"{type(node).__name__.lower()} in a loop", "it has no array form")
    lane: Lane = method(nest, node)
    return lane


def _constant(nest: Nest, node: gast.Constant) -> Lane:
    if type(node.value) not in (int, float, bool, complex):
        raise Unsupported(node, f"a {type(node.value).__name__}", "lifted values are numbers")
    return constant(node.value)


def _name(nest: Nest, node: gast.Name) -> Lane:
    thing = nest.lookup(node.id)
    if isinstance(thing, Accumulator):
        raise Carried(node.id)
    if isinstance(thing, Lane):
        lane = nest.here(thing)
        return (
            replace(lane, expr=quote.name(node.id)) if lane.expr is None and not lane.axes else lane
        )
    if thing is None and node.id not in nest.scope.local:
        value = nest.scope.find(node)
        if type(value) in (int, float, bool):
            poly = None
            return Lane(quote.name(node.id), (), value, poly)
    raise Unsupported(node, f"{node.id}", "it is not known to be a number here")


def _binop(nest: Nest, node: gast.BinOp) -> Lane:
    return binary(nest, node, type(node.op), evaluate(nest, node.left), evaluate(nest, node.right))


def binary(nest: Nest, node: Any, kind: type, a: Lane, b: Lane) -> Lane:
    """``a op b``; `node` is an operation or an augmented assignment that holds the operator."""
    fn = BINARY.get(kind)
    if fn is None:
        raise Unsupported(node, "an operator that is not lifted")
    sample = typed(fn, fn, [a, b], node)
    poly = None
    harmless = kind is not gast.Pow and isinstance(b.expr, gast.Constant) and bool(b.sample)
    uniform = not (a.axes or b.axes)
    if uniform and kind in (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow) and not harmless:
        if not nest.lanes_now():
            raise Unsupported(node, "an operation that is the same in all turns, in a branch")
        nest.needs_turns = nest.risky = True
    if a.poly is not None and b.poly is not None and type(sample) is int:
        if kind in (gast.Add, gast.Sub, gast.Mult):
            poly = fn(a.poly, b.poly)
            if poly.degree > 3:
                raise Unsupported(node, "a product of many integers", "it may leave int64")
        elif kind is gast.FloorDiv and not (a.axes or b.axes):
            poly = nest.facts.symbols.quotient(a.poly, b.poly)
    lanes = bool(a.axes or b.axes)
    value = None if b.axes else b.sample if isinstance(b.expr, gast.Constant) else None
    total = kind in _TOTAL or (kind in (gast.Div, gast.FloorDiv, gast.Mod) and bool(value))
    if kind is gast.Pow and isinstance(value, int) and value >= 0:
        total = True
    bounded = small(a) and small(b) and kind in (gast.Add, gast.Sub) and type(sample) is int
    grown = max(a.grown, b.grown)
    if bounded and not is_constant(a) and not is_constant(b):
        grown += 1
    if kind is gast.FloorDiv and a.small and is_constant(b) and b.sample >= 2:
        bounded, grown = type(sample) is int, max(grown - 1, 0)
    span = None
    if lanes and (integers.too_large(a, b) or integers.too_large(b, a)):
        total, nest.risky = False, True
    if lanes and poly is None and type(sample) is int and not bounded:
        span = integers.combined(nest, node, kind, a, b)
    plain = (a.python or a.mixed) and (b.python or b.mixed)  # in some turns Python's own rules
    if kind in (gast.Div, gast.FloorDiv, gast.Mod) and plain and lanes:
        nest.strict = nest.strict or not value
        if not value and isinstance(b.sample, int):
            if b.axes:
                raise Unsupported(node, "a division of integers", "it raises where one is zero")
            nest.condition(quote.expr("b != 0", b=nest.text(b)))
    if kind is gast.Pow and lanes and not total:
        nest.strict = nest.strict or plain
        nest.risky = True
    axes = nest.union([a, b])
    expr = quote.expr("a + b", a=nest.aligned(a, axes), b=nest.aligned(b, axes))
    expr = updated(expr, op=kind())
    if poly is not None and lanes:  # i + 1 - i does not vary
        left = [t for t in nest.turns if t.sym in poly.symbols]
        axes = nest.union([Lane(None, (nest.axis_of(t.sym),), 1) for t in left])
    return Lane(
        None if poly is not None and lanes else expr,
        axes,
        sample,
        poly,
        total and a.total and b.total,
        a.reads | b.reads,
        (a, b) if kind is gast.Mult and a.axes and b.axes else None,
        small=bounded,
        grown=grown if bounded else 0,
        either=(a.either or b.either) and not isinstance(sample, np.generic),
        span=span,
        mixed=(a.mixed and (b.python or b.mixed)) or (b.mixed and (a.python or a.mixed)),
    )


def _unary(nest: Nest, node: gast.UnaryOp) -> Lane:
    if isinstance(node.op, gast.Not):
        return negated(nest, truth(nest, node.operand))
    a = evaluate(nest, node.operand)
    signs: dict[type, Callable[..., Any]] = {gast.USub: operator.neg, gast.UAdd: operator.pos}
    fn = signs.get(type(node.op))
    if fn is None:
        raise Unsupported(node, "an operator that is not lifted")
    if isinstance(node.operand, gast.Constant):
        return constant(fn(node.operand.value))
    if a.python and a.axes and type(a.sample) is int and a.poly is None:
        integers.combined(nest, node, gast.Sub, constant(0), a)
    sample = typed(fn, fn, [a], node)
    poly = fn(a.poly) if a.poly is not None and fn is operator.neg else a.poly
    template = "-a" if fn is operator.neg else "+a"
    expr = None if poly is not None and a.axes else quote.expr(template, a=nest.text(a))
    return replace(a, expr=expr, sample=sample, poly=poly, factors=None, named=None,
                   element=None, span=None, compared=None)  # fmt: skip


def _compare(nest: Nest, node: gast.Compare) -> Lane:
    sides = [evaluate(nest, side) for side in [node.left, *node.comparators]]
    found: Lane | None = None
    for op, a, b in zip(node.ops, sides, sides[1:], strict=False):
        made = comparison(nest, node, type(op), a, b)
        found = made if found is None else logical(nest, "a & b", found, made)
    assert found is not None
    return found


def comparison(nest: Nest, node: Any, kind: type, a: Lane, b: Lane) -> Lane:
    fn = _COMPARE.get(kind)
    if fn is None:
        raise Unsupported(node, "a comparison that is not lifted")
    sample = typed(fn, fn, [a, b], node)
    axes = nest.union([a, b])
    made: Any = quote.expr("a < b", a=nest.aligned(a, axes), b=nest.aligned(b, axes))
    expr = updated(made, ops=[kind()])
    total, reads = a.total and b.total, a.reads | b.reads
    natural = naturals_of(kind, a, b)
    return Lane(
        expr, axes, sample, None, total, reads, naturals=natural, compared=(kind, a, b)
    )  # fmt: skip


def logical(nest: Nest, template: str, a: Lane, b: Lane) -> Lane:
    axes = nest.union([a, b])
    if not a.axes and not b.axes:
        template = template.replace("&", "and").replace("|", "or")
    expr = quote.expr(template, a=nest.aligned(a, axes), b=nest.aligned(b, axes))
    sample = a.sample if type(a.sample) is type(b.sample) else True
    both = a.naturals + b.naturals if "&" in template or "and" in template else ()
    return Lane(expr, axes, sample, None, a.total and b.total, a.reads | b.reads, naturals=both)


def negated(nest: Nest, a: Lane) -> Lane:
    template = "~a" if a.axes else "not a"
    text = quote.expr(template, a=nest.text(a))
    return replace(
        a, expr=text, sample=True, factors=None, named=None, element=None, span=None, compared=None
    )


def truth(nest: Nest, node: Any) -> Lane:
    """The expression as a test."""
    if isinstance(node, gast.BoolOp):
        template = "a & b" if isinstance(node.op, gast.And) else "a | b"
        first, *rest = [truth(nest, value) for value in node.values]
        for other in rest:
            if other.axes and not other.total:
                raise Unsupported(node, "and/or", "its second part may raise where it is not run")
            if not first.axes and other.axes:
                raise Unsupported(node, "and/or of a test that is the same in all turns")
            first = logical(nest, template, first, other)
        return first
    lane = evaluate(nest, node)
    if np.asarray(lane.sample).dtype.kind == "b":
        return lane
    return comparison(nest, node, gast.NotEq, lane, constant(0))


def _boolop(nest: Nest, node: gast.BoolOp) -> Lane:
    for value in node.values:
        if not isinstance(value, (gast.Compare, gast.BoolOp)) and not (
            isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.Not)
        ):
            lane = evaluate(nest, value)
            if lane.dtype.kind != "b":
                raise Unsupported(node, "and/or of numbers", "it is one of its operands")
    return truth(nest, node)


def _ifexp(nest: Nest, node: gast.IfExp) -> Lane:
    test = truth(nest, node.test)
    return chosen(nest, node, test, evaluate(nest, node.body), evaluate(nest, node.orelse))


def chosen(nest: Nest, node: Any, test: Lane, a: Lane, b: Lane) -> Lane:
    """``a if test else b``: both are computed."""
    if not test.axes:
        raise Unsupported(node, "a test that is the same in all turns")
    if not (a.total and b.total):
        raise Unsupported(node, "a choice", "a side may raise or warn where it is not run")
    if (made := integers.clipped(nest, test, a, b)) is not None:
        return made
    sample = merged(node, a, b)
    if a.python and b.python and type(a.sample) is not type(b.sample) and not nest.loose:
        raise Unsupported(node, "an integer in some turns, a float in others")
    axes = nest.union([test, a, b])
    expr = quote.expr(
        "np.where(t, a, b)",
        t=nest.aligned(test, axes), a=nest.aligned(a, axes), b=nest.aligned(b, axes),
    )  # fmt: skip
    mixed = a.mixed or b.mixed or a.python != b.python
    reads = test.reads | a.reads | b.reads
    span = integers.either(nest, a, b)
    made = Lane(expr, axes, sample, None, test.total, reads, mixed=mixed, span=span)
    return replace(made, small=small(a) and small(b), grown=max(a.grown, b.grown))


def item(nest: Nest, node: gast.Subscript) -> Lane:
    found = subscript(nest, node)
    if found is None:
        raise Unsupported(node, "a subscript of what is no name")
    if id(node) in nest.hoisted:
        return nest.here(nest.hoisted[id(node)])
    name, indices = found
    arr = nest.array_of(name, node)
    lanes = [evaluate(nest, index) for index in indices]
    read = place(nest, arr, name, lanes, node, reads=True)
    record(nest, arr, read, node, write=False)
    expr, axes = in_order(nest, read)

    def again() -> Lane:
        return item(nest, node)

    made = again if all(lane.poly is not None or not lane.axes for lane in lanes) else None
    subs = tuple(sub for sub in read.subs if sub is not None)
    element = (arr.key, subs) if len(subs) == len(lanes) else None
    sample = 1 if arr.plain else sample_of(arr.dtype)
    lane = Lane(expr, axes, sample, None, True, arr.roots, again=made, element=element)
    return replace(lane, small=arr.plain)


def record(
    nest: Nest,
    arr: Arr,
    found: Place,
    node: Any,
    write: bool,
    atomic: bool = False,
    early: bool = False,
    fill: Any = None,
) -> None:
    turns = tuple(nest.turns)
    at = nest.tick()
    made = Access(arr, found.subs, turns, write, at, node, atomic, early, nest.order, fill)
    nest.accesses.append(made)


def length(nest: Nest, node: Any, dim: Any) -> Lane:
    poly = as_poly(dim)
    return Lane(nest.facts.render(poly), (), 1, poly)


RULES: dict[type, Callable[[Nest, Any], Lane]] = {
    gast.Constant: _constant,
    gast.Name: _name,
    gast.BinOp: _binop,
    gast.UnaryOp: _unary,
    gast.Compare: _compare,
    gast.BoolOp: _boolop,
    gast.IfExp: _ifexp,
}
