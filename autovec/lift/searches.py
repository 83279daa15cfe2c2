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
from autovec.lift.headers import named_length, open_turn
from autovec.lift.known import known_call
from autovec.lift.live import live_before
from autovec.lift.nest import Nest
from autovec.lift.poly import symbol
from autovec.lift.search_scans import carried_into_test, run_first
from autovec.lift.values import Arr, Fresh, Lane
from autovec.syntax import quote
from autovec.syntax.build import all_of, branch
from autovec.syntax.convert import text_of
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


def without_exit(
    walker: Any, node: Any, live: frozenset[str], written: Any = None, raises: bool = False
) -> list[Any] | None:
    """The statements in place of a loop with one exit; None where there is none.

    `written` is the ``while`` that the loop was; `raises`: without a hit it raises.
    """
    parts = search_of(node)
    if parts is None:
        return None
    if any(isinstance(n, gast.Continue) for n in walk(node.body)):
        raise Unsupported(node, "break and continue in one loop")
    state = walker.state()
    try:
        return _without_exit(walker, node, parts, live, written, raises)
    except Unsupported:
        walker.go_back(state)
        raise


def _without_exit(
    walker: Any, node: Any, parts: Search, live: frozenset[str], written: Any, raises: bool
) -> list[Any]:
    nest, turn, mask = _tested(walker, node, parts)
    names = assigned_names(node.target)
    after = live_before(node.orelse, live) - (names if written is not None else frozenset())
    reads = free_names([*parts.first, *parts.found]) | live
    changed = assigned_names(parts.first) & (live | carried_into_test(*_body(parts)))
    work = bool(parts.rest) or bool(changed)
    needs = bool(names & reads) or work
    made = list(nest.out)
    hit: list[Any] = []
    place = nest.namer.fresh("k") if work else _place(walker, nest, node, turn, live)
    at: Any = quote.name(place)
    if needs:
        hits = nest.namer.fresh("hits")
        walker.taken |= {hits, place}
        made.append(quote.stmt("h = np.flatnonzero(m)", h=hits, m=nest.text(mask)))
        test = quote.expr("h.size", h=hits)
        hit.append(quote.stmt("k = int(h[0])", k=place, h=hits))
    else:
        test = quote.expr("m.any()", m=nest.text(mask))
    if work:
        hit += _up_to(walker, node, parts, turn, place, live)
    if names & reads:
        hit += bindings(walker, node.target, node.iter, at)
    hit += [*parts.first, *parts.found] if needs else parts.found
    miss: list[Any] = []
    if raises:
        miss.append(written)
    elif work:
        whole = updated(node, body=[*parts.first, *parts.rest], orelse=[])
        miss += _lifted(walker, gast.copy_location(whole, node), after)
    elif names & after:
        last = nest.facts.render(turn.stop - 1 - turn.low)
        bound = bindings(walker, node.target, node.iter, last)
        named = isinstance(node.target, gast.Name) and len(bound) == 1
        if named and walker.scope.called(node.iter) is range:
            end = nest.facts.render(turn.low if turn.down else turn.last)
            bound = [quote.stmt("i = e", i=node.target, e=end)]
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
    again = node if written is None else written
    return [branch(all_of(tests), made, [again])] if tests else made


def _body(parts: Search) -> tuple[list[Any], Any, list[Any]]:
    return parts.first, parts.test, parts.rest


def _place(walker: Any, nest: Nest, node: Any, turn: Any, live: frozenset[str]) -> str:
    """The name of the hit's place: that of the loop's index, where it is the same number."""
    target, call = node.target, node.iter
    if walker.scope.called(call) is range:
        zero = len(call.args) == 1 or _is_zero(call.args[0])
        if zero and turn.step == 1 and not turn.down and target.id in live:
            name: str = target.id
            return name
    return nest.namer.fresh("k")


def _is_zero(node: Any) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) is int and node.value == 0


def _lifted(walker: Any, node: Any, live: frozenset[str]) -> list[Any]:
    """The loop, which has to be one that is lifted."""
    before = walker.made.lifted
    made: list[Any] = walker.loop(node, live)
    if walker.made.lifted == before:
        raise Unsupported(node, "what a search does on its way is not lifted")
    return made


