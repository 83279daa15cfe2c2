"""Tables: the rows that the loop sees, and a batched function of a table against that loop.

    check_rows(rule, {"price": np.array([...]), "zone": np.array([...])})

compares as a dict of arrays, a DataFrame and a structured array what the rule returns for each row.
A row is written anew here, after the manners of a dict, a Series and a record.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.harness import Report, check
from tests.oracle.results import leaves
from tests.oracle.samples import Loop, run, sample

KINDS = ("dict", "frame", "record")


class DictRow(dict[str, Any]):
    """A row of a dict of arrays."""

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(name)
        return self[name]


class SeriesRow:
    """A row of a DataFrame: what a Series answers, each value with the type of its column."""

    def __init__(self, values: dict[str, Any], name: Any = None) -> None:
        self.__dict__["values_"] = values
        self.__dict__["name"] = name

    def __getattr__(self, name: str) -> Any:
        if name not in self.values_:
            raise AttributeError(name)
        return self.values_[name]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, list):
            return SeriesRow({k: self.values_[k] for k in key}, self.name)
        return self.values_[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.values_[key] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values_.values())

    def __contains__(self, key: Any) -> bool:
        return key in self.values_

    def __len__(self) -> int:
        return len(self.values_)

    @property
    def loc(self) -> SeriesRow:
        return self

    at = loc

    @property
    def iloc(self) -> list[Any]:
        return [*self]

    @property
    def index(self) -> list[str]:
        return [*self.values_]

    def get(self, key: str, default: Any = None) -> Any:
        return self.values_.get(key, default)

    def keys(self) -> list[str]:
        return [*self.values_]

    def items(self) -> list[tuple[str, Any]]:
        return [*self.values_.items()]

    def to_dict(self) -> dict[str, Any]:
        return dict(self.values_)

    def tolist(self) -> list[Any]:
        return [*self]

    def copy(self) -> SeriesRow:
        return SeriesRow(dict(self.values_), self.name)


class RecordRow(tuple[Any, ...]):
    """A row of a structured array."""

    names: tuple[str, ...] = ()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, list):
            return record([(k, self[k]) for k in key])
        return tuple.__getitem__(self, self.names.index(key) if isinstance(key, str) else key)


def record(pairs: list[tuple[str, Any]]) -> RecordRow:
    made = RecordRow(value for _, value in pairs)
    made.names = tuple(name for name, _ in pairs)
    return made


def rows_of(columns: dict[str, Any], kind: str, index: Any = None) -> list[Any]:
    """The samples of a table, in a loop under the law."""
    n = len(next(iter(columns.values())))
    made: list[Any] = []
    for i in range(n):
        values = {name: sample(np.asarray(column), i) for name, column in columns.items()}
        if kind == "frame":
            made.append(SeriesRow(values, i if index is None else sample(np.asarray(index), i)))
        else:
            made.append(DictRow(values) if kind == "dict" else record([*values.items()]))
    return made


def table_of(columns: dict[str, Any], kind: str, index: Any = None) -> Any:
    """The table itself."""
    if kind == "frame":
        import pandas as pd

        made = {
            name: pd.Series(column, index, dtype=object if _of_objects(column) else None)
            for name, column in columns.items()
        }
        return pd.DataFrame(made, index=index)
    if kind == "dict":
        return dict(columns)
    dtype = [(name, np.asarray(column).dtype) for name, column in columns.items()]
    made = np.empty(len(next(iter(columns.values()))), dtype)
    for name, column in columns.items():
        made[name] = column
    return made


def _of_objects(column: Any) -> bool:
    return np.asarray(column).dtype == object


class Plain:
    """A batched function whose Series and DataFrames are arrays and dicts of them."""

    def __init__(self, batched: Any) -> None:
        self.batched = batched
        self.emit = batched.emit

    def __call__(self, *args: Any, **kw: Any) -> Any:
        return unlabelled(self.batched(*args, **kw))


def unlabelled(value: Any) -> Any:
    """Series as arrays, DataFrames as dicts, in any structure."""
    if isinstance(value, dict):
        return {key: unlabelled(part) for key, part in value.items()}
    if isinstance(value, tuple):
        parts = [unlabelled(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if dataclasses.is_dataclass(value):
        parts = {f.name: unlabelled(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return type(value)(**parts)
    if isinstance(value, list):
        return [unlabelled(part) for part in value]
    if hasattr(value, "columns"):
        return {name: unlabelled(value[name]) for name in value}
    if not hasattr(value, "index"):
        return value
    array = value.to_numpy(copy=True)  # pandas lends its own read-only
    texts = array.dtype == object and all(isinstance(v, str) for v in array)
    return array.astype(str) if texts else array


def check_rows(
    f: Callable[..., Any],
    columns: dict[str, Any],
    *args: Any,
    kinds: tuple[str, ...] = KINDS,
    index: Any = None,
    vectorize: Callable[..., Any] | None = None,
) -> list[Report]:
    """Compare a rule with its loop over the rows, as every kind of table, whole and in parts."""
    n = len(next(iter(columns.values())))
    reports = []
    for kind in kinds:
        for part in (slice(0, n), slice(0, 0), slice(0, 1), slice(n // 2, n)):
            some = {name: column[part] for name, column in columns.items()}
            labels = None if index is None else index[part]
            lanes: list[Any] = [((row, *args), {}) for row in rows_of(some, kind, labels)]
            want = run(f, lanes, (len(lanes),))
            for outcome in want.outcomes:
                outcome.value = row_as_dict(outcome.value)
            table = table_of(some, kind, labels)
            before = copy.deepcopy(table)
            report = check(
                f, table, *args, in_axes=(0, *(None,) * len(args)), want=want,
                vectorize=_factory(vectorize, len(args)),
            )  # fmt: skip
            _unchanged(before, table)
            if want.error is None:
                _own_memory(_factory(vectorize, len(args))(f)(table, *args), some)
            reports.append(report)
    return reports


def row_as_dict(value: Any) -> Any:
    """A result that is a row is one of its columns."""
    if isinstance(value, SeriesRow):
        return dict(value.values_)
    return dict(value) if isinstance(value, DictRow) else value


def _factory(vectorize: Callable[..., Any] | None, shared: int) -> Callable[..., Any]:
    import autovec

    def make(f: Any) -> Plain:
        if vectorize is not None:
            return Plain(vectorize(f))
        return Plain(autovec.vmap(f, (0, *(None,) * shared)))

    return make


def _own_memory(result: Any, columns: dict[str, Any]) -> None:
    """No leaf of a result lies in a column of the table."""
    for path, leaf in leaves(result):
        if isinstance(leaf, np.ndarray):
            shared = [n for n, c in columns.items() if np.may_share_memory(leaf, np.asarray(c))]
            assert not shared, f"result{list(path)} shares memory with {shared}"


def _unchanged(before: Any, after: Any) -> None:
    pairs = [(before, after)] if isinstance(before, np.ndarray) else []
    if not pairs:
        pairs = [(np.asarray(before[name]), np.asarray(after[name])) for name in before]
    for old, new in pairs:
        assert repr(old.tolist()) == repr(new.tolist()), "the table was changed"


def looped(reports: list[Report]) -> bool:
    return any(report.looped for report in reports)


def loop_of(f: Callable[..., Any], columns: dict[str, Any], kind: str, *args: Any) -> Loop:
    """The loop over the rows of a table."""
    lanes: list[Any] = [((row, *args), {}) for row in rows_of(columns, kind)]
    return run(f, lanes, (len(lanes),))
