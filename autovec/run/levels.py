"""Text for several lane axes, run for lanes that are on one: for a chunk, or to find who raised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autovec import tree
from autovec.run.columns import Column
from autovec.run.prepare import Call


def flat_text(
    text: Callable[..., Any], call: Call, levels: int
) -> Callable[[Sequence[object], dict[str, object]], Any]:
    """The text as a function of arguments whose lanes are on one axis."""
    if levels == 1:
        return lambda part, named: text(*part, **named)
    more = (slice(None), *(None for _ in range(levels - 1)))

    def wide(item: object, value: Any) -> Any:
        return value[more] if isinstance(item, Column) else value

    def run(part: Sequence[object], named: dict[str, object]) -> Any:
        args = [wide(item, value) for item, value in zip(call.positional, part, strict=True)]
        keywords = {name: wide(call.keywords[name], value) for name, value in named.items()}
        return tree.map_leaves(
            lambda leaf: leaf.reshape(leaf.shape[:1] + leaf.shape[levels:]),
            text(*args, **keywords),
        )

    return run
