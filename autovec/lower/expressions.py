"""Small expressions: dtypes and displays, and what stands in an expression."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lower.frames import MARK_DTYPE
from autovec.program.agreement import ANNOTATE
from autovec.program.dtype_names import dtype_text
from autovec.program.facts import STRING, operands, storage
from autovec.program.things import Known, Map, Maybe, Record, Seq, Thing, describe
from autovec.program.unknown import Dtype, LateDtype, Weak, result_type
from autovec.program.values import Const, Value
from autovec.syntax import quote
from autovec.syntax.build import dict_display


def masks(sign: str, a: gast.expr, b: gast.expr) -> gast.expr:
    """``a & b`` or ``a | b`` of masks, from left to right: brackets inside would say nothing.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(masks("&", quote.expr("a"), quote.expr("b & (c | d)")))
    'a & b & (c | d)'
    """
    made = quote.expr(f"a {sign} b", a=a, b=b)
    if isinstance(b, gast.BinOp) and isinstance(made, gast.BinOp) and type(b.op) is type(made.op):
        return masks(sign, masks(sign, a, b.left), b.right)
    return made


def is_negative_zero(value: Any) -> bool:
    """``-0.0``, which is equal to the zeros of np.zeros and is none of them."""
    return isinstance(value, float) and math.copysign(1.0, value) < 0


def dtype_expr(dtype: Dtype) -> gast.expr:
    """A dtype as one writes it; a mark for one that is known when the text runs."""
    if isinstance(dtype, LateDtype):
        if dtype.unsaid:
            what, why = "a number of no declared dtype", "its dtype has no expression"
            raise Unsupported(None, what, why, ANNOTATE)
        return quote.name(f"{MARK_DTYPE}{str(dtype).encode().hex()}")
    if dtype.kind in "biufc":
        return quote.expr(dtype_text(dtype))
    if dtype.kind == "O":
        return quote.name("object")
    return quote.const(dtype.str.lstrip("<>") if dtype.kind in "Mm" else dtype.str)


def dtype_argument(dtype: Dtype) -> list[gast.expr]:
    """The dtype argument of np.zeros and its kin, none for float64."""
    if dtype == STRING:
        return [quote.const("U1")]  # as wide as it has to be, later
    return [] if dtype == np.dtype(float) else [dtype_expr(dtype)]


def natural(values: tuple[Value, ...]) -> Dtype:
    """The dtype of np.where over these values."""
    return picked_dtype([operand(v) for v in values])


def operand(v: Value) -> Any:
    """What np.where sees of a value: Python numbers, or a dtype."""
    if v.fact.weak and not v.varying:
        return operands(v.fact)
    return storage(v.fact)


def picked_dtype(sides: list[Any]) -> Dtype:
    """The dtype of np.where over such operands."""
    found = [o for some in sides for o in (some if isinstance(some, tuple) else (some,))]
    if all(isinstance(o, Weak) for o in found):
        return result_type(*(o.stored for o in found))
    return result_type(*found)


def string_dtype(values: tuple[Value | None, ...]) -> Any:
    """A dtype wide enough for these strings, of no width where one is not known."""
    width = 1
    for v in values:
        if v is None:
            continue
        if isinstance(v.op, Const):
            width = max(width, len(v.op.value))
        elif v.fact.dtype.itemsize:
            width = max(width, v.fact.dtype.itemsize // 4)
        else:
            return STRING
    return np.dtype(f"U{width}")


def put_text(w: Any, name: str, k: gast.expr, value: gast.expr) -> gast.stmt:
    """Store strings of any width into an array, which may have to be made wider."""
    put = w.renames.get("put_text", "put_text")
    return quote.stmt("out = put(out, k, value)", out=name, put=put, k=k, value=value)


def occurrences(template: str, name: str) -> int:
    """How often a parameter stands in a template."""
    return len(re.findall(rf"(?<![\w.]){name}\b", template))


def inverse(test: gast.expr) -> gast.expr:
    """The lanes where a test does not hold."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Invert):
        return test.operand
    return quote.expr("~t", t=test)


def names_in(expr: gast.expr) -> frozenset[str]:
    """The names an expression reads."""
    return frozenset(n.id for n in gast.walk(expr) if isinstance(n, gast.Name))


def display(thing: Thing, leaf: Callable[[Value], gast.expr]) -> gast.expr:
    """A structure as a display, each leaf's expression made from left to right.

    >>> from autovec.program.things import NONE
    >>> from autovec.syntax.convert import text_of
    >>> text_of(display(Seq((NONE, Seq((), list))), lambda value: quote.name("x")))
    '(None, [])'
    """
    if isinstance(thing, Value):
        return leaf(thing)
    if isinstance(thing, Maybe):
        return quote.expr("(*pair,)", pair=[leaf(thing.value), leaf(thing.none)])
    if isinstance(thing, Seq):
        items = [display(t, leaf) for t in thing.items]
        if thing.cls is not None:
            return quote.expr("cls(*items)", cls=thing.cls.__name__, items=items)
        return quote.expr("[*items]" if thing.kind is list else "(*items,)", items=items)
    if isinstance(thing, Map):
        values = [display(t, leaf) for t in thing.items.values()]
        return dict_display(map(quote.const, thing.items), values)
    if isinstance(thing, Record):
        fields = {k: display(t, leaf) for k, t in thing.fields.items()}
        return quote.expr("cls(**fields)", cls=thing.cls.__name__, fields=fields)
    if isinstance(thing, Known):
        return thing.expr if thing.expr is not None else quote.const(None)
    raise TypeError(f"{describe(thing)} cannot be written")
