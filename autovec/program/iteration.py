"""What a loop runs over: its template in the emitted text, what its target sees, its items."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.arrays.items import elements
from autovec.program.arrays.operands import is_array
from autovec.program.arrays.standins import static
from autovec.program.binding import called_object
from autovec.program.build import Builder
from autovec.program.facts import NoCommonType, scalar_fact
from autovec.program.intervals import interval
from autovec.program.lists import changed_names
from autovec.program.marks import Mark
from autovec.program.nodes import Node
from autovec.program.rows import iterated_items
from autovec.program.signatures import fitting
from autovec.program.tables import (
    SMALL,
    DictView,
    TableSlice,
    as_sequence,
    literal_thing,
    loop_item,
)
from autovec.program.things import Known, Map, Once, Range, Row, Seq, Thing, describe, literal
from autovec.program.truth import harmless_node
from autovec.program.values import Const, Item, Value

#: rows of an array up to this many are written out where they have to be
FEW = 8
UNKNOWN_LENGTH = "a sequence whose length is not known"
#: an iterable's template, the target's thing (None: only unrolled), its items if known, one trip?
Parts = tuple[str, Thing | None, tuple[Thing, ...] | None, bool]


@dataclass
class Iterated:
    """What a ``for`` runs over: the emitted loop's template, what its target sees, the items."""

    text: str
    params: tuple[str, ...]
    args: tuple[Value, ...]
    target: Thing | None
    items: tuple[Thing, ...] | None
    at_least_one: bool
    exprs: dict[str, gast.expr]


class Names:
    """Parameter names for the parts of an iterable's template."""

    def __init__(self) -> None:
        self.params: list[str] = []
        self.args: list[Value] = []
        self.exprs: dict[str, gast.expr] = {}

    def value(self, v: Value) -> str:
        """A value's place in the template."""
        name = f"a{len(self.params)}"
        self.params.append(name)
        self.args.append(v)
        return name

    def expr(self, e: gast.expr) -> str:
        """An expression's place in the template."""
        name = f"e{len(self.exprs)}"
        self.exprs[name] = e
        return name


def iterated(
    b: Builder, node: gast.expr, unseen: Callable[[Node], bool] | None = None
) -> Iterated:
    """What a loop over this expression runs over.

    The items of an iterator are all computed before the first is used: where not all of them may
    be asked for, or something is done between two, that has to be ``unseen``.
    """
    names, mark = Names(), len(b.block.nodes)
    text, target, items, some = parts(b, node, names)
    if unseen and is_lazy(b, node) and not all(map(unseen, b.block.nodes[mark:])):
        why = "the next is computed when it is asked for"
        raise Unsupported(node, "a loop over an iterator whose items can fail", why)
    return Iterated(text, tuple(names.params), tuple(names.args), target, items, some, names.exprs)


def wrapped_items(b: Builder, node: gast.Call, function: Any) -> list[Thing]:
    """The items of ``zip(...)`` and its kin, by whatever name it is called."""
    names = Names()
    items = _WRAPPERS[id(function)](b, node, names)[2]
    if items is None:
        raise Unsupported(node, UNKNOWN_LENGTH, "only fixed sequences are unrolled")
    return list(items)


def parts(b: Builder, node: gast.expr, names: Names) -> Parts:
    """The parts of an expression that is looped over."""
    if (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Name)
        and node.func.id not in b.env
    ):
        obj = b.scope.lookup(node.func.id)
        made = _WRAPPERS.get(id(obj)) if callable(obj) else None
        if made is not None and not any(isinstance(a, gast.Starred) for a in node.args):
            fitting(obj, node)
            return made(b, node, names)
    if isinstance(node, gast.Call) and not any(isinstance(a, gast.Starred) for a in node.args):
        kept = as_written(b, node, names)
        if kept is not None:
            return kept
    return over(b, b.iterable(node), node, names)


def as_written(b: Builder, node: gast.Call, names: Names) -> Parts | None:
    """A loop over a call of ``itertools`` stays, if what it runs over can stay in the text."""
    obj = called_object(b, node.func)
    seen = _LOOPED.get(id(obj))
    if seen is None or changed_names(b, node):  # its parts are looked at twice
        return None
    fitting(obj, node)
    over_all = obj is itertools.product
    sequences = node.args if over_all else node.args[:1]
    mark = Mark(b)
    try:
        tried = [parts(b, a, Names()) for a in sequences]
    except Unsupported:
        return None
    finally:
        mark.restore(b)
    targets = tuple(t[1] for t in tried if t[0] and t[1] is not None)
    if len(targets) < len(tried):
        return None
    target = seen(b, node, targets)
    found = [parts(b, a, names) for a in sequences]
    texts = [f[0] for f in found]
    texts += [repr(literal(b.expr(a))) for a in node.args[len(sequences) :]]
    texts += [f"{k.arg}={literal(b.expr(k.value))!r}" for k in node.keywords]
    b.expr(node.func)  # which captures its module
    items = None
    if all(f[2] is not None for f in found):
        whole = b.iterable(node)
        items = whole.items if isinstance(whole, Once) and len(whole.items) <= SMALL else None
    return f"{names.expr(node.func)}({', '.join(texts)})", target, items, bool(items)


