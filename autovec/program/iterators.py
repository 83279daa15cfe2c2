"""``itertools`` over fixed sequences: written out, or a loop over the call as it was written."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.calls import call_with, special
from autovec.program.iteration import looped_over, sequence_items
from autovec.program.lists import changes_nothing
from autovec.program.operators import binary
from autovec.program.things import Known, Once, Seq, Thing, literal, map_leaves
from autovec.program.values import Item, Value

#: more items than this are not written out
_MOST = 256
Rows = Iterable[tuple[Thing, ...]]


def _keyword(b: Builder, node: gast.Call, name: str) -> Thing | None:
    found = (k.value for k in node.keywords if k.arg == name)
    return next((b.expr(changes_nothing(b, e)) for e in found), None)


def _count(b: Builder, node: gast.Call, place: int, name: str, default: int) -> int:
    """A number of items, which has to be a literal."""
    if len(node.args) > place:
        given: Thing | None = b.expr(changes_nothing(b, node.args[place]))
    else:
        given = _keyword(b, node, name)
    found = default if given is None else literal(given)
    if not isinstance(found, int):
        raise Unsupported(node, f"a number of items that is no literal ({name})", "")
    return found


def made(rows: Rows, node: gast.Call) -> Once:
    """An iterator over tuples."""
    found = list(itertools.islice(rows, _MOST + 1))
    if len(found) > _MOST:
        raise Unsupported(node, f"more than {_MOST} items", "they are not written out")
    return Once(tuple(Seq(row) for row in found))


def copies(b: Builder, thing: Thing, count: int) -> tuple[Thing, ...]:
    """What a loop's target sees of a sequence, once for each place in a tuple."""
    return tuple(
        map_leaves(thing, lambda v: Value(Item(), (), v.fact, None, b.line)) for _ in range(count)
    )


@special(itertools.product, keywords="repeat")
def product(b: Builder, node: gast.Call, function: Any) -> Thing:
    """Every choice of one item of each."""
    repeat = _count(b, node, len(node.args), "repeat", 1)
    rows = [sequence_items(b, a) for a in node.args] * repeat
    return made(itertools.product(*rows), node)


@looped_over(itertools.product)
def product_loop(b: Builder, node: gast.Call, targets: tuple[Thing, ...]) -> Thing:
    """What a loop over a product sees."""
    repeat = _count(b, node, len(node.args), "repeat", 1)
    return Seq(tuple(t for _ in range(repeat) for target in targets for t in copies(b, target, 1)))


@special(itertools.combinations, least=2, most=2)
@special(itertools.combinations_with_replacement, least=2, most=2)
@special(itertools.permutations, least=1, most=2)
def choices(b: Builder, node: gast.Call, function: Any) -> Thing:
    """Every choice of some items."""
    items = sequence_items(b, node.args[0])
    return made(function(items, _count(b, node, 1, "r", len(items))), node)


@looped_over(itertools.combinations, itertools.combinations_with_replacement)
def choices_loop(b: Builder, node: gast.Call, targets: tuple[Thing, ...]) -> Thing:
    """What a loop over combinations sees."""
    return Seq(copies(b, targets[0], _count(b, node, 1, "r", 0)))


@special(itertools.pairwise, least=1, most=1)
def pairwise(b: Builder, node: gast.Call, function: Any) -> Thing:
    """Each item with the next."""
    return made(itertools.pairwise(sequence_items(b, node.args[0])), node)


@looped_over(itertools.pairwise)
def pairwise_loop(b: Builder, node: gast.Call, targets: tuple[Thing, ...]) -> Thing:
    """What a loop over neighbours sees."""
    return Seq(copies(b, targets[0], 2))


@special(itertools.chain)
def chain(b: Builder, node: gast.Call, function: Any) -> Thing:
    """One sequence behind another."""
    return Once(tuple(item for a in node.args for item in sequence_items(b, a)))


@special(itertools.islice, least=2, most=4)
def islice(b: Builder, node: gast.Call, function: Any) -> Thing:
    """Some items of a sequence, by literal bounds."""
    bounds: list[int | None] = []
    for a in node.args[1:]:
        thing = b.expr(changes_nothing(b, a))
        found = None if isinstance(thing, Known) and thing.obj is None else literal(thing)
        if found is not None and (not isinstance(found, int) or found < 0):
            raise Unsupported(node, "islice with bounds that are no literals", "")
        bounds.append(found)
    return Once(tuple(sequence_items(b, node.args[0])[slice(*bounds)]))


@special(itertools.repeat, least=2, most=2)
def repeat(b: Builder, node: gast.Call, function: Any) -> Thing:
    """One thing several times."""
    thing, count = b.expr(node.args[0]), _count(b, node, 1, "times", 0)
    if count > _MOST:
        raise Unsupported(node, f"more than {_MOST} items", "they are not written out")
    return Once((thing,) * count)


@special(itertools.zip_longest, keywords="fillvalue")
def zip_longest(b: Builder, node: gast.Call, function: Any) -> Thing:
    """The items of several sequences, what a short one lacks filled."""
    rows = [sequence_items(b, a) for a in node.args]
    filler = _keyword(b, node, "fillvalue") or Known(None)
    return made(itertools.zip_longest(*rows, fillvalue=filler), node)


@special(itertools.starmap, least=2, most=2)
def starmap(b: Builder, node: gast.Call, function: Any) -> Thing:
    """A function of each item's parts."""
    target, results = b.expr(node.args[0]), []
    for row in sequence_items(b, node.args[1]):
        if not isinstance(row, Seq):
            raise Unsupported(node, "starmap over these items", "they are no tuples")
        results.append(call_with(b, target, list(row.items), {}, node))
    return Once(tuple(results))


@special(itertools.accumulate, least=1, most=2, keywords="func initial")
def accumulate(b: Builder, node: gast.Call, function: Any) -> Thing:
    """The sums, or what a function makes, of ever more items."""
    target = b.expr(node.args[1]) if len(node.args) > 1 else _keyword(b, node, "func")
    initial = _keyword(b, node, "initial")
    plain = target is None or (isinstance(target, Known) and target.obj is None)

    def step(x: Thing, y: Thing) -> Thing:
        if plain or target is None:
            return binary(b, "+", b.as_value(x, node), b.as_value(y, node), node)
        return call_with(b, target, [x, y], {}, node)

    none = initial is None or (isinstance(initial, Known) and initial.obj is None)
    items = sequence_items(b, node.args[0])
    start = [] if none or initial is None else [initial]
    return Once(tuple(itertools.accumulate([*start, *items], step)))
