"""``max`` and ``min`` by NumPy's own function, where no NaN and no zero's sign can tell.

Python's ``max(x, y)`` is ``y if y > x else x``: x where they compare equal or not at all.  After
this pass those are ``np.maximum`` and its kin which are the same for these operands: a NaN cannot
occur, or comes out as Python has it, and of two zeros of different sign either will do, because
nothing that reads the result sees the sign.

    >>> from autovec import vectorize
    >>> import numpy as np
    >>> def fee(hours):
    ...     extra = max(hours - 8.0, 0.0)
    ...     return 30.0 + 12.5 * extra
    >>> print(vectorize(fee).emit(np.ones(3)).splitlines()[-2].strip())
    extra = np.maximum(hours - 8.0, 0.0)

Here ``30.0 + ...`` is the same for either zero; a result that is itself returned keeps Python's
choice: ``np.where(0.0 > x, 0.0, x)``.
"""

from __future__ import annotations

from autovec.program.facts import FLOAT
from autovec.program.nodes import Block, Check, Exit, If, Let, Loop, Node, children, reads, walk
from autovec.program.ordering import MAX, MIN, ufunc
from autovec.program.values import Const, Operation, Value
from autovec.simplify.numbers import Numbers

#: the result is the same for either zero
_BLIND = {
    "<", "<=", ">", ">=", "==", "!=", "truth", "not", "abs", "builtins.abs", "math.fabs",
    "numpy.abs", "numpy.absolute", "numpy.fabs", "math.exp", "numpy.exp", "math.cos", "numpy.cos",
    "math.cosh", "numpy.cosh", "math.isnan", "numpy.isnan", "math.isinf", "numpy.isinf",
    "math.isfinite", "numpy.isfinite", "math.floor", "math.ceil", "math.trunc", "int",
    "builtins.int",
}  # fmt: skip
#: the sign of a zero goes on to the result, which is a zero then
_THROUGH = {"+", "-", "*", "neg", "pos", "float", "builtins.float", "max", "min"}


def plain_extremes(body: Block) -> None:
    """Rewrite every ``max`` and ``min`` of a program for which it holds, in place."""
    candidates = [
        n.value for n in walk(body) if isinstance(n, Let) and n.value.op in (MAX, MIN) and _fits(n)
    ]
    if not candidates:
        return
    numbers = Numbers(body)
    seen = _Signs(body, numbers).seen
    for value in candidates:
        name = _function(value, numbers, id(value) in seen)
        if name:
            value.op = ufunc(name, value.op.name)


def _fits(node: Let) -> bool:
    facts = [a.fact for a in node.value.args]
    return (
        node.value.varying
        and node.value.fact.dtype == FLOAT
        and all(f.kind in "biu" or f.dtype == FLOAT for f in facts)
    )


def _function(value: Value, numbers: Numbers, sign: bool) -> str | None:
    """NumPy's function for this ``max`` or ``min``, if there is one."""
    x, y = map(numbers.of, value.args)
    either = x.signless and y.signless  # no zero is -0.0
    if sign and not either and not x.nonzero and not y.nonzero:
        return None
    largest = value.op is MAX
    if y.ordered:
        return "maximum" if largest else "minimum"  # NaN where x is
    if x.ordered:
        return "fmax" if largest else "fmin"  # x where y is NaN
    return None


class _Signs:
    """The values of whose zeros something sees the sign."""

    def __init__(self, body: Block, numbers: Numbers) -> None:
        self.numbers = numbers
        self.seen: set[int] = set()
        size = -1
        while size != len(self.seen):
            size = len(self.seen)
            self.visit(body)

    def visit(self, block: Block) -> None:
        """Note what the nodes see, the last first."""
        for node in reversed(block.nodes):
            if isinstance(node, Let):
                self.operands(node.value)
            elif isinstance(node, If):
                for phi in node.phis:
                    if id(phi.value) in self.seen:
                        self.seen |= {id(v) for v in (phi.then, phi.orelse)}
            elif isinstance(node, Loop):
                self.carries(node)
            else:
                self.others(node)
            for inner in reversed(children(node)):
                self.visit(inner)

    def carries(self, node: Loop) -> None:
        """What a loop hands on is seen where its head or its result is."""
        self.seen |= {id(v) for v in node.args}
        for k, c in enumerate(node.carries):
            if id(c.head) in self.seen or id(c.result) in self.seen:
                ways = [e.values[k] for e in node.breaks]
                self.seen |= {id(v) for v in (c.head, c.init, c.next, *ways)}

    def others(self, node: Node) -> None:
        """A return and a message show everything; a check's test is a bool."""
        shown = {id(v) for v in reads(node)}
        if not ((isinstance(node, Check) and not node.error.captures) or isinstance(node, Exit)):
            self.seen |= shown

    def operands(self, value: Value) -> None:
        """The operands of whose zeros an operation's result shows the sign."""
        name = value.op.name if isinstance(value.op, Operation) else ""
        if name in _BLIND:
            return
        if name == "/" and not _number(value.args[1]):
            self.seen.add(id(value.args[1]))  # the sign of the infinity
        elif name not in _THROUGH and name != "/":
            self.seen |= {id(a) for a in value.args}
            return
        if id(value) not in self.seen:
            return
        for a, other in zip(value.args, value.args[::-1], strict=True):
            if name == "+" and (self.numbers.of(other).signless or _number(other)):
                continue
            if name == "-" and a is value.args[1] and self.numbers.of(other).signless:
                continue
            if name == "-" and _number(other) and len(value.args) == 2:
                continue
            self.seen.add(id(a))


def _number(value: Value) -> bool:
    """Is it a literal that is not 0?"""
    return isinstance(value.op, Const) and value.op.value != 0
