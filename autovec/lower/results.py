"""Results: each leaf an array over all lanes, of the union's dtype, in memory of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import gast

from autovec.lower.frames import MARK_SIZE
from autovec.lower.packing import string_dtype
from autovec.lower.selections import Leaf, Pick, Tree
from autovec.lower.writer import Writer, clean, dtype_argument, natural
from autovec.program.facts import Fact, storage
from autovec.program.nodes import Return, walk
from autovec.program.things import Known, Map, Record, Seq, Thing, leaves, literal
from autovec.program.values import Const, Operation, Param, Path, Value
from autovec.syntax import quote
from autovec.syntax.build import dict_display


def lower_return(w: Writer, node: Return) -> None:
    """Return from the function, or write the lanes of a packed frame out."""
    if w.frame.root:
        return_tree(w, Leaf(node.leaves))
        return
    store(w, node, [w.read(v) for v in node.leaves])


def store(w: Writer, node: Return | None, exprs: list[gast.expr]) -> None:
    """Write results for the lanes of a packed frame."""
    if node is not w.filled or node is None:
        for name, expr in zip(w.out_names, exprs, strict=True):
            w.emit(quote.stmt("out[k] = value", out=name, k=w.frame.index(), value=expr))
    for live in w.live_masks:
        w.emit(quote.stmt("live[k] = False", live=live, k=w.frame.index()))


def return_tree(w: Writer, tree: Tree) -> None:
    """Return what a tree picks, leaf by leaf."""
    facts = [v.fact for v in leaves(w.program.result)]
    prepare(w, tree, len(facts))
    exprs = [fold(w, tree, k, fact) for k, fact in enumerate(facts)]
    finish_tests(w, tree)
    if not w.frame.root:
        store(w, None, exprs)
        return
    values = [shaped(w, e, deps_of(w, tree, k), facts[k], tree, k) for k, e in enumerate(exprs)]
    w.emit(quote.stmt("return value", value=structure(w, w.program.result, iter(values))))


def prepare(w: Writer, tree: Tree, count: int) -> None:
    """Values and tests that the tree reads more than once get names first."""
    reads: Counter[int] = Counter()
    values: dict[int, Value] = {}

    def visit(t: Tree) -> None:
        if isinstance(t, Pick):
            reads[id(t.test)] += count if count else 1
            values[id(t.test)] = t.test
            visit(t.then)
            visit(t.orelse)
        elif isinstance(t, Leaf):
            for v in t.values:
                reads[id(v)] += 1
                values[id(v)] = v

    visit(tree)
    tests = set(_tests(tree))
    for key, n in reads.items():
        value = w.resolve(values[key])
        if n > 1 and not isinstance(value.op, (Const, Path)):
            w.named(value)
        if key in tests:
            w.remaining[id(value)] += n
        else:
            leaves_read = sum(1 for t in _leaves(tree) for v in t.values if id(v) == key)
            own = len({id(t) for t in _leaves(tree) for v in t.values if id(v) == key})
            w.remaining[id(value)] += leaves_read - own


def _tests(tree: Tree) -> list[int]:
    return (
        [id(tree.test), *_tests(tree.then), *_tests(tree.orelse)] if isinstance(tree, Pick) else []
    )


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
    picked = [t.values[k] for t in _leaves(tree)]
    expr = _fold(w, tree, k)
    if isinstance(tree, Leaf):
        value = w.resolve(tree.values[k])
        if not value.varying:
            return expr if fact.varying else w.as_kind(expr, value, fact)
        return w.cast(expr, storage(value.fact), storage(fact))
    if fact.kind not in "biufc":
        return expr
    return w.cast(expr, natural(tuple(map(w.resolve, picked))), storage(fact))


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
    test = w.read(tree.test)
    return quote.expr("np.where(t, a, b)", t=test, a=_fold(w, then, k), b=_fold(w, orelse, k))


# ---------------------------------------------------------------- shapes
def shaped(
    w: Writer, expr: gast.expr, deps: frozenset[str], fact: Fact, tree: Tree, k: int
) -> gast.expr:
    """A result over the whole batch, in memory of its own."""
    varying = varying_parameters(w)
    whole = tree.values[k] if isinstance(tree, Leaf) else None
    if w.program.twin:
        return spread_result(w, expr, whole, fact) if fact.varying and not deps else expr
    if not deps:
        return spread_result(w, expr, whole, fact)
    if not w.flat and deps != varying:
        shape = batch_shape(w)
        return quote.expr("np.broadcast_to(x, shape).copy()", x=expr, shape=shape)
    if w.flat and w.program.layout == "broadcast":
        if whole is not None and not fresh(w, whole):
            expr = quote.expr("x.copy()", x=expr)
        return quote.expr("x.reshape(shape)", x=expr, shape=w.shape_name())
    if whole is not None and not fresh(w, whole):
        return quote.expr("x.copy()", x=expr)
    return expr


def spread_result(w: Writer, expr: gast.expr, value: Value | None, fact: Fact) -> gast.expr:
    """A result on which all lanes agree, repeated for each."""
    constant = value.op.value if value is not None and isinstance(value.op, Const) else None
    dtype = storage(fact)
    if w.program.twin and not w.flat:
        shape = batch_shape(w)
    elif w.program.layout == "broadcast":
        if not varying_parameters(w):
            return expr
        shape = w.shape_name() if w.flat else batch_shape(w)
    else:
        shape = w.size()
    extra = dtype_argument(dtype) or [quote.name("float")]
    if fact.kind not in "biufc" or (constant is not None and storage(value.fact) == dtype):  # type: ignore[union-attr]
        extra = []
    return quote.expr("np.full(shape, value, *dtype)", shape=shape, value=expr, dtype=extra)


def varying_parameters(w: Writer) -> frozenset[str]:
    """The parameters whose shapes make the batch's."""
    return frozenset(
        name for name, thing in w.program.things.items() if any(v.varying for v in leaves(thing))
    )


