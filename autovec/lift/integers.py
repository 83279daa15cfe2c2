"""Python's integers in arrays: how small and how large they are, so that int64 holds them.

``v = int(img[i]) + k`` of bytes is between `k` and ``255 + k``; ``min(v, 255)`` stored into bytes
needs ``0 <= k``, else the loop raises.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.facts import bounds
from autovec.lift.nest import Nest
from autovec.lift.poly import Poly, number
from autovec.lift.values import Lane, Span
from autovec.syntax import quote

#: bits of a symbol's value: an array has no more elements
_BITS = 31


def span_of(nest: Nest, lane: Lane) -> Span | None:
    """The smallest and largest values that an integer may have; None if they are not known."""
    if lane.span is not None:
        return lane.span
    if lane.poly is not None:
        ends = bounds(lane.poly, nest.turns)
        return None if ends is None else ((ends[0],), (ends[1],))
    if lane.dtype.kind == "b":
        return (number(0),), (number(1),)
    if not lane.python and lane.dtype.kind in "iu" and lane.dtype.itemsize < 8:
        return of_dtype(lane.dtype)
    return None


def of_dtype(dtype: np.dtype[Any]) -> Span:
    """All that a dtype of integers holds."""
    limits = np.iinfo(dtype)
    return (number(int(limits.min)),), (number(int(limits.max)),)


def combined(nest: Nest, node: Any, kind: type, a: Lane, b: Lane) -> Span | None:
    """What an operation on Python's integers may give; refused if int64 might not hold it."""
    x, y = span_of(nest, a), span_of(nest, b)
    made: Span | None = None
    if x is not None and y is not None:
        made = _arithmetic(nest, kind, x, y)
    if made is not None and all(_held(end) for ends in made for end in ends):
        return made
    if kind in (gast.Mod, gast.FloorDiv, gast.BitAnd):
        return None
    raise Unsupported(node, "arithmetic of Python integers", "it may leave int64")


def _arithmetic(nest: Nest, kind: type, x: Span, y: Span) -> Span | None:
    (low, high), (less, more) = x, y
    if kind is gast.Add:
        return _each(low, less, 1), _each(high, more, 1)
    if kind is gast.Sub:
        return _each(low, more, -1), _each(high, less, -1)
    ends = [end.constant for part in (*x, *y) for end in part]
    if kind is gast.Mod and None not in ends and min(e.constant or 0 for e in less) > 0:
        return (number(0),), tuple(end - 1 for end in more)
    if kind is gast.Mult and None not in ends:
        all_ends = [(a * b).constant or 0 for a in (*low, *high) for b in (*less, *more)]
        return (number(min(all_ends)),), (number(max(all_ends)),)
    return None


def _each(a: tuple[Poly, ...], b: tuple[Poly, ...], sign: int) -> tuple[Poly, ...]:
    return tuple(dict.fromkeys(x + y * sign for x in a for y in b))


def _held(end: Poly) -> bool:
    return sum(abs(factor) << (_BITS * len(key)) for key, factor in end.terms) < 1 << 62


def of_call(nest: Nest, node: Any, obj: Any, a: Lane) -> Span | None:
    """What a function of Python's integers that gives an integer may give."""
    if a.poly is not None and a.span is None:
        return None  # an index and its like
    combined(nest, node, gast.Sub, Lane(None, (), 0, number(0)), a)
    span = span_of(nest, a)
    if obj is not abs or span is None:
        raise Unsupported(node, "arithmetic of Python integers", "it may leave int64")
    return (number(0),), tuple(dict.fromkeys(_each(span[1], (number(0),), 1)
                                             + _each((number(0),), span[0], -1)))  # fmt: skip


def summable(nest: Nest, lane: Lane) -> bool:
    """May as many of them be added as an array has elements?"""
    span = span_of(nest, lane)
    if span is None:
        return False
    return all(abs(end.constant or 0) < 1 << _BITS and end.constant is not None
               for ends in span for end in ends)  # fmt: skip


