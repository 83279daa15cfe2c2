"""The headers of loops: which index they run over, and what their targets are in each turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import evaluate
from autovec.lift.nest import Nest
from autovec.lift.poly import Poly, number, range_ends, symbol
from autovec.lift.ragged import enter_rows, rows_of
from autovec.lift.triangles import triangular
from autovec.lift.values import Arr, Lane, Row, Turn
from autovec.syntax import quote


def open_turn(nest: Nest, node: Any) -> tuple[Turn, Callable[[], None]]:
    """The index of a loop, and how its targets get their values once the loop is entered."""
    call: Any = node.iter
    obj = nest.scope.called(call)
    if obj is range and not call.keywords:
        target = node.target
        if not isinstance(target, gast.Name):
            raise Unsupported(node, "a range that is unpacked")
        rows = rows_of(nest, node, call.args)
        if rows is not None:
            return rows, lambda: enter_rows(nest, rows)
        turn = _range(nest, node, call.args)
        return turn, lambda: _bind_index(nest, target, turn)
    binders: list[Callable[[Turn], None]] = []
    length, index = _iterable(nest, node, node.target, node.iter, binders)
    turn = _turn(nest, node, index or "i", number(0), length, 1)

    def bind() -> None:
        for binder in binders:
            binder(turn)

    return turn, bind


def _bind_index(nest: Nest, target: Any, turn: Turn) -> None:
    nest.env[target.id] = Lane(None, (turn.sym,), 1, symbol(turn.sym))


def _turn(nest: Nest, node: Any, wanted: str, low: Poly, stop: Poly, step: int) -> Turn:
    symbols = nest.facts.symbols
    sym = symbols.new("@")
    last = stop - 1
    if step != 1:
        last = low + symbols.quotient(stop - 1 - low, number(step)) * step
    symbols.low[sym] = low
    symbols.high[sym] = stop - 1
    return Turn(sym, wanted, low, stop, step, last, False, node)


def _range(nest: Nest, node: Any, args: list[Any]) -> Turn:
    ends = []
    for arg in args:
        lane = evaluate(nest, arg)
        if lane.poly is None:
            raise Unsupported(arg, "a range whose ends are not known integers")
        ends.append(lane.poly)
    low, stop, step = range_ends(ends)
    if not step:
        raise Unsupported(node, "a range with a step that is not a number")
    wanted = node.target.id if isinstance(node.target, gast.Name) else "i"
    if any(t.sym in end.symbols for end in (low, stop) for t in nest.turns):
        return triangular(nest, node, wanted, low, stop, step)
    if step > 0:
        return _turn(nest, node, wanted, low, stop, step)
    if step != -1:
        raise Unsupported(node, "a range that descends by more than one")
    up = _turn(nest, node, wanted, stop + 1, low + 1, 1)
    return Turn(up.sym, wanted, up.low, up.stop, 1, up.last, True, node)


def _iterable(
    nest: Nest, node: Any, target: Any, source: Any, binders: list[Callable[[Turn], None]]
) -> tuple[Poly, str | None]:
    """How many items an iterable has; adds how its target is bound in each turn."""
    symbols = nest.facts.symbols
    if isinstance(source, gast.Call) and not source.keywords:
        obj = nest.scope.find(source.func)
        if obj is range and isinstance(target, gast.Name):
            turn = _range(nest, node, source.args)
            if turn.step != 1 or turn.down:
                raise Unsupported(source, "a range that strides")

            def bind_range(now: Turn) -> None:
                poly = symbol(now.sym) + turn.low
                nest.env[target.id] = Lane(None, (now.sym,), 1, poly)

            binders.append(bind_range)
            return symbols.extreme("max", turn.stop - turn.low, number(0)), target.id
        if obj is zip and isinstance(target, gast.Tuple) and len(target.elts) == len(source.args):
            found = [
                _iterable(nest, node, t, s, binders)
                for t, s in zip(target.elts, source.args, strict=True)
            ]
            length = found[0][0]
            for other, _ in found[1:]:
                length = symbols.extreme("min", length, other)
            return length, next((name for _, name in found if name), None)
        if obj is enumerate and isinstance(target, gast.Tuple) and len(target.elts) == 2:
            start = number(0)
            if len(source.args) == 2:
                lane = evaluate(nest, source.args[1])
                if lane.poly is None or lane.axes:
                    raise Unsupported(source, "enumerate from an unknown start")
                start = lane.poly
            index, item = target.elts
            if not isinstance(index, gast.Name):
                raise Unsupported(source, "an index that is unpacked")
            length, _ = _iterable(nest, node, item, source.args[0], binders)

            def bind_index(now: Turn) -> None:
                nest.env[index.id] = Lane(None, (now.sym,), 1, symbol(now.sym) + start)

            binders.append(bind_index)
            return length, index.id
        if obj is reversed and len(source.args) == 1:
            length, name = _reversed(nest, node, target, source.args[0], binders)
            return length, name
    return _array(nest, target, source, binders, False)


def _as_wide(nest: Nest, name: str, arr: Arr, width: int) -> None:
    """Rows that are unpacked have as many numbers as there are targets."""
    if arr.dims[1].constant == width:
        return
    size = quote.expr("x.shape[1] == w", x=name, w=width)
    nest.condition(size)
    known = replace(arr, dims=(arr.dims[0], number(width)))
    nest.facts.env[name] = known


def _reversed(
    nest: Nest, node: Any, target: Any, source: Any, binders: list[Callable[[Turn], None]]
) -> tuple[Poly, str | None]:
    if isinstance(source, gast.Name):
        return _array(nest, target, source, binders, True)
    raise Unsupported(node, "reversed of this")


def _array(
    nest: Nest, target: Any, source: Any, binders: list[Callable[[Turn], None]], back: bool
) -> tuple[Poly, str | None]:
    """Items of an array, or of ``x[a:]``."""
    start = number(0)
    base = source
    if isinstance(source, gast.Subscript) and isinstance(source.slice, gast.Slice):
        cut = source.slice
        if cut.lower is None and cut.upper is not None and cut.step is None and not back:
            return _start_of(nest, target, source, cut.upper, binders)
        if cut.upper is not None or cut.step is not None or cut.lower is None or back:
            raise Unsupported(source, "a loop over this slice")
        lane = evaluate(nest, cut.lower)
        if lane.poly is None or lane.axes or not nest.facts.symbols.at_least(lane.poly, 0):
            raise Unsupported(source, "a loop over this slice")
        start, base = lane.poly, source.value
    if not isinstance(base, gast.Name):
        raise Unsupported(source, "a loop over what is no name", "it is not known to be an array")
    arr: Arr = nest.array_of(base.id, source)
    symbols = nest.facts.symbols
    length = arr.dims[0] - start
    if start.constant != 0:
        length = symbols.extreme("max", length, number(0))

    def bind(now: Turn) -> None:
        poly = symbol(now.sym) + start
        if back:
            poly = arr.dims[0] - 1 - symbol(now.sym)
        index = Lane(None, (now.sym,), 1, poly)
        marks = quote.name(f"item_{now.sym.partition(chr(39))[2]}")
        nest.env[marks.id] = index
        if isinstance(target, gast.Name) and arr.rank > 1:
            part = quote.expr("x[i]", x=base, i=marks)
            nest.env[target.id] = Row(part, arr, arr.dims[1:], True)
        elif isinstance(target, gast.Name):
            nest.env[target.id] = evaluate(nest, quote.expr("x[i]", x=base, i=marks))
        elif isinstance(target, gast.Tuple) and arr.rank == 2:
            _as_wide(nest, base.id, arr, len(target.elts))
            for k, part in enumerate(target.elts):
                if not isinstance(part, gast.Name):
                    raise Unsupported(target, "a target of this form")
                read = quote.expr("x[i, k]", x=base, i=marks, k=k)
                nest.env[part.id] = evaluate(nest, read)
        else:
            raise Unsupported(source, "a loop over the rows of an array")

    binders.append(bind)
    return length, None


def _start_of(
    nest: Nest, target: Any, source: Any, upper: Any, binders: list[Callable[[Turn], None]]
) -> tuple[Poly, str | None]:
    """Items of ``x[:k]``, where k is certainly a number of items of x."""
    length, name = _array(nest, target, source.value, binders, False)
    stop = evaluate(nest, upper)
    symbols = nest.facts.symbols
    if stop.poly is None or stop.axes or not symbols.at_least(stop.poly, 0):
        raise Unsupported(source, "a loop over this slice")
    if not symbols.at_least(length - stop.poly, 0):
        raise Unsupported(source, "a loop over this slice")
    return stop.poly, name


def named_length(nest: Nest, turn: Any) -> list[gast.stmt]:
    """``n = min(len(x), len(y))``, where no name holds it."""
    made: list[gast.stmt] = []
    for sym in sorted(turn.stop.symbols):
        if sym not in nest.facts.symbols.written:
            continue
        held = [
            v for v in nest.facts.env.values()
            if isinstance(v, Lane) and not v.axes and v.poly == symbol(sym)
        ]  # fmt: skip
        if not held:
            name = nest.namer.fresh("n")
            made.append(quote.stmt("n = e", n=name, e=nest.facts.symbol(sym)))
            nest.facts.env[name] = Lane(quote.name(name), (), 1, symbol(sym))
    return made
