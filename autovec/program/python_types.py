"""The Python type of what a value is on each lane, and the fact of a result of such a type."""

from __future__ import annotations

from typing import Any

import numpy as np

from autovec.ops.result_types import DATES, Type, head
from autovec.program.facts import BOOL, COMPLEX, FLOAT, INT, OBJECT, STRING, Fact, Lanes

_DTYPES = {"str": STRING, "int": INT, "float": FLOAT, "bool": BOOL, "complex": COMPLEX}
#: types whose values NumPy hands on as they are when it makes objects of them
PLAIN = ("str", "int", "float", "bool", "complex")
_CONTAINERS = (list, tuple, set, frozenset, dict)
#: NumPy's dtypes of dates and durations
DATE_DTYPES = {
    "date": np.dtype("M8[D]"),
    "datetime": np.dtype("M8[us]"),
    "timedelta": np.dtype("m8[us]"),
}
#: a table with more items than this is not looked through
_MOST = 1000


def type_of(fact: Fact) -> Type | None:
    """The type of the samples of a value; None where they are of several.

    >>> type_of(Fact(INT, ("B",))), type_of(Fact(np.dtype("f4"), ("B",)))
    ('int', ('numpy', 'float32'))
    """
    if fact.kind == "O":
        return fact.holds
    if fact.kind in "Mm":
        coarse = str(fact.dtype)[-4:-1] != "[ns"  # as fine as datetime's own
        known = fact.holds in DATE_DTYPES or (fact.holds == "Timestamp" and coarse)
        return fact.holds if known else None
    if fact.mixed or fact.either or fact.rank:
        return None
    if fact.python or fact.weak:
        for name, dtype in _DTYPES.items():
            if fact.dtype == dtype or (name == "str" and fact.kind == "U"):
                return name
    return ("numpy", fact.dtype.name) if fact.kind in "biufc" else None


def fact_of_type(kind: Type, lanes: Lanes) -> Fact | None:
    """The fact of a result of this type, an array of objects where NumPy has no dtype for it.

    >>> fact_of_type("int", ("B",)).dtype, fact_of_type(("list", "str"), ("B",)).holds
    (dtype('int64'), ('list', 'str'))
    """
    if isinstance(kind, str) and kind in _DTYPES:
        return Fact(_DTYPES[kind], lanes, weak=kind != "str")
    if isinstance(kind, str) and kind in DATE_DTYPES:
        return Fact(DATE_DTYPES[kind], lanes, holds=kind)
    if head(kind) in ("numpy", "iter", "bytes"):
        return None
    return Fact(OBJECT, lanes, holds=kind)


def type_of_object(obj: Any) -> Type | None:
    """The type of an object that is the same for every lane; None where it has no one type.

    >>> type_of_object({"a": 1}), type_of_object([1, "a"]) is None
    (('dict', 'str', 'int'), True)
    """
    if type(obj) in (str, int, float, bool, complex, bytes):
        return type(obj).__name__
    if type(obj).__module__ == "datetime" and type(obj).__name__ in DATES:
        return type(obj).__name__
    if type(obj) not in _CONTAINERS or not obj or len(obj) > _MOST:
        return None
    items = [type_of_object(v) for v in obj]
    if None in items:
        return None
    if type(obj) is tuple:
        return ("tuple", *items)
    kinds = set(items)
    if type(obj) is dict:
        values = {type_of_object(v) for v in obj.values()}
        if len(kinds) != 1 or len(values) != 1 or None in values:
            return None
        return ("dict", kinds.pop(), values.pop())
    if len(kinds) != 1:
        return None
    return ("list" if type(obj) is list else "set", kinds.pop())
