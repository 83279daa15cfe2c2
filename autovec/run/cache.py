"""Compiled functions, kept as long as the user's functions live.

The key is the identity of the code object and of its globals, the facts of the arguments and the
options. What a function captures is no part of the key: each specialisation says whether it still
holds (``still_valid``), which tells closures of one factory apart and notices rebound globals.
"""

from __future__ import annotations

import threading
import types
import weakref
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, NamedTuple

from autovec.errors import AutovecError, Problem

if TYPE_CHECKING:
    from autovec.pipeline import Specialisation

#: specialisations kept for one key, as for the closures of one factory
_MOST = 16


class CacheInfo(NamedTuple):
    """What ``cache_info()`` tells, as functools does."""

    hits: int
    misses: int
    currsize: int


class Refusal:
    """Stands for a specialisation where there is none: the whole function runs as a loop."""

    result = None
    quiet = False

    def __init__(self, problem: Problem, error: type[AutovecError]) -> None:
        self.fallbacks = (problem,)
        self._error = error

    def error(self) -> AutovecError:
        """What asking for the text raises; made anew, for a traceback keeps its frames alive."""
        return self._error(str(self.fallbacks[0]))

    def still_valid(self, function: types.FunctionType, arguments: dict[str, object]) -> bool:
        return True

    def bind(self, function: types.FunctionType) -> Callable[..., object]:
        return function


class Entry:
    """A specialisation, its text bound to functions, and the places it has warned of."""

    __slots__ = ("bound", "specialisation", "warned")

    def __init__(self, specialisation: Specialisation | Refusal) -> None:
        self.specialisation = specialisation
        self.warned: set[object] = set()
        self.bound: weakref.WeakKeyDictionary[types.FunctionType, Callable[..., object]] = (
            weakref.WeakKeyDictionary()
        )


class _Slot:
    """All entries of one key; its lock lets one thread compile while others wait."""

    __slots__ = ("entries", "lock")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.lock = threading.RLock()


_Slots = dict[Hashable, _Slot]


class Registry:
    """Entries by function. Holds no function, no code object, no argument."""

    def __init__(self) -> None:
        self._functions: dict[tuple[int, int], _Slots] = {}
        self._lock = threading.Lock()

    def find(
        self,
        function: types.FunctionType,
        key: Hashable,
        arguments: dict[str, object],
        compile_: Callable[[], Specialisation | Refusal],
    ) -> tuple[Entry, bool]:
        """The entry for a call, and whether it was there already."""
        slot = self._slots(function).setdefault(key, _Slot())
        with slot.lock:
            for entry in slot.entries:
                if entry.specialisation.still_valid(function, arguments):
                    return entry, True
            entry = Entry(compile_())
            slot.entries = [*slot.entries[1 - _MOST :], entry]
            return entry, False

    def size(self, function: types.FunctionType) -> int:
        """How many entries there are for a function."""
        slots = self._functions.get(_identity(function), {})
        return sum(len(slot.entries) for slot in list(slots.values()))

    def clear(self, function: types.FunctionType) -> None:
        """Forget a function's entries."""
        self._slots(function).clear()

    def __len__(self) -> int:
        return len(self._functions)

    def _slots(self, function: types.FunctionType) -> _Slots:
        identity = _identity(function)
        with self._lock:
            slots = self._functions.get(identity)
            if slots is None:
                slots = self._functions[identity] = {}
                # The identity may be another function's once this code is gone.
                end = weakref.finalize(function.__code__, self._functions.pop, identity, None)
                end.atexit = False
            return slots


def _identity(function: types.FunctionType) -> tuple[int, int]:
    return id(function.__code__), id(function.__globals__)


REGISTRY = Registry()
