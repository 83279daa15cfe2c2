"""What is known of the values in and around a loop.

A `Lane` is a number that may differ from one turn of the lifted loops to the next; an `Arr` is an
array that the loops read and write; `Turn` is the index of one lifted loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.poly import Poly
from autovec.syntax import quote

#: the least is one of the first numbers or more, the largest one of the others or less
Span = tuple[tuple[Poly, ...], tuple[Poly, ...]]


@dataclass(frozen=True, eq=False)
class Lane:
    """A number: its text for all turns at once, and the loops it varies over, outermost first.

    `sample` is a number of the type that the loop computes, a NumPy scalar or a Python number.
    `poly` says which integer it is, in terms of indices and lengths. `total`: computing it for
    turns that would not compute it does no harm. `reads`: the arrays its text looks at.
    """

    expr: gast.expr | None
    axes: tuple[str, ...]
    sample: Any
    poly: Poly | None = None
    total: bool = True
    reads: frozenset[str] = frozenset()
    factors: tuple[Lane, Lane] | None = None
    named: str | None = None
    triangle: Any = None  # a test that is one of a triangle's indices
    naturals: tuple[Poly, ...] = ()  # a test that says that these are not negative
    either: bool = False  # Python's number or NumPy's: that is known only when it runs
    mixed: bool = False  # Python's number in some turns, NumPy's in others
    small: bool = False  # a Python integer that is at most as large as an array is long
    grown: int = 0  # how often two such integers were added
    again: Any = None  # makes the lane anew, for the lanes that run then
    element: tuple[str, tuple[Poly, ...]] | None = None  # the array and the place that it is
    span: Span | None = None  # of Python's integers
    compared: tuple[type, Lane, Lane] | None = None  # of a test that is one comparison

    @property
    def python(self) -> bool:
        """Is it a Python number, and not one of NumPy's?"""
        return not isinstance(self.sample, np.generic)

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.asarray(self.sample).dtype

    def standin(self) -> Any:
        """What the lifted text has in its place: an array where it varies."""
        return np.asarray(self.sample).reshape(1).repeat(2) if self.axes else self.sample


@dataclass(frozen=True, eq=False)
class Arr:
    """An array: a name's object, its lengths, and the arrays it may share memory with."""

    key: str
    dtype: np.dtype[Any]
    dims: tuple[Poly, ...]
    roots: frozenset[str]
    param: str | None = None
    plain: bool = False  # its items stand for Python integers: places in an array

    @property
    def rank(self) -> int:
        return len(self.dims)


@dataclass(frozen=True, eq=False)
class Fresh:
    """A list that the function made empty."""

    key: str


@dataclass(frozen=True, eq=False)
class Row:
    """A name for a part of an array: `m[i]`, `m[i, a:b]`, as an expression of marks."""

    node: Any
    arr: Arr
    dims: tuple[Poly, ...]
    plain: bool  # no slices: its elements are elements of the array


@dataclass(frozen=True, eq=False)
class Vector:
    """An array that each turn computes: one element of it, and the loops over its axes."""

    lane: Lane
    turns: tuple[Turn, ...]


@dataclass(frozen=True, eq=False)
class Stream:
    """A random number generator that the function made."""

    key: str


@dataclass(frozen=True, eq=False)
class Turn:
    """A lifted loop: its index runs over low, low + step, ... up to `last`, in that order or back.

    `stop` is where the range ends; `last` is the largest index there is.
    """

    sym: str
    name: str
    low: Poly
    stop: Poly
    step: int
    last: Poly
    down: bool = False
    node: Any = None
    within: tuple[Poly, ...] = ()  # what is natural in the turns that there are
    row: Turn | None = None  # the loop whose rows, of different lengths, it goes through
    counts: Any = None  # how long each of them is
    virtual: bool = False  # it is an axis of an array in the body: NumPy reads before it stores

    @property
    def count(self) -> Poly | None:
        """How many turns, where that is a polynomial (and not negative)."""
        return self.stop - self.low if self.step == 1 else None


class Carried(Exception):
    """A name was read that one turn hands to the next."""


@dataclass(eq=False)
class Accumulator:
    """A carried name inside the loop that updates it: no use but its own update is allowed."""

    name: str
    op: str
    before: Lane
    depth: int
    value: Lane
    pieces: list[Any] = field(default_factory=list)
    pack: Any = None  # the packed lanes that it is one of
    empty: bool = False  # it is None before the loop


class Nothing:
    """A name that is None so far."""


