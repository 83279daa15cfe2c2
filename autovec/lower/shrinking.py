"""Shrinking the lanes of a loop: the index and every array of its lanes that is still needed."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autovec.lower.expressions import names_in
from autovec.lower.writer import Writer
from autovec.program.carries import UNSET
from autovec.program.nodes import Loop
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN

#: with so many arrays to shrink it pays to ask first whether any lane leaves
_MANY = 3


def shrink(w: Writer, keep: gast.expr) -> None:
    """Go on with some lanes of the loop's frame."""
    w.flush()
    names = current(w)
    if len(names) > 1:
        chosen = w.fresh("keep")
        w.emit(quote.stmt("keep = np.flatnonzero(test)", keep=chosen, test=keep))
        _assign(w, names, quote.name(chosen))
        w.release(chosen)
    else:
        _assign(w, names, keep)


def name_test(w: Writer, test: Value, word: str) -> None:
    """Give the test of who leaves a name, the user's or one that says what it tells."""
    test = w.resolve(test)
    if test.origin is None and id(test) in w.pending and word not in w.program.locals:
        test.origin = HIDDEN + word
    w.named(test)


def where_some_leave(w: Writer, asked: Value, leaves: bool, write: Callable[[], None]) -> None:
    """What is written for lanes that leave, and the shrinking, where some do.

    ``leaves``: those leave where the test holds, and not where it does not.  Where shrinking costs
    little, it is not asked whether any lane leaves.
    """
    w.flush()
    test = w.peek(asked)
    if len({*current(w)} - names_in(test)) < _MANY:
        write()
        return
    with w.collect() as body:
        write()
    text = "if t.any():\n    body" if leaves else "if not t.all():\n    body"
    w.emit(quote.stmt(text, t=test, body=body))


def stop_if_empty(w: Writer) -> None:
    """The rest of a trip could fail: it does not run for no lane."""
    w.frame.emptied = True
    w.emit(*quote.stmts("if not k.size:\n    break", k=w.frame.index_name))


def drop_all(w: Writer, node: Loop, names: dict[int, str]) -> None:
    """No lane goes on: the loop is left with nothing to hand on."""
    carries = [c for c in node.carries if c.head.fact.varying and c.init is not UNSET]
    held = [names[id(c.head)] for c in carries if id(c.head) in names]
    shown = dict.fromkeys([*current(w), *held])
    none = quote.expr("x[:0]", x="x")
    assert isinstance(none, gast.Subscript)
    _assign(w, [*shown], none.slice)
    w.emit(quote.stmt("break"))


def current(w: Writer) -> list[str]:
    """The index, and the names that hold arrays of these lanes which are still read."""
    made = w.frame
    assert made.looping
    held = [
        name
        for name, v in w.holder.items()
        if v.varying
        and w.home.get(id(v)) is made
        and w.remaining[id(v)] > 0
        and w.names.get(id(v)) == name
    ]
    return [made.index_name, *sorted(held), *made.along]


def _assign(w: Writer, names: list[str], keep: gast.expr) -> None:
    targets = [quote.name(n) for n in names]
    values = [quote.expr("x[keep]", x=n, keep=keep) for n in names]
    if len(names) == 1:
        w.emit(quote.stmt("x = value", x=targets[0], value=values[0]))
    else:
        w.emit(quote.stmt("(*names,) = (*values,)", names=targets, values=values))
