"""The headers of loops that stay in the text, and what their trips know of their numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import evaluate
from autovec.lift.nest import Access, Nest
from autovec.lift.poly import Poly, number, range_ends, symbol
from autovec.lift.values import Arr, Lane, sample_of
from autovec.syntax import quote


@dataclass(frozen=True, eq=False)
class Header:
    """What a ``for`` goes through, the same in all lanes; `bind` gives its target a value."""

    target: gast.expr
    text: gast.expr
    bind: Callable[[], None]


def header_of(nest: Nest, node: Any) -> Header:
    """The header of an inner ``for``; refused where it depends on the lane."""
    call, target = node.iter, node.target
    obj = nest.scope.called(call)
    if obj is range and isinstance(target, gast.Name) and not call.keywords:
        return _range(nest, node, target.id, call.args)
    names: list[str]
    if isinstance(call, gast.Name) and isinstance(target, gast.Name):
        arr = nest.lookup(call.id)
        if isinstance(arr, Arr) and arr.rank == 1:
            _read(nest, arr, node)
            own = _own(nest, target.id)
            lane = Lane(quote.name(own), (), sample_of(arr.dtype), named=own)
            return Header(quote.name(own), call, lambda: nest.env.update({target.id: lane}))
    if obj is enumerate and isinstance(target, gast.Tuple) and len(call.args) == 1:
        source, parts = call.args[0], target.elts
        arr = nest.lookup(source.id) if isinstance(source, gast.Name) else None
        names = [p.id for p in parts if isinstance(p, gast.Name)]
        if isinstance(arr, Arr) and arr.rank == 1 and len(names) == 2:
            _read(nest, arr, node)
            index = _index(nest, names[0], number(0), arr.dims[0])
            own = _own(nest, names[1])
            item = Lane(quote.name(own), (), sample_of(arr.dtype), named=own)
            both = quote.expr("i, v", i=index.expr, v=own)
            return Header(both, call, lambda: nest.env.update({names[0]: index, names[1]: item}))
    raise Unsupported(node, "an inner loop over what depends on the lane")


def _read(nest: Nest, arr: Arr, node: Any) -> None:
    nest.accesses.append(Access(arr, (None,), tuple(nest.turns), False, nest.tick(), node))


def _own(nest: Nest, name: str) -> str:
    """The target's name in the text: the user's, where no index has it."""
    if nest.namer.gave(name):
        return nest.namer.fresh(name)
    nest.namer.take([name])
    return name


def _index(nest: Nest, name: str, low: Poly, stop: Poly) -> Lane:
    symbols = nest.facts.symbols
    sym = symbols.new(name)
    name = _own(nest, name)
    symbols.text[sym] = quote.name(name)
    symbols.low[sym], symbols.high[sym] = low, stop - 1
    nest.trips.add(sym)
    return Lane(quote.name(name), (), 1, symbol(sym), named=name)


def _range(nest: Nest, node: Any, name: str, args: list[Any]) -> Header:
    ends = []
    for arg in args:
        lane = evaluate(nest, arg)
        if lane.poly is None or lane.axes or lane.poly.symbols & nest.trips:
            raise Unsupported(arg, "a range that depends on the lane")
        ends.append(lane.poly)
    low, stop, step = range_ends(ends)
    if not step:
        raise Unsupported(node, "a range with a step that is not a number")
    parts = [nest.facts.render(end) for end in ends]
    if step < 0:
        index = _index(nest, name, stop + 1, low + 1)
    else:
        index = _index(nest, name, low, stop)
    text = quote.expr("range(*parts)", parts=parts)
    own: Any = index.expr
    return Header(own, text, lambda: nest.env.update({name: index}))


def narrow_trip(nest: Nest, test: Any) -> None:
    """What ``k < n`` says of a number that all lanes have in common, where it holds."""
    if not isinstance(test, gast.Compare) or len(test.ops) != 1:
        return
    left, right, op = test.left, test.comparators[0], test.ops[0]
    if isinstance(op, (gast.Gt, gast.GtE)):
        left, right = right, left
    elif not isinstance(op, (gast.Lt, gast.LtE)):
        return
    small, large = evaluate(nest, left), evaluate(nest, right)
    if small.poly is None or large.poly is None:
        return
    gap = 1 if isinstance(op, (gast.Lt, gast.Gt)) else 0
    symbols = nest.facts.symbols
    for sym in sorted(small.poly.symbols & nest.trips):
        if small.poly.factor(sym) == number(1) and not large.poly.symbols & nest.trips:
            symbols.high[sym] = large.poly - small.poly.without(sym) - gap
    for sym in sorted(large.poly.symbols & nest.trips):
        if large.poly.factor(sym) == number(1) and not small.poly.symbols & nest.trips:
            symbols.low[sym] = small.poly - large.poly.without(sym) + gap
