"""Results as the caller asked for them: np.vectorize's otypes and signatures, vmap's out_axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from autovec import axes, tree
from autovec.axes import Named, Signature
from autovec.run.columns import Array, scalars
from autovec.run.prepare import Call
from autovec.run.stack import stack, stack_objects


class Outputs(Protocol):
    """What happens to the batched results of a call."""

    plain: bool  # nothing: the hot path may return them as they are
    keeps_objects: bool  # each sample's result is one object, whatever it is

    def from_samples(self, results: Sequence[object], call: Call) -> Any:
        """The results of the visible loop, stacked."""
        ...

    def fits(self, result: Any) -> bool:
        """Can the text's results, a tree of dtypes, be the ones that were asked for?"""
        ...

    def accept(self, mapped: Any) -> None:
        """Refuse text whose results, a tree of what depends on mapped arguments, do not fit."""
        ...

    def empty(self, call: Call) -> Any:
        """The result for no lanes where the dtype is not known."""
        ...

    def finish(self, result: Any, call: Call) -> Any:
        """The results of emitted text, or stacked ones, as the caller gets them."""
        ...


class ElementOutputs:
    """The results of ``vectorize``."""

    def __init__(self, otypes: object, signature: Signature | None) -> None:
        self.otypes = None if otypes is None else parse_otypes(otypes)
        self.signature = signature
        self.plain = self.otypes is None and signature is None
        self.keeps_objects = self.otypes == [np.dtype(object)]
        self.count = None if signature is None else len(signature.outputs)
        if self.otypes is not None:
            self.count = len(self.otypes)

    def fits(self, result: Any) -> bool:
        if self.signature is None or self.signature.scalar:
            return True
        parts = result if type(result) is tuple else (result,)
        return len(parts) == len(self.signature.outputs) and all(
            isinstance(part, np.dtype) and len(part.shape) == len(core)
            for part, core in zip(parts, self.signature.outputs, strict=True)
        )

    def accept(self, mapped: Any) -> None:
        pass

    def from_samples(self, results: Sequence[object], call: Call) -> Any:
        if self.signature is not None and not self.signature.scalar:
            return self._cores(results, call, self.signature)
        stacked = stack_objects(results) if self.keeps_objects else stack(results)
        return tree.map_leaves(lambda leaf: leaf.reshape(call.shape + leaf.shape[1:]), stacked)

    def empty(self, call: Call) -> Any:
        cores: Sequence[tuple[str, ...]] = [()] * (self.count or 1)
        if self.signature is not None:
            cores = self.signature.outputs
        sizes = call.arguments.sizes
        if any(dim not in sizes for core in cores for dim in core):
            raise ValueError(
                "cannot call `vectorize` with a signature including new output dimensions "
                "on size 0 inputs"
            )
        dtypes = self.otypes or [np.dtype(float)] * len(cores)
        made = [
            np.empty(call.shape + tuple(sizes[dim] for dim in core), dtype)
            for core, dtype in zip(cores, dtypes, strict=True)
        ]
        return made[0] if len(made) == 1 else tuple(made)

    def finish(self, result: Any, call: Call) -> Any:
        if self.count is None:
            return result
        parts = result if type(result) is tuple else (result,)
        if len(parts) != self.count:
            raise ValueError(
                f"wrong number of outputs from pyfunc: expected {self.count}, got {len(parts)}"
            )
        if self.signature is not None and not self.signature.scalar:
            sizes = dict(call.arguments.sizes)
            for part, core in zip(parts, self.signature.outputs, strict=True):
                shape = np.shape(part)[len(call.shape) :]
                axes.update_sizes(sizes, Named("the result", shape), core)
        if self.otypes is not None:
            parts = tuple(
                cast(_array_leaf(part, call), dtype)
                for part, dtype in zip(parts, self.otypes, strict=True)
            )
        return parts[0] if self.count == 1 else tuple(parts)

    def _cores(self, results: Sequence[object], call: Call, signature: Signature) -> Any:
        """Each output is an array whose shape the signature checks."""
        sizes = dict(call.arguments.sizes)
        columns: list[list[Array]] = [[] for _ in signature.outputs]
        for result in results:
            parts = result if isinstance(result, tuple) else (result,)
            if len(parts) != len(columns):
                raise ValueError(
                    "wrong number of outputs from pyfunc: "
                    f"expected {len(columns)}, got {len(parts)}"
                )
            for column, part, core in zip(columns, parts, signature.outputs, strict=True):
                array = np.asarray(part)
                axes.update_sizes(sizes, Named("the result", array.shape), core)
                column.append(array)
        made = [stack(column) for column in columns]
        made = [array.reshape(call.shape + array.shape[1:]) for array in made]
        return made[0] if len(made) == 1 else tuple(made)


