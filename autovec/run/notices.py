"""Fallbacks are announced: a warning at the user's call, once a place, or an error where asked."""

from __future__ import annotations

import linecache
import os
import sys
import types
import warnings
from collections.abc import Iterable

from autovec.errors import FallbackError, FallbackWarning, Place, Problem, SourceNotFound

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def announce(problems: Iterable[Problem], fallback: str, seen: set[object]) -> None:
    """Warn of what loops, or refuse it; `seen` holds the places that were warned of before."""
    problems = list(problems)
    if not problems or fallback == "silent":
        return
    if fallback == "error":
        raise FallbackError(problems)
    for problem in problems:
        key = (problem.place.file, problem.place.line, problem.what, problem.why)
        if key not in seen:
            seen.add(key)
            this = "this expression" if problem.expression else "this"
            warnings.warn(
                f"{this} runs as a loop over samples\n{problem}",
                FallbackWarning,
                stacklevel=_levels_to_user(),
            )


def whole_function(function: types.FunctionType | None, what: str, instead: str = "") -> Problem:
    """The problem of a function that only the loop can run, at its def or at the user's call."""
    if function is None:
        frame = sys._getframe(_levels_to_user() - 1)  # depths count from 0, stack levels from 1
        file, line = frame.f_code.co_filename, frame.f_lineno
    else:
        file, line = function.__code__.co_filename, function.__code__.co_firstlineno
    text = linecache.getline(file, line).rstrip("\n")
    indent = len(text) - len(text.lstrip())
    return Problem(
        Place(file, line, indent, max(len(text), indent + 1), text),
        "the whole function runs once for every sample",
        what,
        instead,
    )


def without_source(function: types.FunctionType, error: SourceNotFound) -> Problem:
    """The problem of a function whose text cannot be had, in the words of the error."""
    said = dict(line.strip().partition(": ")[::2] for line in str(error).splitlines())
    why = f"its source is not found: {said.get('why', error)}"
    return whole_function(function, why, said.get("instead", ""))


def _levels_to_user() -> int:
    """The stacklevel, for the caller's use, of the first frame outside this package and pandas.

    pandas stands between where it calls its engine.
    """
    frame: types.FrameType | None = sys._getframe(1)
    level = 1
    while frame is not None and _between(frame):
        frame = frame.f_back
        level += 1
    return level


def _between(frame: types.FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    own = frame.f_code.co_filename.startswith(_PACKAGE)
    return own or module == "pandas" or module.startswith("pandas.")
