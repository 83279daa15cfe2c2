"""The columns of a table that a program reads: each is an array of its own in the text.

    price = np.asarray(row["price"])
    zone = np.asarray(row["zone"], dtype=str)

After ``bind_columns`` the program has a parameter for each column that it reads, in place of the
table; ``Program.columns`` says how the text makes it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import gast

from autovec.program.facts import Rows
from autovec.program.nodes import reads, walk
from autovec.program.things import (
    Conflict,
    Map,
    Record,
    Row,
    Seq,
    Thing,
    leaves,
)
from autovec.program.values import Param, Path, Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN

Make = Callable[[Any, gast.expr], Thing]


def table_thing(arg: Rows, expr: gast.expr, make: Make) -> Thing:
    """What a function sees of a table: a row, or an instance of its class, column by column."""
    if arg.kind in ("dict", "frame", "record"):
        items = {
            key: make(column, quote.expr("row[key]", row=expr, key=constant(key)))
            for key, column in arg.columns.items()
        }
        label = None
        if arg.label is not None:
            label = make(arg.label, quote.expr("row.index", row=expr))
        return Row(items, kind=arg.kind, label=label)
    if arg.kind == "fields":
        fields = {
            key: make(column, quote.expr(f"row.{key}", row=expr))
            for key, column in arg.columns.items()
        }
        if issubclass(arg.cls, tuple):
            return Seq(tuple(fields.values()), tuple, arg.cls)
        return Record(arg.cls, fields)
    parts = (make(column, quote.expr("row[k]", row=expr, k=k)) for k, column in arg.columns.items())
    return Seq(tuple(parts), list if arg.kind == "list" else tuple)


def constant(key: Any) -> gast.expr:
    """A column's name as the text writes it; a tuple where the columns have several levels."""
    if isinstance(key, tuple):
        return quote.expr("(*parts,)", parts=[constant(k) for k in key])
    return quote.const(key)


def narrowed(thing: Thing, live: set[int]) -> Thing:
    """A row with those columns only that are read; one stays, for it tells how many there are.

    >>> from autovec.program.facts import FLOAT, Fact
    >>> price, size = (Value(Param(n), (), Fact(FLOAT, ("B",))) for n in ("price", "size"))
    >>> [*narrowed(Row({"price": price, "size": size}), {id(size)}).items]
    ['size']
    """
    if not isinstance(thing, Row):
        return thing
    kept = {k: t for k, t in thing.items.items() if any(id(v) in live for v in leaves(t))}
    if not any(v.varying for t in kept.values() for v in leaves(t)):
        for k, t in thing.items.items():
            if any(v.varying for v in leaves(t)):
                kept[k] = t
                break
    return replace(thing, items=kept)


def only_read(thing: Thing, given: Thing | None) -> Thing:
    """An argument with those columns that the helper's parameter has, where it is a row."""
    if isinstance(thing, Row) and isinstance(given, Row):
        return replace(thing, items={k: thing.items[k] for k in given.items})
    return thing


def bind_columns(
    program: Any, tables: Mapping[str, Rows] | None, live: set[int], taken: set[str]
) -> None:
    """Make each column that is read a parameter, under a name that the text does not need.

    The user's name for it, else the column's own.  ``tables`` is None for a helper, whose rows
    hold arrays already: a column of it that is read once stands where it is read.
    """
    if tables is None:
        bind_often(program, taken)
        return
    read: list[Value] = []
    for name in tables:
        read += [v for v in columns_of(program.things[name]) if id(v) in live and v.varying]
    others = {n: t for n, t in program.things.items() if n not in tables}
    if not any(v.varying for v in (*read, *(v for t in others.values() for v in leaves(t)))):
        read = [v for n in tables for v in columns_of(program.things[n]) if v.varying][:1]
    program.tables = {
        name: described(rows, [v for v in read if root_of(v) == name])
        for name, rows in tables.items()
    }
    taken = taken | set(program.things)
    bound: dict[str, dict[str, Thing]] = {name: {} for name in tables}
    for value in read:
        assert isinstance(value.op, Path)
        expr = value.op.expr
        local = name_for(value, program.locals, taken)
        taken = taken | {local}
        program.columns[local] = as_array(expr, value)
        bound[root_of(value)][local] = value
    things: dict[str, Thing] = {}
    for name, thing in program.things.items():
        things.update(bound.get(name, {name: thing}))
    program.things = things
    for local in program.columns:
        column = things[local]
        assert isinstance(column, Value)
        column.op = Param(local)  # the one place where a column is given its name


