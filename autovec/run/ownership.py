"""Results share no memory: not with the arguments, not with each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autovec import tree


def owned(result: Any, arguments: Iterable[object]) -> Any:
    """The result with every leaf an array of its own, copied only where it is not.

    >>> x = np.arange(3)
    >>> owned(x, [x]) is x, owned((x[::-1],), [x])[0].base is None
    (False, True)
    """
    taken: list[Any] = [a for a in arguments if isinstance(a, np.ndarray)]

    def own(leaf: object) -> object:
        if not isinstance(leaf, np.ndarray):
            return leaf
        # A broadcast view is read-only; a view of something fresh may stay.
        if not leaf.flags.writeable or any(np.may_share_memory(leaf, a) for a in taken):
            leaf = leaf.copy()
        taken.append(leaf)
        return leaf

    return tree.map_leaves(own, result)


def entangled(changed: list[Any], given: Iterable[object]) -> str:
    """Why text may not store into these columns for all lanes at once, or nothing.

    ``given``: the arrays, among other things, that the text gets.
    """
    arrays = [a for a in given if isinstance(a, np.ndarray)]
    for item in changed:
        array = item.array
        if not array.flags.writeable:
            return f"argument {item.name} is read-only"
        others = sum(np.may_share_memory(array, a) for a in arrays)
        if others > 1 or overlaps(array):
            return f"argument {item.name}, which is stored into, shares memory with another"
    return ""


def overlaps(array: np.ndarray[Any, Any]) -> bool:
    """May two elements of an array be one place in memory?

    >>> overlaps(np.zeros((3, 2)).T), overlaps(np.broadcast_to(np.zeros(2), (3, 2)))
    (False, True)
    """
    span = array.itemsize
    axes = zip(map(abs, array.strides), array.shape, strict=True)
    for step, length in sorted((step, n) for step, n in axes if n > 1):
        if step < span:
            return True
        span = step * (length - 1) + span
    return False
