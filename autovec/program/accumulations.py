"""``sum``, ``any`` and ``all``: one value accumulated over a sequence, as a loop or unrolled."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.arrays.builtins import builtin_of_array
from autovec.program.arrays.operands import is_array
from autovec.program.arrays.rows import has_rows
from autovec.program.build import Builder
from autovec.program.calls import special
from autovec.program.comprehensions import each, outside
from autovec.program.iteration import iterated, sequence_items
from autovec.program.lists import changes_nothing
from autovec.program.marks import Mark
from autovec.program.operators import accumulate, binary
from autovec.program.rules import rule_call
from autovec.program.things import Thing, literal
from autovec.program.truth import either, lazy, negated, truth
from autovec.program.values import Const, Operation, Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.visit import assigned_names
from autovec.syntax.walking import located


def in_loop(
    b: Builder, node: gast.GeneratorExp | gast.ListComp, name: str, start: Value, step: gast.expr
) -> Value | None:
    """Accumulate over a generator as a loop ``name = step``; None when it has to be unrolled."""
    if len(node.generators) > 1:
        return None
    generator = node.generators[0]
    if not has_rows(b, generator.iter) and not _stays(b, generator.iter):
        return None
    hidden = HIDDEN + name
    before = dict(b.env)
    b.env[hidden] = start
    if start.origin is None and not isinstance(start.op, Const):
        start.origin = name
    body: list[gast.stmt] = [quote.stmt("target = value", target=hidden, value=step)]
    for condition in reversed(generator.ifs):
        body = quote.stmts("if test:\n    body", test=condition, body=body)
    text = "for target in items:\n    body"
    loop = quote.stmt(text, target=generator.target, items=generator.iter, body=body)
    b.statements([located(loop, node)])
    result = b.env[hidden]
    own = assigned_names(generator.target) | {hidden}  # what the generator changes stays
    b.env = outside(before, b.env, own)
    assert isinstance(result, Value)
    return result


def _stays(b: Builder, node: gast.expr) -> bool:
    """Can a loop over this expression stay one?"""
    mark = Mark(b)
    try:
        it = iterated(b, node)
    except Unsupported:
        return False
    finally:
        mark.restore(b)  # the loop looks at it once more: what it changes is changed then
    return it.target is not None and bool(it.text)


@special(sum, least=1, most=2, keywords="start")
def sum_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``sum`` from the left, as Python adds."""
    start_node = (
        node.args[1]
        if len(node.args) > 1
        else next((k.value for k in node.keywords if k.arg == "start"), None)
    )
    start = b.const(0) if start_node is None else b.value(changes_nothing(b, start_node))
    over = node.args[0]
    if isinstance(over, (gast.GeneratorExp, gast.ListComp)):
        step = quote.expr("total + value", total=HIDDEN + "total", value=over.elt)
        looped = in_loop(b, over, "total", start, step)
        return looped if looped is not None else unrolled_sum(b, over, start, node)
    whole = alone(b, node, "sum") if literal(start) == 0 else None
    if whole is not None:
        return whole
    total: Value | None = None if literal(start) == 0 else start
    items = [b.as_value(item, node) for item in sequence_items(b, over)]
    if any(v.fact.kind not in "biufc" for v in items):
        raise Unsupported(node, "sum of strings", "Python raises TypeError")
    if any(v.fact.kind in "bfc" for v in items[:1]):
        total = start  # 0 + -0.0 is 0.0, and 0 + True an int
    for value in items:
        total = value if total is None else accumulate(b, "+", total, value, node)
    return start if total is None else total


def alone(b: Builder, node: gast.Call, name: str) -> Value | None:
    """A builtin of one array, and nothing else."""
    over = node.args[0]
    if len(node.args) != 1 or node.keywords or not could_be_array(over):
        return None
    if isinstance(over, gast.Name) and over.id in b.env and not is_array(b.env[over.id]):
        return None  # an iterator is run through once
    mark = Mark(b)
    made = builtin_of_array(b, name, b.iterable(over), node)
    if made is None:
        mark.restore(b)
    return made


def could_be_array(node: gast.expr) -> bool:
    """Is it an expression whose value could be an array, and that can be built twice?"""
    if isinstance(node, gast.Call):
        return isinstance(node.func, gast.Attribute)
    return isinstance(node, (gast.Name, gast.Attribute, gast.Subscript, gast.BinOp, gast.Compare))


