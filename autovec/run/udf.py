"""pandas' engine protocol: ``df.apply(f, axis=1, engine=autovec.vectorize)``, and ``Series.map``.

pandas 3 hands a call of ``apply`` or ``map`` to the ``__pandas_udf__`` of its engine.
The results are those of pandas' own loop: a Series of what the function
returns, a DataFrame where it returns a Series or its row.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autovec.run.engine import Fallback
    from autovec.run.vectorized import Vectorized


class Udf:
    """The engine with some options of :func:`autovec.vectorize`."""

    def __init__(
        self, fallback: Fallback = "warn", exact: bool = False, name: str | None = None
    ) -> None:
        self._options = (fallback, exact, name)

    def apply(
        self,
        data: Any,
        func: Any,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        decorator: object,
        axis: object,
    ) -> Any:
        """``df.apply(func, axis, args=args, **kwargs)``; an array where it was called ``raw``."""
        rows = axis in (1, "columns")
        if not isinstance(data, _pandas("DataFrame")):
            made = self._vectorized(func)(data if rows else data.T, *args, **kwargs)
            return _array(made) if rows else _array(made).T
        if not rows or not callable(func):
            # A function of a whole column is NumPy's business already.
            return data.apply(func, axis=axis, args=args, **kwargs)
        return self._vectorized(func)(data, *args, **kwargs)

    def map(
        self,
        data: Any,
        func: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        decorator: object,
        skip_na: bool,
    ) -> Any:
        """``series.map(func, **kwargs)``; missing values are left as they are where asked."""
        each = self._vectorized(func)
        if not skip_na:
            return each(data, *args, **kwargs)
        missing = data.isna().to_numpy()
        if not missing.any():
            return each(data, *args, **kwargs)
        return _around(each(data[~missing], *args, **kwargs), data, missing)

    def _vectorized(self, func: Any) -> Vectorized:
        from autovec.run.engine import Engine, Settings
        from autovec.run.lanes import FirstArgument
        from autovec.run.outputs import LaneOutputs
        from autovec.run.target import resolve
        from autovec.run.vectorized import Vectorized

        if isinstance(func, Vectorized):
            func = func.__wrapped__
        base = getattr(sys.modules.get("pandas.api.executors"), "BaseExecutionEngine", None)
        if base is not None and not issubclass(Udf, base):
            base.register(Udf)
        engine = Engine(resolve(func), FirstArgument(), LaneOutputs(0), Settings(*self._options))
        return Vectorized(func, engine, None, (Udf, {}))


def _pandas(name: str) -> Any:
    return getattr(sys.modules.get("pandas"), name, ())


def _array(made: Any) -> Any:
    """The results of a function of whole arrays, as np.apply_along_axis lays them out."""
    import numpy as np

    from autovec import tree

    parts = tree.leaves(made)
    return parts[0] if len(parts) == 1 else np.stack(parts, axis=-1)


def _around(some: Any, data: Any, missing: Any) -> Any:
    """The results of the values that are there, between those that are missing."""
    import numpy as np

    values = some.to_numpy()
    number = values.dtype.kind in "iuf"
    made = np.full(len(data), np.nan, np.result_type(values, float) if number else object)
    if not number:
        made[missing] = data[missing].to_numpy(dtype=object)
    made[~missing] = values
    whole = _pandas("Series")(made, index=data.index, name=data.name)
    return whole.infer_objects() if made.dtype == object else whole
