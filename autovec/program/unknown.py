"""Dtypes that are known only when the text runs: those of parameters that nothing declares.

A file gives no facts.  A parameter without a declared dtype may be given bools, integers and floats
of any width, so its dtype is a *source*, and the dtype of what is computed from it is what
``np.result_type`` makes of sources, dtypes and Python numbers:

    >>> x = LateDtype(Promotion((Source("x", DTYPES),)))
    >>> print(result_type(x, 1.0), result_type(x, np.dtype(float)))
    np.result_type(x, 1.0) float64

Sources are few and so are dtypes: what a promotion gives is tried for each combination of them.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autovec.program.dtype_names import dtype_text

#: what a parameter of no declared dtype may be given
DTYPES: tuple[np.dtype[Any], ...] = tuple(
    np.dtype(code)
    for code in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
)
#: one dtype of each kind and behaviour, enough to tell texts apart
FEW: tuple[np.dtype[Any], ...] = tuple(
    np.dtype(code) for code in ("?", "i1", "i8", "u1", "u8", "f2", "f8")
)
#: the text of a dtype that has no expression
UNSAID = "?"
#: more combinations of dtypes than this are not tried
MOST = 2000
_ONES: Mapping[str, Any] = {"b": True, "i": 1, "f": 1.0, "c": 1j}


@dataclass(frozen=True)
class Weak:
    """A Python number of a kind: it widens no dtype of its own kind."""

    kind: str

    @property
    def one(self) -> Any:
        """A number of the kind."""
        return _ONES[self.kind]

    @property
    def stored(self) -> np.dtype[Any]:
        """The dtype that NumPy stores it in."""
        return np.asarray(self.one).dtype

    def __str__(self) -> str:
        return repr(self.one)


@dataclass(frozen=True)
class Source:
    """The dtype, or the Python number, that the expression ``text`` turns out to have."""

    text: str
    among: tuple[Any, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Promotion:
    """What NumPy makes of sources, dtypes, Python numbers and other promotions.

    ``within``: the kinds that it can have, if these are fewer than its parts say.
    """

    parts: tuple[Any, ...]
    within: str = ""

    def __str__(self) -> str:
        return f"np.result_type({', '.join(map(_text, self.parts))})"

    def sources(self) -> tuple[Source, ...]:
        """Every source, once, in the order of the text."""
        found: dict[Source, None] = {}
        for part in self.parts:
            if isinstance(part, Source):
                found[part] = None
            elif isinstance(part, Promotion):
                found.update(dict.fromkeys(part.sources()))
        return tuple(found)

    def at(self, world: Mapping[str, Any]) -> np.dtype[Any] | None:
        """The dtype where the sources are these; None where they cannot be these."""
        operands = []
        for part in self.parts:
            found = world[part.text] if isinstance(part, Source) else part
            found = found.at(world) if isinstance(found, Promotion) else found
            if found is None:
                return None
            operands.append(found.one if isinstance(found, Weak) else found)
        made = np.result_type(*operands)
        return made if not self.within or made.kind in self.within else None


@dataclass(frozen=True, eq=False)
class LateDtype:
    """A dtype that is known when the text runs.  Two are equal if they are wherever it is tried."""

    promotion: Promotion

    @property
    def possible(self) -> tuple[np.dtype[Any], ...]:
        """The dtypes that it can be."""
        return possible(self.promotion)

    @property
    def kind(self) -> str:
        """NumPy's kind letter where it is known, else ``?``."""
        kinds = {dtype.kind for dtype in self.possible}
        return kinds.pop() if len(kinds) == 1 else "?"

    @property
    def unsaid(self) -> bool:
        """Is there no expression for it?"""
        return any(s.text.startswith(UNSAID) for s in self.promotion.sources())

    @property
    def itemsize(self) -> int:
        """The widest that it can be."""
        return max(dtype.itemsize for dtype in self.possible)

    @property
    def name(self) -> str:
        """What it is in words."""
        return "number of no declared dtype"

    def __str__(self) -> str:
        return str(self.promotion)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LateDtype):
            return False
        a, b = self.promotion, other.promotion
        return a == b or (set(a.sources()) == set(b.sources()) and _same(a, b))

    def __hash__(self) -> int:
        return hash(frozenset(self.promotion.sources()))


