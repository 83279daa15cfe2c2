"""The arithmetic and bitwise operators, on scalars of every kind, as Python has them.

+  -  *   NumPy's, but Python bools count as integers
/         float division, inf and nan where Python raises (departure 1)
//  %     floor; an integer zero on a live lane raises
**        small constant powers are multiplied out; integer results beyond int64 are detected
<<        as ** ; a negative count raises
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.ops.binary import BINARY
from autovec.ops.rule import Raises
from autovec.program import dates
from autovec.program.agreement import ANNOTATE, has_unknown, may_be, settled
from autovec.program.arrays.contractions import matmul_operator
from autovec.program.arrays.elementwise import any_array, elementwise
from autovec.program.arrays.operands import is_array, operand
from autovec.program.build import Builder, expression
from autovec.program.facts import BOOL, INT, Fact
from autovec.program.guards import needed, operate, refuse_either
from autovec.program.numbers import number, of_one_kind, real
from autovec.program.powers import POWERS, fractional, power, shrinks
from autovec.program.things import Seq, Thing, describe, literal
from autovec.program.truth import condition, negated
from autovec.program.values import SMALL_STEP, Carry, Const, Operation, Value, bound
from autovec.syntax import quote

SIGNS: dict[type, str] = {
    gast.Add: "+",
    gast.Sub: "-",
    gast.Mult: "*",
    gast.Div: "/",
    gast.FloorDiv: "//",
    gast.Mod: "%",
    gast.Pow: "**",
    gast.LShift: "<<",
    gast.RShift: ">>",
    gast.BitAnd: "&",
    gast.BitOr: "|",
    gast.BitXor: "^",
    gast.MatMult: "@",
}
#: where integers grow, the operation that notices when they leave int64
EXACT = {"+": "add_exact", "-": "sub_exact", "*": "mul_exact"}
_PLAIN = {sign: Operation(sign, ("x", "y"), "", "") for sign in EXACT}
#: the operators on strings, with the kinds of their operands
STRINGS = frozenset(["+UU", *(f"*{kinds}" for n in "biu" for kinds in (f"U{n}", f"{n}U"))])
#: static results longer or larger than this are left to run time
MAX_BITS = 64
MAX_BYTES = 1024


def operation(sign: str, x: Value, y: Value) -> tuple[Operation, tuple[Raises, ...]]:
    """The operation of an operator for operands of these facts, and what Python raises for some."""
    if has_unknown(x, y):
        return unknown_operation(sign, x, y)
    rule = BINARY[sign]
    kinds = x.fact.kind + y.fact.kind
    python = all(v.fact.python or v.fact.weak for v in (x, y))
    integers = set(kinds) <= set("biu")
    whole = integers and python and all(map(unbounded, (x, y)))
    text = rule.text_for(kinds) if python else rule.text
    raises = rule.raises_for(kinds) if python else ()
    total, impure = rule.total, any(r.always for r in raises)
    written = f"x {sign} y"
    flat = False
    if sign == "**":
        made = power(x, y, whole, (text or "") if whole else "x ** y")
        text, written, total, impure = made.lanes, made.python, made.total, made.impure
        flat = made.flat
    elif sign == "<<" and integers and not whole:
        text, impure = "x << y", False
    elif sign in ("/", "//", "%") and isinstance(y.op, Const) and y.op.value != 0:
        total = sign == "/" or set(kinds) <= set("biu")
    elif sign == ">>" and isinstance(y.op, Const) and not isinstance(y.op.value, float):
        total = 0 <= y.op.value < 64
    cost = 3.0 if integers and sign in ("//", "%") else rule.cost
    if sign == "**" and total and not integers:  # products
        cost = 0.5 if literal(y) == 2 else 1.5
    op = Operation(
        sign,
        ("x", "y"),
        text or "",
        written,
        total=total,
        cost=cost,
        impure=impure and not total,
        flat=flat,
    )
    return op, raises


def array_operation(sign: str, x: Value, y: Value) -> Operation:
    """The same of arrays: NumPy's own operator, in each sample and in the batch."""
    op = operation(sign, x, y)[0]
    plain = f"x {sign} y"
    return op if sign == "**" and op.lanes in POWERS.values() else replace(op, lanes=plain)


