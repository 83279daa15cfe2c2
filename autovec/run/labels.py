"""pandas objects in a call: columns out of Series, Series out of results.

pandas is never imported here: its objects can only be passed where it already is.
"""

from __future__ import annotations

import sys
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


def series_arrays(series: Any) -> tuple[Array, Array | None]:
    """The array of a Series, and its samples where they are pandas' own objects (Timestamp)."""
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        if dtype.kind in "mM":
            objects = np.empty(len(series), dtype=object)
            objects[:] = list(series)
            return series.to_numpy(), objects
        return plain(series.to_numpy()), None
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

    def add(self, argument: str, value: Any) -> None:
        """Note a Series or DataFrame; refuse one whose index differs."""
        if self._first is None:
            self._first, self._index = argument, value.index
        elif self._index is not value.index and not self._index.equals(value.index):
            raise DifferentIndexes(
                f"the indexes of {self._first} and {argument} differ, and nothing is aligned: "
                "pass .to_numpy(), or reindex first"
            )
        if is_series(value):
            self._names.append(value.name)

    def wrap(self, result: Any) -> Any:
        """The result with each array of one value per row as a Series."""
        if self._first is None:
            return result
        return tree.map_leaves(self._series, result)

    def _series(self, leaf: object) -> object:
        if not isinstance(leaf, np.ndarray) or leaf.shape != (len(self._index),):
            return leaf
        name = self._names[0] if self._names else None
        if any(other != name for other in self._names):
            name = None
        return sys.modules["pandas"].Series(leaf, index=self._index, name=name)
