"""Calls in a loop's body: known functions of numbers, lengths, the larger and smaller of two."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import SourceNotFound, Unsupported, UnsupportedSyntax
from autovec.lift import integers
from autovec.lift.draws import draw, stream_of
from autovec.lift.expressions import RULES, chosen, comparison, evaluate, length
from autovec.lift.known import Scope, known_call
from autovec.lift.nest import Nest
from autovec.lift.values import Lane, typed
from autovec.syntax import quote
from autovec.syntax.parse import source_of
from autovec.syntax.scope import free_names, parameter_names
from autovec.syntax.visit import replace_names


def _call(nest: Nest, node: gast.Call) -> Lane:
    obj: Any = nest.scope.find(node.func)
    if obj is len and len(node.args) == 1 and isinstance(node.args[0], gast.Name):
        arr = nest.array_of(node.args[0].id, node)
        return length(nest, node, arr.dims[0])
    stream = stream_of(nest, node.func)
    if stream is not None:
        return draw(nest, node, stream)
    if node.keywords or any(isinstance(a, gast.Starred) for a in node.args):
        raise Unsupported(node, "a call with keywords or stars")
    if obj in (min, max) and len(node.args) == 2:
        a, b = (evaluate(nest, arg) for arg in node.args)
        if a.poly is not None and b.poly is not None and not (a.axes or b.axes):
            poly = nest.facts.symbols.extreme(obj.__name__, a.poly, b.poly)
            return Lane(nest.facts.render(poly), (), 1, poly)
        kind = gast.Gt if obj is max else gast.Lt
        if not (a.axes or b.axes):
            raise Unsupported(node, "max or min of what does not vary")
        if a.dtype.kind != "i" or type(a.sample) is not type(b.sample):
            a, b = (_once(nest, lane) for lane in (a, b))
        return chosen(nest, node, comparison(nest, node, kind, b, a), b, a)
    if obj is int and len(node.args) == 1:
        return integers.whole(nest, node, evaluate(nest, node.args[0]))
    given = node.args[0] if obj is float and len(node.args) == 1 else None
    if isinstance(given, gast.Constant) and isinstance(given.value, str):
        try:
            return Lane(node, (), float(given.value))
        except ValueError:
            raise Unsupported(node, "float of a text that is no number") from None
    if obj is float and len(node.args) == 1:
        a = evaluate(nest, node.args[0])
        if a.dtype.kind == "c":
            raise Unsupported(node, "float of a complex number")
        if a.dtype == np.dtype(float):
            return replace(a, sample=0.5)
        made = quote.expr("a.astype(float)", a=nest.text(a))
        return Lane(made, a.axes, 0.5, None, a.total, a.reads) if a.axes else _refuse(node)
    if obj is complex and len(node.args) == 2:
        return _complex(nest, node)
    known = known_call(obj)
    if known is None and isinstance(obj, types.FunctionType):
        return evaluate(nest, _inlined(nest, obj, node))
    if known is None:
        name = getattr(obj, "__name__", None) or "a function"
        raise Unsupported(node, f"a call of {name}", "what it does is not known")
    lanes = [evaluate(nest, arg) for arg in node.args]
    if not any(lane.axes for lane in lanes):
        return _once_for_all(nest, node, obj, known.total, lanes)
    sample = typed(obj, known.array, lanes, node)
    span = integers.of_call(nest, node, obj, lanes[0]) if type(sample) is int else None
    nest.strict |= known.strict
    axes = nest.union(lanes)
    args = [nest.aligned(lane, axes) for lane in lanes]
    expr = quote.expr("f(*args)", f=known.text, args=args)
    total = known.total and all(lane.total for lane in lanes)
    reads = frozenset().union(*(lane.reads for lane in lanes))
    mixed = any(lane.mixed for lane in lanes)
    return Lane(expr, axes, sample, None, total, reads, mixed=mixed, span=span)


def _once_for_all(nest: Nest, node: Any, obj: Any, total: bool, lanes: list[Lane]) -> Lane:
    """A call whose arguments are the same in all turns: as it is written."""
    if not total:
        if not nest.lanes_now():
            raise Unsupported(node, "a call that is the same in all turns, in a branch")
        nest.needs_turns = nest.risky = True
    if any(lane.mixed or lane.either for lane in lanes):
        raise Unsupported(node, "a call of what may be Python's number or NumPy's")
    sample = typed(obj, obj, lanes, node)
    args = [nest.text(lane) for lane in lanes]
    reads = frozenset().union(*(lane.reads for lane in lanes))
    return Lane(quote.expr("f(*args)", f=node.func, args=args), (), sample, None, total, reads)


def _complex(nest: Nest, node: gast.Call) -> Lane:
    """``complex(a, b)`` is ``a + 1j * b``, but for infinities: those are left to the loop."""
    a, b = (evaluate(nest, arg) for arg in node.args)
    if a.dtype.kind not in "iuf" or b.dtype.kind not in "iuf" or not (a.axes or b.axes):
        raise Unsupported(node, "a complex number of this kind")
    axes = nest.union([a, b])
    nest.strict = True
    parts = {"a": nest.aligned(a, axes), "b": nest.aligned(b, axes)}
    reads = a.reads | b.reads
    return Lane(quote.expr("a + 1j * b", **parts), axes, 1 + 0j, None, False, reads)


def _refuse(node: Any) -> Lane:
    raise Unsupported(node, "a conversion that is the same in all turns")


def _inlined(nest: Nest, fn: types.FunctionType, node: gast.Call) -> Any:
    """What a helper of one ``return`` computes, in terms of the call's arguments."""
    why = "what it does is not known"
    refused = Unsupported(node, f"a call of {fn.__name__}", why)
    try:
        tree = source_of(fn).tree
    except (SourceNotFound, UnsupportedSyntax):
        raise refused from None
    if not isinstance(tree, gast.FunctionDef) or tree.decorator_list or tree.args.defaults:
        raise refused
    body = [s for s in tree.body if not isinstance(s, gast.Expr)]
    names = parameter_names(tree.args)
    plain = len(tree.args.args) == len(names) == len(node.args)
    if not plain or len(body) != 1 or not isinstance(body[0], gast.Return) or not body[0].value:
        raise refused
    result = body[0].value
    own = Scope(fn, frozenset(names))
    for name in free_names(result) - set(names):
        here = nest.scope.find(quote.name(name))
        if name in nest.scope.local or here is None or here is not own.find(quote.name(name)):
            raise refused
    simple = (gast.Name, gast.Subscript, gast.Constant)
    if not all(isinstance(arg, simple) for arg in node.args):
        raise refused
    return replace_names(result, dict(zip(names, node.args, strict=True)))


def _once(nest: Nest, lane: Lane) -> Lane:
    """A lane whose text may stand twice."""
    if lane.expr is None or isinstance(lane.expr, (gast.Name, gast.Constant, gast.Subscript)):
        return lane
    if not lane.axes:
        return lane
    named = nest.bind("value", lane)
    return replace(named, total=lane.total, mixed=lane.mixed)


RULES[gast.Call] = _call
