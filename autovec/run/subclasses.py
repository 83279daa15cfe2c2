"""Arguments that are subclasses of ndarray, as np.vectorize treats them: the results are alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from autovec.run.columns import Array


class Subclasses:
    """The subclass arguments of one call; emitted text runs on their plain arrays."""

    def __init__(self) -> None:
        self._arrays: list[Any] = []

    def __bool__(self) -> bool:
        return bool(self._arrays)

    def add(self, array: Array) -> None:
        self._arrays.append(array)

    def wrap(self, result: object) -> object:
        """A result array as the kind of the argument with the highest priority.

        Of masked arrays the masks are united, as a ufunc does.

        >>> kinds = Subclasses()
        >>> kinds.add(np.ma.array([1.0, 2.0], mask=[False, True]))
        >>> kinds.wrap(np.array([3.0, 4.0]))
        masked_array(data=[3.0, --],
                     mask=[False,  True],
               fill_value=1e+20)
        """
        if not isinstance(result, np.ndarray):
            return result
        masked = [a for a in self._arrays if isinstance(a, np.ma.MaskedArray)]
        if masked:
            mask = np.zeros(result.shape, dtype=bool)
            for array in masked:
                mask |= np.ma.getmaskarray(array)
            return np.ma.MaskedArray(result, mask=mask)
        return max(self._arrays, key=_priority).__array_wrap__(result, None, False)


def _priority(array: Any) -> float:
    return float(array.__array_priority__)
