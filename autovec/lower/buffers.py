"""Buffers: the array of a value that the sides of a branch store into."""

from __future__ import annotations

from autovec.lower.arrays import cast, full
from autovec.lower.expressions import dtype_argument, string_dtype
from autovec.lower.frames import Frame
from autovec.lower.framing import within
from autovec.lower.writer import Writer
from autovec.program.facts import storage
from autovec.program.nodes import PhiResult
from autovec.program.values import Const, Phi, Value
from autovec.syntax import quote


class Buffer:
    """A merged value's array: filled with the side that needs no computing, the other stored."""

    def __init__(self, w: Writer, phi: PhiResult, outer: Buffer | None) -> None:
        self.w = w
        self.phi = phi
        self.fact = phi.value.fact
        self.outer = outer
        self.home: Frame = w.frame if outer is None else outer.home
        self.delegated: set[int] = set()
        self.fill = self._fill() if outer is None else None
        self.name: str = self._allocate() if outer is None else outer.name
        if outer is not None:
            outer.delegated.add(id(phi.value))

    def _allocate(self) -> str:
        w, phi = self.w, self.phi
        dtype = storage(self.fact)
        if dtype.kind == "U":
            dtype = string_dtype((phi.then, phi.orelse))
        source = getattr(phi, self.fill) if self.fill else None
        if source is None:
            made = quote.expr("np.empty(size, *dtype)", size=w.size(), dtype=dtype_argument(dtype))
        elif not w.resolve(source).varying:
            constant = source.op.value if isinstance(source.op, Const) else None
            made = full(w, w.read(source), constant, dtype)
        elif storage(source.fact) == dtype:
            made = quote.expr("x.copy()", x=w.read(source))
        else:
            made = cast(w.read(source), storage(source.fact), dtype)
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
