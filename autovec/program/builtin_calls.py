"""Builtins that are not plain operations: min and max, sums, sorting, containers, type tests."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.build import HIDDEN, Builder, describe
from autovec.program.calls import arguments, special
from autovec.program.facts import Fact, NoCommonType, join
from autovec.program.loops import each, iterated
from autovec.program.operators import binary
from autovec.program.truth import COMPARISONS, either, literal, negated, truth, unpacked
from autovec.program.values import (
    Const,
    Known,
    Local,
    Map,
    Operation,
    Path,
    Range,
    Record,
    Seq,
    Thing,
    Value,
)
from autovec.syntax import quote
from autovec.syntax.walking import located, updated

MAX = Operation("max", ("x", "y"), "np.where(y > x, y, x)", "max(x, y)", total=True, cost=3)
MIN = Operation("min", ("x", "y"), "np.where(y < x, y, x)", "min(x, y)", total=True, cost=3)
#: sorting networks grow fast; more values than this are left to the loop
_MAX_SORT = 4


@special(max, min)
def extreme(b: Builder, node: gast.Call) -> Thing:
    """``max`` and ``min`` keep Python's rule: the first of the largest, NaN by its comparisons."""
    name = node.func.id if isinstance(node.func, gast.Name) else "max"
    obj = b.scope.lookup(name) if isinstance(node.func, gast.Name) else max
    op = MIN if obj is min else MAX
    key = next((k.value for k in node.keywords if k.arg == "key"), None)
    default = next((k.value for k in node.keywords if k.arg == "default"), None)
    if any(k.arg not in ("key", "default") for k in node.keywords):
        raise Unsupported(node, f"{op.name} with these keywords", "Python raises TypeError")
    items = items_of(b, node)
    if not items:
        if default is not None:
            return b.expr(default)
        raise Unsupported(node, f"{op.name} of nothing", "Python raises ValueError")
    if key is not None:
        return by_key(b, op, items, b.expr(key), node)
    best = b.as_value(items[0], node)
    for item in items[1:]:
        best = pick(b, op, best, b.as_value(item, node), node)
    return best


def pick(b: Builder, op: Operation, x: Value, y: Value, node: gast.AST) -> Value:
    """The larger or smaller of two values, the first where they compare equal or not at all."""
    if isinstance(x.op, Const) and isinstance(y.op, Const):
        return y if (y.op.value > x.op.value if op is MAX else y.op.value < x.op.value) else x
    return b.apply(op, x, y, node=node)


def by_key(b: Builder, op: Operation, items: list[Thing], key: Thing, node: gast.Call) -> Thing:
    """``min(values, key=f)``: the first value with the least key."""
    sign = COMPARISONS[">" if op is MAX else "<"]
    best = items[0]
    least = b.as_value(call_key(b, key, best, node), node)
    for item in items[1:]:
        other = b.as_value(call_key(b, key, item, node), node)
        test = b.apply(sign, other, least, node=node)

        def chosen(a: Thing, c: Value) -> Callable[[], Thing]:
            return lambda: Seq((a, c))

        both = b.branch(test, chosen(item, other), chosen(best, least), node)
        assert isinstance(both, Seq)
        best, least = both.items[0], b.as_value(both.items[1], node)
    return best


def call_key(b: Builder, key: Thing, item: Thing, node: gast.Call) -> Thing:
    """A key function's value."""
    from autovec.program.calls import call_known
    from autovec.program.functions import call_local

    if isinstance(key, Local):
        return call_local(b, key, [item], {}, node)
    if isinstance(key, Known):
        return call_known(b, key.obj, [item], {}, node)
    raise Unsupported(node, f"key={describe(key)}", "it is not a function known while compiling")


def items_of(b: Builder, node: gast.Call) -> list[Thing]:
    """The values of a call ``f(a, b, c)`` or of its one iterable ``f(values)``."""
    if len(node.args) == 1 and not isinstance(node.args[0], gast.Starred):
        return sequence_items(b, node.args[0])
    args, _ = arguments(b, updated(node, keywords=[]))
    return args


