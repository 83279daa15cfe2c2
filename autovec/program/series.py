"""What a row of a DataFrame answers as a pandas Series: sums over columns, missing values; and
``pd.Series(...)`` made in the function, which is a row of the result.

Missing values are skipped, as pandas does.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.facts import FLOAT, INT
from autovec.program.operators import binary
from autovec.program.rows import values
from autovec.program.rules import rule_call
from autovec.program.things import Known, Map, Row, Seq, Thing, describe, literal
from autovec.program.truth import both, either, truth
from autovec.program.values import Operation, Value


def series_method(b: Builder, row: Row, attr: str, node: gast.AST) -> Thing | None:
    """A method of a Series without arguments, or None."""
    found = _METHODS.get(attr)
    return None if found is None else found(b, row, node)


def numbers(row: Row, node: gast.AST) -> list[Value]:
    """The columns of a row, each a number."""
    found = []
    for thing in values(row, node).items:
        if not isinstance(thing, Value) or thing.fact.kind not in "biuf":
            raise Unsupported(node, f"{describe(thing)} in a sum over columns", "it is no number")
        found.append(thing)
    if not found:
        raise Unsupported(node, "a sum over no columns", "its type is not known")
    return found


def stacked(b: Builder, name: str, text: str, columns: list[Value], node: gast.AST) -> Value:
    """An operation on columns laid on each other, ``[price, size]``."""
    params = tuple(f"c{k}" for k in range(len(columns)))
    text = text.replace("columns", f"[{', '.join(params)}]")
    op = Operation(name, params, text, text, total=True, cost=4.0 * len(columns), flat=True)
    return b.apply(op, *columns, node=node)


def _sum(b: Builder, row: Row, node: gast.AST) -> Value:
    columns = numbers(row, node)
    if all(c.fact.kind in "biu" for c in columns):
        return functools.reduce(lambda x, y: binary(b, "+", x, y, node), columns, b.const(0))
    return stacked(b, "sum", "np.nansum(columns, axis=0)", columns, node)


def _mean(b: Builder, row: Row, node: gast.AST) -> Value:
    columns = numbers(row, node)
    if all(c.fact.kind in "biu" for c in columns):
        return binary(b, "/", _as_value(_sum(b, row, node)), b.const(len(columns)), node)
    count = stacked(b, "count", "np.sum(~np.isnan(columns), axis=0)", columns, node)
    total = stacked(b, "sum", "np.nansum(columns, axis=0)", columns, node)
    op = Operation("mean", ("x", "y"), "np.where(y > 0, x / np.maximum(y, 1), np.nan)", "x / y",
                   total=True, cost=8)  # fmt: skip
    return b.apply(op, total, count, node=node)


def _as_value(thing: Thing) -> Value:
    assert isinstance(thing, Value)
    return thing


def _extreme(whole: str, skipping: str) -> Callable[[Builder, Row, gast.AST], Thing]:
    def method(b: Builder, row: Row, node: gast.AST) -> Value:
        columns = numbers(row, node)
        kinds = {c.fact.dtype for c in columns}
        if len(kinds) > 1 or kinds & {c.fact.dtype for c in columns if c.fact.kind == "b"}:
            raise Unsupported(node, "an extreme of columns of several dtypes", "none holds all")
        reduce = skipping if columns[0].fact.kind == "f" else whole
        return stacked(b, whole, f"np.{reduce}.reduce(columns)", columns, node)

    return method


def _missing(there: bool) -> Callable[[Builder, Row, gast.AST], Thing]:
    def method(b: Builder, row: Row, node: gast.AST) -> Row:
        flags: dict[Any, Thing] = {}
        for key, thing in row.items.items():
            if not isinstance(thing, Value) or thing.fact.kind not in "biufU":
                what = f"{describe(thing)} asked whether it is missing"
                raise Unsupported(node, what, "it has no array form")
            flags[key] = is_nan(b, thing, node, there)
        return Row(flags, kind="frame", label=row.label)

    return method


def is_nan(b: Builder, value: Value, node: gast.AST, negate: bool = False) -> Value:
    """Is a number missing: nan?"""
    if value.fact.kind != "f":
        return b.const(negate)
    sign = "==" if negate else "!="
    text = "~np.isnan(x)" if negate else "np.isnan(x)"
    op = Operation("isnan", ("x",), text, f"x {sign} x", total=True, number="python")
    return b.apply(op, value, node=node)


def _folded(fold: Callable[[Builder, Value, Value], Value], start: bool) -> Any:
    def method(b: Builder, row: Row, node: gast.AST) -> Value:
        tests = [truth(b, thing, node) for thing in values(row, node).items]
        if any(isinstance(t, Value) and t.fact.kind == "f" for t in row.items.values()):
            raise Unsupported(node, "any or all of columns with missing values", "nan is true")
        return functools.reduce(lambda x, y: fold(b, x, y), tests, b.const(start))

    return method


def _count(b: Builder, row: Row, node: gast.AST) -> Value:
    there = _METHODS["notna"](b, row, node)
    assert isinstance(there, Row)
    return _sum(b, there, node)


_METHODS: dict[str, Callable[[Builder, Row, gast.AST], Thing]] = {
    "sum": _sum,
    "mean": _mean,
    "max": _extreme("maximum", "fmax"),
    "min": _extreme("minimum", "fmin"),
    "isna": _missing(False),
    "isnull": _missing(False),
    "notna": _missing(True),
    "notnull": _missing(True),
    "any": _folded(either, False),
    "all": _folded(both, True),
    "count": _count,
}


# ------------------------------------------------------------------ pd.Series(...)


def is_series_class(obj: object) -> bool:
    """Is it pandas' Series?"""
    return obj is getattr(sys.modules.get("pandas"), "Series", NotImplemented)


