"""Rows as the loop's function sees them: of a dict of arrays, of a DataFrame.

A row of a DataFrame answers like the Series that ``df.apply(f, axis=1)`` passes, but each value
keeps the type of its column.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autovec import tree


class Row(dict[str, object]):
    """One sample of a dict of arrays: ``row["price"]`` and ``row.price``.

    >>> Row(price=2.5).price
    2.5
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> object:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class FrameRow:
    """One row of a DataFrame: a Series of objects, made only where more is asked than its values.

    >>> row = FrameRow({"price": 2.5, "n": 3}, "first")
    >>> row["price"] * row.n, row.name, [*row], "n" in row, row.get("zone", "local")
    (7.5, 'first', [2.5, 3], True, 'local')
    """

    __slots__ = ("_label", "_values")

    def __init__(self, values: dict[Any, Any], label: object = None) -> None:
        self._values = values
        self._label = label

    @property
    def name(self) -> object:
        """The row's label in the index."""
        return self._label

    def series(self) -> Any:
        """The row as the Series of objects that it stands for."""
        pandas = sys.modules["pandas"]
        names = pandas.Index(list(self._values))
        return pandas.Series(
            list(self._values.values()), index=names, name=self._label, dtype=object
        )

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (str, int)) or type(key) is tuple:
            return self._values[key]
        if type(key) is list and all(name in self._values for name in key):
            return FrameRow({name: self._values[name] for name in key}, self._label)
        return self.series()[key]

    def __setitem__(self, key: Any, value: object) -> None:
        if not isinstance(key, (str, int, tuple)):
            raise TypeError(f"a row has no column {key!r} to be stored into")
        self._values[key] = value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        pandas = sys.modules.get("pandas")
        if name in self._values and not hasattr(getattr(pandas, "Series", None), name):
            return self._values[name]
        return getattr(self.series(), name)

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values.values())

    def __len__(self) -> int:
        return len(self._values)

    def __bool__(self) -> bool:
        return bool(self.series())  # the ValueError of a Series

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a column, or something else where there is no such column."""
        return self._values.get(key, default)

    def keys(self) -> Any:
        """The names of the columns."""
        return self._values.keys()

    def items(self) -> Any:
        """The names of the columns with the values."""
        return self._values.items()

    def to_dict(self) -> dict[Any, Any]:
        """The values by column."""
        return dict(self._values)

    def copy(self) -> FrameRow:
        """A row of its own."""
        return FrameRow(dict(self._values), self._label)

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={value!r}" for key, value in self._values.items())
        return f"<row {self._label!r}: {shown}>"


class RecordRow:
    """One row of a structured array: a NumPy record whose fields are Python's own scalars.

    >>> import numpy as np
    >>> row = RecordRow([2.5, 3], np.array([(2.5, 3)], [("x", float), ("n", int)])[0])
    >>> row["n"], row[0], [*row], row.dtype.names
    (3, 2.5, [2.5, 3], ('x', 'n'))
    """

    __slots__ = ("_record", "_values")

    def __init__(self, values: list[Any], record: Any) -> None:
        self._values = values
        self._record = record

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str) and key in self._record.dtype.names:
            return self._values[self._record.dtype.names.index(key)]
        if type(key) is list:
            return RecordRow([self[name] for name in key], self._record[key])
        return self._values[key] if isinstance(key, int) else self._record[key]

    def __setitem__(self, key: Any, value: object) -> None:
        self._record[key] = value
        self._values[:] = list(self._record)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._record, name)
        return self[name] if name in (self._record.dtype.names or ()) else found

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> Any:
        return self._record == (other._record if isinstance(other, RecordRow) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._record)


def _operator(name: str) -> Any:
    def apply(self: FrameRow, *others: Any) -> Any:
        plain = [o.series() if isinstance(o, FrameRow) else o for o in others]
        return getattr(self.series(), name)(*plain)

    return apply


_OPERATORS = (
    "add radd sub rsub mul rmul truediv rtruediv floordiv mod pow eq ne lt le gt ge neg abs and or "
    "invert"
)
for _name in _OPERATORS.split():
    setattr(FrameRow, f"__{_name}__", _operator(f"__{_name}__"))
FrameRow.__hash__ = None  # type: ignore[assignment]  # as a Series


def _of_row(row: FrameRow) -> tuple[Iterable[object], object]:
    return row._values.values(), tuple(row._values)


def _batch_of_rows(names: Any, values: list[Any]) -> dict[Any, Any]:
    return tree.Frame(zip(names, values, strict=True))


def _batch_of_dicts(names: Any, values: list[Any]) -> dict[Any, Any]:
    return dict(zip(names, values, strict=True))


# A function may return its row, whole or changed: the batch of it is its columns.
tree.register_node(Row, lambda row: (row.values(), tuple(row)), _batch_of_dicts)
tree.register_node(FrameRow, _of_row, _batch_of_rows)


def as_result(value: object) -> object:
    """A sample's result; a Series is a row."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, getattr(pandas, "Series", ())):
        names = list(value.index)  # type: ignore[attr-defined]
        if len(set(names)) == len(names):
            return FrameRow(dict(zip(names, value.tolist(), strict=True)))  # type: ignore[attr-defined]
    return value


def rows(kind: str, names: Sequence[Any], labels: Iterable[Any], columns: Any) -> list[Any]:
    """The samples of a table from those of its columns."""
    lanes = zip(*columns, strict=True)
    if kind == "frame":
        pairs = zip(lanes, labels, strict=True)
        return [FrameRow(dict(zip(names, lane, strict=True)), label) for lane, label in pairs]
    return [Row(zip(names, lane, strict=True)) for lane in lanes]
