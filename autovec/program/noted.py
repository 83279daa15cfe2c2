"""What a builder notes down on the way: lines of ``explain``, objects that are the caller's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autovec.program.scope import Step


@dataclass
class Note:
    """One line of ``explain``: where, what became of it, why."""

    line: int
    what: str
    why: str = ""


@dataclass(frozen=True)
class Below:
    """An object that a helper reads below one of its parameters: part of what a caller passes."""

    parameter: str
    steps: tuple[Step, ...]
    obj: Any
    values: bool