def sequence_items(b: Builder, node: gast.expr) -> list[Thing]:
    """The items of a sequence of fixed length."""
    if isinstance(node, (gast.GeneratorExp, gast.ListComp)):
        thing = b.expr(node)
        assert isinstance(thing, Seq)
        return list(thing.items)
    it = iterated(b, node)
    if it.items is None:
        raise Unsupported(
            node, "a sequence whose length is not known", "only fixed sequences are unrolled"
        )
    return list(it.items)


def in_loop(
    b: Builder, node: gast.GeneratorExp | gast.ListComp, name: str, start: Value, step: gast.expr
) -> Value | None:
    """Accumulate over a generator as a loop ``name = step``; None when it has to be unrolled."""
    try:
        mark = len(b.block.nodes)
        its = [iterated(b, g.iter) for g in node.generators[:1]]
        del b.block.nodes[mark:]
    except Unsupported:
        return None
    if its[0].target is None or not its[0].text or len(node.generators) > 1:
        return None
    generator = node.generators[0]
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
    b.env = before
    assert isinstance(result, Value)
    return result


@special(sum)
def sum_(b: Builder, node: gast.Call) -> Thing:
    """``sum`` from the left, as Python adds."""
    start_node = (
        node.args[1]
        if len(node.args) > 1
        else next((k.value for k in node.keywords if k.arg == "start"), None)
    )
    start = b.value(start_node) if start_node is not None else b.const(0)
    over = node.args[0]
    if isinstance(over, (gast.GeneratorExp, gast.ListComp)):
        step = quote.expr("total + value", total=HIDDEN + "total", value=over.elt)
        looped = in_loop(b, over, "total", start, step)
        if looped is not None:
            return looped
    total: Value | None = None if literal(start) == 0 else start
    items = [b.as_value(item, node) for item in sequence_items(b, over)]
    if any(v.fact.kind in "bfc" for v in items[:1]):
        total = start  # 0 + -0.0 is 0.0, and 0 + True an int
    for value in items:
        total = value if total is None else binary(b, "+", total, value, node)
    return start if total is None else total


@special(any, all)
def quantified(b: Builder, node: gast.Call) -> Thing:
    """``any`` and ``all``: later items are evaluated only where they are needed."""
    obj = b.scope.lookup(node.func.id) if isinstance(node.func, gast.Name) else any
    stop = obj is any
    over = node.args[0]
    if isinstance(over, (gast.GeneratorExp, gast.ListComp)):
        name = "found" if stop else "holds"
        step = quote.expr(
            f"state {'or' if stop else 'and'} not (not value)", state=HIDDEN + name, value=over.elt
        )
        looped = in_loop(b, over, name, b.const(not stop), step)
        if looped is not None:
            return looped
        return unrolled_quantifier(b, over, stop, node)
    state = b.const(not stop)
    for item in sequence_items(b, over):
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
    from autovec.program.truth import lazy

    state = [b.const(not stop)]

    def act() -> None:
        found = state[0]
        if isinstance(found.op, Const):
            if found.op.value is not stop:
                state[0] = truth(b, b.expr(over.elt), over.elt)
            return
        joined = lazy(b, found, lambda: truth(b, b.expr(over.elt), over.elt), stop, node)
        assert isinstance(joined, Value)
        state[0] = joined

    each(b, over.generators, 0, act, node)
    return state[0]


@special(sorted)
def sorted_(b: Builder, node: gast.Call) -> Thing:
    """``sorted`` of a fixed number of values, NaN placed by Python's own comparisons."""
    flags = {k.arg: k.value for k in node.keywords}
    reverse = literal(b.expr(flags.pop("reverse"))) if "reverse" in flags else False
    key = b.expr(flags.pop("key")) if "key" in flags else None
    if flags or not isinstance(reverse, (bool, int)):
        raise Unsupported(node, "sorted with these keywords", "")
    items = sequence_items(b, node.args[0])
    if len(items) < 2:
        return Seq(tuple(items), list)
    keys = [b.as_value(t if key is None else call_key(b, key, t, node), node) for t in items]
    if key is None and not reverse and all(k.fact.kind in "biu" for k in keys):
        return np_sort(b, keys, node)
    if len(items) > _MAX_SORT:
        raise Unsupported(
            node, f"sorted of {len(items)} values", f"more than {_MAX_SORT} floats are not unrolled"
        )
    return decide(b, comparison_tree(len(items), bool(reverse)), keys, items, node)


