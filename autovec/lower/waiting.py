"""Values that wait to be written: each stands in the expression that reads it.

If one gets a name after all, it is assigned where it was computed, not where that is found out:
inside of a loop it would be computed once a trip, and inside of one side of an ``if`` the other
side would not have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gast

from autovec.syntax.scope import assigned_names


@dataclass(frozen=True)
class Waiting:
    """An expression, the names in it, and where its value was computed."""

    expr: gast.expr
    names: frozenset[str]
    out: list[gast.stmt]
    loop_depth: int


@contextmanager
def back_at(w: Any, waiting: Waiting) -> Iterator[None]:
    """Write where a value was computed, in names that nothing since then has."""
    now, depth = w.out, w.loop_depth
    inner = since(w, waiting.out)
    if not inner:
        yield
        return
    names = {*w.holder, *(n for s in inner for n in assigned_names(s))}
    for name in names:
        w.locked[name] += 1
    w.out, w.loop_depth = waiting.out, waiting.loop_depth
    try:
        yield
    finally:
        w.out, w.loop_depth = now, depth
        for name in names:
            w.locked[name] -= 1


def since(w: Any, out: list[gast.stmt]) -> list[list[gast.stmt]]:
    """The lists of statements opened inside of this one, while it is open."""
    lists = [*w.opened, w.out]
    place = [k for k, one in enumerate(lists) if one is out]
    return lists[place[-1] + 1 :] if place else []
