"""Stores: a value that is another array with an item changed is written into that array itself.

It may be if nothing else reads the array as it was: else into a copy.
"""

from __future__ import annotations

import gast

from autovec.lower.analysis import is_fresh
from autovec.lower.arrays import spread
from autovec.lower.expressions import names_in
from autovec.lower.writer import Writer
from autovec.program.values import Carry, Operation, Phi, Value
from autovec.syntax import quote

#: the operations that write into their first operand
STORE = "store"


def store(w: Writer, value: Value) -> None:
    """Write a store: the statement, and the name the array has from here on."""
    op = value.op
    assert isinstance(op, Operation)
    holes: dict[str, gast.expr] = {}
    for p, arg in zip(op.params[1:], value.args[1:], strict=True):
        if w.resolve(arg) is w.resolve(value.args[0]):
            w.named(arg)
        holes[p] = w.read(arg)
    name = target(w, value, w.resolve(value.args[0]))
    template = op.lanes if value.varying else op.python
    w.emit(quote.stmt(template, a0=name, **holes))


def target(w: Writer, value: Value, base: Value) -> str:
    """The name of the array that is written into, as it is before the store."""
    if base.varying != value.varying:
        name = w.take_later(value)
        w.emit(quote.stmt("name = made", name=name, made=spread(w, base, value.fact)))
        w.hold(value, name)
        return name
    w.named(base)
    name = w.names.get(id(base), "")
    if name and reusable(w, base, name):
        settle_pending(w, name, base)
        w.consume(base)
        w.locked[name] += 1
        w.hold(value, name)
        w.own.add(id(value))
        return name
    home = w.home.get(id(base), w.root)
    if base.varying and home.root and not w.frame.root:
        w.consume(base)
        made = quote.expr("x[k]", x=w.name_of(base), k=w.frame.index())
    else:
        made = quote.expr("x.copy()", x=w.read(base))
    name = w.take_later(value)
    w.emit(quote.stmt("name = made", name=name, made=made))
    w.hold(value, name)
    w.own.add(id(value))
    return name


def reusable(w: Writer, base: Value, name: str) -> bool:
    """May the array be changed: our own, of these lanes, and read by nobody else?"""
    if w.remaining[id(base)] != 1 or w.locked[name] or id(base) in w.shared:
        return False
    if base.varying and w.home.get(id(base)) is not w.frame:
        return False
    if id(base) in w.returned or not (is_fresh(base) or isinstance(base.op, (Carry, Phi))):
        return False
    if isinstance(base.op, (Carry, Phi)) and id(base) not in w.own:
        return False
    for other in [*w.holder.values(), *w.values.values()]:
        if other is not base and w.remaining[id(other)] > 0 and other.memory & base.memory:
            if w.names.get(id(other)) == name or id(other) in w.pending:
                continue  # written before the store, see settle_pending
            if id(other) in w.copied:
                continue
            return False
    return True


def settle_pending(w: Writer, name: str, base: Value) -> None:
    """What reads the array and is not yet written is written before it changes."""
    for key in [*w.pending]:
        expr, _ = w.pending[key]
        if name in names_in(expr) and key != id(base):
            w.named(w.values[key])