def unknown_operation(sign: str, x: Value, y: Value) -> tuple[Operation, tuple[Raises, ...]]:
    """The operation that is right for all dtypes that the operands may have."""
    rule = BINARY[sign]

    def known(args: tuple[Value, ...]) -> tuple[Operation, frozenset[Raises]] | None:
        if not rule.supports(args[0].fact.kind + args[1].fact.kind):
            return None
        op, raises = operation(sign, args[0], args[1])
        return op, needed(raises, op, args)

    kinds = x.fact.kind + y.fact.kind
    op = settled(known, (x, y), rule.text_for(kinds) or "")
    if op is None:
        what = f"{sign} of a number of no declared dtype"
        raise Unsupported(None, what, "no one text is right for all dtypes", ANNOTATE)
    return op, rule.raises_for(kinds)


def unbounded(x: Value) -> bool:
    """Is it Python's int or bool, which grows where NumPy's integers wrap?"""
    return x.fact.weak or x.fact.dtype in (INT, BOOL) or may_be(x, "int64", "bool")


def binary(b: Builder, sign: str, x: Value, y: Value, node: gast.AST | None = None) -> Value:
    """The value of an operator on two values."""
    if isinstance(x.op, Const) and isinstance(y.op, Const):
        folded = fold(sign, x.op.value, y.op.value)
        if folded is not None:
            return b.const(folded, arithmetic(node, x, y))
    if sign not in BINARY:
        raise Unsupported(node, f"{sign} of {describe(x)}", "Python raises TypeError")
    if sign == "%" and x.fact.kind in "US":
        raise Unsupported(node, "string formatting", "a string is not built lane by lane")
    kinds = x.fact.kind + y.fact.kind
    if set(kinds) & {*"Mm"}:
        return dates.arithmetic(b, sign, x, y, node)
    strings = x.fact.kind in "US" or y.fact.kind in "US"
    if strings and sign + kinds not in STRINGS:
        raise Unsupported(node, f"{describe(x)} {sign} {describe(y)}", "it has no array form")
    kinds = x.fact.kind + y.fact.kind
    if set(kinds) <= set("biufc") and not BINARY[sign].supports(kinds):
        raise Unsupported(node, f"{describe(x)} {sign} {describe(y)}", "Python raises TypeError")
    if any_array(x, y):
        return elementwise(b, array_operation(sign, x, y), (x, y), node)
    if sign in ("//", "%"):
        refuse_mixed(b, sign, x, y, node)
    x, y = as_numbers(b, sign, x, y)
    try:
        op, raises = operation(sign, x, y)
        refuse_either(b, op, BINARY[sign].raises_for(x.fact.kind + y.fact.kind), (x, y))
    except Unsupported as e:
        raise Unsupported(node, e.what, e.why, e.instead) from None
    if sign in EXACT and (b.loops or b.grows) and accumulates(sign, x, y):
        op = exactly(op)
    if sign == "**" and shrinks(x, y):
        return fractional(b, op, x, y, node)
    return operate(b, op, raises, (x, y), node)


def refuse_mixed(b: Builder, sign: str, x: Value, y: Value, node: gast.AST | None) -> None:
    """Whether a zero divisor raises has to be the same on every lane."""
    mixed = any((v.fact.mixed or v.fact.apart) and v.fact.kind in "f?" for v in (x, y))
    floats = any(v.fact.kind == "f" and not (v.fact.mixed or v.fact.apart) for v in (x, y))
    divisor = literal(y)
    positive = isinstance(divisor, (int, float)) and divisor > 0
    if mixed and not floats and not positive and not of_one_kind(b, x, y):
        what = f"{sign} of a value that is an int on some lanes and a float on others"
        raise Unsupported(node, what, "an integer zero raises, a float one does not")


