"""Results: each leaf an array over all lanes, of the union's dtype, in memory of its own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autovec.lower.analysis import is_fresh
from autovec.lower.arrays import as_kind, cast, dims, over_axes
from autovec.lower.expressions import display, dtype_argument, operand, picked_dtype
from autovec.lower.lowering import Done, lowering
from autovec.lower.outs import mark_left, store, store_return, structure
from autovec.lower.selections import Leaf, Pick, Tree
from autovec.lower.shapes import batch_shape, deps_of, varying_parameters
from autovec.lower.writer import Writer
from autovec.program.arrays.borrowed import results
from autovec.program.facts import Fact, storage
from autovec.program.nodes import Node, Return
from autovec.program.things import leaves, literal, same_literal
from autovec.program.values import Const, Path, Value
from autovec.syntax import quote
from autovec.syntax.build import starred


@lowering(Return)
def lower_return(w: Writer, node: Return, rest: list[Node], done: Done | None) -> bool:
    """Return from the function, or write the lanes of a packed frame out."""
    if w.frame.root:
        return_tree(w, Leaf(node.leaves))
    else:
        store_return(w, node)
        if w.frame.looping:
            w.loop_exits[-1].drop()
    return True


def return_tree(w: Writer, tree: Tree) -> None:
    """Return what a tree picks, leaf by leaf; a leaf that is the same everywhere is not picked."""
    facts = [v.fact for v in leaves(w.program.result)]
    stored = None if w.frame.root else w.outs
    columns: list[Tree | None] = []
    ways = list({id(leaf): leaf for leaf in _leaves(tree)}.values())
    for k in range(len(facts)):
        values = [leaf.values[k] for leaf in ways]
        if stored is not None and all(stored[k].holds(w, v) for v in values):
            columns.append(None)
            unread = values
        elif all(_same(w, v, values[0]) for v in values):
            columns.append(Leaf((values[0],) * len(facts)))
            unread = values[1:]
        else:
            columns.append(tree)
            unread = []
        for value in unread:
            w.skip(value)
    prepare(w, tree, [k for k, column in enumerate(columns) if column is tree])
    exprs = [None if c is None else fold(w, c, k, facts[k]) for k, c in enumerate(columns)]
    finish_tests(w, tree)
    if stored is not None:
        store(w, [(out, e) for out, e in zip(stored, exprs, strict=True) if e is not None])
        mark_left(w)
        return
    whole = [
        shaped(w, expr, deps_of(w, column, k), facts[k], column, k)
        for k, (expr, column) in enumerate(zip(exprs, columns, strict=True))
        if expr is not None and column is not None
    ]
    returned(w, whole)


def returned(w: Writer, exprs: list[gast.expr]) -> None:
    """Return a result; what arguments hold that were stored into is in their own arrays then."""
    names = w.program.borrowed
    if not names:
        w.emit(quote.stmt("return value", value=structure(w, exprs)))
        return
    own = iter(exprs[len(names) :])
    value = display(results(names, w.program.result), lambda _: next(own))
    pairs = zip(names, exprs, strict=False)
    late = [(n, e) for n, e in pairs if not (isinstance(e, gast.Name) and e.id == n)]
    if late and not isinstance(value, gast.Constant):
        name = w.fresh("result")
        w.emit(quote.stmt("name = value", name=name, value=value))
        value = quote.name(name)
    targets = [quote.expr("x[:]", x=n) for n, _ in late]
    if len(late) == 1:
        w.emit(quote.stmt("target = value", target=targets[0], value=late[0][1]))
    elif late:
        values = [e for _, e in late]
        w.emit(quote.stmt("(*targets,) = (*values,)", targets=targets, values=values))
    w.emit(quote.stmt("return value", value=value))


def return_outs(w: Writer) -> None:
    """Return the buffers, in the shape of the arguments."""
    exprs: list[gast.expr] = []
    facts = [v.fact for v in leaves(w.program.result)]
    for out, fact in zip(w.outs, facts, strict=True):
        if out.direct is not None:
            tree = Leaf((out.direct,))
            expr = fold(w, tree, 0, fact)
            exprs.append(shaped(w, expr, deps_of(w, tree, 0), fact, tree, 0))
            continue
        expr = quote.name(out.name)
        if w.flat and w.program.layout == "broadcast" and not w.program.twin:
            expr = in_shape(w, expr, fact)
        exprs.append(expr)
    returned(w, exprs)


def _same(w: Writer, a: Value, b: Value) -> bool:
    return w.resolve(a) is w.resolve(b) or same_literal(a, b)


def prepare(w: Writer, tree: Tree, columns: list[int]) -> None:
    """Values and tests that the picked columns read more than once get names first."""
    reads: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    values: dict[int, Value] = {}

    def visit(t: Tree) -> None:
        if isinstance(t, Pick):
            reads[id(t.test)] += len(columns)
            values[id(t.test)] = t.test
            visit(t.then)
            visit(t.orelse)
        elif isinstance(t, Leaf):
            first = not seen[id(t)]
            seen[id(t)] += 1
            for k in columns:
                v = t.values[k]
                reads[id(v)] += 1
                values[id(v)] = v
                if not first:
                    w.remaining[id(w.resolve(v))] += 1  # a leaf that stands in several places

    visit(tree)
    for test in _tests(tree):
        w.remaining[id(w.resolve(values[test]))] += len(columns)
    for key, n in reads.items():
        value = w.resolve(values[key])
        if n > 1 and not isinstance(value.op, (Const, Path)):
            w.named(value)


def _tests(tree: Tree) -> list[int]:
    if isinstance(tree, Pick):
        return [id(tree.test), *_tests(tree.then), *_tests(tree.orelse)]
    return []


def _leaves(tree: Tree) -> list[Leaf]:
    if isinstance(tree, Pick):
        return [*_leaves(tree.then), *_leaves(tree.orelse)]
    return [tree] if isinstance(tree, Leaf) else []


def finish_tests(w: Writer, tree: Tree) -> None:
    """The picks are written: their tests have one read less."""
    if isinstance(tree, Pick):
        w.consume(tree.test)
        finish_tests(w, tree.then)
        finish_tests(w, tree.orelse)


def fold(w: Writer, tree: Tree, k: int, fact: Fact) -> gast.expr:
    """One leaf of the result as a nest of np.where, in the dtype of the union."""
    made = _dtype(w, tree, k) if fact.kind in "biufc?" else None
    expr = _fold(w, tree, k)
    if isinstance(tree, Leaf):
        value = w.resolve(tree.values[k])
        if not value.varying:
            return expr if fact.varying else as_kind(expr, value, fact)
        return cast(expr, storage(value.fact), storage(fact))
    return expr if made is None else cast(expr, made, storage(fact))


def _dtype(w: Writer, tree: Tree, k: int) -> Any:
    """The dtype of a nest of np.where, or the number that a leaf is."""
    if isinstance(tree, Leaf):
        return operand(w.resolve(tree.values[k]))
    assert isinstance(tree, Pick)
    return picked_dtype([_dtype(w, tree.then, k), _dtype(w, tree.orelse, k)])


def _fold(w: Writer, tree: Tree, k: int) -> gast.expr:
    if isinstance(tree, Leaf):
        return w.read(tree.values[k])
    assert isinstance(tree, Pick)
    then, orelse = tree.then, tree.orelse
    if isinstance(then, Leaf) and isinstance(orelse, Leaf):
        a, b = literal(then.values[k]), literal(orelse.values[k])
        if {a, b} == {True, False} and type(a) is type(b) is bool:
            test = w.read(tree.test)
            w.consume(then.values[k])
            w.consume(orelse.values[k])
            return test if a is True else quote.expr("~t", t=test)
    rank = leaves(w.program.result)[k].fact.rank
    test = over_axes(w.read(tree.test), rank)
    return quote.expr("np.where(t, a, b)", t=test, a=_fold(w, then, k), b=_fold(w, orelse, k))


def shaped(
    w: Writer, expr: gast.expr, deps: frozenset[str], fact: Fact, tree: Tree, k: int
) -> gast.expr:
    """A result over the whole batch, in memory of its own."""
    varying = varying_parameters(w)
    whole = tree.values[k] if isinstance(tree, Leaf) else None
    if isinstance(tree, Pick) and isinstance(expr, gast.Name):
        new = fresh(w, tree.test)  # the very array of the test
    else:
        new = whole is None or cast_anew(w, whole, fact) or fresh(w, whole)
    if w.program.twin:
        if fact.varying and not deps:
            return spread_result(w, expr, whole, fact)
        if not w.flat and fact.varying and deps != varying:
            return quote.expr("np.broadcast_to(x, shape)", x=expr, shape=batch_shape(w))
        return expr
    if not deps:
        return spread_result(w, expr, whole, fact)
    if not w.flat and deps != varying:
        shape = batch_shape(w)
        return quote.expr("np.broadcast_to(x, shape).copy()", x=expr, shape=shape)
    if w.flat and w.program.layout == "broadcast":
        if not new:
            expr = quote.expr("x.copy()", x=expr)
        return in_shape(w, expr, fact)
    return expr if new else quote.expr("x.copy()", x=expr)


def in_shape(w: Writer, expr: gast.expr, fact: Fact) -> gast.expr:
    """A result for flattened arguments in the arguments' own shape."""
    return quote.expr("x.reshape(shape)", x=expr, shape=batch_dims(w, fact))