Dtype = np.dtype[Any] | LateDtype


def source(text: str, among: tuple[Any, ...] = DTYPES) -> LateDtype:
    """The unknown dtype of what an expression gives."""
    return LateDtype(Promotion((Source(text, among),)))


class Undeclared(float):
    """What stands for a Python number whose value and type only running the text would tell."""


#: what a parameter is declared with that nothing is known of; it is named where it is bound
UNDECLARED = source("")
#: the same for a Python number that is the same for all samples
UNDECLARED_NUMBER = source("", (Weak("i"), Weak("f")))


def _text(part: Any) -> str:
    if isinstance(part, np.dtype):
        return dtype_text(part)
    return str(part)


def named(dtype: LateDtype, text: str) -> LateDtype:
    """The dtype of a parameter that is read by this text, which can be what ``dtype`` can be."""
    weak = all(isinstance(a, Weak) for s in dtype.promotion.sources() for a in s.among)
    return source(text, tuple(Weak(d.kind) for d in dtype.possible) if weak else dtype.possible)


def result_type(*operands: Any) -> Dtype:
    """``np.result_type`` of dtypes, Python numbers and unknown dtypes, as simple as it can be said.

    >>> x, y = source("x"), source("y")
    >>> print(result_type(result_type(x, 1.0), 1), result_type(x, x))
    np.result_type(x, 1.0) np.result_type(x)
    >>> print(result_type(result_type(x, 1.0), y))      # a small integer and 1.0 are 64 bits wide
    np.result_type(np.result_type(x, 1.0), y)
    """
    parts = tuple(dict.fromkeys(map(part_of, operands)))
    if not any(isinstance(p, (Promotion, Source)) for p in parts):
        return np.result_type(*(p.one if isinstance(p, Weak) else p for p in parts))
    found = _simplest(parts)
    return LateDtype(found) if isinstance(found, Promotion) else found


def part_of(operand: Any) -> Any:
    """An operand of ``result_type`` as a part of a promotion."""
    if isinstance(operand, LateDtype):
        made = operand.promotion
        alone = made.parts[0] if len(made.parts) == 1 and not made.within else None
        # the dtype of a Python number is that of an array of it: it is not weak
        plain = not isinstance(alone, Source) or not isinstance(alone.among[0], Weak)
        return alone if alone is not None and plain else made
    if isinstance(operand, (bool, int, float, complex)):
        return Weak(np.asarray(operand).dtype.kind)
    return operand


@functools.lru_cache(maxsize=4096)
def _simplest(parts: tuple[Any, ...]) -> Promotion | np.dtype[Any]:
    if len(parts) == 1 and isinstance(parts[0], Promotion):
        return parts[0]
    exact = Promotion(parts)
    want = table(exact)
    if want is None:
        dtypes = possible(exact)
        return dtypes[0] if len(dtypes) == 1 else exact
    found = {dtype for dtype in want if dtype is not None}
    if len(found) == 1:
        return found.pop()
    for simple in _simpler(exact):
        if agrees(simple, want, exact.sources()):
            return restricted(simple, found)
    return exact


def _simpler(exact: Promotion) -> Iterator[Promotion]:
    """Other ways to say it, the simplest first."""
    sources = tuple(sorted(exact.sources(), key=str))
    yield Promotion(sources)
    for extra in (Weak("i"), Weak("f"), np.dtype(np.float16)):
        yield Promotion((*sources, extra))
    yield from (part for part in exact.parts if isinstance(part, Promotion))
    yield Promotion(tuple(dict.fromkeys(flat(exact))))


def flat(dtype: Promotion) -> Iterator[Any]:
    """All parts, those of inner promotions too."""
    for part in dtype.parts:
        yield from flat(part) if isinstance(part, Promotion) else (part,)


def restricted(dtype: Promotion, found: Collection[np.dtype[Any]]) -> Promotion:
    """The promotion where it is known that it can only have the kinds of these dtypes."""
    kinds = {d.kind for d in found}
    if kinds == {d.kind for d in possible(dtype)}:
        return dtype
    return replace(dtype, within="".join(sorted(kinds)))


