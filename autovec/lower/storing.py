"""Stores: a value that is another array with an item changed is written into that array itself.

It may be if nothing else reads the array as it was: else into a copy.
"""

from __future__ import annotations

import gast

from autovec.lower.analysis import is_fresh
from autovec.lower.arrays import spread
from autovec.lower.expressions import names_in
from autovec.lower.frames import Frame
from autovec.lower.framing import within
from autovec.lower.updating import in_place
from autovec.lower.writer import Writer
from autovec.program.values import STORE, Carry, Operation, Phi, Value
from autovec.syntax import quote


def store(w: Writer, value: Value) -> None:
    """Write a store: the statement, and the name the array has from here on."""
    op = value.op
    assert isinstance(op, Operation)
    holes: dict[str, gast.expr] = {}
    for p, arg in zip(op.params[1:], value.args[1:], strict=True):
        if w.resolve(arg) is w.resolve(value.args[0]):
            w.named(arg)
        holes[p] = w.read(arg)
    template = op.lanes if value.varying else op.python
    buffer = w.through.get(id(value))
    if buffer is not None:
        settle_pending(w, buffer.name, w.resolve(value.args[0]))
        w.consume(value.args[0])
        holes["lanes"] = within(w, buffer.home)
        w.emit(in_place(quote.stmt(for_lanes(op.lanes), a0=buffer.name, **holes)))
        return
    read = [n for hole in holes.values() for n in names_in(hole)]
    w.locked.update(read)  # a new array must not take the name of what is still to be read
    name = target(w, value, w.resolve(value.args[0]), read)
    for n in read:
        w.release(n)
    w.emit(in_place(quote.stmt(template, a0=name, **holes)))


def borrow(w: Writer, value: Value) -> None:
    """The value is a parameter's own array, whose name no other value gets."""
    w.consume(value.args[0])
    name = w.names[id(value.args[0])]
    w.assigned(value, name)
    w.own.add(id(value))
    w.locked[name] += 1
    w.lent.add(name)


def is_item_store(value: Value) -> bool:
    """Is it an array with an item or slice changed, not under a mask?"""
    op = value.op
    return isinstance(op, Operation) and op.name == STORE and op.lanes.startswith("a0[")


def for_lanes(template: str) -> str:
    """A store's text for some lanes only.

    >>> for_lanes("a0[:, 1] = new"), for_lanes("a0[np.arange(len(a0)), a1] = new")
    ('a0[lanes, 1] = new', 'a0[lanes, a1] = new')
    """
    if "np.arange(len(a0))" in template:
        return template.replace("np.arange(len(a0))", "lanes")
    return template.replace("a0[:", "a0[lanes", 1)


def target(w: Writer, value: Value, base: Value, read: list[str]) -> str:
    """The name of the array that is written into, as it is before the store.

    ``read``: the names, locked, that the store's own statement reads.
    """
    if base.varying != value.varying:
        name = w.take_later(value)
        w.emit(quote.stmt("name = made", name=name, made=spread(w, base, value.fact)))
        w.hold(value, name)
        return name
    w.named(base)
    name = w.names.get(id(base), "")
    if name and reusable(w, base, name, read.count(name)):
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


def reusable(w: Writer, base: Value, name: str, locks: int = 0) -> bool:
    """May the array be changed: our own, of these lanes, and read by nobody else?"""
    if w.remaining[id(base)] != 1 or id(base) in w.shared:
        return False
    if w.locked[name] > locks + (name in w.lent):
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
    words = {name}
    frame: Frame | None = w.frame
    while frame is not None:
        words |= {g.mark for g in frame.gathers.values() if name in names_in(g.source)}
        frame = frame.parent
    for key in [*w.pending]:
        if words & w.pending[key].names and key != id(base):
            w.named(w.values[key])
