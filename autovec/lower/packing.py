"""``pack``: a side runs for its own lanes only, as index arrays; results go back into buffers.

Inside, the index is absolute: ``k = np.flatnonzero(test)`` reads full arrays as ``x[k]`` and writes
``out[k] = v``. A lane that returns is written straight into the outermost buffer; the code behind
runs for the lanes left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import gast
import numpy as np

from autovec.lower.analysis import risky_uniform
from autovec.lower.frames import MARK, Frame
from autovec.lower.writer import Writer, dtype_argument, names_in
from autovec.program.facts import storage
from autovec.program.nodes import Block, If, Node, PhiResult
from autovec.program.values import Const, Phi, Value
from autovec.syntax import quote
from autovec.syntax.visit import replace_names

Done = Callable[[], None]


def pack(w: Writer, node: If) -> None:
    """A branch without exits: a buffer a merged value, each side for its lanes."""
    w.need_flat()
    w.partial = True
    buffers = [Buffer(w, phi, w.targets.pop(id(phi.value), None)) for phi in node.phis]
    sides: list[tuple[Block, str, bool]] = []
    for block, attr, negate in ((node.then, "then", False), (node.orelse, "orelse", True)):
        if block.nodes or any(b.stores(attr) for b in buffers):
            sides.append((block, attr, negate))
    if len(sides) > 1:
        w.named(node.test)
    for k, (block, attr, negate) in enumerate(sides):
        test = w.read(node.test) if k + 1 == len(sides) else w.peek(node.test)
        stores = [b for b in buffers if b.stores(attr)]
        with frame(w, test, negate, block.nodes):
            for buffer in stores:
                buffer.offer(attr)
            nodes(w, block.nodes, _storer(stores, attr) if stores else None)
            for buffer in stores:
                buffer.withdraw(attr)
    for buffer in buffers:
        buffer.settle()


def _storer(buffers: list[Buffer], attr: str) -> Done:
    """What writes one side's values for the lanes that reach its end."""

    def store() -> None:
        for buffer in buffers:
            buffer.store(attr)

    return store


class Buffer:
    """A merged value's array: filled with the side that needs no computing, the other stored."""

    def __init__(self, w: Writer, phi: PhiResult, outer: Buffer | None) -> None:
        self.w = w
        self.phi = phi
        self.fact = phi.value.fact
        self.outer = outer
        self.fill: str | None = None
        if outer is not None:
            self.name, self.home = outer.name, outer.home
            outer.delegated.add(id(phi.value))
            return
        self.home = w.frame
        self.delegated: set[int] = set()
        self.fill = self._fill()
        self.name = self._allocate()

    def _allocate(self) -> str:
        w, phi = self.w, self.phi
        dtype = storage(self.fact)
        if dtype.kind == "U":
            dtype = string_dtype((phi.then, phi.orelse))
        source = getattr(phi, self.fill) if self.fill else None
        if source is None:
            made = quote.expr("np.empty(size, *dtype)", size=w.size(), dtype=dtype_argument(dtype))
        elif not w.resolve(source).varying:
            made = w.full(
                w.read(source), source.op.value if isinstance(source.op, Const) else None, dtype
            )
        elif storage(source.fact) == dtype:
            made = quote.expr("x.copy()", x=w.read(source))
        else:
            made = w.cast(w.read(source), storage(source.fact), dtype)
        name = w.take_later(phi.value)
        w.emit(quote.stmt("name = made", name=name, made=made))
        return name

    @property
    def origin(self) -> Buffer:
        """The buffer that owns the array."""
        return self if self.outer is None else self.outer.origin

    def offer(self, attr: str) -> None:
        """A side's value that is merged there, and read by nobody else, is stored straight here."""
        value: Value = getattr(self.phi, attr)
        if isinstance(value.op, Phi) and self.w.remaining[id(value)] == 1 and self.fact.kind != "U":
            self.w.targets[id(value)] = self.origin

    def withdraw(self, attr: str) -> None:
        """The side is written."""
        self.w.targets.pop(id(getattr(self.phi, attr)), None)

    def settle(self) -> None:
        """The branch is written: the merged value is in the buffer."""
        if self.outer is None:
            self.w.hold(self.phi.value, self.name)
        else:
            self.w.consume(self.phi.value)

    def _fill(self) -> str | None:
        for attr in ("then", "orelse"):
            value = getattr(self.phi, attr)
            if value is None:
                continue
            known = self.w.resolve(value)
            if isinstance(known.op, Const) and self.fact.kind != "U":
                return attr
        for attr in ("orelse", "then"):
            value = getattr(self.phi, attr)
            if value is None or self.fact.kind == "U":
                continue
            known = self.w.resolve(value)
            if known.varying and id(known) in self.w.names and id(known) not in self.w.pending:
                return attr
        return None

    def stores(self, attr: str) -> bool:
        """Does this side write into the buffer?"""
        return getattr(self.phi, attr) is not None and attr != self.fill

    def store(self, attr: str) -> None:
        """Write a side's value for the lanes of the current frame."""
        value: Value = getattr(self.phi, attr)
        if id(value) in self.origin.delegated:
            return
        target = quote.expr("name[k]", name=self.name, k=within(self.w, self.home))
        self.w.emit(quote.stmt("target = value", target=target, value=self.w.read(value)))


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
        chosen = quote.expr("j[i]", j=frame.select(2), i=chosen)
    return chosen


