"""Names of the user's world: what a free name, an attribute or a table entry is, without running
anything.

Everything that was looked at is remembered as a *capture*; a compiled function stays valid as long
as each capture still has the signature it had (the type of a number, the identity of a function,
the shape of a table), which is checked at every call.
"""

from __future__ import annotations

import builtins
import enum
import functools
import inspect
import math
import types
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import gast
import numpy as np

#: what functools.lru_cache makes
_MEMO = type(functools.lru_cache(len))
#: stands for what is not there
MISSING = object()
#: the function whose names are read, without keeping it alive; None is the one that is asked for
Owner = weakref.ref[types.FunctionType] | None
#: a table longer than this is summarised by its type and length
_DEEP = 256
#: and one nested deeper than this
_NESTED = 3
Step = tuple[str, Any]


@dataclass(frozen=True)
class Unread:
    """Stands for an object that only running the user's file would give: no text may read it."""

    name: str
    why: str


@dataclass(frozen=True)
class Capture:
    """One thing read from the user's world: a root name, steps from there, and its signature.

    The root is a name of the compiled function's, or of a helper's: its ``owner``.
    """

    root: str
    steps: tuple[Step, ...]
    signature: object
    values: bool = False
    owner: Owner = None


@dataclass
class Captures:
    """All captures of a compilation, and the check that they still hold."""

    found: dict[tuple[Owner, str, tuple[Step, ...]], Capture] = field(default_factory=dict)

    def add(
        self,
        root: str,
        steps: tuple[Step, ...],
        obj: object,
        values: bool = False,
        owner: types.FunctionType | None = None,
    ) -> None:
        """Remember that this path led to this object; ``values``: its contents were compiled in."""
        reference = None if owner is None else weakref.ref(owner)
        before = self.found.get((reference, root, steps))
        values = values or (before is not None and before.values)
        made = Capture(root, steps, signature(obj, values), values, reference)
        self.found[reference, root, steps] = made


def signature(obj: object, values: bool = False, depth: int = 0) -> object:
    """What the compiled text depends on: not the value of a number, unless ``values``.

    Whether a float is NaN or a zero belongs to it: other floats have one order.

    >>> signature(1.5) == signature(2.5), signature(1) == signature(1.0)
    (True, False)
    >>> signature(0.0) == signature(-0.0)
    False
    >>> signature([1, 2]) == signature([1, 2, 3])
    False
    """
    if isinstance(obj, float) and not values:
        return (type(obj), plain(obj))
    if obj is None or isinstance(obj, (bool, int, float, complex, str, bytes)):
        if values or isinstance(obj, str):
            return (type(obj), obj)
        return (type(obj), type(obj) is int and not -(2**63) <= obj < 2**63)
    if isinstance(obj, np.generic):
        return (obj.dtype, obj.item() if values else None)
    if isinstance(obj, np.ndarray):
        return (np.ndarray, obj.dtype, obj.shape)
    if isinstance(obj, (tuple, list, set, frozenset)) and type(obj).__module__ in ("builtins",):
        if depth > _NESTED or len(obj) > _DEEP:
            return (type(obj), len(obj), summary(obj, values, depth))
        if isinstance(obj, (set, frozenset)):
            return (type(obj), frozenset(obj))
        return (type(obj), *(signature(v, values, depth + 1) for v in obj))
    if isinstance(obj, dict):
        if depth > _NESTED or len(obj) > _DEEP:
            keys, items = summary(obj, values, depth), summary(obj.values(), values, depth)
            return (dict, len(obj), keys, items)
        return (dict, *((k, signature(v, values, depth + 1)) for k, v in obj.items()))
    if isinstance(obj, types.FunctionType):  # another may get the place of one that is gone
        return ("function", weakref.ref(obj))
    if isinstance(obj, (types.BuiltinFunctionType, type, types.ModuleType, np.ufunc)):
        return ("identity", id(obj))
    if isinstance(obj, types.MethodType):
        return ("method", signature(obj.__func__), type(obj.__self__))
    if isinstance(obj, (staticmethod, classmethod)):
        return (type(obj), signature(obj.__func__))
    if isinstance(obj, property):
        return (property, signature(obj.fget))
    if isinstance(obj, enum.Enum):
        return ("identity", id(obj))
    if isinstance(obj, functools.partial):
        args = ((k, signature(v, values, depth + 1)) for k, v in obj.keywords.items())
        return ("partial", signature(obj.func), signature(obj.args, values, depth + 1), *args)
    wrapped = seen_through(obj)
    if wrapped is not None:
        return ("wrapped", id(type(obj)), weakref.ref(wrapped))
    return ("type", id(type(obj)))


