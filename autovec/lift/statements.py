"""Statements of a loop's body, for all turns at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.canonical.loops import without_continue
from autovec.errors import Unsupported
from autovec.lift.branches import pack
from autovec.lift.expressions import BINARY, binary, evaluate
from autovec.lift.extremes import extreme_pattern, run_extreme
from autovec.lift.headers import open_turn
from autovec.lift.live import carried, live_before
from autovec.lift.naming import name, names
from autovec.lift.nest import Nest
from autovec.lift.reductions import accumulate, accumulators
from autovec.lift.resets import run_reset
from autovec.lift.rows import bind_rows, store_rows
from autovec.lift.running import run, statement
from autovec.lift.scans import recurrence, scan
from autovec.lift.shared import fill_shared, in_all_turns, update_shared
from autovec.lift.stores import store
from autovec.lift.triangles import corners
from autovec.lift.updates import update_of
from autovec.lift.values import Accumulator, Fresh, Lane, Nothing
from autovec.syntax import quote
from autovec.syntax.scope import assigned_names
from autovec.syntax.walking import updated


@statement(gast.Assign)
def _assign(nest: Nest, node: gast.Assign, live: frozenset[str]) -> None:
    [target, *more] = node.targets
    if more:
        _several(nest, node, live)
        return
    if isinstance(target, gast.Name):
        update = update_of(node)
        held = nest.env.get(target.id)
        if isinstance(held, Accumulator):
            if held.op in ("reset", "last"):
                run_reset(nest, held, node)
                return
            best = extreme_pattern(nest, node)
            if best is not None:
                run_extreme(nest, node, best)
                return
            if update is None:
                raise Unsupported(node, f"{target.id} is carried from turn to turn")
            accumulate(nest, held, update, node)
            return
        if isinstance(node.value, gast.Constant) and node.value.value is None:
            nest.env[target.id] = Nothing()
            return
        if bind_rows(nest, target, node.value):
            return
        searches = any(isinstance(a, Accumulator) and a.op == "extreme" for a in nest.env.values())
        if nest.masks and not nest.guessing and not searches and not in_all_turns(nest, node.value):
            pack(nest, node)  # other turns do not compute what may warn
        lane = evaluate(nest, node.value)
        name(nest, target.id, lane, node.value)
    elif isinstance(target, gast.Subscript):
        scanned = recurrence(nest, node, target, node.value)
        if scanned is not None:
            scan(nest, node, scanned)
            return
        if store_rows(nest, node, target, node.value, None):
            return
        if not fill_shared(nest, node, target):
            pack(nest, node)
            store(nest, node, target, evaluate(nest, node.value))
    elif (
        isinstance(target, gast.Tuple)
        and isinstance(node.value, gast.Tuple)
        and len(target.elts) == len(node.value.elts)
        and all(isinstance(t, gast.Name) for t in target.elts)
    ):
        lanes = [evaluate(nest, value) for value in node.value.elts]
        parts: list[Any] = target.elts
        names(nest, [part.id for part in parts], lanes, node.value.elts)
    else:
        raise Unsupported(node, "an assignment of this form")


def _several(nest: Nest, node: gast.Assign, live: frozenset[str]) -> None:
    """``x[i, j] = x[j, i] = value``: one value, stored from left to right."""
    if not all(isinstance(t, (gast.Name, gast.Subscript)) for t in node.targets):
        raise Unsupported(node, "several targets of this form")
    held: Any = node.value
    if not isinstance(held, (gast.Name, gast.Constant)):
        names = [t for t in node.targets if isinstance(t, gast.Name)]
        held = names[0] if names else quote.name(nest.namer.fresh("value"))
        run(nest, [gast.copy_location(quote.stmt("t = v", t=held, v=node.value), node)], live)
        held = quote.in_context(held, gast.Load())
    for target in node.targets:
        if isinstance(target, gast.Name) and target.id == getattr(held, "id", ""):
            continue
        stored = quote.stmt("t = v", t=target, v=held)
        run(nest, [gast.copy_location(stored, node)], live)


@statement(gast.AugAssign)
def _augassign(nest: Nest, node: gast.AugAssign, live: frozenset[str]) -> None:
    target = node.target
    if store_rows(nest, node, target, node.value, type(node.op)):
        return
    if isinstance(target, gast.Name):
        held = nest.env.get(target.id)
        if isinstance(held, Accumulator):
            update = update_of(node)
            if update is None:
                raise Unsupported(node, f"{target.id} is carried from turn to turn")
            accumulate(nest, held, update, node)
            return
        old = evaluate(nest, quote.name(target.id))
        name(
            nest,
            target.id,
            binary(nest, node, type(node.op), old, evaluate(nest, node.value)),
            node,
        )
        return
    if not isinstance(target, gast.Subscript):
        raise Unsupported(node, "an update of this form")
    if type(node.op) not in BINARY:
        raise Unsupported(node, "an operator that is not lifted")
    if isinstance(node.op, (gast.Add, gast.Mult)):
        load = quote.in_context(target, gast.Load())
        whole: Any = quote.expr("a + b", a=load, b=node.value)
        parts = recurrence(nest, node, target, updated(whole, op=node.op))
        if parts is not None:
            scan(nest, node, parts)
            return
    if update_shared(nest, node, target):
        return
    pack(nest, node)
    value = evaluate(nest, node.value)
    store(nest, node, target, value, type(node.op))


# ------------------------------------------------------------------ loops


def nested(nest: Nest, node: gast.For, live: frozenset[str]) -> None:
    """One more loop of the nest."""
    if node.orelse:
        raise Unsupported(node, "a loop with else in a loop")
    body = without_continue(node.body)
    masks = nest.masks
    if masks and _harmless(body):
        nest.masks = []  # what it computes for other turns is not used
    elif masks:
        pack(nest, node)
    turn, bindings = open_turn(nest, node)
    loop(nest, turn, bindings, body, live)
    if nest.pack is None:
        nest.masks = masks


def _harmless(body: list[Any]) -> bool:
    """Do statements nothing but set names?"""
    return all(
        (isinstance(s, gast.Assign) and all(isinstance(t, gast.Name) for t in s.targets))
        or (isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name))
        or (isinstance(s, gast.For) and _harmless(s.body))
        for s in body
    )


def loop(
    nest: Nest, turn: Any, bindings: Callable[[], None], body: list[Any], live: frozenset[str]
) -> None:
    """The body of one more loop, for all its turns at once."""
    depth = len(nest.axes)
    held = {
        n: nest.env.get(n) for n in carried(body, live) if isinstance(nest.env.get(n), Accumulator)
    }
    found = accumulators(nest, turn, body, depth, set(held), live)
    before = dict(nest.env)
    nest.turns.append(turn)
    nest.axes = (*nest.axes, turn.sym)
    nest.env.update(found)
    outside = nest.axes[:-1], nest.pack, nest.masks, nest.naturals
    bindings()
    nest.masks = [*nest.masks, *corners(nest, turn)]
    inside = live_before(body, live) | live
    run(nest, body, inside)
    nest.axes, nest.pack, nest.masks, nest.naturals = outside
    for wanted in assigned_names(body) | assigned_names(turn.node.target):
        held_now = nest.env.get(wanted)
        if isinstance(found.get(wanted), Accumulator):
            if not isinstance(held_now, Accumulator):
                continue  # an array of its running values
            if depth or wanted not in live:
                nest.env[wanted] = held_now.value
        elif wanted in found and depth:
            nest.env[wanted] = _after_turns(nest, turn, held_now)
        elif isinstance(held_now, Accumulator):
            continue
        elif wanted in live and depth:
            raise Unsupported(turn.node, f"{wanted} keeps its last value")
        elif depth:
            nest.env.pop(wanted, None)
            if wanted in before:
                nest.env[wanted] = before[wanted]
    if depth:
        nest.turns.remove(turn)


def _after_turns(nest: Nest, turn: Any, held: Any) -> Lane:
    """A counter of turns behind its loop."""
    if not isinstance(held, Lane) or held.poly is None:
        raise Unsupported(turn.node, "a counter that is not one")
    nest.require(turn.stop - turn.low)
    poly = held.poly.replaced(turn.sym, turn.last)
    return replace(held, expr=None, poly=poly, axes=nest.written(poly)[1])


@statement(gast.Pass)
def _pass(nest: Nest, node: Any, live: frozenset[str]) -> None:
    """Nothing."""


@statement(gast.Expr)
def _expr(nest: Nest, node: gast.Expr, live: frozenset[str]) -> None:
    call = node.value
    if (
        isinstance(call, gast.Call)
        and isinstance(call.func, gast.Attribute)
        and call.func.attr == "append"
        and isinstance(call.func.value, gast.Name)
        and isinstance(nest.facts.env.get(call.func.value.id), Fresh)
        and len(call.args) == 1
    ):
        _append(nest, call.func.value.id, call, node)
        return
    if isinstance(call, gast.Constant):
        return
    raise Unsupported(node, "a statement that does something else")


def _append(nest: Nest, wanted: str, call: Any, node: Any) -> None:
    if wanted in nest.lists:
        raise Unsupported(node, "two appends to one list", "their order is that of the turns")
    if len(nest.turns) != 1 or nest.turns[0].down:
        raise Unsupported(node, "append in a nest, or in a descending loop")
    pack(nest, node)
    lane = evaluate(nest, call.args[0])
    if not lane.axes:
        raise Unsupported(node, "append of what does not vary")
    if lane.mixed and (lane.dtype.itemsize < 8 or wanted in nest.as_lists or nest.loose):
        raise Unsupported(node, "append of Python's and NumPy's numbers", "their types differ")
    nest.lists[wanted] = lane
    if any(a.write and a.arr.roots & lane.reads for a in nest.accesses):
        raise Unsupported(node, "append of what the loop stores")
    text = nest.text(lane)
    packed = nest.pack is not None
    stays = wanted in nest.as_lists or (packed and lane.dtype != np.dtype(float))
    if stays and lane.python:
        text = quote.expr("x.tolist()", x=text)
    elif stays:
        text = quote.expr("list(x)", x=text)
    else:
        nest.needs_turns |= lane.dtype != np.dtype(float)
        if isinstance(text, (gast.Name, gast.Subscript)) and not packed:
            text = quote.expr("x.copy()", x=text)
    nest.out.append(quote.stmt("t = e", t=wanted, e=text))