def agrees(dtype: Promotion, want: tuple[Any, ...], sources: tuple[Source, ...]) -> bool:
    """Is it this table over these sources, wherever the table says anything?"""
    if not set(dtype.sources()) <= set(sources):
        return False
    return all(w is None or dtype.at(v) == w for v, w in zip(_worlds(sources), want, strict=True))


@functools.lru_cache(maxsize=4096)
def _same(a: Promotion, b: Promotion) -> bool:
    want = table(a)
    if want is None:
        return False
    return all(b.at(v) == w for v, w in zip(_worlds(a.sources()), want, strict=True))


@functools.lru_cache(maxsize=4096)
def table(dtype: Promotion) -> tuple[np.dtype[Any] | None, ...] | None:
    """What it is for each combination of its sources; None if these are too many."""
    sources = dtype.sources()
    if math.prod(len(s.among) for s in sources) > MOST:
        return None
    return tuple(dtype.at(world) for world in _worlds(sources))


def _worlds(sources: tuple[Source, ...]) -> Iterator[dict[str, Any]]:
    names = [s.text for s in sources]
    for chosen in itertools.product(*(s.among for s in sources)):
        yield dict(zip(names, chosen, strict=True))


@functools.lru_cache(maxsize=4096)
def possible(dtype: Promotion) -> tuple[np.dtype[Any], ...]:
    """The dtypes that it can be, the narrow ones first; more than that where it is not tried."""
    made = table(dtype)
    if made is not None:
        found = {d for d in made if d is not None}
    else:
        found = set()
        for part in dtype.parts:
            among = part.among if isinstance(part, Source) else (part,)
            among = possible(part) if isinstance(part, Promotion) else among
            ones = [a.one if isinstance(a, Weak) else a for a in among]
            found = {np.result_type(d, o) for d in found or ones for o in ones}
        found = {d for d in found if not dtype.within or d.kind in dtype.within}
    return tuple(sorted(found, key=lambda d: ("biufc".find(d.kind), d.itemsize)))


@functools.lru_cache(maxsize=4096)
def mixture(a: tuple[Any, ...], b: tuple[Any, ...]) -> str:
    """Where may one of two be an integer and the other a float?

    ``apart``: only where not all sources are integers, or all floats; ``mixed``: elsewhere too.

    >>> x, y = source("x"), source("y")
    >>> mixture((x,), (y,)), mixture((x,), (Weak("i"),)), mixture((x,), (x, y))
    ('apart', 'mixed', 'apart')
    """
    one, other = (Promotion(tuple(map(part_of, operands))) for operands in (a, b))
    sources = tuple(dict.fromkeys((*one.sources(), *other.sources())))
    if math.prod(len(s.among) for s in sources) > MOST:
        return "mixed"
    found = ""
    for world in _worlds(sources):
        kinds = [made and made.kind == "f" for made in (one.at(world), other.at(world))]
        wide = np.dtype("u8") in world.values()  # beside a signed integer NumPy makes it a float
        if None in kinds or kinds[0] == kinds[1] or wide:
            continue
        if len({getattr(d, "kind", "") == "f" for d in world.values()}) == 1:
            return "mixed"
        found = "apart"
    return found


def substituted(dtype: Dtype, given: Mapping[str, tuple[Any, ...]]) -> Dtype:
    """The dtype with sources replaced by operands of ``result_type``.

    >>> print(substituted(result_type(source("x"), 1.0), {"x": (source("mass"), 1)}))
    np.result_type(mass, 1.0)
    """
    return _substituted(dtype.promotion, given) if isinstance(dtype, LateDtype) else dtype


def _substituted(dtype: Promotion, given: Mapping[str, tuple[Any, ...]]) -> Dtype:
    operands: list[Any] = []
    for part in dtype.parts:
        if isinstance(part, Source):
            operands += given.get(part.text, (LateDtype(Promotion((part,))),))
        else:
            operands.append(_substituted(part, given) if isinstance(part, Promotion) else part)
    made = result_type(*operands)
    if isinstance(made, LateDtype) and dtype.within:
        found = [d for d in made.possible if d.kind in dtype.within]
        return LateDtype(restricted(made.promotion, found)) if found else made
    return made
