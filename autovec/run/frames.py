"""DataFrames as tables of rows.

pandas is never imported here: its objects can only be passed where it already is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autovec.run.columns import Column, Item, Shape, array_column
from autovec.run.labels import Labels, series_arrays
from autovec.run.tables import table


def frame_item(
    frame: Any, name: str, labels: Labels, read: frozenset[object] | None = None
) -> Column:
    """The rows of a DataFrame, each column in its own dtype.

    Columns that are not among those `read` are converted only if a loop wants them.
    """
    labels.add(f"argument {name}", frame)
    if not frame.columns.is_unique or not len(frame.columns):
        return _opaque(frame, name)
    if read is not None and read.isdisjoint(frame.columns):
        read |= {cheapest(frame)}  # one tells how many rows there are
    parts: dict[Any, Item] = {
        key: series_column(f"{name}[{key!r}]", frame[key])
        if read is None or key in read
        else _unread(f"{name}[{key!r}]", frame[key])
        for key in frame.columns
    }
    index = frame.index
    label = Column(f"{name}.index", None, (len(index),), lambda _: index.tolist())
    if index.nlevels > 1:
        label.loops = "the index has several levels"
    elif read is None or "name" in read:
        label = series_column(f"{name}.index", index.to_series())
    else:
        label.loops = "it was not seen to be read"
    return table(name, "frame", parts, frame, label)


def cheapest(frame: Any) -> Any:
    """A column of numbers, or the first."""
    kinds = [getattr(dtype, "kind", "O") for dtype in frame.dtypes]
    return frame.columns[next((k for k, kind in enumerate(kinds) if kind in "biuf"), 0)]


def series_column(name: str, series: Any) -> Column:
    """The column of a Series; pandas holds no NumPy texts, so those are made here, and clean."""
    array, objects = series_arrays(series)
    return array_column(name, array, objects, clean=True)


def _unread(name: str, series: Any) -> Column:
    """A column that no text reads."""

    def samples(shape: Shape) -> Sequence[object]:
        return series_column(name, series).samples(shape)

    return Column(name, None, (len(series),), samples, loops="it was not seen to be read")


def _opaque(frame: Any, name: str) -> Column:
    """Rows that only the loop can read: two columns of one name, or none at all."""

    def samples(shape: Shape) -> Sequence[object]:
        objects = frame.astype(object)
        return [row for _, row in objects.iterrows()]

    why = "two of its columns have one name" if len(frame.columns) else "it has no columns"
    return Column(name, None, (len(frame),), samples, loops=why)
