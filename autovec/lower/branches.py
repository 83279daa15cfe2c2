"""Branches: ``if`` where all lanes agree, ``np.where`` where harmless and cheap, else packed.

See selections.py for ``np.where`` and packing.py for packed frames.
"""

from __future__ import annotations

from functools import partial

import gast

from autovec.lower import masked, packing, selections
from autovec.lower.analysis import (
    MAX_REST,
    harmless,
    nodes_cost,
    only_raises,
    read_inside,
    selectable,
    stores,
)
from autovec.lower.arrays import cast, scalar, spread
from autovec.lower.buffers import Buffer
from autovec.lower.computing import let
from autovec.lower.errors import lower_guard
from autovec.lower.explaining import note, why_packed
from autovec.lower.lowering import Done, lower_nodes, lowering
from autovec.lower.naming import clean
from autovec.lower.outs import make_outs
from autovec.lower.results import return_outs, return_tree
from autovec.lower.selections import one_sided
from autovec.lower.writer import Writer
from autovec.program.facts import storage
from autovec.program.nodes import Block, If, Let, Loop, Node, PhiResult, Raise, returns
from autovec.program.values import Operation
from autovec.syntax import quote
from autovec.syntax.build import branch


@lowering(If)
def lower_if(w: Writer, node: If, rest: list[Node], done: Done | None) -> bool:
    """Write a branch; True when it took the rest of its block along."""
    if not node.test.varying:
        note(w, node.line, "stays a Python if", "all lanes agree on the test")
        return uniform_if(w, node, rest, done)
    for side, other, negate in ((node.then, node.orelse, False), (node.orelse, node.then, True)):
        if only_raises(side):
            note(w, node.line, "a check: the first lane where it holds raises", "the others go on")
            raise_first(w, node, side, negate)
            one_sided(w, node)
            lower_nodes(w, [*other.nodes, *rest], done)
            return True
    exits = node.then.exits or node.orelse.exits
    if not exits and node.then.falls and node.orelse.falls:
        if selectable(node):
            note(w, node.line, "np.where", "both sides are cheap, and defined for every lane")
            selections.where(w, node)
        elif not masked.masked(w, node):
            note(w, node.line, "each side for its own lanes, as index arrays", why_packed(node))
            packing.pack(w, node)
        return False
    returns = not Block([node, *rest]).falls
    if returns and selectable(node) and harmless(rest) and nodes_cost(rest) <= MAX_REST:
        note(w, node.line, "np.where", "all ways out are cheap, and defined for every lane")
        tree = selections.tree_of(w, [node, *rest])
        assert tree is not None
        return_tree(w, tree)
        if w.frame.looping:
            w.loop_exits[-1].drop()
        return True
    why = why_packed(node, rest)
    note(w, node.line, "lanes that leave are written out, the others go on", why)
    packing.pack_exits(w, node, rest, done)
    return True


def raise_first(w: Writer, node: If, side: Block, negate: bool) -> None:
    """A side that only raises is a check on the lanes of its test."""
    error = side.nodes[-1]
    assert isinstance(error, Raise)
    lower_guard(w, node.test, negate, error, [n for n in side.nodes[:-1] if isinstance(n, Let)])


def uniform_if(w: Writer, node: If, rest: list[Node], done: Done | None) -> bool:
    """A test on which all lanes agree stays ``if``; what follows an exit goes to the other side."""
    if conditional(w, node):
        return False
    test = w.read(node.test)
    joins = node.then.falls and node.orelse.falls and not node.then.exits and not node.orelse.exits
    if not joins and node.then.falls and node.orelse.falls:
        breaks = w.loop_depth > w.frame.loop_depth and not (
            returns(node.then) or returns(node.orelse)
        )  # of a loop that is in this frame as a whole
        plain = (w.frame.root or breaks) and agreed(node.then) and agreed(node.orelse)
        if not plain and not w.frame.looping:  # a loop's lanes shrink in place
            return partly_uniform(w, node, test, rest, done)
        joins = True  # the returns and breaks inside are Python's own
    names = {}
    if joins:
        own = own_name(w, node)
        names = {id(p.value): own or w.take_later(p.value) for p in node.phis}
    sides = []
    counts = dict(w.holder)
    for block, attr in ((node.then, "then"), (node.orelse, "orelse")):
        with w.collect() as statements:
            if joins:
                lower_nodes(w, block.nodes, partial(assign_phis, w, node, attr, names))
            elif block.falls:
                one_sided(w, node)
                lower_nodes(w, [*block.nodes, *rest], done)
            else:
                lower_nodes(w, block.nodes)
        sides.append(statements)
        w.merge(counts)
    for phi in node.phis if joins else ():
        w.hold(phi.value, names[id(phi.value)])
        w.shared.add(id(phi.value))
    if sides[1] and not sides[0]:
        test, sides = opposite(test), [sides[1], []]
    w.emit(branch(test, *sides))
    return not joins


def own_name(w: Writer, node: If) -> str | None:
    """The name of what one side leaves as it is, if nothing else reads that: it stays in it."""
    if len(node.phis) != 1 or w.frame.looping:
        return None
    (phi,) = node.phis
    for side in (phi.then, phi.orelse):
        value = None if side is None else w.resolve(side)
        name = None if value is None else w.names.get(id(value))
        if value is None or name is None or name != clean(phi.value.origin):
            continue
        reads = sum(w.resolve(v) is value for v in read_inside([node]))
        same = value.varying == phi.value.varying
        same = same and storage(value.fact) == storage(phi.value.fact)
        free = w.holder.get(name) is value and not w.locked[name] and w.unread(name)
        here = w.home.get(id(value)) is w.frame or not value.varying
        if same and free and here and w.remaining[id(value)] == reads:
            w.locked[name] += 1
            return name
    return None


