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
    parts: dict[Any, Item] = {
        key: array_column(f"{name}[{key!r}]", *series_arrays(frame[key]))
        if read is None or key in read
        else _unread(f"{name}[{key!r}]", frame[key])
        for key in frame.columns
    }
    index = frame.index
    label = Column(f"{name}.index", None, (len(index),), lambda _: index.tolist())
    if index.nlevels == 1:
        label = array_column(f"{name}.index", *series_arrays(index.to_series()))
    else:
        label.loops = "the index has several levels"
    return table(name, "frame", parts, frame, label)


def _unread(name: str, series: Any) -> Column:
    """A column that no text reads."""

    def samples(shape: Shape) -> Sequence[object]:
        return array_column(name, *series_arrays(series)).samples(shape)

    return Column(name, None, (len(series),), samples, loops="it was not seen to be read")


def _opaque(frame: Any, name: str) -> Column:
    """Rows that only the loop can read: two columns of one name, or none at all."""

    def samples(shape: Shape) -> Sequence[object]:
        objects = frame.astype(object)
        return [row for _, row in objects.iterrows()]

    why = "two of its columns have one name" if len(frame.columns) else "it has no columns"
    return Column(name, None, (len(frame),), samples, loops=why)
