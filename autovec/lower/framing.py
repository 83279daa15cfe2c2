"""Writing for some of the lanes: a frame's index, its gathers, and the statements between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gast

from autovec.lower.analysis import risky_uniform
from autovec.lower.expressions import inverse, names_in
from autovec.lower.frames import MARK, Frame
from autovec.lower.updating import in_place
from autovec.lower.writer import Writer
from autovec.program.nodes import Node
from autovec.syntax import quote
from autovec.syntax.visit import Transformer, replace_names, updated


@contextmanager
def frame(
    w: Writer, mask: gast.expr, negate: bool, inside: list[Node], guard: bool = False
) -> Iterator[Frame]:
    """Write for a mask's lanes; index and gathers are written when the frame is left.

    ``guard``: nothing runs where no lane is left.
    """
    w.need_flat()
    test = inverse(mask) if negate else mask
    outer = w.frame
    w.frames += 1
    made = Frame(outer, w.frames, test, loop_depth=w.loop_depth)
    made.index_name, made.select_name = w.fresh("k"), w.fresh("j")
    made.locked = [made.index_name, made.select_name, *names_in(test)]
    w.locked.update(names_in(test))
    w.frame = made
    try:
        with w.collect() as statements:
            yield made
    finally:
        w.frame = outer
    if statements:
        close(w, made, statements, guard or risky_uniform(inside))
    for name in made.locked:
        w.release(name)


def close(w: Writer, made: Frame, statements: list[gast.stmt], guard: bool) -> None:
    """Replace a frame's marks by what they stand for, and write its statements."""
    names: dict[str, gast.expr | str] = {}
    outer = made.parent
    assert outer is not None and made.mask is not None
    if guard:
        made.index_reads += 2
    gathered = gathers(made, names)
    head = index_of_root(made, names) if outer.root else index_of_packed(made, names)
    for mark, expr in [*names.items()]:
        if isinstance(expr, gast.expr) and mark.startswith(f"{MARK}gather"):
            names[mark] = replace_names(expr, names)
    numbers = {name for name, held in w.ranks.items() if held == {False}}
    written = [replace_names(s, names) for s in (*gathered, *statements)]
    body = [in_place(direct(s, numbers)) for s in written]
    if guard:
        body = quote.stmts("if k.size:\n    body", k=names[made.index_mark], body=body)
    w.emit(*head, *body)


class _Direct(Transformer):
    """``x[k][:, 0]`` is ``x[k, 0]``, but an index that is an array itself would go along with k."""

    def __init__(self, numbers: set[str]) -> None:
        self.numbers = numbers

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        value = self.visit(node.value)
        index = node.slice
        if isinstance(index, gast.Tuple) and _is_all(index.elts) and self._apart(index, value):
            parts = [value.slice, *index.elts[1:]]
            return updated(node, value=value.value, slice=updated(index, elts=parts))
        return updated(node, value=value, slice=self.visit(index))


    def _apart(self, index: gast.Tuple, value: gast.expr) -> bool:
        return _is_picked(value) and all(_is_number(e, self.numbers) for e in index.elts[1:])


def _is_number(part: gast.expr, numbers: set[str]) -> bool:
    """Is a part of an index a slice or one number?"""
    if isinstance(part, gast.Name):
        return part.id in numbers
    if isinstance(part, gast.UnaryOp):
        return _is_number(part.operand, numbers)
    return isinstance(part, (gast.Slice, gast.Constant))


def _is_all(parts: list[gast.expr]) -> bool:
    first = parts[0] if parts else None
    return isinstance(first, gast.Slice) and not (first.lower or first.upper or first.step)


def _is_picked(value: gast.expr) -> bool:
    """Is it ``x[k]``?"""
    if not isinstance(value, gast.Subscript) or not isinstance(value.slice, gast.Name):
        return False
    return isinstance(value.value, (gast.Name, gast.Attribute))


def direct(statement: gast.stmt, numbers: set[str]) -> gast.stmt:
    """A statement that indexes once where it indexed twice; ``numbers``: names of single ones."""
    found = _Direct(numbers).visit(statement)
    assert isinstance(found, gast.stmt)
    return found


def index_of_root(made: Frame, names: dict[str, gast.expr | str]) -> list[gast.stmt]:
    """The index of a frame cut from all lanes; a mask that is read once needs none."""
    assert made.mask is not None
    if made.index_reads == 1:
        names[made.index_mark] = made.mask
        return []
    names[made.index_mark] = made.index_name
    return [quote.stmt("k = np.flatnonzero(t)", k=made.index_name, t=made.mask)]


def index_of_packed(made: Frame, names: dict[str, gast.expr | str]) -> list[gast.stmt]:
    """The selection and the absolute index of a frame cut from a packed one."""
    assert made.mask is not None and made.parent is not None
    head: list[gast.stmt] = []
    chosen: gast.expr = made.mask
    if made.select_reads + (made.index_reads > 0) > 1:
        head.append(quote.stmt("j = np.flatnonzero(t)", j=made.select_name, t=made.mask))
        chosen = quote.name(made.select_name)
    names[made.select_mark] = chosen
    if made.index_reads:
        index = quote.expr("k[j]", k=made.parent.index(min(made.index_reads, 2)), j=chosen)
        inline = made.index_reads == 1 and not reads_items(chosen)
        names[made.index_mark] = index if inline else made.index_name
        if not inline:
            head.append(quote.stmt("k = index", k=made.index_name, index=index))
    return head


def reads_items(test: gast.expr) -> bool:
    """Is there an index in it already?"""
    gathered = f"{MARK}gather"
    return any(
        isinstance(n, gast.Subscript) or getattr(n, "id", "").startswith(gathered)
        for n in gast.walk(test)
    )


def gathers(made: Frame, names: dict[str, gast.expr | str]) -> list[gast.stmt]:
    """Arrays gathered often are gathered once, before the frame's statements."""
    found: list[gast.stmt] = []
    for g in made.gathers.values():
        compact = g.by == made.select_mark
        once = g.reads > (1 if compact else 2)
        expr = quote.expr("x[k]", x=g.source, k=g.by)
        if compact:
            made.select_reads += 1 if once else g.reads
        else:
            made.index_reads += 1 if once else g.reads
        if once:
            found.append(quote.stmt("name = expr", name=g.name, expr=expr))
            names[g.mark] = g.name
        else:
            names[g.mark] = expr
    return found


def within(w: Writer, home: Frame) -> gast.expr:
    """The current frame's lanes among those of an enclosing frame."""
    if w.frame is home:
        return quote.const(...)
    if home.root:
        return w.frame.index()
    frame = w.frame
    if frame.parent is home:
        return frame.select()
    chosen = frame.select(2)
    while frame.parent is not home:
        assert frame.parent is not None
        frame = frame.parent
        if isinstance(chosen, gast.Subscript):  # not an index of an index of an index
            name = w.fresh("j")
            w.emit(quote.stmt("j = composed", j=name, composed=chosen))
            w.release(name)
            chosen = quote.name(name)
        chosen = quote.expr("j[i]", j=frame.select(2), i=chosen)
    return chosen
