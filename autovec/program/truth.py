"""Truth values, comparisons and the boolean operators: ``not``, ``and``, ``or``, ``in``, ``is``."""

from __future__ import annotations

from collections.abc import Callable

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.binary import BINARY
from autovec.program.build import Builder, describe, expression
from autovec.program.facts import Fact, Lanes, union
from autovec.program.values import (
    Block,
    Conflict,
    Const,
    If,
    Known,
    Let,
    Local,
    Map,
    Operation,
    Range,
    Record,
    Seq,
    Thing,
    Value,
)

NOT = Operation("not", ("x",), "~x", "not x", total=True, number="python")
AND = Operation("and", ("x", "y"), "x & y", "x and y", total=True, number="python")
OR = Operation("or", ("x", "y"), "x | y", "x or y", total=True, number="python")
IS_TRUE = Operation("truth", ("x",), "x != 0", "x != 0", total=True, number="python")
NOT_EMPTY = Operation("truth", ("x",), "x != ''", "x != ''", total=True, number="python")

COMPARE: dict[type, str] = {
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Eq: "==",
    gast.NotEq: "!=",
}
COMPARISONS = {
    sign: Operation(sign, ("x", "y"), f"x {sign} y", f"x {sign} y", total=True)
    for sign in COMPARE.values()
}
#: more alternatives than this in a membership test become one np.isin
_FEW = 4


def literal(thing: Thing) -> object:
    """The value of a literal, else an object equal to nothing."""
    return (
        thing.op.value if isinstance(thing, Value) and isinstance(thing.op, Const) else _NOT_LITERAL
    )


_NOT_LITERAL = object()


def truth(b: Builder, thing: Thing, node: gast.AST) -> Value:
    """Whether a thing is true, as Python has it: nan is, zero and the empty are not."""
    if isinstance(thing, Value):
        if isinstance(thing.op, Const):
            return b.const(bool(thing.op.value))
        if thing.fact.kind == "b":
            return thing
        if thing.fact.kind in "US":
            return b.apply(NOT_EMPTY, thing, node=node)
        if thing.fact.kind in "iufc":
            return b.apply(IS_TRUE, thing, node=node)
        raise Unsupported(node, f"the truth of {describe(thing)}", "it has no array form")
    if isinstance(thing, Seq):
        return b.const(bool(thing.items))
    if isinstance(thing, Map):
        return b.const(bool(thing.items))
    if isinstance(thing, Known):
        if thing.obj is None or isinstance(thing.obj, (list, tuple, dict, set, frozenset)):
            return b.const(bool(thing.obj))
        if hasattr(type(thing.obj), "__bool__") or hasattr(type(thing.obj), "__len__"):
            raise Unsupported(
                node, f"the truth of {describe(thing)}", "its __bool__ would have to run"
            )
        return b.const(True)
    if isinstance(thing, (Local, Record)):
        return b.const(True)
    raise Unsupported(node, f"the truth of {describe(thing)}", "it is not known for every lane")


def negated(b: Builder, test: Value) -> Value:
    """``not`` of a bool value."""
    if isinstance(test.op, Const):
        return b.const(not test.op.value)
    if test.op is NOT:
        return test.args[0]
    return b.apply(NOT, test, fact=truth_fact(test))


def both(b: Builder, x: Value, y: Value) -> Value:
    """``x and y`` of two bool values that may both be computed."""
    return _fold(b, AND, x, y, True)


def either(b: Builder, x: Value, y: Value) -> Value:
    """``x or y`` of two bool values that may both be computed."""
    return _fold(b, OR, x, y, False)


def _fold(b: Builder, op: Operation, x: Value, y: Value, neutral: bool) -> Value:
    for one, other in ((x, y), (y, x)):
        if isinstance(one.op, Const):
            return other if one.op.value is neutral else b.const(not neutral)
    return b.apply(op, x, y, fact=truth_fact(x, y))


def truth_fact(*tests: Value) -> Fact:
    """A Python bool over the lanes of all."""
    lanes: Lanes = ()
    for test in tests:
        lanes = union(lanes, test.fact.lanes)
    return Fact(np.dtype(bool), lanes, weak=True)