def over(b: Builder, thing: Thing, node: gast.expr, names: Names) -> Parts:
    """A loop over a thing."""
    if isinstance(thing, Range):
        return over_range(b, thing, node, names)
    if isinstance(thing, Row):
        thing = iterated_items(b, thing, node)
    if isinstance(thing, Map):
        thing = Seq(tuple(b.const(k) for k in thing.items))
    if isinstance(thing, (Seq, Once)):
        return "", None, thing.items, bool(thing.items)
    if isinstance(thing, Known) and isinstance(thing.obj, TableSlice):
        whole = thing.obj.table
        b.capture(whole.expr, whole.obj)
        low, high, step = ("" if v is None else names.value(v) for v in thing.obj.bounds)
        text = f"[{low}:{high}:{step}]" if step else f"[{low}:{high}]"
        assert whole.expr is not None
        return f"{names.expr(whole.expr)}{text}", target_of(b, list(whole.obj)), None, False
    if isinstance(thing, Known) and isinstance(thing.obj, DictView):
        view = thing.obj
        table = view.table
        b.capture(table.expr, table.obj)
        found = [literal_thing(b, v) for v in view.items()]
        target = target_of(b, view.items())
        if table.expr is None:
            return "", None, tuple(found), bool(found)
        return f"{names.expr(table.expr)}.{view.attr}()", target, tuple(found), bool(found)
    if isinstance(thing, Known) and _is_table(thing.obj):
        b.capture(thing.expr, thing.obj)
        listed = list(thing.obj)
        items: tuple[Thing, ...] | None = None
        if len(listed) <= SMALL and not isinstance(thing.obj, dict):
            seq = as_sequence(b, thing)
            items = seq.items if isinstance(seq, Seq) else None
        elif isinstance(thing.obj, dict) and len(listed) <= SMALL:
            items = tuple(literal_thing(b, v) for v in listed)
        if thing.expr is None:
            return "", None, items, bool(listed)
        return names.expr(thing.expr), target_of(b, listed), items, bool(listed)
    if isinstance(thing, Value) and thing.fact.kind == "U" and isinstance(thing.op, Const):
        items = tuple(b.const(c) for c in thing.op.value)
        return "", None, items, bool(items)
    if is_array(thing):
        written = elements(b, b.as_value(thing, node), node, FEW)
        if written is not None:
            return "", None, written.items, bool(written.items)
    raise Unsupported(node, f"a loop over {describe(thing)}", "its length or items are not known")


def _is_table(obj: Any) -> bool:
    return type(obj) in (tuple, list, dict) or hasattr(type(obj), "_fields")


def target_of(b: Builder, listed: list[Any]) -> Thing | None:
    """One thing with the facts of all items; None when they have no common type."""
    if not listed:
        return None
    try:
        return loop_item(b, listed)
    except NoCommonType:
        return None


def over_range(b: Builder, thing: Range, node: gast.AST, names: Names) -> Parts:
    """``range`` with uniform bounds."""
    if any(v.varying for v in thing.args):
        raise Unsupported(
            node,
            "a trip count that differs between lanes",
            "lanes that leave a loop one by one come later",
        )
    text = f"range({', '.join(names.value(v) for v in thing.args)})"
    bounds = [v for v in map(static, thing.args) if isinstance(v, int)]
    items: tuple[Thing, ...] | None = None
    some = False
    if len(bounds) == len(thing.args):
        known = range(*bounds)
        some = len(known) > 0
        if len(known) <= SMALL:
            items = tuple(b.const(k) for k in known)
    item = Value(Item(), (), scalar_fact(0), None, b.line)  # type: ignore[arg-type]
    item.plain = int(not thing.args[1:] or (interval(thing.args[0])[0] >= 0 and not thing.args[2:]))
    return text, item, items, some


