"""Loops inside a lifted loop that stay in the text: each trip is made for all lanes at once.

A ``while``, or a ``for`` that a lane may leave, runs until its last lane has left; a ``for`` over
what is the same in all lanes runs as it is. What one trip hands to the next is an array of lanes,
or a number where all lanes have the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast

from autovec.canonical.loops import leaves, without_continue
from autovec.errors import Unsupported
from autovec.lift.carry import Carrying, Grown, Kind, as_floats
from autovec.lift.expressions import logical, negated, truth
from autovec.lift.frames import Frame, enter, found_lanes, leave, make_outs, shrink, write_out
from autovec.lift.live import live_before
from autovec.lift.nest import Access, Nest
from autovec.lift.poly import symbol
from autovec.lift.row_searches import row_search
from autovec.lift.running import run, statement
from autovec.lift.statements import nested
from autovec.lift.trips import header_of, narrow_trip
from autovec.lift.trying import Saved, trial
from autovec.lift.values import Accumulator, Arr, Carried, Lane
from autovec.syntax import quote
from autovec.syntax.build import all_of, branch, conjuncts
from autovec.syntax.scope import assigned_names, free_names, mutated_names
from autovec.syntax.walking import walk


@statement(gast.While)
def _while(nest: Nest, node: gast.While, live: frozenset[str]) -> None:
    if node.orelse:
        raise Unsupported(node, "a while with else")
    inner_loop(nest, node, live)


@statement(gast.For)
def _for(nest: Nest, node: gast.For, live: frozenset[str]) -> None:
    """One more loop of the nest; else it stays, and each of its trips is made for all lanes."""
    if not node.orelse and not any(leaves(s, gast.Break) for s in node.body):
        try:
            with trial(nest):
                nested(nest, node, live)
            return
        except (Unsupported, Carried) as error:
            refused = error
        try:
            with trial(nest):
                inner_loop(nest, node, live)
            return
        except (Unsupported, Carried):
            raise refused from None
    try:
        with trial(nest):
            row_search(nest, node, live)
    except (Unsupported, Carried):
        inner_loop(nest, node, live)


def inner_loop(nest: Nest, node: Any, live: frozenset[str]) -> None:
    """A loop of a lane's own, for all lanes."""
    assumed: dict[str, Kind] = {}
    for _ in range(12):
        saved = Saved(nest)
        try:
            _Loop(nest, node, live, assumed).run()
            return
        except Grown as found:
            saved.restore()
            assumed[found.name] = found.kind
        except Unsupported:
            if not as_floats(assumed):
                raise
            saved.restore()
    raise Unsupported(node, "a loop whose values change their type")


