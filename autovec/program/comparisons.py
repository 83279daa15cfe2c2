"""Comparisons of two things: ``<`` and its kin, ``==``, of numbers, strings and structures."""

from __future__ import annotations

import enum
import operator
from dataclasses import replace

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.binary import BINARY
from autovec.program import dates
from autovec.program.agreement import ANNOTATE_STRING, has_unknown
from autovec.program.arrays.elementwise import any_array, elementwise
from autovec.program.build import Builder
from autovec.program.tables import unpacked
from autovec.program.things import Conflict, Known, Maybe, Seq, Thing, describe, literal, same_path
from autovec.program.truth import both, either, negated
from autovec.program.values import Const, Operation, Value
from autovec.syntax import quote

TYPE_ERROR = "Python raises TypeError"
COMPARE: dict[type, str] = {
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Eq: "==",
    gast.NotEq: "!=",
}
COMPARISONS = {
    sign: Operation(sign, ("x", "y"), f"x {sign} y", f"x {sign} y", total=True, cost=0.4)
    for sign in COMPARE.values()
}
_STRINGS = {sign: replace(op, cost=1.5) for sign, op in COMPARISONS.items()}


def ordered(b: Builder, sign: str, left: Thing, right: Thing, node: gast.AST) -> Value:
    """``<`` and its kin, elementwise for numbers and strings, lexicographic for tuples."""
    for thing in (left, right):
        if isinstance(thing, Conflict):
            raise Unsupported(node, thing.why, "no array holds both")
    if isinstance(left, Maybe) or isinstance(right, Maybe):
        return compare_missing(b, sign, left, right, node)
    if dates.is_date(left) or dates.is_date(right):
        left, right = dates.as_value(b, left), dates.as_value(b, right)
    left, right = as_text(b, unpacked(b, left)), as_text(b, unpacked(b, right))
    if isinstance(left, Seq) and isinstance(right, Seq):
        if left.kind is not right.kind:  # a list is no tuple
            if sign in ("==", "!="):
                return b.const(sign == "!=")
            raise Unsupported(node, f"{describe(left)} {sign} {describe(right)}", TYPE_ERROR)
        return lexicographic(b, sign, left, right, node)
    if any(isinstance(t, Known) and isinstance(t.obj, np.ndarray) for t in (left, right)):
        left, right = b.as_value(left, node), b.as_value(right, node)
    if isinstance(left, Value) and isinstance(right, Value):
        return compare_scalars(b, sign, left, right, node)
    if sign in ("==", "!="):
        if (
            isinstance(left, Known)
            and isinstance(right, Known)
            and (left.obj is None or right.obj is None)
        ):
            return b.const((left.obj is right.obj) is (sign == "=="))
        if is_member(left) and is_member(right):
            return b.const((left.obj is right.obj) is (sign == "=="))  # type: ignore[union-attr]
        known = [t for t in (left, right) if isinstance(t, Known)]
        if (known and known[0].obj is None) or {type(left), type(right)} == {Seq, Value}:
            return b.const(sign == "!=")
    raise Unsupported(node, f"{describe(left)} {sign} {describe(right)}", "it has no array form")


def as_text(b: Builder, thing: Thing) -> Thing:
    """A member of an enumeration of strings as the string that it is equal to."""
    if not isinstance(thing, Known) or thing.expr is None:
        return thing
    member = thing.obj
    if isinstance(member, enum.Enum) and isinstance(member, str):
        if type(member).__eq__ is not str.__eq__:
            return thing
        return b.path(quote.expr("member.value", member=thing.expr), str(member.value))
    return thing


def is_member(thing: Thing) -> bool:
    """Is it a member of an enumeration that is equal to itself alone?"""
    obj = thing.obj if isinstance(thing, Known) else None
    return isinstance(obj, enum.Enum) and type(obj).__eq__ is object.__eq__


def compare_missing(b: Builder, sign: str, left: Thing, right: Thing, node: gast.AST) -> Value:
    """``==`` and ``!=`` of what may be None or nan; an order of it raises where it is."""
    values = [t.value if isinstance(t, Maybe) and t.nan else t for t in (left, right)]
    if any(map(dates.is_date, values)):
        values = [dates.as_value(b, t) for t in values]
    if all(map(dates.is_date, values)):  # NaT compares in NumPy as in pandas
        return ordered(b, sign, values[0], values[1], node)
    if sign not in ("==", "!="):
        what = f"{describe(left)} {sign} {describe(right)}"
        raise Unsupported(node, what, "None has no order, and an array has no None")
    if left is right and isinstance(left, Maybe):
        same = negated(b, left.none) if left.nan else b.const(True)
        return negated(b, same) if sign == "!=" else same
    same = b.const(True)
    missing: list[Value] = []
    sides: list[Thing] = []
    for thing in (left, right):
        if isinstance(thing, Maybe):
            missing.append(b.const(False) if thing.nan else thing.none)
            same = both(b, same, negated(b, thing.none))
            sides.append(thing.value)
        else:
            none = isinstance(thing, Known) and thing.obj is None
            missing.append(b.const(none))
            same = b.const(False) if none else same
            sides.append(thing)
    if literal(same) is not False:
        same = both(b, same, equal(b, sides[0], sides[1], node))
    same = either(b, both(b, *missing), same)
    return negated(b, same) if sign == "!=" else same


