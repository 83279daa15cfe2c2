"""When a batch raises: the exception that the loop would have raised, or the loop's results.

The batched function is run on ever smaller slices until one lane raises alone, always the lower
half first, so that the lowest failing lane is found in as many runs as a number has digits. That
lane is then given to the user's own function, whose traceback names the user's own line.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autovec import tree
from autovec.ops import prelude
from autovec.run.columns import Column, Shape
from autovec.run.loop import note_lane
from autovec.run.prepare import Call
from autovec.run.tables import cut, passed

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


def in_chunks(run: Run, call: Call, size: int) -> Any:
    """The results of all lanes, run for at most so many at a time."""
    lanes = _Lanes(call)
    starts = range(0, call.size, size)
    return _joined([run(*lanes.part(k, min(k + size, call.size))) for k in starts], call.shape)


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

    def part(self, low: int, high: int) -> tuple[list[object], dict[str, object]]:
        return self._arguments(lambda column: passed(cut(column, self._shape, low, high)))

    def sample(self, lane: int) -> tuple[list[object], dict[str, object]]:
        def one(column: Column) -> object:
            made = cut(column, self._shape, lane, lane + 1)
            assert isinstance(made, Column)
            return made.samples((1,))[0]

        return self._arguments(one)

    def _arguments(
        self, take: Callable[[Column], object]
    ) -> tuple[list[object], dict[str, object]]:
        values = [
            take(item) if isinstance(item, Column) else getattr(item, "value", None)
            for item in self._items
        ]
        return values[: self._split], dict(zip(self._names, values[self._split :], strict=True))


_NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|True|False)")
_BOOLS = {"True": 1.0, "False": 0.0}


def _alike(one: str, other: str) -> bool:
    """Are two messages the same, an integer here for an equal float or bool there?

    A batch holds an integer as a float where other lanes hold floats.

    >>> _alike("x is 3", "x is 3.0"), _alike("x is 3", "x is 4"), _alike("x is 3", "y is 3.0")
    (True, False, False)
    """
    if one == other:
        return True
    a, b = _NUMBER.split(one), _NUMBER.split(other)
    if a[::2] != b[::2] or len(a) != len(b):
        return False
    pairs = zip(a[1::2], b[1::2], strict=True)
    return all(float(_BOOLS.get(x, x)) == float(_BOOLS.get(y, y)) for x, y in pairs)


def _located(
    error: Exception, call: Call, lane: int, args: list[object], keywords: dict[str, object]
) -> Exception:
    """The same exception as the user's own function raises it, with a note that names the lane."""
    try:
        with np.errstate(all="ignore"):  # the batch has warned already
            call.function(*args, **keywords)
    except Exception as own:
        # Where the departures from Python make the two differ, the batched function is right.
        # Of a look-up that fails there is only one kind, but NumPy has its own words, and counts a
        # batch's axes with the lanes.
        counted = isinstance(error, ValueError) and any(c.core for c in call.columns)
        same = isinstance(error, LookupError) or counted or _alike(str(own), str(error))
        kind = type(own) is type(error)
        if (kind and same) or not (departs(own) or (kind and stated(own))):
            error = own
    else:
        if isinstance(error, OverflowError):
            return OverflowError(prelude.OVERFLOW)  # in NumPy's words, such as for 2**70
    note_lane(error, call, lane, args, keywords)
    return error


#: what Python says of the domain of a function of `math`, in all its versions
_DOMAIN = ("math domain error", "expected a ")


def departs(error: Exception) -> bool:
    """May the law have a number where Python raises this?

    Of two operations that fail in one lane a batch may do the second first, so that it raises
    otherwise than Python; that tells nothing of the law.

    >>> def raised(act):
    ...     try:
    ...         act()
    ...     except Exception as error:
    ...         return error
    >>> departs(raised(lambda: 1.0 / 0.0)), departs(raised(lambda: int("one")))
    (True, False)
    """
    if stated(error):
        return False
    if isinstance(error, ZeroDivisionError):
        return not str(error).startswith("integer")
    if isinstance(error, ValueError):
        return str(error).startswith(_DOMAIN)
    return isinstance(error, ArithmeticError) or "complex" in str(error)


def stated(error: Exception) -> bool:
    """Was it raised by a statement, and not by an operation?"""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    return dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"


def _joined(pieces: Sequence[Any], shape: Shape) -> Any:
    """The results of consecutive parts as those of the whole."""
    columns = zip(*map(tree.leaves, pieces), strict=True)
    return tree.unflatten(pieces[0], [_whole(c, shape) for c in columns])


def _whole(parts: Sequence[Any], shape: Shape) -> Any:
    joined = np.concatenate(parts)
    return joined.reshape(shape + joined.shape[1:])