def bind_often(program: Any, taken: set[str]) -> None:
    """The same for a helper's columns that are read more than once."""
    counts = Counter(id(v) for node in walk(program.body) for v in reads(node))
    taken = taken | set(program.things)
    for name, row in [*program.things.items()]:
        if not isinstance(row, Row):
            continue
        often = {
            key: column
            for key, column in row.items.items()
            if isinstance(column, Value) and column.varying and counts[id(column)] > 1
        }
        for column in often.values():
            assert isinstance(column.op, Path)
            local = name_for(column, program.locals, taken)
            taken = taken | {local}
            program.columns[local] = column.op.expr
            column.op = Param(local)
            program.things[local] = column
        kept = {key: column for key, column in row.items.items() if key not in often}
        program.things[name] = replace(row, items=kept)


def columns_of(thing: Thing) -> list[Value]:
    """The values of a table's columns, and of its index."""
    if isinstance(thing, Row) and isinstance(thing.label, Value):
        return [*leaves(thing), thing.label]
    if isinstance(thing, (Map, Seq, Record)):
        inner = thing.fields if isinstance(thing, Record) else thing.items
        parts = inner if isinstance(inner, tuple) else inner.values()
        return [v for t in parts if not isinstance(t, Conflict) for v in columns_of(t)]
    return leaves(thing)


def root_of(value: Value) -> str:
    """The parameter that a column belongs to."""
    expr = value.op.expr if isinstance(value.op, Path) else None
    while isinstance(expr, (gast.Subscript, gast.Attribute)):
        expr = expr.value
    return expr.id if isinstance(expr, gast.Name) else ""


def key_text(value: Value) -> str:
    """The name of a column, as far as it is one."""
    expr = value.op.expr if isinstance(value.op, Path) else None
    if isinstance(expr, gast.Attribute):
        return expr.attr if expr.attr != "index" else "name"
    if isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Constant):
        return str(expr.slice.value)
    return ""


def name_for(value: Value, own: set[str], taken: set[str]) -> str:
    """What to call a column's array.

    >>> from autovec.program.facts import FLOAT, Fact
    >>> path = Path(quote.expr('row["unit price"]'), "row")
    >>> name_for(Value(path, (), Fact(FLOAT)), set(), set())
    'unit_price'
    """
    users = (value.origin or "").partition(HIDDEN)[0]
    if users.isidentifier() and users not in taken:
        return users
    key = re.sub(r"\W+", "_", key_text(value)).strip("_").lstrip("0123456789_")
    root = root_of(value)
    if not key:  # a position, or a name without letters
        digits = re.sub(r"\W+", "_", key_text(value)).strip("_")
        key = f"{root}{digits}" if digits else f"{root}_column"
    names = [key, f"{root}_{key}"]
    names += [f"{names[-1]}_{k}" for k in range(2, 1000)]
    return next(n for n in names if n not in taken and n not in own)


def as_array(expr: gast.expr, value: Value) -> gast.expr:
    """How the text reads a column: an array of the dtype that it was compiled for."""
    if value.fact.kind == "U":
        return quote.expr("np.asarray(column, dtype=str)", column=expr)
    return quote.expr("np.asarray(column)", column=expr)


def described(rows: Rows, read: list[Value]) -> str:
    """What a table may be, for the docstring."""
    if rows.kind == "fields":
        return f"a {rows.cls.__name__} of arrays"
    if rows.kind in ("tuple", "list"):
        return f"a {rows.kind} of arrays"
    kind = "structured array" if rows.kind == "record" else "dict of arrays"
    labels = any(isinstance(v.op, Path) and isinstance(v.op.expr, gast.Attribute) for v in read)
    what = "a DataFrame" if labels else f"a DataFrame or {kind}"
    names = [key_text(v) for v in read if isinstance(v.op, Path)]
    listed = ", ".join(dict.fromkeys(filter(None, names)))
    return f"{what} with {listed}" if listed else what
