"""Buffers: the array of a value that the sides of a branch store into."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from autovec.lower.analysis import is_fresh
from autovec.lower.arrays import blank, cast, dims, full
from autovec.lower.expressions import dtype_argument, put_text, string_dtype
from autovec.lower.frames import Frame
from autovec.lower.framing import within
from autovec.lower.writer import Writer
from autovec.program.facts import STRING, storage
from autovec.program.nodes import Block, If, PhiResult
from autovec.program.things import same_literal
from autovec.program.unknown import Dtype
from autovec.program.values import Const, Path, Phi, Value, is_store
from autovec.syntax import quote


def merge_in(block: Block, value: Value | None) -> tuple[If, PhiResult] | None:
    """The branch inside a block that merges to a value, and how."""
    for node in block.nodes:
        if isinstance(node, If):
            for phi in node.phis:
                if phi.value is value:
                    return node, phi
    return None


class Buffer:
    """A merged value's array: filled with the side that needs no computing, the other stored."""

    def __init__(
        self,
        w: Writer,
        phi: PhiResult,
        outer: Buffer | None,
        node: If | None = None,
        inside: Mapping[int, int] | None = None,
    ) -> None:
        self.w = w
        self.phi = phi
        self.node = node
        self.inside = inside or {}
        self.fact = phi.value.fact
        self.outer = outer
        self.home: Frame = w.frame if outer is None else outer.home
        self.delegated: set[int] = set()
        self.filled: Value | None = None
        self.text = False  # of strings whose width is not known
        self.own = False  # is it an array that the program has already?
        self.fill = self._fill() if outer is None else None
        self.name: str = self._allocate() if outer is None else outer.name
        if outer is not None:
            outer.delegated.add(id(phi.value))

    def _allocate(self) -> str:
        w, phi = self.w, self.phi
        dtype = storage(self.fact)
        if dtype.kind == "U":
            dtype = string_dtype((phi.then, phi.orelse))
            self.text = dtype == STRING
        source = getattr(phi, self.fill) if self.fill else self._deep() or self._unchanged()
        if source is None:
            size = dims(w, w.size(), self.fact)
            made = quote.expr("np.empty(size, *dtype)", size=size, dtype=dtype_argument(dtype))
        else:
            source = self.filled = w.resolve(source)
            if self._own(source, dtype):
                if self.fill:
                    w.consume(source)
                name = w.names[id(source)]
                w.locked[name] += 1
                self.own = True
                return name
            made = self._filled(source, dtype)
        name = w.take_later(phi.value)
        w.emit(quote.stmt("name = made", name=name, made=made))
        return name

    def _filled(self, source: Value, dtype: Dtype) -> gast.expr:
        """A new array with the values of a side that needs no computing."""
        w = self.w
        if not source.varying:
            constant = source.op.value if isinstance(source.op, Const) else None
            made = blank(w, source, self.fact)
            if made is not None:
                return made
            expr = w.read(source) if self.fill else w.peek(source)
            return full(w, expr, constant, dtype, self.fact)
        if storage(source.fact) != dtype:
            return cast(w.read(source), storage(source.fact), dtype)
        home = w.home.get(id(source), w.root)
        if home.root and not w.frame.root:  # not the frame's shared gather: this one is written to
            w.consume(source)
            return quote.expr("x[k]", x=w.name_of(source), k=w.frame.index())
        return quote.expr("x.copy()", x=w.read(source))

    def _own(self, source: Value, dtype: Dtype) -> bool:
        """May the buffer be the side's own array: new, in these lanes, and dead otherwise?"""
        w = self.w
        node = self.node
        # nothing else of this branch may read it once it is stored
        if node is not None and (node.then.exits or node.orelse.exits):
            return False
        return (
            source.varying
            and (is_fresh(source) or id(source) in w.private or id(source) in w.own)
            and id(source) not in w.shared
            and w.home.get(id(source)) is w.frame
            and w.remaining[id(source)] == self.inside.get(id(source), 1)
            and id(source) in w.names
            and w.locked[w.names[id(source)]] == (w.names[id(source)] in w.lent)
            and (self.node is None or w.resolve(self.node.test) is not source)
            and w.unread(w.names[id(source)], self.node.test if self.node else None)
            and storage(source.fact) == dtype
            and w.depths.get(id(source)) == w.loop_depth  # else another trip reads it again
            and not w.frame.looping
        )

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
        for attr in ("then", "orelse"):
            value = getattr(self.phi, attr)
            if value is not None and attr != self.fill and not self.stores(attr):
                self.w.skip(value)
        if self.outer is None:
            self.w.hold(self.phi.value, self.name)
            self.w.own.add(id(self.phi.value))
        else:
            self.w.consume(self.phi.value)

    def _fill(self) -> str | None:
        for kind in (Const, Path):
            for attr in ("then", "orelse"):
                value = getattr(self.phi, attr)
                known = None if value is None else self.w.resolve(value)
                if known is not None and isinstance(known.op, kind) and not known.varying:
                    return attr
        for attr in ("orelse", "then"):
            value = getattr(self.phi, attr)
            if value is None or self.fact.kind == "U":
                continue
            known = self.w.resolve(value)
            if known.varying and id(known) in self.w.names and id(known) not in self.w.pending:
                return attr
            written = id(known) in self.w.names or id(known) in self.w.pending
            if written and not known.varying and known.fact.rank:
                return attr
        return None

    def _deep(self) -> Value | None:
        """A literal that some lanes deep inside have."""
        if self.node is None or self.fact.kind == "U":
            return None
        todo = [(self.node.orelse, self.phi.orelse), (self.node.then, self.phi.then)]
        while todo:
            block, value = todo.pop(0)
            inner = merge_in(block, value)
            if inner is None:
                continue
            node, phi = inner
            for side in (phi.orelse, phi.then):
                if side is not None and isinstance(side.op, Const) and not side.varying:
                    self.w.remaining[id(side)] += 1  # read for the fill
                    return side
            todo += [(node.orelse, phi.orelse), (node.then, phi.then)]
        return None

    def _unchanged(self) -> Value | None:
        """An array of these lanes that some lanes deep inside keep, and that is ours to write."""
        if self.node is None or self.fact.kind == "U":
            return None
        base = self._stored_on_both_sides()
        if base is not None and (not base.varying or self._own(base, storage(self.fact))):
            return base
        for block, value in ((self.node.then, self.phi.then), (self.node.orelse, self.phi.orelse)):
            inner = merge_in(block, value)
            for side in (inner[1].then, inner[1].orelse) if inner is not None else ():
                known = None if side is None else self.w.resolve(side)
                if known is not None and self._own(known, storage(self.fact)):
                    return known
        return None

    def _stored_on_both_sides(self) -> Value | None:
        """The array that both sides store into, if they do nothing else with it."""
        ends = []
        for value in (self.phi.then, self.phi.orelse):
            step = value
            while step is not None and is_store(step):
                step = self.w.resolve(step.args[0])
                if id(step) in self.w.names or id(step) in self.w.pending:
                    break
            ends.append(step)
        return ends[0] if ends[0] is ends[1] else None

    def stores(self, attr: str) -> bool:
        """Does this side write into the buffer?"""
        value = getattr(self.phi, attr)
        if value is None or attr == self.fill:
            return False
        filled = self.origin.filled
        known = self.w.resolve(value)
        return filled is None or not (known is filled or same_literal(known, filled))

    def store(self, attr: str) -> None:
        """Write a side's value for the lanes of the current frame."""
        store_all([self], attr)


def store_all(buffers: list[Buffer], attr: str) -> None:
    """Write a side's values for the lanes of the current frame, all at once."""
    targets, values = [], []
    for b in buffers:
        value: Value = getattr(b.phi, attr)
        if id(value) in b.origin.delegated:
            continue
        k = within(b.w, b.home)
        if b.origin.text:
            b.w.emit(put_text(b.w, b.name, k, b.w.read(value)))
            continue
        targets.append(quote.expr("name[k]", name=b.name, k=k))
        values.append(b.w.read(value))
    if len(targets) == 1:
        buffers[0].w.emit(quote.stmt("target = value", target=targets[0], value=values[0]))
    elif targets:
        made = quote.stmt("(*targets,) = (*values,)", targets=targets, values=values)
        buffers[0].w.emit(made)
