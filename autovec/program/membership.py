"""``in``: membership in structures, constant tables, ranges and strings."""

from __future__ import annotations

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.comparisons import compare_scalars, equal
from autovec.program.facts import OBJECT, UNKNOWN, Fact
from autovec.program.keys import as_compared, comparable, parts_of, place
from autovec.program.operators import binary
from autovec.program.rows import constant_key, keys, values
from autovec.program.tables import keys_of, unpacked
from autovec.program.things import (
    NOT_LITERAL,
    Known,
    Map,
    Range,
    Row,
    Seq,
    Thing,
    describe,
    literal,
)
from autovec.program.truth import both, either, truth_fact
from autovec.program.values import Operation, Path, Value

_HASHED = (set, frozenset, dict)
WIDE = Operation("float", ("x",), "x.astype(float)", "float(x)", total=True, number="python")
#: more alternatives than this in a membership test become one np.isin
_FEW = 4
#: floats are looked for among the members of a range of no more than these
_LISTED = 1000


def member(b: Builder, left: Thing, right: Thing, node: gast.AST) -> Value:
    """``in`` a tuple, list, set, range, dict or string."""
    if isinstance(right, Range):
        return in_range(b, left, right, node)
    if isinstance(right, Row):
        return in_row(b, left, right, node)
    if isinstance(right, Map):
        right = Seq(tuple(b.const(k) for k in right.items))
    hashed = isinstance(right, Known) and isinstance(right.obj, (set, frozenset, dict))
    if isinstance(right, Known) and isinstance(right.obj, (*_HASHED, tuple, list)):
        found = in_table(b, left, right, node)
        if found is not None:
            return found
    if isinstance(right, Known) and isinstance(right.obj, _HASHED):
        right = keys_of(b, right, node)
        hashed = True
    if hashed and isinstance(left, Value) and as_compared(left):  # found by its hash: exactly
        left = b.apply(WIDE, left, node=node)
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


def in_table(b: Builder, left: Thing, right: Known, node: gast.AST) -> Value | None:
    """A value among many items of a table of the user's, read when it is asked for."""
    items = list(right.obj)
    if right.expr is None or len(items) <= _FEW:
        return None
    root = b.capture(right.expr, right.obj)
    table = Value(Path(right.expr, root), (), Fact(OBJECT, shape=(UNKNOWN,)))
    if isinstance(left, Seq):
        parts = parts_of(left, items, node)
        if not any(part.varying for part in parts):
            return None
        at = place(b, "table", (("table", table),), parts, node)
        return compare_scalars(b, ">=", at, b.const(0), node)
    if not isinstance(left, Value) or not comparable(left, items):
        return None
    wanted = "table" if isinstance(right.obj, (tuple, list)) else "list(table)"
    narrow = as_compared(left) if isinstance(right.obj, (tuple, list)) else ""
    if narrow:
        wanted = f"np.array({wanted}, {narrow})"
    op = Operation("in", ("x", "table"), f"np.isin(x, {wanted})", "x in table", total=True, cost=20)
    return b.apply(op, left, table, node=node, fact=truth_fact(left))


def in_row(b: Builder, left: Thing, right: Row, node: gast.AST) -> Value:
    """``"price" in row``: is it a column's name, which is known; a record holds values."""
    key = constant_key(b, left)
    if right.kind != "record" and isinstance(key, (str, int, float, bool)):
        return b.const(key in right.items)
    if right.kind == "record":
        return one_of(b, left, values(right, node), node)
    return one_of(b, left, keys(b, right, node), node)


def one_of(b: Builder, left: Thing, right: Seq, node: gast.AST) -> Value:
    """``x == a or x == b or ...``, as one np.isin where there are many literals of one kind."""
    literals = [literal(item) for item in right.items]
    if isinstance(left, Value) and left.varying and len(literals) > _FEW:
        kinds = {np.asarray(v).dtype.kind if v is not NOT_LITERAL else "?" for v in literals}
        same = (
            kinds <= {"i"}
            if left.fact.kind in "iu"
            else kinds in ({left.fact.kind}, {"i", "f"}, {"i"})
        )
        exact = not as_compared(left) and comparable(left, literals)
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
    x = b.as_value(left, node)
    bounds = [v for v in map(literal, right.args) if isinstance(v, int)]
    if len(right.args) > 2 and len(bounds) < 3:
        raise Unsupported(node, "membership in a range with a varying step", "")
    start, stop = right.args[:2] if len(right.args) > 1 else (b.const(0), right.args[0])
    step = bounds[2] if len(right.args) > 2 else 1
    if abs(step) != 1 and x.fact.kind in "fc":
        if len(bounds) < len(right.args) or len(range(*bounds)) > _LISTED:
            raise Unsupported(node, "membership of a float in such a range", "it is not listed")
        text = f"range({', '.join(map(str, bounds))})"
        op = Operation("in", ("x",), f"np.isin(x, {text})", f"x in {text}", total=True, cost=20)
        return b.apply(op, x, fact=truth_fact(x))
    signs = (">=", "<") if step > 0 else ("<=", ">")
    found = both(
        b, compare_scalars(b, signs[0], x, start, node), compare_scalars(b, signs[1], x, stop, node)
    )
    if x.fact.kind in "fc":
        whole = Operation(
            "in", ("x",), "x == np.floor(x)", "x == x // 1", total=True, number="python"
        )
        found = both(b, found, b.apply(whole, x, node=node))
    if abs(step) != 1:
        offset = binary(b, "-", x, start, node) if literal(start) != 0 else x
        rest = binary(b, "%", offset, b.const(abs(step)), node)
        found = both(b, found, compare_scalars(b, "==", rest, b.const(0), node))
    return found
