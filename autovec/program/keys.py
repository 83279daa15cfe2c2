"""Where a value stands in a table: by the keys of a dict, or the items of a list.

NumPy compares what it has converted to one dtype, so a table is looked through by NumPy only where
that is what Python compares, too: numbers that a float holds exactly, strings without a NUL.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.rule import Raises
from autovec.program.build import Builder
from autovec.program.facts import FLOAT, INT, Fact, Lanes, NoCommonType, join, scalar_fact, union
from autovec.program.guards import operate
from autovec.program.things import Seq, Thing, describe
from autovec.program.unknown import LateDtype
from autovec.program.values import Operation, Value

#: beyond this a float does not tell neighbouring integers apart
EXACT = 2**53
#: tuples of keys are numbered within int64
_CODES = 2**62


def parts_of(key: Thing, keys: Sequence[Any], node: gast.AST) -> tuple[Value, ...]:
    """The values of a key, a number or string or a tuple of them, that the keys can be."""
    parts = key.items if isinstance(key, Seq) and key.kind is tuple else (key,)
    columns: list[tuple[Any, ...]] = [tuple(keys)]
    if isinstance(key, Seq):
        if not all(type(k) is tuple and len(k) == len(parts) for k in keys) or len(parts) < 2:
            raise _strange(key, node)
        columns = list(zip(*keys, strict=True))
        if math.prod(len(set(column)) for column in columns) >= _CODES:
            raise Unsupported(node, "a look-up among so many tuples", "their number overflows")
    for part, column in zip(parts, columns, strict=True):
        if not isinstance(part, Value) or not comparable(part, column):
            raise _strange(key, node)
    return tuple(p for p in parts if isinstance(p, Value))


def _strange(key: Thing, node: gast.AST) -> Unsupported:
    return Unsupported(
        node, f"{describe(key)} looked up among these keys", "NumPy compares them otherwise"
    )


def comparable(value: Value, items: Iterable[Any]) -> bool:
    """Does NumPy find a value among these as Python does?"""
    facts = [scalar_fact(item) for item in items]
    if not facts or any(fact is None for fact in facts):
        return False
    try:
        among = reduce(join, (fact for fact in facts if fact is not None))
    except NoCommonType:
        return False
    if value.fact.kind == "U" or among.kind == "U":
        return value.fact.kind == among.kind == "U" and not any("\0" in item for item in items)
    kinds = {value.fact.kind, *(fact.kind for fact in facts if fact is not None)}
    if not kinds <= set("biuf?") or any(item != item for item in items):
        return False
    if isinstance(value.fact.dtype, LateDtype) and any(np.float32(item) != item for item in items):
        return False  # a single-precision number is compared in single precision
    whole = kinds <= set("bi")
    limit = 2**63 if whole else EXACT
    return all(abs(item) < limit or item in (math.inf, -math.inf) for item in items)


def as_compared(value: Value) -> str:
    """The dtype that ``==`` with a Python float compares in, where it is narrower than float."""
    dtype = value.fact.dtype
    known = value.fact.kind == "f" and not value.fact.weak and not isinstance(dtype, LateDtype)
    return f"np.{dtype.name}" if known and dtype != FLOAT else ""


def lanes_of(values: Iterable[Value]) -> Lanes:
    """The lane axes of all."""
    return reduce(union, (v.fact.lanes for v in values), ())


def place(
    b: Builder, text: str, table: tuple[tuple[str, Value], ...], parts: tuple[Value, ...],
    node: gast.AST, error: str = "",
) -> Value:  # fmt: skip
    """Where a key stands in a table, which ``text`` reads; a missing one is -1, or raises."""
    raises = error == "KeyError"
    names = tuple(f"k{n}" for n in range(len(parts)))
    listed = ", ".join((text, *names))
    params = (*(name for name, _ in table), *names)
    args = (*(value for _, value in table), *parts)
    fact = Fact(INT, lanes_of(args), weak=True)
    helper = "key_index" if raises else "find_in"
    op = Operation(
        "place", params, f"{helper}({listed})", f"int({helper}({listed}))",
        total=not raises, cost=20 * len(parts), number="python", impure=raises,
    )  # fmt: skip
    missing = Raises(error, f"find_in({listed}) < 0", "", always=True, in_text=True)
    return operate(b, op, (missing,) if error else (), args, node, fact)


def storable(items: Iterable[Any]) -> bool:
    """Does an array hold these numbers or strings as they are?"""
    for item in items:
        if isinstance(item, str) and item.endswith("\0"):
            return False
        if isinstance(item, int) and not -(2**63) <= item < 2**63:
            return False
    return True


def column_fact(items: Sequence[Any]) -> Fact:
    """The join of the facts of scalars, strings with their width."""
    facts = []
    for item in items:
        fact = scalar_fact(item)
        if fact is None or not storable([item]):
            raise NoCommonType(type(item).__name__)
        facts.append(Fact(np.dtype(f"U{max(1, len(item))}")) if isinstance(item, str) else fact)
    if not facts:
        raise NoCommonType("no items")
    return reduce(join, facts)
