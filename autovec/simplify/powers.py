"""Whether a uniform power of ints is an int is only looked at where it matters.

    if n < 0: raise OverflowError(...)          y = x * 10 ** n, for a float x,
    y = x * 10 ** n                       ->    which is the same number either way

After this pass a check of an exponent's sign stands only before powers whose type shows, and where
no branch or check around has told it already.
"""

from __future__ import annotations

from collections import defaultdict

import gast

from autovec.ops.prelude import NEGATIVE_POWER
from autovec.program.nodes import Block, Check, If, Let, Node, children, reads, walk
from autovec.program.values import Operation, Value

#: tests against zero that say of the other operand, where they hold or do not, that it is not below
_HOLDS, _FAILS = (">=", ">"), ("<",)


def spare_signs(body: Block) -> None:
    """Remove the checks that nothing depends on, in place."""
    if any(map(_asks, walk(body))):
        _Powers(body).sweep(body, frozenset())


def _asks(node: Node) -> bool:
    """Is it the check of an exponent's sign?"""
    if not isinstance(node, Check):
        return False
    constants = (n.value for n in gast.walk(node.error.exc) if isinstance(n, gast.Constant))
    return NEGATIVE_POWER in constants


class _Powers:
    """The powers of each exponent, and who reads what."""

    def __init__(self, body: Block) -> None:
        self.readers: defaultdict[int, list[Node]] = defaultdict(list)
        self.powers: defaultdict[int, list[Value]] = defaultdict(list)
        for node in walk(body):
            for value in reads(node):
                self.readers[id(value)].append(node)
            op = node.value.op if isinstance(node, Let) else None
            if isinstance(node, Let) and isinstance(op, Operation) and op.name == "**":
                self.powers[id(node.value.args[1])].append(node.value)

    def shows(self, value: Value, depth: int = 8) -> bool:
        """Does it matter whether this uniform number is an int or a float?"""
        for node in self.readers[id(value)]:
            if not isinstance(node, Let) or not isinstance(node.value.op, Operation) or not depth:
                return True
            made = node.value
            if made.fact.kind == "b" or (made.fact.kind in "fc" and not made.fact.mixed):
                continue
            if made.varying or self.shows(made, depth - 1):
                return True
        return False

    def sweep(self, block: Block, known: frozenset[int]) -> None:
        """``known``: the exponents that are not negative here."""
        kept: list[Node] = []
        for node in block.nodes:
            if isinstance(node, Check) and _asks(node):
                exponent = node.test.args[0]
                if id(exponent) in known or not any(map(self.shows, self.powers[id(exponent)])):
                    continue
                known = known | {id(exponent)}
            if isinstance(node, If):
                self.sweep(node.then, known | _not_below(node.test, _HOLDS))
                self.sweep(node.orelse, known | _not_below(node.test, _FAILS))
            else:
                for inner in children(node):
                    self.sweep(inner, known)
            kept.append(node)
        block.nodes = kept


def _not_below(test: Value, signs: tuple[str, ...]) -> set[int]:
    """What a comparison with a literal says is not negative."""
    compared = getattr(test.op, "name", "") in signs and len(test.args) == 2
    limit = getattr(test.args[1].op, "value", None) if compared else None
    enough = isinstance(limit, int) and limit >= 0
    return {id(test.args[0])} if enough else set()
