"""What names hold between the loops: parameters, lengths, new arrays, views, numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift import calls  # noqa: F401  (registers its rule)
from autovec.lift.expressions import BINARY, evaluate, truth
from autovec.lift.facts import Facts, Symbols, Thing
from autovec.lift.known import Scope
from autovec.lift.nest import Nest
from autovec.lift.poly import Poly, number, range_ends, symbol
from autovec.lift.values import Arr, Fresh, Lane, Stream, sample_number
from autovec.syntax import quote
from autovec.syntax.names import Namer
from autovec.syntax.scope import assigned_names, mutated_names


def thing_of_parameter(symbols: Symbols, name: str, kind: Any) -> Thing:
    """What a parameter holds: `kind` is (dtype, rank) of an array, or the type of a number."""
    if isinstance(kind, tuple):
        dtype, rank = kind
        dims = tuple(symbols.length(name, k) for k in range(rank))
        return Arr(name, dtype, dims, frozenset({f"param {name}"}), name)
    if kind is None:
        return None
    if kind is int:
        return Lane(quote.name(name), (), 1, symbol(name))
    sample = kind(sample_number(np.dtype(kind)))
    return Lane(quote.name(name), (), sample)


def forget(facts: Facts, node: Any) -> None:
    """After a statement that is not understood: what it binds or changes is unknown."""
    for name in assigned_names(node):
        facts.env[name] = None
    for name in mutated_names(node):
        if isinstance(facts.env.get(name), Fresh):
            facts.env[name] = None


def narrow(facts: Facts, test: Any) -> None:
    """What a test says of a number where it holds: ``k > 0``, ``k >= 1``."""
    if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And):
        for part in test.values:
            narrow(facts, part)
    if not isinstance(test, gast.Compare) or len(test.ops) != 1:
        return
    if not isinstance(test.left, gast.Name) or not isinstance(test.comparators[0], gast.Constant):
        return
    held, bound = facts.env.get(test.left.id), test.comparators[0].value
    if type(bound) is not int or not isinstance(held, Lane) or held.poly is None:
        return
    least = bound + 1 if isinstance(test.ops[0], gast.Gt) else bound
    if isinstance(test.ops[0], (gast.Gt, gast.GtE)) and len(held.poly.symbols) == 1:
        [name] = held.poly.symbols
        if held.poly == symbol(name):
            facts.symbols.low[name] = number(least)


def assign(facts: Facts, scope: Scope, node: Any) -> None:
    """After an assignment between the loops."""
    if isinstance(node, gast.AugAssign):
        if isinstance(node.target, gast.Name):
            held = facts.env.get(node.target.id)
            if isinstance(held, Arr):
                return
            template = quote.expr("a + b", a=quote.name(node.target.id), b=node.value)
            template.op = node.op  # type: ignore[attr-defined]
            facts.env[node.target.id] = _stored(
                facts, node.target.id, value(facts, scope, template)
            )
        return
    if isinstance(node, gast.AnnAssign):
        forget(facts, node)
        return
    for target in node.targets:
        if isinstance(target, gast.Name):
            if len(node.targets) > 1 and isinstance(node.value, (gast.List, gast.ListComp)):
                facts.env[target.id] = None
                continue
            facts.env[target.id] = _stored(facts, target.id, value(facts, scope, node.value))
        elif isinstance(target, gast.Tuple):
            _unpack(facts, scope, target, node.value)
        elif isinstance(target, gast.Subscript):
            continue
        else:
            forget(facts, node)


def note_elements(facts: Facts, node: Any) -> None:
    """After an assignment: ``last = x[0]`` holds that element, until something is stored."""
    names: list[Any] = [node.target] if not isinstance(node, gast.Assign) else node.targets
    if not all(isinstance(t, gast.Name) for t in names) or isinstance(node, gast.AugAssign):
        facts.elements.clear()
        return
    for target in names:
        facts.elements.pop(target.id, None)
        held = facts.env.get(target.id)
        if isinstance(held, Lane) and held.element is not None:
            facts.elements[target.id] = held.element


def _unpack(facts: Facts, scope: Scope, target: Any, source: Any) -> None:
    names = [t.id if isinstance(t, gast.Name) else None for t in target.elts]
    things: list[Thing] = [None] * len(names)
    if isinstance(source, gast.Tuple) and len(source.elts) == len(names):
        things = [value(facts, scope, e) for e in source.elts]
    elif isinstance(source, gast.Attribute) and source.attr == "shape":
        arr = value(facts, scope, source.value)
        if isinstance(arr, Arr) and arr.rank == len(names):
            things = [Lane(None, (), 1, dim) for dim in arr.dims]
    for name, thing in zip(names, things, strict=True):
        if name is not None:
            facts.env[name] = _stored(facts, name, thing)
    for part in target.elts:
        if not isinstance(part, gast.Name):
            for name in assigned_names(part):
                facts.env[name] = None


def _stored(facts: Facts, name: str, thing: Thing) -> Thing:
    if isinstance(thing, Lane):
        return replace(thing, expr=quote.name(name), factors=None, again=None)
    return thing


def bind_target(facts: Facts, scope: Scope, node: gast.For) -> None:
    """The target of a loop that stays, at the start of each turn."""
    for name in assigned_names(node.target):
        facts.env[name] = None
    call: Any = node.iter
    if scope.called(call) is not range:
        return
    if not isinstance(node.target, gast.Name) or call.keywords:
        return
    ends = [value(facts, scope, arg) for arg in call.args]
    if not all(isinstance(e, Lane) and e.poly is not None for e in ends):
        return
    symbols = facts.symbols
    sym = symbols.new(node.target.id)
    polys: list[Poly] = [e.poly for e in ends]  # type: ignore[union-attr, misc]
    low, stop, step = range_ends(polys)
    if step is not None and step > 0:
        symbols.low[sym], symbols.high[sym] = low, stop - 1
    elif step is not None and step < 0:
        symbols.low[sym], symbols.high[sym] = stop + 1, low
    name = node.target.id
    facts.env[name] = Lane(quote.name(name), (), 1, symbol(sym))


def value(facts: Facts, scope: Scope, node: Any) -> Thing:
    """What an expression between the loops is; None where that is not known."""
    if isinstance(node, gast.Name):
        return facts.env.get(node.id)
    if isinstance(node, gast.List) and not node.elts:
        return Fresh(facts.symbols.new("list"))
    if scope.called(node) is np.random.default_rng:
        return Stream(facts.symbols.new("stream"))
    try:
        array = _array(facts, scope, node)
    except Unsupported:
        array = None
    if array is not None:
        return array
    return _number(facts, scope, node)


def _number(facts: Facts, scope: Scope, node: Any) -> Lane | None:
    nest = Nest(facts.copy(), Namer(), scope)
    if isinstance(node, (gast.Compare, gast.BoolOp)):
        try:
            lane = truth(nest, node)
        except Unsupported:
            return None
        return None if lane.axes else lane
    if isinstance(node, gast.Call):
        return _result(facts, scope, node, nest)
    try:
        lane = evaluate(nest, node)
    except Unsupported:
        return None
    if lane.poly is None and type(lane.sample) is int:
        lane = replace(lane, poly=symbol(facts.symbols.new("n")))
    return lane


def _result(facts: Facts, scope: Scope, node: gast.Call, nest: Any) -> Lane | None:
    """The type of a call's number."""
    obj = scope.find(node.func)
    if obj is len and len(node.args) == 1:
        arr = value(facts, scope, node.args[0])
        return Lane(None, (), 1, arr.dims[0]) if isinstance(arr, Arr) else None
    if obj in (max, min, sum) and len(node.args) == 1 and isinstance(node.args[0], gast.Name):
        held = facts.env.get(node.args[0].id)
        if isinstance(held, Arr) and held.rank == 1 and obj is not sum:
            return Lane(None, (), held.dtype.type(1))
        return None
    if obj is float and len(node.args) == 1:
        return Lane(None, (), 0.5)
    if isinstance(obj, type) and issubclass(obj, (np.floating, np.integer)):
        given = node.args[0] if len(node.args) == 1 and not node.keywords else None
        held = value(facts, scope, given) if given is not None else None
        return Lane(None, (), obj(1)) if isinstance(held, Lane) else None
    if obj is int and len(node.args) == 1:
        return Lane(None, (), 1, symbol(facts.symbols.new("n")))
    if getattr(obj, "__module__", None) == "math" and obj not in (math.floor, math.ceil):
        if obj in (math.isnan, math.isinf, math.isfinite):
            return Lane(None, (), True)
        return Lane(None, (), 0.5)
    try:
        lane = evaluate(nest, node)
    except Unsupported:
        return None
    return None if lane.axes else lane


