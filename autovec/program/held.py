"""What a name, or a column of a row, holds at a place of the program."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autovec.program.build import Builder
from autovec.program.things import Row, Thing
from autovec.program.values import Value


def held_by(b: Builder, part: gast.expr) -> Thing | None:
    """What a name, or a column of a row, holds."""
    if isinstance(part, gast.Name):
        return b.env.get(part.id)
    name, key = column_of(b, part)
    row = b.env.get(name)
    return row.items.get(key) if isinstance(row, Row) else None


def known(b: Builder, part: gast.expr, value: Value) -> None:
    """What a name, or a column of a row, holds from here on."""
    if isinstance(part, gast.Name):
        b.env[part.id] = value
        return
    name, key = column_of(b, part)
    row = b.env[name]
    assert isinstance(row, Row)
    b.env[name] = replace(row, items={**row.items, key: value})


def column_of(b: Builder, part: gast.expr) -> tuple[str, Any]:
    """The row's name and the column that ``row["price"]`` or ``row.price`` reads."""
    if isinstance(part, (gast.Subscript, gast.Attribute)) and isinstance(part.value, gast.Name):
        if isinstance(part, gast.Attribute):
            return part.value.id, part.attr
        if isinstance(part.slice, gast.Constant):
            return part.value.id, part.slice.value
    return "", None
