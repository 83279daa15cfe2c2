"""The state while one loop and those in it are lifted: lanes, masks, conditions, accesses, text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.facts import Facts
from autovec.lift.poly import Poly, number, symbol
from autovec.lift.values import Arr, Fresh, Lane, Row, Turn, none_slots
from autovec.syntax import quote
from autovec.syntax.convert import text_of
from autovec.syntax.names import Namer

#: how names begin that stand for lanes inside of one statement only
MARK = "_value_"


@dataclass(frozen=True, eq=False)
class Access:
    """One place that reads or writes an array: where, for which turns, and when in the text."""

    arr: Arr
    subs: tuple[Poly | None, ...]
    turns: tuple[Turn, ...]
    write: bool
    at: int
    node: Any
    atomic: bool = False  # an update whose order does not matter
    early: bool = False  # it was moved to the start of the loop
    order: int = 0  # which statement of the loop's body it stands in
    fill: Any = None  # the one number that all turns store


@dataclass(eq=False)
class Pack:
    """The lanes that are left where a mask has packed some axes into one."""

    axis: str
    axes: tuple[str, ...]
    places: dict[str, gast.expr]  # of each packed axis: where in it a lane is, from 0
    indices: dict[str, gast.expr]  # and the value of the loop's variable


@dataclass(eq=False)
class Nest:
    """A loop nest while it is lifted."""

    facts: Facts
    namer: Namer
    scope: Any  # what the function's free names are
    turns: list[Turn] = field(default_factory=list)
    axes: tuple[str, ...] = ()
    pack: Pack | None = None
    masks: list[Lane] = field(default_factory=list)
    env: dict[str, Any] = field(default_factory=dict)
    out: list[gast.stmt] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    conditions: list[tuple[str, gast.expr]] = field(default_factory=list)
    proofs: dict[str, Poly | None] = field(default_factory=dict)  # what each has to be natural
    needs_turns: bool = False  # the text is right only if there is a turn
    guessing: bool = False  # both sides of a branch are computed
    strict: bool = False  # Python's math raises where NumPy warns
    risky: bool = False  # the text may raise where its loop does
    clock: int = 0
    hoisted: dict[int, Lane] = field(default_factory=dict)
    lists: dict[str, Any] = field(default_factory=dict)
    indices: list[str] = field(default_factory=list)  # names of packed indices in use
    released: list[str] = field(default_factory=list)
    as_lists: frozenset[str] = frozenset()  # lists that are used as lists
    order: int = 0  # the statement that runs, as the loop's body numbers them
    positions: dict[int, int] = field(default_factory=dict)  # of statements that were moved
    after: dict[int, Callable[[], None]] = field(default_factory=dict)  # what follows a statement
    kept: frozenset[str] = frozenset()  # names whose value before the loop is still read
    naturals: tuple[Poly, ...] = ()  # what is not negative in the packed lanes
    loose: bool = False  # a mixed number may be an integer in some turns and a float in others
    drawn: dict[Any, Lane] = field(default_factory=dict)  # random numbers, by their first draw
    trips: set[str] = field(default_factory=set)  # symbols that a loop in the text changes

    # ---------------------------------------------------------- conditions

    def require(self, poly: Poly) -> None:
        """The lifted text is right only where this is not negative."""
        if self.facts.symbols.at_least(poly, 0):
            return
        value = poly.constant
        if value is not None:
            raise Unsupported(None, "a subscript outside of its array", "it wraps, or raises")
        if poly.symbols & self.trips:
            raise Unsupported(None, "a subscript that may leave its array in a later trip")
        plus = Poly(tuple(t for t in poly.terms if t[1] > 0))
        minus = plus - poly
        facts = self.facts
        if minus.constant == 1:
            made = quote.expr("a > 0", a=facts.render(plus))
        elif plus.constant == 1 or (plus.constant or 0) > 1:
            made = quote.expr("a < b", a=facts.render(minus), b=facts.render(plus + 1))
        else:
            made = quote.expr("a <= b", a=facts.render(minus), b=facts.render(plus))
        self.condition(made, poly)

    def condition(self, made: gast.expr, poly: Poly | None = None) -> None:
        text = text_of(made)
        symbols = self.facts.symbols
        for other, _ in list(self.conditions):
            known = self.proofs[other]
            if known is None or poly is None:
                continue
            if symbols.at_least(poly - known, 0):
                return  # another one says so
            if symbols.at_least(known - poly, 0):
                self.conditions = [c for c in self.conditions if c[0] != other]
        if all(text != other for other, _ in self.conditions):
            self.conditions.append((text, made))
            self.proofs[text] = poly

    def suppose_positive(self, poly: Poly) -> None:
        """The lifted text is right only where this is positive, and what follows relies on it."""
        self.require(poly - 1)
        symbols = self.facts.symbols
        [name, *more] = sorted(poly.symbols)
        if not more and poly == symbol(name):
            symbols.low[name] = number(1)

    def apart(self, a: Arr, b: Arr) -> None:
        """The lifted text is right only where two arrays share no memory."""
        names = sorted([self.name_of(a), self.name_of(b)])
        self.condition(quote.expr("not np.may_share_memory(a, b)", a=names[0], b=names[1]))

    def name_of(self, arr: Arr) -> str:
        for name, thing in self.facts.env.items():
            if isinstance(thing, Arr) and thing.key == arr.key:
                return name
        raise Unsupported(None, "an array that no name holds now")

    # --------------------------------------------------------------- lanes

    def lookup(self, name: str) -> Any:
        if name in self.env:
            return self.env[name]
        return self.facts.env.get(name)

    def aligned(self, lane: Lane, axes: tuple[str, ...]) -> gast.expr:
        """The lane's text, with a place for each of these axes where NumPy needs it."""
        text = self.text(lane)
        if not lane.axes:
            return text
        slots = none_slots(lane.axes, axes)
        return text if slots is None else quote.expr("x[*s]", x=text, s=slots)

    def union(self, lanes: Iterable[Lane]) -> tuple[str, ...]:
        found = {axis for lane in lanes for axis in lane.axes}
        return tuple(axis for axis in self.axes if axis in found)

    def text(self, lane: Lane) -> gast.expr:
        if lane.expr is not None:
            return lane.expr
        assert lane.poly is not None
        return self.written(lane.poly)[0]

    def written(self, poly: Poly) -> tuple[gast.expr, tuple[str, ...]]:
        """An integer of lanes as an expression, and the axes it varies over."""
        inside = {t.sym: t for t in self.turns}
        used = [sym for sym in inside if sym in poly.symbols]
        axes = self.union([Lane(None, (self.axis_of(sym),), 1) for sym in used])
        symbols = self.facts.symbols
        alone = poly if len(used) == 1 and self.pack is None else None
        if alone is not None and (factor := alone.factor(used[0])) is not None:
            turn = inside[used[0]]
            if factor.constant == 1 and not turn.down:
                shift = alone.without(used[0])
                return self.arange(turn.low + shift, turn.stop + shift, turn.step), axes
        old = dict(symbols.text)
        try:
            for sym in used:
                lane = self.index(inside[sym])
                symbols.text[sym] = self.aligned(lane, axes)
            return self.facts.render(poly), axes
        finally:
            symbols.text.clear()
            symbols.text.update(old)

    def axis_of(self, sym: str) -> str:
        return self.pack.axis if self.pack is not None and sym in self.pack.axes else sym

    def index(self, turn: Turn) -> Lane:
        if self.pack is not None and turn.sym in self.pack.axes:
            return Lane(self.pack.indices[turn.sym], (self.pack.axis,), 1)
        expr = self.arange(turn.low, turn.stop, turn.step)
        if turn.down:
            expr = quote.expr("x[::-1]", x=expr)
        return Lane(expr, (turn.sym,), 1)

    def arange(self, low: Poly, stop: Poly, step: int) -> gast.expr:
        a, b = self.facts.render(low), self.facts.render(stop)
        if step != 1:
            return quote.expr("np.arange(a, b, s)", a=a, b=b, s=step)
        if low.constant == 0:
            return quote.expr("np.arange(b)", b=b)
        return quote.expr("np.arange(a, b)", a=a, b=b)

    def here(self, lane: Lane) -> Lane:
        """A lane of outer lanes as it is for the lanes that run now."""
        pack = self.pack
        if pack is None or not set(lane.axes) & set(pack.axes):
            return lane
        if lane.poly is not None:
            return replace(lane, expr=None, axes=self.written(lane.poly)[1])
        if lane.again is not None and lane.named is None:
            made: Lane = lane.again()
            return made
        if not set(lane.axes) <= set(pack.axes):
            raise Unsupported(None, "a value of packed and other lanes")
        places = [pack.places[axis] for axis in lane.axes]
        expr = quote.expr("x[*s]", x=self.text(lane), s=places)
        axes = (pack.axis,)
        return replace(lane, expr=expr, axes=axes, factors=None, named=None, again=None)

    # ---------------------------------------------------------------- text

    def bind(self, wanted: str, lane: Lane) -> Lane:
        """The lane under a name."""
        name = self.namer.fresh(wanted)
        self.out.append(quote.stmt("t = e", t=name, e=self.text(lane)))
        named = Lane(quote.name(name), lane.axes, lane.sample, None, True, frozenset(), None, name)
        return replace(named, poly=lane.poly, span=lane.span, mixed=lane.mixed)

    def settle(self, roots: frozenset[str]) -> None:
        """Before a store: what later text would read from the array again gets a name."""
        for name, thing in list(self.env.items()):
            mark = name.startswith(MARK)  # its text was written when its statement was
            if isinstance(thing, Lane) and thing.reads & roots and not mark:
                self.env[name] = self.frozen(name, thing)
        self.masks = [self.frozen("mask", m) if m.reads & roots else m for m in self.masks]

    def frozen(self, name: str, lane: Lane) -> Lane:
        """A lane that no store changes."""
        if lane.named is None:
            lane = replace(lane, expr=_copied(self.text(lane)))
            return self.bind(name, lane)
        copied = quote.stmt("t = t.copy()", t=lane.named)
        self.out.append(copied)
        return replace(lane, reads=frozenset())

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def needs(self, turn: Turn, least: int) -> None:
        """The lifted text is right only where a loop has some turns (or not less than none)."""
        if self.facts.symbols.at_least(turn.stop - turn.low, least):
            return
        if turn is self.turns[0]:
            self.needs_turns = True
        else:
            self.require(turn.stop - turn.low - least)

    @property
    def outside(self) -> tuple[str, ...]:
        """The axes of all loops around, also those that are packed."""
        return tuple(t.sym for t in self.turns)

    @contextmanager
    def only(self, axes: tuple[str, ...]) -> Iterator[None]:
        """Some of the loops around, without the conditions inside of them."""
        state = self.axes, self.pack, self.masks, self.naturals
        self.axes, self.pack, self.masks, self.naturals = axes, None, [], ()
        yield
        self.axes, self.pack, self.masks, self.naturals = state

    def lanes_now(self) -> bool:
        """Do all turns of the loops around run here?"""
        return self.pack is None and not self.masks

    def array_of(self, name: str, node: Any) -> Arr:
        thing = self.lookup(name)
        if isinstance(thing, Arr):
            return thing
        if isinstance(thing, Row):
            return replace(thing.arr, dims=thing.dims)
        if isinstance(thing, Fresh):
            raise Unsupported(node, f"{name} is a list", "it is read while it grows")
        raise Unsupported(node, f"{name} is no array that is known here")


def _copied(expr: gast.expr) -> gast.expr:
    """The expression; a view is copied."""
    if isinstance(expr, (gast.Subscript, gast.Name, gast.Attribute)):
        return quote.expr("x.copy()", x=expr)
    return expr
