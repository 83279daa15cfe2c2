"""``where``: both sides run for all lanes, np.where picks; a chain of returns is a nest of picks.

A *tree* is what a stretch of code returns: ``Leaf`` values, ``Pick`` by a test, or ``FALL`` for the
lanes that go on behind it.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autovec.lower.analysis import float_arithmetic
from autovec.lower.arrays import as_stored, over_axes, spread
from autovec.lower.computing import let
from autovec.lower.writer import Writer
from autovec.program.nodes import If, Let, Node, PhiResult, Return
from autovec.program.things import literal
from autovec.program.values import Value
from autovec.syntax import quote


@dataclass(frozen=True, eq=False)
class Leaf:
    """A return's values."""

    values: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Pick:
    """One tree where the test holds, another elsewhere."""

    test: Value
    then: Tree
    orelse: Tree


@dataclass(frozen=True)
class Fall:
    """These lanes go on."""


FALL = Fall()
Tree = Leaf | Pick | Fall


def where(w: Writer, node: If) -> None:
    """A branch without exits, both sides computed for all lanes, merged by np.where."""
    several = len([p for p in node.phis if _two_sided(p)]) != 1
    if several:
        w.named(node.test)
    w.quiet |= float_arithmetic([node])
    w.selecting += 1
    for block in (node.then, node.orelse):
        for inner in block.nodes:
            if isinstance(inner, Let):
                let(w, inner.value)
            elif isinstance(inner, If):
                where(w, inner)
    w.selecting -= 1
    write_phis(w, node, several)


def write_phis(w: Writer, node: If, several: bool) -> None:
    """The merged values of a branch whose sides are computed."""
    for phi in node.phis:
        if not _two_sided(phi):
            source = phi.then if phi.then is not None else phi.orelse
            assert source is not None
            if phi.value.varying and not w.resolve(source).varying:
                w.define(phi.value, spread(w, source, phi.value.fact))
            else:
                w.alias(phi.value, source)
            continue
        assert phi.then is not None and phi.orelse is not None
        test = w.peek(node.test) if several else w.read(node.test)
        w.define(phi.value, pick_expr(w, phi.value, test, phi.then, phi.orelse))
    if several:
        w.consume(node.test)


def one_sided(w: Writer, node: If) -> None:
    """Values of the side that goes on are that side's values themselves."""
    for phi in node.phis:
        source = phi.then if phi.then is not None else phi.orelse
        assert source is not None
        w.alias(phi.value, source)


def _two_sided(phi: PhiResult) -> bool:
    return phi.then is not None and phi.orelse is not None


def pick_expr(w: Writer, value: Value, test: gast.expr, then: Value, orelse: Value) -> gast.expr:
    """``np.where(test, then, orelse)``, simplified where it is the truth value itself."""
    a, b = literal(then), literal(orelse)
    if (a is True and b is False) or (a is False and b is True):
        w.consume(then)
        w.consume(orelse)
        if a is True and isinstance(test, gast.Name):
            w.shared.add(id(value))  # the very array of the test
        return test if a is True else quote.expr("~t", t=test)
    test = over_axes(test, value.fact.rank)
    made = quote.expr("np.where(t, a, b)", t=test, a=w.read(then), b=w.read(orelse))
    return as_stored(made, value.fact, (then, orelse))


def tree_of(w: Writer, nodes: list[Node]) -> Tree | None:
    """What harmless nodes return, their computations written for all lanes."""
    for k, node in enumerate(nodes):
        if isinstance(node, Let):
            let(w, node.value)
        elif isinstance(node, Return):
            return Leaf(node.leaves)
        elif isinstance(node, If):
            if not node.then.exits and not node.orelse.exits:
                where(w, node)
                continue
            w.quiet |= float_arithmetic([node, *nodes[k + 1 :]])
            w.selecting += 1
            merged = any(map(_two_sided, node.phis))
            if merged:
                w.named(node.test)
            then = tree_of(w, node.then.nodes) or FALL
            orelse = tree_of(w, node.orelse.nodes) or FALL
            if merged:
                w.remaining[id(w.resolve(node.test))] += 1  # the pick itself reads it, later
            write_phis(w, node, merged)
            w.selecting -= 1
            rest = tree_of(w, nodes[k + 1 :]) if _falls(then) or _falls(orelse) else None
            if rest is None:
                return Pick(node.test, then, orelse)
            return Pick(node.test, _behind(then, rest), _behind(orelse, rest))
    return None


def _falls(tree: Tree) -> bool:
    if isinstance(tree, Pick):
        return _falls(tree.then) or _falls(tree.orelse)
    return isinstance(tree, Fall)


def _behind(tree: Tree, rest: Tree) -> Tree:
    if isinstance(tree, Pick):
        return Pick(tree.test, _behind(tree.then, rest), _behind(tree.orelse, rest))
    return rest if isinstance(tree, Fall) else tree
