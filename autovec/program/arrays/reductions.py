"""Reductions of array samples: the axes count from the end, behind the lanes.

>>> axes_text(None, 1), axes_text(None, 2), axes_text(0, 3), axes_text((0, 1), 2)
('-1', '(-2, -1)', '-3', '(-2, -1)')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.arrays.operands import apply_array, operand
from autovec.program.arrays.standins import static
from autovec.program.build import Builder
from autovec.program.dtype_names import dtype_text
from autovec.program.things import NOT_LITERAL, Known, Thing
from autovec.program.values import Value


@dataclass(frozen=True)
class Reduction:
    """One of NumPy's functions over axes.

    ``positional``: its parameters behind the array; ``flattens``: without an axis it works on the
    flattened sample; ``one``: it takes one axis only; ``method``: arrays have it as a method;
    ``default``: the axis it takes when none is given.
    """

    name: str
    positional: tuple[str, ...] = ("axis",)
    keywords: tuple[str, ...] = ()
    flattens: bool = False
    one: bool = False
    method: bool = True
    default: int | None = None
    cost: float = 0.5
    total: bool = True

    @property
    def function(self) -> Callable[..., Any]:
        """NumPy's own."""
        found: Any = np
        for part in self.name.split("."):
            found = getattr(found, part)
        return found  # type: ignore[no-any-return]


_SUMS = ("axis", "dtype")
_KEEP = ("keepdims",)
REDUCTIONS = {
    r.name: r
    for r in (
        Reduction("sum", _SUMS, _KEEP),
        Reduction("prod", _SUMS, _KEEP),
        Reduction("mean", _SUMS, _KEEP),
        Reduction("std", _SUMS, ("ddof", "keepdims"), cost=2),
        Reduction("var", _SUMS, ("ddof", "keepdims"), cost=2),
        *(Reduction(n, keywords=_KEEP) for n in ("min", "max", "any", "all", "ptp")),
        *(Reduction(n, keywords=_KEEP, method=False) for n in ("amin", "amax", "count_nonzero")),
        *(Reduction(n, keywords=_KEEP, flattens=True, one=True) for n in ("argmin", "argmax")),
        *(Reduction(n, _SUMS, flattens=True, one=True) for n in ("cumsum", "cumprod")),
        *(Reduction(n, keywords=_KEEP, flattens=True, one=True, method=False, cost=20)
          for n in ("median", "nanmedian")),
        *(Reduction(n, _SUMS, _KEEP, method=False, cost=2) for n in ("nansum", "nanprod")),
        Reduction("nanmean", _SUMS, _KEEP, method=False, cost=3, total=False),
        *(Reduction(n, _SUMS, ("ddof", "keepdims"), method=False, cost=5, total=False)
          for n in ("nanstd", "nanvar")),
        *(Reduction(n, keywords=_KEEP, method=False, total=False) for n in ("nanmin", "nanmax")),
        *(Reduction(n, flattens=True, one=True, method=False, total=False)
          for n in ("nanargmin", "nanargmax")),
        *(Reduction(n, one=True, default=-1, method=False, cost=20) for n in ("sort", "argsort")),
    )
}  # fmt: skip
#: parameters whose values are written into the text
_PLAIN = ("keepdims", "ddof")


@dataclass
class _Call:
    axis: Any = None
    dtype: Any = None
    plain: dict[str, Any] = field(default_factory=dict)


def reduce(
    b: Builder,
    rule: Reduction,
    args: list[Thing],
    keywords: dict[str, Thing],
    node: gast.AST,
    method: bool,
) -> Value:
    """A reduction of the first argument over some of its axes."""
    base = operand(b, args[0], node)
    call = _bound(rule, args[1:], keywords, node)
    rank = base.fact.rank
    axis = rule.default if call.axis is None else call.axis
    if isinstance(axis, tuple) and rule.one:
        raise Unsupported(node, f"{rule.name} over several axes", "it has a form for one")
    if not rank:
        raise Unsupported(node, f"{rule.name} of a number", "it is no array")
    given = {} if call.axis is None and rule.default is None else {"axis": axis}
    extra = {**call.plain, **({} if call.dtype is None else {"dtype": call.dtype})}
    shown = "".join(f", {k}={_shown(v)}" for k, v in extra.items())
    if not base.varying:
        where = f", axis={axis!r}" if given else ""
        text = _text(rule, "a0", where + shown, method)
        return apply_array(b, rule.name, lambda x: rule.function(x, **given, **extra), (base,),
                           text, text, node, cost=rule.cost, total=rule.total)  # fmt: skip
    array, over = "a0", axes_text(axis, rank)
    if axis is None and rank > 1 and rule.flattens:
        array, over = f"a0.reshape(len(a0), {int(np.prod(base.fact.shape))})", "-1"
    text = _text(rule, array, f", axis={over}{shown}", method)
    if array != "a0" and extra.get("keepdims"):
        text += f"[:{', None' * (rank - 1)}]"
    return apply_array(
        b, rule.name, lambda x: rule.function(x, **given, **extra), (base,), text, text, node,
        cost=rule.cost, total=rule.total and bool(np.prod(base.fact.shape)),
    )  # fmt: skip


def axes_text(axis: Any, rank: int) -> str:
    """The axes of a sample as axes of the batch."""
    if axis is None:
        axis = tuple(range(rank))
    if isinstance(axis, (tuple, list)):
        over = tuple(a if a < 0 else a - rank for a in axis)
        return repr(over if len(over) != 1 else over[0])
    return repr(axis if axis < 0 else axis - rank)


def _text(rule: Reduction, array: str, rest: str, method: bool) -> str:
    if method and rule.method:
        return f"{array}.{rule.name}({rest.removeprefix(', ')})"
    return f"np.{rule.name}({array}{rest})"


def _bound(rule: Reduction, args: list[Thing], keywords: dict[str, Thing], node: gast.AST) -> _Call:
    call = _Call()
    names = (*rule.positional, *rule.keywords)
    if len(args) > len(rule.positional):
        raise Unsupported(node, f"{rule.name} with {len(args)} arguments", "name them")
    for name, thing in [*zip(rule.positional, args, strict=False), *keywords.items()]:
        value = static(thing)
        if name not in names or value is NOT_LITERAL:
            raise Unsupported(
                node, f"the argument {name} of {rule.name}", "there is no rule for it"
            )
        if name == "axis":
            whole = isinstance(value, int) and not isinstance(value, bool)
            several = isinstance(value, tuple) and all(isinstance(v, int) for v in value)
            if not (value is None or whole or several):
                raise Unsupported(node, f"axis {value!r}", "NumPy raises TypeError")
            call.axis = value
        elif name == "dtype":
            call.dtype = _dtype(thing, node)
        elif name in _PLAIN:
            call.plain[name] = value
    return call


def _dtype(thing: Thing, node: gast.AST) -> Any:
    if isinstance(thing, Known) and thing.obj is None:
        return None
    found = static(thing)
    try:
        return np.dtype(found)
    except TypeError:
        raise Unsupported(node, f"the dtype {found!r}", "NumPy has none of this name") from None


def _shown(value: Any) -> str:
    return dtype_text(value) if isinstance(value, np.dtype) else repr(value)