@dataclass(eq=False)
class _Loop(Carrying):
    """One loop of the text."""

    together_left: bool = False  # a break that all lanes take in the same trip

    def run(self) -> None:
        nest, node = self.nest, self.node
        body = without_continue(node.body)
        self.check(body)
        exits = any(leaves(s, gast.Break) for s in body)
        repeats = isinstance(node, gast.While)
        bound = assigned_names(body)
        tests = conjuncts(node.test) if repeats else []
        entry = frozenset().union(*map(free_names, tests)) if tests else frozenset[str]()
        self.first = first = live_before(body, entry, frozenset(), entry) | entry
        self.carried = [
            n for n in sorted(bound & (first | self.live))
            if not isinstance(nest.env.get(n), Accumulator)
        ]  # fmt: skip
        self.inside = first | frozenset(self.carried)
        header = None
        if not repeats:
            if assigned_names(node.target) & self.live:
                raise Unsupported(node, "the index of an inner loop is read behind it")
            header = header_of(nest, node)
        for name in sorted(mutated_names(body)):
            thing = nest.lookup(name)
            if isinstance(thing, Arr):
                nest.settle(thing.roots)
        self.before()
        retiring = exits or (repeats and not self.together(tests))
        lists = len(nest.lists)
        clock, needs = nest.clock, nest.needs_turns
        frame = enter(nest, node, retiring)
        if retiring:
            results = {n: self.assumed[n].sample for n in self.carried if n in self.live}
            nest.out += make_outs(frame, results)
        self.begin(frame)
        out, nest.out = nest.out, []
        while_parts: list[Any] = []
        if repeats:
            while_parts = self.tests(frame, tests)
        else:
            assert header is not None
            header.bind()
            if retiring:
                nest.out += quote.stmts("if not k.size:\n    break", k=frame.indices[0])
        self.body(frame, body)
        self.hand_over(frame)
        if len(nest.lists) > lists:
            raise Unsupported(node, "append in an inner loop", "its order is that of the turns")
        made, nest.out = nest.out, out
        sums = any(isinstance(nest.env.get(n), Accumulator) for n in bound)
        if retiring and not sums:  # no trip is made without a lane
            nest.needs_turns = needs
        if repeats:
            head = [quote.expr("k.size", k=frame.indices[0])] if retiring else []
            nest.out.append(
                quote.stmt("while t:\n    body", t=all_of([*head, *while_parts]), body=made)
            )
        else:
            assert header is not None
            nest.out.append(
                quote.stmt("for i in x:\n    body", i=header.target, x=header.text, body=made)
            )
        self.finish(frame, bool(while_parts) or not repeats or self.together_left)
        self.apart(clock)

    def check(self, body: list[Any]) -> None:
        for part in walk(body):
            if isinstance(part, gast.Return):
                raise Unsupported(part, "a return in an inner loop")
        for name in sorted(assigned_names(body)):
            held = self.nest.env.get(name)
            if isinstance(held, Accumulator) and held.op not in ("+", "*"):
                raise Unsupported(self.node, f"{name} is carried from turn to turn", "in order")

    def together(self, tests: list[Any]) -> bool:
        """Do all lanes leave in the same trip?"""
        nest = self.nest
        names = frozenset().union(*map(free_names, tests)) if tests else frozenset()
        for name in names:
            lane = nest.lookup(name)
            if isinstance(lane, Lane) and lane.axes:
                return False
            if name in self.assumed and self.assumed[name].axes:
                return False
        return not any(isinstance(n, gast.Subscript) for n in walk(tests))

    # ------------------------------------------------------------- trips

    def tests(self, frame: Frame, tests: list[Any]) -> list[gast.expr]:
        """What all lanes have in common is asked at the head; the rest says who goes on."""
        nest = self.nest
        head: list[gast.expr] = []
        going: Lane | None = None
        for part in tests:
            if isinstance(part, gast.Constant) and part.value in (True, 1):
                continue
            lane = truth(nest, part)
            if not lane.axes:
                if not lane.total:
                    raise Unsupported(part, "a test that may raise")
                head.append(nest.text(lane))
                narrow_trip(nest, part)
                continue
            if going is not None and not lane.total:
                raise Unsupported(part, "and", "its second part may raise where it is not run")
            going = lane if going is None else logical(nest, "a & b", going, lane)
        if going is None and frame.pack is not None and not head:
            return [quote.const(True)] if frame.pack is None else []
        if going is not None:
            go = nest.bind("go", going)
            for name in frame.outs:
                self.settled(name, nest.env.get(name))
            write_out(frame, nest.env, negated(nest, replace(go, named=None)).expr)
            shrink(frame, nest.text(go), self.inside)
        return head

    def body(self, frame: Frame, body: list[Any]) -> None:
        for k, part in enumerate(body):
            rest = live_before(body[k + 1 :], self.inside) | self.inside
            if not leaves(part, gast.Break):
                run(self.nest, [part], rest)
                continue
            if isinstance(part, gast.Break):
                raise Unsupported(part, "a loop that ends in its first trip")
            if not isinstance(part, gast.If) or not isinstance(part.body[-1], gast.Break):
                raise Unsupported(part, "a break deeper in the loop")
            if any(leaves(s, gast.Break) for s in [*part.body[:-1], *part.orelse]):
                raise Unsupported(part, "a loop that ends in several ways")
            self.exit(frame, part, rest)
            if part.orelse:
                self.body(frame, [*part.orelse, *body[k + 1 :]])
                return

    def exit(self, frame: Frame, part: Any, rest: frozenset[str]) -> None:
        """``if test: found; break``."""
        nest = self.nest
        test = truth(nest, part.test)
        found = part.body[:-1]
        if not test.axes:
            if found or frame.pack is None:
                raise Unsupported(part, "a break that is the same in all lanes")
            out, nest.out = nest.out, []
            self.hand_over(frame)
            made, nest.out = [*nest.out, *quote.stmts("break")], out
            nest.out.append(branch(nest.text(test), made))
            self.together_left = True
            return
        hit = nest.bind("hit", test)
        env = nest.env
        found_lanes(frame, nest.text(hit), found, self.live, self.settled)
        nest.env = env
        shrink(frame, negated(nest, replace(hit, named=None)).expr, rest)  # type: ignore[arg-type]

    def finish(self, frame: Frame, some_left: bool) -> None:
        """What the names hold behind the loop."""
        nest = self.nest
        for name in self.unset:
            nest.env.pop(name, None)
        for name in self.start:
            kind, own = self.assumed[name], self.names[name]
            axes = frame.now if kind.axes else ()
            nest.env[name] = Lane(quote.name(own), axes, kind.sample, named=own, mixed=kind.mixed)
        if self.node.orelse:
            if frame.pack is None:
                raise Unsupported(self.node, "else of a loop without break")
            guessing, nest.guessing = nest.guessing, True
            run(nest, self.node.orelse, self.live)
            nest.guessing = guessing
            if assigned_names(self.node.orelse) - set(frame.outs):
                raise Unsupported(self.node, "else of an inner loop")
        if frame.pack is not None and some_left:
            for name in frame.outs:
                self.settled(name, nest.env.get(name))
            write_out(frame, nest.env, None)
        leave(frame)
        if self.unset and frame.pack is None:
            raise Unsupported(self.node, "a name that this loop may not set")
        for name in self.carried:
            kind, own = self.assumed[name], self.names.get(name, name)
            if name not in self.live:
                nest.env.pop(name, None)
            elif frame.pack is None:
                poly = None
                if type(kind.sample) is int and not kind.axes:
                    poly = symbol(nest.facts.symbols.new(name))
                    nest.facts.symbols.text[next(iter(poly.symbols))] = quote.name(own)
                nest.env[name] = Lane(
                    quote.name(own), kind.axes, kind.sample, poly, named=own, mixed=kind.mixed
                )
            else:
                out: Any = quote.name(frame.outs[name])
                axes = frame.axes
                named = frame.outs[name]
                if frame.outer is not None:
                    out = quote.expr("x[*k]", x=out, k=list(frame.outer.places.values()))
                nest.env[name] = Lane(
                    out, axes, kind.sample, named=named if frame.outer is None else None,
                    mixed=kind.mixed,
                )  # fmt: skip

    def apart(self, clock: int) -> None:
        """What the trips store, they touch in a lane's own place only."""
        mine: list[Access] = [a for a in self.nest.accesses if a.at > clock]
        for store in mine:
            if not store.write:
                continue
            own = {s for sub in store.subs if sub is not None for s in sub.symbols}
            if not {t.sym for t in self.nest.turns} <= own or None in store.subs:
                raise Unsupported(store.node, "a store of an inner loop that lanes share")
            for other in mine:
                same = other.arr.key == store.arr.key
                if same and other.subs != store.subs:
                    raise Unsupported(store.node, "a store that another trip reads")
