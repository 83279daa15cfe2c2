"""Names that hand a value to the next turn: an array of the values, moved by one turn.

``y[i] = x[i] - last; last = x[i]`` is ``y = x - np.concatenate(([last], x[:-1]))``. A name that
holds the index of an earlier turn is that index less one, once the first turns are peeled off.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.expressions import record
from autovec.lift.nest import Nest
from autovec.lift.poly import symbol
from autovec.lift.reading import in_order, place
from autovec.lift.separate import Earlier
from autovec.lift.values import Arr, Lane, Turn
from autovec.syntax import quote
from autovec.syntax.scope import mutated_names

_LARGEST = 2**53  # up to here a float is every integer


class Peel(Unsupported):
    """The first turns have to be on their own."""

    def __init__(self, node: Any, name: str, turns: int) -> None:
        super().__init__(node, f"{name} is carried from turn to turn", "its first value differs")
        self.name = name
        self.turns = turns


def shifted(nest: Nest, turn: Turn, alias: str, earlier: Earlier, start: Any, peeled: int) -> None:
    """After the statement that sets the name: what it held one turn before."""
    node = turn.node
    value = nest.env.get(earlier.name)
    if not isinstance(value, Lane):
        raise Unsupported(node, f"{earlier.name} is carried from turn to turn")
    if value.poly is not None or not value.axes:
        if peeled < earlier.depth:
            raise Peel(node, earlier.name, earlier.depth)
        if value.poly is None:
            nest.env[alias] = value
            return
        way = turn.step if not turn.down else -1
        poly = value.poly.replaced(turn.sym, symbol(turn.sym) - way)
        nest.env[alias] = replace(value, poly=poly, expr=None)
        return
    if value.axes != (turn.sym,):
        raise Unsupported(node, f"{earlier.name} is carried from turn to turn")
    if not isinstance(start, Lane) or start.axes:
        raise Unsupported(node, f"{earlier.name} is carried from turn to turn", "from what?")
    mixed = _fits(node, earlier.name, value, start)
    nest.needs_turns = True
    if _goes_on(nest, turn, earlier, value):
        nest.env[alias] = _element(nest, turn, value, turn.step)
        return
    rest = _but_last(nest, turn, value)
    text = quote.expr("np.concatenate(([t], x))", t=earlier.name, x=rest)
    made = np.concatenate(([start.sample], value.standin()))
    if made.dtype != value.dtype:
        text = quote.expr(
            "np.concatenate(([t], x), dtype=d)", t=earlier.name, d=f"np.{value.dtype}", x=rest
        )
    lane = Lane(text, value.axes, value.sample, None, True)
    nest.out.append(quote.stmt("t = e", t=alias, e=text))
    nest.env[alias] = replace(lane, expr=quote.name(alias), named=alias, mixed=mixed or value.mixed)


def _fits(node: Any, name: str, value: Lane, start: Lane) -> bool:
    """May the first number stand before the others? Is it Python's where they are NumPy's?"""
    refused = Unsupported(node, f"{name} is a number of two types", "the first one differs")
    if start.either or start.mixed:
        raise refused
    have, first = value.dtype, start.dtype
    if value.python or not start.python:
        if value.python != start.python or type(value.sample) is not type(start.sample):
            raise refused
        return False
    if first.kind == have.kind and first.kind in "fb":
        return True
    known = start.poly.constant if start.poly is not None else None
    if first.kind != "i" or known is None or have.kind not in "iuf":
        raise refused
    if have.kind == "f" and abs(known) <= _LARGEST:
        return True
    if have.kind in "iu" and np.iinfo(have).min <= known <= np.iinfo(have).max:
        return True
    raise refused


def _goes_on(nest: Nest, turn: Turn, earlier: Earlier, value: Lane) -> bool:
    """``last = x[0]`` before turns from 1 that each leave ``x[i]``: it is ``x[i - 1]`` in all."""
    held = nest.facts.elements.get(earlier.name)
    if held is None or value.element is None or turn.down or held[0] != value.element[0]:
        return False
    roots = value.reads
    for name in mutated_names(turn.node):
        thing = nest.lookup(name)
        if isinstance(thing, Arr) and thing.roots & roots:
            return False
    before = [sub.replaced(turn.sym, turn.low - turn.step) for sub in value.element[1]]
    return list(held[1]) == before


def _element(nest: Nest, turn: Turn, value: Lane, back: int) -> Lane:
    """What the element was a number of turns before."""
    assert value.element is not None
    key, subs = value.element
    name, arr = next(
        (n, t) for n, t in nest.facts.env.items() if isinstance(t, Arr) and t.key == key
    )
    moved = [sub.replaced(turn.sym, symbol(turn.sym) - back) for sub in subs]
    lanes = [Lane(None, (turn.sym,), 1, sub) for sub in moved]
    where = place(nest, arr, name, lanes, turn.node)
    record(nest, arr, where, turn.node, write=False)
    expr, axes = in_order(nest, where)
    return replace(value, expr=expr, axes=axes, named=None, again=None, element=(key, tuple(moved)))


def _but_last(nest: Nest, turn: Turn, value: Lane) -> gast.expr:
    """The values of all turns but the last."""
    if isinstance(value.expr, gast.Subscript) and value.element is not None and not turn.down:
        nest.turns[0] = replace(turn, stop=turn.stop - turn.step, last=turn.last - turn.step)
        try:
            return nest.text(_element(nest, turn, value, 0))
        finally:
            nest.turns[0] = turn
    return quote.expr("x[:-1]", x=nest.text(value))
