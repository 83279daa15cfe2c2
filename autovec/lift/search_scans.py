"""What the test of a search reads of the turns before: counters and running sums."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.live import exposed
from autovec.lift.nest import Nest
from autovec.lift.poly import symbol
from autovec.lift.reductions import induction
from autovec.lift.running import run
from autovec.lift.running_values import running_total
from autovec.lift.updates import Update, update_of
from autovec.lift.values import Accumulator, Lane
from autovec.syntax import quote
from autovec.syntax.convert import text_of
from autovec.syntax.scope import assigned_names, free_names
from autovec.syntax.walking import updated, walk


def carried_into_test(first: list[Any], test: Any, rest: list[Any]) -> set[str]:
    """The names that the test, or what is before it, reads of the turn before."""
    probe: Any = branch_of(test)
    return set(exposed([*first, probe])) & assigned_names([*first, *rest])


def branch_of(test: Any) -> Any:
    return quote.stmt("if t:\n    pass", t=test)


def run_first(nest: Nest, turn: Any, first: list[Any], test: Any, rest: list[Any]) -> Any:
    """The statements before the test, for all turns; the test, with names for running values."""
    body = [*first, *rest]
    sums: dict[str, tuple[Update, bool]] = {}
    for name in sorted(carried_into_test(first, test, rest)):
        before = nest.facts.env.get(name) or nest.env.get(name)
        if not isinstance(before, Lane) or before.axes:
            raise Unsupported(test, f"{name} is carried into the test of a search")
        step = induction(nest, turn, body, name)
        if step is not None and before.poly is not None:
            trips = symbol(turn.sym) - turn.low
            trips = turn.stop - 1 - symbol(turn.sym) if turn.down else trips
            lane = replace(before, expr=None, poly=before.poly + trips * step, axes=(turn.sym,))
            nest.env[name] = lane
            continue
        found = [(u, s in first) for s in body if (u := update_of(s)) and u.name == name]
        writes = [
            n for n in walk(body)
            if isinstance(n, gast.Name) and n.id == name and not isinstance(n.ctx, gast.Load)
        ]  # fmt: skip
        if len(found) != 1 or len(writes) != 1:
            raise Unsupported(test, f"{name} is carried into the test of a search")
        sums[name] = found[0]
    for node in first:
        update = update_of(node)
        if update is not None and update.name in sums:
            _total(nest, sums.pop(update.name)[0], node)
            continue
        if free_names(node) & set(sums):
            raise Unsupported(node, "a running value that is read before it changes")
        run(nest, [node], frozenset(free_names([*first, test])))
    for name, (update, _) in sums.items():
        if free_names(update.value) & assigned_names(rest) - {name}:
            raise Unsupported(test, "a running sum of what changes later in the turn")
        ops: dict[str, Any] = {"+": gast.Add(), "-": gast.Sub(), "*": gast.Mult()}
        after: Any = quote.expr("s + e", s=name, e=update.value)
        text = text_of(updated(after, op=ops[update.op]))
        key = f"{name}_after"
        test = replaced_text(test, text, quote.name(key))
        if name in free_names(test):
            raise Unsupported(test, "a running value from before the turn")
        held = nest.env.get(name)
        _total(nest, update, test)
        nest.env[key] = nest.env[name]
        nest.env[name] = held
    return test


def _total(nest: Nest, update: Update, node: Any) -> None:
    name = update.name
    before = nest.facts.env.get(name) or nest.env.get(name)
    assert isinstance(before, Lane)
    start = replace(before, expr=quote.name(name), named=name, poly=None)
    held = Accumulator(name, "running", before, 0, start)
    guessing, nest.guessing = nest.guessing, True  # the name still holds what it held before
    running_total(nest, held, update.op, update.value, node)
    nest.guessing = guessing
    nest.env[name] = nest.bind("running", nest.env[name])


def replaced_text(node: Any, text: str, new: Any) -> Any:
    """The expression with what is written so replaced."""
    if isinstance(node, gast.expr) and text_of(node) == text:
        return new
    changes: dict[str, Any] = {}
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, gast.AST):
            changes[field] = replaced_text(value, text, new)
        elif isinstance(value, list):
            changes[field] = [
                replaced_text(v, text, new) if isinstance(v, gast.AST) else v for v in value
            ]
    return updated(node, **changes)
