"""The user's constant tables: tuples, lists, dicts and sets that are the same for every lane."""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.facts import Fact, NoCommonType, join, scalar_fact
from autovec.program.scope import plain
from autovec.program.things import Known, Once, Seq, Thing, describe
from autovec.program.values import Item, Value
from autovec.syntax import quote

#: a table up to this length may be compiled in, item by item
SMALL = 64


def item_path(b: Builder, base: Known, key: Any, node: gast.AST | None) -> Thing:
    """``TABLE[key]`` with a literal key: read at every call, its type known now."""
    if type(base.obj) not in (tuple, list, dict) and not (
        isinstance(base.obj, tuple) and hasattr(base.obj, "_fields")
    ):
        raise Unsupported(node, f"an item of {describe(base)}", "reading it would run code")
    try:
        obj = base.obj[key]
    except LookupError as e:
        raise Unsupported(node, f"key {key!r}", f"Python raises {type(e).__name__}") from None
    if base.expr is None:
        return literal_thing(b, obj)
    expr = quote.expr("base[key]", base=base.expr, key=quote.const(key))
    return b.path(expr, obj)


def literal_thing(b: Builder, obj: Any) -> Thing:
    """An object that has no expression of its own, as literals."""
    if obj is None or callable(obj):
        return Known(obj)
    if scalar_fact(obj) is not None and isinstance(obj, (bool, int, float, complex, str)):
        return b.const(obj)
    if type(obj) in (tuple, list) and len(obj) <= SMALL:
        return Seq(tuple(literal_thing(b, v) for v in obj), type(obj))
    return Known(obj)


def table_fact(items: Any) -> Fact:
    """The join of the facts of a table's scalars."""
    fact: Fact | None = None
    for item in items:
        one = scalar_fact(item)
        if one is None:
            raise NoCommonType(type(item).__name__)
        fact = one if fact is None else join(fact, one)
    if fact is None:
        raise NoCommonType("no items")
    return fact


def as_sequence(b: Builder, thing: Known) -> Thing:
    """A small tuple or list as a sequence of its items, each still read at run time."""
    cls = type(thing.obj) if hasattr(type(thing.obj), "_fields") else None
    if (cls or type(thing.obj) in (tuple, list)) and len(thing.obj) <= SMALL:
        items = tuple(item_path(b, thing, k, None) for k in range(len(thing.obj)))
        return Seq(items, list if type(thing.obj) is list else tuple, cls)
    return thing


def keys_of(b: Builder, thing: Known, node: gast.AST) -> Seq:
    """A dict's keys or a set's items, compiled in (they are part of the signature)."""
    if len(thing.obj) > SMALL * 4:
        raise Unsupported(
            node, f"a set of {len(thing.obj)} items", "look-ups in large tables loop for now"
        )
    b.capture(thing.expr, thing.obj)  # of a set and of a dict's keys the values count anyway
    items = list(thing.obj)
    try:
        items.sort()
    except TypeError:
        items.sort(key=repr)
    return Seq(tuple(literal_thing(b, v) for v in items))


def loop_item(b: Builder, items: Any) -> Thing:
    """What a loop over a table's items sees: one thing with the facts of all of them."""
    shapes = [fact_tree(item) for item in items]
    tree = shapes[0]
    for other in shapes[1:]:
        tree = join_trees(tree, other)
    return tree_thing(tree, b.line, plain(list(items)))


def fact_tree(obj: Any) -> Any:
    """A tuple of facts for a tuple, a fact for a scalar."""
    if type(obj) in (tuple, list):
        return (type(obj), [fact_tree(v) for v in obj])
    fact = scalar_fact(obj)
    if fact is None:
        raise NoCommonType(type(obj).__name__)
    return fact


def join_trees(a: Any, b: Any) -> Any:
    """The join of two such trees, of the same shape."""
    if isinstance(a, Fact) and isinstance(b, Fact):
        return join(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple) and a[0] is b[0] and len(a[1]) == len(b[1]):
        return (a[0], [join_trees(x, y) for x, y in zip(a[1], b[1], strict=True)])
    raise NoCommonType("items of different shapes")


def tree_thing(tree: Any, line: int, numbers: int) -> Thing:
    """Fresh loop variables for such a tree, ``numbers`` so plain."""
    if isinstance(tree, Fact):
        value = Value(Item(), (), tree, None, line)
        value.plain = numbers
        return value
    return Seq(tuple(tree_thing(t, line, numbers) for t in tree[1]), tree[0])


class DictView:
    """``TABLE.items()``, ``keys()`` or ``values()`` of a constant dict, for a loop to run over."""

    def __init__(self, table: Known, attr: str) -> None:
        self.table = table
        self.attr = attr

    def items(self) -> list[Any]:
        """What the loop sees, as it is now."""
        return list(getattr(self.table.obj, self.attr)())


class TableSlice:
    """``TABLE[:n]`` of a constant table by uniform bounds, for a loop to run over."""

    def __init__(self, table: Known, bounds: tuple[Value | None, ...]) -> None:
        self.table = table
        self.bounds = bounds

    def __bool__(self) -> bool:
        raise TypeError("whether it is empty is known when the text runs")


def unpacked(b: Builder, thing: Thing) -> Thing:
    """A small constant table, or an iterator that ends here, as the sequence of its items."""
    if isinstance(thing, Once):
        return Seq(thing.items)
    return as_sequence(b, thing) if isinstance(thing, Known) else thing
