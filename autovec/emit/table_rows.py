"""The samples of a table in a text that loops: its rows, one by one.

fee_sample(row) for _, row in frame.astype(object).iterrows()      a DataFrame: no upcast
fee_sample(row) for row in rows_of(["kg"], columns["kg"].tolist()) a dict of arrays
"""

from __future__ import annotations

from typing import Any

import gast

from autovec.emit.world import printable
from autovec.program.columns import constant
from autovec.program.facts import PYTHON_DTYPES, Opaque, Rows, Uniform, Varying
from autovec.syntax import quote


def table_samples(rows: Rows, table: gast.expr) -> gast.expr:
    """An expression that gives the rows of a table."""
    if rows.kind == "frame":
        return quote.expr("[r for _, r in table.astype(object).iterrows()]", table=table)
    if rows.kind == "record":
        return table
    parts = [column_samples(rows, key, table) for key in rows.columns]
    if rows.kind == "dict":
        names = [printable(key) or quote.const(None) for key in rows.columns]
        return quote.expr("rows_of([*names], *columns)", names=names, columns=parts)
    each = quote.expr("zip(*columns)", columns=parts)
    if rows.kind == "fields":
        return quote.expr("[type(table)(*v) for v in each]", table=table, each=each)
    return quote.expr("map(list, each)", each=each) if rows.kind == "list" else each


def first_array(rows: Rows, table: gast.expr) -> gast.expr:
    """An expression whose length is the number of rows."""
    if rows.kind in ("frame", "record"):
        return table
    for key, column in rows.columns.items():
        if isinstance(column, (Varying, Opaque)):
            return part_of(rows, key, table)
        if isinstance(column, Rows):
            return first_array(column, part_of(rows, key, table))
    raise AssertionError("a table has a column")


def part_of(rows: Rows, key: Any, table: gast.expr) -> gast.expr:
    """How the text reads a column."""
    if rows.kind == "fields":
        return quote.expr(f"table.{key}", table=table)
    return quote.expr("table[key]", table=table, key=constant(key))


def column_samples(rows: Rows, key: Any, table: gast.expr) -> gast.expr:
    """The samples of a column: Python's own scalars where the loop has these."""
    column, part = rows.columns[key], part_of(rows, key, table)
    if isinstance(column, Rows):
        return table_samples(column, part)
    if isinstance(column, Uniform):
        return quote.expr("[x] * len(a)", x=part, a=first_array(rows, table))
    if isinstance(column, Varying) and (
        column.dtype in PYTHON_DTYPES or column.dtype.kind in "USO"
    ):
        return quote.expr("np.asarray(a).tolist()", a=part)
    return part
