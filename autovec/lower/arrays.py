"""Arrays over the lanes of a frame: made of a uniform value, or of another dtype."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autovec.lower.analysis import BLANKS
from autovec.lower.expressions import (
    dtype_argument,
    dtype_expr,
    is_negative_zero,
    natural,
)
from autovec.lower.frames import MARK_SIZE
from autovec.lower.writer import Writer
from autovec.program.facts import Fact, storage
from autovec.program.unknown import Dtype
from autovec.program.values import Const, Operation, Value
from autovec.syntax import quote


def filled_array(size: gast.expr, value: Any, dtype: Dtype, written: gast.expr) -> gast.expr:
    """An array of one literal, which is written so."""
    extra = dtype_argument(dtype)
    zero = isinstance(value, (bool, int, float)) and value == 0 and not is_negative_zero(value)
    if zero and dtype.kind in "biuf?":
        return quote.expr("np.zeros(size, *dtype)", size=size, dtype=extra)
    if np.asarray(value).dtype == dtype or dtype == np.dtype("U"):  # of no known width
        extra = []
    elif not extra:
        extra = [quote.name("float")]
    return quote.expr("np.full(size, value, *dtype)", size=size, value=written, dtype=extra)


def dims(w: Writer, size: gast.expr, fact: Fact) -> gast.expr:
    """The shape of an array of so many lanes: with the axes of a sample, if it has any."""
    if not fact.rank:
        return size
    like = same_shape(w, fact) if getattr(size, "id", "") == MARK_SIZE else None
    if like is not None:
        return quote.expr("x.shape", x=like)
    parts = [extent(w, length) for length in fact.shape]
    return quote.expr("(size, *parts)", size=size, parts=parts)


def same_shape(w: Writer, fact: Fact) -> str | None:
    """The parameter whose axes these are, all of them and in their order."""
    sources = [getattr(length, "source", None) for length in fact.shape]
    names = {source[0] for source in sources if source is not None}
    if len(names) != 1 or [s and s[1] for s in sources] != [*range(1, fact.rank + 1)]:
        return None
    (name,) = names
    thing = w.program.things.get(name)
    whole = isinstance(thing, Value) and thing.varying and thing.fact.rank == fact.rank
    return name if whole and name not in w.reassigned else None


def extent(w: Writer, length: int) -> gast.expr:
    """The length of a sample's axis: a parameter's, where it is one."""
    source = getattr(length, "source", None)
    if source is None or source[0] in w.reassigned or source[0] not in w.program.things:
        return quote.const(int(length))
    return quote.expr(f"x.shape[{source[1]}]", x=source[0])


def full(
    w: Writer, value: gast.expr, uniform: Any, dtype: Dtype, fact: Fact | None = None
) -> gast.expr:
    """A new array of the frame's size, filled with a uniform value."""
    size = w.size()
    if fact is not None:
        size = dims(w, size, fact)
    if uniform is None:
        return uniform_array(size, value, dtype)
    return filled_array(size, uniform, dtype, value)


def uniform_array(size: gast.expr, value: gast.expr, dtype: Dtype) -> gast.expr:
    """An array of one value that is known at run time only."""
    extra = dtype_argument(dtype)
    if dtype.kind == "U":
        extra = []
    elif not extra:
        extra = [quote.name("float")]
    return quote.expr("np.full(size, value, *dtype)", size=size, value=value, dtype=extra)


def spread(w: Writer, value: Value, fact: Fact) -> gast.expr:
    """A value read as an array over the frame's lanes, of a fact's dtype."""
    value = w.resolve(value)
    dtype = storage(fact)
    if not value.varying:
        constant = value.op.value if isinstance(value.op, Const) else None
        made = blank(w, value, fact)
        return full(w, w.read(value), constant, dtype, fact) if made is None else made
    return cast(w.read(value), storage(value.fact), dtype)


def blank(w: Writer, value: Value, fact: Fact) -> gast.expr | None:
    """``np.zeros(3)`` that is read here only, for all lanes at once."""
    op = value.op
    if not isinstance(op, Operation) or op.name not in BLANKS:
        return None
    if id(value) not in w.pending or w.remaining[id(value)] != 1:
        return None
    w.skip(value)
    shape = dims(w, w.size(), fact)
    extra = dtype_argument(storage(fact))
    return quote.expr(f"np.{op.name}(shape, *dtype)", shape=shape, dtype=extra)


def over_axes(test: gast.expr, rank: int) -> gast.expr:
    """A test of the lanes that picks whole samples of some rank."""
    if not rank:
        return test
    return quote.expr(f"t[:{', None' * rank}]", t=test)


def as_stored(expr: gast.expr, fact: Fact, sides: tuple[Value, ...]) -> gast.expr:
    """A pick of these values in the dtype of their join, which NumPy may have made wider."""
    return cast(expr, natural(sides), storage(fact)) if fact.kind in "biufc?" else expr


def scalar(w: Writer, value: Value, fact: Fact) -> gast.expr:
    """A uniform value read as a Python number of a fact's kind (int or float is float)."""
    value = w.resolve(value)
    return as_kind(w.read(value), value, fact)


def as_kind(expr: gast.expr, value: Value, fact: Fact) -> gast.expr:
    """A uniform value's expression, made a number of a fact's kind."""
    if fact.varying or fact.kind == value.fact.kind or not fact.weak or fact.kind not in "ifc":
        return expr
    kind = {"i": int, "f": float, "c": complex}[fact.kind]
    if isinstance(value.op, Const):
        return quote.const(kind(value.op.value))
    return quote.expr("kind(x)", kind=kind.__name__, x=expr)


def cast(expr: gast.expr, have: Dtype, want: Dtype) -> gast.expr:
    """An array in another dtype, if it has another."""
    if have == want or want.kind in "U":
        return expr
    return quote.expr("x.astype(dtype)", x=expr, dtype=dtype_expr(want))
