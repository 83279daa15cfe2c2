"""Chains of branches: ``elif``, and a branch behind a return, cut from one set of lanes.

    low, middle = x <= 12, x <= 68
    k = np.flatnonzero(low)
    ...
    k = np.flatnonzero(~low & middle)
    ...
    k = np.flatnonzero(~middle)

A test that is cheap and silent for all lanes is computed for all of them, rather than for the lanes
that the tests before have left: comparing is cheaper than gathering what is compared.
"""

from __future__ import annotations

import math

import gast

from autovec.lower.analysis import (
    MAX_REST,
    harmless,
    nodes_cost,
    only_raises,
    selectable,
)
from autovec.lower.buffers import Buffer
from autovec.lower.expressions import masks
from autovec.lower.writer import Writer
from autovec.program.costs import total
from autovec.program.nodes import Block, If, Let, Node
from autovec.program.values import Const, Operation, Phi, Value
from autovec.syntax import quote

#: a test that costs more than this many nanoseconds a lane is computed where it is needed
MAX_TEST = 4.0
#: a test, and whether its lanes are those where it fails
Term = tuple[Value, bool]


def next_branch(inside: list[Node]) -> tuple[list[Let], If, list[Node]] | None:
    """The branch that nodes begin with, what its test is made of, and what follows it."""
    lets: list[Let] = []
    for node in inside:
        if isinstance(node, Let):
            lets.append(node)
            continue
        if not isinstance(node, If) or not node.test.varying:
            return None
        if only_raises(node.then) or only_raises(node.orelse):
            return None
        if not all(total(n.value) for n in lets) or nodes_cost([*lets]) > MAX_TEST:
            return None
        return lets, node, inside[len(lets) + 1 :]
    return None


def next_exit(inside: list[Node]) -> tuple[list[Let], If, list[Node]] | None:
    """The same where one side leaves for good and the other takes along what follows."""
    found = next_branch(inside)
    if found is None:
        return None
    _, node, rest = found
    if node.then.falls == node.orelse.falls:
        return None
    if any(side.falls and side.exits for side in (node.then, node.orelse)):
        return None
    returns = not Block([node, *rest]).falls
    if returns and selectable(node) and harmless(rest) and nodes_cost(rest) <= MAX_REST:
        return None  # one nest of picks
    return found


def next_merge(
    w: Writer, block: Block, stores: list[Buffer], attr: str
) -> tuple[list[Let], If] | None:
    """The same where both sides go on, and all that they merge goes into the outer buffers."""
    found = next_branch(block.nodes)
    if found is None or found[2]:
        return None
    lets, node, _ = found
    if node.then.exits or node.orelse.exits or not (node.then.falls and node.orelse.falls):
        return None
    if node.then.nodes and node.orelse.nodes and selectable(node):
        return None
    given = [getattr(b.phi, attr) for b in stores]
    own = {id(p.value) for p in node.phis}
    once = all(w.remaining[key] == 1 for key in own)
    if not once or len(given) != len(own) or any(id(v) not in own for v in given):
        return None
    if any(
        b.fact.kind == "U" or not isinstance(v.op, Phi) for b, v in zip(stores, given, strict=True)
    ):
        return None
    return lets, node


def mask_of(w: Writer, terms: list[Term], in_place: bool) -> gast.expr:
    """Where the tests hold, or fail, as their terms say.

    ``in_place``: a test may have been asked when lanes of others had their new values already.
    """
    terms = [(w.resolve(test), negate) for test, negate in terms]
    kept = terms if in_place else needed(terms)
    fails = [w.peek(test) for test, negate in kept if negate]
    holds = [w.peek(test) for test, negate in kept if not negate]
    made: gast.expr | None = None
    for e in fails:
        made = e if made is None else masks("|", made, e)
    if made is not None:
        made = quote.expr("~t", t=made)
    for e in holds:
        made = e if made is None else masks("&", made, e)
    assert made is not None
    return made


def needed(terms: list[Term]) -> list[Term]:
    """The terms that the others do not imply.

    Where ``x <= 12`` fails and ``x <= 68`` does, too, the second says it all.
    """
    kept = [*terms]
    for term in terms:
        others = [t for t in kept if t is not term]
        if any(_implies(t, term) for t in others):
            kept = others
    return kept


def _implies(term: Term, other: Term) -> bool:
    a, b = _interval(term[0]), _interval(other[0])
    if a is None or b is None or a[0] is not b[0]:
        return False
    if term[1] and other[1]:  # both fail
        return _within(b, a)
    if not term[1] and not other[1]:
        return _within(a, b)
    return not term[1] and _apart(a, b)


#: of which value, its least and largest, each with the side that it is on where it is not a part
Interval = tuple[Value, tuple[float, int], tuple[float, int]]


def _interval(test: Value) -> Interval | None:
    """The numbers for which a comparison with a literal holds."""
    op = test.op
    if not isinstance(op, Operation) or op.name not in ("<", "<=", ">", ">=", "=="):
        return None
    x, c = test.args
    sign = op.name
    if isinstance(x.op, Const):
        x, c = c, x
        sign = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
    if not isinstance(c.op, Const) or type(c.op.value) not in (int, float) or "(" in op.lanes:
        return None
    number = c.op.value
    low, high = (-math.inf, 0), (math.inf, 0)
    if sign in ("<", "<=", "=="):
        high = (number, -1 if sign == "<" else 0)
    if sign in (">", ">=", "=="):
        low = (number, 1 if sign == ">" else 0)
    return x, low, high


def _within(a: Interval, b: Interval) -> bool:
    return a[1] >= b[1] and a[2] <= b[2]


def _apart(a: Interval, b: Interval) -> bool:
    return a[1] > b[2] or b[1] > a[2]
