"""Python's own ``sum``, ``min``, ``max``, ``any`` and ``all`` of an array sample's elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.arrays.operands import apply_array, is_array
from autovec.program.build import Builder
from autovec.program.things import Thing, describe
from autovec.program.values import Value

#: what Python's sum adds as it is, and NumPy adds in the same dtype
_SUMMED = ("float64", "float32", "int64", "complex128", "complex64", "bool")


def builtin_of_array(b: Builder, name: str, thing: Thing, node: gast.AST) -> Value | None:
    """A builtin of one array; None if it is none."""
    if not is_array(thing):
        return None
    x = b.as_value(thing, node)
    kind, rank = x.fact.kind, x.fact.rank
    written = f"{name}(a0)"
    if name == "sum" and x.fact.dtype.name in _SUMMED:
        text = f"a0.sum(axis={-rank})"
        return apply_array(b, name, sum, (x,), text, written, node)
    if rank > 1 or not x.fact.shape[0]:
        raise Unsupported(node, f"{name} of {describe(x)}", "Python raises ValueError")
    if name in ("any", "all"):
        test = "a0" if kind == "b" else "(a0 != 0)"
        quantifier: Callable[..., Any] = any if name == "any" else all
        text = f"{test}.{name}(axis=-1)"
        return apply_array(b, name, quantifier, (x,), text, written, node, number="python")
    function: Callable[..., Any] = min if name == "min" else max
    if name in ("min", "max") and kind in "biu":
        return apply_array(b, name, function, (x,), f"a0.{name}(axis=-1)", written, node)
    if name in ("min", "max") and kind == "f":
        first = "a0[:, 0]"  # Python keeps a NaN that comes first, and passes over later ones
        text = f"np.where(np.isnan({first}), {first}, np.f{name}.reduce(a0, axis=-1))"
        return apply_array(b, name, function, (x,), text, written, node, cost=2)
    raise Unsupported(node, f"{name} of {describe(x)}", "it has no form for array samples")
