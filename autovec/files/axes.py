"""Which axes of the arguments are lanes: in_axes, out_axes, and batches within batches.

A def is written for arguments whose lanes come first, so another axis is moved there in its first
lines. A batch of batches is one batch over several axes: each argument gets an axis of one where it
has none of its own, and the text for arrays that broadcast does the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gast

from autovec.axes import is_axis
from autovec.files.options import Chosen
from autovec.files.returns import map_values
from autovec.syntax import quote

Entries = tuple[int | None, ...]


def entries_of(
    chosen: Chosen, names: Sequence[str], optional: Iterable[str], star: str | None = None
) -> dict[str, Entries]:
    """For each parameter, what in_axes says of it, for the outermost batch first.

    ``star`` stands for all further arguments. Raises LookupError where it does not fit.

    >>> entries_of(Chosen("lanes", in_axes=(0, None)), ["x", "k"], [])
    {'x': (0,), 'k': (None,)}
    >>> entries_of(Chosen("lanes", in_axes=(None, 0), outer=((0, None),)), ["x", "y"], [])
    {'x': (0, None), 'y': (None, 0)}
    """
    optional = set(optional)
    levels = [_level(given, names, optional, star) for given in (*chosen.outer, chosen.in_axes)]
    every = dict.fromkeys(name for level in levels for name in level)
    return {name: tuple(level.get(name) for level in levels) for name in every}


def _level(
    given: Any, names: Sequence[str], optional: set[str], star: str | None
) -> dict[str, int | None]:
    if isinstance(given, dict):
        unknown = sorted(set(map(str, given)) - set(names))
        if unknown:
            raise LookupError(f"in_axes names {', '.join(unknown)}")
        axes = given
    elif isinstance(given, (tuple, list)):
        needed = len([n for n in names if n not in optional])
        most = len(names) if star is None else len(given)
        if not needed <= len(given) <= most:
            raise LookupError(f"in_axes has {len(given)} entries for {len(names)} parameters")
        axes = dict(zip(names, given, strict=False))
        for entry in given[len(names) :]:
            if entry != 0:
                raise LookupError(f"in_axes has {entry!r} for one of *{star}: only 0 is written")
    else:
        axes = {n: given for n in names if n not in optional}
    for axis in axes.values():
        if axis is not None and not is_axis(axis):
            raise LookupError(f"in_axes has {axis!r}: an argument has one axis here")
    return dict(axes)


def refusal(name: str, entries: Entries, rank: int) -> str:
    """Why an argument cannot be laid out so; nothing if it can."""
    mapped = [axis for axis in entries if axis is not None]
    if len(entries) > 1 and rank:
        return f"{name} is an array in each sample of a batch of batches"
    for left, axis in zip(range(len(mapped) + rank, 0, -1), mapped, strict=False):
        if not -left <= axis < left:
            axes = "one axis" if left == 1 else f"{left} axes"
            return f"in_axes has {axis} for {name}, which has {axes} there"
    return ""


def opening(
    entries: Mapping[str, Entries], ranks: Mapping[str, int], numpy: str
) -> list[gast.stmt]:
    """The first lines of a def: every argument with its lanes in front, in order.

    >>> from autovec.syntax.convert import text_of
    >>> lines = opening({"x": (0, None), "y": (None, 0), "m": (1,)}, {"m": 1}, "np")
    >>> [text_of(line) for line in lines]
    ['x = x[:, None]', 'm = np.moveaxis(m, 1, 0)']
    """
    lines: list[gast.stmt] = []
    for name, axes in entries.items():
        mapped = [axis for axis in axes if axis is not None]
        if not mapped:
            continue
        total = len(mapped) + ranks.get(name, 0)
        order = list(range(total))
        front = [order.pop(axis) for axis in mapped]
        if len(mapped) == 1 and front[0]:
            text = f"x = {numpy}.moveaxis(x, axis, 0)"
            lines.append(quote.stmt(text, x=name, axis=quote.const(mapped[0])))
        elif front != sorted(front):
            text = f"x = {numpy}.transpose(x, order)"
            lines.append(quote.stmt(text, x=name, order=quote.const((*front, *order))))
        first = next(k for k, axis in enumerate(axes) if axis is not None)
        index = ", ".join("None" if axis is None else ":" for axis in axes[first:])
        if "None" in index:
            lines.append(quote.stmt("x = " + f"x[{index}]", x=name))
    return lines


def described(entries: Mapping[str, Entries]) -> str:
    """What a docstring says of the arguments' axes.

    >>> described({"x": (0,), "y": (1,)}), described({"x": (0, None), "y": (None, 0)})
    ('x (axis 0), y (axis 1)', 'x (over axis 0 of the batch), y (over axis 1)')
    """
    groups: dict[str, list[str]] = {}
    nested = any(len(axes) > 1 for axes in entries.values())
    for name, axes in entries.items():
        mapped = [k for k, axis in enumerate(axes) if axis is not None]
        if not mapped:
            continue
        where = f"axis {axes[0]}" if not nested else "over axis " + " and ".join(map(str, mapped))
        groups.setdefault(where, []).append(name)
    parts = [f"{', '.join(names)} ({where})" for where, names in groups.items()]
    text = ", ".join(parts)
    return text.replace(")", " of the batch)", 1) if nested else text


def with_out_axes(body: list[gast.stmt], out_axes: Any, numpy: str) -> list[gast.stmt]:
    """A def's statements, the lanes of what it returns moved to where `out_axes` has them.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(with_out_axes(quote.stmts("return y"), 1, "np"))
    'return np.moveaxis(y, 0, 1)'
    """
    if out_axes == 0:
        return body
    return map_values(body, lambda value: _moved(value, out_axes, numpy))


def _moved(value: gast.expr, out_axes: Any, numpy: str) -> gast.expr:
    if isinstance(out_axes, (tuple, list)):
        if isinstance(value, gast.Tuple) and len(value.elts) == len(out_axes):
            pairs = zip(value.elts, out_axes, strict=True)
            return quote.expr("(*items,)", items=[_moved(v, a, numpy) for v, a in pairs])
        text = f"tuple({numpy}.moveaxis(r, 0, axis) for r, axis in zip(x, axes))"
        return quote.expr(text, x=value, axes=quote.const(tuple(out_axes)))
    if isinstance(value, gast.Tuple):
        return quote.expr("(*items,)", items=[_moved(v, out_axes, numpy) for v in value.elts])
    if out_axes == 0:
        return value
    return quote.expr(f"{numpy}.moveaxis(x, 0, axis)", x=value, axis=quote.const(out_axes))
