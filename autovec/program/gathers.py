"""What was looked up in a table, as indices into arrays of its columns.

A look-up is a *row* until it is used: ``T[i][j]`` is one index into one array, ``T[i][0]`` an index
into one column, ``a, b = T[i]`` one into each of two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.rule import Raises
from autovec.program.build import Builder
from autovec.program.comparisons import ordered
from autovec.program.facts import FLOAT, UNKNOWN, Fact, NoCommonType, join, storage
from autovec.program.guards import operate
from autovec.program.intervals import interval
from autovec.program.keys import column_fact, lanes_of
from autovec.program.operators import AS_INT
from autovec.program.things import NONE, Chosen, Known, Map, Maybe, Seq, Thing
from autovec.program.truth import either, truth_fact
from autovec.program.values import Operation, Value

_NAMES = ("row", "cell", "entry")


@dataclass(frozen=True)
class Index:
    """An index into a sequence of some length; ``sure``: certainly within it."""

    value: Value
    length: int
    sure: bool


@dataclass(frozen=True)
class Lookup:
    """What has been looked up so far: ``text`` reads a part of the table by uniform indices.

    ``levels``: the literal keys read behind each index; ``objects``: what it may be; ``behind``: a
    check of its indices stands before, so it is not read earlier.
    """

    text: str
    table: tuple[tuple[str, Value], ...]
    objects: tuple[Any, ...]
    indices: tuple[Index, ...] = ()
    levels: tuple[str, ...] = ()
    behind: bool = False


def as_index(b: Builder, index: Value, node: gast.AST) -> Value:
    """A bool is an index, to NumPy it would be a mask."""
    if index.fact.kind == "b" and not index.fact.python:
        raise Unsupported(node, "NumPy's bool as an index", "to NumPy it would be a mask")
    return b.apply(AS_INT, index, node=node) if index.fact.kind == "b" else index


def out_of_range(name: str, index: Index, in_text: bool, message: str) -> Raises:
    """The IndexError of an index.  An uint64 beyond int64 would be negative to NumPy."""
    wraps = index.value.fact.dtype == np.dtype(np.uint64)
    low = "" if index.value.fact.kind == "u" else f"({name} < -{index.length}) | "
    high = f"{name} >= {index.length}"
    when = f"{low}({high})" if low else high
    return Raises("IndexError", when, message, always=True, in_text=in_text and not wraps)


def finished(b: Builder, row: Lookup, node: gast.AST) -> Thing:
    """The thing that was looked up, leaf by leaf."""
    found = Leaves(b, row, node)
    return found.thing(row.objects, "")


@dataclass
class Leaves:
    """Reads the leaves of what was looked up; the first of them raises for a bad index."""

    b: Builder
    row: Lookup
    node: gast.AST
    raised: bool = False

    def thing(self, objects: tuple[Any, ...], path: str) -> Thing:
        """The thing that any of these objects is."""
        first = objects[0]
        kind = type(first)
        if all(o is None for o in objects):
            self.check()
            return NONE
        if all(isinstance(o, kind) for o in objects) and isinstance(first, (tuple, list, dict)):
            return self.structure(objects, path)
        if all(map(callable, objects)):
            return self.functions(objects)
        if any(o is None for o in objects):
            return self.maybe(objects, path)
        try:
            fact = column_fact(objects)
        except NoCommonType as e:
            raise Unsupported(self.node, f"a look-up of {e}", "no array holds both") from None
        return self.leaf(path, fact, objects, "{}")

    def structure(self, objects: tuple[Any, ...], path: str) -> Thing:
        """A tuple, list or dict whose items are leaves again."""
        first = objects[0]
        keys: list[Any] = list(first) if isinstance(first, dict) else [*range(len(first))]
        same = all((list(o) if isinstance(o, dict) else [*range(len(o))]) == keys for o in objects)
        if not same or any(type(o) is not type(first) for o in objects):
            what = "a look-up of rows of other lengths or keys"
            raise Unsupported(self.node, what, "no array holds them")
        self.check()
        items = {k: self.thing(tuple(o[k] for o in objects), f"{path}[{k!r}]") for k in keys}
        own = frozenset([object()])
        self.b.foreign |= own  # the table's own list or dict: a store into it would stay there
        if isinstance(first, dict):
            return Map(items, own)
        if hasattr(type(first), "_fields"):
            return Seq(tuple(items.values()), tuple, type(first))
        return Seq(tuple(items.values()), type(first), objects=own)

    def maybe(self, objects: tuple[Any, ...], path: str) -> Thing:
        """None in some places: nan there, and where that is."""
        numbers = [o for o in objects if o is not None]
        try:
            fact = column_fact(numbers)
            fact = fact if fact.kind == "U" else join(fact, Fact(FLOAT, weak=True))
        except NoCommonType as e:
            raise Unsupported(self.node, f"a look-up of {e}", "no array holds both") from None
        self.check()
        nothing = "''" if fact.kind == "U" else "np.nan"
        value = self.leaf(path, fact, numbers, f"{nothing} if {{}} is None else {{}}")
        none = self.leaf(path, truth_fact(), [True], "{} is None")
        return Maybe(value, none)

    def functions(self, objects: tuple[Any, ...]) -> Thing:
        """One of several functions: a call is a branch on the index."""
        b, row = self.b, self.row
        if len(row.indices) != 1 or len(objects) != row.indices[0].length:
            raise Unsupported(self.node, "one of several functions", "which is not known")
        self.check()
        index = row.indices[0]
        *others, last = map(Known, objects)
        thing: Thing = last
        for k, other in reversed([*enumerate(others)]):
            test = ordered(b, "==", index.value, b.const(k), self.node)
            if interval(index.value)[0] < 0:
                end = b.const(k - index.length)
                test = either(b, test, ordered(b, "==", index.value, end, self.node))
            thing = Chosen(test, other, thing)
        return thing

    def check(self) -> None:
        """Raise for a bad index now: several leaves, or none, are read at it."""
        self.row = verified(self.b, self.row, self.node)

    def leaf(self, path: str, fact: Fact, items: Any, form: str) -> Value:
        """One scalar of what was looked up."""
        b, row = self.b, self.row
        names = tuple(name for name, _ in row.table)
        values = tuple(value for _, value in row.table)
        if not row.indices:
            if b.attempts and len(values) > 1:
                what = "an item of a table inside try"
                raise Unsupported(self.node, what, "its exception is not followed to the handler")
            text = form.replace("{}", row.text + path)
            op = Operation("item", names, text, text, impure=len(values) > 1 and not self.raised)
            self.raised = True
            return b.apply(op, *values, node=self.node, fact=fact)
        array = self.array(column(row, path, form), names, values, fact, items)
        sure = all(i.sure for i in row.indices)
        params = tuple(f"i{k}" for k in range(len(row.indices)))
        text = f"a[{', '.join(params)}]"
        op = Operation(
            "item", ("a", *params), text, f"{text}.item()" if fact.python else text,
            cost=3, number="python", total=sure and not row.behind, impure=not sure,
        )  # fmt: skip
        raises = () if sure else errors(row, params, in_text=True)
        args = (array, *(i.value for i in row.indices))
        return operate(b, op, raises, args, self.node, replace(fact, lanes=lanes_of(args)))

    def array(
        self, text: str, names: tuple[str, ...], values: tuple[Value, ...], fact: Fact, items: Any
    ) -> Value:
        """The table's column as an array."""
        dtype = storage(fact)
        natural = np.array([*items]).dtype
        extra = "" if fact.kind == "U" or natural == dtype else f", np.{dtype.name}"
        text = f"np.array({text}{extra})"
        op = Operation("array", names, text, text, total=len(values) == 1)
        return self.b.apply(op, *values, node=self.node, fact=replace(fact, shape=(UNKNOWN,)))