@expression(gast.BoolOp)
def bool_op(b: Builder, node: gast.BoolOp) -> Thing:
    """``and`` and ``or`` give an operand; later ones are evaluated only where needed."""
    stop = isinstance(node.op, gast.Or)

    def rest(k: int) -> Thing:
        thing = b.expr(node.values[k])
        if k + 1 == len(node.values):
            return thing
        test = truth(b, thing, node.values[k])
        if isinstance(test.op, Const):
            return thing if test.op.value is stop else rest(k + 1)
        if test is thing:  # a bool: the operand is its own truth
            return lazy(b, test, lambda: rest(k + 1), stop, node)
        go = (lambda: thing, lambda: rest(k + 1)) if stop else (lambda: rest(k + 1), lambda: thing)
        result = b.branch(test, go[0], go[1], node)
        assert result is not None
        return result

    return rest(0)


def lazy(b: Builder, test: Value, rest: Callable[[], Thing], stop: bool, node: gast.AST) -> Thing:
    """``test or rest`` (``stop``) or ``test and rest``, of bools where the rest is one, too.

    The rest is computed for all lanes if that is harmless, else only for the lanes that need it.
    """
    block = Block()
    before = dict(b.env)
    with b.into(block):
        thing = rest()
    plain = isinstance(thing, Value) and thing.fact.kind == "b"
    if plain and b.env == before and harmless(block):
        b.block.nodes.extend(block.nodes)
        assert isinstance(thing, Value)
        return either(b, test, thing) if stop else both(b, test, thing)
    other = b.const(stop)
    after, b.env = b.env, before
    blocks = (Block(), block) if stop else (block, Block())
    made = If(test, blocks[0], blocks[1], line=b.line)
    b.add(made)
    sides: list[tuple[dict[str, Thing], Thing | None]] = [(before, other), (after, thing)]
    if not stop:
        sides.reverse()
    b.env, result = b.join(made, before, sides[0], sides[1])
    assert result is not None
    return result


def harmless(block: Block) -> bool:
    """May every node run for lanes that do not need it?"""
    return all(isinstance(n, Let) and getattr(n.value.op, "total", False) for n in block.nodes)


@expression(gast.UnaryOp)
def unary(b: Builder, node: gast.UnaryOp) -> Thing:
    """``not`` is a bool; the others are operators of numbers."""
    if isinstance(node.op, gast.Not):
        return negated(b, truth(b, b.expr(node.operand), node.operand))
    from autovec.program.operators import unary_operator

    return unary_operator(b, node)


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
        return lazy(b, truth(b, here, node), lambda: chain(k + 1, right), False, node)

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


def ordered(b: Builder, sign: str, left: Thing, right: Thing, node: gast.AST) -> Value:
    """``<`` and its kin, elementwise for numbers and strings, lexicographic for tuples."""
    for thing in (left, right):
        if isinstance(thing, Conflict):
            raise Unsupported(node, thing.why, "no array holds both")
    left, right = unpacked(b, left), unpacked(b, right)
    if isinstance(left, Seq) and isinstance(right, Seq):
        return lexicographic(b, sign, left, right, node)
    if isinstance(left, Value) and isinstance(right, Value):
        return _scalars(b, sign, left, right, node)
    if sign in ("==", "!="):
        if (
            isinstance(left, Known)
            and isinstance(right, Known)
            and (left.obj is None or right.obj is None)
        ):
            return b.const((left.obj is right.obj) is (sign == "=="))
        known = [t for t in (left, right) if isinstance(t, Known)]
        if (known and known[0].obj is None) or {type(left), type(right)} == {Seq, Value}:
            return b.const(sign == "!=")
    raise Unsupported(node, f"{describe(left)} {sign} {describe(right)}", "it has no array form")


def _scalars(b: Builder, sign: str, left: Value, right: Value, node: gast.AST) -> Value:
    if isinstance(left.op, Const) and isinstance(right.op, Const):
        try:
            return b.const(eval_comparison(sign, left.op.value, right.op.value))
        except TypeError as e:
            raise Unsupported(node, str(e), "the loop raises it") from e
    strings = {left.fact.kind in "US", right.fact.kind in "US"}
    if strings == {True, False}:
        if sign in ("==", "!="):
            return b.const(sign == "!=")
        raise Unsupported(
            node, f"{describe(left)} {sign} {describe(right)}", "Python raises TypeError"
        )
    return b.apply(exactly(sign, left, right), left, right, node=node)


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
    import operator

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
    return b.const(True) if x is y else ordered(b, "==", x, y, node)