def string_dtype(values: tuple[Value | None, ...]) -> Any:
    """A dtype wide enough for these strings, or object where a width is not known."""
    width = 1
    for v in values:
        if v is None:
            continue
        if isinstance(v.op, Const):
            width = max(width, len(v.op.value))
        elif v.fact.dtype.itemsize:
            width = max(width, v.fact.dtype.itemsize // 4)
        else:
            return np.dtype(object)
    return np.dtype(f"U{width}")


# ---------------------------------------------------------------- frames
@contextmanager
def frame(w: Writer, mask: gast.expr, negate: bool, inside: list[Node]) -> Iterator[Frame]:
    """Write for a mask's lanes; index and gathers are written when the frame is left."""
    w.need_flat()
    test = quote.expr("~t", t=mask) if negate else mask
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
        close(w, made, statements, risky_uniform(inside))
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
    body = [replace_names(s, names) for s in (*gathered, *statements)]
    if guard:
        body = quote.stmts("if k.size:\n    body", k=names[made.index_mark], body=body)
    w.emit(*head, *body)


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
        names[made.index_mark] = index if made.index_reads == 1 else made.index_name
        if made.index_reads > 1:
            head.append(quote.stmt("k = index", k=made.index_name, index=index))
    return head


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


def nodes(w: Writer, inside: list[Node], done: Done | None = None) -> None:
    """Write nodes in the current frame."""
    from autovec.lower.lowering import lower_nodes

    lower_nodes(w, inside, done)


# ---------------------------------------------------------------- branches that lanes leave
def pack_exits(w: Writer, node: If, rest: list[Node], done: Done | None) -> None:
    """A branch from which lanes return: they are written out, the rest runs for the others."""
    w.need_flat()
    w.partial = True
    w.outs()
    w.flush()
    if (node.then.falls and node.orelse.falls) or _partly(node):
        pack_partly(w, node, rest, done)
    else:
        pack_apart(w, node, rest, done)
    if w.frame.root:
        w.return_outs()


def pack_apart(w: Writer, node: If, rest: list[Node], done: Done | None) -> None:
    """One side's lanes are gone: the other side takes the rest along."""
    from autovec.lower.branches import one_sided

    one_sided(w, node)
    sides = []
    for block, negate in ((node.then, False), (node.orelse, True)):
        inside = [*block.nodes, *rest] if block.falls else block.nodes
        if (inside or done is not None) and not w.is_filled(inside):
            sides.append((block.falls, negate, inside))
    # lanes that leave come first, so that the code behind them reads last
    sides.sort(key=lambda side: side[0])
    if len(sides) > 1:
        w.named(node.test)
    for k, (falls, negate, inside) in enumerate(sides):
        test = w.read(node.test) if k + 1 == len(sides) else w.peek(node.test)
        with frame(w, test, negate, inside):
            nodes(w, inside, done if falls else None)


def _partly(node: If) -> bool:
    """Does a side that goes on also lose lanes on the way?"""
    return any(side.falls and side.exits for side in (node.then, node.orelse))


def pack_partly(w: Writer, node: If, rest: list[Node], done: Done | None) -> None:
    """Some lanes of a side return and others go on: a mask of the lanes that are left."""
    if not rest and done is None:
        pack(w, node)
        return
    live = w.fresh("live")
    w.emit(quote.stmt("live = np.ones(size, bool)", live=live, size=w.whole_size()))
    w.live_masks.append(live)
    pack(w, node)
    w.live_masks.pop()
    pack_left(w, live, rest, done)


def pack_left(w: Writer, live: str, rest: list[Node], done: Done | None) -> None:
    """The code behind, for the lanes that a mask still holds."""
    left: gast.expr = quote.name(live)
    if not w.frame.root:
        left = quote.expr("live[k]", live=live, k=w.frame.index())
    with frame(w, left, False, rest):
        nodes(w, rest, done)
    w.release(live)
