"""The result's buffers, which packed lanes are written to, and the structure around them."""

from __future__ import annotations

import gast

from autovec.lower.arrays import filled_array
from autovec.lower.expressions import display, dtype_argument, string_dtype
from autovec.lower.frames import MARK_SIZE
from autovec.lower.naming import clean
from autovec.lower.writer import Writer
from autovec.program.facts import storage
from autovec.program.nodes import Node, Return, walk
from autovec.program.things import Map, Thing, leaves, literal
from autovec.program.values import Const, Value
from autovec.syntax import quote


def store(w: Writer, node: Return | None, exprs: list[gast.expr]) -> None:
    """Write results for the lanes of a packed frame."""
    if node is not w.filled or node is None:
        for name, expr in zip(w.out_names, exprs, strict=True):
            w.emit(quote.stmt("out[k] = value", out=name, k=w.frame.index(), value=expr))
    for live in w.live_masks:
        w.emit(quote.stmt("live[k] = False", live=live, k=w.frame.index()))


def make_outs(w: Writer) -> None:
    """Allocate the result's buffers, once; filled with a return of literals if there is one."""
    if w.out_names:
        return
    facts = [v.fact for v in leaves(w.program.result)]
    returns = [n for n in walk(w.program.body) if isinstance(n, Return)]
    constant = [r for r in returns if r.leaves and all(isinstance(v.op, Const) for v in r.leaves)]
    w.filled = None
    if constant:
        w.filled = constant[-1] if returns[-1] is constant[-1] else constant[0]
    names = out_names(w.program.result, returns, len(facts))
    made: list[gast.stmt] = []
    w.size_reads += len(facts)
    size = quote.name(MARK_SIZE)
    for k, (name, fact) in enumerate(zip(names, facts, strict=True)):
        chosen = w.fresh(name)
        w.out_names.append(chosen)
        dtype = storage(fact)
        if dtype.kind == "U":
            dtype = string_dtype(tuple(r.leaves[k] for r in returns))
        if w.filled is not None:
            value = literal(w.filled.leaves[k])
            expr = filled_array(size, value, dtype)
        else:
            expr = quote.expr("np.empty(size, *dtype)", size=size, dtype=dtype_argument(dtype))
        made.append(quote.stmt("out = made", out=chosen, made=expr))
    w.body.extend(made)  # before what is being written in an inner list


def out_names(result: Thing, returns: list[Return], count: int) -> list[str]:
    """Names for the buffers: from the keys, else from what the last return calls its values."""
    if count == 1:
        return ["out"]
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
    """Is it only the return whose values the buffers are filled with?"""
    return len(nodes) == 1 and nodes[0] is w.filled and not w.live_masks


def return_outs(w: Writer) -> None:
    """Return the buffers, in the shape of the arguments."""
    exprs: list[gast.expr] = []
    for name in w.out_names:
        expr: gast.expr = quote.name(name)
        if w.flat and w.program.layout == "broadcast" and not w.program.twin:
            expr = quote.expr("x.reshape(shape)", x=expr, shape=w.shape_name())
        exprs.append(expr)
    w.emit(quote.stmt("return value", value=structure(w, exprs)))


def structure(w: Writer, exprs: list[gast.expr]) -> gast.expr:
    """The result's structure around the expressions of its leaves."""
    left = iter(exprs)
    return display(w.program.result, lambda _: next(left))
