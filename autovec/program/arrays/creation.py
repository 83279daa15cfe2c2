"""Arrays made inside the function: zeros, ones, ranges, and those of lists."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.arrays.elementwise import aligned
from autovec.program.arrays.operands import apply_array, operand, stacked, stored
from autovec.program.arrays.standins import fact_of_sample, given, settled, static
from autovec.program.build import Builder
from autovec.program.dtype_names import dtype_text
from autovec.program.facts import Extent, Shape
from autovec.program.things import NOT_LITERAL, Known, Seq, Thing
from autovec.program.values import Const, Operation, Path, Value
from autovec.syntax.convert import text_of

#: functions of uniform arguments whose shapes they decide
MAKERS = {
    "zeros": ("shape", "dtype"),
    "ones": ("shape", "dtype"),
    "empty": ("shape", "dtype"),
    "full": ("shape", "fill_value", "dtype"),
    "arange": ("start", "stop", "step", "dtype"),
    "linspace": ("start", "stop", "num", "endpoint"),
    "logspace": ("start", "stop", "num", "endpoint"),
    "geomspace": ("start", "stop", "num", "endpoint"),
    "eye": ("N", "M", "k", "dtype"),
    "identity": ("n", "dtype"),
}
LIKE = ("zeros_like", "ones_like", "empty_like", "full_like")


def make(
    b: Builder, name: str, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Value:
    """``np.zeros(3)`` and its kin: uniform, as it was written; varying once it is stored into."""
    function: Any = getattr(np, name)
    parts: list[tuple[str, Thing]] = [("", a) for a in args] + list(keywords.items())
    varying = [t for _, t in parts if isinstance(t, Value) and t.varying]
    if name == "full" and varying:
        return filled(b, args, keywords, node)
    known: dict[int, Any] = {}
    for k, (key, thing) in enumerate(parts):
        found = settled(b, thing)
        if found is NOT_LITERAL:
            fills = name == "full" and (key == "fill_value" or (not key and k == 1))
            ends = name == "linspace" and (key in ("start", "stop") or (not key and k < 2))
            if not (isinstance(thing, Value) and not thing.varying and (fills or ends)):
                raise Unsupported(
                    node, f"np.{name} of a size that is not known while compiling",
                    "the shape of a sample depends on it",
                )  # fmt: skip
            found = thing.fact.known.type(1)
        known[k] = found
    positional = [known[k] for k, (key, _) in enumerate(parts) if not key]
    named = {key: known[k] for k, (key, _) in enumerate(parts) if key}
    try:
        with np.errstate(all="ignore"):
            sample = function(*positional, **named)
    except Exception as e:
        raise Unsupported(node, f"{type(e).__name__}: {e}", "NumPy raises it") from e
    if sample.size > 10**7:
        raise Unsupported(node, f"np.{name} of {sample.size} elements", "it is too large")
    fact = fact_of_sample(sample, (), [], node)
    fact = replace(fact, shape=_lengths(name, positional, named, fact.shape))
    values: list[Value] = []
    texts = [f"{key}={written(thing, values)}" if key else written(thing, values)
             for key, thing in parts]  # fmt: skip
    params = tuple(f"a{k}" for k in range(len(values)))
    text = f"np.{name}({', '.join(texts)})"
    op = Operation(name, params, text, text, total=True, cost=1.0, arrays=True)
    return b.apply(op, *values, node=node, fact=fact)


def _lengths(name: str, args: list[Any], named: dict[str, Any], shape: Shape) -> Shape:
    """A new array's lengths as its size says them: ``len(x)`` remembers that it is x's.

    >>> _lengths("zeros", [Extent(3, ("x", 1))], {}, (3,))[0].source
    ('x', 1)
    """
    asked = list(MAKERS[name])
    whole = {**dict(zip(asked, args, strict=False)), **named}
    if name in ("zeros", "ones", "empty", "full"):
        given = whole["shape"]
    elif name in ("eye", "identity"):
        rows = whole["N" if name == "eye" else "n"]
        given = (rows, whole.get("M") or rows)
    elif name == "arange" and len(args) == 1 and not set(named) - {"dtype"}:
        given = (args[0],)
    else:
        return shape
    known = known_lengths(given)
    return known if known == tuple(map(int, shape)) else shape


def known_lengths(shape: Any) -> Shape:
    """The lengths of a shape, which say of which parameter's axis they are if they know it."""
    lengths = shape if isinstance(shape, (tuple, list)) else (shape,)
    return tuple(n if isinstance(n, Extent) else Extent(int(n)) for n in lengths)


