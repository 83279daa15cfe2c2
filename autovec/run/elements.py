"""np.vectorize's reading of a call: arrays of any shapes that broadcast, scalars uniform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, Literal

import numpy as np

from autovec import axes, tree
from autovec.axes import Named, Signature
from autovec.program.facts import Uniform
from autovec.run.columns import (
    Array,
    Column,
    Item,
    Shape,
    array_column,
    array_of,
    plain,
    scalars,
)
from autovec.run.frames import frame_item
from autovec.run.labels import Labels, is_frame, is_series, series_arrays
from autovec.run.prepare import Arguments, Names
from autovec.run.subclasses import Subclasses
from autovec.run.tables import keys_of, kind_of, record_table, table


class Elements:
    """The mode of ``vectorize``: `excluded` arguments are uniform whatever they are."""

    layout: Literal["broadcast", "lanes"] = "broadcast"

    def __init__(self, excluded: frozenset[str | int], signature: Signature | None) -> None:
        self.excluded = excluded
        self.signature = signature
        self.cores = signature is not None and not signature.scalar
        if self.cores:
            self.layout = "lanes"

    def read(self, args: Sequence[object], kwargs: Mapping[str, object], names: Names) -> Arguments:
        read = Arguments([], {}, Labels())
        mapped: list[tuple[str, Item]] = []
        kinds = Subclasses()

        def item(value: object, name: str, position: int | None) -> Item:
            if not self.maps(name, position, len(names.order) or len(args)):
                return Uniform(value)
            first = (names.order.get(name, -1) if position is None else position) == 0
            made = table_item(value, name, names, read.labels, first)
            if made is None:
                made = _item(value, name, read.labels, kinds)
            mapped.append((name, made))
            return made

        read.positional = [
            item(value, name, i)
            for i, (value, name) in enumerate(zip(args, names.given, strict=True))
        ]
        read.keywords = {
            name: item(value, name, names.order.get(name)) for name, value in kwargs.items()
        }
        read.wrap = kinds.wrap if kinds else None
        if self.cores:
            self._read_cores(read, mapped)
            return read
        if self.signature is not None:
            shapes = [Named(name, ()) for name, _ in mapped]
            axes.loop_shape(shapes, self.signature, {})
        read.plain = not mapped
        columns = [made for _, made in mapped if isinstance(made, Column)]
        if mapped and not columns:
            read.promoted = True
            columns = _promote(read, mapped)
        elif columns:
            plain = {id(made): _plain(made) for _, made in mapped if isinstance(made, Uniform)}
            read.positional = [plain.get(id(made), made) for made in read.positional]
            read.keywords = {k: plain.get(id(made), made) for k, made in read.keywords.items()}
        read.shape = axes.broadcast([Named(c.name, c.shape) for c in columns])
        return read

    def maps(self, name: str, position: int | None, count: int) -> bool:
        if not self.excluded:
            return True
        if name in self.excluded:
            return False
        return position is None or self.excluded.isdisjoint({position, position - count})

    def _read_cores(self, read: Arguments, mapped: Sequence[tuple[str, Item]]) -> None:
        """Split the axes of each argument into loop and core dimensions."""
        assert self.signature is not None
        shapes = [
            Named(name, item.shape if isinstance(item, Column) else ()) for name, item in mapped
        ]
        read.shape = axes.loop_shape(shapes, self.signature, read.sizes)
        read.flat = True
        for (_, item), core in zip(mapped, self.signature.inputs, strict=True):
            if isinstance(item, Column) and item.array is not None:
                _make_core(item, item.array, len(core), read.shape)


def _make_core(column: Column, array: Array, rank: int, shape: Shape) -> None:
    """Let a column's samples be arrays of its last `rank` axes, its lanes be on one axis."""
    core = array.shape[array.ndim - rank :]
    spread = array if array.shape == shape + core else np.broadcast_to(array, shape + core)
    rows = spread.reshape((int(np.prod(shape)), *core))

    def samples(shape: Shape) -> Sequence[object]:
        # views that a function may store into, as in the loop
        if not rank:
            return scalars(rows)
        return [spread[index] for index in np.ndindex(*shape)]

    column.shape = rows.shape[:1]
    column.array = rows
    column.rank = rank
    column.samples = samples


