"""Shrinking the lanes of a loop: the index and every array of its lanes that is still needed."""

from __future__ import annotations

import gast

from autovec.lower.writer import Writer
from autovec.program.carries import UNSET
from autovec.program.nodes import Loop
from autovec.syntax import quote


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
