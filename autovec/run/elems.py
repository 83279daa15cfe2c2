"""The elements of tf.vectorized_map: arrays of as many samples, or of one for all."""

from __future__ import annotations

from typing import Any

import numpy as np

from autovec import tree


def mapped(elems: Any) -> tuple[Any, Any]:
    """The in_axes entry of a tree of arrays, and the tree with its leaves as arrays.

    >>> mapped((np.zeros(3), np.ones(1)))
    ((0, None), (array([0., 0., 0.]), np.float64(1.0)))
    """
    leaves = [np.asarray(leaf) for leaf in tree.leaves(elems)]
    if not leaves or any(leaf.ndim == 0 for leaf in leaves):
        raise ValueError(
            "vectorized_map needs at least one array in elems, each with a first axis of samples"
        )
    count = max(len(leaf) for leaf in leaves)
    if any(len(leaf) == 0 for leaf in leaves):
        count = 0
    alone = [len(leaf) == 1 and count > 1 for leaf in leaves]
    entries = [None if one else 0 for one in alone]
    values = [leaf[0] if one else leaf for leaf, one in zip(leaves, alone, strict=True)]
    if not any(alone):
        return 0, tree.unflatten(elems, values)
    return tree.unflatten(elems, entries), tree.unflatten(elems, values)
