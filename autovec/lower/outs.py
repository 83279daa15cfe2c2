"""The result's buffers, which packed lanes are written to, and the structure around them.

A buffer is filled with what some return needs no computing for (a literal, a uniform value, an
array that is there already), so that these lanes need no region.  A leaf that is the same value on
every way out needs no buffer at all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import gast

from autovec.lower.analysis import is_fresh
from autovec.lower.arrays import dims, filled_array, uniform_array
from autovec.lower.expressions import (
    display,
    dtype_argument,
    dtype_expr,
    put_text,
    string_dtype,
)
from autovec.lower.frames import MARK_SIZE
from autovec.lower.naming import clean
from autovec.lower.writer import Writer
from autovec.program.facts import STRING, Fact, storage
from autovec.program.nodes import Node, Return, walk
from autovec.program.things import Map, Seq, Thing, leaves, literal, same_literal
from autovec.program.values import Const, Path, Value
from autovec.syntax import quote


@dataclass(eq=False)
class Out:
    """One leaf's array, and what it is filled with; or ``direct``, the one value it always is.

    ``own``: the array is a value of the program, which the leaves may still read.  ``text``: the
    array holds strings whose width is not known.
    """

    name: str = ""
    fill: Value | None = None
    direct: Value | None = None
    own: bool = False
    text: bool = False

    def holds(self, w: Writer, value: Value) -> bool:
        """Is the lane's value in place without being stored?"""
        if self.direct is not None:
            return True
        known = w.resolve(value)
        return self.fill is not None and (known is self.fill or same_literal(known, self.fill))


def store_return(w: Writer, node: Return) -> None:
    """Write a return's values for the lanes of a packed frame."""
    stores: list[tuple[Out, gast.expr]] = []
    for out, value in zip(w.outs, node.leaves, strict=True):
        if out.holds(w, value):
            w.skip(value)
        else:
            stores.append((out, w.read(value)))
    store(w, stores)
    mark_left(w)


def store(w: Writer, stores: list[tuple[Out, gast.expr]]) -> None:
    """Write values for the lanes of a packed frame: all at once where one may read another's."""
    for out, expr in stores:
        if out.text:
            w.emit(put_text(w, out.name, w.frame.index(), expr))
    stores = [(out, expr) for out, expr in stores if not out.text]
    if len(stores) > 1 and any(out.own for out, _ in stores):
        targets = [quote.expr("out[k]", out=out.name, k=w.frame.index()) for out, _ in stores]
        values = [expr for _, expr in stores]
        w.emit(quote.stmt("(*targets,) = (*values,)", targets=targets, values=values))
        return
    for out, expr in stores:
        w.emit(quote.stmt("out[k] = value", out=out.name, k=w.frame.index(), value=expr))


def mark_left(w: Writer) -> None:
    """The lanes of the current frame are gone: the code behind a branch is not for them."""
    for live in w.live_masks:
        w.emit(quote.stmt("live[k] = False", live=live, k=w.frame.index()))


def make_outs(w: Writer, test: Value | None = None) -> None:
    """Allocate the result's buffers, once; ``test``: that of the branch, not yet written."""
    facts = [v.fact for v in leaves(w.program.result)]
    if w.outs or not facts:
        return
    returns = [n for n in walk(w.program.body) if isinstance(n, Return)]
    names = out_names(w.program.result, returns, len(facts), bool(w.program.escapes))
    for k, (name, fact) in enumerate(zip(names, facts, strict=True)):
        values = [w.resolve(r.leaves[k]) for r in returns]
        others = {id(w.resolve(v)) for r in returns for j, v in enumerate(r.leaves) if j != k}
        w.outs.append(make_out(w, name, fact, values, test, others))