def written(thing: Thing, values: list[Value]) -> str:
    """An argument's text; what is computed gets a parameter."""
    if isinstance(thing, Value) and not isinstance(thing.op, Const):
        values.append(thing)
        return f"a{len(values) - 1}"
    if isinstance(thing, Value):
        return repr(thing.op.value)  # type: ignore[union-attr]
    if isinstance(thing, Seq):
        inner = [written(t, values) for t in thing.items]
        tail = "," if len(inner) == 1 and thing.kind is tuple else ""
        listed = ", ".join(inner) + tail
        return f"({listed})" if thing.kind is tuple else f"[{listed}]"
    if isinstance(thing, Known) and isinstance(thing.obj, (type, np.dtype)):
        return dtype_text(np.dtype(thing.obj))
    if isinstance(thing, Known) and thing.expr is not None:
        return text_of(thing.expr)
    return "None"


def filled(b: Builder, args: list[Thing], keywords: dict[str, Thing], node: gast.AST) -> Value:
    """``np.full(3, v)`` with a value that differs between lanes."""
    if len(args) != 2 or keywords:
        raise Unsupported(node, "np.full with these arguments", "there is no rule for it")
    shape, value = settled(b, args[0]), operand(b, args[1], node)
    if shape is NOT_LITERAL or value.fact.rank:
        raise Unsupported(node, "np.full of such a shape", "it is not known while compiling")
    sample = np.full(shape, np.ones((), stored(value.fact)))
    column = aligned(b, value, sample.ndim)
    values = [column]
    parts = args[0].items if isinstance(args[0], Seq) else (args[0],)
    sizes = ", ".join(written(part, values) for part in parts)
    return apply_array(
        b, "full", lambda v, *_: np.full(shape, v.reshape(()) if hasattr(v, "reshape") else v),
        tuple(values), f"np.broadcast_to(a0, (len(a0), {sizes})).copy()", "", node,
    )  # fmt: skip


def like(
    b: Builder, name: str, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Value:
    """``np.zeros_like(x)`` and its kin."""
    x = operand(b, args[0], node)
    if not x.fact.rank or set(keywords) - {"dtype"}:
        raise Unsupported(node, f"np.{name} of these arguments", "there is no rule for it")
    rest = [operand(b, a, node) for a in args[1:]]
    values = (x, *(aligned(b, v, x.fact.rank) for v in rest))
    dtype = static(keywords["dtype"]) if "dtype" in keywords else None
    typed = "" if dtype is None else f", dtype={dtype_text(np.dtype(dtype))}"
    function: Any = getattr(np, name)
    given_dtype = {} if dtype is None else {"dtype": dtype}
    names = ", ".join(f"a{k}" for k in range(len(values)))
    text = f"np.{name}({names}{typed})"
    shape = x.fact.shape
    if any(v.varying for v in rest) and not x.varying:
        raise Unsupported(node, f"np.{name} with a varying value", "write np.full")
    return apply_array(
        b, name, lambda a, *v: function(a.reshape(shape), *v, **given_dtype), values, text, text,
        node,
    )  # fmt: skip


def array_of(
    b: Builder, name: str, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Value | None:
    """``np.array`` and ``np.asarray`` of a list or an array; None for a number."""
    if len(args) == 1 and isinstance(args[0], Value) and not args[0].fact.rank:
        return None
    if len(args) == 2 and not keywords:
        keywords = {"dtype": args[1]}
    if not args or set(keywords) - {"dtype"}:
        raise Unsupported(node, f"np.{name} with these arguments", "there is no rule for it")
    wanted = keywords.get("dtype")
    found = None if wanted is None else static(wanted)
    dtype = None if found is None or found is NOT_LITERAL else np.dtype(found)
    thing = args[0]
    if isinstance(thing, Seq):
        return stacked(b, thing, node, dtype)
    x = operand(b, thing, node)
    if not x.fact.rank:
        raise Unsupported(node, f"np.{name} of a number", "an array without axes")
    if isinstance(thing, Known) and type(thing.obj) in (list, tuple):
        typed = "" if dtype is None else f", dtype={dtype_text(dtype)}"
        return apply_array(b, name, lambda a: np.array(a, dtype), (x,), "",
                           f"np.array(a0{typed})", node)  # fmt: skip
    if dtype is not None and dtype != x.fact.dtype:
        return astype(b, x, dtype, node)
    if name == "asarray" and not isinstance(x.op, Path):
        return x
    return copied(b, x, node)


def copied(b: Builder, x: Value, node: gast.AST) -> Value:
    """``x.copy()``."""
    return apply_array(b, "copy", lambda a: a.copy(), (x,), "a0.copy()", "a0.copy()", node)


def astype(b: Builder, x: Value, dtype: Any, node: gast.AST) -> Value:
    """``x.astype(dtype)``."""
    try:
        wanted = np.dtype(dtype)
    except TypeError:
        raise Unsupported(node, f"the dtype {dtype!r}", "NumPy has none of this name") from None
    text = f"a0.astype({dtype_text(wanted)})"
    fact = given(lambda a: a.astype(wanted), [x.fact], node)
    total = not (x.fact.kind in "fc" and fact.kind in "iu")  # nan has no integer: NumPy warns
    op = Operation("astype", ("a0",), text, text, total=total, cost=1.0, arrays=True)
    return b.apply(op, x, node=node, fact=fact)
