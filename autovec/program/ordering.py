"""``min``, ``max`` and ``sorted``, with Python's own order of comparisons."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.accumulations import alone
from autovec.program.agreement import written_dtype
from autovec.program.arrays.rows import has_rows
from autovec.program.build import Builder
from autovec.program.calls import arguments, call_with, special
from autovec.program.comparisons import COMPARISONS
from autovec.program.comprehensions import each, outside
from autovec.program.facts import Fact, NoCommonType, join, storage
from autovec.program.iteration import sequence_items
from autovec.program.nodes import Check, Raise
from autovec.program.things import Known, Seq, Thing, Unbound, literal
from autovec.program.truth import negated
from autovec.program.unknown import result_type
from autovec.program.values import Const, Operation, Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.visit import assigned_names
from autovec.syntax.walking import located, updated

MAX = Operation("max", ("x", "y"), "np.where(y > x, y, x)", "max(x, y)", total=True, cost=3)
MIN = Operation("min", ("x", "y"), "np.where(y < x, y, x)", "min(x, y)", total=True, cost=3)
#: sorting networks grow fast; more values than this are left to the loop
_MAX_SORT = 4


@special(max, min, least=1, keywords="key default")
def extreme(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``max`` and ``min`` keep Python's rule: the first of the largest, NaN by its comparisons."""
    op = MIN if function is min else MAX
    key = next((k.value for k in node.keywords if k.arg == "key"), None)
    default = next((k.value for k in node.keywords if k.arg == "default"), None)
    if key is None and default is None and not node.keywords:
        whole = alone(b, node, op.name)
        if whole is not None:
            return whole
    over = node.args[0]
    plain = key is None and len(node.args) == 1
    if isinstance(over, (gast.GeneratorExp, gast.ListComp)) and plain and _asks(over):
        return of_some(b, op, over, default, node)
    made = of_rows(b, function, over, default, node) if plain else None
    if made is not None:
        return made
    items = items_of(b, node)
    other = None if default is None else b.expr(default)  # Python computes it in any case
    if not items:
        if other is not None:
            return other
        raise Unsupported(node, f"{op.name} of nothing", "Python raises ValueError")
    if key is not None:
        return by_key(b, op, items, b.expr(key), node)
    values = [b.as_value(item, node) for item in items]
    if len(values) > 2 and not any(v.varying for v in values):
        return b.apply(_written(op.name, len(values)), *values, node=node)
    return functools.reduce(lambda best, v: pick(b, op, best, v, node), values)


def of_rows(
    b: Builder, function: Any, over: gast.expr, default: gast.expr | None, node: gast.Call
) -> Thing | None:
    """``max(f(v) for v in x)`` of a long array: a loop that compares each with the best so far."""
    if not isinstance(over, gast.GeneratorExp) or len(over.generators) > 1 or b.unit.any_length:
        return None
    [generator] = over.generators
    if not isinstance(generator.iter, gast.Name) or not has_rows(b, generator.iter):
        return None
    if default is not None:
        b.expr(default)  # Python computes it in any case
    best, pick = HIDDEN + ("smallest" if function is min else "largest"), f"{HIDDEN}pick"
    before = dict(b.env)
    b.env[pick] = Known(function)
    text = "target = x[0]\nbest = value\nfor target in x[1:]:\n    best = pick(best, value)"
    made = quote.stmts(
        text, target=generator.target, x=generator.iter, value=over.elt, best=best, pick=pick
    )
    b.statements([located(s, node) for s in made])
    found = b.env[best]
    own = assigned_names(generator.target) | {best, pick}
    b.env = outside(before, b.env, own)
    return found


def _asks(over: gast.GeneratorExp | gast.ListComp) -> bool:
    """Has it conditions?"""
    return any(g.ifs for g in over.generators)


def of_some(
    b: Builder,
    op: Operation,
    over: gast.GeneratorExp | gast.ListComp,
    default: gast.expr | None,
    node: gast.AST,
) -> Thing:
    """``max(v for v in values if v > 0)``: of those whose conditions hold, or the default."""
    name = f"{HIDDEN}best"
    before = b.env.pop(name, None)

    def act() -> None:
        value = b.as_value(b.expr(over.elt), over.elt)
        best = b.env.get(name)
        if isinstance(best, Unbound) and best.value is not None and best.bound is not None:
            old = b.as_value(best.value, node)
            found = b.branch(best.bound, lambda: pick(b, op, old, value, node), lambda: value, node)
        elif isinstance(best, Value):
            found = pick(b, op, best, value, node)
        else:
            found = value
        assert found is not None
        b.env[name] = found

    each(b, over.generators, 0, act, node, guard=True)
    best = b.env.pop(name, None)
    if before is not None:
        b.env[name] = before
    other = None if default is None else b.expr(default)
    if isinstance(best, Value):
        return best
    if isinstance(best, Unbound) and best.value is not None and best.bound is not None:
        value = best.value
        if other is not None:
            made = b.branch(best.bound, lambda: value, lambda: other, node)
            assert made is not None
            return made
        error = Raise(quote.expr("ValueError(text)", text=quote.const(_EMPTY[op.name])), None, {})
        b.add(Check(negated(b, best.bound), error, b.line))
        return value
    if other is None:
        raise Unsupported(node, f"{op.name} of nothing", "Python raises ValueError")
    return other


def _empty(function: Any) -> str:
    try:
        function(())
    except ValueError as e:
        return str(e)
    return ""


