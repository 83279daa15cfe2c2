"""Which axes are mapped: prefixes of argument trees, sizes that must agree, gufunc signatures.

Every message names the argument as the user's function names it, with its shape.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from autovec import tree

Shape = tuple[int, ...]
Axis = int | None


@dataclass(frozen=True, slots=True)
class Named:
    """The shape of an argument's leaf, with the leaf's name for messages."""

    name: str
    shape: Shape


# ------------------------------------------------------------------ broadcasting and mapped sizes


def broadcast(arguments: Sequence[Named]) -> Shape:
    """The common shape of arguments that broadcast.

    >>> broadcast([Named("x", (3, 1)), Named("y", (2,))])
    (3, 2)
    """
    try:
        return np.broadcast_shapes(*(argument.shape for argument in arguments))
    except ValueError:
        shapes = ", ".join(f"{a.name} has shape {a.shape}" for a in arguments)
        raise ValueError(f"arguments could not be broadcast together: {shapes}") from None


def mapped_size(argument: Named, axis: int) -> int:
    """The size of an argument's mapped axis.

    >>> mapped_size(Named("x", (3, 2)), -1)
    2
    """
    rank = len(argument.shape)
    if not -rank <= axis < rank:
        needed = axis + 1 if axis >= 0 else -axis
        raise ValueError(
            f"vmap was asked to map argument {argument.name} along axis {axis}, which implies that "
            f"its rank should be at least {needed}, but is only {rank} "
            f"(its shape is {argument.shape})"
        )
    return argument.shape[axis]


def batch_size(mapped: Sequence[tuple[Named, int]], axis_size: int | None = None) -> int:
    """The number of lanes that all mapped axes, and `axis_size` if given, agree on.

    >>> batch_size([(Named("x", (3, 2)), 0), (Named("y", (2, 3)), 1)])
    3
    """
    groups: dict[int, list[str]] = {}
    if axis_size is not None:
        groups[axis_size] = ["the argument axis_size"]
    for argument, axis in mapped:
        size = mapped_size(argument, axis)
        where = f"axis {axis} of argument {argument.name} of shape {argument.shape}"
        groups.setdefault(size, []).append(where)
    if len(groups) == 1:
        return next(iter(groups))
    if not groups:
        raise ValueError(
            "vmap must have at least one non-None value in in_axes, or axis_size must be given"
        )
    # A stable sort: among equals the first argument comes first.
    lines = [
        f"  * size {size}: {', '.join(places)}"
        for size, places in sorted(groups.items(), key=lambda group: -len(group[1]))
    ]
    raise ValueError(
        "vmap got inconsistent sizes for array axes to be mapped:\n" + ";\n".join(lines)
    )


def normalised(axis: int, rank: int) -> int:
    """The axis counted from the front, or NumPy's AxisError.

    >>> normalised(-1, 3)
    2
    """
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(axis, rank)
    return axis % rank


# ------------------------------------------------------------------ prefixes


def check_in_axes(in_axes: object) -> None:
    """Refuse what can never be an in_axes, before any call."""
    if not (in_axes is None or is_axis(in_axes) or isinstance(in_axes, (tuple, list, dict))):
        raise TypeError(
            "vmap in_axes must be an int, None, a tuple of entries for the positional arguments, "
            f"or a dict by parameter name, but got {in_axes!r}"
        )
    check_entries(in_axes, "in_axes")


def check_entries(axes: object, what: str) -> None:
    """Refuse an in_axes or out_axes whose leaves are not ints or None."""
    for leaf in tree.leaves(axes):
        if not is_axis(leaf):
            raise TypeError(
                f"vmap {what} must be an int, None, or a nested container with those as leaves, "
                f"but got {axes!r}"
            )


def is_axis(entry: object) -> bool:
    if isinstance(entry, bool) or not isinstance(entry, SupportsIndex):
        return False
    try:
        operator.index(entry)
    except TypeError:  # an array has __index__, and refuses unless it is one integer
        return False
    return True


def entries_for_arguments(in_axes: object, names: Sequence[str]) -> list[object]:
    """One entry of `in_axes` per positional argument, the arguments given by name.

    >>> entries_for_arguments(0, ["x", "y"]), entries_for_arguments({"y": None}, ["x", "y"])
    ([0, 0], [0, None])
    """
    if isinstance(in_axes, dict):
        unknown = sorted(set(map(str, in_axes)) - set(names))
        if unknown:
            raise ValueError(
                f"vmap in_axes names {', '.join(unknown)}, but the arguments of this call are "
                f"{', '.join(names)}"
            )
        return [in_axes.get(name, 0) for name in names]
    if isinstance(in_axes, (tuple, list)):
        if len(in_axes) != len(names):
            raise ValueError(
                "vmap in_axes must be an int, None, or a tuple with one entry for each positional "
                f"argument, but got {len(in_axes)} entries for {len(names)} positional arguments"
            )
        return list(in_axes)
    return [in_axes] * len(names)


def leaf_axes(prefix: object, value: object, what: str) -> Iterator[Axis]:
    """One axis per leaf of `value`; an int or None in `prefix` stands for a whole subtree.

    >>> list(leaf_axes({"a": 1, "b": None}, {"a": (5, 6), "b": 7}, "in_axes"))
    [1, 1, None]
    """
    yield from _leaf_axes(prefix, value, what, what)


def _leaf_axes(prefix: object, value: object, what: str, path: str) -> Iterator[Axis]:
    if prefix is None or tree.children(prefix) is None:
        axis = None if prefix is None else operator.index(prefix)  # type: ignore[arg-type]
        yield from [axis] * len(tree.leaves(value))
        return
    node, axes = tree.children(value), tree.children(prefix)
    assert axes is not None
    if node is None or not tree.same_node(prefix, value):
        raise ValueError(
            f"vmap {what} must be a tree prefix of the corresponding value, but at {path} it is "
            f"{tree.describe(prefix)} where the value is {tree.describe(value)}"
        )
    entries = dict(zip(axes.paths, axes.values, strict=True))
    for step, part in zip(node.paths, node.values, strict=True):
        yield from _leaf_axes(entries[step], part, what, path + step)


# ------------------------------------------------------------------ gufunc signatures


@dataclass(frozen=True, slots=True)
class Signature:
    """The core dimensions of each input and each output."""

    inputs: tuple[tuple[str, ...], ...]
    outputs: tuple[tuple[str, ...], ...]

    @property
    def scalar(self) -> bool:
        return not any(self.inputs) and not any(self.outputs)


_CORE = r"\((?:\w+(?:,\w+)*)?\)"
_SIGNATURE = re.compile(f"{_CORE}(?:,{_CORE})*->{_CORE}(?:,{_CORE})*", re.ASCII)


def parse_signature(text: str) -> Signature:
    """Read a generalised ufunc's signature.

    >>> parse_signature("(m, n), (n) -> (m)")
    Signature(inputs=(('m', 'n'), ('n',)), outputs=(('m',),))
    """
    packed = "".join(text.split())
    if not _SIGNATURE.fullmatch(packed):
        raise ValueError(f"not a valid gufunc signature: {text}")
    inputs, outputs = (
        tuple(tuple(re.findall(r"\w+", core)) for core in re.findall(r"\(([^)]*)\)", side))
        for side in packed.split("->")
    )
    return Signature(inputs, outputs)


def loop_shape(arguments: Sequence[Named], signature: Signature, sizes: dict[str, int]) -> Shape:
    """The shape of the loop dimensions; fills `sizes` with the core dimensions.

    >>> sizes = {}
    >>> matvec = parse_signature("(m,n),(n)->(m)")
    >>> loop_shape([Named("a", (5, 2, 3)), Named("v", (3,))], matvec, sizes), sizes
    ((5,), {'m': 2, 'n': 3})
    """
    if len(arguments) != len(signature.inputs):
        raise TypeError(
            "wrong number of positional arguments: "
            f"expected {len(signature.inputs)}, got {len(arguments)}"
        )
    loops = []
    for argument, core in zip(arguments, signature.inputs, strict=True):
        update_sizes(sizes, argument, core)
        loops.append(Named(argument.name, argument.shape[: len(argument.shape) - len(core)]))
    return broadcast(loops)


def update_sizes(sizes: dict[str, int], value: Named, core: Iterable[str]) -> None:
    """Check a value's last axes against the core dimensions seen before, and remember new ones."""
    core = tuple(core)
    rank = len(value.shape)
    if rank < len(core):
        raise ValueError(
            f"{rank}-dimensional argument does not have enough dimensions for all core dimensions "
            f"{core!r}: {value.name} has shape {value.shape}"
        )
    for dim, size in zip(core, value.shape[rank - len(core) :], strict=True):
        if sizes.setdefault(dim, size) != size:
            raise ValueError(
                f"inconsistent size for core dimension {dim!r}: {size} vs {sizes[dim]} "
                f"({value.name} has shape {value.shape})"
            )