def as_numbers(b: Builder, sign: str, x: Value, y: Value) -> tuple[Value, Value]:
    """The operands, made numbers where they may be bools that NumPy would not count."""
    negative = literal(y)
    root = isinstance(negative, float)
    if sign == "**" and isinstance(negative, (int, float)) and (root or negative < 0):
        return real(b, x), y
    bools = [v for v in (x, y) if may_be(v, "bool")]
    if sign not in EXACT or not bools:
        return x, y
    others = [v for v in (x, y) if v not in bools and v.fact.kind != "b"]
    if others or any(id(v) in b.late.numbers for v in bools):
        bools = [v for v in bools if id(v) in b.late.numbers] if not others else []
    chosen = bools[:1]
    return tuple(number(b, v) if v in chosen else v for v in (x, y))  # type: ignore[return-value]


def accumulate(b: Builder, sign: str, total: Value, value: Value, node: gast.AST) -> Value:
    """One step of a sum or product of many values, which notices when an integer leaves int64."""
    if outgrows(sign, total, value):
        return operate(b, exactly(operation(sign, total, value)[0]), (), (total, value), node)
    return binary(b, sign, total, value, node)


def accumulates(sign: str, x: Value, y: Value) -> bool:
    """May an integer that a loop carries grow out of int64 here?

    A counter may not, within trips that one can wait for: a small step from a literal start.
    """
    if not outgrows(sign, x, y) or not (x.carried or y.carried):
        return False
    if sign == "*":
        return True
    head, step = (x, y) if x.carried else (y, x)
    if x.carried and y.carried:
        head, step = (x, y) if x.bound > y.bound else (y, x)
    start = head.op.start if isinstance(head.op, Carry) else None
    return step.bound > SMALL_STEP or (start is not None and start.bound > SMALL_STEP)


def outgrows(sign: str, x: Value, y: Value) -> bool:
    """May the result of Python's integers leave int64?"""
    if not (x.varying or y.varying) or not all(map(unbounded, (x, y))):
        return False
    if any(v.fact.kind not in "bi" and not may_be(v, "int64") for v in (x, y)):
        return False
    return bound(_PLAIN[sign], (x, y), Fact(INT)) >= 2**63


def exactly(op: Operation) -> Operation:
    """The same operation, raising OverflowError where it would wrap."""
    return replace(op, lanes=f"{EXACT[op.name]}(x, y)", total=False, impure=True, cost=6.0)


def fold(sign: str, x: Any, y: Any) -> Any:
    """An operator on two literals, when the result is small for certain; else None.

    >>> fold("*", 6, 7), fold("**", 2, 10**9), fold("/", 1, 0)
    (42, None, None)
    """
    if isinstance(x, str) or isinstance(y, str) or sign in ("<<", "@"):
        return None
    if sign == "**" and not isinstance(x, float) and not isinstance(y, float):
        return None
    try:
        made = eval(_code(sign), {}, {"x": x, "y": y})
    except Exception:
        return None
    if isinstance(made, int) and made.bit_length() > MAX_BITS - 1:
        return None
    if isinstance(made, complex) and not isinstance(x, complex) and not isinstance(y, complex):
        return None  # nan, as for operands that are no literals
    return made


@functools.cache
def _code(sign: str) -> Any:
    return compile(f"x {sign} y", "<operator>", "eval")


def arithmetic(node: gast.AST | None, *operands: Value) -> gast.expr | None:
    """How arithmetic of literals is written: as the user did, if it is made of literals and names.

    ``5.74 / 4000 ** 0.9`` stays; what names hold that change is worked out.
    """
    parts = [getattr(node, f, None) for f in ("left", "right", "operand")]
    written: list[gast.expr] = []
    for part, value in zip([p for p in parts if p is not None], operands, strict=False):
        assert isinstance(value.op, Const)
        own = value.op.written
        if isinstance(part, gast.Constant) or (own is not None and not isinstance(part, gast.Name)):
            written.append(own or part)
        elif isinstance(own, gast.Name):
            written.append(own)
    if len(written) != len(operands) or not isinstance(node, (gast.BinOp, gast.UnaryOp)):
        return None
    if isinstance(node, gast.UnaryOp):
        return quote.expr("-x", x=written[0])
    sign = SIGNS[type(node.op)]
    return quote.expr(f"x {sign} y", x=written[0], y=written[1])


