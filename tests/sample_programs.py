"""The programs in `samples/` as tests and benchmark need them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NAMES = sorted(path.stem for path in (ROOT / "samples").glob("*.py"))


def module(name: str) -> ModuleType:
    """Each holds a batched function of its own name, and `draw(n)` for its arguments."""
    return importlib.import_module(f"samples.{name}")


def plain(name: str) -> Callable[..., Any]:
    """The function for one sample."""
    function: Callable[..., Any] = getattr(module(name), name).__wrapped__
    return function


def arguments(name: str, n: int) -> tuple[Any, ...]:
    """A batch of n samples, one array an argument."""
    drawn: tuple[Any, ...] = module(name).draw(n)
    return drawn