def compare_scalars(b: Builder, sign: str, left: Value, right: Value, node: gast.AST) -> Value:
    """A comparison of two numbers or strings."""
    if any_array(left, right):
        return elementwise(b, COMPARISONS[sign], (left, right), node)
    if isinstance(left.op, Const) and isinstance(right.op, Const):
        try:
            return b.const(eval_comparison(sign, left.op.value, right.op.value))
        except TypeError as e:
            raise Unsupported(node, str(e), "the loop raises it") from e
    if dates.is_date(left) or dates.is_date(right):
        return compare_dates(b, sign, left, right, node)
    strings = {left.fact.kind in "US", right.fact.kind in "US"}
    if strings == {True, False} and has_unknown(left, right):
        what = f"{describe(left)} {sign} {describe(right)}"
        raise Unsupported(node, what, "whether it is a string is not known", ANNOTATE_STRING)
    if strings == {True, False}:
        if sign in ("==", "!="):
            return b.const(sign == "!=")
        raise Unsupported(node, f"{describe(left)} {sign} {describe(right)}", TYPE_ERROR)
    python = left.fact.python and right.fact.python
    if "c" in (left.fact.kind, right.fact.kind) and python and sign not in ("==", "!="):
        raise Unsupported(node, f"{sign} of a complex number", TYPE_ERROR)
    op = _STRINGS[sign] if True in strings else exactly(sign, left, right)
    return b.apply(op, left, right, node=node)


def compare_dates(b: Builder, sign: str, left: Value, right: Value, node: gast.AST) -> Value:
    """A comparison of dates or durations; those of different classes are not equal."""
    if dates.comparable(left, right):
        return b.apply(COMPARISONS[sign], left, right, node=node)
    if sign in ("==", "!=") and not dates.foreign(left, right):
        return b.const(sign == "!=")
    what = f"{describe(left)} {sign} {describe(right)}"
    raise Unsupported(node, what, "they have no common order")


def exactly(sign: str, left: Value, right: Value) -> Operation:
    """A comparison; of a 64-bit integer with a float as exact as Python's, which NumPy's is not."""
    kinds = left.fact.kind + right.fact.kind
    if kinds in ("if", "fi", "uf", "fu") and (left.varying or right.varying):
        whole = left if left.fact.kind in "iu" else right
        small = whole.fact.dtype.itemsize < 8 or whole.fact.weak
        if not small and not any(_below_2_53(v) for v in (left, right)):
            text = BINARY[sign].text_for(kinds, exact=True)
            assert text is not None
            return Operation(sign, ("x", "y"), text, f"x {sign} y", total=True, cost=8)
    return COMPARISONS[sign]


def _below_2_53(value: Value) -> bool:
    return isinstance(value.op, Const) and not abs(value.op.value) >= 2**53


def eval_comparison(sign: str, x: object, y: object) -> bool:
    """A comparison of two literals."""
    names = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
    return bool(getattr(operator, names[sign])(x, y))


def lexicographic(b: Builder, sign: str, left: Seq, right: Seq, node: gast.AST) -> Value:
    """Tuples compare by their first items that differ, then by length."""
    if sign in ("==", "!="):
        if len(left.items) != len(right.items):
            return b.const(sign == "!=")
        same = b.const(True)
        for x, y in zip(left.items, right.items, strict=True):
            same = both(b, same, equal(b, x, y, node))
        return negated(b, same) if sign == "!=" else same
    pairs = list(zip(left.items, right.items, strict=False))
    if not pairs:
        return b.const(eval_comparison(sign, len(left.items), len(right.items)))
    strict = sign[0]
    last = len(left.items) == len(right.items)
    # x0 < y0 or (x0 == y0 and (x1 < y1 or ...)); the last pair of equal lengths carries <= itself
    result: Value | None = None
    for x, y in reversed(pairs):
        if result is None and last:
            result = ordered(b, sign, x, y, node)
            continue
        if result is None:
            result = b.const(eval_comparison(sign, len(left.items), len(right.items)))
        result = either(b, ordered(b, strict, x, y, node), both(b, equal(b, x, y, node), result))
    assert result is not None
    return result


def equal(b: Builder, x: Thing, y: Thing, node: gast.AST) -> Value:
    """Equality inside a container, where the same object is equal to itself, NaN or not."""
    one = x is y or (isinstance(x, Value) and isinstance(y, Value) and same_path(x, y))
    return b.const(True) if one else ordered(b, "==", x, y, node)