def _enumerate(b: Builder, node: gast.Call, names: Names) -> Parts:
    text, target, items, some = parts(b, node.args[0], names)
    start_node = (
        node.args[1]
        if len(node.args) > 1
        else next((k.value for k in node.keywords if k.arg == "start"), None)
    )
    start = b.value(start_node) if start_node is not None else b.const(0)
    if start.varying:
        raise Unsupported(node, "enumerate from a varying start", "")
    counter = Value(Item(), (), scalar_fact(0), None, b.line)  # type: ignore[arg-type]
    counter.plain = int(interval(start)[0] >= 0)
    whole = Seq((counter, target)) if target is not None else None
    first = literal(start)
    both: tuple[Thing, ...] | None = None
    if items is not None and isinstance(first, int):
        both = tuple(Seq((b.const(first + k), t)) for k, t in enumerate(items))
    tail = "" if first == 0 else f", {names.value(start)}"
    return f"enumerate({text}{tail})", whole, both, some


def _zip(b: Builder, node: gast.Call, names: Names) -> Parts:
    found = [parts(b, a, names) for a in node.args]
    strict = literal(b.expr(node.keywords[0].value)) if node.keywords else False
    if not isinstance(strict, bool):
        raise Unsupported(node, "zip with such a strict", "it is not known while compiling")
    targets = [f[1] for f in found if f[1] is not None]
    known = [f[2] for f in found if f[2] is not None]
    target = Seq(tuple(targets)) if found and len(targets) == len(found) else None
    items = None
    if len(known) == len(found):
        if strict and len({len(row) for row in known}) > 1:
            raise Unsupported(node, "zip of other lengths", "Python raises ValueError")
        items = tuple(Seq(row) for row in zip(*known, strict=False))
    texts = [f[0] for f in found] + ["strict=True"] * strict
    return f"zip({', '.join(texts)})", target, items, all(f[3] for f in found)


def _reversed(b: Builder, node: gast.Call, names: Names) -> Parts:
    if makes_iterator(b, node.args[0]):
        raise Unsupported(node, "reversed of an iterator", "Python raises TypeError")
    text, target, items, some = parts(b, node.args[0], names)
    return f"reversed({text})", target, None if items is None else tuple(reversed(items)), some


def makes_iterator(b: Builder, node: gast.expr) -> bool:
    """Is it a generator expression, or a call of what gives an iterator?"""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return isinstance(node, gast.GeneratorExp)
    obj = None if node.func.id in b.env else b.scope.lookup(node.func.id)
    return any(obj is f for f in (enumerate, zip, reversed, map, filter, iter))


def is_lazy(b: Builder, node: gast.expr) -> bool:
    """Does an iterator compute its items one by one?"""
    if isinstance(node, gast.GeneratorExp):
        return True
    if not isinstance(node, gast.Call):
        return False
    if isinstance(node.func, gast.Name) and node.func.id not in b.env:
        obj = b.scope.lookup(node.func.id)
        if any(obj is f for f in (tuple, list, sorted, sum, min, max)):
            return False
        if obj is map or obj is filter:
            return True
    if called_object(b, node.func) in (itertools.accumulate, itertools.starmap):
        return True
    return any(is_lazy(b, a) for a in node.args)


def _same(b: Builder, node: gast.Call, names: Names) -> Parts:
    if len(node.args) != 1 or node.keywords:
        raise Unsupported(node, "a loop over this call", "its length or items are not known")
    return parts(b, node.args[0], names)


_WRAPPERS: dict[int, Callable[[Builder, gast.Call, Names], Parts]] = {
    id(enumerate): _enumerate,
    id(zip): _zip,
    id(reversed): _reversed,
    id(tuple): _same,
    id(list): _same,
    id(iter): _same,
}


#: builds what the target of a loop over a call sees, from what it would see of the arguments
Seen = Callable[[Builder, gast.Call, tuple[Thing, ...]], Thing]
_LOOPED: dict[int, Seen] = {}


def looped_over(*functions: Any) -> Callable[[Seen], Seen]:
    """Register what a loop over a call of these functions sees."""

    def register(seen: Seen) -> Seen:
        _LOOPED.update({id(f): seen for f in functions})
        return seen

    return register


def sequence_items(b: Builder, node: gast.expr, stops: bool = False) -> list[Thing]:
    """The items of a sequence of fixed length; ``stops``: not all of them may be asked for."""
    if isinstance(node, (gast.GeneratorExp, gast.ListComp)):
        thing = b.iterable(node)
        if isinstance(thing, (Seq, Once)):
            return list(thing.items)
        raise Unsupported(node, UNKNOWN_LENGTH, "its length would differ between lanes")
    it = iterated(b, node, harmless_node if stops else None)
    if it.items is None:
        raise Unsupported(node, UNKNOWN_LENGTH, "only fixed sequences are unrolled")
    return list(it.items)
