"""Comparisons as they are written: chains ``a < b < c``, and ``in`` and ``is`` among them."""

from __future__ import annotations

import gast

from autovec.errors import Unsupported
from autovec.ops.result_types import head
from autovec.program.build import Builder, expression
from autovec.program.comparisons import COMPARE, ordered
from autovec.program.membership import member
from autovec.program.things import Conflict, Known, Maybe, Seq, Thing, Unbound, describe, literal
from autovec.program.truth import lazy, negated, truth, truth_fact
from autovec.program.values import Operation, Value


@expression(gast.Compare)
def compare(b: Builder, node: gast.Compare) -> Thing:
    """A chain ``a < b < c``: each operand once, later ones only where they are needed."""
    left = b.expr(node.left)

    def chain(k: int, left: Thing) -> Thing:
        right_node = node.comparators[k]
        if isinstance(node.ops[k], (gast.In, gast.NotIn)) and isinstance(right_node, gast.Set):
            right: Thing = Seq(tuple(b.expr(e) for e in right_node.elts))
        else:
            right = b.expr(right_node)
        here = one_comparison(b, node.ops[k], left, right, node)
        if k + 1 == len(node.ops):
            return here
        return lazy(b, truth(b, here, node), lambda: chain(k + 1, right), False)

    return chain(0, left)


def one_comparison(b: Builder, op: gast.cmpop, left: Thing, right: Thing, node: gast.AST) -> Value:
    """One comparison of two things."""
    if isinstance(op, (gast.Is, gast.IsNot)):
        same = identical(b, left, right, node)
        return negated(b, same) if isinstance(op, gast.IsNot) else same
    if isinstance(op, (gast.In, gast.NotIn)):
        found = member(b, left, right, node)
        return negated(b, found) if isinstance(op, gast.NotIn) else found
    return ordered(b, COMPARE[type(op)], left, right, node)


def none_objects(b: Builder, value: Value, node: gast.AST) -> Value:
    """Whether an object is None."""
    if value.fact.holds is None:
        raise Unsupported(node, "an object compared with None", "its class is not known")
    if head(value.fact.holds) != "match?":
        return b.const(False)
    op = Operation("missing", ("x",), "~x.astype(bool)", "x is None", total=True, cost=20)
    return b.apply(op, value, fact=truth_fact(value))


def identical(b: Builder, left: Thing, right: Thing, node: gast.AST) -> Value:
    """``is``, decided while compiling: a number is never None."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Known) and one.obj is None:
            if isinstance(other, Known):
                return b.const(other.obj is None)
            if isinstance(other, Maybe):
                return b.const(False) if other.nan else other.none
            if isinstance(other, Value) and other.fact.kind == "O":
                return none_objects(b, other, node)
            if isinstance(other, Conflict):
                raise Unsupported(node, other.why, "no array holds both")
            return b.const(False)
    if isinstance(left, Known) and isinstance(right, Known):
        return b.const(left.obj is right.obj)
    for one, other in ((left, right), (right, left)):
        flag = literal(one)
        if flag is True or flag is False:
            if isinstance(other, Value) and (other.fact.mixed or other.fact.either):
                what = f"is {flag} of a value that has another type on other lanes"
                raise Unsupported(node, what, "it may be a bool on some lanes")
            if isinstance(other, Value) and other.fact.kind == "b" and other.fact.python:
                return other if flag else negated(b, other)
            if isinstance(other, (Maybe, Conflict, Unbound)):
                raise Unsupported(node, f"{describe(other)} is {flag}", "it has no array form")
            return b.const(False)
    raise Unsupported(
        node, f"{describe(left)} is {describe(right)}", "identity of numbers has no array form"
    )