def either(nest: Nest, a: Lane, b: Lane) -> Span | None:
    """What may be one of two integers."""
    if not (a.python and b.python and a.dtype.kind in "ib" and b.dtype.kind in "ib"):
        return None
    x, y = span_of(nest, a), span_of(nest, b)
    if x is None or y is None:
        return None
    return tuple(dict.fromkeys(x[0] + y[0])), tuple(dict.fromkeys(x[1] + y[1]))


def clipped(nest: Nest, test: Lane, a: Lane, b: Lane) -> Lane | None:
    """``a if a < b else b`` of integers as ``np.minimum(a, b)``; None if it is something else."""
    if test.compared is None or a.dtype.kind != "i" or b.dtype.kind != "i" or a.dtype != b.dtype:
        return None
    kind, left, right = test.compared
    if kind in (gast.Eq, gast.NotEq) or type(a.sample) is not type(b.sample):
        return None
    if _same(left, a) and _same(right, b):
        least = kind in (gast.Lt, gast.LtE)
    elif _same(left, b) and _same(right, a):
        least = kind in (gast.Gt, gast.GtE)
    else:
        return None
    first, second = (a, b) if a.axes else (b, a)
    axes = nest.union([a, b])
    expr = quote.expr(
        "f(a, b)", f="np.minimum" if least else "np.maximum",
        a=nest.aligned(first, axes), b=nest.aligned(second, axes),
    )  # fmt: skip
    span: Span | None = None
    x, y = span_of(nest, a), span_of(nest, b)
    if x is not None and y is not None:
        both = x[0] + y[0], x[1] + y[1]
        span = (both[0], _best(x[1], y[1])) if least else (_best(x[0], y[0]), both[1])
    return Lane(
        expr, axes, a.sample, None, a.total and b.total, a.reads | b.reads,
        mixed=a.mixed or b.mixed, span=span,
    )  # fmt: skip


def _same(a: Lane, b: Lane) -> bool:
    """Are they the same number, where both are looked at now?"""
    known = a.poly is not None and b.poly is not None and a.poly == b.poly
    return a is b or (known and not a.axes and not b.axes)


def _best(x: tuple[Poly, ...], y: tuple[Poly, ...]) -> tuple[Poly, ...]:
    """Of two bounds that both hold, the one that is a number."""
    return y if all(end.constant is not None for end in y) else x


def whole(nest: Nest, node: Any, a: Lane) -> Lane:
    """``int(a)``."""
    if a.dtype.kind in "ib" and a.python and type(a.sample) is int:
        return a
    if not a.axes or a.dtype.kind not in "biuf" or a.dtype == np.dtype(np.uint64):
        raise Unsupported(node, "int of this", "it is not known to fit")
    if a.dtype.kind == "f":
        nest.strict = nest.risky = True  # of NaN, infinity and what is too large it raises
        made = quote.expr("x.astype(int)", x=nest.text(a))
        return Lane(made, a.axes, 1, None, False, a.reads)
    span = span_of(nest, a)
    text = nest.text(a)
    if a.dtype != np.dtype(np.int64):
        text = quote.expr("x.astype(int)", x=text)
    return replace(
        a, expr=text, sample=1, span=span, factors=None, named=None, again=None, element=None
    )


def narrowed(nest: Nest, value: Lane, want: np.dtype[Any]) -> bool:
    """May integers be stored into a smaller dtype? Asks for what the loop would raise for."""
    span = span_of(nest, value)
    if span is None:
        return False
    (least,), (most,) = of_dtype(want)
    for low in span[0]:
        nest.require(low - least)
    for high in span[1]:
        nest.require(most - high)
    return True


def too_large(a: Lane, b: Lane) -> bool:
    """May Python's integer `b` be none of the dtype of NumPy's `a`? Then the operation raises."""
    if a.python or a.dtype.kind not in "iu" or type(b.sample) is not int or b.axes:
        return False
    known = b.poly.constant if b.poly is not None else None
    limits = np.iinfo(a.dtype)
    return known is None or not limits.min <= known <= limits.max
