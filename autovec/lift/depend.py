"""Dependence: may all turns of one statement run before all turns of the next?

The loop runs its statements turn by turn; the lifted text runs each statement for all turns, reads
before stores. Two places that touch the same element, one of them storing, must keep their order.
Where they touch it at turns `t` (store) and `t + d`, the sign of `d` says which comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Any

from autovec.errors import Unsupported
from autovec.lift.facts import bounds
from autovec.lift.nest import Access, Nest
from autovec.lift.poly import Poly, number
from autovec.lift.values import Turn
from autovec.syntax import quote
from autovec.syntax.build import any_of


class Dependence(Unsupported):
    """A store and another access whose order the lifted text would change."""

    def __init__(self, store: Access, other: Access) -> None:
        what = "a store that another turn reads" if not other.write else "two stores in order"
        super().__init__(store.node, what, "the turns depend on each other")
        self.store = store
        self.other = other


def check(nest: Nest) -> None:
    """Refuses (or sets a condition) where the lifted order of accesses is not the loop's."""
    accesses = nest.accesses
    for store in accesses:
        if not store.write:
            continue
        for other in accesses:
            if other is store:
                _once(store)
            elif not (other.write and other.at < store.at):
                _pair(nest, store, other)


def _once(store: Access) -> None:
    """A store that several turns make to one element: the last has to win."""
    if store.atomic or store.fill is not None or any(sub is None for sub in store.subs):
        return
    covered = {t.row for t in store.turns}  # a number is of one row
    for turn in store.turns:
        if turn not in covered and not any(
            turn.sym in sub.symbols for sub in store.subs if sub is not None
        ):
            raise Unsupported(store.node, "a store that turns repeat", "the last one has to win")
    for sub in store.subs:
        inside = [t for t in store.turns if sub is not None and t.sym in sub.symbols]
        if len(inside) > 1:
            raise Unsupported(store.node, "a store at a sum of indices", "turns may repeat it")


def _pair(nest: Nest, store: Access, other: Access) -> None:
    if store.arr.key != other.arr.key:
        if not _may_overlap(nest, store, other):
            return
        nest.apart(store.arr, other.arr)
        return
    if store.node is other.node and store.atomic and not other.write:
        return
    if other.write and store.fill is not None and _same(store.fill, other.fill):
        return
    before = store.at < other.at  # in the lifted text
    bad = -1 if before else 1  # the sign of d that would be out of order
    signs = list(_signs(nest, store, other))
    same = any(sign == 0 for sign, _ in signs)
    if other.early and same and store.order == other.order:
        raise Unsupported(store.node, "a store that the same turn reads", "and another one, too")
    if same and store.order != other.order and (store.order < other.order) != before:
        raise Dependence(store, other)  # the statements were moved past each other
    if all(sign != bad for sign, _ in signs):
        return
    if any(sign == bad and poly is None for sign, poly in signs):
        raise Dependence(store, other)
    for sign, poly in signs:
        if sign == bad and poly is not None:
            distance, turns = poly
            wanted = -distance if bad > 0 else distance
            facts = nest.facts
            tests = [quote.expr("d >= 0", d=facts.render(wanted))]
            if turns is not None:
                away = -wanted - turns
                tests.append(quote.expr("d >= 0", d=facts.render(away)))
            nest.condition(any_of(tests))


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and repr(a) == repr(b)


def _may_overlap(nest: Nest, store: Access, other: Access) -> bool:
    if store.arr.roots & other.arr.roots:
        raise Unsupported(store.node, "a store into an array that another name looks at")
    return any(r.startswith("param ") for r in store.arr.roots) and any(
        r.startswith("param ") for r in other.arr.roots
    )


