"""Faults for the fuzzer of nests to find: what a careless change would do."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from autovec.lift import depend, reading, statements

Fault = Callable[[], AbstractContextManager[Any]]


def _mirrored_never_meet() -> AbstractContextManager[Any]:
    return patch.object(depend, "_mirrored", lambda store, other, common: 1)


def _no_triangle() -> AbstractContextManager[Any]:
    return patch.object(statements, "corners", lambda nest, turn: [])


def _all_turns_are_harmless() -> AbstractContextManager[Any]:
    return patch.object(reading, "_says", lambda nest, naturals, poly: True)


FAULTS: dict[str, Fault] = {
    "x[i, j] and x[j, i] never meet": _mirrored_never_meet,
    "all of the rectangle": _no_triangle,
    "every index is inside": _all_turns_are_harmless,
}
