"""What one trip of a loop in the text hands to the next: arrays of lanes, or numbers they share.

The types are assumed, at first those that the names have before the loop; where a trip hands on
another, the loop is written again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.frames import Frame, assign, count_of, filled
from autovec.lift.nest import Nest
from autovec.lift.poly import symbol
from autovec.lift.values import Lane, small
from autovec.lift.varying import varying_names
from autovec.syntax import quote
from autovec.syntax.build import shape_argument
from autovec.syntax.scope import assigned_names, free_names
from autovec.syntax.walking import walk


@dataclass(frozen=True)
class Kind:
    """What a carried name is at the start of every trip."""

    sample: Any
    axes: tuple[str, ...] = ()
    mixed: bool = False


class Grown(Exception):
    """A carried name is more than was assumed."""

    def __init__(self, name: str, kind: Kind) -> None:
        super().__init__(name)
        self.name = name
        self.kind = kind


def as_floats(assumed: dict[str, Kind]) -> bool:
    """Takes lanes of Python integers for floats, which they may become; was there one?"""
    found = [n for n, kind in assumed.items() if kind.axes and type(kind.sample) is int]
    for name in found:
        assumed[name] = replace(assumed[name], sample=0.5, mixed=True)
    return bool(found)


@dataclass(eq=False)
class Carrying:
    """The names that one trip of a loop hands to the next."""

    nest: Nest
    node: Any
    live: frozenset[str]
    assumed: dict[str, Kind]
    names: dict[str, str] = field(default_factory=dict)  # of each carried value, in the text
    start: dict[str, Lane] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)
    first: frozenset[str] = frozenset()  # read before they are assigned
    unset: set[str] = field(default_factory=set)  # they have no value before
    known: set[str] = field(default_factory=set)  # those of them whose type is known

    def before(self) -> None:
        nest = self.nest
        own = {n for n, lane in nest.env.items() if isinstance(lane, Lane) and lane.axes}
        varies = varying_names(self.node.body, own)
        for name in self.carried:
            held = nest.lookup(name)
            if not isinstance(held, Lane):
                if held is not None or name in self.first:
                    raise Unsupported(self.node, f"{name} may have no value before this loop")
                self.unset.add(name)
                self.known |= {name} & set(self.assumed)
                self.assumed.setdefault(name, Kind(0.5))
                continue
            self.start[name] = held
            axes = held.axes or (("",) if name in varies else ())
            self.assumed.setdefault(name, Kind(held.sample, axes, held.mixed))

    def begin(self, frame: Frame) -> None:
        nest = self.nest
        names, values, lanes = [], [], {}
        for name in self.start:
            kind, held = self.assumed[name], self.start[name]
            own = name if not _spoken_for(nest, name) else nest.namer.fresh(name)
            self.names[name] = own
            lane = nest.here(held)
            if lane.dtype != np.asarray(kind.sample).dtype:
                nest.loose = True
                if lane.axes:
                    raise Unsupported(self.node, "a number that changes its type")
            if kind.axes:
                if frame.pack is not None:
                    size = quote.expr("k.size", k=frame.indices[0])
                    text = nest.text(lane) if lane.axes else filled(nest, size, lane, kind.sample)
                    if held.axes == frame.axes and len(frame.axes) == 1 and held.expr is not None:
                        text = nest.text(held)  # all lanes, in their order
                    now = frame.now
                else:
                    text, now = self.whole(frame, lane, kind), kind.axes
                    if now != frame.axes:
                        raise Grown(name, replace(kind, axes=frame.axes))
                if type(kind.sample) is int and not _stays_small(lane):
                    raise Unsupported(self.node, "a Python integer that may leave int64")
                lanes[name] = Lane(
                    quote.name(own), now, kind.sample, None, True, named=own, mixed=kind.mixed,
                    small=type(kind.sample) is int,
                )  # fmt: skip
            else:
                text = nest.text(lane)
                lanes[name] = self.number(name, own, kind, lane)
            names.append(own)
            values.append(text)
        for own, text in zip(names, values, strict=True):
            assign(nest, [own], [text])
        nest.env.update(lanes)

    def whole(self, frame: Frame, lane: Lane, kind: Kind) -> gast.expr:
        nest = self.nest
        if lane.axes == frame.axes:
            return nest.text(lane)
        if lane.axes:
            raise Unsupported(self.node, "a value that varies over more loops after a trip")
        sizes = [count_of(nest, turn) for turn in nest.turns if turn.sym in frame.axes]
        size = shape_argument(sizes)
        return filled(nest, size, lane, kind.sample)

    def number(self, name: str, own: str, kind: Kind, lane: Lane) -> Lane:
        """A number that all lanes have in common."""
        symbols = self.nest.facts.symbols
        poly = None
        if type(kind.sample) is int:
            sym = symbols.new(name)
            symbols.text[sym] = quote.name(own)
            self.nest.trips.add(sym)
            if lane.poly is not None and _grows(self.node, name):
                symbols.low[sym] = lane.poly
            poly = symbol(sym)
        return Lane(quote.name(own), (), kind.sample, poly, named=own, mixed=kind.mixed)

    def hand_over(self, frame: Frame) -> None:
        nest = self.nest
        names, values = [], []
        for name in self.start:
            kind, lane = self.assumed[name], nest.here(nest.env[name])
            joined = _joined(self.node, kind, lane)
            nest.loose |= lane.dtype != np.asarray(kind.sample).dtype
            if lane.axes and not kind.axes:
                raise Grown(name, replace(joined, axes=lane.axes if frame.pack is None else ("",)))
            if joined != replace(kind, axes=joined.axes):
                raise Grown(name, replace(joined, axes=kind.axes))
            text = nest.text(lane)
            if kind.axes and not lane.axes:
                text = filled(nest, self.size(frame), lane, kind.sample)
            elif kind.axes and isinstance(text, gast.Subscript) and lane.reads:
                text = quote.expr("x.copy()", x=text) if frame.pack is None else text
            if kind.axes and type(kind.sample) is int and not _stays_small(lane):
                raise Unsupported(self.node, "a Python integer that may leave int64")
            names.append(self.names[name])
            values.append(text)
        assign(nest, names, values)

    def size(self, frame: Frame) -> gast.expr:
        if frame.pack is not None:
            return quote.expr("k.size", k=frame.indices[0])
        raise Unsupported(self.node, "a number for all lanes")

    def settled(self, name: str, lane: Any) -> None:
        """A result is of the type that was assumed."""
        if not isinstance(lane, Lane):
            raise Unsupported(self.node, f"{name} may have no value behind this loop")
        kind = self.assumed[name]
        if name in self.unset and name not in self.known:
            raise Grown(name, Kind(lane.sample, (), lane.mixed))
        joined = _joined(self.node, kind, lane)
        if joined != kind:
            raise Grown(name, joined)


def _stays_small(lane: Lane) -> bool:
    """One more trip adds no more than a number that is written in the text."""
    return small(lane) and not lane.grown


def _grows(node: Any, name: str) -> bool:
    """Is the name only ever counted up?"""
    for part in walk(node.body):
        inner: Any = part
        if isinstance(part, gast.AugAssign) and name in assigned_names(part):
            plain = isinstance(inner.value, gast.Constant) and type(inner.value.value) is int
            if not (isinstance(inner.op, gast.Add) and plain and inner.value.value >= 0):
                return False
        elif isinstance(part, (gast.Assign, gast.For)) and name in assigned_names(part):
            return False
    return True


def _spoken_for(nest: Nest, name: str) -> bool:
    """Does the text of another value use the name?"""
    for other, lane in nest.env.items():
        if other == name or not isinstance(lane, Lane):
            continue
        if lane.named == name or (lane.expr is not None and name in free_names(lane.expr)):
            return True
    return name in nest.facts.env


def _joined(node: Any, kind: Kind, lane: Lane) -> Kind:
    """The type of a number that is one or the other."""
    a, b = kind.sample, lane.sample
    if type(a) is type(b):
        return replace(kind, mixed=kind.mixed or lane.mixed)
    x, y = np.asarray(a).dtype, np.asarray(b).dtype
    strong = b if isinstance(b, np.generic) else a
    mixed = not (isinstance(a, np.generic) and isinstance(b, np.generic))
    if x == y:
        return replace(kind, sample=strong, mixed=kind.mixed or lane.mixed or mixed)
    if x.kind == "i" and y.kind == "f" and y.itemsize == 8 and not isinstance(a, np.generic):
        return replace(kind, sample=b, mixed=True)
    if x.kind == "f" and y.kind == "i" and x.itemsize == 8 and isinstance(lane.expr, gast.Constant):
        return replace(kind, mixed=True)
    if x.kind in "if" and y.kind == "c" and not isinstance(a, np.generic):
        return replace(kind, sample=b, mixed=True)
    raise Unsupported(node, f"{x} in some trips, {y} in others")