#: what the running Python says of no items
_EMPTY = {"max": _empty(max), "min": _empty(min)}


@functools.cache
def _written(name: str, count: int) -> Operation:
    """``max`` of several uniform values, as the user wrote it."""
    names = tuple(f"x{k}" for k in range(count))
    text = f"{name}({', '.join(names)})"
    return Operation(name, names, text, text, total=True, cost=3)


@functools.cache
def ufunc(name: str, of: str) -> Operation:
    """``max`` or ``min`` by NumPy's function of this name."""
    return Operation(of, ("x", "y"), f"np.{name}(x, y)", f"{of}(x, y)", total=True, cost=1)


def plainly(op: Operation, x: Value, y: Value) -> Operation:
    """NumPy's own maximum or minimum where no NaN and no sign of a zero can make it differ.

    ``max(x, c)`` is x for a NaN x, as np.maximum has it; ``max(c, x)`` is c, as np.fmax has it.
    What the values are made of may show as much of others, see simplify/extremes.py.
    """
    name = "maximum" if op is MAX else "minimum"
    whole = [v.fact.kind in "biu" for v in (x, y)]
    if all(whole):
        return ufunc(name, op.name)
    if {x.fact.kind, y.fact.kind} <= set("biuf?"):
        if _number(y):
            return ufunc(name, op.name)
        if _number(x):
            return ufunc("fmax" if op is MAX else "fmin", op.name)
    return op


def _number(v: Value) -> bool:
    """Is it a literal, and neither NaN nor zero?"""
    return isinstance(v.op, Const) and bool(v.op.value == v.op.value != 0)


def pick(b: Builder, op: Operation, x: Value, y: Value, node: gast.AST) -> Value:
    """The larger or smaller of two values, the first where they compare equal or not at all."""
    if any(v.fact.kind == "c" and v.fact.python for v in (x, y)):
        raise Unsupported(node, f"{op.name} of complex numbers", "Python raises TypeError")
    if isinstance(x.op, Const) and isinstance(y.op, Const):
        return y if (y.op.value > x.op.value if op is MAX else y.op.value < x.op.value) else x
    return b.apply(plainly(op, x, y), x, y, node=node)


def by_key(b: Builder, op: Operation, items: list[Thing], key: Thing, node: gast.Call) -> Thing:
    """``min(values, key=f)``: the first value with the least key."""
    sign = COMPARISONS[">" if op is MAX else "<"]
    best = items[0]
    least = b.as_value(call_with(b, key, [best], {}, node), node)
    for item in items[1:]:
        other = b.as_value(call_with(b, key, [item], {}, node), node)
        test = b.apply(sign, other, least, node=node)

        def chosen(a: Thing, c: Value) -> Callable[[], Thing]:
            return lambda: Seq((a, c))

        both = b.branch(test, chosen(item, other), chosen(best, least), node)
        assert isinstance(both, Seq)
        best, least = both.items[0], b.as_value(both.items[1], node)
    return best


def items_of(b: Builder, node: gast.Call) -> list[Thing]:
    """The values of a call ``f(a, b, c)`` or of its one iterable ``f(values)``."""
    if len(node.args) == 1 and not isinstance(node.args[0], gast.Starred):
        return sequence_items(b, node.args[0])
    args, _ = arguments(b, updated(node, keywords=[]))
    return args


@special(sorted, least=1, most=1, keywords="key reverse")
def sorted_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``sorted`` of a fixed number of values, NaN placed by Python's own comparisons."""
    flags = {k.arg or "": b.expr(k.value) for k in node.keywords}
    return in_order(b, sequence_items(b, node.args[0]), flags, node)


def in_order(b: Builder, items: list[Thing], flags: dict[str, Thing], node: gast.Call) -> Seq:
    """Items as ``sorted`` orders them."""
    reverse = literal(flags["reverse"]) if "reverse" in flags else False
    key = flags.get("key")
    if not flags.keys() <= {"key", "reverse"} or not isinstance(reverse, (bool, int)):
        raise Unsupported(node, "sorted with these keywords", "")
    if isinstance(key, Known) and key.obj is None:
        key = None
    if len(items) < 2:
        return Seq(tuple(items), list)
    keys = [b.as_value(t if key is None else call_with(b, key, [t], {}, node), node) for t in items]
    if key is None and not reverse and all(k.fact.kind in "biu" for k in keys):
        return np_sort(b, keys, node)
    if len(items) > _MAX_SORT:
        raise Unsupported(
            node, f"sorted of {len(items)} values", f"more than {_MAX_SORT} floats are not unrolled"
        )
    made = decide(b, comparison_tree(len(items), bool(reverse)), keys, items, node)
    assert isinstance(made, Seq)
    return made


def np_sort(b: Builder, values: list[Value], node: gast.Call) -> Seq:
    """Integers have no NaN: np.sort over the values is Python's order."""
    try:
        fact = functools.reduce(join, (v.fact for v in values))
    except NoCommonType as e:
        raise Unsupported(node, f"sorted of {e}", "Python raises TypeError") from None
    names = tuple(f"a{k}" for k in range(len(values)))
    lanes = f"np.sort(np.broadcast_arrays({', '.join(names)}), axis=0)"
    if result_type(*(storage(v.fact) for v in values)) != storage(fact):
        # literals are no wider than samples
        lanes = f"{lanes}.astype({written_dtype(storage(fact), node)})"
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