def batch_dims(w: Writer, fact: Fact) -> gast.expr:
    """The shape of the batch that was flattened, with the axes of a sample behind."""
    shape = quote.name(w.shape_word)
    return dims(w, starred(shape), fact) if fact.rank else shape


def cast_anew(w: Writer, value: Value, fact: Fact) -> bool:
    """Is it read in another dtype: a new array?"""
    found = w.resolve(value).fact
    return found.varying and fact.kind != "U" and storage(found) != storage(fact)


def spread_result(w: Writer, expr: gast.expr, value: Value | None, fact: Fact) -> gast.expr:
    """A result on which all lanes agree, repeated for each."""
    constant = value.op.value if value is not None and isinstance(value.op, Const) else None
    dtype = storage(fact)
    arrays = fact.rank or any(v.fact.rank for t in w.program.things.values() for v in leaves(t))
    if w.program.twin and not w.flat and not arrays:
        shape = batch_shape(w)
    elif w.program.layout == "broadcast":
        if not varying_parameters(w):
            return expr
        shape = batch_dims(w, fact) if w.flat else batch_shape(w)
    else:
        shape = dims(w, w.size(), fact)
    extra = dtype_argument(dtype) or [quote.name("float")]
    literal_fits = value is not None and constant is not None and storage(value.fact) == dtype
    if fact.kind not in "biufc?" or literal_fits:
        extra = []
    return quote.expr("np.full(shape, value, *dtype)", shape=shape, value=expr, dtype=extra)


def fresh(w: Writer, value: Value) -> bool:
    """Is it in memory that nothing else refers to?"""
    value = w.resolve(value)
    if id(value) in w.returned:
        return False
    w.returned.add(id(value))
    return id(value) in w.own or (is_fresh(value) and id(value) not in w.shared)
