"""Loops whose trip count is the same for every lane, and comprehensions over uniform sequences.

A loop over a constant table or a range stays a Python loop; what its body carries from one
iteration to the next reaches a fixpoint of facts before any test counts as uniform.  A loop over a
few values that differ between lanes (a tuple of arguments, say) is unrolled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder, describe, expression, statement
from autovec.program.facts import NoCommonType, join, scalar_fact
from autovec.program.methods import DictView
from autovec.program.statements import store
from autovec.program.tables import SMALL, as_sequence, literal_thing, loop_item
from autovec.program.truth import literal, truth
from autovec.program.values import (
    Block,
    Carry,
    CarryResult,
    Conflict,
    Const,
    Exit,
    Item,
    Known,
    Local,
    Loop,
    Map,
    Range,
    Record,
    Seq,
    Thing,
    Unbound,
    Value,
    leaves,
    walk,
)
from autovec.syntax import quote
from autovec.syntax.visit import assigned_names
from autovec.syntax.walking import walk as walk_tree

#: rounds after which facts that still grow are refused
_ROUNDS = 12
#: a loop over literals with this many trips at most is unrolled when its body needs it
_UNROLL = 16


@dataclass
class Iterated:
    """What a ``for`` runs over: the emitted loop's template, what its target sees, the items."""

    text: str
    params: tuple[str, ...]
    args: tuple[Value, ...]
    target: Thing | None
    items: tuple[Thing, ...] | None
    at_least_one: bool
    exprs: dict[str, gast.expr]


class Names:
    """Parameter names for the parts of an iterable's template."""

    def __init__(self) -> None:
        self.params: list[str] = []
        self.args: list[Value] = []
        self.exprs: dict[str, gast.expr] = {}

    def value(self, v: Value) -> str:
        """A value's place in the template."""
        name = f"a{len(self.params)}"
        self.params.append(name)
        self.args.append(v)
        return name

    def expr(self, e: gast.expr) -> str:
        """An expression's place in the template."""
        name = f"e{len(self.exprs)}"
        self.exprs[name] = e
        return name


def iterated(b: Builder, node: gast.expr) -> Iterated:
    """What a loop over this expression runs over."""
    names = Names()
    text, target, items, some = parts(b, node, names)
    return Iterated(text, tuple(names.params), tuple(names.args), target, items, some, names.exprs)


def parts(
    b: Builder, node: gast.expr, names: Names
) -> tuple[str, Thing | None, tuple[Thing, ...] | None, bool]:
    """The template, the target's thing (None: only unrolled), the items if known, one trip?"""
    if (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Name)
        and node.func.id not in b.env
    ):
        obj = b.scope.lookup(node.func.id)
        made = _WRAPPERS.get(id(obj)) if callable(obj) else None
        if made is not None and not any(isinstance(a, gast.Starred) for a in node.args):
            return made(b, node, names)
    return over(b, b.expr(node), node, names)


def over(
    b: Builder, thing: Thing, node: gast.expr, names: Names
) -> tuple[str, Thing | None, tuple[Thing, ...] | None, bool]:
    """A loop over a thing."""
    if isinstance(thing, Range):
        return over_range(b, thing, node, names)
    if isinstance(thing, Map):
        thing = Seq(tuple(b.const(k) for k in thing.items))
    if isinstance(thing, Seq):
        return "", None, thing.items, bool(thing.items)
    if isinstance(thing, Known) and isinstance(thing.obj, DictView):
        view = thing.obj
        table = view.table
        capture_values(b, table)
        found = [literal_or_tuple(b, v, node) for v in view.items()]
        target = target_of(b, view.items(), node)
        if table.expr is None:
            return "", None, tuple(found), bool(found)
        return f"{names.expr(table.expr)}.{view.attr}()", target, tuple(found), bool(found)
    if (isinstance(thing, Known) and type(thing.obj) in (tuple, list, dict)) or (
        isinstance(thing, Known) and hasattr(type(thing.obj), "_fields")
    ):
        capture_values(b, thing)
        listed = list(thing.obj)
        items: tuple[Thing, ...] | None = None
        if len(listed) <= SMALL and not isinstance(thing.obj, dict):
            seq = as_sequence(b, thing)
            items = seq.items if isinstance(seq, Seq) else None
        elif isinstance(thing.obj, dict) and len(listed) <= SMALL:
            items = tuple(literal_or_tuple(b, v, node) for v in listed)
        if thing.expr is None:
            return "", None, items, bool(listed)
        return names.expr(thing.expr), target_of(b, listed, node), items, bool(listed)
    if isinstance(thing, Value) and thing.fact.kind == "U" and isinstance(thing.op, Const):
        items = tuple(b.const(c) for c in thing.op.value)
        return "", None, items, bool(items)
    raise Unsupported(node, f"a loop over {describe(thing)}", "its length or items are not known")


