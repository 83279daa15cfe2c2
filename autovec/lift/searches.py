"""Loops that end at the first hit."""

from __future__ import annotations

from typing import Any


def without_exit(walker: Any, node: Any, live: frozenset[str]) -> list[Any] | None:
    """The loop without its break or return; None where there is none."""
    return None
