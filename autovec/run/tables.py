"""Tables as arguments: a DataFrame, a dict, tuple or dataclass of arrays, a structured array.

A table is a column of rows, made of the columns that it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from typing import Any

import numpy as np

from autovec import tree
from autovec.program.facts import OBJECT, Opaque, Rows, Uniform, Varying
from autovec.run.columns import Array, Column, Item, Shape, array_column, on_one_axis, plain
from autovec.run.samplerows import RecordRow, rows


@dataclass(slots=True, eq=False)
class Table(Column):
    """An argument whose sample is a row, or another structure, of samples of its parts.

    `kind` and `cls` are those of its facts, `like` is the argument itself; `label` has the labels
    of a DataFrame's index.
    """

    kind: str = "dict"
    cls: Any = None
    parts: dict[Any, Item] = field(default_factory=dict)
    like: Any = None
    label: Column | None = None

    def columns(self) -> Iterator[Column]:
        """The columns that the table is made of, those of tables in it included."""
        for part in self.parts.values():
            if isinstance(part, Table):
                yield from part.columns()
            elif isinstance(part, Column):
                yield part


def table(
    name: str, kind: str, parts: Mapping[Any, Item], like: Any, label: Column | None = None
) -> Table:
    """The table of these parts, at least one of which varies; all have the first one's lanes."""
    made = Table(
        name,
        None,
        (),
        lambda _: [],
        kind=kind,
        cls=type(like),
        parts={**parts},
        like=like,
        label=label,
    )
    made.shape = next(made.columns()).shape
    made.samples = lambda shape: samples_of(made, shape)
    return made


def kind_of(value: object) -> str:
    """Whose manners a sample of a structure has."""
    if isinstance(value, Mapping):
        return "dict"
    if tree.is_namedtuple(value) or is_dataclass(value):
        return "fields"
    if type(value) in (tuple, list):
        return type(value).__name__
    return "tree"  # a node that the user has registered


def keys_of(value: Any) -> Sequence[Any]:
    """The names of a structure's parts: keys, fields, positions."""
    node = tree.children(value)
    assert node is not None
    if isinstance(value, Mapping):
        return list(value)
    return node.keys if kind_of(value) == "fields" else range(len(node.values))


def samples_of(made: Table, shape: Shape) -> Sequence[object]:
    """The rows of all lanes, in order."""
    size = int(np.prod(shape))
    columns = [
        part.samples(shape) if isinstance(part, Column) else [part.value] * size
        for part in made.parts.values()
    ]
    if made.kind == "record":
        records = made.like.reshape(-1) if made.like.shape == shape else _flat(made.like, shape)
        return [
            RecordRow([*lane], record)
            for lane, record in zip(zip(*columns, strict=True), records, strict=True)
        ]
    if made.kind in ("dict", "frame"):
        labels = [None] * size if made.label is None else made.label.samples(shape)
        return rows(made.kind, [*made.parts], labels, columns)
    node = tree.children(made.like)
    assert node is not None
    return [node.rebuild(list(lane)) for lane in zip(*columns, strict=True)]


class Columns(dict[Any, Any]):
    """What emitted text gets for a table: its arrays by name, and those of its index."""

    index: Any = None


def passed(item: Item) -> Any:
    """What emitted text gets for an item."""
    if not isinstance(item, Table):
        return item.array if isinstance(item, Column) else item.value
    values = {key: passed(part) for key, part in item.parts.items()}
    if item.kind in ("dict", "frame", "record"):
        columns = Columns(values)
        columns.index = None if item.label is None else item.label.array
        return columns
    node = tree.children(item.like)
    assert node is not None
    return node.rebuild(list(values.values()))


def fact_of(item: Item) -> Any:
    """What the compiler is told of an item."""
    if isinstance(item, Uniform):
        return item
    if isinstance(item, Table):
        if item.kind == "tree":
            return Opaque("only the loop can take it apart")
        columns = {key: _column_fact(part) for key, part in item.parts.items()}
        label = None if item.label is None else _column_fact(item.label)
        return Rows(columns, item.kind, item.cls, label)
    return Varying(OBJECT if item.array is None else item.array.dtype, item.core, item.holds)


def _column_fact(item: Item) -> Any:
    """The same of a column in a table, which need not be read."""
    if isinstance(item, Column) and not isinstance(item, Table) and item.loops:
        return Opaque(item.loops)
    return fact_of(item)


def part_key(item: Item, key: Callable[[Item], object]) -> object:
    """What tells tables apart for which other text is needed."""
    if not isinstance(item, Table):
        return key(item)
    parts = tuple((name, part_key(part, key)) for name, part in item.parts.items())
    label = None if item.label is None else key(item.label)
    return ("table", item.kind, item.cls, parts, label)


def lanes_only(item: Item, shape: Shape) -> Iterator[bool]:
    """Whether each of its columns has one axis, that of the lanes."""
    if isinstance(item, Table):
        for column in item.columns():
            yield column.shape == shape and len(shape) == 1
    elif isinstance(item, Column):
        yield item.shape == shape and len(shape) == 1


def cut(item: Item, shape: Shape, low: int, high: int) -> Item:
    """An item for some of the lanes, which are counted along one axis."""
    if isinstance(item, Table):
        if item.kind == "record":
            return record_table(item.name, _flat(item.like, shape)[low:high])
        parts = {key: cut(part, shape, low, high) for key, part in item.parts.items()}
        label = None if item.label is None else cut(item.label, shape, low, high)
        made = table(item.name, item.kind, parts, item.like)
        made.label = label if isinstance(label, Column) else None
        return made
    if not isinstance(item, Column):
        return item
    if item.array is None:
        some = item.samples(shape)[low:high]
        return Column(item.name, None, (high - low,), lambda _: some, item.rank, item.loops)
    if item.rank:
        rows = on_one_axis(item.array, item.rank)[low:high]
        return Column(item.name, rows, (high - low,), lambda _: list(rows), item.rank)
    objects = item.objects
    if objects is not None:
        return array_column(
            item.name,
            _flat(item.array, shape)[low:high],
            lambda: _flat(objects(), shape)[low:high],
        )
    return array_column(item.name, _flat(item.array, shape)[low:high])


def _flat(array: Array, shape: Shape) -> Array:
    if array.shape == (int(np.prod(shape)),):  # its lanes are on one axis already
        return array
    return np.broadcast_to(array, shape).reshape(-1)


def record_table(name: str, array: Array) -> Table:
    """The table that a structured array is.

    >>> points = np.array([(1.0, 2), (3.0, 4)], dtype=[("x", float), ("n", int)])
    >>> record_table("points", points).parts["n"].array
    array([2, 4])
    """
    fields = array.dtype.names or ()
    return table(
        name, "record", {n: _field(f"{name}[{n!r}]", array[n], array) for n in fields}, array
    )


def _field(name: str, array: Array, whole: Array) -> Item:
    if array.dtype.names:
        return record_table(name, array)
    rank = array.ndim - whole.ndim
    if rank:
        each = array.reshape((-1, *array.shape[whole.ndim :]))
        return Column(name, None, whole.shape, lambda _: list(each), rank, "a field is an array")
    return array_column(name, plain(array))
