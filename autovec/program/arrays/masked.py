"""``x[mask]`` of an array sample, as far as only a reduction or the length of it is asked for.

How many elements a mask keeps differs between samples, so they are no array; what is made of them
is a reduction with ``where``.
"""

from __future__ import annotations

import gast

from autovec.errors import Unsupported
from autovec.program.arrays.elementwise import aligned
from autovec.program.arrays.operands import Kept, apply_array
from autovec.program.build import Builder
from autovec.program.nodes import Check, Raise
from autovec.program.things import Record, Thing
from autovec.program.truth import negated
from autovec.program.values import Value
from autovec.syntax import quote

#: reductions that take ``where``, and whether they are silent for a mask that keeps nothing
_SILENT = {"sum": True, "prod": True, "any": True, "all": True, "mean": False, "std": False,
           "var": False}  # fmt: skip
#: those that have no value for nothing: what they start from, and NumPy's word for them
_STARTS = {"min": ("np.inf", "minimum"), "max": ("-np.inf", "maximum")}


def kept(array: Value, mask: Value, node: gast.AST) -> Record:
    """``array[mask]`` with a mask of the array's own shape."""
    if mask.fact.shape != array.fact.shape:
        raise Unsupported(
            node, "a mask as an index", "how many elements it keeps depends on the sample"
        )
    return Record(Kept, {"array": array, "mask": mask})


def is_kept(thing: Thing | None) -> bool:
    """Is it the elements that a mask keeps?"""
    return isinstance(thing, Record) and thing.cls is Kept


def parts(b: Builder, thing: Thing) -> tuple[Value, Value]:
    """The array and the mask, stored alike."""
    assert isinstance(thing, Record)
    array, mask = thing.fields["array"], thing.fields["mask"]
    assert isinstance(array, Value) and isinstance(mask, Value)
    rank = array.fact.rank
    return aligned(b, array, rank), aligned(b, mask, rank)


def count(b: Builder, thing: Thing, node: gast.AST) -> Value:
    """``len(x[mask])``."""
    _, mask = parts(b, thing)
    text = f"a0.sum(axis={_axes(mask)})"
    written = "int(a0.sum())"
    return apply_array(
        b, "len", lambda m: int(m.sum()), (mask,), text, written, node, number="python", weak=True
    )


def reduced(b: Builder, name: str, thing: Thing, node: gast.AST) -> Value:
    """``x[mask].sum()`` and its kin, over all that is kept."""
    array, mask = parts(b, thing)
    over = "" if not (array.varying or mask.varying) else f"axis={_axes(array)}, "
    elements = "a0" if array.varying or not mask.varying else "np.broadcast_to(a0, a1.shape)"
    if name in _SILENT:
        text = f"np.{name}({elements}, {over}where=a1)"
        return apply_array(
            b, name, lambda x, m: getattr(x[m], name)(), (array, mask), text, text, node,
            total=_SILENT[name], cost=1.5,
        )  # fmt: skip
    if name not in _STARTS or array.fact.kind != "f":
        raise Unsupported(
            node, f".{name}() of what a mask keeps", "how many elements depends on the sample"
        )
    start, word = _STARTS[name]
    whole = f"a0.any(axis={_axes(mask)})"
    some = apply_array(b, "any", lambda m: m.any(), (mask,), whole, "a0.any()", node)
    message = f"zero-size array to reduction operation {word} which has no identity"
    error = quote.expr("ValueError(message)", message=quote.const(message))
    b.add(Check(negated(b, some), Raise(error, None, {}, b.line), b.line))
    text = f"np.{name}({elements}, {over}where=a1, initial={start})"
    return apply_array(
        b, name, lambda x, m: getattr(x[m], name)(), (array, mask), text, text, node, cost=1.5
    )


def _axes(array: Value) -> str:
    rank = array.fact.rank
    return "-1" if rank == 1 else repr(tuple(range(-rank, 0)))
