"""When a batch raises: the exception that the loop would have raised, or the loop's results.

The batched function is run on ever smaller slices until one lane raises alone, always the lower
half first, so that the lowest failing lane is found in as many runs as a number has digits. That
lane is then given to the user's own function, whose traceback names the user's own line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autovec import tree
from autovec.ops import prelude
from autovec.run.columns import Array, Column, Shape, scalars
from autovec.run.loop import note_lane
from autovec.run.prepare import Call
from autovec.run.tables import Table, cut, passed

Run = Callable[[Sequence[object], dict[str, object]], Any]


def replay(run: Run, call: Call, error: Exception) -> tuple[Any, Exception | None]:
    """The results of all lanes, or the exception of the lowest lane that raises.

    ``run(args, keywords)`` runs the batched function; `error` is what it raised for all lanes.
    """
    lanes = _Lanes(call)
    pieces: list[Any] = []
    found = _lowest(lambda lo, hi: run(*lanes.part(lo, hi)), 0, call.size, error, pieces)
    if found is None:
        return _joined(pieces, call.shape), None
    lane, problem = found
    return None, _located(problem, call, lane, *lanes.sample(lane))


def outgrown(error: Exception) -> bool:
    """Whether NumPy cannot hold what Python's own operation gives, such as an int beyond int64."""
    return isinstance(error, OverflowError) and str(error) in prelude.BEYOND


def _lowest(
    run: Callable[[int, int], Any], low: int, high: int, error: Exception, pieces: list[Any]
) -> tuple[int, Exception] | None:
    """The first lane of ``[low, high)``, which raised `error` together, that raises alone.

    Results of parts that raise nothing go to `pieces`.
    """
    if high - low == 1:
        return low, error
    middle = (low + high) // 2
    for start, stop in ((low, middle), (middle, high)):
        failed = None
        try:
            pieces.append(run(start, stop))
        except Exception as problem:
            failed = problem
        if failed is not None:
            found = _lowest(run, start, stop, failed, pieces)
            if found is not None:
                return found
    return None


class _Lanes:
    """The arguments of a call with all lanes in one row."""

    def __init__(self, call: Call) -> None:
        self._shape = call.shape
        self._split = len(call.positional)
        self._names = list(call.keywords)
        self._items = [*call.positional, *call.keywords.values()]
        self._flat: list[Array | None] = [
            np.broadcast_to(item.array, call.shape).reshape(-1)
            if isinstance(item, Column) and item.array is not None
            else None
            for item in self._items
        ]

    def part(self, low: int, high: int) -> tuple[list[object], dict[str, object]]:
        def whole(table: Table) -> object:
            return passed(cut(table, self._shape, low, high))

        return self._arguments(lambda flat: flat[low:high], whole)

    def sample(self, lane: int) -> tuple[list[object], dict[str, object]]:
        def row(table: Table) -> object:
            one = cut(table, self._shape, lane, lane + 1)
            assert isinstance(one, Table)
            return one.samples((1,))[0]

        return self._arguments(lambda flat: scalars(flat[lane : lane + 1])[0], row)

    def _arguments(
        self, take: Callable[[Array], object], rows: Callable[[Table], object]
    ) -> tuple[list[object], dict[str, object]]:
        values = [
            rows(item)
            if isinstance(item, Table)
            else take(flat)
            if flat is not None
            else getattr(item, "value", None)
            for item, flat in zip(self._items, self._flat, strict=True)
        ]
        return values[: self._split], dict(zip(self._names, values[self._split :], strict=True))


def _located(
    error: Exception, call: Call, lane: int, args: list[object], keywords: dict[str, object]
) -> Exception:
    """The same exception as the user's own function raises it, with a note that names the lane."""
    try:
        with np.errstate(all="ignore"):  # the batch has warned already
            call.function(*args, **keywords)
    except Exception as own:
        # Where the departures from Python make the two differ, the batched function is right.
        if type(own) is type(error) and str(own) == str(error):
            error = own
    else:
        if isinstance(error, OverflowError):
            return OverflowError(prelude.OVERFLOW)  # in NumPy's words, such as for 2**70
    note_lane(error, call, lane, args, keywords)
    return error


def _joined(pieces: Sequence[Any], shape: Shape) -> Any:
    """The results of consecutive parts as those of the whole."""
    columns = zip(*map(tree.leaves, pieces), strict=True)
    return tree.unflatten(pieces[0], [np.concatenate(c).reshape(shape) for c in columns])
