"""Names and their types at one place of a generated program.

Types are one letter: what a name holds in every lane that gets there.

    f float64   i int64   b bool   s str   g float32   h int8   j int32
    o str or None   d date
    m int in some lanes, float in others        u v uniform Python int, float
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

T = TypeVar("T")

NUMERIC = frozenset("fim")
FEATURES = tuple(
    """
    early_return ternary boolop chain tuples membership augmented chained unpack walrus match loop
    comprehension helper local_def closure partial math numpy rounding minmax divmod try raise none
    small struct uniform shapes edge strings flag bits power tables delete huge lookup lists
    sequences rows recursion attempts iterators retire kinds texts optional dates arrays
    """.split()
)


@dataclass
class Helper:
    """A callable that expressions may use: its parameters' types and its result's."""

    name: str
    params: str
    result: str  # one letter, or several for a tuple
    names: tuple[str, ...] = ()


@dataclass
class Scope:
    """What may be read and written here."""

    types: dict[str, str] = field(default_factory=dict)
    fixed: set[str] = field(default_factory=set)  # never rebound (loop variables, captured names)
    strong: set[str] = field(default_factory=set)  # int64 array parameters, until rebound
    helpers: list[Helper] = field(default_factory=list)

    def copy(self) -> Scope:
        return Scope(dict(self.types), set(self.fixed), set(self.strong), list(self.helpers))

    def names(self, types: str) -> list[str]:
        return [n for n, t in self.types.items() if t in types]

    def bind(self, name: str, type_: str) -> None:
        self.types[name] = type_
        self.strong.discard(name)


def joined(types: Iterable[str]) -> str | None:
    """The type of a name that has these types on the paths that meet; None: not to be used."""
    found = set(types)
    if len(found) == 1:
        return found.pop()
    found = {{"u": "i", "v": "f"}.get(t, t) for t in found}
    if len(found) == 1:
        return found.pop()
    return "m" if found <= NUMERIC else None


def join(scope: Scope, branches: list[Scope]) -> None:
    """After a branch: what every path that arrives here has defined."""
    if not branches:
        return
    first = branches[0]
    scope.types = {}
    for name in first.types:
        if all(name in b.types for b in branches):
            type_ = joined(b.types[name] for b in branches)
            if type_:
                scope.types[name] = type_
    scope.strong = set.intersection(*(b.strong for b in branches)) & set(scope.types)


class Dice:
    """The random choices of one program, and the features it may use."""

    def __init__(self, seed: str, features: Iterable[str]) -> None:
        self.random = Random(seed)
        self.features = frozenset(features)
        self.counter = 0

    def has(self, feature: str) -> bool:
        return feature in self.features

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, items: Sequence[T]) -> T:
        return self.random.choice(items)

    def recent(self, items: Sequence[T]) -> T:
        """A pick that prefers what was defined last."""
        n = len(items)
        return items[max(self.random.randrange(n), self.random.randrange(n))]

    def weighted(self, options: list[tuple[float, T]]) -> T:
        return self.random.choices([o for _, o in options], [w for w, _ in options])[0]

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"
