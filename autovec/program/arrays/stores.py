"""Stores into arrays made inside the function: ``out[0] = a``, ``out[i] += b``, ``out[m] = c``.

A store makes a new value, which takes the place of the old one under every name that holds it:
these names are one array.  What may share its memory and is not that very value (a view, an array
that only some lanes have) forbids the store, and so does memory that is not the function's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.arrays.creation import astype
from autovec.program.arrays.elementwise import aligned
from autovec.program.arrays.items import Index, parsed, read, refuse_mixed
from autovec.program.arrays.operands import operand
from autovec.program.arrays.standins import sample_of
from autovec.program.build import Builder
from autovec.program.facts import union
from autovec.program.marks import Mark
from autovec.program.things import Local, Thing, leaves, map_leaves
from autovec.program.values import NO_MEMORY, STORE, Operation, Value


class StoresInto(Unsupported):
    """A store into an array that may be the caller's."""


def store_array_item(
    b: Builder, base: Value, index: list[gast.expr], thing: Thing, node: gast.AST
) -> None:
    """``base[index] = thing``."""
    refuse_foreign(b, base, node)
    made = masked(b, base, index, thing, node)
    if made is None:
        made = stored(b, base, parsed(b, index, node, base), operand(b, thing, node), node)
    replaced(b, base, made)


def masked(
    b: Builder, base: Value, index: list[gast.expr], thing: Thing, node: gast.AST
) -> Value | None:
    """``base[mask] = scalar`` with a mask of the array's own shape."""
    if len(index) != 1 or isinstance(index[0], (gast.Slice, gast.Constant)):
        return None
    mark = Mark(b)
    found = b.expr(index[0])
    if not isinstance(found, Value) or found.fact.kind != "b" or not found.fact.rank:
        mark.restore(b)
        return None
    value = operand(b, thing, node)
    if value.fact.rank or found.fact.shape != base.fact.shape:
        raise Unsupported(node, "a store under a mask", "only of one number, with a whole mask")
    refuse_cast(base, value, node)
    lanes = union(union(base.fact.lanes, found.fact.lanes), value.fact.lanes)
    if lanes:
        found = aligned(b, found, base.fact.rank)
        value = aligned(b, value, base.fact.rank)
    text = "np.copyto(a0, a2, where=a1)"
    fact = replace(base.fact, lanes=lanes)
    op = Operation(STORE, ("a0", "a1", "a2"), text, "a0[a1] = a2", cost=5.0 * _size(base),
                   arrays=True)  # fmt: skip
    return _result(b, op, base, (found, value), fact, node)


def stored(b: Builder, base: Value, index: Index, value: Value, node: gast.AST) -> Value:
    """The array with an item or slice stored."""
    samples = tuple(index.samples)
    target = sample_of(lambda a: a[samples if len(samples) != 1 else samples[0]], [base.fact], node)
    shape = getattr(target, "shape", ())
    if value.fact.rank > len(shape):
        raise Unsupported(node, "a store of an array into an item", "NumPy raises ValueError")
    refuse_cast(base, value, node)
    if value.fact.shape and tuple(value.fact.shape) != shape:
        for have, want in zip(reversed(value.fact.shape), reversed(shape), strict=False):
            if have not in (1, want):
                raise Unsupported(node, "a store of another shape", "NumPy raises ValueError")
    if any(index.ranks):
        raise Unsupported(node, "a store at an array of indices", "equal indices have an order")
    lanes = union(base.fact.lanes, value.fact.lanes)
    for v in index.values:
        lanes = union(lanes, v.fact.lanes)
    refuse_mixed(index, node)
    if lanes:
        value = aligned(b, value, len(shape)) if value.varying else value
    params = ("a0", *(f"a{k}" for k in range(1, len(index.values) + 1)), "new")
    front = ["np.arange(len(a0))" if any(index.varying) else ":"]
    if any(index.varying) and any(isinstance(s, slice) for s in index.samples[:-1]):
        raise Unsupported(node, "a store at a varying index behind a slice", "the axes would move")
    text = f"a0[{', '.join([*front, *index.parts])}] = new"
    written = f"a0[{', '.join(index.parts)}] = new"
    op = Operation(STORE, params, text, written, total=index.sure, impure=not index.sure,
                   cost=5.0 + _size(base), arrays=True)  # fmt: skip
    return _result(b, op, base, (*index.values, value), replace(base.fact, lanes=lanes), node)


def _result(
    b: Builder, op: Operation, base: Value, rest: tuple[Value, ...], fact: object, node: gast.AST
) -> Value:
    b.stores += 1
    made = b.apply(op, base, *rest, node=node, fact=fact)  # type: ignore[arg-type]
    made.origin = base.origin
    return made