def errors(row: Lookup, params: tuple[str, ...], in_text: bool) -> tuple[Raises, ...]:
    """The IndexErrors of the indices that are not known to be good."""
    return tuple(
        out_of_range(name, index, in_text, "list index out of range")
        for name, index in zip(params, row.indices, strict=True)
        if not index.sure
    )


def verify(b: Builder, row: Lookup, node: gast.AST) -> None:
    """Raise for an index out of range now, whatever is read at it."""
    params = tuple(f"i{k}" for k in range(len(row.indices)))
    op = Operation("index", params, params[0], params[0], total=True)
    values = tuple(i.value for i in row.indices)
    operate(b, op, errors(row, params, in_text=False), values, node, values[0].fact)


def verified(b: Builder, row: Lookup, node: gast.AST) -> Lookup:
    """The same row, its indices looked at now."""
    if all(index.sure for index in row.indices):
        return row
    verify(b, row, node)
    checked = tuple(replace(index, sure=True) for index in row.indices)
    return replace(row, indices=checked, behind=True)


def column(row: Lookup, path: str, form: str) -> str:
    """A list of what stands at a path in every row: ``[row[0] for row in table]``."""
    levels = [*row.levels[:-1], row.levels[-1] + path]

    def listed(source: str, k: int) -> str:
        last = k + 1 == len(levels)
        if not any(levels[k:]) and form == "{}":
            return source
        name = _NAMES[min(k, len(_NAMES) - 1)]
        item = name + levels[k]
        inner = form.replace("{}", item) if last else listed(item, k + 1)
        over = source[5:-1] if source.startswith("list(") else source
        return f"[{inner} for {name} in {over}]"

    return listed(row.text, 0)
