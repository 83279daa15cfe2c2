"""Does a function read fields of an argument?  A DataFrame is a table of rows only if it does.

``vectorize(f)(frame)`` is NumPy's element by element for a function of a scalar, and row by row for
one that says ``row["price"]``.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Iterable, Iterator

import gast
import numpy as np

from autovec.errors import AutovecError
from autovec.program.scope import resolve_root
from autovec.syntax.parse import source_of
from autovec.syntax.walking import children, parameters

#: how deep a row is followed into the functions that it is passed to
_DEEP = 4
_KNOWN: weakref.WeakKeyDictionary[types.CodeType, dict[object, bool]] = weakref.WeakKeyDictionary()


def reads_fields(function: types.FunctionType, name: str, columns: Iterable[object]) -> bool:
    """Whether a parameter is used as a row: subscripted, iterated, unpacked, asked for a column.

    >>> def tax(row): return row["income"] * 0.2
    >>> def double(x): return 2 * x
    >>> reads_fields(tax, "row", ["income"]), reads_fields(double, "x", ["income"])
    (True, False)
    """
    known = _KNOWN.setdefault(function.__code__, {})
    names = frozenset(column for column in columns if isinstance(column, str))
    if (name, names) not in known:
        known[name, names] = _reads(function, name, names, _DEEP)
    return known[name, names]


def _reads(function: types.FunctionType, name: str, columns: frozenset[str], depth: int) -> bool:
    try:
        tree = source_of(function).tree
    except AutovecError:
        return True  # nothing is known: a function that takes a DataFrame mostly wants its rows
    aliases = {name}
    for node in gast.walk(tree):
        if isinstance(node, gast.Assign) and _named(node.value, aliases):
            aliases |= {t.id for t in node.targets if isinstance(t, gast.Name)}
    return any(_use(node, aliases, columns, function, depth) for node in gast.walk(tree))


def _named(node: object, names: set[str]) -> bool:
    return isinstance(node, gast.Name) and node.id in names


def _use(
    node: gast.AST,
    names: set[str],
    columns: frozenset[str],
    function: types.FunctionType,
    depth: int,
) -> bool:
    """Whether this node uses one of the names as a row."""
    if isinstance(node, gast.Subscript):
        return _named(node.value, names)
    if isinstance(node, gast.Attribute):
        known = node.attr in columns or not hasattr(np.float64, node.attr)
        return known and _named(node.value, names)
    if isinstance(node, (gast.For, gast.comprehension)):
        return _named(node.iter, names)
    if isinstance(node, gast.Starred):
        return _named(node.value, names)
    if isinstance(node, gast.Assign):
        unpacked = any(isinstance(t, (gast.Tuple, gast.List)) for t in node.targets)
        return unpacked and _named(node.value, names)
    if isinstance(node, gast.Compare):
        members = zip(node.ops, node.comparators, strict=True)
        return any(
            isinstance(op, (gast.In, gast.NotIn)) and _named(right, names) for op, right in members
        )
    if isinstance(node, gast.Call) and depth:
        return _passed(node, names, columns, function, depth)
    return False


def _passed(
    node: gast.Call,
    names: set[str],
    columns: frozenset[str],
    function: types.FunctionType,
    depth: int,
) -> bool:
    """Whether a helper that is called with the row uses it as one."""
    if any(keyword.arg is None and _named(keyword.value, names) for keyword in node.keywords):
        return True
    helper = _callee(node.func, function)
    if helper is None:
        return False
    positions = [p.id for p in parameters(source_of(helper).tree.args)]
    given = [p for p, arg in zip(positions, node.args, strict=False) if _named(arg, names)]
    given += [k.arg for k in node.keywords if k.arg and _named(k.value, names)]
    return any(_reads(helper, parameter, columns, depth - 1) for parameter in given)


def _callee(node: gast.expr, function: types.FunctionType) -> types.FunctionType | None:
    """The user's function that is called by its name, if its source can be read."""
    found = resolve_root(function, node.id) if isinstance(node, gast.Name) else None
    if not isinstance(found, types.FunctionType):
        return None
    try:
        source_of(found)
    except AutovecError:
        return None
    return found


def columns_read(function: types.FunctionType, name: str) -> frozenset[object] | None:
    """The columns that a function can read of a row; None where it may be any of them.

    >>> def tax(row): return row["income"] * row.rate if "rate" in row else 0.0
    >>> sorted(columns_read(tax, "row"))
    ['income', 'rate']
    >>> columns_read(lambda row: sum(row), "row") is None
    True
    """
    known = _COLUMNS.setdefault(function.__code__, {})
    if name not in known:
        try:
            known[name] = frozenset(_columns(source_of(function).tree, name, function, _DEEP))
        except (AutovecError, _Any):
            known[name] = None
    return known[name]


_COLUMNS: weakref.WeakKeyDictionary[types.CodeType, dict[str, frozenset[object] | None]] = (
    weakref.WeakKeyDictionary()
)


class _Any(Exception):
    """A use of a row that may read any column."""


def _columns(
    node: gast.AST, name: str, function: types.FunctionType, depth: int
) -> Iterator[object]:
    """The columns that are read in a tree, by the few ways that say which."""
    names = {name}
    if _named(node, names):
        raise _Any
    if isinstance(node, gast.Subscript) and _named(node.value, names):
        yield from _literals(node.slice)
        return
    if isinstance(node, gast.Attribute) and _named(node.value, names):
        pandas = sys.modules.get("pandas")
        methods = (dict, getattr(pandas, "Series", dict))
        if node.attr != "name" and any(hasattr(cls, node.attr) for cls in methods):
            raise _Any
        yield node.attr
        return
    if isinstance(node, gast.Compare) and _named(node.comparators[-1], names):
        if len(node.ops) > 1 or not isinstance(node.ops[0], (gast.In, gast.NotIn)):
            raise _Any
        yield from _literals(node.left)
        return
    skipped: list[gast.AST] = []
    if isinstance(node, gast.Call):
        method = node.func
        got = isinstance(method, gast.Attribute) and method.attr == "get" and node.args
        if got and _named(getattr(method, "value", None), names):
            yield from _literals(node.args[0])
            skipped = [method, node.args[0]]
        helper = _callee(node.func, function) if depth else None
        if helper is not None:
            tree = source_of(helper).tree
            for parameter, argument in zip(parameters(tree.args), node.args, strict=False):
                if _named(argument, names):
                    yield from _columns_of_body(tree, parameter.id, helper, depth - 1)
                    skipped.append(argument)
    if isinstance(node, gast.arguments):
        return
    for child in children(node):
        if child not in skipped:
            yield from _columns(child, name, function, depth)


def _columns_of_body(
    tree: gast.AST, name: str, function: types.FunctionType, depth: int
) -> Iterator[object]:
    for child in children(tree):
        yield from _columns(child, name, function, depth)


def _literals(node: gast.expr) -> Iterator[object]:
    """The keys that a subscript says."""
    if isinstance(node, gast.Constant):
        yield node.value
    elif isinstance(node, gast.List):
        for item in node.elts:
            yield from _literals(item)
    else:
        raise _Any
