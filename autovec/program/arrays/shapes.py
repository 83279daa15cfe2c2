"""Reshaping, transposing, joining array samples: the lanes stay in front.

>>> permuted((1, 0)), permuted((2, 0, 1))
('a0.mT', 'a0.transpose(0, 3, 1, 2)')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.arrays.creation import known_lengths, written
from autovec.program.arrays.operands import apply_array, operand
from autovec.program.arrays.standins import given, static, static_int
from autovec.program.build import Builder
from autovec.program.things import NOT_LITERAL, Seq, Thing
from autovec.program.values import Operation, Value


def view(
    b: Builder, x: Value, function: Callable[..., Any], lanes: str, written: str, node: gast.AST
) -> Value:
    """A result that may share its operand's memory."""
    return apply_array(b, "view", function, (x,), lanes, written, node, cost=0, fresh=False)


def reshape(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """``x.reshape(2, 3)``, ``np.reshape(x, (2, 3))``."""
    x = operand(b, args[0], node)
    wanted = static(args[1]) if len(args) == 2 else static(Seq(tuple(args[1:])))
    if wanted is NOT_LITERAL:
        raise Unsupported(node, "a shape that is not known while compiling", "it decides the axes")
    fact = given(lambda a: a.reshape(wanted), [x.fact], node)
    values = [x]
    parts = args[1].items if isinstance(args[1], Seq) else args[1:]
    if -1 in np.atleast_1d(wanted) or not x.varying:
        sizes = ", ".join(str(int(n)) for n in fact.shape)
    else:
        sizes = ", ".join(written(part, values) for part in parts)
        fact = replace(fact, shape=known_lengths(wanted))
    python = f"a0.reshape({wanted!r})"
    op = Operation("view", tuple(f"a{k}" for k in range(len(values))),
                   f"a0.reshape(len(a0), {sizes})", python, total=True, cost=0, number="numpy",
                   fresh=False, arrays=True)  # fmt: skip
    return b.apply(op, *values, node=node, fact=fact)


def flat(b: Builder, args: list[Thing], node: gast.AST, copy: bool) -> Value:
    """``ravel`` and ``flatten``."""
    x = operand(b, args[0], node)
    written = "a0.flatten()" if copy else "a0.ravel()"
    lanes = f"a0.reshape(len(a0), {int(np.prod(x.fact.shape))})"
    if x.fact.rank == 1:
        lanes = "a0"
    if copy:
        copied = "a0.copy()" if lanes == "a0" else f"{lanes}.copy()"
        return apply_array(b, "copy", lambda a: a.flatten(), (x,), copied, written, node)
    if lanes == "a0":
        return x
    return view(b, x, lambda a: a.ravel(), lanes, written, node)


def transpose(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """``x.T``, ``x.transpose(...)``, ``np.transpose``."""
    x = operand(b, args[0], node)
    axes = static(args[1]) if len(args) == 2 else static(Seq(tuple(args[1:]))) if args[1:] else None
    rank = x.fact.rank
    if axes is None:
        axes = tuple(range(rank))[::-1]
    if not isinstance(axes, (tuple, list)) or not all(isinstance(a, int) for a in axes):
        raise Unsupported(node, "axes that are not known while compiling", "they decide the shape")
    if rank <= 1:
        return x
    order = tuple(a % rank for a in axes)
    written = "a0.T" if order == tuple(range(rank))[::-1] else f"a0.transpose({order!r})"
    return view(b, x, lambda a: a.transpose(axes), permuted(order), written, node)


def permuted(order: tuple[int, ...]) -> str:
    """The text that permutes a sample's axes."""
    if order == (1, 0):
        return "a0.mT"
    return f"a0.transpose(0, {', '.join(str(a + 1) for a in order)})"


def swapaxes(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """Two axes of a sample trade places."""
    x = operand(b, args[0], node)
    i, j = (from_end(static_int(a, "an axis", node), x.fact.rank) for a in args[1:])
    text = f"a0.swapaxes({i}, {j})"
    return view(b, x, lambda a: a.swapaxes(i, j), text, text, node)


def from_end(axis: int, rank: int) -> int:
    """An axis of a sample counted from the end, where the lanes do not matter."""
    return axis if axis < 0 else axis - rank


def expand_dims(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """A new axis of length one."""
    x = operand(b, args[0], node)
    axis = static_int(args[1], "an axis", node)
    text = f"np.expand_dims(a0, {from_end(axis, x.fact.rank + 1)})"
    return view(b, x, lambda a: np.expand_dims(a, axis), text, text, node)


def squeeze(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """Axes of length one go."""
    x = operand(b, args[0], node)
    axis = static(args[1]) if len(args) > 1 else None
    if axis is NOT_LITERAL:
        raise Unsupported(node, "an axis that is not known while compiling", "it decides the shape")
    gone = [k for k, n in enumerate(x.fact.shape) if n == 1] if axis is None else axis
    axes = [gone] if isinstance(gone, int) else list(gone)
    if not axes:
        return x
    ends = tuple(from_end(a, x.fact.rank) for a in axes)
    text = f"np.squeeze(a0, axis={ends if len(ends) > 1 else ends[0]})"
    return view(b, x, lambda a: np.squeeze(a, ends), text, text, node)


def flip(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """The elements in reverse along one or all axes."""
    x = operand(b, args[0], node)
    axis = static(args[1]) if len(args) > 1 else None
    axes = tuple(range(x.fact.rank)) if axis is None else axis
    axes = (axes,) if isinstance(axes, int) else axes
    if axes is NOT_LITERAL:
        raise Unsupported(node, "an axis that is not known while compiling", "it decides the order")
    ends = tuple(from_end(a, x.fact.rank) for a in axes)
    text = f"np.flip(a0, axis={ends if len(ends) > 1 else ends[0]})"
    return view(b, x, lambda a: np.flip(a, ends), text, text, node)


def along_axis(
    b: Builder, name: str, count: int, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Value:
    """``np.roll(x, shift)`` and ``np.diff(x, n)``: a number, then an axis."""
    x = operand(b, args[0], node)
    rest = [static_int(a, f"an argument of {name}", node) for a in args[1:]]
    axis = static(keywords["axis"]) if "axis" in keywords else None
    if len(rest) > count:
        axis = rest.pop()
    if axis is None and name == "roll" and x.fact.rank > 1:
        raise Unsupported(node, "roll of a flattened array", "give it an axis")
    if set(keywords) - {"axis"} or axis is NOT_LITERAL:
        raise Unsupported(node, f"{name} with these arguments", "there is no rule for it")
    end = -1 if axis is None else from_end(axis, x.fact.rank)
    shown = "".join(f", {r}" for r in rest)
    function = getattr(np, name)
    text = f"np.{name}(a0{shown}, axis={end})"
    return apply_array(b, name, lambda a: function(a, *rest, axis=end), (x,), text, text, node)


def triangle(b: Builder, name: str, args: list[Thing], node: gast.AST) -> Value:
    """``np.tril`` and ``np.triu``."""
    x = operand(b, args[0], node)
    shown = f", {static_int(args[1], 'a diagonal', node)}" if len(args) > 1 else ""
    extra = [static_int(a, "a diagonal", node) for a in args[1:]]
    if x.fact.rank < 2:
        raise Unsupported(node, f"{name} of a vector", "only of a matrix")
    function = getattr(np, name)
    text = f"np.{name}(a0{shown})"
    return apply_array(b, name, lambda a: function(a, *extra), (x,), text, text, node)


def joined(
    b: Builder, name: str, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Value:
    """``np.concatenate``, ``stack``, ``hstack``, ``vstack`` of a fixed list of arrays."""
    if not args or not isinstance(args[0], Seq) or set(keywords) - {"axis"}:
        raise Unsupported(node, f"{name} of these arguments", "only of a list of arrays")
    values = [operand(b, item, node) for item in args[0].items]
    thing = keywords.get("axis", args[1] if len(args) > 1 else None)
    axis = 0 if thing is None else static_int(thing, "an axis", node)
    rank = max(v.fact.rank for v in values)
    if any(v.fact.rank != rank for v in values):
        raise Unsupported(node, f"{name} of arrays with several numbers of axes", "write them out")
    function = getattr(np, name)
    if not rank and name in ("vstack", "column_stack"):
        raise Unsupported(node, f"{name} of numbers", "write np.array")
    if not rank and name == "hstack":
        name = "stack"
    elif name == "hstack":
        name, axis = "concatenate", 0 if rank == 1 else 1
    elif name in ("vstack", "row_stack", "column_stack") and rank == 1:
        name, axis = "stack", 1 if name == "column_stack" else 0
    elif name in ("vstack", "row_stack", "column_stack"):
        name, axis = "concatenate", 1 if name == "column_stack" else 0
    plain = {"axis": axis} if function in (np.concatenate, np.stack) else {}
    fact = given(lambda *a: function(a, **plain), [v.fact for v in values], node)
    names = [f"a{k}" for k in range(len(values))]
    if fact.varying:
        first = next(n for n, v in zip(names, values, strict=True) if v.varying)
        names = [
            n if v.varying else f"np.broadcast_to({n}, (len({first}), *np.shape({n})))"
            for n, v in zip(names, values, strict=True)
        ]
        axis = from_end(axis, fact.rank)
    listed = ", ".join(names)
    text = f"np.{name}([{listed}], axis={axis})"
    params = tuple(f"a{k}" for k in range(len(values)))
    cost = 1.0 * max(1, int(np.prod(fact.shape)))
    op = Operation(
        name, params, text, text, total=True, cost=cost, arrays=True, flat=not rank
    )
    return b.apply(op, *values, node=node, fact=fact)
