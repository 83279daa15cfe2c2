"""The exceptions and warnings, and how a problem is shown: file, line, caret, reason, way out."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A piece of one line of the user's text: `line` counts from 1, the columns from 0."""

    file: str
    line: int
    col: int
    end_col: int
    text: str

    def __str__(self) -> str:
        """`file:line`."""
        return f"{self.file}:{self.line}"

    def excerpt(self) -> str:
        """The line without its indentation, and carets under the piece."""
        text = self.text.rstrip()
        indent = len(text) - len(text.lstrip())
        start = max(self.col, indent)
        before = "".join(
            "\t" if char == "\t" else " " * _width(char) for char in text[indent:start]
        )
        carets = "^" * max(1, sum(map(_width, text[start : self.end_col])))
        return f"{text[indent:]}\n{before}{carets}"


@dataclass(frozen=True)
class Problem:
    """Something that is refused or loops: where, what, why, and what to write instead.

    >>> place = Place("model.py", 7, 4, 15, "    yield x + 1")
    >>> print(Problem(place, "yield", "a sample is one value", "return a tuple"))
    model.py:7: yield
        yield x + 1
        ^^^^^^^^^^^
      why: a sample is one value
      instead: return a tuple
    """

    place: Place
    what: str
    why: str = ""
    instead: str = ""
    expression: bool = False  # it is this expression alone that loops

    def __str__(self) -> str:
        """The problem as several lines of text."""
        lines = [f"{self.place}: {self.what}"]
        if self.place.text.strip():
            lines += ["    " + line for line in self.place.excerpt().split("\n")]
        if self.why:
            lines.append(f"  why: {self.why}")
        if self.instead:
            lines.append(f"  instead: {self.instead}")
        return "\n".join(lines)

    @property
    def reason(self) -> str:
        """What and why, in one line."""
        return f"{self.what}: {self.why}" if self.why else self.what


class AutovecError(Exception):
    """What autovec itself raises; the user's own exceptions come through as they are."""


class SourceNotFound(AutovecError):
    """A function's text cannot be had, or not with certainty."""


class WithProblems(AutovecError):
    """An error made of problems, or of a message."""

    def __init__(self, problems: str | Problem | Iterable[Problem]) -> None:
        super().__init__(problems)
        if isinstance(problems, Problem):
            problems = (problems,)
        self.problems: tuple[Problem, ...] = () if isinstance(problems, str) else tuple(problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems)) or str(self.args[0])


class NotLiftable(WithProblems):
    """A loop cannot become array operations, and `fallback="error"` forbids to leave it."""


class UnsupportedSyntax(WithProblems):
    """The function uses what a function for one sample cannot have; `problems` holds them all."""


class FallbackError(WithProblems):
    """Something would run as a loop over samples, and `fallback="error"` forbids it."""


class FallbackWarning(UserWarning):
    """Something runs as a loop over samples."""


class DifferentIndexes(AutovecError, ValueError):
    """Series of different indexes in one call: autovec aligns nothing."""


class Unsupported(Exception):
    """Raised inside the compiler: this node cannot be vectorised here and must loop."""

    def __init__(self, node: ast.AST | None, what: str, why: str = "", instead: str = "") -> None:
        super().__init__(what)
        self.node = node
        self.what = what
        self.why = why
        self.instead = instead

    @property
    def reason(self) -> str:
        """What and why, in one line."""
        return f"{self.what}: {self.why}" if self.why else self.what


def _width(char: str) -> int:
    """The columns that a terminal gives a character."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
