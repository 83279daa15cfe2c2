"""pandas objects in a call: columns out of Series, Series out of results.

pandas is never imported here: its objects can only be passed where it already is.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from autovec import tree
from autovec.errors import DifferentIndexes
from autovec.run.columns import Array, plain


def is_series(value: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, getattr(pandas, "Series", ()))


def is_frame(value: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, getattr(pandas, "DataFrame", ()))


def series_arrays(series: Any) -> tuple[Array, Callable[[], Array] | None]:
    """The array of a Series, and its samples where they are pandas' own objects (Timestamp)."""
    dtype = series.dtype

    def objects() -> Array:
        made = np.empty(len(series), dtype=object)
        made[:] = list(series)
        return made

    if isinstance(dtype, np.dtype):
        if dtype.kind in "mM":
            return series.to_numpy(), objects
        return plain(series.to_numpy()), None
    if dtype.type is str:
        return plain(series.to_numpy(dtype=object)), None
    categories = getattr(dtype, "categories", None)
    if categories is not None and not series.hasnans:
        return series_arrays(series.astype(categories.dtype))
    stored = getattr(dtype, "numpy_dtype", None)  # of a nullable number
    if isinstance(stored, np.dtype) and stored.kind in "biuf" and not series.hasnans:
        return series.to_numpy(dtype=stored), None
    return plain(series.to_numpy(dtype=object)), None


class Labels:
    """The one index that all labelled arguments of a call share, and the result's name."""

    def __init__(self) -> None:
        self._first: str | None = None
        self._index: Any = None
        self._names: list[object] = []
        self._frame = False
        self.as_pandas = False  # the results of pandas' own loop

    def add(self, argument: str, value: Any) -> None:
        """Note a Series or DataFrame; refuse one whose index differs."""
        if self._first is None:
            self._first, self._index = argument, value.index
        elif self._index is not value.index and not self._index.equals(value.index):
            raise DifferentIndexes(
                f"the indexes of {self._first} and {argument} differ, and nothing is aligned: "
                "pass .to_numpy(), or reindex first"
            )
        self._frame |= is_frame(value)
        if is_series(value):
            self._names.append(value.name)

    def wrap(self, result: Any) -> Any:
        """The result with each array of one value per row as a Series."""
        if self._first is None:
            return result
        if self.as_pandas and type(result) is not tree.Frame:
            return self._objects(result)
        columns = self._columns(result)
        if columns is not None:
            return sys.modules["pandas"].DataFrame(columns, index=self._index)
        return tree.map_leaves(self._series, result)

    def _objects(self, result: Any) -> Any:
        """A Series of what the function returns for each row, structures included."""
        if isinstance(result, np.ndarray) and result.ndim == 1:
            return self._series(result)
        rows = np.empty(len(self._index), dtype=object)
        node = tree.children(result)
        if result is not None and node is not None:
            columns = [leaf.tolist() for leaf in tree.leaves(result)]
            lanes = zip(*columns, strict=True)
            rows[:] = [tree.unflatten(result, lane) for lane in lanes]
        elif result is not None:
            rows[:] = list(result)
        return self._series(rows)

    def _columns(self, result: Any) -> dict[Any, Any] | None:
        """The columns of a result that is a table itself: a dict or namedtuple of rows."""
        if type(result) is tree.Frame or (self._frame and type(result) in (dict, OrderedDict)):
            columns = dict(result)
        elif self._frame and tree.is_namedtuple(result):
            columns = result._asdict()
        else:
            return None
        rows = (len(self._index),)
        flat = all(v is None or getattr(v, "shape", None) == rows for v in columns.values())
        return columns if flat and columns else None

    def _series(self, leaf: object) -> object:
        if not isinstance(leaf, np.ndarray) or leaf.shape != (len(self._index),):
            return leaf
        name = self._names[0] if self._names else None
        if any(other != name for other in self._names):
            name = None
        return sys.modules["pandas"].Series(leaf, index=self._index, name=name)