@expression(gast.BinOp)
def bin_op(b: Builder, node: gast.BinOp) -> Thing:
    """``left op right``, of numbers, strings, or structures of fixed length."""
    left, right = b.expr(node.left), b.expr(node.right)
    sign = SIGNS[type(node.op)]
    if isinstance(left, Seq) and isinstance(right, Seq) and sign == "+" and left.kind is right.kind:
        return Seq((*left.items, *right.items), left.kind)
    if isinstance(left, Seq) and sign == "*":
        count = literal(right)
        if (
            isinstance(count, int)
            and not left.cls
            and 0 <= count * len(left.items) <= MAX_BYTES // 8
        ):
            return Seq(left.items * count, left.kind)
    if sign == "@":
        return matmul_operator(b, left, right, node)
    if dates.is_date(left) or dates.is_date(right):
        left, right = dates.as_value(b, left), dates.as_value(b, right)
    x = operand(b, left, node.left) if is_array(right) else b.as_value(left, node.left)
    y = operand(b, right, node.right) if is_array(left) else b.as_value(right, node.right)
    return binary(b, sign, x, y, node)


NEGATE = Operation("neg", ("x",), "-x", "-x", total=True)
NEGATE_BOOL = Operation("neg", ("x",), "-x.astype(int)", "-x", total=True)
INVERT = Operation("invert", ("x",), "~x", "~x", total=True)
INVERT_BOOL = Operation("invert", ("x",), "~x.astype(int)", "~x", total=True)
ARRAY_UNARY = {
    gast.USub: NEGATE,
    gast.Invert: INVERT,
    gast.UAdd: Operation("pos", ("x",), "+x", "+x", total=True),
}
AS_INT = Operation("pos", ("x",), "x.astype(int)", "+x", total=True)


@expression(gast.UnaryOp)
def unary(b: Builder, node: gast.UnaryOp) -> Thing:
    """``not`` is a bool; the others are operators of numbers."""
    if isinstance(node.op, gast.Not):
        return negated(b, condition(b, node.operand))
    return unary_operator(b, node)


def unary_operator(b: Builder, node: gast.UnaryOp) -> Value:
    """``-x``, ``+x``, ``~x``."""
    x = number(b, b.value(node.operand))
    if x.fact.kind == "m" and isinstance(node.op, gast.USub):
        return dates.negated_span(b, x, node)
    if x.fact.kind in "MmO":
        raise Unsupported(node, f"a sign of {describe(x)}", "there is no rule for it")
    if x.fact.either and x.fact.kind == "b":
        raise Unsupported(node, "a sign of a bool that is Python's on some lanes", "it differs")
    constant = literal(x)
    python_bool = x.fact.kind == "b" and x.fact.python
    if x.fact.rank:
        return elementwise(b, ARRAY_UNARY[type(node.op)], (x,), node)
    if isinstance(node.op, gast.USub):
        if isinstance(constant, (int, float, complex)) and not isinstance(constant, bool):
            return b.const(-constant, arithmetic(node, x))
        return b.apply(NEGATE_BOOL if python_bool and x.varying else NEGATE, x, node=node)
    if isinstance(node.op, gast.Invert):
        if x.fact.kind == "b" and x.fact.python:
            return b.apply(INVERT_BOOL if x.varying else INVERT, x, node=node)
        return b.apply(INVERT, x, node=node)
    if x.fact.kind == "b":
        return b.apply(AS_INT, x, node=node)
    if x.fact.kind in "iufc?":
        return x
    raise Unsupported(node, f"+ of {describe(x)}", "Python raises TypeError")