def _size(base: Value) -> float:
    size = 1.0
    for length in base.fact.shape:
        size *= length
    return size


def refuse_cast(base: Value, value: Value, node: gast.AST) -> None:
    """Stores that NumPy refuses for some numbers, or casts with a warning, stay in the loop."""
    have, want = value.fact.kind, base.fact.kind
    wider = have == want or (have in "bui" and want in "fc") or (have == "f" and want == "c")
    fits = value.fact.weak or value.fact.dtype.itemsize <= base.fact.dtype.itemsize
    if (wider and fits) or (have == "b" and want in "buifc"):
        return
    raise Unsupported(
        node, f"a store of {value.fact.dtype} into {base.fact.dtype}",
        "NumPy refuses or changes some of the numbers",
    )  # fmt: skip


def refuse_foreign(b: Builder, base: Value, node: gast.AST) -> None:
    """Only memory of the function's own is stored into, and only if no other value shares it."""
    if not base.memory or any(isinstance(t, str) for t in base.memory):
        raise StoresInto(
            node, "a store into an array that is not the function's own",
            "the caller would see it",
        )  # fmt: skip
    for value, own in live(b):
        same = value is base and own
        if not same and value.fact.rank and value.memory & base.memory:
            raise Unsupported(
                node, "a store into an array of which there is a view",
                "the view would change as well",
            )  # fmt: skip


def refuse_mingled(
    stores: bool, heads: Mapping[str, Thing], after: Mapping[str, Thing], node: gast.AST
) -> None:
    """A loop that stores must not hand one array to the next trip under two names."""
    if not stores:
        return
    held: list[tuple[Value, Value]] = []
    for name, head in heads.items():
        thing = after.get(name)
        ends = leaves(thing) if thing is not None else []
        held += [(h, e) for h, e in zip(leaves(head), ends, strict=False) if h.fact.rank]
    kept = [v.memory for n, t in after.items() if n not in heads for v in leaves(t)]
    for k, (head, end) in enumerate(held):
        foreign = {t for t in end.memory - head.memory if isinstance(t, str)}
        others = [h.memory | e.memory for j, (h, e) in enumerate(held) if j != k]
        if foreign or (end.memory - head.memory) & NO_MEMORY.union(*others, *kept):
            raise Unsupported(
                node,
                "a loop that stores into an array which goes on under another name",
                "the names would be one array in the next trip",
            )


def update(b: Builder, base: Value, sign: str, value: Value, node: gast.AST) -> None:
    """``x += value`` of an array: in place, under every name that holds it."""
    from autovec.program.operators import binary

    refuse_foreign(b, base, node)
    made = binary(b, sign, base, value, node)
    if made.fact.shape != base.fact.shape:
        raise Unsupported(node, "an array updated with a larger one", "NumPy raises ValueError")
    if made.fact.dtype != base.fact.dtype:
        if not np.can_cast(made.fact.known, base.fact.known, "same_kind"):
            raise Unsupported(node, f"{made.fact.dtype} into {base.fact.dtype}", "NumPy refuses it")
        made = astype(b, made, base.fact.dtype, node)
    made.origin = base.origin
    made.memory |= base.memory
    b.stores += 1
    replaced(b, base, made)


def update_item(
    b: Builder, base: Value, index: list[gast.expr], sign: str, node: gast.AugAssign
) -> None:
    """``base[index] += value``: the index once, then the value, then the store."""
    from autovec.program.operators import binary

    refuse_foreign(b, base, node)
    made = parsed(b, index, node, base)
    old = read(b, base, made, node)
    value = binary(b, sign, old, operand(b, b.expr(node.value), node), node)
    if value.fact.shape != old.fact.shape:
        raise Unsupported(node, "an item updated with an array", "NumPy raises ValueError")
    replaced(b, base, stored(b, base, made, value, node))


def live(b: Builder) -> Iterator[tuple[Value, bool]]:
    """Every value that a name may still read, and whether it is a name of this very scope."""
    for thing in b.env.values():
        yield from ((v, True) for v in leaves(thing) if not isinstance(thing, Local))
        if isinstance(thing, Local) and not thing.own:
            yield from ((v, False) for t in thing.env.values() for v in leaves(t))
    for env in b.callers:
        yield from ((v, False) for thing in env.values() for v in leaves(thing))


def _inside(thing: Thing) -> list[Value]:
    return leaves(thing)


def replaced(b: Builder, old: Value, new: Value) -> None:
    """Every name that holds the array holds it as it is now."""
    for name, thing in b.env.items():
        if any(v is old for v in leaves(thing)):
            b.env[name] = map_leaves(thing, lambda v: new if v is old else v)
