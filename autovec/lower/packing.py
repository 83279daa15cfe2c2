"""``pack``: a side runs for its own lanes only, as index arrays; results go back into buffers.

Inside, the index is absolute: ``k = np.flatnonzero(test)`` reads full arrays as ``x[k]`` and writes
``out[k] = v``. A lane that returns is written straight into the outermost buffer; the code behind
runs for the lanes left.
"""

from __future__ import annotations

from collections import Counter

import gast

from autovec.lower.analysis import float_arithmetic, read_inside, risky_uniform
from autovec.lower.buffers import Buffer, store_all
from autovec.lower.chains import Term, mask_of, next_exit, next_merge
from autovec.lower.explaining import note
from autovec.lower.expressions import inverse
from autovec.lower.framing import frame
from autovec.lower.lowering import Done, lower_nodes
from autovec.lower.outs import is_filled, make_outs
from autovec.lower.results import return_outs
from autovec.lower.selections import one_sided
from autovec.lower.shrinking import name_test, shrink, stop_if_empty, where_some_leave
from autovec.lower.storing import is_item_store
from autovec.lower.writer import Writer
from autovec.program.nodes import Block, If, Let, Node, returns
from autovec.program.values import Value
from autovec.syntax import quote


def pack(w: Writer, node: If) -> None:
    """A branch without exits: a buffer a merged value, each side for its lanes."""
    w.need_flat()
    w.partial = True
    inside = Counter(id(w.resolve(v)) for v in read_inside([node]))
    buffers = [Buffer(w, p, w.targets.pop(id(p.value), None), node, inside) for p in node.phis]
    pack_sides(w, node, buffers, [])
    for buffer in buffers:
        buffer.settle()


def pack_sides(w: Writer, node: If, buffers: list[Buffer], terms: list[Term]) -> None:
    """Each side for its lanes, of those that the terms of the branches around leave."""
    sides: list[tuple[Block, str, bool]] = []
    for block, attr, negate in ((node.then, "then", False), (node.orelse, "orelse", True)):
        if block.nodes or any(b.stores(attr) for b in buffers):
            sides.append((block, attr, negate))
    if len(sides) > 1:
        w.named(node.test)
    in_place = any(b.origin.own for b in buffers)
    at_once = in_place and len(buffers) > 1  # what one is stored into, another may read
    for block, attr, negate in sides:
        stores = [b for b in buffers if b.stores(attr)]
        for buffer in () if at_once else stores:
            buffer.offer(attr)
        own = [*terms, (node.test, negate)]
        chained = None if at_once else next_merge(w, block, stores, attr)
        if chained is not None:
            w.named(node.test)
            pack_next(w, *chained, own)
        else:
            storer = _storer(stores, attr, at_once) if stores else None
            with frame(w, mask_of(w, own, in_place), False, block.nodes):
                for buffer in stores:
                    store_through(w, buffer, attr, block)
                lower_nodes(w, block.nodes, storer)
        for buffer in stores:
            buffer.withdraw(attr)
    w.skip(node.test)


def pack_next(w: Writer, lets: list[Let], node: If, terms: list[Term]) -> None:
    """A branch that a side consists of, for lanes cut from the same ones."""
    before(w, lets, node)
    inside = Counter(id(w.resolve(v)) for v in read_inside([node]))
    buffers = [Buffer(w, p, w.targets.pop(id(p.value)), node, inside) for p in node.phis]
    pack_sides(w, node, buffers, terms)
    for buffer in buffers:
        buffer.settle()


def store_through(w: Writer, buffer: Buffer, attr: str, block: Block) -> None:
    """Stores of some lanes into an array that the others keep are written straight into it."""
    phi, here = buffer.phi, {id(n.value) for n in block.nodes if isinstance(n, Let)}
    last: Value | None = getattr(phi, attr)
    base: Value | None = getattr(phi, "then" if attr == "orelse" else "orelse")
    chain: list[Value] = []
    step = last
    start = None if base is None else w.resolve(base)
    if buffer.origin.filled is not None and buffer.fill is None:
        start = buffer.origin.filled  # which both sides store into
    while step is not None and step is not start:
        if not is_item_store(step) or w.remaining[id(step)] != 1 or id(step) not in here:
            return
        chain.append(step)
        step = w.resolve(step.args[0])
    if not chain or step is None or buffer.origin.filled is not step:
        return
    assert last is not None
    buffer.origin.delegated.add(id(last))
    w.through |= {id(v): buffer.origin for v in chain}


def before(w: Writer, lets: list[Let], node: If) -> None:
    """What a test is made of, for all lanes of the current frame."""
    why = "comparing all is cheaper than gathering what is compared"
    note(w, node.line, "a mask beside those before, its lanes as an index array", why)
    w.quiet |= float_arithmetic([*lets])
    lower_nodes(w, [*lets])
    w.flush(node.test)