def _signs(
    nest: Nest, store: Access, other: Access
) -> Iterator[tuple[int, tuple[Poly, Poly | None] | None]]:
    """The signs that the distance in turns may have; a distance that is not a number with it."""
    common = [a for a, b in zip(store.turns, other.turns, strict=False) if a is b]
    gap = _mirrored(store, other, common)
    if gap is not None and (gap > 0 or len(common) == 2):
        if gap == 0:
            yield 0, None
        return
    distances: dict[str, Poly] = {}
    for a, b in zip(store.subs, other.subs, strict=True):
        if a is None or b is None:
            continue
        verdict = _axis(nest, store, other, common, a, b)
        if verdict is None:
            return
        for sym, distance in verdict.items():
            if sym in distances and (distances[sym] - distance).constant not in (0, None):
                return
            distances[sym] = distance
    for turn in common:
        found = distances.get(turn.sym)
        same_row = any(t.row is turn and t.sym in distances for t in common)
        if turn.virtual or (
            same_row and not any(distances[t.sym].constant != 0 for t in common if t.row is turn)
        ):
            continue
        if found is None:
            yield -1, None
            yield 1, None
            continue
        way = -1 if turn.down else 1
        value = found.constant
        if value is None:
            count = turn.count
            symbols = nest.facts.symbols
            for sign in (1, -1):
                size = found * sign
                if symbols.at_least(-size, 0):
                    continue
                if count is not None and symbols.at_least(size - count, 0):
                    continue
                yield sign * way, None if symbols.at_least(size, 1) else (found * way, count)
            continue
        if value:
            yield (1 if value > 0 else -1) * way, None
            return
    yield 0, None


def _mirrored(store: Access, other: Access, common: list[Turn]) -> int | None:
    """How far from the diagonal at least: the two are `x[i, j]` and `x[j, i]` of a triangle.

    `j - i >= c` in both turns, so that they meet on the diagonal only, where both are one turn.
    """
    subs = store.subs
    if len(subs) != 2 or None in subs or other.subs != subs[::-1]:
        return None
    for turn in common:
        for natural in turn.within:
            for p, q in (subs, subs[::-1]):
                assert p is not None and q is not None
                gap = (q - p - natural).constant
                inside = [[t for t in common if t.sym in s.symbols] for s in (p, q)]
                plain = all(len(s) == 1 for s in inside) and inside[0] != inside[1]
                if gap is not None and gap >= 0 and plain:
                    return gap
    return None


def _axis(
    nest: Nest, store: Access, other: Access, common: list[Turn], a: Poly, b: Poly
) -> dict[str, Poly] | None:
    """Distances that one axis tells, by loop; None if the two never meet."""
    inside_a = [t for t in store.turns if t.sym in a.symbols]
    inside_b = [t for t in other.turns if t.sym in b.symbols]
    symbols = nest.facts.symbols
    if not inside_a and not inside_b:
        gap = a - b
        far = symbols.at_least(gap, 1) or symbols.at_least(-gap, 1)
        return None if far else {}
    if len(inside_a) == 1 and inside_b == inside_a and inside_a[0] in common:
        turn = inside_a[0]
        factor, same = a.factor(turn.sym), b.factor(turn.sym)
        if factor is not None and factor == same and factor.constant:
            gap = a.without(turn.sym) - b.without(turn.sym)
            value, scale = gap.constant, factor.constant
            if value is not None:
                if value % (scale * turn.step if turn.step != 1 else scale):
                    return None
                return {turn.sym: number(value // scale)}
            if abs(scale) == 1 and turn.step == 1:
                return {turn.sym: gap * scale}
            return {}
    return None if _disjoint(nest, store, other, a, b) else {}


def _disjoint(nest: Nest, store: Access, other: Access, a: Poly, b: Poly) -> bool:
    """Do the two run over different parts of the axis, or over different remainders?"""
    x, y = bounds(a, store.turns), bounds(b, other.turns)
    symbols = nest.facts.symbols
    if x is not None and y is not None:
        above, below = x[0] - y[1], y[0] - x[1]
        if symbols.at_least(above, 1) or symbols.at_least(below, 1):
            return True
    steps: list[int] = []
    bases = []
    for poly, turns in ((a, store.turns), (b, other.turns)):
        base = poly
        for turn in turns:
            factor = base.factor(turn.sym)
            if factor is None or factor.constant is None:
                return False
            if factor.constant:
                steps.append(abs(factor.constant) * turn.step)
                base = base.replaced(turn.sym, turn.low)
        bases.append(base)
    gap = (bases[0] - bases[1]).constant
    return gap is not None and bool(steps) and bool(gap % gcd(*steps))
