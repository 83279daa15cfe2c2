"""Operations on array samples, element by element: NumPy's broadcasting inside each sample.

A varying array is stored with its lane axis in front, so operands of lower rank get axes of length
one behind it, and NumPy's broadcasting does the rest.

    >>> text_of_alignment(0, 2), text_of_alignment(1, 2)
    ('x[:, None, None]', 'x[:, None]')
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

import gast

from autovec.errors import Unsupported
from autovec.program import probe
from autovec.program.build import Builder
from autovec.program.facts import Extent, Fact, Lanes, Shape, union
from autovec.program.values import Operation, Value


def any_array(*values: Value) -> bool:
    """Is one of them an array in each sample?"""
    return any(v.fact.rank for v in values)


def elementwise(b: Builder, op: Operation, args: tuple[Value, ...], node: gast.AST | None) -> Value:
    """The value of an operation that NumPy broadcasts over its operands' axes."""
    shape = broadcast(args, node)
    lanes: Lanes = ()
    for arg in args:
        lanes = union(lanes, arg.fact.lanes)
    if lanes:
        args = tuple(aligned(b, arg, len(shape)) for arg in args)
    facts = tuple(arg.fact if lanes else replace(arg.fact, lanes=()) for arg in args)
    try:
        dtype = probe.result(op.lanes if lanes else op.python, op.params, facts, True).dtype
    except probe.NoResult as e:
        raise Unsupported(node, f"{op.name} of these arrays", str(e)) from e
    if dtype.kind not in "biufc":
        raise Unsupported(node, f"{op.name} of these arrays", f"it gives {dtype}")
    fact = Fact(dtype, lanes, shape, python=False)
    made = replace(op, arrays=True, cost=op.cost * max(1, prod(shape)))
    return b.apply(made, *args, node=node, fact=fact)


def broadcast(args: tuple[Value, ...], node: gast.AST | None) -> Shape:
    """The shape of a sample's result.

    Each length remembers which parameter's axis it is.
    """
    rank = max(arg.fact.rank for arg in args)
    found: list[int] = [1] * rank
    for arg in args:
        for k, length in enumerate(reversed(arg.fact.shape), 1):
            have = found[-k]
            if have == 1 or (have == length and not getattr(have, "source", None)):
                found[-k] = length
            elif length not in (1, have):
                shapes = " and ".join(str(tuple(map(int, a.fact.shape))) for a in args)
                raise Unsupported(
                    node, f"samples of shapes {shapes}", "they do not broadcast in NumPy"
                )
    return tuple(found)


def text_of_alignment(rank: int, wanted: int) -> str:
    """The index that puts axes of length one between the lanes and a sample's own axes."""
    return f"x[{', '.join([':'] + ['None'] * (wanted - rank))}]"


def aligned(b: Builder, value: Value, rank: int) -> Value:
    """A varying value with as many sample axes as the others."""
    if not value.varying or value.fact.rank == rank:
        return value
    text = text_of_alignment(value.fact.rank, rank)
    op = Operation("align", ("x",), text, "x", total=True, cost=0.0, fresh=False, arrays=True,
                   flat=not value.fact.rank)  # fmt: skip
    shape = (Extent(1),) * (rank - value.fact.rank) + value.fact.shape
    return b.apply(op, value, fact=replace(value.fact, shape=shape))
