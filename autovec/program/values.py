"""The values of a region program: what each computes, from what, and what is known of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from autovec.program.facts import Fact
from autovec.program.unknown import LateDtype, named
from autovec.syntax.convert import text_of

#: an integer that changes by no more than this at a time stays within 64 bits
SMALL_STEP = 2**32


@dataclass(frozen=True)
class Operation:
    """What one value computes from its operands.

    ``lanes`` is the batched expression, a template over the parameter names; ``python`` the
    expression as the user wrote it, emitted when every operand is uniform.  A ``total`` operation
    is defined and silent for every input, so it may run for lanes that do not need it.  ``number``
    says whose scalar the result is: Python's, NumPy's, or the operands'.  ``weak``: the result is a
    Python number whatever the operands' dtypes.  An ``impure`` one raises: it stays though unused.
    ``flat``: right for flat arrays only.
    ``arrays``: it takes samples that are arrays, as they are stored.
    """

    name: str
    params: tuple[str, ...]
    lanes: str
    python: str
    total: bool = False
    cost: float = 1.0
    number: str = "operands"
    weak: bool = False
    impure: bool = False
    note: str = ""
    ignore: bool = False
    flat: bool = False
    fresh: bool = True
    arrays: bool = False


@dataclass(frozen=True)
class Each(Operation):
    """An expression of Python's own, run a lane at a time: NumPy has no twin of it.

    ``expr`` reads the operands by their names, a lane's Python scalars where they vary.
    """

    expr: Any = None
    node: Any = None
    what: str = ""
    why: str = ""


class Value:
    """One computed value.  Compared by identity; ``origin`` is the user's name for it.

    ``bound``: no larger than this for certain, in size.  ``carried``: made of what a loop hands
    from trip to trip.  ``memory``: the arrays whose memory it may be in.  ``plain``: 2 if it is
    neither NaN nor zero, 1 if it may be 0.0, as a capture's signature says.  ``static``: the int
    that it is for certain (the length of a sample's axis), which the text does not say.
    """

    __slots__ = (
        "args",
        "bound",
        "carried",
        "fact",
        "line",
        "memory",
        "op",
        "origin",
        "plain",
        "static",
    )

    def __init__(
        self,
        op: Operation | Param | Const | Path | Phi | Carry | Item | CallTwin,
        args: tuple[Value, ...],
        fact: Fact,
        origin: str | None = None,
        line: int = 0,
    ) -> None:
        if isinstance(fact.dtype, LateDtype) and isinstance(op, (Param, Path)):
            text = op.name if isinstance(op, Param) else text_of(op.expr)
            fact = replace(fact, dtype=named(fact.dtype, text))
        self.op = op
        self.args = args
        self.fact = fact
        self.origin = origin
        self.line = line
        self.static: int | None = None
        self.memory: Memory = memory(op, args, fact)
        self.bound = bound(op, args, fact)
        self.plain = 0
        self.carried: bool = isinstance(op, Carry) or any(arg.carried for arg in args)

    @property
    def varying(self) -> bool:
        """Does it differ between lanes?"""
        return self.fact.varying

    def __repr__(self) -> str:
        return f"<{getattr(self.op, 'name', type(self.op).__name__)} {self.origin or ''}>"


#: the name of an operation that writes into an array, which is its result
STORE = "store"
#: the name of an argument that is taken for an array of the function's own
BORROWED = "borrowed"
#: what an array may share its memory with: a token an array made here, a word for the caller's
Memory = frozenset[object]
NO_MEMORY: Memory = frozenset()


def is_store(value: Value) -> bool:
    """Is it an array into which something was written?"""
    return isinstance(value.op, Operation) and value.op.name == STORE


def is_borrowed(value: Value) -> bool:
    """Is it what a borrowed argument holds before anything is stored into it?"""
    return isinstance(value.op, Operation) and value.op.name == BORROWED


def memory(op: Any, args: tuple[Value, ...], fact: Fact) -> Memory:
    """The arrays whose memory a new value may be in; a word stands for one that is not ours.

    >>> from autovec.program.facts import Fact, INT
    >>> memory(Param("x"), (), Fact(INT, ("B",), (3,)))
    frozenset({'foreign'})
    """
    if isinstance(op, Operation):
        if op.name == STORE:
            return args[0].memory
        if not op.fresh:
            return NO_MEMORY.union(*(arg.memory for arg in args))
        return frozenset([object()]) if fact.shape else NO_MEMORY
    if not fact.shape:
        return NO_MEMORY
    if isinstance(op, Carry):
        return op.start.memory if op.start is not None else NO_MEMORY
    return NO_MEMORY if isinstance(op, Phi) else frozenset(["foreign"])


def bound(op: Any, args: tuple[Value, ...], fact: Fact) -> float:
    """How large a value can be in size, as far as its operation says.

    >>> from autovec.program.facts import scalar_fact
    >>> five = Value(Const(5), (), scalar_fact(5))
    >>> bound(Operation("*", ("x", "y"), "x * y", "x * y"), (five, five), five.fact)
    25
    """
    if fact.kind == "b":
        return 1
    if isinstance(op, Const) and isinstance(op.value, (bool, int)):
        return abs(op.value)
    if not isinstance(op, Operation) or fact.kind != "i":
        return math.inf
    sizes = [arg.bound for arg in args]
    if op.name in ("+", "-"):
        return sum(sizes)
    if op.name == "*":
        return 0 if 0 in sizes else math.prod(sizes)
    if op.name == "%":
        return sizes[1]
    if op.name in ("neg", "pos", "max", "min", "abs", "builtins.abs"):
        return max(sizes)
    return math.inf


@dataclass(frozen=True)
class Param:
    """A parameter of the function."""

    name: str


@dataclass(frozen=True)
class Const:
    """A literal of the user's program; ``written``: as it stands there, or by its name."""

    value: Any
    written: gast.expr | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The literal's text."""
        return repr(self.value)


@dataclass(frozen=True)
class Path:
    """A uniform value read from an object of the user's: ``LIMIT``, ``gains.kp``, ``TABLE[0]``."""

    expr: gast.expr
    root: str

    name = "path"


@dataclass(frozen=True)
class Phi:
    """The value of one of two branches."""

    name = "phi"


@dataclass(frozen=True)
class Carry:
    """A value at the head of a loop; ``start`` is what it is before the first trip."""

    start: Value | None = None

    name = "carry"


@dataclass(frozen=True)
class Item:
    """One iteration's element of a uniform sequence; a loop variable."""

    name = "item"


@dataclass(frozen=True)
class CallTwin:
    """A call of another function of the user's, itself vectorised."""

    twin: Any

    name = "call"