def series_of(b: Builder, args: list[Thing], keywords: dict[str, Thing], node: gast.AST) -> Row:
    """``pd.Series({"a": x})`` and ``pd.Series([x, y], index=["a", "b"])``."""
    index = keywords.get("index", args[1] if len(args) == 2 else None)
    if not args or len(args) > 2 or set(keywords) - {"index"}:
        raise Unsupported(node, "pd.Series with these arguments", "it has no array form")
    data = args[0]
    if isinstance(data, Map) and index is None:
        return Row(one_dtype(b, dict(data.items), node), kind="frame")
    if not isinstance(data, Seq):
        raise Unsupported(node, f"pd.Series of {describe(data)}", "its length is not known")
    names: list[Any] = list(range(len(data.items)))
    if index is not None:
        names = _names(index)
        if len(names) != len(data.items):
            raise Unsupported(node, "pd.Series with this index", "its names are not known")
    return Row(one_dtype(b, dict(zip(names, data.items, strict=True)), node), kind="frame")


def _names(index: Thing) -> list[Any]:
    if isinstance(index, Known) and type(index.obj) in (list, tuple):
        return list(index.obj)
    if isinstance(index, Seq):
        names = [literal(item) for item in index.items]
        return names if all(isinstance(n, (str, int)) for n in names) else []
    return []


def one_dtype(b: Builder, items: dict[Any, Thing], node: gast.AST) -> dict[Any, Thing]:
    """The items as a Series holds them: integers among floats become floats."""
    for thing in items.values():
        if not isinstance(thing, Value):
            raise Unsupported(node, f"{describe(thing)} in a Series", "it is no scalar")
    kinds = {thing.fact.kind for thing in items.values() if isinstance(thing, Value)}
    if kinds != {"i", "f"}:
        return items
    dtypes = {thing.fact.dtype for thing in items.values() if isinstance(thing, Value)}
    if not dtypes <= {INT, FLOAT}:
        raise Unsupported(node, "a Series of several dtypes of NumPy's", "pandas finds one for all")
    return {
        key: thing
        if isinstance(thing, Value) and thing.fact.kind == "f"
        else rule_call(b, "builtins.float", [thing], {}, node)
        for key, thing in items.items()
    }