def np_sort(b: Builder, values: list[Value], node: gast.Call) -> Seq:
    """Integers have no NaN: np.sort over the values is Python's order."""
    try:
        fact = functools.reduce(join, (v.fact for v in values))
    except NoCommonType as e:
        raise Unsupported(node, f"sorted of {e}", "Python raises TypeError") from None
    names = tuple(f"a{k}" for k in range(len(values)))
    lanes = f"np.sort(np.broadcast_arrays({', '.join(names)}), axis=0)"
    op = Operation("sorted", names, lanes, f"sorted([{', '.join(names)}])", total=True, cost=10)
    whole = b.apply(op, *values, fact=Fact(np.dtype(object), fact.lanes))
    parts = (
        b.apply(Operation("part", ("r",), f"r[{k}]", f"r[{k}]", total=True), whole, fact=fact)
        for k in range(len(values))
    )
    return Seq(tuple(parts), list)


@functools.cache
def comparison_tree(n: int, reverse: bool) -> Any:
    """CPython's own sort as a tree of comparisons: ``(i, j, if_less, if_not)`` or the final order.

    >>> comparison_tree(2, False)
    (1, 0, (1, 0), (0, 1))
    """

    class Ask(Exception):
        pass

    def explore(answers: tuple[bool, ...]) -> Any:
        asked = iter(answers)

        class Key:
            def __init__(self, k: int) -> None:
                self.k = k

            def __lt__(self, other: Key) -> bool:
                answer = next(asked, None)
                if answer is None:
                    raise Ask(self.k, other.k)
                return answer

        try:
            return tuple(sorted(range(n), key=Key, reverse=reverse))
        except Ask as ask:
            i, j = ask.args
            return (i, j, explore((*answers, True)), explore((*answers, False)))

    return explore(())


def decide(b: Builder, tree: Any, keys: list[Value], items: list[Thing], node: gast.Call) -> Thing:
    """The tree of comparisons as branches."""
    if len(tree) != 4 or not isinstance(tree[2], tuple):
        return Seq(tuple(items[k] for k in tree), list)
    i, j, less, otherwise = tree
    test = b.apply(COMPARISONS["<"], keys[i], keys[j], node=node)
    result = b.branch(
        test,
        lambda: decide(b, less, keys, items, node),
        lambda: decide(b, otherwise, keys, items, node),
        node,
    )
    assert result is not None
    return result


@special(range)
def range_(b: Builder, node: gast.Call) -> Thing:
    """``range``: a loop's or a membership test's."""
    if not 1 <= len(node.args) <= 3 or node.keywords:
        raise Unsupported(node, "range with these arguments", "Python raises TypeError")
    args = tuple(b.value(a) for a in node.args)
    if any(a.fact.kind not in "biu" for a in args):
        raise Unsupported(node, "range of floats", "Python raises TypeError")
    return Range(args)


@special(len)
def len_(b: Builder, node: gast.Call) -> Thing:
    """The length of a structure or table."""
    thing = b.expr(node.args[0])
    if isinstance(thing, (Seq, Map)):
        return b.const(len(thing.items))
    if (
        isinstance(thing, Known)
        and type(thing.obj) in (tuple, list, dict, set, frozenset)
        and thing.expr is not None
    ):
        return Value(
            Path(quote.expr("len(x)", x=thing.expr), ""), (), Fact(np.dtype(np.int64), weak=True)
        )
    if isinstance(thing, Value) and thing.fact.kind == "U":
        op = Operation(
            "len", ("x",), "np.strings.str_len(x)", "len(x)", total=True, cost=5, number="python"
        )
        return b.apply(op, thing, node=node)
    raise Unsupported(node, f"len of {describe(thing)}", "it has no array form")


@special(tuple, list)
def sequence(b: Builder, node: gast.Call) -> Thing:
    """``tuple`` and ``list`` of a fixed sequence."""
    kind = tuple if b.scope.lookup(getattr(node.func, "id", "list")) is tuple else list
    if not node.args:
        return Seq((), kind)
    return Seq(tuple(sequence_items(b, node.args[0])), kind)


