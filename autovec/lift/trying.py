"""A trial: what a part of a nest has written is taken back if it turns out not to be liftable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autovec.errors import Unsupported
from autovec.lift.nest import Nest
from autovec.lift.values import Carried


class Saved:
    """The state of a nest at one moment; `restore` goes back to it."""

    _LISTS = ("masks", "out", "accesses", "conditions", "indices", "released", "turns")
    _MAPS = ("env", "hoisted", "lists", "proofs", "drawn")
    _PLAIN = (
        "axes", "pack", "needs_turns", "guessing", "strict", "risky", "clock", "loose", "order",
        "naturals",
    )  # fmt: skip

    def __init__(self, nest: Nest) -> None:
        self.nest = nest
        self.values: dict[str, Any] = {name: list(getattr(nest, name)) for name in self._LISTS}
        self.values |= {name: dict(getattr(nest, name)) for name in self._MAPS}
        self.plain = {name: getattr(nest, name) for name in self._PLAIN}
        self.facts = dict(nest.facts.env)
        self.sums = [(a, a.value) for a in nest.env.values() if hasattr(a, "pieces")]
        self.namer = nest.namer.copy()

    def restore(self) -> None:
        nest = self.nest
        for name in self._LISTS:
            setattr(nest, name, list(self.values[name]))
        for name in self._MAPS:
            setattr(nest, name, dict(self.values[name]))
        for name, value in self.plain.items():
            setattr(nest, name, value)
        nest.facts.env.clear()
        nest.facts.env.update(self.facts)
        for held, value in self.sums:
            held.value = value
        nest.namer = self.namer.copy()


@contextmanager
def trial(nest: Nest) -> Iterator[None]:
    """Nothing of what the block did stays if it ends in Unsupported."""
    saved = Saved(nest)
    try:
        yield
    except (Unsupported, Carried):
        saved.restore()
        raise
