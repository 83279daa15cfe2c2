"""Places that take what the place before has: forward fill, and values that are held.

for i in range(1, len(x)):        at = np.maximum.accumulate(
    if np.isnan(x[i]):                np.where(np.isnan(x[1:]), 0, np.arange(1, len(x))))
        x[i] = x[i - 1]           x[1:] = x[at]
"""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.branches import choice_of, either
from autovec.lift.expressions import evaluate, negated, record, truth
from autovec.lift.nest import Nest
from autovec.lift.reading import place, subscript
from autovec.lift.running import statement
from autovec.lift.running_values import alone
from autovec.lift.scans import one_before
from autovec.lift.values import Lane
from autovec.syntax import quote
from autovec.syntax.convert import text_of


@statement(gast.If)
def _if(nest: Nest, node: gast.If, live: frozenset[str]) -> None:
    if not _filled(nest, node):
        either(nest, node, live)


def _filled(nest: Nest, node: gast.If) -> bool:
    """Is the branch such a store? Then its turns have been written."""
    if nest.masks or nest.pack is not None or len(nest.axes) != 1:
        return False
    body: Any = node.body
    if not node.orelse:
        only: Any = body[0]
        if len(body) != 1 or not isinstance(only, gast.Assign) or len(only.targets) != 1:
            return False
        return _fill(nest, node, only.targets[0], node.test, only.value, None, True)
    choice = choice_of(node)
    if not isinstance(choice, gast.Assign) or not isinstance(choice.value, gast.IfExp):
        return False
    sides: Any = choice.value
    target = choice.targets[0]
    return _fill(nest, node, target, sides.test, sides.body, sides.orelse, True) or _fill(
        nest, node, target, sides.test, sides.orelse, sides.body, False
    )


def _fill(
    nest: Nest, node: Any, target: Any, test: Any, before: Any, value: Any, where: bool
) -> bool:
    """``target = before if test is where else value``; no value is what the target has."""
    if not isinstance(target, gast.Subscript) or not isinstance(before, gast.Subscript):
        return False
    here, there = subscript(nest, target), subscript(nest, before)
    if here is None or there is None or here[0] != there[0] or len(here[1]) != 1:
        return False
    turn = one_before(nest, here, there)
    if turn is None or turn.sym not in nest.axes:
        return False
    alone(nest, node)
    name, indices = here
    if value is not None and any(_reads(value, name)):
        return False
    if any(text_of(read) != text_of(target) for read in _reads(test, name)):
        return False
    arr = nest.array_of(name, node)
    index = evaluate(nest, indices[0])
    assert index.poly is not None
    tested = truth(nest, test)
    if tested.axes != nest.axes or not tested.total:
        raise Unsupported(node, "a test of this form")
    store, earlier = (
        place(nest, arr, name, [index], node),
        place(nest, arr, name, [evaluate(nest, there[1][0])], node),
    )
    first = nest.facts.render(index.poly.replaced(turn.sym, turn.low) - 1)
    never = first
    i: gast.expr = nest.written(index.poly)[0]
    new: Lane | None = None
    if value is not None:
        new = evaluate(nest, value)
        if new.dtype != arr.dtype or not new.total or new.mixed:
            raise Unsupported(node, "a value of another type that is kept")
        never, i = quote.const(-1), nest.index(turn).expr  # type: ignore[assignment]
        if turn.low.constant != 0:
            i = quote.expr("np.arange(n)", n=nest.facts.render(turn.stop - turn.low))
    keeps = tested if where else negated(nest, tested)
    text = quote.expr("np.maximum.accumulate(np.where(t, a, i))", t=nest.text(keeps), a=never, i=i)
    nest.needs_turns = True
    record(nest, arr, earlier, node, write=False)
    record(nest, arr, store, node, write=True, atomic=True)
    at = nest.text(nest.bind("at", Lane(text, nest.axes, 1)))
    result = quote.expr("x[k]", x=name, k=at)
    if new is not None:
        kept = quote.expr("v[k]", v=nest.text(new), k=at) if new.axes else nest.text(new)
        start = quote.expr("x[k]", x=name, k=first)
        result = quote.expr("np.where(k >= 0, v, s)", k=at, v=kept, s=start)
    nest.settle(arr.roots)
    into: Any = store.expr
    if isinstance(into, gast.Name):
        into = quote.expr("x[:]", x=into)
    nest.out.append(quote.stmt("t = e", t=into, e=result))
    return True


def _reads(node: Any, name: str) -> list[Any]:
    """The subscripts of an array in an expression, and the array as a whole."""
    found: list[Any] = []
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, gast.Subscript) and text_of(part.value) == name:
            found.append(part)
            stack.append(part.slice)
            continue
        if isinstance(part, gast.Name) and part.id == name:
            found.append(part)
        stack += [c for c in gast.iter_child_nodes(part) if isinstance(c, gast.AST)]
    return found