def identical(b: Builder, left: Thing, right: Thing, node: gast.AST) -> Value:
    """``is``, decided while compiling: a number is never None."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Known) and one.obj is None:
            if isinstance(other, Known):
                return b.const(other.obj is None)
            if isinstance(other, Conflict):
                raise Unsupported(node, other.why, "no array holds both")
            return b.const(False)
    if isinstance(left, Known) and isinstance(right, Known):
        return b.const(left.obj is right.obj)
    for one, other in ((left, right), (right, left)):
        flag = literal(one)
        if flag is True or flag is False:
            if isinstance(other, Value) and other.fact.kind == "b" and other.fact.python:
                return other if flag else negated(b, other)
            return b.const(False)
    raise Unsupported(
        node, f"{describe(left)} is {describe(right)}", "identity of numbers has no array form"
    )


def unpacked(b: Builder, thing: Thing) -> Thing:
    """A small constant table as the sequence of its items."""
    from autovec.program.tables import as_sequence

    return as_sequence(b, thing) if isinstance(thing, Known) else thing


def member(b: Builder, left: Thing, right: Thing, node: gast.AST) -> Value:
    """``in`` a tuple, list, set, range, dict or string."""
    if isinstance(right, Range):
        return in_range(b, left, right, node)
    if isinstance(right, Map):
        right = Seq(tuple(b.const(k) for k in right.items))
    if isinstance(right, Known) and isinstance(right.obj, (set, frozenset, dict)):
        from autovec.program.tables import keys_of

        right = keys_of(b, right, node)
    right = unpacked(b, right)
    if isinstance(right, Seq):
        return one_of(b, left, right, node)
    if (
        isinstance(left, Value)
        and isinstance(right, Value)
        and right.fact.kind == left.fact.kind == "U"
    ):
        if not left.varying and not right.varying:
            return b.apply(
                Operation("in", ("x", "y"), "x in y", "x in y", total=True), left, right, node=node
            )
        text = "np.strings.find(y, x) >= 0"
        return b.apply(
            Operation("in", ("x", "y"), text, "x in y", total=True, number="python"),
            left,
            right,
            node=node,
        )
    raise Unsupported(node, f"membership in {describe(right)}", "it has no array form")


def one_of(b: Builder, left: Thing, right: Seq, node: gast.AST) -> Value:
    """``x == a or x == b or ...``, as one np.isin where there are many literals of one kind."""
    literals = [literal(item) for item in right.items]
    if isinstance(left, Value) and left.varying and len(literals) > _FEW:
        kinds = {np.asarray(v).dtype.kind if v is not _NOT_LITERAL else "?" for v in literals}
        same = (
            kinds <= {"i"}
            if left.fact.kind in "iu"
            else kinds in ({left.fact.kind}, {"i", "f"}, {"i"})
        )
        exact = all(not isinstance(v, int) or abs(v) < 2**53 for v in literals)
        if same and exact and left.fact.kind in "ifuU":
            items = ", ".join(repr(v) for v in literals)
            op = Operation(
                "in",
                ("x",),
                f"np.isin(x, [{items}])",
                f"x in ({items})",
                total=True,
                cost=20,
                number="python",
            )
            return b.apply(op, left, node=node)
    found = b.const(False)
    for item in right.items:
        found = either(b, found, equal(b, left, item, node))
    return found


def in_range(b: Builder, left: Thing, right: Range, node: gast.AST) -> Value:
    """``x in range(a, b, s)``: an integer in the bounds that a step hits."""
    from autovec.program.operators import binary

    x = b.as_value(left, node)
    bounds = [literal(v) for v in right.args]
    if len(bounds) > 2 and not all(isinstance(v, int) for v in bounds):
        raise Unsupported(node, "membership in a range with a varying step", "")
    start, stop, step = {
        1: lambda: (b.const(0), right.args[0], 1),
        2: lambda: (right.args[0], right.args[1], 1),
        3: lambda: (right.args[0], right.args[1], bounds[2]),
    }[len(right.args)]()
    assert isinstance(step, int)
    signs = (">=", "<") if step > 0 else ("<=", ">")
    found = both(b, _scalars(b, signs[0], x, start, node), _scalars(b, signs[1], x, stop, node))
    if x.fact.kind in "fc":
        whole = Operation(
            "in", ("x",), "x == np.floor(x)", "x == x // 1", total=True, number="python"
        )
        found = both(b, found, b.apply(whole, x, node=node))
        if abs(step) != 1:
            raise Unsupported(node, "membership of a float in a range with a step", "")
    if abs(step) != 1:
        offset = binary(b, "-", x, start, node) if literal(start) != 0 else x
        rest = binary(b, "%", offset, b.const(abs(step)), node)
        found = both(b, found, _scalars(b, "==", rest, b.const(0), node))
    return found


def bool_fact(lanes: tuple[str, ...]) -> Fact:
    """The fact of a test."""
    return Fact(np.dtype(bool), lanes)
