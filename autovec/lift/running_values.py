"""Names whose running value is used: ``s += e`` and ``if e > m: m = e``, read later in the turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import binary, comparison, evaluate
from autovec.lift.naming import name
from autovec.lift.nest import Nest
from autovec.lift.values import Accumulator, Lane
from autovec.syntax import quote
from autovec.syntax.walking import walk


def read_after(body: list[Any], wanted: str, at: int) -> bool:
    """Is the name used in one statement of the body, and only read in those behind it?"""
    for k, node in enumerate(body):
        if k == at:
            continue
        part: Any
        for part in walk([node]):
            own = isinstance(part, gast.Name) and part.id == wanted
            if own and (k < at or not isinstance(part.ctx, gast.Load)):
                return False
    return True


def alone(nest: Nest, node: Any) -> None:
    turn = nest.turns[0]
    if nest.masks or nest.pack is not None or nest.axes != (turn.sym,):
        raise Unsupported(node, "a running value in a nest or under a condition")
    if turn.down or turn.step != 1:
        raise Unsupported(node, "a running value of a loop that strides or descends")


def running_total(nest: Nest, held: Accumulator, op: str, value_node: Any, node: Any) -> None:
    """``s += e``: the name is the array of its values after each turn."""
    alone(nest, node)
    value = evaluate(nest, value_node)
    old = held.before
    if value.axes != nest.axes or value.python or value.mixed or value.poly is not None:
        raise Unsupported(node, "a running sum of Python's numbers")
    if value.dtype.kind != old.dtype.kind and not (old.python and old.dtype.kind == "i"):
        raise Unsupported(node, "a running sum that changes its type")
    if value.dtype.kind not in "if" or (value.dtype.kind == "i" and value.dtype.itemsize < 8):
        raise Unsupported(node, f"a running sum of {value.dtype}")
    kind = {"+": gast.Add, "-": gast.Sub, "*": gast.Mult}[op]
    start = replace(old, expr=quote.name(held.name), poly=None)
    joint = binary(nest, node, kind, start, value)
    if joint.dtype != value.dtype:
        raise Unsupported(node, "a running sum that changes its type")
    template = {"+": "s + np.cumsum(v)", "-": "s - np.cumsum(v)", "*": "s * np.cumprod(v)"}[op]
    text = quote.expr(template, s=held.name, v=nest.text(value))
    name(nest, held.name, Lane(text, nest.axes, joint.sample, None, True, value.reads), node)


def running_extreme(nest: Nest, held: Accumulator, value_node: Any, up: bool, node: Any) -> None:
    """``if e > m: m = e``: the name is the array of the largest so far."""
    alone(nest, node)
    value = evaluate(nest, value_node)
    best = replace(held.before, expr=quote.name(held.name), poly=None)
    if value.axes != nest.axes or value.dtype != best.dtype or value.dtype.kind not in "if":
        raise Unsupported(node, "an extreme of two types of numbers")
    if value.python or value.mixed:
        raise Unsupported(node, "a running extreme of Python's numbers")
    better = comparison(nest, node, gast.Gt if up else gast.Lt, value, best)
    text = quote.expr(
        "f(np.where(b, v, m))", b=nest.text(better), v=nest.text(value), m=held.name,
        f="np.maximum.accumulate" if up else "np.minimum.accumulate",
    )  # fmt: skip
    made = Lane(text, nest.axes, value.sample, None, True, value.reads, mixed=best.python)
    name(nest, held.name, made, node)
    found = nest.env[held.name]
    nest.env[held.name] = replace(found, mixed=best.python)