@special(math.prod, least=1, most=1, keywords="start")
def prod(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``math.prod`` of a fixed sequence, from the left."""
    start = next((k.value for k in node.keywords if k.arg == "start"), None)
    total = b.const(1) if start is None else b.value(changes_nothing(b, start))
    for k, item in enumerate(sequence_items(b, node.args[0])):
        value = b.as_value(item, node)
        plain = k == 0 and start is None and value.fact.kind != "b"
        total = value if plain else accumulate(b, "*", total, value, node)
    return total


@special(math.dist, least=2, most=2)
def dist(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``math.dist`` of two points: the size of their difference."""
    p, q = (sequence_items(b, a) for a in node.args)
    if len(p) != len(q) or not p:
        raise Unsupported(node, "dist of points of other lengths", "Python raises ValueError")
    pairs = zip(p, q, strict=True)
    steps = [binary(b, "-", b.as_value(x, node), b.as_value(y, node), node) for x, y in pairs]
    return rule_call(b, "math.hypot", [*steps], {}, node)


@special(math.fsum, least=1, most=1)
def fsum(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``math.fsum`` of a fixed sequence: no ufunc adds without rounding, so it is asked itself."""
    values = [b.as_value(item, node) for item in sequence_items(b, node.args[0])]
    if not values:
        return b.const(0.0)
    if b.attempts or any(v.fact.kind not in "biuf" for v in values):
        raise Unsupported(node, "fsum here", "what it raises is not followed")
    names = tuple(f"a{k}" for k in range(len(values)))
    listed = ", ".join(names)
    text = f"np.frompyfunc(lambda *v: math.fsum(v), {len(names)}, 1)({listed}).astype(float)"
    written = f"math.fsum(({listed},))"
    op = Operation("math.fsum", names, text, written, cost=200, number="python", impure=True)
    return b.apply(op, *values, node=node)


@special(statistics.fmean, least=1, most=1)
def fmean(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``statistics.fmean`` of a fixed sequence: its exact sum by their number."""
    total = fsum(b, node, function)
    count = len(sequence_items(b, node.args[0]))
    if not isinstance(total, Value) or not count:
        raise Unsupported(node, "fmean of nothing", "Python raises StatisticsError")
    return binary(b, "/", total, b.const(count), node)


@special(any, all, least=1, most=1)
def quantified(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``any`` and ``all``: later items are evaluated only where they are needed."""
    stop = function is any
    over = node.args[0]
    if isinstance(over, (gast.GeneratorExp, gast.ListComp)):
        name = "found" if stop else "holds"
        word, listed = "or" if stop else "and", isinstance(over, gast.ListComp)
        text = f"not (not value) {word} state" if listed else f"state {word} not (not value)"
        step = quote.expr(text, state=HIDDEN + name, value=over.elt)
        looped = in_loop(b, over, name, b.const(not stop), step)
        if looped is not None:
            return looped
        return unrolled_quantifier(b, over, stop, node)
    whole = alone(b, node, "any" if stop else "all")
    if whole is not None:
        return whole
    state = b.const(not stop)
    for item in sequence_items(b, over, stops=True):
        test = truth(b, item, node)
        state = (
            either(b, state, test)
            if stop
            else negated(b, either(b, negated(b, state), negated(b, test)))
        )
    return state


def unrolled_quantifier(
    b: Builder, over: gast.GeneratorExp | gast.ListComp, stop: bool, node: gast.Call
) -> Thing:
    """The same over items that have to be compiled in one by one."""

    def step(found: Value) -> Thing:
        if isinstance(over, gast.ListComp):  # the whole list is made before it is asked
            test = truth(b, b.expr(over.elt), over.elt)
            return lazy(b, test, lambda: found, stop)
        if isinstance(found.op, Const):
            settled = found.op.value is stop
            return found if settled else truth(b, b.expr(over.elt), over.elt)
        return lazy(b, found, lambda: truth(b, b.expr(over.elt), over.elt), stop)

    return unrolled(b, over, "found" if stop else "holds", b.const(not stop), step, node)


def unrolled_sum(
    b: Builder, over: gast.GeneratorExp | gast.ListComp, start: Value, node: gast.Call
) -> Thing:
    """A sum over items that have to be compiled in one by one."""

    def step(total: Value) -> Thing:
        value = b.as_value(b.expr(over.elt), over.elt)
        if literal(total) == 0 and total is start and value.fact.kind not in "bfc":
            return value  # 0 + -0.0 is 0.0, and 0 + True an int
        return accumulate(b, "+", total, value, node)

    return unrolled(b, over, "total", start, step, node)


def unrolled(
    b: Builder,
    over: gast.GeneratorExp | gast.ListComp,
    name: str,
    start: Value,
    step: Callable[[Value], Thing],
    node: gast.Call,
) -> Thing:
    """A value that each item of a generator changes, for the lanes whose conditions hold."""
    hidden = HIDDEN + name
    before = b.env.get(hidden)
    b.env[hidden] = start

    def act() -> None:
        state = b.env[hidden]
        assert isinstance(state, Value)
        b.env[hidden] = step(state)

    each(b, over.generators, 0, act, node, guard=True)
    result = b.env.pop(hidden)
    if before is not None:
        b.env[hidden] = before
    return result
