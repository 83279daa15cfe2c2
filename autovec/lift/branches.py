"""Branches: both sides computed and chosen from, or each side for the lanes that take it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import chosen, negated, truth
from autovec.lift.extremes import extreme_pattern, run_extreme
from autovec.lift.naming import name
from autovec.lift.nest import Nest, Pack
from autovec.lift.running import run, statement
from autovec.lift.triangles import corner_indices, mask_of
from autovec.lift.values import Accumulator, Lane
from autovec.syntax import quote
from autovec.syntax.convert import text_of
from autovec.syntax.scope import assigned_names
from autovec.syntax.walking import updated


@statement(gast.If)
def either(nest: Nest, node: gast.If, live: frozenset[str]) -> None:
    found = extreme_pattern(nest, node)
    if found is not None:
        run_extreme(nest, node, found)
        return
    test = truth(nest, node.test)
    if not test.axes:
        raise Unsupported(node, "a test that is the same in all turns", "it stays before the loop")
    if _as_choice(nest, node, live):
        return
    plain = _only_names(node.body) and _only_names(node.orelse) and not _updates(nest, node)
    if plain and _by_where(nest, node, test, live):
        return
    if node.orelse or len(node.body) > 1:
        naturals = test.naturals
        test = test if test.named else nest.bind("mask", test)
        test = replace(test, naturals=naturals)
    _side(nest, node.body, test, live)
    if node.orelse:
        _side(nest, node.orelse, negated(nest, test), live)


def _as_choice(nest: Nest, node: gast.If, live: frozenset[str]) -> bool:
    """One store or append to the same place on every side is that of a choice."""
    made = choice_of(node)
    if made is None:
        return False
    before, length, clock = dict(nest.env), len(nest.out), nest.clock
    masks = list(nest.masks)
    state = nest.strict, nest.risky, nest.needs_turns, list(nest.conditions), nest.pack, nest.axes
    try:
        run(nest, [made], live)
    except Unsupported:
        nest.env, nest.clock, nest.masks = before, clock, masks
        del nest.out[length:]
        nest.accesses = [a for a in nest.accesses if a.at <= clock]
        nest.strict, nest.risky, nest.needs_turns, nest.conditions, nest.pack, nest.axes = state
        return False
    return True


def choice_of(node: gast.If) -> Any:
    """``out.append(a if t else b)`` for two appends, ``x[i] = a if t else b`` for two stores.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(choice_of(quote.stmt("if t:\\n    x[i] += a\\nelse:\\n    x[i] += b")))
    'x[i] += a if t else b'
    """
    sides: list[Any] = []
    for body in (node.body, node.orelse):
        if len(body) != 1:
            return None
        only: Any = body[0]
        sides.append(choice_of(only) if isinstance(only, gast.If) else only)
    first, second = sides
    targets: Any
    if type(first) is not type(second) or first is None:
        return None
    holes = {"t": node.test}
    if isinstance(first, (gast.Assign, gast.AugAssign)):
        if isinstance(first, gast.Assign):
            targets = first.targets, second.targets
            if not isinstance(first.targets[0], gast.Subscript):
                return None
        else:
            targets = [first.target, first.op], [second.target, second.op]
            if not isinstance(first.target, gast.Subscript):
                return None
        if [_key(t) for t in targets[0]] != [_key(t) for t in targets[1]]:
            return None
        value = quote.expr("a if t else b", a=first.value, b=second.value, **holes)
        return updated(first, value=gast.copy_location(value, node))
    if isinstance(first, gast.Expr) and isinstance(first.value, gast.Call):
        one, two = first.value, second.value
        if not isinstance(two, gast.Call) or len(one.args) != 1 or len(two.args) != 1:
            return None
        if not isinstance(one.func, gast.Attribute) or one.func.attr != "append":
            return None
        if one.keywords or two.keywords or _key(one.func) != _key(two.func):
            return None
        value = quote.expr("a if t else b", a=one.args[0], b=two.args[0], **holes)
        return updated(first, value=updated(one, args=[gast.copy_location(value, node)]))
    return None


def _key(node: Any) -> str:
    return type(node).__name__ if isinstance(node, gast.operator) else text_of(node)


def _updates(nest: Nest, node: Any) -> bool:
    return any(isinstance(nest.env.get(n), Accumulator) for n in assigned_names(node))


def _only_names(body: list[Any]) -> bool:
    return all(
        (isinstance(s, gast.Assign) and all(isinstance(t, gast.Name) for t in s.targets))
        or (isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name))
        or (isinstance(s, gast.If) and _only_names(s.body) and _only_names(s.orelse))
        or isinstance(s, gast.Pass)
        for s in body
    )


def _by_where(nest: Nest, node: gast.If, test: Lane, live: frozenset[str]) -> bool:
    """Both sides are computed and chosen from, where that does no harm."""
    before, length, clock = dict(nest.env), len(nest.out), nest.clock
    named = test if test.named else None
    names = sorted((assigned_names(node.body) | assigned_names(node.orelse)) & live)
    if named is None and (len(names) > 1 or any(isinstance(s, gast.If) for s in node.body)):
        test = nest.bind("mask", test)
    sides = []
    guessing, nest.guessing = nest.guessing, True
    try:
        for body in (node.body, node.orelse):
            nest.env = dict(before)
            run(nest, body, live)
            sides.append(nest.env)
        nest.env = dict(before)
        then, orelse = sides
        made = {}
        for wanted in names:
            a, b = then.get(wanted), orelse.get(wanted)
            if a is None or b is None:
                a = nest.lookup(wanted) if a is None else a
                b = nest.lookup(wanted) if b is None else b
            if not isinstance(a, Lane) or not isinstance(b, Lane):
                raise Unsupported(node, f"{wanted} is not set in all turns")
            made[wanted] = a if a is b else chosen(nest, node, test, nest.here(a), nest.here(b))
    except Unsupported:
        nest.env = before
        del nest.out[length:]
        nest.clock = clock
        nest.accesses = [a for a in nest.accesses if a.at <= clock]
        nest.guessing = guessing
        if names:
            raise
        return False
    nest.guessing = guessing
    for wanted, lane in made.items():
        name(nest, wanted, lane, node)
    return True


def _side(nest: Nest, body: list[Any], test: Lane, live: frozenset[str]) -> None:
    """One side of a branch, for the lanes that take it."""
    old = dict(nest.env)
    axes, pack, masks, naturals = nest.axes, nest.pack, list(nest.masks), nest.naturals
    nest.masks = [*masks, test]
    count = len(nest.indices)
    run(nest, body, live)
    nest.released += nest.indices[count:]
    del nest.indices[count:]
    dropped = nest.masks[: len(masks)]
    nest.axes, nest.pack, nest.naturals = axes, pack, naturals
    nest.masks = dropped if len(dropped) == len(masks) else masks
    for wanted in assigned_names(body):
        if isinstance(old.get(wanted), Accumulator):
            continue
        if wanted in live:
            raise Unsupported(body[0], f"{wanted} is set in some turns and used after them")
        nest.env.pop(wanted, None)
        if wanted in old:
            nest.env[wanted] = old[wanted]


def pack(nest: Nest, node: Any) -> None:
    """Go on with the lanes of the masks only, as index arrays."""
    mask = mask_of(nest)
    if mask is None:
        return
    if nest.pack is not None:
        _repack(nest, mask, node)
        return
    inner = [t for t in nest.turns if t.sym in nest.axes]
    if mask.axes != nest.axes or len(inner) != len(nest.axes):
        raise Unsupported(node, "a condition on some of the indices only")
    if any(t.down or t.step != 1 for t in inner):
        raise Unsupported(node, "a condition in a loop that strides or descends")
    places: dict[str, gast.expr] = {}
    names = []
    for turn in inner:
        wanted = turn.name if turn.low.constant == 0 else "k"
        place = _index_name(nest, wanted if wanted not in ("_",) else "k")
        names.append(place)
        places[turn.sym] = quote.name(place)
    triangle = corner_indices(nest, mask)
    if triangle is not None:
        targets = quote.expr("(*names,)", names=[quote.name(n) for n in names])
        nest.out.append(quote.stmt("k = c", k=targets, c=triangle))
    elif len(names) == 1:
        nest.out.append(quote.stmt("k = np.flatnonzero(m)", k=names[0], m=nest.text(mask)))
    else:
        targets = quote.expr("(*names,)", names=[quote.name(n) for n in names])
        nest.out.append(quote.stmt("k = np.nonzero(m)", k=targets, m=nest.text(mask)))
    indices: dict[str, gast.expr] = {}
    for turn in inner:
        index = places[turn.sym]
        if turn.low.constant != 0:
            shifted = _index_name(nest, turn.name)
            low = nest.facts.render(turn.low)
            nest.out.append(quote.stmt("i = k + low", i=shifted, k=index, low=low))
            index = quote.name(shifted)
        indices[turn.sym] = index
    nest.naturals += tuple(q for m in nest.masks for q in m.naturals)
    axis = nest.facts.symbols.new("packed")
    nest.pack = Pack(axis, nest.axes, places, indices)
    nest.axes = (axis,)
    nest.masks = []


def _index_name(nest: Nest, wanted: str) -> str:
    """A name for an index: one that an earlier branch is done with, or a new one."""
    for old in nest.released:
        if old.rstrip("0123456789_") == wanted.rstrip("0123456789_"):
            nest.released.remove(old)
            nest.indices.append(old)
            return old
    new = nest.namer.fresh(wanted)
    nest.indices.append(new)
    return new


def _repack(nest: Nest, mask: Lane, node: Any) -> None:
    """Fewer of the lanes that a branch around has packed."""
    old = nest.pack
    assert old is not None
    if mask.axes != nest.axes or nest.axes != (old.axis,):
        raise Unsupported(node, "a condition on some of the indices only")
    hits = nest.namer.fresh("hit")
    nest.out.append(quote.stmt("h = np.flatnonzero(m)", h=hits, m=nest.text(mask)))
    fewer: dict[str, gast.expr] = {}

    def cut(index: gast.expr) -> gast.expr:
        text = text_of(index)
        if text not in fewer:
            wanted = index.id if isinstance(index, gast.Name) else "k"
            fewer[text] = quote.name(nest.namer.fresh(wanted))
            nest.out.append(quote.stmt("t = i[h]", t=fewer[text], i=index, h=hits))
        return fewer[text]

    places = {sym: cut(index) for sym, index in old.places.items()}
    indices = {sym: cut(index) for sym, index in old.indices.items()}
    places[old.axis] = quote.name(hits)
    for turn in nest.turns:
        if turn.sym == old.axis:  # rows of different lengths
            indices[turn.sym] = quote.name(nest.namer.fresh(turn.name))
            low = nest.facts.render(turn.low)
            shifted = quote.stmt("k = h + a", k=indices[turn.sym], h=hits, a=low)
            nest.out.append(shifted)
    nest.naturals += tuple(q for m in nest.masks for q in m.naturals)
    axis = nest.facts.symbols.new("packed")
    nest.pack = Pack(axis, (*old.axes, old.axis), places, indices)
    nest.axes = (axis,)
    nest.masks = []
