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