def capture_values(b: Builder, thing: Known) -> None:
    """The loop's text depends on the table's shape."""
    from autovec.program.atoms import path_of

    root = path_of(thing.expr) if thing.expr is not None else None
    if root is not None:
        b.captures.add(root[0], root[1], thing.obj)


def literal_or_tuple(b: Builder, v: Any, node: gast.AST) -> Thing:
    """An item of a dict view, compiled in."""
    return literal_thing(b, v, node)


def target_of(b: Builder, listed: list[Any], node: gast.AST) -> Thing | None:
    """One thing with the facts of all items; None when they have no common type."""
    if not listed:
        return None
    try:
        return loop_item(b, listed, None, node)
    except NoCommonType:
        return None


def over_range(
    b: Builder, thing: Range, node: gast.AST, names: Names
) -> tuple[str, Thing | None, tuple[Thing, ...] | None, bool]:
    """``range`` with uniform bounds."""
    if any(v.varying for v in thing.args):
        raise Unsupported(
            node,
            "a trip count that differs between lanes",
            "lanes that leave a loop one by one come later",
        )
    text = f"range({', '.join(names.value(v) for v in thing.args)})"
    bounds = [literal(v) for v in thing.args]
    items: tuple[Thing, ...] | None = None
    some = False
    if all(isinstance(v, int) for v in bounds):
        known = range(*bounds)  # type: ignore[arg-type]
        some = len(known) > 0
        if len(known) <= SMALL:
            items = tuple(b.const(k) for k in known)
    fact = scalar_fact(0)
    assert fact is not None
    return text, Value(Item(), (), fact, None, b.line), items, some


def _enumerate(b: Builder, node: gast.Call, names: Names) -> Any:
    text, target, items, some = parts(b, node.args[0], names)
    start_node = (
        node.args[1]
        if len(node.args) > 1
        else next((k.value for k in node.keywords if k.arg == "start"), None)
    )
    start = b.value(start_node) if start_node is not None else b.const(0)
    if start.varying:
        raise Unsupported(node, "enumerate from a varying start", "")
    counter = Value(Item(), (), scalar_fact(0), None, b.line)  # type: ignore[arg-type]
    whole = Seq((counter, target)) if target is not None else None
    first = literal(start)
    both = None
    if items is not None and isinstance(first, int):
        both = tuple(Seq((b.const(first + k), t)) for k, t in enumerate(items))
    tail = "" if first == 0 else f", {names.value(start)}"
    return f"enumerate({text}{tail})", whole, both, some


def _zip(b: Builder, node: gast.Call, names: Names) -> Any:
    found = [parts(b, a, names) for a in node.args]
    if any(k.arg != "strict" for k in node.keywords):
        raise Unsupported(node, "zip with these keywords", "")
    strict = (
        ", strict=True"
        if any(k.arg == "strict" and getattr(k.value, "value", None) is True for k in node.keywords)
        else ""
    )
    target = (
        Seq(tuple(f[1] for f in found)) if found and all(f[1] is not None for f in found) else None
    )
    items = None
    if all(f[2] is not None for f in found):
        items = tuple(Seq(row) for row in zip(*(f[2] for f in found), strict=False))
    return f"zip({', '.join(f[0] for f in found)}{strict})", target, items, all(f[3] for f in found)


def _reversed(b: Builder, node: gast.Call, names: Names) -> Any:
    text, target, items, some = parts(b, node.args[0], names)
    return f"reversed({text})", target, None if items is None else tuple(reversed(items)), some


def _same(b: Builder, node: gast.Call, names: Names) -> Any:
    if len(node.args) != 1 or node.keywords:
        raise Unsupported(node, "a loop over this call", "its length or items are not known")
    return parts(b, node.args[0], names)


_WRAPPERS: dict[int, Callable[..., Any]] = {
    id(enumerate): _enumerate,
    id(zip): _zip,
    id(reversed): _reversed,
    id(tuple): _same,
    id(list): _same,
    id(iter): _same,
}


# ---------------------------------------------------------------- the statements
@statement(gast.For)
def for_(b: Builder, node: gast.For) -> None:
    """``for``: kept as a loop, or unrolled where its items differ between lanes."""
    it = iterated(b, node.iter)
    keep = it.target is not None and it.text and not _leaves_early(node)
    if not keep:
        unroll(b, node, it)
        return
    before = (dict(b.env), len(b.block.nodes), len(b.returns), len(b.notes))
    try:
        kept_loop(b, node, it)
    except Unsupported:
        if it.items is None or len(it.items) > _UNROLL:
            raise
        b.env = before[0]
        del b.block.nodes[before[1] :], b.returns[before[2] :], b.notes[before[3] :]
        unroll(b, node, it)


