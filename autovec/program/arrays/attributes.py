"""Attributes of array samples: shape, size, ndim, T, real, imag."""

from __future__ import annotations

from math import prod

import gast

from autovec.errors import Unsupported
from autovec.program.arrays.elementwise import elementwise
from autovec.program.arrays.items import extent
from autovec.program.arrays.shapes import permuted, transpose, view
from autovec.program.build import Builder
from autovec.program.things import Known, Seq, Thing, describe
from autovec.program.values import Operation, Value
from autovec.syntax import quote


def array_attribute(b: Builder, base: Value, attr: str, node: gast.AST) -> Thing:
    """``x.shape`` and its kin."""
    rank = base.fact.rank
    if attr == "shape":
        return Seq(tuple(extent(b, base, axis, node) for axis in range(rank)))
    if attr == "ndim":
        return b.const(rank)
    if attr == "size":
        if rank == 1:
            return extent(b, base, 0, node)
        return b.const(prod(map(int, base.fact.shape)))
    if attr == "T":
        return transpose(b, [base], node)
    if attr == "mT" and rank >= 2:
        order = (*range(rank - 2), rank - 1, rank - 2)
        return view(b, base, lambda a: a.mT, permuted(order), "a0.mT", node)
    if attr == "dtype":
        return Known(base.fact.dtype, quote.expr("x", x=quote.const(base.fact.dtype.name)))
    if attr in ("real", "imag"):
        text = f"x.{attr}"
        op = Operation(attr, ("x",), text, text, total=True, cost=0.1, fresh=False)
        return elementwise(b, op, (base,), node)
    raise Unsupported(node, f".{attr} of {describe(base)}", "it has no form for array samples")
