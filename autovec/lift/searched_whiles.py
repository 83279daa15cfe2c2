"""A ``while`` that counts until a test fails, lifted as the search that it is."""

from __future__ import annotations

from typing import Any

import gast

from autovec.lift.outside import value
from autovec.lift.poly import symbol
from autovec.lift.searches import without_exit
from autovec.lift.values import Lane
from autovec.lift.while_searches import Counting, counting
from autovec.syntax import quote
from autovec.syntax.walking import located


def searched(walker: Any, node: gast.While, live: frozenset[str]) -> list[Any] | None:
    """A ``while`` that counts until a test fails, as the search that it is."""
    parts = counting(node)
    held = walker.facts.env.get(parts.name) if parts is not None else None
    if parts is None or not isinstance(held, Lane) or held.poly is None or held.axes:
        return None
    if parts.name not in walker.local or type(held.sample) is not int:
        return None
    start: Any = quote.name(parts.name)
    if held.poly.constant is not None:
        start = quote.const(held.poly.constant)
    loop: Any = parts.loop(start)
    if parts.stop is not None:
        end = _end(walker, held, parts, start)
        loop.orelse = [quote.stmt("i = e", i=parts.name, e=end)]
    located(loop, node)
    made = without_exit(walker, loop, live | {parts.name}, node, parts.stop is None)
    assert made is not None
    walker.note(node, "lifted", "its turns end at the first hit")
    walker.pass_over(node)
    _behind(walker, held, parts)
    return [located(s, node) for s in made]


def _behind(walker: Any, held: Lane, parts: Counting) -> None:
    """What is known of the counter behind the loop."""
    symbols = walker.symbols
    sym = symbols.new(parts.name)
    assert held.poly is not None
    first, last = (symbols.low, symbols.high) if parts.step > 0 else (symbols.high, symbols.low)
    first[sym] = held.poly
    stop = value(walker.facts, walker.scope, parts.stop) if parts.stop is not None else None
    end = stop.poly if isinstance(stop, Lane) else None
    if end is not None and symbols.at_least((end - held.poly) * parts.step, 0):
        last[sym] = end
    walker.facts.env[parts.name] = Lane(quote.name(parts.name), (), 1, symbol(sym))


def _end(walker: Any, held: Lane, parts: Counting, start: Any) -> Any:
    """What the counter is behind a loop that runs to its end."""
    stop = value(walker.facts, walker.scope, parts.stop)
    if isinstance(stop, Lane) and stop.poly is not None and held.poly is not None:
        gap = (stop.poly - held.poly) * parts.step
        if walker.symbols.at_least(gap, 0):
            return parts.stop
    template = "max(a, b)" if parts.step > 0 else "min(a, b)"
    return quote.expr(template, a=start, b=parts.stop)
