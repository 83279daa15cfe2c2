"""What Python's own operations give, by type: for expressions that run a lane at a time.

A type is a word, ``"str"``, or a container with the types inside, ``("list", "str")``:

    >>> method_type("str", "split"), method_type(("list", "str"), "index")
    (('list', 'str'), 'int')
    >>> item_type(("dict", "str", "int")), item_type("int") is None
    ('str', True)
    >>> function_type("builtins.len", [("list", "str")]), function_type("builtins.len", ["int"])
    ('int', None)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: a word, or a tuple of a container's name and the types inside
Type = Any

NUMBERS = ("bool", "int", "float", "complex")
REALS = ("bool", "int", "float")
DATES = ("date", "datetime", "time", "timedelta", "timezone")

_STR_TO = {
    "str": "upper lower strip lstrip rstrip title capitalize casefold swapcase replace format "
    "removeprefix removesuffix zfill center ljust rjust expandtabs join translate format_map",
    "int": "count find index rfind rindex",
    "bool": "startswith endswith isdigit isdecimal isnumeric isalpha isalnum isupper islower "
    "isspace isidentifier istitle isascii isprintable",
    "bytes": "encode",
}
_OF_STR: dict[str, Type] = {
    **{name: kind for kind, names in _STR_TO.items() for name in names.split()},
    **dict.fromkeys(("split", "rsplit", "splitlines"), ("list", "str")),
    **dict.fromkeys(("partition", "rpartition"), ("tuple", "str", "str", "str")),
}
_DATE = {"toordinal": "int", "weekday": "int", "isoweekday": "int", "isoformat": "str",
         "strftime": "str", "ctime": "str"}  # fmt: skip
_METHODS: dict[str, dict[str, Type]] = {
    "str": _OF_STR,
    "bytes": {"decode": "str", "hex": "str"},
    "int": {"bit_length": "int", "bit_count": "int"},
    "float": {"is_integer": "bool", "hex": "str"},
    "date": {**_DATE, "replace": "date"},
    "datetime": {**_DATE, "replace": "datetime", "date": "date", "time": "time",
                 "timestamp": "float"},
    "time": {"isoformat": "str", "strftime": "str"},
    "Timestamp": {"isoformat": "str", "strftime": "str"},
    "timedelta": {"total_seconds": "float"},
    "match?": {"start": "int", "end": "int", "span": ("tuple", "int", "int")},
    "list": {"index": "int", "count": "int"},
    "tuple": {"index": "int", "count": "int"},
}  # fmt: skip
_CALENDAR = dict.fromkeys(("year", "month", "day"), "int")
_CLOCK = dict.fromkeys(("hour", "minute", "second", "microsecond"), "int")
ATTRIBUTES: dict[str, dict[str, Type]] = {
    "date": _CALENDAR,
    "time": _CLOCK,
    "datetime": {**_CALENDAR, **_CLOCK},
    "timedelta": dict.fromkeys(("days", "seconds", "microseconds"), "int"),
}

_TEXT_OF_ANY = "str repr ascii format hex oct bin chr"
FUNCTIONS: dict[str, Type] = {
    **{f"builtins.{name}": "str" for name in _TEXT_OF_ANY.split()},
    **{f"builtins.{name}": "int" for name in ("int", "ord")},
    **{f"builtins.{name}": "bool" for name in ("bool", "any", "all")},
    "builtins.float": "float",
    "builtins.range": ("iter", "int"),
    "datetime.datetime": "datetime",
    "datetime.date": "date",
    "datetime.time": "time",
    "datetime.timedelta": "timedelta",
    "datetime.datetime.strptime": "datetime",
    "datetime.datetime.fromisoformat": "datetime",
    "datetime.datetime.fromtimestamp": "datetime",
    "datetime.datetime.combine": "datetime",
    "datetime.date.fromisoformat": "date",
    "datetime.date.fromordinal": "date",
    "datetime.date.fromtimestamp": "date",
    "re.sub": "str",
    "re.escape": "str",
    "re.match": ("match?",),
    "re.search": ("match?",),
    "re.fullmatch": ("match?",),
    "builtins.str.maketrans": ("dict", "int", "int"),
    "calendar.isleap": "bool",
    "calendar.weekday": "int",
    "calendar.monthrange": ("tuple", "int", "int"),
    "unicodedata.normalize": "str",
    "unicodedata.category": "str",
    "unicodedata.name": "str",
    "html.escape": "str",
    "html.unescape": "str",
    "string.capwords": "str",
    "textwrap.shorten": "str",
    "textwrap.dedent": "str",
    "urllib.parse.quote": "str",
    "urllib.parse.quote_plus": "str",
    "urllib.parse.unquote": "str",
    "urllib.parse.unquote_plus": "str",
    "os.path.basename": "str",
    "os.path.dirname": "str",
    "posixpath.basename": "str",
    "posixpath.dirname": "str",
    "fnmatch.fnmatch": "bool",
    "fnmatch.fnmatchcase": "bool",
    "zlib.crc32": "int",
}  # fmt: skip
#: of floats a float; of integers some give integers
_MEANS = {
    f"statistics.{name}"
    for name in ("fmean", "mean", "stdev", "pstdev", "variance", "pvariance", "geometric_mean")
}
FUNCTIONS.update(dict.fromkeys(_MEANS, "float"))


def method_type(receiver: Type, name: str) -> Type | None:
    """What a method of a value of this type gives; None where it is not known."""
    return _METHODS.get(head(receiver), {}).get(name)


def attribute_type(receiver: Type, name: str) -> Type | None:
    """What an attribute holds."""
    return ATTRIBUTES.get(head(receiver), {}).get(name)


def function_type(name: str, args: Sequence[Type]) -> Type | None:
    """What a function of the standard library gives for arguments of these types."""
    short = name.removeprefix("builtins.")
    if short in ("list", "tuple", "set", "frozenset", "sorted", "reversed", "enumerate", "iter"):
        return _sequence(short, args)
    if short in ("sum", "min", "max", "abs", "round"):
        return _number(short, args)
    if short == "zip":
        items = [item_type(a) for a in args]
        return None if None in items else ("iter", ("tuple", *items))
    if short == "len":
        return "int" if len(args) == 1 and _sized(args[0]) else None
    if short in ("any", "all"):
        return "bool" if len(args) == 1 and item_type(args[0]) is not None else None
    if name in _MEANS:
        return "float" if len(args) == 1 and item_type(args[0]) == "float" else None
    return FUNCTIONS.get(name)


def _sized(kind: Type) -> bool:
    return head(kind) in ("str", "bytes", "list", "tuple", "set", "dict")


def _sequence(name: str, args: Sequence[Type]) -> Type | None:
    if not args:
        return None
    item = item_type(args[0])
    if item is None:
        return None
    if name == "enumerate":
        return ("iter", ("tuple", "int", item))
    made = {"sorted": "list", "reversed": "iter", "frozenset": "set", "tuple": "tuple*"}
    return (made.get(name, name), item)


def _number(name: str, args: Sequence[Type]) -> Type | None:
    if name == "abs" and args and args[0] in ("int", "float"):
        return args[0]
    if name == "round" and args and args[0] in ("int", "float"):
        return "int" if len(args) == 1 else args[0]
    if name == "sum" and args:
        item = item_type(args[0])
        start = args[1] if len(args) > 1 else "int"
        if item in REALS and start in REALS:  # a sum of no floats is the int 0
            return "int" if {item, start} <= {"bool", "int"} else None
        return None
    if name in ("min", "max") and args:
        kinds = {item_type(args[0])} if len(args) == 1 else set(args)
        return kinds.pop() if len(kinds) == 1 else None
    return None


def head(kind: Type) -> str:
    """The name of a type without what is inside."""
    found: str = kind[0] if isinstance(kind, tuple) else kind
    return found.rstrip("*")


def item_type(kind: Type) -> Type | None:
    """What iterating over a value of this type gives.

    >>> item_type(("tuple", "int", "int")), item_type(("tuple", "int", "str")) is None
    ('int', True)
    """
    if kind == "str":
        return "str"
    if kind == "bytes":
        return "int"
    if not isinstance(kind, tuple):
        return None
    if kind[0] == "dict":
        return kind[1]
    inside = set(kind[1:])
    return inside.pop() if len(inside) == 1 else None
