"""Items and slices of array samples: ``x[0]``, ``x[1:3]``, ``m[i, j]``, ``x[i]`` with a varying i.

>>> lanes_index(["0"], [False]), lanes_index(["1:3", "a1"], [False, False])
('a0[:, 0]', 'a0[:, 1:3, a1]')
>>> lanes_index(["a1", "2"], [True, False])
'a0[np.arange(len(a0)), a1, 2]'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.arrays.masked import kept
from autovec.program.arrays.operands import is_array, operand
from autovec.program.arrays.standins import fact_of_sample, sample_of, settled
from autovec.program.build import Builder
from autovec.program.facts import union
from autovec.program.things import NOT_LITERAL, Known, Seq, Thing, describe
from autovec.program.values import Const, Operation, Value


@dataclass
class Index:
    """An index as it is written: its parts' texts over parameters, and what they are for a shape.

    ``varying``: which parts differ between lanes; ``sure``: it is within bounds for certain.
    """

    parts: list[str]
    samples: list[Any]
    values: list[Value]
    varying: list[bool]
    ranks: list[int]
    sure: bool = True


def array_item(b: Builder, base: Thing, index: gast.expr, node: gast.AST) -> Thing:
    """``base[index]`` of an array."""
    array = operand(b, base, node)
    if isinstance(index, (gast.Compare, gast.Name, gast.UnaryOp, gast.BinOp, gast.Call)):
        thing = b.expr(index)
        if isinstance(thing, Value) and thing.fact.kind == "b" and thing.fact.rank:
            return kept(array, thing, node)
        made = Index([], [], [], [], [])
        for part in thing.items if isinstance(thing, Seq) and thing.kind is tuple else (thing,):
            _part(b, made, part, node)
        return read(b, array, made, node)
    parts = list(index.elts) if isinstance(index, gast.Tuple) else [index]
    made = parsed(b, parts, node, array)
    return read(b, array, made, node)


def index_of(b: Builder, parts: Sequence[Thing], node: gast.AST) -> Index:
    """An index of positions that have been read already."""
    made = Index([], [], [], [], [])
    for part in parts:
        _part(b, made, part, node)
    return made


def element(b: Builder, array: Value, position: Value, node: gast.AST) -> Value:
    """``array[position]``."""
    made = Index([], [], [], [], [])
    _part(b, made, position, node)
    return read(b, array, made, node)


def read(b: Builder, array: Value, index: Index, node: gast.AST) -> Value:
    """The value of an item or slice."""
    samples = tuple(index.samples)
    sample = sample_of(
        lambda a: a[samples if len(samples) != 1 else samples[0]], [array.fact], node
    )
    lanes = array.fact.lanes
    for value in index.values:
        lanes = union(lanes, value.fact.lanes)
    fact = fact_of_sample(sample, lanes, [array.fact], node)
    params = ("a0", *(f"a{k}" for k in range(1, len(index.values) + 1)))
    written = f"a0[{', '.join(index.parts)}]"
    apart = any(index.varying)
    if apart:
        refuse_mixed(index, node)
    text = written
    if apart and not array.varying:
        text = lanes_in_front(written, index, node)
    if array.varying:
        text = lanes_index(index.parts, index.varying)
        if apart and max(r for r, v in zip(index.ranks, index.varying, strict=True) if v):
            text = text.replace("np.arange(len(a0))", "np.arange(len(a0))[:, None]")
    fancy = any(index.ranks) or apart
    scalar = not fact.shape
    op = Operation(
        "item", params, text, written, total=index.sure, cost=2.0 if fancy else 0.3,
        impure=not index.sure, fresh=fancy, arrays=True,
    )  # fmt: skip
    if scalar and not lanes:
        op = Operation("item", params, written, written, total=index.sure, impure=not index.sure,
                       arrays=True)  # fmt: skip
    found = b.apply(op, array, *index.values, node=node, fact=fact)
    if fact.shape and not any(index.ranks):
        found.memory = array.memory  # a view in the sample, even where the batch has a copy
    return found


def lanes_index(parts: Sequence[str], varying: Sequence[bool]) -> str:
    """The text of an index behind the lane axis; an index that varies picks lane by lane."""
    lanes = "np.arange(len(a0))" if any(varying) else ":"
    return f"a0[{', '.join([lanes, *parts])}]"


def lanes_in_front(written: str, index: Index, node: gast.AST) -> str:
    """The text of an item of a uniform array at positions that vary: the lanes come first."""
    picks = [k for k, sample in enumerate(index.samples) if not isinstance(sample, slice)]
    if any(s is None or s is ... for s in index.samples):
        raise Unsupported(node, "a varying index beside new axes", "the lanes come first")
    together = picks == list(range(picks[0], picks[-1] + 1))
    if not together or picks[0] == 0:
        return written  # NumPy puts them in front
    if any(index.ranks):
        raise Unsupported(node, "an index of arrays behind a slice", "the axes would move")
    return f"np.moveaxis({written}, {picks[0]}, 0)"


def refuse_mixed(index: Index, node: gast.AST) -> None:
    """With a varying index, NumPy puts all integer indices together in front."""
    arrays = [k for k, r in enumerate(index.ranks) if r]
    if not arrays:
        return
    first = next(k for k, v in enumerate(index.varying) if v or index.ranks[k])
    if first != 0 or len(index.parts) > 1:
        raise Unsupported(node, "an index of arrays in several axes", "the axes would move")


def parsed(b: Builder, elements: list[gast.expr], node: gast.AST, array: Value) -> Index:
    """An index expression's parts."""
    made = Index([], [], [], [], [])
    for e in elements:
        if isinstance(e, gast.Slice):
            _slice(b, made, e, node)
        else:
            thing = b.expr(e)
            if isinstance(thing, Seq) and len(elements) == 1 and thing.kind is tuple:
                for inner in thing.items:
                    _part(b, made, inner, node)
            else:
                _part(b, made, thing, node)
    _fit(made, array)
    return made


