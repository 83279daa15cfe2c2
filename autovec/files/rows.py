"""Rows: parameters that a function reads column by column, ``row["price"]`` or ``row.price``.

What a file calls with such a function is a table: a DataFrame, or a dict of arrays. Its columns are
those that the function reads, here or in functions of the file that it hands the row on to.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from autovec.files.evidence import Evidence, Function, field
from autovec.program.facts import Rows, Varying
from autovec.program.unknown import UNDECLARED

#: attributes of a pandas row that are no columns
_OWN = frozenset("name index values iloc loc at iat dtype shape size empty T array".split())  # noqa: SIM905
_DEEP = 4


def rows_of(evidence: Evidence, function: Function, name: str) -> Rows | None:
    """The table that a parameter is a row of; None if it is used as anything else."""
    kinds: set[str] = set()
    keys = dict.fromkeys(_keys(evidence, function, name, kinds, _DEEP))
    if not keys or None in keys:
        return None
    uses = evidence.of(function)
    columns: dict[str, Varying] = {}
    for key in keys:
        assert key is not None
        found = {use.use for use in uses.get(field(name, key), ())}
        if found - {"string"}:
            return None
        columns[key] = Varying(np.dtype("U") if found else UNDECLARED)
    return Rows(columns, "frame" if "attribute" in kinds else "dict")


def _keys(
    evidence: Evidence, function: Function, name: str, kinds: set[str], depth: int
) -> Iterator[str | None]:
    """The columns that are read of a parameter; None for any other use of it."""
    body = function.body if isinstance(function.body, list) else [function.body]
    nodes = [node for statement in body for node in ast.walk(statement)]
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    for node in nodes:
        if not isinstance(node, ast.Name) or node.id != name:
            continue
        match parents.get(node):
            case ast.Subscript(value=base, slice=ast.Constant(value=str(key)), ctx=ast.Load()):
                yield key if base is node else None
            case ast.Attribute(attr=attr, ctx=ast.Load()) as read if attr not in _OWN:
                kinds.add("attribute")
                around = parents.get(read)
                method = isinstance(around, ast.Call) and around.func is read
                yield None if method else attr
            case ast.Call() as call if node in call.args and depth:
                callee = evidence.called(call, function)
                inner = None if callee is None else _parameter(callee, call, node)
                if callee is None or inner is None:
                    yield None
                else:
                    yield from _keys(evidence, callee, inner, kinds, depth - 1)
            case _:
                yield None


def _parameter(callee: Function, call: ast.Call, argument: ast.expr) -> str | None:
    """The parameter that an argument by position becomes."""
    a = callee.args
    names = [p.arg for p in (*a.posonlyargs, *a.args)]
    place = call.args.index(argument)
    return names[place] if place < len(names) else None