def table_item(value: Any, name: str, names: Names, labels: Labels, first: bool) -> Item | None:
    """The rows of a table, where an argument is one; a dict of arrays is, as the first argument.

    Anywhere else a dict is a container that all samples share.
    """
    if is_frame(value):
        if not names.rows(name, value):
            return None
        return frame_item(value, name, labels, names.columns(name))
    if isinstance(value, np.ndarray) and value.dtype.names and value.ndim:
        return record_table(name, np.asarray(value))
    structure = type(value) is dict or tree.is_namedtuple(value) or is_dataclass(value)
    if not first or not structure or isinstance(value, type):
        return None
    parts = {
        key: _part(part, f"{name}{step}", labels)
        for key, part, step in zip(keys_of(value), *_children(value), strict=True)
    }
    if not any(isinstance(part, Column) for part in parts.values()):
        return None
    made = table(name, kind_of(value), parts, value)
    made.shape = axes.broadcast([Named(c.name, c.shape) for c in made.columns()])
    return made


def _children(value: Any) -> tuple[tuple[object, ...], tuple[str, ...]]:
    node = tree.children(value)
    assert node is not None
    return node.values, node.paths


def _part(value: Any, name: str, labels: Labels) -> Item:
    """A column of a structure: arrays and Series vary, lists and tables do not."""
    if is_series(value):
        return _item(value, name, labels, Subclasses())
    if isinstance(value, np.ndarray) and value.ndim:
        if value.dtype.names:
            return record_table(name, np.asarray(value))
        return array_column(name, plain(value))
    return Uniform(value)


def _item(value: object, name: str, labels: Labels, kinds: Subclasses) -> Item:
    if is_series(value):
        labels.add(f"argument {name}", value)
        return array_column(name, *series_arrays(value))
    array = array_of(value, name)
    if array is not None and array.ndim == 0:
        return _Whole(array[()]) if not isinstance(value, np.generic) else Uniform(array[()])
    if array is not None:
        if isinstance(value, np.ndarray) and type(value) is not np.ndarray:
            kinds.add(value)
        return array_column(name, array)
    return Uniform(value)


class _Whole(Uniform):
    """An array without axes."""


def _plain(item: Uniform) -> Uniform:
    """Beside arrays, an array without axes is a Python scalar, and so is NumPy's int, bool or text.

    NumPy's own float stays strong: its operators give the inf and nan of departure 1.
    """
    value: Any = item.value
    kinds: tuple[type[np.generic], ...] = (np.int64, np.bool, np.str_)
    if isinstance(item, _Whole):
        kinds = (*kinds, np.float64, np.complex128)
    if isinstance(value, np.generic) and isinstance(value, kinds):
        return Uniform(value.item())
    return item


# ------------------------------------------------------------------ only scalars


def _promote(read: Arguments, mapped: Sequence[tuple[str, Item]]) -> list[Column]:
    """Make one lane of a call with scalars only, so that it agrees with the call on arrays.

    NumPy's scalars become columns; where there is none, Python's numbers; else texts.
    """
    names = {id(item): name for name, item in mapped}
    values = [item.value for _, item in mapped if isinstance(item, Uniform)]
    for kinds in (np.generic, (int, float, complex), (str, bytes)):
        if any(isinstance(value, kinds) for value in values):
            break
    else:
        return []
    columns = []

    def promoted(item: Item) -> Item:
        if not isinstance(item, Uniform) or id(item) not in names:
            return item
        array = np.asarray(item.value).reshape(1) if isinstance(item.value, kinds) else None
        if array is None or array.dtype.kind not in "biufcUSMm":
            return item
        if array.dtype.kind == "u" and isinstance(item.value, int):
            return item  # a Python int beyond int64 keeps its exact arithmetic
        columns.append(array_column(names[id(item)], array))
        return columns[-1]

    read.positional = list(map(promoted, read.positional))
    read.keywords = {name: promoted(item) for name, item in read.keywords.items()}
    return columns
