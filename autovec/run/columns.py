"""Arguments that differ between lanes: as an array for emitted text, as samples for the loop.

A scalar sample of a bool, int64, float64, complex128 or string array is a Python object, of any
other array a NumPy scalar; an array sample is a view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autovec.program.facts import PYTHON_DTYPES, Uniform
from autovec.run.objects import held, native

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int, ...]


@dataclass(slots=True, eq=False)
class Column:
    """One varying argument.

    `shape` is the shape of its lanes, `rank` that of a sample; ``samples(shape)`` lists the samples
    of all lanes of a call, in order. `array` is None where only the loop can take the argument, and
    `loops` says why.
    """

    name: str
    array: Array | None
    shape: Shape
    samples: Callable[[Shape], Sequence[object]]
    rank: int = 0
    loops: str = ""
    holds: Any = None  # what the samples are, where the dtype does not say it
    objects: Callable[[], Array] | None = None  # the samples, where they are pandas' own

    @property
    def core(self) -> Shape:
        """The shape of a sample."""
        if self.array is None or not self.rank:
            return ()
        shape: Shape = self.array.shape
        return shape[len(shape) - self.rank :]


Item = Column | Uniform


def array_column(
    name: str, array: Array, objects: Callable[[], Array] | None = None, clean: bool = False
) -> Column:
    """The column of an array of scalar samples; `objects` gives them where they are pandas' own.

    `clean`: if it is of texts, no null character is among them.
    """

    def samples(shape: Shape) -> Sequence[object]:
        shown = array if objects is None else objects()
        return scalars(np.broadcast_to(shown, shape).reshape(-1))

    if objects is None and array.dtype.kind == "U" and not clean and holds_null(array):
        why = "a text in it holds a null character, at which NumPy's text may end"
        return Column(name, None, array.shape, samples, loops=why)
    if objects is None:
        known = held(array) if array.dtype.kind == "O" else None
        return Column(name, array, array.shape, samples, holds=known)
    holds: Any = "Timestamp" if array.dtype.kind == "M" else "Timedelta"
    if np.isnat(array).any():
        holds = ("optional", holds, "nan")
    return Column(name, array, array.shape, samples, holds=holds, objects=objects)


def level_column(name: str, given: Array, shape: Shape, rank: int) -> Column:
    """The column of an array whose lanes are on several axes, of length one where they repeat."""
    array = np.broadcast_to(given, shape + given.shape[given.ndim - rank :])

    def samples(shape: Shape) -> Sequence[object]:
        if not rank:
            return scalars(on_one_axis(array, rank))
        own = given.shape[: len(shape)]
        places = (zip(index, own, strict=True) for index in np.ndindex(shape))
        return [given[tuple(i if n > 1 else 0 for i, n in place)] for place in places]

    return Column(name, array, array.shape[: array.ndim - rank], samples, rank)


def on_one_axis(array: Array, rank: int) -> Array:
    """An array with all its lanes on the first axis."""
    core = array.shape[array.ndim - rank :]
    lanes = array.shape[: array.ndim - rank]
    return array.reshape((int(np.prod(lanes)), *core))


def unrepeated(array: Array, rank: int) -> Array:
    """An array with an axis of length one wherever its lanes only repeat.

    >>> unrepeated(np.broadcast_to(np.ones((3, 1, 2)), (3, 4, 2)), 1).shape
    (3, 1, 2)
    """
    lanes = zip(array.shape, array.strides[: array.ndim - rank], strict=False)
    return array[tuple(slice(0, 1) if not step and n else slice(None) for n, step in lanes)]


def scalars(array: Array) -> list[Any]:
    """The samples of a flat array.

    >>> scalars(np.array([1.5])), scalars(np.array([1.5], "f4"))
    ([1.5], [np.float32(1.5)])
    """
    if array.dtype in PYTHON_DTYPES or array.dtype.kind == "U":
        listed: list[Any] = array.tolist()
        return listed
    return list(array)


def holds_null(array: Array) -> bool:
    """Is there a null character before the end of a text?

    >>> holds_null(np.array(["a", "bc"])), holds_null(np.array(["a\\0c"]))
    (False, True)
    """
    if not array.size or not array.itemsize:
        return False
    codes = np.ascontiguousarray(array).view(np.uint32)
    return int(np.count_nonzero(codes)) != int(np.strings.str_len(array).sum())


def array_of(value: object, name: str = "") -> Array | None:
    """The array that an argument of a scalar function is; None for scalars and other objects.

    An array without axes is given back as it is, and is a scalar too.

    >>> array_of([1, 2]), array_of(3) is None, array_of("ab") is None, array_of({"a": [1]}) is None
    (array([1, 2]), True, True, True)
    """
    if isinstance(value, np.ndarray):
        return plain(value)
    if isinstance(value, (bool, int, float, complex, str, bytes, np.generic, dict)):
        return None
    if isinstance(value, Sequence):
        return _array_of_sequence(value, name)
    if any(hasattr(value, a) for a in ("__array__", "__array_interface__", "__array_struct__")):
        if isinstance(value, type):
            return None
        return plain(np.asarray(value))
    return None


def _array_of_sequence(value: Sequence[object], name: str) -> Array:
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"argument {name}: {error}") from None
    # NumPy turns 1 beside "a" into text, and integers beyond int64 into floats.
    text = array.dtype.kind in "US"
    wide = array.dtype.kind in "uf" and bool((np.abs(array) >= 2.0**63).any())
    if text or wide:
        objects = np.asarray(value, dtype=object)
        kinds = {type(v) for v in objects.flat}
        if text and not all(issubclass(kind, (str, bytes)) for kind in kinds):
            return objects
        if wide and kinds <= {int, bool}:
            return objects
    return plain(array)


def plain(array: Array) -> Array:
    """An ndarray in native byte order, texts as NumPy's fixed width text.

    >>> plain(np.array(["a", "bc"], dtype=object))
    array(['a', 'bc'], dtype='<U2')
    """
    array = np.asarray(array)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return native(array) if array.dtype.kind in "TO" else array