def _fit(made: Index, array: Value) -> None:
    """Are the literal positions within the sample's shape?"""
    axis = 0
    for sample, part in zip(made.samples, made.parts, strict=True):
        if sample is ... or sample is None:
            axis = -10 if sample is ... else axis
            continue
        if isinstance(sample, int) and not part.startswith("a") and axis >= 0:
            length = array.fact.shape[axis] if axis < array.fact.rank else 0
            made.sure &= -length <= sample < length
        elif isinstance(sample, int) and not part.startswith("a"):
            made.sure = False
        axis += 1


def _slice(b: Builder, made: Index, s: gast.Slice, node: gast.AST) -> None:
    bounds: list[int | None] = []
    texts: list[str] = []
    for part in (s.lower, s.upper, s.step):
        thing = None if part is None else b.expr(part)
        found = settled(b, thing)
        if isinstance(thing, Known) and thing.obj is None:
            found, thing = None, None
        if thing is not None and (found is NOT_LITERAL or not isinstance(found, (int, np.integer))):
            raise Unsupported(
                node, "a slice with bounds that are not known while compiling",
                "the length of a sample depends on them",
            )  # fmt: skip
        bounds.append(None if found is None else int(found))
        if isinstance(thing, Value) and not isinstance(thing.op, Const):
            made.values.append(thing)
            texts.append(f"a{len(made.values)}")
        else:
            texts.append("" if found is None else str(int(found)))
    text = f"{texts[0]}:{texts[1]}" + (f":{texts[2]}" if texts[2] else "")
    made.parts.append(text)
    made.samples.append(slice(*bounds))
    made.varying.append(False)
    made.ranks.append(0)


def _part(b: Builder, made: Index, thing: Thing, node: gast.AST) -> None:
    """One part of an index that is no slice."""
    if isinstance(thing, Known) and (thing.obj is None or thing.obj is ...):
        made.parts.append("None" if thing.obj is None else "...")
        made.samples.append(thing.obj)
        made.varying.append(False)
        made.ranks.append(0)
        return
    value = operand(b, thing, node) if is_array(thing) or isinstance(thing, Seq) else None
    if value is None:
        value = b.as_value(thing, node)
    if value.fact.kind == "b":
        raise Unsupported(
            node, "a mask as an index", "how many elements it keeps depends on the sample"
        )
    if value.fact.kind not in "iu":
        raise Unsupported(node, f"an index that is {describe(value)}", "NumPy raises IndexError")
    literal_index = isinstance(value.op, Const)
    if literal_index:
        made.parts.append(str(value.op.value))  # type: ignore[union-attr]
        made.samples.append(value.op.value)  # type: ignore[union-attr]
    else:
        made.values.append(value)
        made.parts.append(f"a{len(made.values)}")
        shape = value.fact.shape
        made.samples.append(np.zeros(shape, int) if shape else 0)
        made.sure = False
    made.varying.append(value.varying)
    made.ranks.append(value.fact.rank)


def length(b: Builder, array: Value, node: gast.AST) -> Value:
    """``len(x)``, which is the same for every lane."""
    return extent(b, array, 0, node, "len(a0)")


def extent(
    b: Builder, array: Value, axis: int, node: gast.AST, written: str | None = None
) -> Value:
    """``x.shape[axis]``, the same for every lane."""
    shape = array.fact.shape
    if array.varying:
        text = f"a0.shape[{axis + 1}]"
    else:
        text = written or f"a0.shape[{axis}]"
    fact = b.const(1).fact
    op = Operation("length", ("a0",), text, text, total=True, cost=0, arrays=True)
    made = b.apply(op, array, node=node, fact=fact)
    made.static = shape[axis]  # with the parameter's axis that it is
    made.bound = int(shape[axis])
    return made


def elements(b: Builder, array: Value, node: gast.AST, most: int) -> Seq | None:
    """The rows of an array of few, one by one; None where they are too many to be written out."""
    if array.fact.shape[0] > most:
        return None
    return Seq(tuple(element(b, array, b.const(k), node) for k in range(int(array.fact.shape[0]))))
