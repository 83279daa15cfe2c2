"""vmap's reading of a call: ``in_axes`` says which axes of which leaves are lanes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from autovec import axes, tree
from autovec.axes import Named
from autovec.program.facts import Uniform
from autovec.run.columns import (
    Array,
    Column,
    Item,
    array_column,
    array_of,
    plain,
    scalars,
)
from autovec.run.frames import frame_item
from autovec.run.labels import Labels, is_frame, is_series, series_arrays
from autovec.run.prepare import Arguments, Names
from autovec.run.tables import keys_of, kind_of, record_table, table


class Lanes:
    """The mode of ``vmap``."""

    layout: Literal["broadcast", "lanes"] = "lanes"

    def __init__(self, in_axes: object, axis_size: int | None, kw_axes: object = None) -> None:
        axes.check_in_axes(in_axes)
        self.in_axes = in_axes
        self.kw_axes = {} if kw_axes is None else kw_axes
        self.axis_size = axis_size

    def read(self, args: Sequence[object], kwargs: Mapping[str, object], names: Names) -> Arguments:
        labels = Labels()
        entries = self.entries(names.given, list(kwargs))
        sizes: list[tuple[Named, int]] = []
        items = [
            _item(value, entry, name, labels, sizes, names)
            for value, entry, name in zip(
                [*args, *kwargs.values()], entries, [*names.given, *kwargs], strict=True
            )
        ]
        shape = (axes.batch_size(sizes, self.axis_size),)
        keywords = dict(zip(kwargs, items[len(args) :], strict=True))
        return Arguments(items[: len(args)], keywords, labels, shape)

    def maps(self, name: str, position: int | None, count: int) -> bool:
        entries = self.in_axes
        if isinstance(entries, dict):
            return entries.get(name, 0) is not None
        if position is None:
            named = self.kw_axes
            return (named.get(name, 0) if isinstance(named, dict) else named) is not None
        if isinstance(entries, (tuple, list)):
            return position >= len(entries) or entries[position] is not None
        return entries is not None

    def entries(self, given: Sequence[str], keywords: list[str]) -> list[object]:
        """One entry per argument; keywords on axis 0 unless in_axes or kw_axes names them."""
        if isinstance(self.in_axes, dict):
            return axes.entries_for_arguments(self.in_axes, [*given, *keywords])
        if isinstance(self.kw_axes, dict):
            named = [self.kw_axes.get(name, 0) for name in keywords]
        else:
            named = [self.kw_axes for _ in keywords]
        return [*axes.entries_for_arguments(self.in_axes, given), *named]


class FirstArgument(Lanes):
    """The mode of pandas' ``apply`` and ``map``: rows come first, all else is as it is given."""

    def __init__(self) -> None:
        super().__init__(0, None)

    def read(self, args: Sequence[object], kwargs: Mapping[str, object], names: Names) -> Arguments:
        read = super().read(args, kwargs, names)
        read.labels.as_pandas = True
        return read

    def maps(self, name: str, position: int | None, count: int) -> bool:
        return position == 0

    def entries(self, given: Sequence[str], keywords: list[str]) -> list[object]:
        return [0, *(None for _ in [*given[1:], *keywords])]


@dataclass(slots=True)
class _Leaf:
    """A mapped leaf: lanes first; `objects` where a pandas column's samples are pandas' own."""

    array: Array
    objects: Callable[[], Array] | None = None

    def samples(self) -> Sequence[object]:
        shown = self.array if self.objects is None else self.objects()
        return scalars(shown) if shown.ndim == 1 else list(shown)


def _item(
    value: object,
    entry: Any,
    name: str,
    labels: Labels,
    sizes: list[tuple[Named, int]],
    names: Names,
) -> Item:
    if is_frame(value) and axes.is_axis(entry) and entry == 0:
        made = frame_item(value, name, labels, names.columns(name))
        sizes.append((Named(name, made.shape), 0))
        return made
    if is_frame(value):
        value = {column: value[column] for column in value}  # type: ignore[attr-defined, index]
    if axes.is_axis(entry):
        value = _lists_to_arrays(value)
    flat_axes = axes.leaf_axes(entry, value, "in_axes")
    return _tree(value, flat_axes, name, labels, sizes)


def _tree(
    value: Any,
    flat_axes: Iterator[int | None],
    name: str,
    labels: Labels,
    sizes: list[tuple[Named, int]],
) -> Item:
    """The item of an argument, a table where it is a structure with a mapped leaf."""
    node = tree.children(value)
    if node is None:
        axis = next(flat_axes)
        if axis is None:
            return Uniform(value)
        leaf = _leaf(value, axis, name, labels, sizes)
        if leaf.array.dtype.names:
            return record_table(name, leaf.array)
        return _column(name, leaf)
    parts: dict[Any, Item] = {}
    for key, child, step in zip(keys_of(value), node.values, node.paths, strict=True):
        parts[key] = _tree(child, flat_axes, name + step, labels, sizes)
    if not any(isinstance(part, Column) for part in parts.values()):
        return Uniform(value)
    return table(name, kind_of(value), parts, value)


def _lists_to_arrays(value: Any) -> Any:
    """Lists of scalars are arrays, also as columns of a dict."""
    if type(value) is dict:
        return {key: _lists_to_arrays(column) for key, column in value.items()}
    scalar = (bool, int, float, complex, str, np.generic)
    if type(value) is list and value and all(isinstance(v, scalar) for v in value):
        return array_of(value)
    return value


def _leaf(
    value: Any, axis: int, name: str, labels: Labels, sizes: list[tuple[Named, int]]
) -> _Leaf:
    if value is None or callable(value) or isinstance(value, (str, bytes)):
        raise TypeError(
            f"vmap cannot map over argument {name} of type {type(value).__name__}; "
            "give it in_axes None"
        )
    objects = None
    if is_series(value):
        labels.add(f"argument {name}", value)
        array, objects = series_arrays(value)
    else:
        array = plain(np.asarray(value))
    named = Named(name, array.shape)
    axes.mapped_size(named, axis)
    sizes.append((named, axis))
    return _Leaf(array if axis == 0 else np.moveaxis(array, axis, 0), objects)


def _column(name: str, leaf: object) -> Column:
    assert isinstance(leaf, _Leaf)
    if leaf.array.ndim == 1:
        return array_column(name, leaf.array, leaf.objects)
    rank = leaf.array.ndim - 1
    return Column(name, leaf.array, leaf.array.shape[:1], lambda _: leaf.samples(), rank)