def make_out(
    w: Writer, name: str, fact: Fact, values: list[Value], test: Value | None, others: set[int]
) -> Out:
    """One leaf's buffer; ``values`` is what each return has there, ``others`` in other leaves."""
    first = values[0]
    if all(v is first or same_literal(v, first) for v in values) and available(w, first):
        w.remaining[id(first)] += 1
        return Out(direct=first)
    dtype = storage(fact)
    if dtype.kind == "U":
        dtype = string_dtype(tuple(values))
    fill = choose_fill(w, values)
    own = fill is not None and id(fill) not in others and owned(w, fill, test)
    own = own and fill is not None and storage(fill.fact) == dtype and dtype != STRING
    chosen = w.names[id(fill)] if own else w.fresh(name)
    if own:
        w.locked[chosen] += 1
        return Out(chosen, fill, own=True)
    size = dims(w, quote.name(MARK_SIZE), fact)
    w.size_reads += 1
    if fill is None:
        made = quote.expr("np.empty(size, *dtype)", size=size, dtype=dtype_argument(dtype))
    elif isinstance(fill.op, Const):
        made = filled_array(size, literal(fill), dtype, w.peek(fill))
    elif not fill.varying:
        made = uniform_array(size, w.peek(fill), dtype)
    else:
        w.size_reads -= 1
        made = quote.name(w.names[id(fill)])
        if storage(fill.fact) == dtype:
            made = quote.expr("x.copy()", x=made)
        else:
            made = quote.expr("x.astype(dtype)", x=made, dtype=dtype_expr(dtype))
    w.body.append(quote.stmt("out = made", out=chosen, made=made))
    return Out(chosen, fill, text=dtype == STRING)


def choose_fill(w: Writer, values: list[Value]) -> Value | None:
    """What most lanes may have without being stored: a literal, a uniform value, an array."""
    for kind in (Const, Path):
        found = [v for v in values if isinstance(v.op, kind) and not v.varying]
        if found:
            counts = Counter(_key(v) for v in found)
            last = values[-1]
            return last if last in found else max(found, key=lambda v: counts[_key(v)])
    present = [v for v in values if v.varying and available(w, v)]
    return max(present, key=lambda v: sum(x is v for x in values)) if present else None


def _key(v: Value) -> object:
    return repr(v.op.value) if isinstance(v.op, Const) else id(v)


def available(w: Writer, value: Value) -> bool:
    """Is it an array over all lanes that has a name at the function's own level, or uniform?"""
    if not value.varying:
        return isinstance(value.op, (Const, Path))
    return id(value) in w.names and id(value) in w.at_top and id(value) not in w.pending


def owned(w: Writer, value: Value, test: Value | None) -> bool:
    """May the text write into it: a new array of its own, in the function's own lanes?

    What follows runs for the lanes that have not returned, and these are not yet written.
    """
    if not value.varying or id(value) in w.shared or w.loop_depth or not w.frame.root:
        return False
    if test is not None and w.resolve(test) is value:
        return False
    name = w.names[id(value)]
    return is_fresh(value) and not w.locked[name] and w.unread(name, but=test)


def out_names(
    result: Thing, returns: list[Return], count: int, escapes: bool = False
) -> list[str]:
    """Names for the buffers: from the keys, else from what the returns call their values."""
    if count == 1:
        return ["out"]
    if escapes:
        assert isinstance(result, Seq)
        return [*out_names(result.items[0], returns, count - 1), "failed"]
    if (
        isinstance(result, Map)
        and all(isinstance(k, str) and k.isidentifier() for k in result.items)
        and all(isinstance(t, Value) for t in result.items.values())
    ):
        return [f"{k}_out" for k in result.items]
    columns = [{clean(r.leaves[k].origin) for r in returns} for k in range(count)]
    origins = [c.pop() for c in columns if len(c) == 1]
    if None not in origins and len(set(origins)) == count:
        return [f"{o}_out" for o in origins]
    return [f"out{k}" for k in range(count)]


def is_filled(w: Writer, nodes: list[Node]) -> bool:
    """Is it only a return whose values are in place already?"""
    if len(nodes) != 1 or w.live_masks or not isinstance(nodes[0], Return):
        return False
    pairs = zip(w.outs, nodes[0].leaves, strict=True)
    return all(out.holds(w, value) for out, value in pairs)


def structure(w: Writer, exprs: list[gast.expr]) -> gast.expr:
    """The result's structure around the expressions of its leaves."""
    left = iter(exprs)
    return display(w.program.result, lambda _: next(left))
