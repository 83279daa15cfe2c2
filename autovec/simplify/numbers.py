"""What arithmetic says of floats: which are never NaN, which never -0.0, how large they get.

Loops are taken into account by assuming the best of what they carry and taking back what a trip
does not keep.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from autovec.program.facts import FLOAT
from autovec.program.nodes import Block, CarryResult, If, Let, Loop
from autovec.program.values import Const, Operation, Value

#: float arithmetic on numbers that stay below this does not overflow, rounding included
LARGE = 1e300


@dataclass(frozen=True)
class Number:
    """What is known of a number: it is never NaN, never -0.0, at most this large, never zero."""

    ordered: bool = False
    signless: bool = False
    bound: float = math.inf
    nonzero: bool = False

    @property
    def finite(self) -> bool:
        """Is it neither NaN nor infinite?"""
        return self.ordered and self.bound < LARGE

    def meet(self, other: Number) -> Number:
        """What holds of either."""
        return Number(
            self.ordered and other.ordered,
            self.signless and other.signless,
            max(self.bound, other.bound),
            self.nonzero and other.nonzero,
        )


UNKNOWN = Number()
#: the best that is assumed of what a loop carries
_ASSUMED = Number(True, True)


class Numbers:
    """What is known of every value of a program."""

    def __init__(self, body: Block) -> None:
        self.found: dict[int, Number] = {}
        self.carried: dict[int, Number] = {}
        self.changed = True
        while self.changed:
            self.changed = False
            self.visit(body)

    def of(self, value: Value) -> Number:
        """What is known of a value."""
        known = self.found.get(id(value))
        return leaf(value) if known is None else known

    def visit(self, block: Block) -> None:
        """Find what the nodes of a block define."""
        for node in block.nodes:
            if isinstance(node, Let):
                self.found[id(node.value)] = self.computed(node.value)
            elif isinstance(node, If):
                self.visit(node.then)
                self.visit(node.orelse)
                for phi in node.phis:
                    sides = [self.of(v) for v in (phi.then, phi.orelse) if v is not None]
                    met = sides[0] if len(sides) == 1 else sides[0].meet(sides[1])
                    self.found[id(phi.value)] = self.kept(phi.value, met)
            elif isinstance(node, Loop):
                self.loop(node)

    def loop(self, node: Loop) -> None:
        """Assume the best of the carries; take back what does not hold behind a trip."""
        for c in node.carries:
            assumed = self.carried.setdefault(id(c), self.of(c.init).meet(_ASSUMED))
            self.found[id(c.head)] = self.kept(c.head, assumed)
        for inner in (node.head, node.body):
            if inner is not None:
                self.visit(inner)
        for k, c in enumerate(node.carries):
            ways = [e.values[k] for e in node.breaks]
            met = self.after(c, ways)
            if met != self.carried[id(c)]:
                self.carried[id(c)] = met
                self.changed = True
            self.found[id(c.result)] = self.kept(c.result, met)

    def after(self, c: CarryResult, ways: list[Value]) -> Number:
        """What holds of a carried value before, during and behind the loop."""
        met = self.carried[id(c)].meet(self.of(c.init))
        for v in [*ways, *([] if c.next is None else [c.next])]:
            known = self.of(v)
            met = met.meet(Number(known.ordered, known.signless))
        return Number(met.ordered, met.signless)

    def kept(self, value: Value, known: Number) -> Number:
        """What a merged value keeps: another dtype rounds."""
        if value.fact.kind in "biu":
            return leaf(value)
        return known if value.fact.dtype == FLOAT else UNKNOWN

    def computed(self, value: Value) -> Number:
        """What is known of an operation's result."""
        if value.fact.kind in "biu" or not isinstance(value.op, Operation):
            return leaf(value)
        if value.fact.dtype != FLOAT or any(a.fact.kind not in "biuf" for a in value.args):
            return UNKNOWN
        rule = _RULES.get(value.op.name)
        return rule(value, [self.of(a) for a in value.args]) if rule else UNKNOWN


def leaf(value: Value) -> Number:
    """What is known of a value by itself."""
    if value.fact.kind in "biu":
        return Number(True, True, min(value.bound, 2.0**64))
    if value.fact.dtype != FLOAT:
        return UNKNOWN
    if isinstance(value.op, Const):
        x = value.op.value
        return Number(x == x, x != 0 or math.copysign(1.0, x) > 0, abs(x), x != 0)
    return Number(value.plain > 0, value.plain > 0, nonzero=value.plain == 2)


def _plus(value: Value, known: list[Number]) -> Number:
    a, b = known
    ordered = a.ordered and b.ordered and (a.finite or b.finite)
    # equal numbers of opposite sign add up to 0.0
    return Number(ordered, a.signless or b.signless, a.bound + b.bound)


def _minus(value: Value, known: list[Number]) -> Number:
    a, b = known
    ordered = a.ordered and b.ordered and (a.finite or b.finite)
    return Number(ordered, a.signless, a.bound + b.bound)


def _times(value: Value, known: list[Number]) -> Number:
    a, b = known
    safe = (a.finite and b.finite) or any(map(_scale, value.args))
    whole = any(
        _scale(c) and c.op.value > 0 and x.fact.kind in "biu"  # type: ignore[union-attr]
        for c, x in (value.args, value.args[::-1])
    )
    bound = 0.0 if 0 in (a.bound, b.bound) else a.bound * b.bound
    square = value.args[0] is value.args[1]
    return Number(a.ordered and b.ordered and safe, whole or square, bound)


def _over(value: Value, known: list[Number]) -> Number:
    a, c = known[0], value.args[1]
    if not _scale(c):
        return UNKNOWN
    number: float = c.op.value  # type: ignore[union-attr]
    whole = number > 0 and value.args[0].fact.kind in "biu"
    return Number(a.ordered, whole, a.bound / abs(number))


def _scale(c: Value) -> bool:
    """Is it a literal by which an integer is scaled without becoming 0 or infinite?"""
    return isinstance(c.op, Const) and 1e-200 < abs(c.op.value) < 1e200


def _negative(value: Value, known: list[Number]) -> Number:
    return Number(known[0].ordered, False, known[0].bound)


def _size(value: Value, known: list[Number]) -> Number:
    return Number(known[0].ordered, True, known[0].bound)


def _exponential(value: Value, known: list[Number]) -> Number:
    return Number(known[0].ordered, True)


def _same(value: Value, known: list[Number]) -> Number:
    return known[0]


def _extreme(value: Value, known: list[Number]) -> Number:
    met = known[0]
    for other in known[1:]:
        met = met.meet(other)
    return met


_RULES = {
    "+": _plus, "-": _minus, "*": _times, "/": _over, "neg": _negative,
    "builtins.abs": _size, "abs": _size, "math.fabs": _size, "numpy.abs": _size,
    "numpy.absolute": _size, "numpy.fabs": _size, "math.exp": _exponential,
    "numpy.exp": _exponential, "builtins.float": _same, "float": _same, "pos": _same,
    "max": _extreme, "min": _extreme,
}  # fmt: skip