def _leaves_early(node: gast.For) -> bool:
    return any(isinstance(n, gast.Return) for s in node.body for n in walk_tree(s))


def unroll(b: Builder, node: gast.For, it: Iterated) -> None:
    """Repeat the body for each known item."""
    if it.items is None or len(it.items) > SMALL:
        raise Unsupported(
            node, "a loop over these items", "they have no common type, or are too many to unroll"
        )
    if any(isinstance(n, (gast.Break, gast.Continue)) for s in node.body for n in walk_tree(s)):
        raise Unsupported(
            node,
            "break or continue on some lanes only",
            "lanes that leave a loop one by one come later",
        )
    for item in it.items:
        if not b.block.falls:
            return
        store(b, node.target, item)
        b.statements(node.body)
    if b.block.falls:
        b.statements(node.orelse)


def kept_loop(b: Builder, node: gast.For, it: Iterated) -> None:
    """A loop that stays one in the emitted text."""
    assert it.target is not None
    target = it.target

    def body() -> None:
        store(b, node.target, target)
        b.statements(node.body)

    made, _ = carried(b, node, body, None)
    made.params, made.args = it.params, it.args
    made.iterable = quote.expr(it.text, **it.exprs)
    made.target = _target_tree(node.target, target)
    b.statements(node.orelse)


def _target_tree(target: gast.expr, thing: Thing) -> Any:
    """The loop's target as nested tuples of (name, value)."""
    if (
        isinstance(target, (gast.Tuple, gast.List))
        and isinstance(thing, Seq)
        and len(thing.items) == len(target.elts)
    ):
        return tuple(_target_tree(t, i) for t, i in zip(target.elts, thing.items, strict=True))
    if isinstance(target, gast.Name) and isinstance(thing, Value):
        return thing
    if isinstance(target, gast.Name) and isinstance(thing, Seq):
        return tuple(_target_tree(target, i) for i in thing.items)
    raise Unsupported(target, "this loop target", "it does not match the items")


@statement(gast.While)
def while_(b: Builder, node: gast.While) -> None:
    """``while`` with a test on which all lanes agree."""
    if node.orelse:
        raise Unsupported(node, "else of a while", "it comes later")

    def body() -> None:
        b.statements(node.body)

    carried(b, node, body, node.test)


def carried(
    b: Builder, node: gast.For | gast.While, body: Callable[[], None], test: gast.expr | None
) -> tuple[Loop, dict[str, Thing]]:
    """Build a loop's body to a fixpoint of the facts it carries; append the loop node."""
    if _leaves_early(node):  # type: ignore[arg-type]
        raise Unsupported(
            node, "return inside a loop", "lanes that leave a loop one by one come later"
        )
    before = b.env
    names = sorted(assigned_names(node.body))
    if isinstance(node, gast.For):
        names = sorted({*names, *assigned_names(node.target)})
    facts: dict[tuple[str, int], Any] = {}
    for _ in range(_ROUNDS):
        heads = {
            n: head_of(b, n, before[n], facts, node)
            for n in names
            if n in before and _carried(before[n])
        }
        marks = (len(b.returns), len(b.notes))
        b.env = {**before, **heads}
        block, head, value = Block(), Block(), None
        b.loops.append("uniform")
        try:
            if test is not None:
                with b.into(head):
                    value = truth(b, b.expr(test), test)
                if value.varying:
                    raise Unsupported(
                        test,
                        "a loop test that differs between lanes",
                        "lanes that leave a loop one by one come later",
                    )
            with b.into(block):
                body()
        finally:
            b.loops.pop()
        after = b.env
        grown = False
        for n, head_thing in heads.items():
            grown |= widen(n, head_thing, after.get(n), facts, node)
        if not grown:
            break
        del b.returns[marks[0] :], b.notes[marks[1] :]
    else:
        raise Unsupported(node, "a loop whose values keep changing type", "")
    if any(isinstance(n, Exit) for n in walk(block)):
        raise Unsupported(
            node, "break or continue", "lanes that leave a loop one by one come later"
        )
    made = Loop(None, (), (), None, block, [], head if test is not None else None, value, b.line)
    b.add(made)
    env = dict(before)
    for n in names:
        if n in heads:
            env[n] = result_of(b, made, heads[n], before[n], after[n], n)
        elif n in after:
            env[n] = fresh_result(b, made, after[n], n)
    b.env = env
    return made, heads


def _carried(thing: Thing) -> bool:
    return bool(leaves(thing)) and not isinstance(thing, (Unbound, Conflict, Local, Range))