_MAKERS: dict[Any, int] = {np.zeros: 1, np.ones: 1, np.empty: 1, np.full: 2}
_LIKE: tuple[Any, ...] = (np.zeros_like, np.empty_like, np.ones_like)


def _array(facts: Facts, scope: Scope, node: Any) -> Arr | None:
    if isinstance(node, gast.Call):
        obj = scope.find(node.func)
        keywords = {k.arg: k.value for k in node.keywords}
        if callable(obj) and any(obj is m for m in _MAKERS) and set(keywords) <= {"dtype"}:
            return _made(facts, scope, node, obj, keywords)
        if obj in _LIKE and len(node.args) == 1 and set(keywords) <= {"dtype"}:
            base = value(facts, scope, node.args[0])
            if isinstance(base, Arr):
                dtype = _dtype(scope, keywords["dtype"]) if keywords else base.dtype
                return None if dtype is None else _new(facts, node, dtype, base.dims)
        if (
            isinstance(node.func, gast.Attribute) and node.func.attr == "copy"
            and not node.args and not keywords
        ):  # fmt: skip
            base = value(facts, scope, node.func.value)
            return _new(facts, node, base.dtype, base.dims) if isinstance(base, Arr) else None
        return None
    if isinstance(node, gast.Subscript):
        return _view(facts, scope, node)
    if isinstance(node, gast.BinOp):
        left, right = value(facts, scope, node.left), value(facts, scope, node.right)
        arrays = [t for t in (left, right) if isinstance(t, Arr)]
        if not arrays or left is None or right is None:
            return None
        if not all(isinstance(t, (Arr, Lane)) for t in (left, right)):
            return None
        if len(arrays) == 2 and arrays[0].dims != arrays[1].dims:
            return None
        fn = BINARY.get(type(node.op))
        samples = [
            np.ones(2, t.dtype) if isinstance(t, Arr) else t.sample  # type: ignore[union-attr]
            for t in (left, right)
        ]
        if fn is None:
            return None
        try:
            dtype = fn(*samples).dtype
        except Exception:
            return None
        return _new(facts, node, dtype, arrays[0].dims)
    return None