def _storer(buffers: list[Buffer], attr: str, at_once: bool) -> Done:
    """What writes one side's values for the lanes that reach its end."""

    def store() -> None:
        for group in [buffers] if at_once else [[b] for b in buffers]:
            store_all(group, attr)

    return store


def pack_exits(w: Writer, node: If, rest: list[Node], done: Done | None) -> None:
    """A branch from which lanes return: they are written out, the rest runs for the others."""
    w.need_flat()
    w.partial = True
    if returns(Block([node] if w.frame.looping else [node, *rest])):
        make_outs(w, node.test)
    w.flush(node.test)
    # in a loop the lanes shrink in place, and again where the side that goes on loses some
    apart = w.frame.looping and not (node.then.falls and node.orelse.falls)
    if (node.then.falls and node.orelse.falls) or (_partly(node) and not apart):
        pack_partly(w, node, rest, done)
    else:
        pack_apart(w, node, rest, done)
    if w.frame.root and not w.live_masks:  # else code behind an outer branch follows
        return_outs(w)


def pack_apart(w: Writer, node: If, rest: list[Node], done: Done | None) -> None:
    """One side's lanes are gone: the other side takes the rest along."""
    one_sided(w, node)
    if w.frame.looping:
        shrink_apart(w, node, rest, done)
        return
    apart_sides(w, node, rest, done, [])


def apart_sides(
    w: Writer, node: If, rest: list[Node], done: Done | None, terms: list[Term]
) -> None:
    """The lanes that leave, then those that take the rest along, of those that the terms leave."""
    sides = []
    for block, negate in ((node.then, False), (node.orelse, True)):
        inside = [*block.nodes, *rest] if block.falls else block.nodes
        if (inside or done is not None) and not is_filled(w, inside):
            sides.append((block.falls, negate, inside))
    # lanes that leave come first, so that the code behind them reads last
    sides.sort(key=lambda side: side[0])
    if len(sides) > 1:
        w.named(node.test)
    for falls, negate, inside in sides:
        own = [*terms, (node.test, negate)]
        chained = next_exit(inside)
        if chained is not None:
            lets, branch, behind = chained
            w.named(node.test)
            before(w, lets, branch)
            one_sided(w, branch)
            apart_sides(w, branch, behind, done if falls else None, own)
            continue
        with frame(w, mask_of(w, own, any(out.own for out in w.outs)), False, inside):
            lower_nodes(w, inside, done if falls else None)
    w.skip(node.test)


def shrink_apart(w: Writer, node: If, rest: list[Node], done: Done | None) -> None:
    """In a loop: the lanes that leave are written out, the loop's lanes shrink to the others."""
    name_test(w, node.test, "going" if node.then.falls else "done")
    sides = ((node.then, False), (node.orelse, True))
    leaving = [(block, negate) for block, negate in sides if not block.falls]
    staying = [(block, negate) for block, negate in sides if block.falls]

    def write_out() -> None:
        for block, negate in leaving:
            with frame(w, w.peek(node.test), negate, block.nodes):
                lower_nodes(w, block.nodes)

    if not staying:
        write_out()
        w.consume(node.test)
        w.loop_exits[-1].drop()
        return
    [(block, negate)] = staying

    def retired() -> None:
        write_out()
        test = w.read(node.test)
        shrink(w, inverse(test) if negate else test)

    where_some_leave(w, node.test, negate, retired)
    go_on(w, [*block.nodes, *rest], done)


def go_on(w: Writer, rest: list[Node], done: Done | None) -> None:
    """The rest of a trip, unless no lane is left and it could fail."""
    if risky_uniform(rest):
        stop_if_empty(w)
    lower_nodes(w, rest, done)


def _partly(node: If) -> bool:
    """Does a side that goes on also lose lanes on the way?"""
    return any(side.falls and side.exits for side in (node.then, node.orelse))


def pack_partly(w: Writer, node: If, rest: list[Node], done: Done | None) -> None:
    """Some lanes of a side return and others go on: a mask of the lanes that are left."""
    if not rest and done is None:
        pack(w, node)
        return
    live = w.fresh("live")
    made = quote.stmt("live = np.ones(size, bool)", live=live, size=w.whole_size())
    if w.frame.looping:
        w.before_loop[-1].append(made)
    else:
        w.emit(made)
    w.live_masks.append(live)
    pack(w, node)
    w.live_masks.pop()
    pack_left(w, live, rest, done)


def pack_left(
    w: Writer, live: str, rest: list[Node], done: Done | None, guard: bool = False
) -> None:
    """The code behind, for the lanes that a mask still holds."""
    left: gast.expr = quote.name(live)
    if w.frame.looping:
        shrink(w, quote.expr("live[k]", live=live, k=w.frame.index()))
        go_on(w, rest, done)
        w.release(live)
        return
    if not w.frame.root:
        left = quote.expr("live[k]", live=live, k=w.frame.index())
    with frame(w, left, False, rest, guard):
        lower_nodes(w, rest, done)
    w.release(live)
