"""A result's structure with what the caller has to know of each of its leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autovec import tree
from autovec.program.facts import storage
from autovec.program.things import Map, Record, Row, Seq, Thing
from autovec.program.values import Value


def outline(thing: Thing, of: Callable[[Value], Any]) -> Any:
    """The result's structure with what is to be known of each leaf, such as its dtype."""
    if isinstance(thing, Value):
        return of(thing)
    if isinstance(thing, Seq):
        items = [outline(t, of) for t in thing.items]
        return thing.cls(*items) if thing.cls is not None else thing.kind(items)
    if isinstance(thing, Row) and thing.kind == "frame":
        return tree.Frame({k: outline(t, of) for k, t in thing.items.items()})
    if isinstance(thing, Map):
        return {k: outline(t, of) for k, t in thing.items.items()}
    if isinstance(thing, Record):
        return thing.cls(**{k: outline(t, of) for k, t in thing.fields.items()})
    return None


def leaf_dtype(value: Value) -> Any:
    """The dtype of a leaf, with the shape of a sample's where it is an array."""
    dtype = storage(value.fact)
    shape = tuple(map(int, value.fact.shape))
    return np.dtype((dtype, shape)) if shape else dtype