def summary(items: Iterable[Any], values: bool, depth: int) -> object:
    """What the text depends on of a long table: the kinds of its items, how large they are.

    >>> summary([1, 2.5], False, 0) == summary([2, 3, 0.5], False, 0)
    True
    >>> summary(["a"], False, 0) == summary(["ab"], False, 0)
    False
    """
    if values or depth > _NESTED:
        return tuple(items) if values else None
    found: set[object] = {*map(type, items)}
    plain = found <= {bool, int, float, complex, str, type(None)}
    if not plain:
        return frozenset(signature(v, values, depth + 1) for v in items)
    whole = [v for v in items if type(v) is int] if int in found else []
    texts = [v for v in items if type(v) is str] if str in found else []
    if whole:
        found.add(("int", min(whole) >= -(2**63) and max(whole) < 2**63))
        found.add(("exact", min(whole) > -(2**53) and max(whole) < 2**53))
    if texts:
        found.add(("str", max(map(len, texts)), "\0" in "".join(texts)))
    return frozenset(found)


def seen_through(obj: object) -> types.FunctionType | None:
    """The function that a decorator wraps which changes no result: a cache's, or our own.

    A vmapped function is another one: it takes a batch.
    """
    own = type(obj).__module__.startswith("autovec") and getattr(obj, "transparent", False)
    if not isinstance(obj, _MEMO) and not own:
        return None
    wrapped = getattr(obj, "__wrapped__", None)
    return wrapped if isinstance(wrapped, types.FunctionType) else None


def plain(obj: object, depth: int = 0) -> int:
    """How plain a number, or the least plain of a table of numbers, is, as signatures tell:

    2: neither NaN nor zero, 1: nor -0.0, but maybe 0.0, or an int that is not negative, else 0.

    >>> plain((1.0, (2.0, 4.5))), plain((1.0, 0.0)), plain([1.0, float("nan")]), plain((-0.0,))
    (2, 1, 0, 0)
    """
    if isinstance(obj, float):
        return 2 if obj == obj != 0 else int(obj == 0 and math.copysign(1.0, obj) > 0)
    if isinstance(obj, int):
        return int(obj >= 0)
    if type(obj) in (tuple, list) and depth <= 3 and len(obj) <= _DEEP:  # type: ignore[arg-type]
        return min((plain(v, depth + 1) for v in obj), default=2)  # type: ignore[attr-defined]
    return 0


class Scope:
    """The free names of one function."""

    def __init__(self, fn: types.FunctionType) -> None:
        self.fn = fn
        self.globals = fn.__globals__
        self.cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))

    def lookup(self, name: str) -> object:
        """The object a free name stands for; ``missing`` when there is none."""
        return resolve_root(self.fn, name)


def resolve_root(fn: types.FunctionType, name: str) -> object:
    """A closure cell's, global's or builtin's value."""
    code = fn.__code__
    if name in code.co_freevars and fn.__closure__:
        try:
            return fn.__closure__[code.co_freevars.index(name)].cell_contents
        except ValueError:
            return MISSING
    found = fn.__globals__.get(name, MISSING)
    return getattr(builtins, name, MISSING) if found is MISSING else found


