"""What a builder notes down on the way: lines of ``explain``, objects that are the caller's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.program.scope import Step


@dataclass
class Note:
    """One line of ``explain``: where, what became of it, why."""

    line: int
    what: str
    why: str = ""


@dataclass(frozen=True)
class NamedNumber:
    """A literal that the user gave a name for good: ``panels = 8``."""

    value: Any
    written: gast.expr
    line: int


@dataclass
class NamedNumbers:
    """Those of a function; ``once``: the names that it assigns in one place, once at most.

    ``among``: its local names, which an inner function's are not.
    """

    once: frozenset[str] = frozenset()
    among: set[str] = field(default_factory=set)
    found: dict[str, NamedNumber] = field(default_factory=dict)


@dataclass(frozen=True)
class Below:
    """An object that a helper reads below one of its parameters: part of what a caller passes."""

    parameter: str
    steps: tuple[Step, ...]
    obj: Any
    values: bool
