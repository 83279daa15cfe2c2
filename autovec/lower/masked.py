"""``where=``: one operation that a handler of a ``try`` keeps a few lanes from.

    photons = np.divide(1, growth, out=np.zeros(len(k)), where=~overflowed)

What a handler is for happens rarely, so nearly all lanes are computed, and nothing is gathered.
"""

from __future__ import annotations

import gast
import numpy as np

from autovec.lower.arrays import spread
from autovec.lower.computing import casts
from autovec.lower.explaining import note
from autovec.lower.writer import Writer
from autovec.program.facts import storage
from autovec.program.nodes import Block, If, Let
from autovec.program.truth import OR
from autovec.program.values import Const, Operation, Path, Value
from autovec.syntax import quote

_SIGNS = {"x / y": "divide", "x // y": "floor_divide", "x % y": "remainder"}


def masked(w: Writer, node: If) -> bool:
    """Write a branch in this way, if it is such a one."""
    if len(node.phis) != 1 or not is_failure(node.test):
        return False
    phi = node.phis[0]
    value, fill = phi.orelse, phi.then
    if value is None or fill is None or node.then.nodes or w.targets.get(id(phi.value)):
        return False
    call = _ufunc(w, node.orelse, value)
    plain = isinstance(fill.op, (Const, Path)) and not fill.varying
    if call is None or not plain or storage(value.fact) != storage(phi.value.fact):
        return False
    w.need_flat()
    w.partial = True
    note(w, node.line, "one operation with where=", "few lanes go to the handler")
    args = [w.read(a) for a in value.args]
    w.consume(value)
    test = quote.expr("~t", t=w.read(node.test))
    made = quote.expr(
        "f(*args, out=out, where=test)", f=call, args=args, out=spread(w, fill, phi.value.fact),
        test=test,
    )  # fmt: skip
    w.define(phi.value, made)
    return True


def is_failure(test: Value) -> bool:
    """Is it where an operation raises what a handler catches?"""
    if test.op is OR:
        return all(map(is_failure, test.args))
    return isinstance(test.op, Operation) and test.op.name == "fails"


def _ufunc(w: Writer, block: Block, value: Value) -> gast.expr | None:
    """NumPy's function for the one operation of a block."""
    op = value.op
    alone = len(block.nodes) == 1 and isinstance(block.nodes[0], Let)
    if not alone or block.nodes[0].value is not value or not isinstance(op, Operation):  # type: ignore[union-attr]
        return None
    if op.ignore or op.note or w.remaining[id(value)] != 1 or value.fact.kind not in "fc":
        return None
    if value.fact.rank or any(a.fact.rank for a in value.args):
        return None
    name = _SIGNS.get(op.lanes, op.lanes.removeprefix("np.").partition("(")[0])
    written = op.lanes in _SIGNS or op.lanes == f"np.{name}({', '.join(op.params)})"
    if not written or not isinstance(getattr(np, name, None), np.ufunc) or casts(value, op):
        return None
    return quote.expr(f"np.{name}")
