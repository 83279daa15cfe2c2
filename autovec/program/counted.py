"""``for i in range(n)`` with a trip count that differs between lanes, as a ``while``."""

from __future__ import annotations

import gast

from autovec.canonical.loops import without_continue
from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.facts import INT
from autovec.program.marks import Mark
from autovec.program.numbers import whole
from autovec.program.rules import rule_call
from autovec.program.things import Range, literal
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.walking import updated


def hidden(b: Builder, word: str) -> str:
    """A name of our own for this loop; the text calls it by the word alone."""
    return f"{HIDDEN}{word}{HIDDEN}{b.line}"


def is_counted(test: gast.expr) -> bool:
    """Is it the test of a loop that ``counted`` made?"""
    left = test.left if isinstance(test, gast.Compare) else None
    return isinstance(left, gast.Name) and left.id.startswith(f"{HIDDEN}trip{HIDDEN}")


def varying_range(b: Builder, node: gast.expr) -> tuple[Value, ...] | None:
    """The bounds of a ``range`` that differ between lanes."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return None
    if node.func.id in b.env or b.scope.lookup(node.func.id) is not range or node.keywords:
        return None
    mark = Mark(b)
    thing = b.expr(node)
    if isinstance(thing, Range) and any(v.varying for v in thing.args):
        return thing.args
    mark.restore(b)  # it is looked at once more: what it changes is changed then
    return None


def counted(b: Builder, node: gast.For, bounds: tuple[Value, ...]) -> list[gast.stmt]:
    """``for i in range(n)`` with a trip count that differs between lanes, as a ``while``."""
    start, stop = (b.const(0), bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = literal(bounds[2]) if len(bounds) == 3 else 1
    if not isinstance(step, int) or step == 0:
        raise Unsupported(node, "a range with a step that is not a literal", "its end is not known")
    names = {n: hidden(b, n) for n in ("trip", "stop")}
    start = python_int(b, start, node)
    if stop.fact.dtype != INT:
        stop = python_int(b, stop, node)
    b.env[names["trip"]], b.env[names["stop"]] = start, stop
    stop.origin = stop.origin or names["stop"]
    sign = "<" if step > 0 else ">"
    body = quote.stmts(
        "target = trip\nbody\ntrip = trip + step",
        target=node.target, trip=names["trip"], step=step,
        body=without_continue(node.body, hidden(b, "skips")),
    )  # fmt: skip
    test = quote.expr(f"trip {sign} stop", **names)
    made = quote.stmt("while test:\n    body", test=test, body=body)
    loop = updated(made, orelse=node.orelse)
    for part in gast.walk(loop):
        if isinstance(part, (gast.expr, gast.stmt)) and not hasattr(part, "lineno"):
            gast.copy_location(part, node)
    return [loop]


def python_int(b: Builder, bound: Value, node: gast.For) -> Value:
    """A bound as Python's int, whatever its dtype: that is what ``range`` gives."""
    if not bound.varying or bound.fact.weak:
        return bound
    made = whole(b, bound) or rule_call(b, "builtins.int", [bound], {}, node)
    assert isinstance(made, Value)
    return made
