"""vmap of vmap: the lanes of all levels at once, each level with its own axes of the arguments.

What an argument varies over is the levels that map one of its axes; it is repeated over the others,
and the function itself is compiled for one lane axis that counts the samples of all levels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from autovec import axes, tree
from autovec.axes import Named
from autovec.program.facts import Uniform
from autovec.run.columns import Array, Item, level_column, plain
from autovec.run.engine import Engine, Settings
from autovec.run.labels import Labels
from autovec.run.lanes import Lanes
from autovec.run.outputs import LaneOutputs
from autovec.run.prepare import Arguments, Call, Names


def can_nest(lanes: Lanes, outputs: LaneOutputs) -> bool:
    """Whether a level maps plain axes only: a tree of axes is taken apart one level at a time.

    >>> can_nest(Lanes((0, None), None), LaneOutputs(-1))
    True
    >>> can_nest(Lanes(({"a": 0},), None), LaneOutputs(0))
    False
    """
    entries = lanes.in_axes
    if isinstance(entries, dict) or lanes.kw_axes != {}:
        return False
    several = entries if isinstance(entries, (tuple, list)) else [entries]
    return all(entry is None or axes.is_axis(entry) for entry in several) and (
        axes.is_axis(outputs.out_axes) and outputs.out_axes is not None
    )


def nest(inner: Engine, mode: Any, outputs: Any, settings: Settings) -> Engine | None:
    """The engine of a level around others; None where they have to run one inside the other."""
    levels, found = _levels(inner.mode), _outputs(inner.outputs)
    plainly = isinstance(mode, Lanes) and isinstance(outputs, LaneOutputs)
    if not plainly or not levels or not can_nest(mode, outputs):
        return None
    if not all(map(can_nest, levels, found)) or inner.target.original is None:
        return None
    own = replace(inner.settings, fallback=settings.fallback, name=settings.name)
    if replace(settings, exact=own.exact) != own:
        return None
    modes = NestedLanes([mode, *levels])
    return Engine(inner.target, modes, NestedOutputs([outputs, *found]), settings)


def _levels(mode: Any) -> list[Lanes]:
    if isinstance(mode, NestedLanes):
        return list(mode.levels)
    return [mode] if isinstance(mode, Lanes) else []


def _outputs(outputs: Any) -> list[LaneOutputs]:
    return list(outputs.levels) if isinstance(outputs, NestedOutputs) else [outputs]


class NestedLanes:
    """The mode of a vmap of vmaps, the outermost level first."""

    layout: Literal["broadcast", "lanes"] = "lanes"

    def __init__(self, levels: Sequence[Lanes]) -> None:
        self.levels = tuple(levels)

    def read(self, args: Sequence[object], kwargs: Mapping[str, object], names: Names) -> Arguments:
        keywords = list(kwargs)
        entries = [level.entries(names.given, keywords) for level in self.levels]
        sizes: list[list[tuple[Named, int]]] = [[] for _ in self.levels]
        values = [*args, *kwargs.values()]
        moved = [
            _moved(value, [e[k] for e in entries], name, sizes)
            for k, (value, name) in enumerate(zip(values, [*names.given, *keywords], strict=True))
        ]
        shape = tuple(
            axes.batch_size(found, level.axis_size)
            for found, level in zip(sizes, self.levels, strict=True)
        )
        items = [
            _item(value, part, name, shape)
            for value, part, name in zip(values, moved, [*names.given, *keywords], strict=True)
        ]
        named = dict(zip(keywords, items[len(args) :], strict=True))
        return Arguments(items[: len(args)], named, Labels(), shape, flat=True)

    def maps(self, name: str, position: int | None, count: int) -> bool:
        return any(level.maps(name, position, count) for level in self.levels)


def _moved(
    value: object, entries: list[object], name: str, sizes: list[list[tuple[Named, int]]]
) -> tuple[Array, list[bool]] | None:
    """An argument with its mapped axes in front, in the order of the levels, and which map it."""
    if all(entry is None for entry in entries):
        return None
    if value is None or callable(value) or isinstance(value, (str, bytes)):
        raise TypeError(
            f"vmap cannot map over argument {name} of type {type(value).__name__}; "
            "give it in_axes None"
        )
    array = plain(np.asarray(value))
    front = 0
    for entry, found in zip(entries, sizes, strict=True):
        if entry is None:
            continue
        assert isinstance(entry, int)
        sample = Named(name, array.shape[front:])
        axes.mapped_size(sample, entry)
        found.append((sample, entry))
        array = np.moveaxis(array, front + axes.normalised(entry, array.ndim - front), front)
        front += 1
    return array, [entry is not None for entry in entries]


def _item(
    value: object, moved: tuple[Array, list[bool]] | None, name: str, shape: tuple[int, ...]
) -> Item:
    if moved is None:
        return Uniform(value)
    array, mapped = moved
    core = array.shape[sum(mapped) :]
    index = tuple(slice(None) if one else None for one in mapped)
    return level_column(name, array[index], shape, len(core))


class NestedOutputs(LaneOutputs):
    """The results of a vmap of vmaps: each level puts its axis where its out_axes says."""

    def __init__(self, levels: Sequence[LaneOutputs]) -> None:
        super().__init__(0)
        self.levels = tuple(levels)
        self.plain = all(level.plain for level in levels)

    def from_samples(self, results: Sequence[object], call: Call) -> Any:
        stacked = super().from_samples(results, call)
        return tree.map_leaves(lambda leaf: leaf.reshape(call.shape + leaf.shape[1:]), stacked)

    def finish(self, result: Any, call: Call) -> Any:
        return result if self.plain else tree.map_leaves(self._placed, result)

    def _placed(self, leaf: Array) -> Array:
        for depth in reversed(range(len(self.levels))):  # the innermost level places its axis first
            axis = self.levels[depth].out_axes
            assert isinstance(axis, int)
            leaf = np.moveaxis(leaf, depth, depth + axes.normalised(axis, leaf.ndim - depth))
        return leaf