def _array_leaf(part: object, call: Call) -> Array:
    if part is None:  # every lane returned None
        return np.full(call.shape, None, dtype=object)
    if not isinstance(part, np.ndarray):
        raise ValueError(
            f"otypes has one entry where the function returned {tree.describe(part)}; "
            "otypes=[object] keeps it as it is"
        )
    return part


def parse_otypes(otypes: object) -> list[np.dtype[Any]]:
    """np.vectorize's otypes: a string of type letters, or an iterable of dtypes.

    >>> parse_otypes("d?")
    [dtype('float64'), dtype('bool')]
    """
    if isinstance(otypes, str):
        for char in otypes:
            if char not in np.typecodes["All"]:
                raise ValueError(f"Invalid otype specified: {char}")
        return [np.dtype(char) for char in otypes]
    if not isinstance(otypes, Iterable):
        raise ValueError("Invalid otype specification")
    return [np.dtype(entry) for entry in otypes]


def cast(array: Array, dtype: np.dtype[Any]) -> Array:
    """The array in another dtype, element by element as np.vectorize casts.

    Texts are as wide as they need be; a number that an integer dtype cannot hold raises.

    >>> cast(np.array([1.7, -2.2]), np.dtype(int)), cast(np.array([1.5]), np.dtype("U"))
    (array([ 1, -2]), array(['1.5'], dtype='<U3'))
    """
    if array.dtype == dtype:
        return array
    if dtype.kind in "US":
        text = np.array(array.tolist(), dtype=dtype.kind)
        return text.astype(dtype) if text.itemsize < dtype.itemsize else text
    if dtype.kind in "iu" and array.dtype.kind in "iuf" and array.size:
        info = np.iinfo(dtype)
        low, high = float(array.min()), float(array.max())
        if not (info.min <= low and high < float(info.max)):  # also for nan
            return np.array(array.tolist(), dtype=dtype)
    if array.dtype.kind == "c" and dtype.kind in "iuf":
        return np.array(array.astype(object), dtype=dtype)
    return array.astype(dtype)


class LaneOutputs:
    """The results of ``vmap``."""

    keeps_objects = False

    def __init__(self, out_axes: object) -> None:
        axes.check_entries(out_axes, "out_axes")
        self.out_axes = out_axes
        self.plain = axes.is_axis(out_axes) and out_axes == 0

    def fits(self, result: Any) -> bool:
        return True

    def accept(self, mapped: Any) -> None:
        if self.plain or mapped is None:
            return
        flat = axes.leaf_axes(self.out_axes, mapped, "out_axes")
        for (path, depends), axis in zip(tree.leaves_with_paths(mapped), flat, strict=True):
            if axis is None and depends:
                raise ValueError(
                    f"vmap has a mapped output where out_axes is None: the result{path} "
                    "depends on a mapped argument"
                )

    def from_samples(self, results: Sequence[object], call: Call) -> Any:
        return stack(results)

    def empty(self, call: Call) -> Any:
        return np.empty(call.shape)

    def finish(self, result: Any, call: Call) -> Any:
        if self.plain:
            return result
        flat = list(axes.leaf_axes(self.out_axes, result, "out_axes"))
        moved = [
            _one_lane(leaf, path) if axis is None else _moved(leaf, axis)
            for (path, leaf), axis in zip(tree.leaves_with_paths(result), flat, strict=True)
        ]
        return tree.unflatten(result, moved)


def _moved(leaf: Array, axis: int) -> Array:
    return np.moveaxis(leaf, 0, axes.normalised(axis, leaf.ndim))


def _one_lane(leaf: Array, path: str) -> object:
    if len(leaf) == 0:
        raise ValueError("vmap out_axes is None, but there are no lanes to take the value of")
    first = leaf[0]
    same = leaf == first
    if leaf.dtype.kind in "fc":
        same |= np.isnan(leaf) & np.isnan(first)
    if not same.all():
        raise ValueError(
            f"vmap has a mapped output where out_axes is None: the result{path} differs "
            "between lanes"
        )
    return scalars(leaf[:1])[0] if leaf.ndim == 1 else first.copy()