def is_missing(obj: object) -> bool:
    """Was the name not found?"""
    return obj is MISSING


def static_getattr(obj: Any, name: str) -> object:
    """An attribute, if reading it runs nothing of the user's: plain data, a method, a property's
    function.

    Returns ``missing`` when it is not there or cannot be read without running code.
    """
    if isinstance(obj, types.ModuleType):
        return vars(obj).get(name, MISSING) if name in vars(obj) else getattr(obj, name, MISSING)
    if isinstance(obj, enum.Enum) and name in ("value", "name"):
        own = inspect.getattr_static(type(obj), name)
        plain = own is inspect.getattr_static(enum.Enum, name)
        return (obj._value_ if name == "value" else obj._name_) if plain else MISSING
    if isinstance(obj, (np.generic, np.ndarray, int, float, complex, str)):
        return getattr(obj, name, MISSING)
    try:
        found = inspect.getattr_static(obj, name)
    except AttributeError:
        return MISSING
    if isinstance(found, (property, types.FunctionType, classmethod, staticmethod)):
        return found
    if isinstance(obj, tuple) or isinstance(
        found, (types.MemberDescriptorType, types.GetSetDescriptorType)
    ):
        return getattr(obj, name, MISSING)  # a namedtuple's field, a slot: reads data only
    if isinstance(found, (types.WrapperDescriptorType, types.MethodDescriptorType)):
        return getattr(obj, name, MISSING)
    if hasattr(type(found), "__get__") and not isinstance(obj, type):
        return MISSING
    if isinstance(obj, enum.EnumType):
        return getattr(obj, name, MISSING)
    return found


def follow(fn: types.FunctionType, arguments: dict[str, Any], capture: Capture) -> object:
    """What a capture's path leads to now."""
    if capture.owner is None and capture.root in arguments:
        obj: Any = arguments[capture.root]
    else:
        owner = fn if capture.owner is None else capture.owner()
        obj = MISSING if owner is None else resolve_root(owner, capture.root)
    for kind, key in capture.steps:
        if is_missing(obj):
            return MISSING
        if kind == "attr":
            obj = static_getattr(obj, key)
        else:
            try:
                obj = obj[key]
            except (LookupError, TypeError):
                return MISSING
    return obj


def is_function(found: object) -> bool:
    """Is it the signature of a function?"""
    return isinstance(found, tuple) and found[0] == "function"


def checker(captures: Captures) -> Callable[[types.FunctionType, dict[str, Any]], bool]:
    """A function that says whether every capture still has its signature."""
    wanted = tuple(captures.found.values())

    def valid(fn: types.FunctionType, arguments: dict[str, Any]) -> bool:
        return all(signature(follow(fn, arguments, c), c.values) == c.signature for c in wanted)

    return valid


def is_namedtuple_class(obj: object) -> bool:
    """A class made by ``namedtuple`` or ``NamedTuple``."""
    return isinstance(obj, type) and issubclass(obj, tuple) and hasattr(obj, "_fields")


def is_plain_dataclass(obj: object) -> bool:
    """A dataclass whose construction runs nothing but the field assignments."""
    if not isinstance(obj, type) or not is_dataclass(obj) or hasattr(obj, "__post_init__"):
        return False
    return bool(vars(obj)["__dataclass_params__"].init) and all(f.init for f in fields(obj))


def path_of(expr: gast.expr | None) -> tuple[str, tuple[tuple[str, Any], ...]] | None:
    """The root name and the steps of ``root.attr[key]``; None for anything else."""
    steps: list[tuple[str, Any]] = []
    while not isinstance(expr, gast.Name):
        if isinstance(expr, gast.Attribute):
            steps.append(("attr", expr.attr))
            expr = expr.value
        elif isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Constant):
            steps.append(("item", expr.slice.value))
            expr = expr.value
        else:
            return None
    return expr.id, tuple(reversed(steps))
