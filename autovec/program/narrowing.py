"""What a test says of a name: behind ``if v is None`` a number that may be None is one of both.

    found = PRICES.get(k)
    if found is None:
        return 0.0
    return found * 2          # a number here, for all lanes
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager

import gast

from autovec.program.build import Builder
from autovec.program.things import NONE, Maybe, Thing

Names = dict[str, Thing]


def narrowed(b: Builder, test: gast.expr) -> tuple[Names, Names]:
    """What names hold where a test is true, and where it is false, as far as it tells."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        true, false = narrowed(b, test.operand)
        return false, true
    if isinstance(test, gast.BoolOp):
        sides = [narrowed(b, part) for part in test.values]
        k = 0 if isinstance(test.op, gast.And) else 1
        known: Names = {n: t for side in reversed(sides) for n, t in side[k].items()}
        return (known, {}) if k == 0 else ({}, known)
    if not isinstance(test, gast.Compare) or len(test.ops) > 1:
        return {}, {}
    name, other = test.left, test.comparators[0]
    thing = b.env.get(name.id) if isinstance(name, gast.Name) else None
    none = isinstance(other, gast.Constant) and other.value is None
    if not isinstance(name, gast.Name) or not isinstance(thing, Maybe) or not none:
        return {}, {}
    number: Names = {name.id: thing.value}
    nothing: Names = {name.id: NONE}
    if isinstance(test.ops[0], (gast.Is, gast.Eq)):
        return nothing, number
    if isinstance(test.ops[0], (gast.IsNot, gast.NotEq)):
        return number, nothing
    return {}, {}


@contextmanager
def knowing(b: Builder, names: Names, kept: Set[str] = frozenset()) -> Iterator[None]:
    """Build with what is known of these names; but for ``kept``, they are then as they were."""
    before = {n: b.env[n] for n in names}
    b.env.update(names)
    yield
    b.env.update({n: before[n] for n in names.keys() - kept if b.env.get(n) is names[n]})


def side(
    b: Builder, run: Callable[[], Thing | None], names: Names, kept: Set[str] = frozenset()
) -> Callable[[], Thing | None]:
    """One side of a branch, with what its test says; ``kept``: what the other side assigns."""

    def known() -> Thing | None:
        with knowing(b, names, kept):
            return run()

    return known
