"""Look-ups: an item of a table that is the same for every lane, at an index or key that differs.

The table becomes an array, the look-up an index: ``RATES[k]`` is ``np.array(RATES)[k]``.  A dict is
read at the places of its keys, ``np.array(list(RATES.values()))[key_index(RATES, zone)]``.  Rows of
a table are not made where one item of them is read: ``T[i][j]`` is one index, ``T[i][0]`` one
column.  All text reads the table anew at every call.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.agreement import has_unknown, written_dtype
from autovec.program.build import Builder
from autovec.program.comparisons import ordered
from autovec.program.facts import OBJECT, UNKNOWN, Fact, NoCommonType, join, storage
from autovec.program.gathers import Index, Lookup, as_index, finished
from autovec.program.intervals import within
from autovec.program.keys import column_fact, lanes_of, parts_of, place
from autovec.program.numbers import whole
from autovec.program.things import (
    NOT_LITERAL,
    Known,
    Seq,
    Thing,
    describe,
    literal,
)
from autovec.program.truth import truth_fact
from autovec.program.values import Operation, Path, Value

#: a table nested deeper is not looked at closely enough at every call
_LEVELS = 3
_NAMES = ("row", "cell", "entry")
_SEQUENCES = (tuple, list)


def start(b: Builder, base: Known, node: gast.AST) -> Lookup:
    """A table of the user's, nothing looked up in it yet."""
    if base.expr is None:
        raise Unsupported(node, f"an item of {describe(base)}", "it has no name to read it by")
    root = b.capture(base.expr, base.obj)
    table = Value(Path(base.expr, root), (), Fact(OBJECT, shape=(UNKNOWN,)))
    return Lookup("table", (("table", table),), (base.obj,))


def is_table(thing: Thing) -> bool:
    """Is it a tuple, list, dict or namedtuple of the user's?"""
    if not isinstance(thing, Known):
        return False
    return type(thing.obj) in (*_SEQUENCES, dict) or hasattr(type(thing.obj), "_fields")


def extended(b: Builder, row: Lookup, index: Thing, node: gast.AST) -> Lookup:
    """One more key or index."""
    key: Any = literal(index)
    if key is not NOT_LITERAL or _literal_tuple(index):
        return _at_literal(row, index, node)
    if all(type(o) is dict for o in row.objects):
        return _at_key(b, row, index, node)
    if not all(isinstance(o, _SEQUENCES) for o in row.objects) or not isinstance(index, Value):
        raise Unsupported(node, "an item of what a table holds", "it is no sequence or dict")
    items = tuple(item for o in row.objects for item in o)
    index = whole(b, index) or index
    if index.fact.kind not in "biu":
        raise Unsupported(node, f"{describe(index)} as an index", "Python raises TypeError")
    # inside try, and to choose among functions, a uniform index is told apart like any other
    plain = not index.varying and not row.indices and not b.attempts
    if plain and not all(map(callable, items)):
        name = f"u{len(row.table)}"
        return replace(
            row, text=f"{row.text}[{name}]", table=(*row.table, (name, index)), objects=items
        )
    lengths = {len(o) for o in row.objects}
    if len(lengths) > 1 or not items:
        raise Unsupported(node, "an index into rows of other lengths", "no array holds them")
    (length,) = lengths
    made = Index(as_index(b, index, node), length, within(index, length))
    return replace(row, objects=items, indices=(*row.indices, made), levels=(*row.levels, ""))


def _literal_tuple(index: Thing) -> bool:
    return isinstance(index, Seq) and all(literal(t) is not NOT_LITERAL for t in index.items)


def _at_literal(row: Lookup, index: Thing, node: gast.AST) -> Lookup:
    key: Any = literal(index)
    if isinstance(index, Seq):
        key = tuple(literal(t) for t in index.items)
    try:
        objects = tuple(o[key] for o in row.objects if type(o) is not str)
    except (LookupError, TypeError) as e:
        raise Unsupported(node, f"key {key!r}", f"Python raises {type(e).__name__}") from None
    if len(objects) < len(row.objects):
        raise Unsupported(node, "a character of a string", "strings are not cut lane by lane")
    step = f"[{key!r}]"
    if row.indices:
        return replace(row, objects=objects, levels=(*row.levels[:-1], row.levels[-1] + step))
    return replace(row, objects=objects, text=row.text + step)


