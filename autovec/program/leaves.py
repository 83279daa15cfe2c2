"""The smallest fallback: an expression that only Python has becomes one visible line.

    label = f"{name}: {price:.2f}"

becomes, with ``name`` and ``price`` differing between lanes,

    label = np.array([f"{name}: {price:.2f}" for name, price in zip(name.tolist(), price.tolist())],
                     dtype=str)

It runs for the live lanes only, on Python's own scalars.  Its operands are computed for all lanes
at once.  An expression whose type is not known makes the whole function loop.
"""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program import python_calls  # noqa: F401  (registers the calls)
from autovec.program.build import Builder
from autovec.program.facts import Fact, Lanes, union
from autovec.program.lists import changed_names
from autovec.program.marks import LAST_RESORTS, Mark
from autovec.program.python_parts import NotTyped, Parts
from autovec.program.python_types import PLAIN, fact_of_type, type_of
from autovec.program.things import Thing
from autovec.program.values import Each, Operation, Value
from autovec.syntax.convert import text_of
from autovec.syntax.names import RESERVED


def each_lane(b: Builder, node: gast.expr, refusal: Unsupported) -> Thing | None:
    """The value of an expression that runs once a lane, or None where its type is not known."""
    if b.attempts or any(isinstance(n, (gast.NamedExpr, gast.Lambda)) for n in gast.walk(node)):
        return None
    if changed_names(b, node):  # some of its parts are looked at twice
        return None
    mark = Mark(b)
    parts = Parts(b, node)
    try:
        expr, kind = parts.of(node, {})
    except NotTyped:
        mark.restore(b)
        return None
    lanes: Lanes = ()
    for value in parts.operands.values():
        lanes = union(lanes, value.fact.lanes)
    fact = fact_of_type(kind, lanes)
    if fact is None or (fact.kind == "O" and b.nesting > 1):
        mark.restore(b)
        return None
    made = in_c(expr, parts, kind)
    if made is not None:
        return b.let(Value(made, tuple(parts.operands.values()), fact, None, b.line))
    if b.letters:  # a lane at a time for each of its letters: Python's own loop is faster
        mark.restore(b)
        return None
    names = tuple(parts.operands)
    what, why = described(node, refusal)
    op = Each(
        idea(node, fact), names, "", "", cost=300.0, number="python", impure=True,
        expr=expr, node=node, what=what, why=why, note=f"a lane at a time: {what}",
    )  # fmt: skip
    value = Value(op, tuple(parts.operands.values()), fact, None, b.line)
    return b.let(value)


#: functions in C that take the samples of an array of objects one by one
IN_C = (len, str, repr, ascii, hex, bin, oct, chr, ord, int, float, bool, format)


def in_c(expr: gast.expr, parts: Parts, kind: Any) -> Operation | None:
    """The operation of a call of one function in C, which np.frompyfunc runs without a loop."""
    if not isinstance(expr, gast.Call) or expr.keywords or not isinstance(expr.func, gast.Name):
        return None
    names = [a.id if isinstance(a, gast.Name) else None for a in expr.args]
    kept = [a for a in expr.args if isinstance(a, gast.Constant)]
    known = [n for n in names if n in parts.operands]
    # NumPy hands its own numbers on as Python's, which a float32 sample is not
    called = parts.known(expr.func, {})
    whole = "biu" if called in (str, hex, bin, oct, chr) else ""
    own = all(
        type_of(v.fact) in PLAIN or v.fact.kind in f"O{whole}" for v in parts.operands.values()
    )
    if called not in IN_C or len(known) + len(kept) != len(names) or not own:
        return None
    written = text_of(expr)
    given = ", ".join(text_of(a) for a in expr.args)
    if called is chr:
        lanes = f"characters({given})"
    elif kind == "str":
        lanes = f"texts({expr.func.id}, {given})"
    else:
        call = f"np.frompyfunc({expr.func.id}, {len(names)}, 1)({given})"
        lanes = f"np.asarray({call}, dtype={kind})"
    return Operation(
        expr.func.id, tuple(parts.operands), lanes, written, cost=150, number="python", impure=True,
    )


def described(node: gast.expr, refusal: Unsupported) -> tuple[str, str]:
    """What it is that only Python has, in a few words, and why."""
    if isinstance(node, gast.JoinedStr):
        return "an f-string", "NumPy formats no numbers"
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mod):
        return "% formatting", "NumPy formats no numbers"
    func = node.func if isinstance(node, gast.Call) else None
    if isinstance(func, gast.Attribute):
        return f".{func.attr}()", "NumPy has no twin of it"
    if isinstance(func, gast.Name):
        return f"{func.id}()", "NumPy has no twin of it"
    return refusal.what, refusal.why


def idea(node: gast.expr, fact: Fact) -> str:
    """A name for the result, should it need one."""
    func = node.func if isinstance(node, gast.Call) else None
    name = getattr(func, "id", "")
    known = name.isidentifier() and name not in RESERVED and name != "format"
    return name if known else {"U": "text", "O": "parts"}.get(fact.kind, "number")


LAST_RESORTS.append(each_lane)