def _new(facts: Facts, node: Any, dtype: Any, dims: tuple[Poly, ...]) -> Arr:
    """A new array, named by its place in the text; one that the place made before is an older."""
    site = f"made at {getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}"
    for name, thing in facts.env.items():
        if isinstance(thing, Arr) and site in thing.roots:
            roots = thing.roots - {site} | {"older, " + site}
            facts.env[name] = replace(thing, roots=roots)
    return Arr(facts.symbols.new("array"), dtype, dims, frozenset({site}))


def _made(facts: Facts, scope: Scope, node: Any, obj: Any, keywords: Any) -> Arr | None:
    given = list(node.args)
    if not given:
        return None
    shape: Any = given[0].elts if isinstance(given[0], gast.Tuple) else [given[0]]
    sizes = [value(facts, scope, s) for s in shape]
    if isinstance(given[0], gast.Attribute) and given[0].attr == "shape":
        like = value(facts, scope, given[0].value)
        sizes = [Lane(None, (), 1, d) for d in like.dims] if isinstance(like, Arr) else [None]
    if not all(isinstance(s, Lane) and s.poly is not None for s in sizes):
        return None
    rest = given[_MAKERS[obj] :]
    dtype: Any = np.dtype(float)
    if obj is np.full:
        if len(given) < 2:
            return None
        fill = value(facts, scope, given[1])
        if not isinstance(fill, Lane):
            return None
        dtype = np.asarray(fill.sample).dtype
    if rest or keywords:
        dtype = _dtype(scope, rest[0] if rest else keywords["dtype"])
    if dtype is None or dtype.kind not in "biuf":
        return None
    return _new(facts, node, dtype, tuple(s.poly for s in sizes))  # type: ignore[union-attr, misc]


def _dtype(scope: Scope, node: Any) -> Any:
    obj = scope.find(node)
    if isinstance(node, gast.Constant) and isinstance(node.value, str):
        obj = node.value
    try:
        return np.dtype(obj) if obj is not None else None  # type: ignore[call-overload]
    except TypeError:
        return None


def _view(facts: Facts, scope: Scope, node: Any) -> Arr | None:
    """``x[a:]`` and ``x[a:b]`` of one axis."""
    base = value(facts, scope, node.value)
    if not isinstance(base, Arr) or not isinstance(node.slice, gast.Slice):
        return None
    cut = node.slice
    symbols = facts.symbols
    key = symbols.new("view")
    size = symbols.length(key, 0)
    if cut.step is None and cut.upper is None and cut.lower is not None:
        low = value(facts, scope, cut.lower)
        if isinstance(low, Lane) and low.poly is not None and symbols.at_least(low.poly, 0):
            size = symbols.extreme("max", base.dims[0] - low.poly, number(0))
    return Arr(key, base.dtype, (size, *base.dims[1:]), base.roots)