@special(dict)
def dict_(b: Builder, node: gast.Call) -> Thing:
    """``dict(a=..., b=...)``, ``dict(other)``."""
    args, keywords = arguments(b, node)
    items: dict[Any, Thing] = {}
    for a in args:
        if isinstance(a, Map):
            items.update(a.items)
            continue
        pairs = unpacked(b, a)
        if not isinstance(pairs, Seq):
            raise Unsupported(node, f"dict of {describe(pairs)}", "its keys are not known")
        for pair in pairs.items:
            key = literal(pair.items[0]) if isinstance(pair, Seq) and len(pair.items) == 2 else None
            if not isinstance(key, (str, int, float)):
                raise Unsupported(node, "a dict of such pairs", "its keys are not known")
            items[key] = pair.items[1]
    return Map({**items, **keywords})


@special(enumerate, zip, reversed, map, filter)
def lazily(b: Builder, node: gast.Call) -> Thing:
    """Iterators of fixed length, as the list of what they give."""
    obj = b.scope.lookup(getattr(node.func, "id", "zip"))
    if obj is map:
        target = b.expr(node.args[0])
        rows = zip(*(sequence_items(b, a) for a in node.args[1:]), strict=False)
        return Seq(tuple(apply_to(b, target, list(row), node) for row in rows), list)
    if obj is filter:
        raise Unsupported(node, "filter", "its length would differ between lanes")
    return Seq(tuple(sequence_items(b, node)), list)


def apply_to(b: Builder, target: Thing, args: list[Thing], node: gast.Call) -> Thing:
    """A call of a function with things as arguments."""
    from autovec.program.calls import call_known
    from autovec.program.functions import call_local

    if isinstance(target, Local):
        return call_local(b, target, args, {}, node)
    if isinstance(target, Known):
        return call_known(b, target.obj, args, {}, node)
    raise Unsupported(node, f"a call of {describe(target)}", "it is not known while compiling")


@special(isinstance)
def isinstance_(b: Builder, node: gast.Call) -> Thing:
    """A type test, decided while compiling."""
    thing, classes = b.expr(node.args[0]), b.expr(node.args[1])
    wanted = _classes(classes, node)
    if isinstance(thing, Value):
        dtype = thing.fact.dtype
        one = "" if dtype.kind == "U" else dtype.type(1)
        if thing.fact.python and not isinstance(one, str):
            one = one.item()
        return b.const(isinstance(one, wanted))
    if isinstance(thing, Known):
        return b.const(isinstance(thing.obj, wanted))
    made: Any = {
        Seq: lambda: thing.cls or thing.kind,
        Map: lambda: dict,
        Record: lambda: thing.cls,
    }.get(type(thing))  # type: ignore[union-attr]
    if made is None:
        raise Unsupported(node, f"isinstance of {describe(thing)}", "")
    return b.const(issubclass(made(), wanted))


def _classes(thing: Thing, node: gast.AST) -> tuple[type, ...]:
    if isinstance(thing, Known) and isinstance(thing.obj, type):
        return (thing.obj,)
    if isinstance(thing, Seq):
        return tuple(c for t in thing.items for c in _classes(t, node))
    raise Unsupported(node, "isinstance with such a class", "")


@special(float, int)
def number(b: Builder, node: gast.Call) -> Thing:
    """``float("inf")`` and ``int("7")`` are literals; of numbers they are operations."""
    from autovec.program.calls import rule_call

    obj = b.scope.lookup(getattr(node.func, "id", "float"))
    args, keywords = arguments(b, node)
    text = literal(args[0]) if len(args) == 1 else None
    name = "float" if obj is float else "int"
    if isinstance(text, str) or not args:
        try:
            return b.const((float if obj is float else int)(*([text] if args else [])))  # type: ignore[arg-type]
        except ValueError as e:
            raise Unsupported(node, f"{name} of {text!r}", str(e)) from None
    return rule_call(b, f"builtins.{name}", obj, args, keywords, node)


@special(
    print, input, open, exec, eval, globals, locals, vars, setattr, delattr, id, hash, iter, next
)
def effect(b: Builder, node: gast.Call) -> Thing:
    """Builtins whose effects the loop would order, or that reach outside of the values."""
    name = node.func.id if isinstance(node.func, gast.Name) else "a call"
    raise Unsupported(node, f"{name}()", "its effects keep the order of the samples")
