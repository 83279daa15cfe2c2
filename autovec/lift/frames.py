"""Lanes that leave a loop one by one: the index of those still running, and what they hold.

k = np.arange(len(x))                 # the lanes still running
while k.size:
    go = np.abs(g * g - x[k]) > tol
    g_out[k[~go]] = g[~go]            # a lane that is done is written out
    keep = np.flatnonzero(go)
    k, g = k[keep], g[keep]           # and dropped from the working set
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.branches import pack
from autovec.lift.nest import Nest, Pack
from autovec.lift.poly import number
from autovec.lift.running import run
from autovec.lift.values import Lane, Turn
from autovec.syntax import quote
from autovec.syntax.build import shape_argument
from autovec.syntax.scope import assigned_names, free_names


@dataclass(eq=False)
class Frame:
    """The lanes of one loop in the text."""

    nest: Nest
    axes: tuple[str, ...]  # of the lanes that enter
    outer: Pack | None
    pack: Pack | None = None  # None where no lane leaves before the others
    outs: dict[str, str] = field(default_factory=dict)  # a full-size array for each result

    @property
    def now(self) -> tuple[str, ...]:
        return (self.pack.axis,) if self.pack is not None else self.axes

    @property
    def indices(self) -> list[str]:
        """The names of the index arrays."""
        assert self.pack is not None
        names: list[Any] = list(self.pack.places.values())
        return [name.id for name in names]


def enter(nest: Nest, node: Any, retiring: bool) -> Frame:
    """The lanes that run here, as a frame of their own where they leave one by one."""
    if nest.masks:
        if not retiring:
            raise Unsupported(node, "a loop under a condition")
        pack(nest, node)
    frame = Frame(nest, nest.axes, nest.pack)
    if not retiring:
        if nest.pack is not None:
            raise Unsupported(node, "a loop under a condition")
        return frame
    if nest.pack is not None:
        turns = nest.pack.axes
        names = [nest.namer.fresh(_word(n)) for n in nest.pack.places.values()]
        start = list(nest.pack.places.values())
    else:
        turns = nest.axes
        plain = [t for t in nest.turns if t.sym in turns]
        if len(plain) != len(turns):
            raise Unsupported(node, "lanes of other loops")
        counts = [count_of(nest, t) for t in plain]
        if len(turns) == 1:
            names = [nest.namer.fresh("k")]
            start = [quote.expr("np.arange(n)", n=counts[0])]
        else:
            names = [nest.namer.fresh(t.name if t.name != "_" else "k") for t in plain]
            start = [quote.expr("np.indices((*n,)).reshape(r, -1)", n=counts, r=len(turns))]
    into = [quote.name(n) for n in names]
    if len(start) == 1 and len(into) > 1:
        nest.out.append(quote.stmt("t = e", t=quote.expr("(*names,)", names=into), e=start[0]))
    else:
        assign(nest, names, start)
    nest.out.append(quote.trailing_comment("the lanes still running"))
    places: dict[str, gast.expr] = dict(zip(turns, into, strict=True))
    nest.pack = frame.pack = packed(nest, "running", turns, places)
    nest.axes = (frame.pack.axis,)
    return frame


def packed(nest: Nest, word: str, turns: tuple[str, ...], places: dict[str, gast.expr]) -> Pack:
    """Lanes by their places in the lifted loops."""
    where: dict[str, gast.expr] = {}
    for turn in nest.turns:
        if turn.sym in places:
            where[turn.sym] = _index(nest, turn, places[turn.sym])
    return Pack(nest.facts.symbols.new(word), turns, places, where)


def count_of(nest: Nest, turn: Turn) -> gast.expr:
    """How many turns a loop has; the text is for those that have one, where that is not certain."""
    symbols = nest.facts.symbols
    count = turn.stop - turn.low
    if turn.step != 1:
        count = symbols.quotient(count + (turn.step - 1), number(turn.step))
    if not symbols.at_least(count, 0):
        nest.needs_turns = True
    return nest.facts.render(count)


def _index(nest: Nest, turn: Turn, place: gast.expr) -> gast.expr:
    """The value of a loop's variable at a place of its turns."""
    if turn.down:
        return quote.expr("a - k", a=nest.facts.render(turn.last), k=place)
    if turn.step != 1:
        place = quote.expr("s * k", s=turn.step, k=place)
    if turn.low.constant == 0:
        return place
    return quote.expr("k + a", k=place, a=nest.facts.render(turn.low))


