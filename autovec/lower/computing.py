"""Computing a value: the statement or the expression of one operation or call."""

from __future__ import annotations

import re
from typing import Any

import gast

from autovec.lower.analysis import is_atom
from autovec.lower.each import each
from autovec.lower.explaining import note_plain
from autovec.lower.expressions import display, dtype_expr, inverse, masks, occurrences
from autovec.lower.lowering import Done, lowering
from autovec.lower.naming import clean
from autovec.lower.storing import borrow, store
from autovec.lower.unpacking import targets_of
from autovec.lower.writer import Writer
from autovec.program import probe
from autovec.program.agreement import has_unknown, unknown_fact
from autovec.program.facts import operands, storage
from autovec.program.nodes import Let, Node
from autovec.program.truth import AND, OR
from autovec.program.unknown import Dtype, result_type
from autovec.program.values import (
    CallTwin,
    Const,
    Each,
    Operation,
    Path,
    Value,
    is_borrowed,
    is_store,
)
from autovec.syntax import quote


@lowering(Let)
def lower_let(w: Writer, node: Let, rest: list[Node], done: Done | None) -> bool:
    """Compute a value."""
    if id(node.value) in w.unpacked:
        return False
    if isinstance(node.value.op, CallTwin):
        targets = targets_of(w, node.value, rest)
        if targets is not None:
            made = compute(w, node.value)
            w.emit(quote.stmt("targets = made", targets=targets, made=made))
            return False
    let(w, node.value)
    return False


def let(w: Writer, value: Value) -> None:
    """Compute a value here: as a statement, or pending until it is read."""
    note_plain(w, value)
    single = w.remaining[id(value)] == 1
    in_place = single and w.in_place(value)
    named = value.origin is not None and not w.selecting and id(value) not in w.uses.merged
    op = value.op
    if is_store(value):
        store(w, value)
        return
    if is_borrowed(value):
        borrow(w, value)
        return
    expr = compute(w, value)
    if named and in_place and id(value) in w.uses.nexts:
        named = w.free(clean(value.origin) or "")  # else it is handed on with the others
    if id(value) in w.uses.blanks and in_place:
        w.wait(value, expr)
        return
    if isinstance(op, Operation) and op.ignore:
        name = w.take(value)
        assign = quote.stmt("name = value", name=name, value=expr)
        w.emit(quote.stmt('with np.errstate(all="ignore"):\n    body', body=[assign]))
        return
    if in_place and not named and not (isinstance(op, Operation) and op.note):
        w.wait(value, expr)
        return
    if w.remaining[id(value)] == 0:
        w.emit(quote.stmt("value", value=expr))
        return
    name = w.take(value)
    if isinstance(expr, gast.Name) and expr.id == name:
        return
    w.emit(quote.stmt("name = value", name=name, value=w.kept(value, expr)))
    if isinstance(op, Operation) and op.note and value.varying:
        w.emit(quote.trailing_comment(op.note))


def compute(w: Writer, value: Value) -> gast.expr:
    """The expression of an operation."""
    op = value.op
    if isinstance(op, CallTwin):
        return call(w, op)
    if isinstance(op, Each):
        return each(w, value, op)
    assert isinstance(op, Operation), op
    template = op.lanes if value.varying else op.python
    if op.flat and w.frame.root:
        w.need_flat()
    for old, new in w.renames.items():
        template = re.sub(rf"(?<![\w.]){old}\(", f"{new}(", template)
    picked = item_of_lanes(w, value, template)
    if picked is not None:
        return picked
    wanted = casts(value, op) if value.varying else {}
    if op in (AND, OR) and not value.varying:
        settle_operands(w, value)
    holes: dict[str, Any] = {}
    for p, arg in zip(op.params, value.args, strict=True):
        if occurrences(template, p) > 1 and not is_atom(arg):
            w.named(arg)  # before anything is read: a name read last is free again
    for p, arg in zip(op.params, value.args, strict=True):
        times = occurrences(template, p)
        if times == 0:
            w.consume(arg)
            w.pending.pop(id(w.resolve(arg)), None)
            continue
        expr = w.read(arg)
        if p in wanted:
            expr = quote.expr("x.astype(dtype)", x=expr, dtype=dtype_expr(wanted[p]))
        holes[p] = expr
    if template == "~x" and value.args[0].fact.kind == "b":
        return inverse(holes["x"])
    if op in (AND, OR) and value.varying:
        return masks(template.split()[1], *holes.values())
    return quote.expr(template, **holes)


def settle_operands(w: Writer, value: Value) -> None:
    """Before ``x and y``, which may leave y out: what raises in y was computed whatever x is."""
    if any(may_raise(w, arg) for arg in value.args[1:]):
        for arg in value.args:
            if may_raise(w, arg):
                w.named(arg)


def may_raise(w: Writer, value: Value) -> bool:
    """Can the expression of a value that has no name raise?"""
    value = w.resolve(value)
    if id(value) in w.names or isinstance(value.op, (Const, Path)):
        return False
    total = isinstance(value.op, Operation) and value.op.total
    return not total or any(may_raise(w, arg) for arg in value.args)


def item_of_lanes(w: Writer, value: Value, template: str) -> gast.expr | None:
    """``x[k, i]``: an item at an index that varies, straight from the full-size array."""
    base = w.resolve(value.args[0]) if value.args else value
    lanes = "np.arange(len(a0))"
    if lanes not in template or f"{lanes}[" in template or w.frame.root or not base.varying:
        return None
    if not w.home.get(id(base), w.root).root or w.frame.looping:
        return None
    assert isinstance(value.op, Operation)
    holes: dict[str, Any] = {"lanes": w.frame.index()}
    for p, arg in zip(value.op.params[1:], value.args[1:], strict=True):
        holes[p] = w.read(arg)
    w.consume(base)
    return quote.expr(template.replace(lanes, "lanes"), a0=w.name_of(base), **holes)


def casts(value: Value, op: Operation) -> dict[str, Dtype]:
    """Weak operands that are stored too wide for the result's dtype."""
    weak = [(p, a) for p, a in zip(op.params, value.args, strict=True) if a.varying and a.fact.weak]
    strong = [a.fact for a in value.args if not a.fact.weak]
    if not weak or not strong or value.fact.kind in "UO":
        return {}
    try:
        natural = stored(value, op)
    except (probe.NoResult, AttributeError):
        return {}
    if natural == storage(value.fact) and value.fact.kind != "b":
        return {}
    dtypes = [f.dtype for f in strong]
    found = {p: result_type(*operands(a.fact), *dtypes) for p, a in weak}
    return {p: d for p, d in found.items() if d != storage(dict(weak)[p].fact)}


def stored(value: Value, op: Operation) -> Dtype:
    """The dtype that NumPy gives an operation's result."""
    if has_unknown(*value.args):
        return unknown_fact(op, value.args, value.fact.lanes, stored=True).dtype
    facts = tuple(a.fact for a in value.args)
    dtype: Dtype = probe.result(op.lanes, op.params, facts, False).dtype
    return dtype


def call(w: Writer, op: CallTwin) -> gast.expr:
    """The call of a helper's twin."""
    twin = op.twin
    args: list[gast.expr] = []
    keywords: dict[str, gast.expr] = {}
    for thing, keyword in zip(twin.passed, twin.keywords, strict=True):
        expr = display(thing, w.read)
        if keyword is None:
            args.append(expr)
        else:
            keywords[keyword] = expr
    return quote.expr("f(*args, **keywords)", f=twin.program.name, args=args, keywords=keywords)
