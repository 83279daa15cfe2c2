"""Loops that end at the first hit: the test is made for all turns, then the hit's turn runs alone.

A loop ``for ...: first; if test: found; break; rest`` becomes: where is the first hit; the rest, as
a loop of its own up to there; and the hit's turn as it is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from autovec.canonical.loops import leaves
from autovec.errors import Unsupported
from autovec.lift.expressions import truth
from autovec.lift.headers import open_turn
from autovec.lift.known import known_call
from autovec.lift.nest import Nest
from autovec.lift.poly import symbol
from autovec.lift.running import run
from autovec.lift.values import Arr, Fresh, Lane
from autovec.syntax import quote
from autovec.syntax.build import all_of, branch
from autovec.syntax.scope import assigned_names, free_names, mutated_names
from autovec.syntax.walking import updated, walk


@dataclass(frozen=True, eq=False)
class Search:
    """The parts of a loop that ends at its first hit."""

    first: list[Any]
    test: Any
    found: list[Any]
    rest: list[Any]
    returns: bool


def search_of(node: Any) -> Search | None:
    """The parts, where one ``if`` of the body's own level ends the loop; None where nothing does.

    >>> loop = quote.stmt("for v in x:\\n    if v > t:\\n        k = v\\n        break")
    >>> [len(part) for part in (search_of(loop).first, search_of(loop).found, search_of(loop).rest)]
    [0, 1, 0]
    """
    ends = [k for k, s in enumerate(node.body) if _ends(s)]
    if not ends:
        return None
    at = ends[0]
    only: Any = node.body[at]
    plain = (
        len(ends) == 1 and isinstance(only, gast.If) and not only.orelse
        and isinstance(only.body[-1], (gast.Break, gast.Return))
        and not any(_ends(s) for s in only.body[:-1])
    )  # fmt: skip
    if not plain:
        raise Unsupported(only, "a loop that ends in several ways")
    returns = isinstance(only.body[-1], gast.Return)
    found = only.body if returns else only.body[:-1]
    return Search(node.body[:at], only.test, found, node.body[at + 1 :], returns)


def _ends(node: Any) -> bool:
    return leaves(node, gast.Break) or any(isinstance(n, gast.Return) for n in walk([node]))


def without_exit(walker: Any, node: Any, live: frozenset[str]) -> list[Any] | None:
    """The statements in place of a loop with one exit; None where there is none."""
    parts = search_of(node)
    if parts is None:
        return None
    if any(isinstance(n, gast.Continue) for n in walk(node.body)):
        raise Unsupported(node, "break and continue in one loop")
    nest, turn, mask = _tested(walker, node, parts)
    if assigned_names(parts.first) & live:
        raise Unsupported(node, "a value that the search leaves behind")
    names = assigned_names(node.target)
    reads = free_names([*parts.first, *parts.found]) | live
    needs = bool(names & reads) or bool(parts.rest)
    if parts.rest and not _counts(walker, node):
        raise Unsupported(node, "a search with more to do, over what is no range")
    place = nest.namer.fresh("k")
    walker.taken.add(place)
    at: Any = quote.name(place)
    hit: list[Any] = []
    made = list(nest.out)
    if needs:
        hits = nest.namer.fresh("hits")
        walker.taken.add(hits)
        made.append(quote.stmt("h = np.flatnonzero(m)", h=hits, m=nest.text(mask)))
        test = quote.expr("h.size", h=hits)
        hit.append(quote.stmt("k = int(h[0])", k=place, h=hits))
    else:
        test = quote.expr("m.any()", m=nest.text(mask))
    if parts.rest:
        hit += _up_to(walker, node, parts, turn, place, nest)
    if names & reads:
        hit += bindings(walker, node.target, node.iter, at)
    hit += [*parts.first, *parts.found] if needs else parts.found
    miss: list[Any] = []
    if parts.rest:
        whole = updated(node, body=[*parts.first, *parts.rest], orelse=[])
        miss += walker.loop(gast.copy_location(whole, node), live)
    elif names & live:
        if turn.down:
            raise Unsupported(node, "the index of a search that descends is read after it")
        last = nest.facts.render(turn.stop - 1 - turn.low)
        bound = bindings(walker, node.target, node.iter, last)
        some = quote.expr("a < b", a=nest.facts.render(turn.low), b=nest.facts.render(turn.stop))
        miss.append(branch(some, bound))
    miss += node.orelse
    if parts.returns and not node.orelse:
        made += [branch(test, hit), *miss]
    else:
        made.append(branch(test, hit, miss))
    tests = [made_test for _, made_test in nest.conditions]
    if nest.needs_turns:
        low, stop = nest.facts.render(turn.low), nest.facts.render(turn.stop)
        tests.insert(0, quote.expr("a < b", a=low, b=stop))
    walker.made.strict |= nest.strict
    walker.made.risky |= nest.risky or nest.strict
    walker.made.lifted += 1
    return [branch(all_of(tests), made, [node])] if tests else made


def _tested(walker: Any, node: Any, parts: Search) -> tuple[Nest, Any, Lane]:
    """The test for all turns."""
    inner = walker.facts.copy()
    nest = Nest(inner, walker.namer(node, frozenset())(), walker.scope)
    turn, bind = open_turn(nest, node)
    if turn.down or turn.step != 1:
        raise Unsupported(node, "a search in a loop that strides or descends")
    changed = assigned_names([*parts.first, *parts.rest, *parts.found])
    for name in changed | assigned_names(node.target):
        inner.env.pop(name, None)
    nest.turns.append(turn)
    nest.axes = (turn.sym,)
    bind()
    run(nest, parts.first, frozenset(free_names(parts.test)))
    if any(a.write for a in nest.accesses):
        raise Unsupported(node, "a store before the test of a search")
    mask = truth(nest, parts.test)
    if not mask.axes:
        raise Unsupported(parts.test, "a test that is the same in all turns")
    _harmless(walker, parts.rest)
    stored = mutated_names(parts.rest)
    for name in sorted(stored):
        thing = walker.facts.env.get(name)
        if isinstance(thing, Fresh):
            continue
        if not isinstance(thing, Arr):
            raise Unsupported(node, f"a store into {name} in a search", "it is no known array")
        for access in nest.accesses:
            if thing.key == access.arr.key or thing.roots & access.arr.roots:
                raise Unsupported(node, "a search in what the loop changes")
            nest.apart(thing, access.arr)
    return nest, turn, mask


def _harmless(walker: Any, rest: list[Any]) -> None:
    """What a search has to do beside its test changes nothing but its names and known arrays."""
    part: Any
    for part in walk(rest):
        node = part
        if isinstance(node, gast.Call):
            obj: Any = walker.scope.find(node.func)
            append = isinstance(node.func, gast.Attribute) and node.func.attr == "append"
            if not append and known_call(obj) is None and obj not in (len, min, max, float, int):
                raise Unsupported(node, "a call in a search", "it may change what is searched")
        updates = isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)
        if updates and isinstance(walker.facts.env.get(node.target.id), Arr):
            raise Unsupported(node, "a change of a whole array in a search")


def _counts(walker: Any, node: Any) -> bool:
    call = node.iter
    return (
        isinstance(call, gast.Call) and walker.scope.find(call.func) is range
        and len(call.args) <= 2 and isinstance(node.target, gast.Name)
    )  # fmt: skip


def _up_to(walker: Any, node: Any, parts: Search, turn: Any, place: str, nest: Nest) -> list[Any]:
    """The rest of the body for the turns before the hit."""
    args = node.iter.args
    low = args[0] if len(args) == 2 else quote.const(0)
    symbols = walker.facts.symbols
    sym = symbols.new(place)
    symbols.low[sym] = turn.low * 0
    symbols.high[sym] = turn.stop - 1 - turn.low
    saved = walker.facts.env.get(place)
    walker.facts.env[place] = Lane(quote.name(place), (), 1, symbol(sym))
    stop = quote.name(place) if turn.low.constant == 0 else quote.expr("a + k", a=low, k=place)
    header = quote.stmt(
        "for i in range(a, b):\n    body", i=node.target.id, a=low, b=stop,
        body=[*parts.first, *parts.rest],
    )  # fmt: skip
    kept = walker.facts.copy()
    made: list[Any] = walker.loop(
        gast.copy_location(header, node), frozenset(free_names(parts.found))
    )
    walker.facts = kept
    if saved is None:
        walker.facts.env.pop(place, None)
    return made


def bindings(walker: Any, target: Any, source: Any, at: Any) -> list[Any]:
    """What the header of a loop binds in the turn of a number."""
    if isinstance(source, gast.Call):
        obj = walker.scope.find(source.func)
        if obj is range:
            low = source.args[0] if len(source.args) > 1 else None
            zero = low is None or (isinstance(low, gast.Constant) and low.value == 0)
            value = at if zero else quote.expr("k + a", k=at, a=low)
            if isinstance(value, gast.Name) and value.id == target.id:
                return []
            return [quote.stmt("i = k", i=target, k=value)]
        if obj is enumerate:
            index, item = target.elts
            start = at if len(source.args) == 1 else quote.expr("k + a", k=at, a=source.args[1])
            inner = bindings(walker, item, source.args[0], at)
            return [quote.stmt("i = k", i=index, k=start), *inner]
        if obj is zip:
            parts = zip(target.elts, source.args, strict=True)
            return [s for t, part in parts for s in bindings(walker, t, part, at)]
        raise Unsupported(source, "a search over this")
    if isinstance(target, gast.Name) and isinstance(source, gast.Name):
        return [quote.stmt("v = x[k]", v=target, x=source, k=at)]
    raise Unsupported(source, "a search over this")