def opposite(test: gast.expr) -> gast.expr:
    """The test that holds where this one does not; the order of floats is never inverted."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    if isinstance(test, gast.Compare) and len(test.ops) == 1:
        signs = {gast.Eq: "!=", gast.NotEq: "==", gast.Is: "is not", gast.IsNot: "is"}
        sign = signs.get(type(test.ops[0]))
        if sign is not None:
            return quote.expr(f"a {sign} b", a=test.left, b=test.comparators[0])
    return quote.expr("not t", t=test)


def agreed(block: Block) -> bool:
    """Do all lanes agree on every return inside?"""
    for node in block.nodes:
        inside = isinstance(node, Loop) and returns(node.body)
        if isinstance(node, Loop) and inside and (node.retires or not agreed(node.body)):
            return False
        if not isinstance(node, If) or not (node.then.exits or node.orelse.exits):
            continue
        if node.test.varying or not (agreed(node.then) and agreed(node.orelse)):
            return False
    return True


def conditional(w: Writer, node: If) -> bool:
    """A uniform branch that only picks one value is a conditional expression."""
    if len(node.phis) != 1 or not (node.then.falls and node.orelse.falls):
        return False
    if stores(node.then) or stores(node.orelse):  # statements
        return False
    phi = node.phis[0]
    for block, value in ((node.then, phi.then), (node.orelse, phi.orelse)):
        if value is None or any(not isinstance(n, Let) for n in block.nodes):
            return False
        fits = value.varying and storage(value.fact) == storage(phi.value.fact)
        if phi.value.varying and not fits:
            return False
        computed = [n.value for n in block.nodes if isinstance(n, Let)]
        if any(v is not value or w.remaining[id(v)] != 1 for v in computed):
            return False
        op = value.op
        if isinstance(op, Operation) and (op.ignore or (block.nodes and op.note)):
            return False
    test = w.read(node.test)
    sides = []
    w.selecting += 1
    for block, value in ((node.then, phi.then), (node.orelse, phi.orelse)):
        assert value is not None
        for inner in block.nodes:
            assert isinstance(inner, Let)
            let(w, inner.value)
        sides.append(scalar(w, value, phi.value.fact))
    w.selecting -= 1
    w.define(phi.value, quote.expr("a if t else b", t=test, a=sides[0], b=sides[1]))
    w.shared.add(id(phi.value))
    return True


def partly_uniform(
    w: Writer, node: If, test: gast.expr, rest: list[Node], done: Done | None
) -> bool:
    """All lanes take one side, but some return from inside it: the rest is for the others."""
    make_outs(w)
    w.flush()
    buffers = [Buffer(w, p, None) for p in node.phis if p.value.varying]
    names = {id(p.value): w.take_later(p.value) for p in node.phis if not p.value.varying}
    live = w.fresh("live")
    w.emit(quote.stmt("live = np.ones(size, bool)", live=live, size=w.whole_size()))
    w.live_masks.append(live)
    sides = []
    counts = dict(w.holder)
    for block, attr in ((node.then, "then"), (node.orelse, "orelse")):
        with w.collect() as statements:
            lower_nodes(w, block.nodes, _assigner(w, node, attr, names, buffers))
        sides.append(statements)
        w.merge(counts)
    w.live_masks.pop()
    w.emit(branch(test, *sides))
    for phi in node.phis:
        if id(phi.value) in names:
            w.hold(phi.value, names[id(phi.value)])
    for buffer in buffers:
        buffer.settle()
    packing.pack_left(w, live, rest, done, guard=bool(names))  # which some side may not assign
    if w.frame.root and not w.live_masks:
        return_outs(w)
    return True


def _assigner(w: Writer, node: If, attr: str, names: dict[int, str], buffers: list[Buffer]) -> Done:
    """What hands on one side's values, for the lanes that reach its end."""

    def assign() -> None:
        for phi in node.phis:
            if id(phi.value) in names:
                assign_phi(w, phi, attr, names[id(phi.value)])
        for buffer in buffers:
            if buffer.stores(attr):
                buffer.store(attr)

    return assign


def assign_phis(w: Writer, node: If, attr: str, names: dict[int, str]) -> None:
    """One side's values of the names that the branch assigns."""
    for phi in node.phis:
        assign_phi(w, phi, attr, names[id(phi.value)])


def assign_phi(w: Writer, phi: PhiResult, attr: str, name: str) -> None:
    """One side's value of a name, with the lanes and dtype of the join."""
    value = phi.then if attr == "then" else phi.orelse
    if value is None:  # not assigned here: other code that is not for these lanes may copy it
        nothing = {"b": False, "U": "", "f": 0.0, "c": 0j}.get(phi.value.fact.kind, 0)
        made = quote.const(None if phi.value.varying else nothing)
        w.emit(quote.stmt("name = value", name=name, value=made))
        return
    want = phi.value.fact
    if want.varying and not value.varying:
        expr = spread(w, value, want)
    elif want.varying:
        expr = cast(w.read(value), storage(value.fact), storage(want))
    else:
        expr = scalar(w, value, want)
    if not (isinstance(expr, gast.Name) and expr.id == name):
        w.emit(quote.stmt("name = value", name=name, value=expr))
