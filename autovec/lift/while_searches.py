"""A ``while`` that counts up or down until a test fails is a search: the same loop as a ``for``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from autovec.syntax import quote
from autovec.syntax.build import all_of, branch, conjuncts
from autovec.syntax.scope import assigned_names, free_names
from autovec.syntax.walking import updated, walk


@dataclass(frozen=True, eq=False)
class Counting:
    """``while name in its range and go: rest; name += step``.

    `stop` is where the range ends, None where only an IndexError does; `array` is then what is
    read at the counter.
    """

    name: str
    stop: Any
    step: int
    going: list[Any]
    rest: list[Any]
    array: str | None = None

    def loop(self, start: Any) -> gast.For:
        """The search from `start` on, without what is behind it."""
        stop = self.stop
        if stop is None:
            stop = quote.expr("len(x)", x=self.array)
        plain = isinstance(start, gast.Constant) and start.value == 0 and self.step == 1
        ends = [stop] if plain else [start, stop]
        ends += [quote.expr("-1")] if self.step < 0 else []
        leaving = branch(opposite(all_of(self.going)), quote.stmts("break"))
        made: Any = quote.stmt(
            "for i in range(*ends):\n    body", i=self.name, ends=ends, body=[leaving, *self.rest]
        )
        return made  # type: ignore[no-any-return]


def counting(node: gast.While) -> Counting | None:
    """The parts of a ``while`` that counts; None where it does something else.

    >>> loop = quote.stmt("while i >= 0 and x[i] == 0:\\n    i -= 1")
    >>> from autovec.syntax.convert import text_of
    >>> print(text_of(counting(loop).loop(quote.name("i"))))
    for i in range(i, -1, -1):
        if x[i] != 0:
            break
    """
    last: Any = node.body[-1]
    if node.orelse or not isinstance(last, gast.AugAssign):
        return None
    if not isinstance(last.target, gast.Name) or not isinstance(last.op, (gast.Add, gast.Sub)):
        return None
    if not isinstance(last.value, gast.Constant) or last.value.value != 1:
        return None
    name, step = last.target.id, 1 if isinstance(last.op, gast.Add) else -1
    rest = node.body[:-1]
    bound = assigned_names(rest)
    if name in bound:
        return None
    if any(isinstance(n, (gast.Break, gast.Continue, gast.Return, gast.Raise)) for n in walk(rest)):
        return None
    parts = conjuncts(node.test)
    ends = []
    while parts and (end := _end(parts[0], name, step)) is not None:
        ends.append(end)
        parts = parts[1:]
    if ends and not free_names(ends) & bound - {"len"}:
        stop = ends[0]
        if len(ends) > 1:
            stop = quote.expr("min(*e)" if step > 0 else "max(*e)", e=ends)
        return Counting(name, stop, step, parts, rest) if parts else None
    if ends or step < 0 or any(_end(p, name, step) is not None for p in parts):
        return None
    for read in walk(parts):
        inner: Any = read
        if (
            isinstance(read, gast.Subscript) and isinstance(inner.value, gast.Name)
            and isinstance(inner.slice, gast.Name) and inner.slice.id == name
            and inner.value.id not in bound
        ):  # fmt: skip
            return Counting(name, None, step, parts, rest, inner.value.id)
    return None


def _end(test: Any, name: str, step: int) -> Any:
    """Where the range ends that the test bounds: ``n`` for ``i < n``, ``-1`` for ``i >= 0``."""
    if not isinstance(test, gast.Compare) or len(test.ops) != 1:
        return None
    left, right, op = test.left, test.comparators[0], type(test.ops[0])
    if not isinstance(left, gast.Name) or left.id != name or name in free_names(right):
        return None
    plain = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Call, gast.operator)
    if not all(isinstance(n, (*plain, gast.USub)) for n in walk([right])):
        return None
    if step > 0 and op in (gast.Lt, gast.LtE):
        return right if op is gast.Lt else _plus(right, 1)
    if step < 0 and op in (gast.Gt, gast.GtE):
        return right if op is gast.Gt else _plus(right, -1)
    return None


def _plus(node: Any, by: int) -> Any:
    if isinstance(node, gast.Constant) and type(node.value) is int:
        return quote.const(node.value + by)
    return quote.expr("a + 1" if by > 0 else "a - 1", a=node)


def opposite(test: Any) -> Any:
    """``not test``; only equality may be turned round, for the sake of NaN."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    if isinstance(test, gast.Compare) and len(test.ops) == 1:
        swaps: dict[type, Any] = {gast.Eq: gast.NotEq, gast.NotEq: gast.Eq}
        other = swaps.get(type(test.ops[0]))
        if other is not None:
            return updated(test, ops=[other()])
    return quote.expr("not t", t=test)
