"""The region program: immutable single-assignment values, and the nodes that order them.

A block runs for a set of lanes.  Its nodes are evaluated in order; it ends by falling through, or
by an exit (return, raise, break, continue) that takes its lanes out of every block up to the exit's
target. An ``If`` runs one block for the lanes whose test is true and the other for the rest; its
*phis* are the values that differ between the two.  A ``Loop`` runs its body as often for every
lane; its carries are the values that one iteration hands to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.program.facts import Fact


@dataclass(frozen=True)
class Operation:
    """What one value computes from its operands.

    ``lanes`` is the batched expression, a template over the parameter names; ``python`` the
    expression as the user wrote it, emitted when every operand is uniform.  A ``total`` operation
    is defined and silent for every input, so it may run for lanes that do not need it.  ``number``
    says whose scalar the result is: Python's, NumPy's, or the operands'.  ``weak``: the result is a
    Python number whatever the operands' dtypes.  An ``impure`` one raises: it stays though unused.
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
    fresh: bool = True


class Value:
    """One computed value.  Compared by identity; ``origin`` is the user's name for it."""

    __slots__ = ("args", "fact", "line", "op", "origin")

    def __init__(
        self,
        op: Operation | Param | Const | Path | Phi | Carry | Item | CallTwin,
        args: tuple[Value, ...],
        fact: Fact,
        origin: str | None = None,
        line: int = 0,
    ) -> None:
        self.op = op
        self.args = args
        self.fact = fact
        self.origin = origin
        self.line = line

    @property
    def varying(self) -> bool:
        return self.fact.varying

    def __repr__(self) -> str:
        return f"<{getattr(self.op, 'name', type(self.op).__name__)} {self.origin or ''}>"


@dataclass(frozen=True)
class Param:
    """A parameter of the function."""

    name: str


@dataclass(frozen=True)
class Const:
    """A literal of the user's program."""

    value: Any

    @property
    def name(self) -> str:
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
    """A value at the head of a loop."""

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


# ---------------------------------------------------------------- structures
@dataclass(frozen=True)
class Known:
    """An object known while compiling (a function, a table, None); ``expr`` reads it later."""

    obj: Any
    expr: gast.expr | None = None


@dataclass(frozen=True)
class Seq:
    """A tuple or list of fixed length, or a namedtuple (``cls``)."""

    items: tuple[Any, ...]
    kind: type = tuple
    cls: Any = None


@dataclass(frozen=True)
class Map:
    """A dict with known keys."""

    items: Mapping[Any, Any]


@dataclass(frozen=True)
class Record:
    """An instance of a dataclass, field by field."""

    cls: Any
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class Local:
    """A local def or lambda and the names it sees; ``own``: it stands in the function's body."""

    node: gast.FunctionDef | gast.Lambda
    name: str
    env: Mapping[str, Any] = field(hash=False, compare=False)
    own: bool = True
    defaults: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)


@dataclass(frozen=True)
class Range:
    """``range`` with uniform bounds."""

    args: tuple[Value, ...]


@dataclass(frozen=True)
class Unbound:
    """A name that some lanes have not assigned; ``value`` for the others, where ``bound`` holds."""

    name: str
    value: Any = None
    bound: Value | None = None


@dataclass(frozen=True)
class Conflict:
    """A name whose branches gave values of no common type; an error only when it is read."""

    why: str


Thing = Value | Known | Seq | Map | Record | Local | Range | Unbound | Conflict
NONE = Known(None)


# ---------------------------------------------------------------- nodes
@dataclass
class Let:
    """Compute a value here."""

    value: Value


@dataclass
class PhiResult:
    """``value`` is ``then`` for the lanes of the first block, ``orelse`` for the others.

    A side is None when no lane reaches the join from it.
    """

    value: Value
    then: Value | None
    orelse: Value | None


@dataclass
class If:
    """Run ``then`` where the test holds, ``orelse`` elsewhere."""

    test: Value
    then: Block
    orelse: Block
    phis: list[PhiResult] = field(default_factory=list)
    line: int = 0


@dataclass
class CarryResult:
    """A loop-carried value: ``head`` in the body, from ``init`` or the last trip's ``next``."""

    head: Value
    init: Value
    next: Value
    result: Value


