"""A vectoriser that is right by construction: the loop itself, with each leaf's dtype from every
path.

It is what the tools are tested with; a broken variant of it is what they must find.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.results import children, columns, leaf_dtype, leaves, rebuild
from tests.oracle.samples import lanes_of, run
from tests.oracle.scalars import plain


class Reference:
    """`Reference(f, in_axes)(*args)` runs the loop; `emit` has no loop to show and says so."""

    def __init__(self, f: Callable[..., Any], in_axes: Any = None) -> None:
        self.f = f
        self.in_axes = in_axes
        self.dtypes: dict[Any, Any] = {}

    def __call__(self, *args: Any, **kw: Any) -> Any:
        lanes, shape = lanes_of(args, kw, self.in_axes)
        done = run(self.f, lanes, shape)
        if done.error:
            error = done.error[1]
            try:
                clean = type(error)(*map(plain, error.args))
            except TypeError:
                clean = error
            raise clean
        pattern, table = self._learn(lanes, args, kw)
        for path in table:
            if lanes:
                table[path] = [dict(leaves(v))[path] for v in done.values]

        def leaf(path: Any) -> Any:
            dtype = self.dtypes[path]
            if dtype is None:
                return None
            values = [np.nan if v is None else v for v in table[path]] if lanes else []
            with np.errstate(all="ignore"):
                return np.array(values, dtype).reshape(shape)

        return rebuild(pattern, leaf)

    def _learn(self, lanes: list[Any], args: Any, kw: Any) -> Any:
        """The structure and the dtypes, from random walks through every path."""
        if not lanes:
            grown = tuple(np.ones(3, a.dtype) if isinstance(a, np.ndarray) else a for a in args)
            more = {
                k: np.ones(3, v.dtype) if isinstance(v, np.ndarray) else v for k, v in kw.items()
            }
            lanes, _ = lanes_of(grown, more, self.in_axes)
        values = []
        for seed in range(0 if self.dtypes else 80):
            out = run(self.f, lanes[seed % len(lanes) :][:1], explore=seed).outcomes[0]
            if out.error is None:
                values.append(out.value)
        if not values and not self.dtypes:  # every walk raised
            values = [out.value for out in run(self.f, lanes).outcomes if out.error is None]
        if values:
            structured = [v for v in values if children(v) is not None] or values
            self.pattern, found = columns(structured)
            self.dtypes = {path: leaf_dtype(v) for path, v in found.items()}
        return self.pattern, {path: [] for path in self.dtypes}