def batch_shape(w: Writer) -> gast.expr:
    """The broadcast shape of the varying parameters."""
    shapes = []
    for thing in w.program.things.values():
        for v in leaves(thing):
            if v.varying:
                source = v.op.expr if isinstance(v.op, Path) else quote.name(_own_name(w, v))
                shapes.append(quote.expr("np.shape(x)", x=source))
    return shapes[0] if len(shapes) == 1 else quote.expr("np.broadcast_shapes(*s)", s=shapes)


def _own_name(w: Writer, v: Value) -> str:
    assert isinstance(v.op, Param)
    if v.op.name in w.reassigned:
        # its name was given to another value: keep it for the parameter, and write again
        w.keep_parameters = True
        raise Rewrite
    return v.op.name


class Rewrite(Exception):
    """The program has to be written again, its parameters keeping their names."""


def deps_of(w: Writer, tree: Tree, k: int) -> frozenset[str]:
    """The parameters whose shapes a leaf of the result has."""
    if isinstance(tree, Pick):
        return dependencies(w, tree.test) | deps_of(w, tree.then, k) | deps_of(w, tree.orelse, k)
    return dependencies(w, tree.values[k]) if isinstance(tree, Leaf) else frozenset()


def dependencies(w: Writer, value: Value) -> frozenset[str]:
    """The parameters whose shapes a value has."""
    if not w.dependencies:
        _find_dependencies(w)
    return w.dependencies.get(id(value), frozenset())


def _find_dependencies(w: Writer) -> None:
    from autovec.program.nodes import Block, If, Let, Loop

    found = w.dependencies
    for name, thing in w.program.things.items():
        for v in leaves(thing):
            found[id(v)] = frozenset({name}) if v.varying else frozenset()

    def of(v: Value | None) -> frozenset[str]:
        return found.get(id(v), frozenset())

    def visit(block: Block) -> bool:
        changed = False
        for node in block.nodes:
            if isinstance(node, Let):
                new = (
                    frozenset().union(*(of(a) for a in node.value.args))
                    if node.value.varying
                    else frozenset()
                )
                changed |= found.get(id(node.value)) != new
                found[id(node.value)] = new
            elif isinstance(node, If):
                changed |= visit(node.then) | visit(node.orelse)
                for phi in node.phis:
                    sides = of(phi.then) | of(phi.orelse)
                    two = phi.then is not None and phi.orelse is not None
                    new = sides | (of(node.test) if two else frozenset())
                    changed |= found.get(id(phi.value)) != new
                    found[id(phi.value)] = new
            elif isinstance(node, Loop):
                for carry in node.carries:
                    new = of(carry.init) | of(carry.next)
                    changed |= found.get(id(carry.head)) != new
                    found[id(carry.head)] = found[id(carry.result)] = new
                changed |= visit(node.body)
        return changed

    while visit(w.program.body):
        pass
    found.setdefault(-1, frozenset())


def fresh(w: Writer, value: Value) -> bool:
    """Is it in memory that nothing else refers to?"""
    value = w.resolve(value)
    if id(value) in w.returned:
        return False
    w.returned.add(id(value))
    if isinstance(value.op, (Param, Path)):
        return False
    if isinstance(value.op, Operation):
        return value.op.fresh
    return id(value) not in w.shared


# ---------------------------------------------------------------- buffers and structures
def make_outs(w: Writer) -> None:
    """Allocate the result's buffers, filled with a return of literals if there is one."""
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
            expr = w.filled_array(size, value, dtype)
        else:
            expr = quote.expr("np.empty(size, *dtype)", size=size, dtype=dtype_argument(dtype))
        made.append(quote.stmt("out = made", out=chosen, made=expr))
    w.insert_at_top(made)


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


def return_outs(w: Writer) -> None:
    """Return the buffers, in the shape of the arguments."""
    exprs: list[gast.expr] = []
    for name in w.out_names:
        expr: gast.expr = quote.name(name)
        if w.flat and w.program.layout == "broadcast" and not w.program.twin:
            expr = quote.expr("x.reshape(shape)", x=expr, shape=w.shape_name())
        exprs.append(expr)
    w.emit(quote.stmt("return value", value=structure(w, w.program.result, iter(exprs))))


def structure(w: Writer, thing: Thing, values: object) -> gast.expr:
    """The result's structure around the expressions of its leaves."""
    take: Callable[[], gast.expr] = values.__next__  # type: ignore[attr-defined]
    if isinstance(thing, Value):
        return take()
    if isinstance(thing, Seq):
        items = [structure(w, t, values) for t in thing.items]
        if thing.cls is not None:
            return quote.expr("cls(*items)", cls=thing.cls.__name__, items=items)
        return quote.expr("[*items]" if thing.kind is list else "(*items,)", items=items)
    if isinstance(thing, Map):
        items = [structure(w, t, values) for t in thing.items.values()]
        return dict_display(map(quote.const, thing.items), items)
    if isinstance(thing, Record):
        fields = {k: structure(w, t, values) for k, t in thing.fields.items()}
        return quote.expr("cls(**fields)", cls=thing.cls.__name__, fields=fields)
    assert isinstance(thing, Known)
    return quote.const(None)
