"""Sums of products over the axis that two arrays have in common."""

from __future__ import annotations

import gast

from autovec.lift.nest import Nest
from autovec.lift.values import Lane
from autovec.syntax import quote


def contraction(nest: Nest, value: Lane, axis: str, keep: tuple[str, ...]) -> gast.expr | None:
    """``a @ b`` for the sum of a product over the one axis that both have."""
    assert value.factors is not None
    a, b = value.factors
    if a.dtype != b.dtype or a.dtype.kind != "f" or len(a.axes) > 2 or len(b.axes) > 2:
        return None
    if axis not in a.axes or axis not in b.axes or set(a.axes) & set(b.axes) != {axis}:
        return None
    left, right = nest.text(a), nest.text(b)
    rest_a = [x for x in a.axes if x != axis]
    rest_b = [x for x in b.axes if x != axis]
    if (*rest_a, *rest_b) != keep:
        if (*rest_b, *rest_a) != keep:
            return None
        a, b, left, right = b, a, right, left
    if a.axes and a.axes[-1] != axis:
        left = transposed(left)
    if b.axes[0] != axis:
        right = transposed(right)
    return quote.expr("a @ b", a=left, b=right)


def transposed(expr: gast.expr) -> gast.expr:
    if isinstance(expr, gast.Attribute) and expr.attr == "T":
        inner: gast.expr = expr.value
        return inner
    return quote.expr("x.T", x=expr)