def _tested(walker: Any, node: Any, parts: Search) -> tuple[Nest, Any, Lane]:
    """The test for all turns."""
    inner = walker.facts.copy()
    nest = Nest(inner, walker.namer(node, frozenset())(), walker.scope)
    turn, bind = open_turn(nest, node)
    changed = assigned_names([*parts.first, *parts.rest, *parts.found])
    carried = carried_into_test(*_body(parts))
    for name in (changed - carried) | assigned_names(node.target):
        inner.env.pop(name, None)
    nest.out += named_length(nest, turn)
    nest.turns.append(turn)
    nest.axes = (turn.sym,)
    bind()
    test = run_first(nest, turn, *_body(parts))
    if any(a.write for a in nest.accesses):
        raise Unsupported(node, "a store before the test of a search")
    mask = truth(nest, test)
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


def _up_to(
    walker: Any, node: Any, parts: Search, turn: Any, place: str, live: frozenset[str]
) -> list[Any]:
    """What the turns before the hit do."""
    symbols = walker.facts.symbols
    sym = symbols.new(place)
    symbols.low[sym] = turn.low * 0
    symbols.high[sym] = turn.stop - 1 - turn.low
    saved = walker.facts.env.get(place)
    iterable = before_place(walker, node.iter, quote.name(place))
    if turn.step != 1:
        raise Unsupported(node, "a search with more to do, in a loop that strides")
    walker.facts.env[place] = Lane(quote.name(place), (), 1, symbol(sym))
    body = [*parts.first, *parts.rest]
    header = quote.stmt("for i in x:\n    body", i=node.target, x=iterable, body=body)
    kept = walker.facts.copy()
    reads = free_names([*parts.found, *parts.first]) | (frozenset() if parts.returns else live)
    reads = (reads - assigned_names(node.target)) | {place}
    made = _lifted(walker, gast.copy_location(header, node), frozenset(reads))
    walker.facts = kept
    if saved is None:
        walker.facts.env.pop(place, None)
    else:
        walker.facts.env[place] = saved
    return made


def before_place(walker: Any, source: Any, place: Any) -> Any:
    """The iterable of a loop, up to the turn of a number.

    ``range(1, n)`` becomes ``range(1, 1 + k)``, ``zip(x, y)`` becomes ``zip(x[:k], y[:k])``.
    """
    if isinstance(source, gast.Name):
        return quote.expr("x[:k]", x=source, k=place)
    obj = walker.scope.called(source)
    if obj is range:
        args = source.args
        if len(args) == 1 or (len(args) == 2 and _is_zero(args[0])):
            return quote.expr("range(k)", k=place)
        if len(args) == 2:
            return quote.expr("range(a, a + k)", a=args[0], k=place)
        return quote.expr("range(a, a - k, -1)", a=args[0], k=place)
    if obj is enumerate:
        inner = before_place(walker, source.args[0], place)
        return updated(source, args=[inner, *source.args[1:]])
    if obj is zip:
        return updated(source, args=[before_place(walker, a, place) for a in source.args])
    raise Unsupported(source, "a search over this, with more to do")


def bindings(walker: Any, target: Any, source: Any, at: Any) -> list[Any]:
    """What the header of a loop binds in the turn of a number."""
    if isinstance(source, gast.Call):
        obj = walker.scope.find(source.func)
        if obj is range:
            low = source.args[0] if len(source.args) > 1 else quote.const(0)
            step: Any = source.args[2] if len(source.args) > 2 else quote.const(1)
            if isinstance(step, gast.UnaryOp):
                if text_of(step) != "-1":
                    raise Unsupported(source, "a search that descends by more than one")
                back = "i -= k" if text_of(low) == target.id else "i = a - k"
                holes = {} if text_of(low) == target.id else {"a": low}
                return [quote.stmt(back, i=target, k=at, **holes)]
            if text_of(step) != "1":
                at = quote.expr("s * k", s=step, k=at)
            if text_of(low) == target.id:
                return [quote.stmt("i += k", i=target, k=at)]
            value = at if _is_zero(low) else quote.expr("k + a", k=at, a=low)
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