@dataclass
class Loop:
    """A loop whose trip count is uniform: ``for target in iterable``, or ``while test``.

    ``iterable`` is a template over ``args``; ``target`` the (nested) tuple of its item values.  For
    a while loop ``iterable`` is None and ``test`` is computed by ``head`` at every trip.
    """

    iterable: gast.expr | None
    params: tuple[str, ...]
    args: tuple[Value, ...]
    target: Any
    body: Block
    carries: list[CarryResult]
    head: Block | None = None
    test: Value | None = None
    line: int = 0


@dataclass
class Raise:
    """Raise for the first lane: the user's own expression over that lane's Python values."""

    exc: gast.expr
    cause: gast.expr | None
    captures: dict[str, Thing]
    line: int = 0


@dataclass
class Check:
    """Raise where ``test`` holds; the other lanes go on."""

    test: Value
    error: Raise
    line: int = 0


@dataclass
class Return:
    """These lanes' result."""

    thing: Thing
    leaves: tuple[Value, ...] = ()
    line: int = 0


@dataclass
class Exit:
    """``break`` or ``continue`` of a uniform loop, taken by all lanes or none."""

    kind: str
    line: int = 0


Node = Let | If | Loop | Check | Return | Raise | Exit


@dataclass
class Block:
    """Nodes in order; an exit can only be the last of them."""

    nodes: list[Node] = field(default_factory=list)

    @property
    def end(self) -> Return | Raise | Exit | None:
        """The exit that ends this block for every lane, if it is a plain one."""
        last = self.nodes[-1] if self.nodes else None
        return last if isinstance(last, (Return, Raise, Exit)) else None

    @property
    def falls(self) -> bool:
        """Can a lane reach the end of this block?"""
        last = self.nodes[-1] if self.nodes else None
        if isinstance(last, (Return, Raise, Exit)):
            return False
        return not (isinstance(last, If) and not last.then.falls and not last.orelse.falls)

    @property
    def exits(self) -> bool:
        """Can a lane leave for good (return) from inside this block?"""
        return any(isinstance(node, Return) for node in walk(self))


def walk(block: Block) -> Iterator[Node]:
    """Every node inside, outer ones first."""
    for node in block.nodes:
        yield node
        for inner in children(node):
            yield from walk(inner)


def children(node: Node) -> tuple[Block, ...]:
    """The blocks of a node, in order of evaluation."""
    if isinstance(node, If):
        return (node.then, node.orelse)
    if isinstance(node, Loop):
        return (node.head, node.body) if node.head is not None else (node.body,)
    return ()


def leaves(thing: Thing) -> list[Value]:
    """The values of a structure, left to right.

    >>> leaves(Seq((NONE,)))
    []
    """
    if isinstance(thing, Value):
        return [thing]
    if isinstance(thing, Seq):
        return [v for item in thing.items for v in leaves(item)]
    if isinstance(thing, Map):
        return [v for item in thing.items.values() for v in leaves(item)]
    if isinstance(thing, Record):
        return [v for item in thing.fields.values() for v in leaves(item)]
    if isinstance(thing, Range):
        return list(thing.args)
    if isinstance(thing, Unbound) and thing.value is not None:
        return [*leaves(thing.value), *([thing.bound] if thing.bound is not None else [])]
    return []


def reads(node: Node) -> Iterator[Value]:
    """The values that a node itself reads, not those inside its blocks."""
    if isinstance(node, Let):
        yield from node.value.args
    elif isinstance(node, If):
        yield node.test
        for phi in node.phis:
            if phi.then is not None:
                yield phi.then
            if phi.orelse is not None:
                yield phi.orelse
    elif isinstance(node, Loop):
        yield from node.args
        if node.test is not None:
            yield node.test
        for carry in node.carries:
            yield carry.init
            yield carry.next
    elif isinstance(node, Check):
        yield node.test
        yield from raise_reads(node.error)
    elif isinstance(node, Raise):
        yield from raise_reads(node)
    elif isinstance(node, Return):
        yield from node.leaves


def raise_reads(error: Raise) -> Iterator[Value]:
    """The values that the message of an exception is made of."""
    for thing in error.captures.values():
        yield from leaves(thing)