def _word(place: Any) -> str:
    return str(place.id).rstrip("0123456789_") or "k"


def leave(frame: Frame) -> None:
    """Behind the loop the lanes are those that entered."""
    frame.nest.pack, frame.nest.axes = frame.outer, frame.axes


def assign(nest: Nest, names: list[str], values: list[gast.expr]) -> None:
    """One assignment of several names; those that keep their value are left out."""
    pairs = [
        (n, v) for n, v in zip(names, values, strict=True)
        if not (isinstance(v, gast.Name) and v.id == n)
    ]  # fmt: skip
    if len(pairs) == 1:
        [(name, value)] = pairs
        nest.out.append(_updated(name, value))
    elif pairs:
        left = quote.expr("(*n,)", n=[quote.name(n) for n, _ in pairs])
        right = quote.expr("(*v,)", v=[v for _, v in pairs])
        nest.out.append(quote.stmt("t = e", t=left, e=right))


def _updated(name: str, value: Any) -> gast.stmt:
    """``n += 1`` for ``n = n + 1`` of numbers."""
    counts = (
        isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub))
        and isinstance(value.left, gast.Name) and value.left.id == name
        and isinstance(value.right, gast.Constant) and type(value.right.value) is int
    )  # fmt: skip
    if not counts:
        return quote.stmt("t = e", t=name, e=value)
    template = "t += e" if isinstance(value.op, gast.Add) else "t -= e"
    return quote.stmt(template, t=name, e=value.right)


def make_outs(frame: Frame, results: dict[str, Any]) -> list[gast.stmt]:
    """An array for each name that is read behind the loop; `results` are samples of them."""
    nest = frame.nest
    made: list[gast.stmt] = []
    assert frame.pack is not None
    sizes = [count_of(nest, t) for t in nest.turns if t.sym in frame.pack.axes]
    shape = shape_argument(sizes)
    for name, sample in results.items():
        out = nest.namer.fresh(f"{name}_out")
        frame.outs[name] = out
        text = quote.expr("np.empty(n, *d)", n=shape, d=dtype_text(sample))
        made.append(quote.stmt("t = e", t=out, e=text))
    return made


def dtype_text(sample: Any) -> list[gast.expr]:
    """The dtype argument of a new array; none where NumPy's own default is right."""
    dtype = np.asarray(sample).dtype
    plain = {"f8": [], "i8": ["int"], "b1": ["bool"], "c16": ["complex"]}
    known = plain.get(dtype.str[1:])
    found = [f"np.{dtype.name}"] if known is None else known
    return [quote.path(name) for name in found]


def filled(nest: Nest, size: gast.expr, lane: Lane, sample: Any) -> gast.expr:
    """A number for every lane, as an array."""
    dtype = dtype_text(sample)
    text = nest.text(lane)
    if isinstance(text, gast.Constant) and text.value == 0 and str(text.value)[0] != "-":
        return quote.expr("np.zeros(n, *d)", n=size, d=dtype)
    kind = dtype or [quote.name("float")]
    if lane.dtype == np.asarray(sample).dtype and isinstance(text, gast.Constant):
        kind = []
    return quote.expr("np.full(n, v, *d)", n=size, v=text, d=kind)