def head_of(
    b: Builder, name: str, init: Thing, facts: dict[tuple[str, int], Any], node: gast.AST
) -> Thing:
    """A name's thing at the loop's head, with the facts found so far."""
    counter = [0]

    def leaf(v: Value) -> Value:
        key = (name, counter[0])
        counter[0] += 1
        fact = facts.setdefault(key, v.fact)
        return Value(Carry(), (), fact, name, b.line)

    return map_leaves(init, leaf)


def map_leaves(thing: Thing, f: Callable[[Value], Value]) -> Thing:
    """A structure with every leaf replaced."""
    from dataclasses import replace

    if isinstance(thing, Value):
        return f(thing)
    if isinstance(thing, Seq):
        return replace(thing, items=tuple(map_leaves(t, f) for t in thing.items))
    if isinstance(thing, Map):
        return Map({k: map_leaves(t, f) for k, t in thing.items.items()})
    if isinstance(thing, Record):
        return Record(thing.cls, {k: map_leaves(t, f) for k, t in thing.fields.items()})
    return thing


def widen(
    name: str, head: Thing, after: Thing | None, facts: dict[tuple[str, int], Any], node: gast.AST
) -> bool:
    """Join the facts at the loop's end into those at its head; did any grow?"""
    if after is None or isinstance(after, (Unbound, Conflict)) or shape(head) != shape(after):
        raise Unsupported(node, f"{name} changes its type in the loop", "no array holds both")
    grown = False
    for k, (h, a) in enumerate(zip(leaves(head), leaves(after), strict=True)):
        try:
            joined = join(h.fact, a.fact)
        except NoCommonType as e:
            raise Unsupported(node, f"{name} is {e} in the loop", "no array holds both") from None
        if joined.lanes != h.fact.lanes or joined != h.fact:
            facts[name, k] = joined
            grown = True
    return grown


def shape(thing: Thing) -> Any:
    """A thing's structure without its leaves."""
    if isinstance(thing, Value):
        return "leaf"
    if isinstance(thing, Seq):
        return (thing.kind, thing.cls, *(shape(t) for t in thing.items))
    if isinstance(thing, Map):
        return tuple((k, shape(t)) for k, t in thing.items.items())
    if isinstance(thing, Record):
        return (thing.cls, *(shape(t) for t in thing.fields.values()))
    return thing


def result_of(b: Builder, made: Loop, head: Thing, init: Thing, after: Thing, name: str) -> Thing:
    """A carried name's thing after the loop."""
    pairs = zip(leaves(head), leaves(init), leaves(after), strict=True)
    results = []
    for h, i, a in pairs:
        result = Value(Carry(), (), h.fact, name, b.line)
        made.carries.append(CarryResult(h, i, a, result))
        results.append(result)
    found = iter(results)
    return map_leaves(init, lambda _: next(found))


def fresh_result(b: Builder, made: Loop, after: Thing, name: str) -> Thing:
    """A name first assigned in the loop: what its last iteration left."""
    if not _carried(after):
        return after if not isinstance(after, Unbound) else Unbound(name)

    def leaf(v: Value) -> Value:
        head = Value(Carry(), (), v.fact, name, b.line)
        result = Value(Carry(), (), v.fact, name, b.line)
        made.carries.append(CarryResult(head, UNSET, v, result))
        return result

    return map_leaves(after, leaf)


UNSET = Value(Const(None), (), scalar_fact(0))  # type: ignore[arg-type]


# ---------------------------------------------------------------- comprehensions
@expression(gast.ListComp, gast.GeneratorExp)
def comprehension(b: Builder, node: gast.ListComp | gast.GeneratorExp) -> Thing:
    """A list of fixed length; a generator is consumed at once by what it is handed to."""
    items: list[Thing] = []
    each(b, node.generators, 0, lambda: items.append(b.expr(node.elt)), node)
    return Seq(tuple(items), list)


def each(
    b: Builder,
    generators: list[gast.comprehension],
    k: int,
    act: Callable[[], None],
    node: gast.AST,
) -> None:
    """Run for every item of nested generators, unrolled; conditions have to be known."""
    if k == len(generators):
        act()
        return
    generator = generators[k]
    it = iterated(b, generator.iter)
    if it.items is None or len(it.items) > SMALL:
        raise Unsupported(
            generator.iter, "a comprehension over these items", "their number is not known"
        )
    before = b.env
    b.env = dict(
        before
    )  # the variables of a comprehension are its own; what it defines sees the last of them
    b.unrolling += 1
    for item in it.items:
        store(b, generator.target, item)
        known = True
        for condition in generator.ifs:
            test = truth(b, b.expr(condition), condition)
            if not isinstance(test.op, Const):
                raise Unsupported(
                    condition,
                    "a condition in a comprehension",
                    "its length would differ between lanes",
                )
            known &= bool(test.op.value)
        if known:
            each(b, generators, k + 1, act, node)
    b.unrolling -= 1
    b.env = before