def typed(fn: Callable[..., Any], array: Callable[..., Any], lanes: list[Lane], node: Any) -> Any:
    """What the operation gives in the loop; refused if the array operation gives another dtype."""
    with np.errstate(all="ignore"):
        try:
            one = fn(*(lane.sample for lane in lanes))
            many = array(*(lane.standin() for lane in lanes))
            if any(lane.mixed for lane in lanes):
                weak = [np.asarray(k.sample).item() if k.mixed else k.sample for k in lanes]
                if np.asarray(fn(*weak)).dtype != np.asarray(one).dtype:
                    raise TypeError("a number that is Python's in some turns decides the type")
            if any(lane.either for lane in lanes):
                strong = [np.asarray(k.sample)[()] if k.either else k.sample for k in lanes]
                if np.asarray(fn(*strong)).dtype != np.asarray(one).dtype:
                    raise TypeError("a number that may be Python's or NumPy's decides the type")
        except Exception as error:
            raise Unsupported(
                node, "an operation that these values do not have", str(error)
            ) from None
    if not isinstance(one, (bool, int, float, complex, np.generic)):
        raise Unsupported(node, f"a {type(one).__name__}", "lifted values are numbers")
    if np.asarray(one).dtype != np.asarray(many).dtype:
        why = f"the loop gives {np.asarray(one).dtype}, arrays would give {np.asarray(many).dtype}"
        raise Unsupported(node, "mixed types of numbers", why)
    return _standard(one)


def _standard(one: Any) -> Any:
    """A harmless number of the same type: operations on it have no zero and no overflow."""
    if isinstance(one, np.generic):
        return one.dtype.type(sample_number(one.dtype))
    return type(one)(sample_number(np.asarray(one).dtype))


def sample_number(dtype: np.dtype[Any]) -> Any:
    return {"b": True, "f": 0.5}.get(dtype.kind, 1)


def sample_of(dtype: np.dtype[Any]) -> Any:
    """The NumPy scalar that an element of this dtype is."""
    return dtype.type(sample_number(dtype))


def constant(value: Any) -> Lane:
    from autovec.lift.poly import number

    poly = number(value) if type(value) is int else None
    return Lane(quote.const(value), (), value, poly)


def none_slots(axes: tuple[str, ...], whole: tuple[str, ...]) -> list[gast.expr] | None:
    """The index that gives an array of some axes a place for each axis of the whole.

    None where it has its axes at the end, in order: then NumPy aligns it by itself.
    """
    if axes == whole[len(whole) - len(axes) :]:
        return None
    first = whole.index(axes[0])
    return [
        quote.expr("x[:]", x="x").slice if axis in axes else quote.const(None)  # type: ignore[attr-defined]
        for axis in whole[first:]
    ]


def small(lane: Lane) -> bool:
    """Is it an integer of the size of an array's length?"""
    if is_constant(lane):
        return bool(abs(lane.sample) < 1 << 20)
    if lane.poly is None:
        return lane.small
    return all(name.startswith(("len ", "@")) for name in lane.poly.symbols)


def is_constant(lane: Lane) -> bool:
    """Is it an integer that is written in the text?"""
    return isinstance(lane.expr, gast.Constant) and type(lane.sample) is int


def naturals_of(kind: type, a: Lane, b: Lane) -> tuple[Poly, ...]:
    """What a comparison of indices says: of ``i < n`` that `n - 1 - i` is not negative."""
    if a.poly is None or b.poly is None:
        return ()
    gap = b.poly - a.poly
    found: dict[type, tuple[Poly, ...]] = {
        gast.Lt: (gap - 1,), gast.LtE: (gap,), gast.Gt: (-gap - 1,), gast.GtE: (-gap,),
        gast.Eq: (gap, -gap),
    }  # fmt: skip
    return found.get(kind, ())


def merged(node: Any, a: Lane, b: Lane) -> Any:
    """The type of a number that is one of two."""
    try:
        made = np.where(np.array([True, False]), a.standin(), b.standin())
    except OverflowError as error:  # NumPy 2.5 asks whether a Python number fits
        raise Unsupported(node, "a number that the array's dtype cannot hold", str(error)) from None
    for lane, other in ((a, b), (b, a)):
        dtype = lane.dtype
        if dtype == made.dtype:
            continue
        weak = lane.python and dtype.kind in "if" and made.dtype.kind == "f" and not lane.axes
        if not weak or (lane.dtype.kind == "f" and other.dtype.kind != "f"):
            raise Unsupported(node, f"{a.dtype} in some turns, {b.dtype} in others")
    if a.python and b.python:
        return a.sample if type(a.sample) is type(b.sample) else 0.5
    return made.dtype.type(a.sample)