def write_out(frame: Frame, env: dict[str, Any], chosen: gast.expr | None) -> None:
    """What the lanes of a mask hold goes into the results; None is all that are left."""
    nest = frame.nest
    if not frame.outs:
        return
    where = [quote.name(n) for n in frame.indices]
    uses = len(where) + sum(bool(env[n].axes) for n in frame.outs)
    if chosen is not None and not isinstance(chosen, gast.Name) and uses > 2:
        done = nest.namer.fresh("done")
        nest.out.append(quote.stmt("t = e", t=done, e=chosen))
        chosen = quote.name(done)
    index = [w if chosen is None else quote.expr("k[m]", k=w, m=chosen) for w in where]
    if len(frame.outs) > 1 and chosen is not None:
        names = [nest.namer.fresh("done" if len(index) == 1 else w.id) for w in where]
        assign(nest, names, index)
        index = [quote.name(n) for n in names]
    into, values = [], []
    for name, out in frame.outs.items():
        lane = nest.here(env[name])
        text = nest.text(lane)
        if lane.axes and chosen is not None:
            text = quote.expr("v[m]", v=text, m=chosen)
        into.append(quote.expr("o[*k]", o=out, k=index))
        values.append(text)
    if len(into) == 1:
        nest.out.append(quote.stmt("t = e", t=into[0], e=values[0]))
        return
    left, right = quote.expr("(*t,)", t=into), quote.expr("(*v,)", v=values)
    nest.out.append(quote.stmt("t = e", t=left, e=right))


def shrink(frame: Frame, kept: gast.expr, live: frozenset[str]) -> None:
    """Only the lanes of a mask go on."""
    nest = frame.nest
    names = list(frame.indices)
    held = {
        lane.named for lane in nest.env.values()
        if isinstance(lane, Lane) and lane.named and lane.axes == frame.now
    }  # fmt: skip
    wanted: set[str] = set()
    for name in live:
        lane = nest.env.get(name)
        if isinstance(lane, Lane) and lane.axes == frame.now:
            wanted |= set(free_names(nest.text(lane))) & held
    names += sorted(wanted - set(names))
    if len(names) > 1:
        keep = nest.namer.fresh("keep")
        nest.out.append(quote.stmt("t = np.flatnonzero(m)", t=keep, m=kept))
        kept = quote.name(keep)
    assign(nest, names, [quote.expr("x[k]", x=n, k=kept) for n in names])


def found_lanes(
    frame: Frame, hit: gast.expr, found: list[Any], live: frozenset[str], settled: Any
) -> None:
    """What the lanes of a hit still do, and what they leave behind."""
    nest, around = frame.nest, frame.pack
    assert around is not None
    indices = [quote.expr("k[m]", k=name, m=hit) for name in frame.indices]
    stores = [s for s in found if not assigned_names(s)]
    if len(frame.outs) + len(stores) > 1:
        names = [nest.namer.fresh("done" if len(indices) == 1 else n) for n in frame.indices]
        assign(nest, names, indices)
        indices = [quote.name(n) for n in names]
    if not frame.outs and not found:
        return
    places: dict[str, gast.expr] = dict(zip(around.axes, indices, strict=True))
    nest.pack = packed(nest, "leaving", around.axes, places)
    nest.axes = (nest.pack.axis,)
    env = dict(nest.env)
    for name in [*free_names(found), *frame.outs]:
        lane = env.get(name)
        if isinstance(lane, Lane) and lane.axes == frame.now:
            env[name] = _of_hit(nest, lane, hit)
    nest.env = env
    guessing, nest.guessing = nest.guessing, True  # no name that the others use is set
    run(nest, found, live)
    nest.guessing = guessing
    for name, out in frame.outs.items():
        settled(name, nest.env.get(name))
        text = nest.text(nest.here(nest.env[name]))
        nest.out.append(quote.stmt("o[*k] = v", o=out, k=indices, v=text))
    nest.pack, nest.axes = around, frame.now


def _of_hit(nest: Nest, lane: Lane, hit: gast.expr) -> Lane:
    assert nest.pack is not None
    if lane.poly is not None:
        return replace(lane, expr=None, axes=nest.written(lane.poly)[1])
    if lane.again is not None and lane.named is None:
        made: Lane = lane.again()
        return made
    text = quote.expr("x[m]", x=nest.text(lane), m=hit)
    return replace(lane, expr=text, axes=(nest.pack.axis,), named=None, factors=None)
