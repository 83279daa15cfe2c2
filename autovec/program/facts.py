"""Facts: what is known of a value before anything runs.

A fact says which lane axes a value varies over, the rank of its sample, its dtype, whether it is
weak in promotion (a Python number) and whether operators on it are Python's or NumPy's.  Facts
decide the emitted text; the data never do.

    >>> x = Fact(lanes=("B",), dtype=np.dtype("float32"))
    >>> join(x, Fact(dtype=np.dtype(float), weak=True)).dtype       # a literal is weak
    dtype('float32')
    >>> join(Fact(dtype=np.dtype(int), weak=True), Fact(dtype=np.dtype(float), weak=True)).dtype
    dtype('float64')
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from autovec.errors import Unsupported
from autovec.program.unknown import (
    UNDECLARED_NUMBER,
    Dtype,
    LateDtype,
    Undeclared,
    Weak,
    mixture,
    result_type,
)

BOOL = np.dtype(bool)
INT = np.dtype(np.int64)
FLOAT = np.dtype(np.float64)
COMPLEX = np.dtype(np.complex128)
STRING = np.dtype(np.str_)
OBJECT = np.dtype(object)
#: the lane axis of a batch; lifted loops and nested batches add others, outermost first
BATCH = "B"
Lanes = tuple[str, ...]


class Extent(int):
    """The length of a sample's axis; ``source`` says of which parameter's which axis, if any.

    >>> Extent(3, ("x", -1)) == 3, Extent(3, ("x", -1)).source
    (True, ('x', -1))
    """

    source: tuple[str, int] | None

    def __new__(cls, length: int, source: tuple[str, int] | None = None) -> Extent:
        made = super().__new__(cls, length)
        made.source = source
        return made


#: the length of an axis that nobody has said yet
UNKNOWN = Extent(-1)
#: the shape of a sample, with what is known of where each length comes from
Shape = tuple[int, ...]
#: the dtype NumPy stores a Python number in
_STORAGE = {"b": BOOL, "i": INT, "f": FLOAT, "c": COMPLEX}
_PYTHON_ONE: dict[str, Any] = {"b": True, "i": 1, "f": 1.0, "c": 1 + 0j, "U": "a"}
#: the sample of an array of these dtypes is a Python scalar under operators
PYTHON_DTYPES = (BOOL, INT, FLOAT, COMPLEX)


@dataclass(frozen=True, slots=True)
class Varying:
    """An argument that differs between lanes: its dtype and the shape of its sample.

    ``holds``: what the elements of an array of objects are, if that is known.
    """

    dtype: Dtype
    shape: Shape = ()
    holds: Any = None

    @property
    def rank(self) -> int:
        """The number of axes of a sample."""
        return len(self.shape)


@dataclass(frozen=True)
class Uniform:
    """An argument that is the same for every lane: a scalar or any object."""

    value: Any


@dataclass(frozen=True)
class Opaque:
    """A column whose samples the text cannot read, and why."""

    why: str


@dataclass(frozen=True)
class Rows:
    """A table as an argument: its columns by name, or by position in a tuple or list.

    ``kind`` is whose manners a row has: a ``dict``'s, a pandas Series' (``frame``), a NumPy
    record's (``record``), those of a ``tuple`` or ``list``, or of an instance of ``cls``, a
    namedtuple or dataclass.
    """

    columns: Mapping[Any, Varying | Uniform | Opaque | Rows]
    kind: str = "dict"
    cls: Any = None
    label: Varying | Opaque | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a value; ``lanes`` empty means uniform.

    ``shape`` is that of a sample, its ``rank`` the number of axes: a varying array is stored with
    its lane axes in front of these.

    ``weak``: a Python number, it does not widen a NumPy dtype (NEP 50).  ``python``: operators are
    Python's (``True + True`` is 2, ``1 // 0`` raises); otherwise NumPy's.  ``mixed``: of another
    kind on some lanes than on others (an int or a float, a bool or an int), held as the wider;
    ``apart``: only where parameters of no declared dtype are neither all integers nor all floats.
    ``either``: operators are Python's on some lanes and NumPy's on others.
    ``holds``: the Python type of each object of an array of objects (see ``ops/result_types.py``).
    """

    dtype: Dtype
    lanes: Lanes = ()
    shape: Shape = ()
    weak: bool = False
    python: bool = True
    mixed: bool = False
    apart: bool = False
    holds: Any = None
    either: bool = False

    @property
    def rank(self) -> int:
        """The number of axes of a sample."""
        return len(self.shape)

    @property
    def known(self) -> np.dtype[Any]:
        """The dtype, which an array's elements have to have."""
        if not isinstance(self.dtype, np.dtype):
            raise Unsupported(None, "an array of no declared dtype", "its elements need one")
        return self.dtype

    @property
    def is_array(self) -> bool:
        """Is a sample an array: not a scalar, nor a table that the text makes for a look-up?"""
        return bool(self.shape) and UNKNOWN not in self.shape

    @property
    def varying(self) -> bool:
        """Does it vary over any lane axis?"""
        return bool(self.lanes)

    @property
    def kind(self) -> str:
        """NumPy's kind letter: i for every signed, u for every unsigned integer, ? for unknown."""
        return self.dtype.kind

    @property
    def plain(self) -> bool:
        """Are operators Python's, also of a number that is weak beside NumPy's?"""
        return self.python or self.weak

    def over(self, lanes: Lanes) -> Fact:
        """The same fact, varying over these lanes as well."""
        merged = union(self.lanes, lanes)
        return self if merged == self.lanes else replace(self, lanes=merged)


