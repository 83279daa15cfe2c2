"""Arrays of objects: which Python type their elements have, so that a text can be made for them."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_WORDS: dict[type, str] = {cls: cls.__name__ for cls in (str, bool, int, float, complex)}
_DATES = ("date", "datetime", "timedelta")


def native(array: Array) -> Array:
    """An array of texts as NumPy's own, where nothing is lost at a null character.

    >>> native(np.array(["a", "bc"], dtype=object)), native(np.array([1, "a"], dtype=object))
    (array(['a', 'bc'], dtype='<U2'), array([1, 'a'], dtype=object))
    """
    listed = array.ravel().tolist()
    if listed and isinstance(listed[0], str):
        made = texts(listed)
        if made is not None:
            return made.reshape(array.shape)
    kinds = set(map(type, listed))
    if kinds and all(issubclass(kind, str) for kind in kinds):
        return array.astype(object)
    if array.dtype.kind == "T":
        return array.astype(object)
    return array if array.size else array.astype(str)  # most likely texts


def texts(listed: list[Any]) -> Array | None:
    """Strings as fixed width text; None where anything else is among them, or a null character.

    The objects are scattered in memory, so each is looked at once: mostly few of them differ.

    >>> texts(["a", "bc", "a"]), texts(["a", None]) is None
    (array(['a', 'bc', 'a'], dtype='<U2'), True)
    """
    places: defaultdict[Any, int] = defaultdict(itertools.count().__next__)
    codes: Array
    try:
        codes = np.frombuffer(bytes(map(places.__getitem__, listed)), np.uint8)
    except TypeError:  # something that is not hashable
        return None
    except ValueError:  # more than 256
        codes = np.fromiter(map(places.__getitem__, listed), np.intp, len(listed))
    if not {*map(type, places)} <= {str, np.str_} or "\0" in "".join(places):
        return None
    return np.array([*places], dtype=str).take(codes)


def held(array: Array) -> Any:
    """What the elements of an array of objects are, as ``Fact.holds`` says it; None for a mixture.

    >>> held(np.array(["a", None], dtype=object)), held(np.array(["a", math.nan], dtype=object))
    (('optional', 'str', 'None'), ('optional', 'str', 'nan'))
    """
    values: Sequence[Any] = array.ravel().tolist()
    kinds = set(map(type, values))
    if kinds == {type(None)}:
        return ("optional", "str", "None")  # as good as any
    if len(kinds) == 1:
        [kind] = kinds
        number = kind in _WORDS and kind is not str and not (kind is int and _long(values))
        date = _is_date(kind) and not any(map(_zone, values))
        return kind.__name__ if number or date else None
    missing = "None" if type(None) in kinds else "nan"
    others = kinds - {type(None)} if missing == "None" else kinds - {float}
    if len(others) != 1:
        return None
    [kind] = others
    word = _WORDS.get(kind, kind.__name__ if _is_date(kind) else None)
    if word in _DATES and any(map(_zone, values)):
        return None
    if word is None or (missing == "nan" and kind is not str):
        return None
    if kind is str and any(type(v) is str and "\0" in v for v in values):
        return None
    if kind is int and _long(values):
        return None
    if missing == "nan" and any(type(v) is float and not math.isnan(v) for v in values):
        return None
    return ("optional", word, missing)


def _long(values: Sequence[Any]) -> bool:
    """Is an integer beyond int64?"""
    return any(v is not None and not -(2**63) <= v < 2**63 for v in values)


def _is_date(kind: type) -> bool:
    return kind.__module__ == "datetime" and kind.__name__ in _DATES


def _zone(value: Any) -> bool:
    """Does a datetime know its time zone, which NumPy's does not?"""
    return getattr(value, "tzinfo", None) is not None
