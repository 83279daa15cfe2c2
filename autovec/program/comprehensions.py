"""Comprehensions over sequences of fixed length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.binding import store
from autovec.program.build import Builder, expression
from autovec.program.iteration import iterated
from autovec.program.tables import SMALL
from autovec.program.things import Map, Once, Seq, Thing, literal
from autovec.program.truth import condition, harmless_node
from autovec.program.values import Const
from autovec.syntax.visit import assigned_names


@expression(gast.ListComp, gast.GeneratorExp)
def comprehension(b: Builder, node: gast.ListComp | gast.GeneratorExp) -> Thing:
    """A list, or an iterator, of fixed length."""
    items: list[Thing] = []
    each(b, node.generators, 0, lambda: items.append(b.expr(node.elt)), node)
    return Once(tuple(items)) if isinstance(node, gast.GeneratorExp) else Seq(tuple(items), list)


@expression(gast.DictComp)
def dict_comprehension(b: Builder, node: gast.DictComp) -> Thing:
    """A dict whose keys are known."""
    items: dict[Any, Thing] = {}

    def act() -> None:
        key = literal(b.expr(node.key))
        if not isinstance(key, (str, int, float, bool, complex)):
            what = "a dict key that is not a literal"
            raise Unsupported(node.key, what, "the keys have to be the same on every lane")
        items[key] = b.expr(node.value)

    each(b, node.generators, 0, act, node)
    return Map(items)


def each(
    b: Builder,
    generators: list[gast.comprehension],
    k: int,
    act: Callable[[], None],
    node: gast.AST,
    guard: bool = False,
) -> None:
    """Run for every item of nested generators, unrolled.

    Conditions have to be known; with ``guard`` it runs for the lanes whose condition holds, and
    what it leaves in names of our own stays.
    """
    if k == len(generators):
        act()
        return
    generator = generators[k]
    it = iterated(b, generator.iter, harmless_node if guard else None)
    if it.items is None or len(it.items) > SMALL:
        raise Unsupported(
            generator.iter, "a comprehension over these items", "their number is not known"
        )
    before = b.env
    b.env = dict(before)
    own = assigned_names(generator.target)  # what the comprehension defines sees the last of them
    b.unrolling += 1
    for item in it.items:
        store(b, generator.target, item)
        where(b, generator.ifs, lambda: each(b, generators, k + 1, act, node, guard), guard)
    b.unrolling -= 1
    b.env = outside(before, b.env, own)


def outside(before: dict[str, Thing], after: dict[str, Thing], own: set[str]) -> dict[str, Thing]:
    """What names stand for after a comprehension: its ``own`` mean again what they meant before."""
    kept = {n: t for n, t in before.items() if n in own}
    return {**kept, **{n: t for n, t in after.items() if n not in own}}


def where(b: Builder, conditions: list[gast.expr], act: Callable[[], None], guard: bool) -> None:
    """Run where all conditions of a comprehension hold, each asked where those before it do."""
    if not conditions:
        act()
        return
    test = condition(b, conditions[0])
    if not isinstance(test.op, Const) and not guard:
        raise Unsupported(
            conditions[0],
            "a condition in a comprehension",
            "its length would differ between lanes",
        )
    b.branch(test, lambda: where(b, conditions[1:], act, guard), lambda: None, conditions[0])