def union(a: Lanes, b: Lanes) -> Lanes:
    """The lane axes of either, in the one fixed order."""
    if a == b or not b:
        return a
    return tuple(sorted({*a, *b}))


def common_lanes(facts: Iterable[Fact]) -> Lanes:
    """The lane axes of any of them."""
    return reduce(union, (fact.lanes for fact in facts), ())


def scalar_fact(value: object) -> Fact | None:
    """The fact of a uniform scalar, or None when it is not one.

    >>> scalar_fact(2.5) == Fact(np.dtype(float), weak=True)
    True
    >>> scalar_fact([1]) is None
    True
    """
    if isinstance(value, enum.Enum) and isinstance(value, str):
        return None  # a member is itself, not its text
    if isinstance(value, np.generic):
        if value.dtype.kind not in "biufcUSMm":
            return None
        return Fact(value.dtype, python=False)
    if isinstance(value, Undeclared):
        return Fact(UNDECLARED_NUMBER, weak=True)
    for cls, dtype in ((bool, BOOL), (int, INT), (float, FLOAT), (complex, COMPLEX), (str, STRING)):
        if isinstance(value, cls):
            return Fact(dtype, weak=cls is not str)
    return None


def uniform_fact(value: object) -> Fact | None:
    """The same, also of an array of numbers.

    >>> uniform_fact(np.zeros((2, 3))).shape
    (2, 3)
    """
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        return Fact(value.dtype, shape=value.shape, python=False)
    return scalar_fact(value)


def varying_fact(arg: Varying, lanes: Lanes) -> Fact:
    """The fact of a mapped argument."""
    dtype = STRING if arg.dtype.kind == "U" else arg.dtype  # the text fits any width
    return Fact(dtype, lanes, arg.shape, python=not arg.shape, holds=arg.holds)


class NoCommonType(Exception):
    """Two values that no one dtype holds without changing them (a number and a string, say)."""


def join(a: Fact, b: Fact) -> Fact:
    """The fact of a value that is one of two: union of lanes, promotion of dtypes."""
    lanes = union(a.lanes, b.lanes)
    if a.kind == b.kind and a.kind in "MmO" and a.holds != b.holds:
        raise NoCommonType(f"{a.holds or a.dtype} and {b.holds or b.dtype}")
    if a.shape != b.shape:
        raise NoCommonType(f"{_shaped(a)} and {_shaped(b)}")
    strong = b if a.weak else a
    python = strong.python if a.weak != b.weak else a.python or b.python
    mixture = _mixture(a, b)
    mixed = a.mixed or b.mixed or mixture == "mixed"
    apart = a.apart or b.apart or mixture == "apart"
    # a bool widens no number, so beside one a Python number stays weak, in whatever order they meet
    weak = (a.weak or _narrowest(a)) and (b.weak or _narrowest(b)) and (a.weak or b.weak)
    dtype = promote(a, b)
    either = a.either or b.either or (a.plain != b.plain and {a.kind, b.kind} <= set("biufc"))
    return Fact(dtype, lanes, a.shape, weak, python, mixed, apart, a.holds, either)