def _at_key(b: Builder, row: Lookup, key: Thing, node: gast.AST) -> Lookup:
    """A dict at a key: its values at the place of the key."""
    keys = list(row.objects[0])
    values = tuple(v for o in row.objects for v in o.values())
    if row.indices:
        raise Unsupported(node, "a key into dicts of a table", "each has places of its own")
    parts = parts_of(key, keys, node) if keys else ()
    apart = bool(b.attempts) or (bool(values) and all(map(callable, values)))
    if not apart and not any(part.varying for part in parts):
        names = tuple(f"u{len(row.table) + k}" for k in range(len(parts)))
        table = (*row.table, *zip(names, parts, strict=True))
        return replace(row, text=f"{row.text}[{', '.join(names)}]", table=table, objects=values)
    if any(list(o) != keys for o in row.objects):
        raise Unsupported(node, "a key into dicts with other keys", "each has places of its own")
    at = place(b, row.text, row.table, parts, node, "KeyError")
    return valued(row, at, len(keys))


def valued(row: Lookup, at: Value, count: int) -> Lookup:
    """The values of a dict at the places ``at`` of its keys."""
    values = tuple(v for o in row.objects for v in o.values())
    return replace(
        row, text=f"list({row.text}.values())", objects=values,
        indices=(Index(at, count, True),), levels=("",),
    )  # fmt: skip


def default_of(b: Builder, row: Lookup, at: Value, default: Thing, node: gast.AST) -> Value | None:
    """``RATES.get(k, 0.0)`` as one array with the default last, where the place -1 is."""
    values = tuple(v for o in row.objects for v in o.values())
    if not isinstance(default, Value) or default.varying:
        return None
    try:
        fact = join(column_fact(values), default.fact)
    except NoCommonType:
        return None
    names = (*(name for name, _ in row.table), "default")
    text = f"np.array([*{row.text}.values(), default])"
    if has_unknown(default):
        return None
    one = np.ones(1, storage(default.fact))[0]  # type: ignore[arg-type]
    sample = np.array([*values, one]).dtype
    if fact.kind != "U" and sample != storage(fact):
        text = f"{text[:-1]}, {written_dtype(storage(fact), node)})"
    op = Operation("array", names, text, text, total=True)
    entries = replace(fact, shape=(UNKNOWN,))
    array = b.apply(op, *(v for _, v in row.table), default, node=node, fact=entries)
    item = Operation("item", ("a", "i"), "a[i]", "a[i]", cost=3, number="python", total=True)
    lanes = lanes_of([at])
    return b.apply(item, array, at, node=node, fact=replace(fact, lanes=lanes))


def got(b: Builder, base: Known, key: Thing, default: Thing, node: gast.AST) -> Thing:
    """``TABLE.get(key, default)``."""
    row = start(b, base, node)
    keys = list(base.obj)
    if not keys:
        return default
    parts = parts_of(key, keys, node)
    if not any(part.varying for part in parts):
        names = tuple(f"u{k}" for k in range(len(parts)))
        written = ", ".join(names) if len(names) == 1 else f"({', '.join(names)})"
        op = Operation("in", ("table", *names), "", f"{written} in table", total=True)
        found = b.apply(op, row.table[0][1], *parts, fact=truth_fact())

        def sure() -> Thing:
            return finished(b, _at_key(b, row, key, node), node)

    else:
        at = place(b, row.text, row.table, parts, node)
        plain = default_of(b, row, at, default, node)
        if plain is not None:
            return plain
        found = ordered(b, ">=", at, b.const(0), node)

        def sure() -> Thing:
            return finished(b, valued(row, at, len(keys)), node)

    result = b.branch(found, sure, lambda: default, node)
    assert result is not None
    return result