def _shaped(fact: Fact) -> str:
    return f"an array of shape {tuple(map(int, fact.shape))}" if fact.shape else "a number"


def _mixture(a: Fact, b: Fact) -> str:
    """May one be of another kind than the other: ``mixed``, ``apart`` (see Fact), or neither?"""
    if "?" in (a.kind, b.kind) and {a.kind, b.kind} <= set("biuf?"):
        return mixture(operands(a), operands(b))
    return "mixed" if a.kind != b.kind and {a.kind, b.kind} <= set("biuf") else ""


def _narrowest(fact: Fact) -> bool:
    return fact.kind == "b"


def union_of(facts: list[Fact]) -> Fact:
    """The fact of a value that is one of many: the promotion of all at once.

    >>> half = Fact(np.dtype(float), weak=True)
    >>> union_of([half, Fact(np.dtype("i1")), Fact(np.dtype("f4"))]).dtype
    dtype('float32')
    """
    joined = reduce(join, facts)
    if joined.weak or joined.kind not in "biufc?":
        return joined
    return replace(joined, dtype=result_type(*(o for fact in facts for o in operands(fact))))


def promote(a: Fact, b: Fact) -> Dtype:
    """The dtype that holds either: Python numbers are weak, bools count as integers."""
    if a.dtype == b.dtype and a.weak == b.weak and a.holds == b.holds:
        return a.dtype
    kinds = {a.kind, b.kind}
    if kinds & set("USOMm"):
        if kinds == {"U"}:  # a width of 0 stands for one that is not known
            if not a.dtype.itemsize or not b.dtype.itemsize:
                return STRING
            return a.dtype if a.dtype.itemsize >= b.dtype.itemsize else b.dtype
        if len(kinds) == 1 and kinds <= set("Mm"):
            return result_type(a.dtype, b.dtype)
        raise NoCommonType(f"{a.dtype} and {b.dtype}")
    return result_type(*operands(a), *operands(b))


def operands(fact: Fact) -> tuple[Any, ...]:
    """What ``np.result_type`` is asked for a fact: a dtype, or a Python number."""
    if isinstance(fact.dtype, LateDtype):
        return fact.dtype.promotion.parts if fact.weak else (fact.dtype,)
    return (Weak(fact.kind) if fact.weak else fact.dtype,)


def storage(fact: Fact) -> Dtype:
    """The dtype a varying value of this fact has in NumPy when nothing casts it.

    A weak varying value (``np.where(t, 1, 2)``) is stored in the default dtype of its kind.
    """
    return _STORAGE.get(fact.kind, fact.dtype) if fact.weak else fact.dtype


def dummy(fact: Fact, one: Any = 1, semantic: bool = True) -> Any:
    """A stand-in with this fact: a one-element array, a NumPy scalar, or a Python number.

    ``semantic``: a weak value is a Python number even where it varies.
    """
    assert not isinstance(fact.dtype, LateDtype), "an unknown dtype is tried one by one"
    if fact.kind in "US":
        width = fact.dtype.itemsize // 4 or 1
        text = "1" * width
        return np.array([text]) if fact.varying else text
    if fact.kind in "Mm":
        value = np.ones(1, dtype="i8").view(fact.dtype)
        return value if fact.varying else value[0]
    if fact.weak and (semantic or not fact.varying):
        return type(_PYTHON_ONE[fact.kind])(one)
    if fact.rank:
        return np.full((1,) * (fact.rank + fact.varying), one, dtype=fact.dtype)
    if fact.varying:
        return np.full(1, one, dtype=fact.dtype)
    return fact.dtype.type(one)
