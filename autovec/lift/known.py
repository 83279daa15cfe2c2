"""The functions whose text for arrays is known: what the loop calls, and what arrays are given."""

from __future__ import annotations

import builtins
import math
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

_MISSING = object()


@dataclass(frozen=True)
class Call:
    """One function: the text for arrays, the NumPy function behind it, and how careful to be.

    `strict`: it raises for some numbers where NumPy warns; `total`: it does neither, for any.
    """

    text: str
    array: Callable[..., Any]
    strict: bool = False
    total: bool = False


_MATH = {
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos",
    "atan": "arctan", "atan2": "arctan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "exp": "exp", "expm1": "expm1",
    "log": "log", "log2": "log2", "log10": "log10", "log1p": "log1p", "sqrt": "sqrt",
    "hypot": "hypot", "fabs": "abs", "radians": "radians", "degrees": "degrees",
    "copysign": "copysign", "fmod": "fmod",
}  # fmt: skip
_QUIET = {"fabs", "copysign"}
_TESTS = {"isnan": "isnan", "isinf": "isinf", "isfinite": "isfinite"}
_TOTAL = {
    "absolute", "negative", "minimum", "maximum", "fmin", "fmax", "isnan", "isinf", "isfinite",
    "sign", "less", "greater", "logical_and", "logical_or", "logical_not", "add", "subtract",
    "multiply", "copysign", "signbit", "conjugate", "rint", "floor", "ceil", "trunc", "fabs",
}  # fmt: skip


def _of_numpy(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(np, name)
    return found


CALLS: dict[object, Call] = {abs: Call("np.abs", np.abs, total=True)}
for _name, _twin in _MATH.items():
    CALLS[getattr(math, _name)] = Call(
        f"np.{_twin}", _of_numpy(_twin), strict=_name not in _QUIET, total=_name in _QUIET
    )
for _name, _twin in _TESTS.items():
    CALLS[getattr(math, _name)] = Call(f"np.{_twin}", _of_numpy(_twin), total=True)


def known_call(obj: object) -> Call | None:
    """What is known of a function that a loop calls with numbers."""
    try:
        found = CALLS.get(obj)
    except TypeError:
        return None
    if found is None and isinstance(obj, np.ufunc) and obj.nout == 1 and obj.signature is None:
        name = obj.__name__
        if getattr(np, name, None) is obj:
            return Call(f"np.{name}", _of_numpy(name), total=name in _TOTAL)
    return found


@dataclass(frozen=True)
class Scope:
    """What a function's free names are bound to."""

    fn: types.FunctionType
    local: frozenset[str]
    seen: dict[str, object] = field(default_factory=dict)  # what was found, by its path

    def find(self, node: Any) -> object:
        """The object behind a name or an attribute of a module; None where it is not certain."""
        found = self._find(node)
        if found is _MISSING:
            return None
        path = node.id if isinstance(node, gast.Name) else None
        if path is None:
            names = [n.id for n in gast.walk(node) if isinstance(n, gast.Name)]
            path = ".".join([*names, *_attributes(node)])
        self.seen[path] = found
        return found

    def called(self, node: Any) -> object:
        """The object that a call calls; None for what is no call, or where it is not certain."""
        return self.find(node.func) if isinstance(node, gast.Call) else None

    def unchanged(self) -> bool:
        """Are all names that were looked up still bound to the same, numbers to their type?"""
        for path, old in self.seen.items():
            first, *rest = path.split(".")
            now = self._root(first)
            for attr in rest:
                now = getattr(now, attr, _MISSING)
            number = type(old) in (int, float, bool)
            if type(now) is not type(old) if number else now is not old:
                return False
        return True

    def _find(self, node: Any) -> object:
        if isinstance(node, gast.Attribute):
            owner = self._find(node.value)
            if isinstance(owner, types.ModuleType):
                return getattr(owner, node.attr, _MISSING)
            return _MISSING
        if not isinstance(node, gast.Name) or node.id in self.local:
            return _MISSING
        return self._root(node.id)

    def _root(self, name: str) -> object:
        fn = self.fn
        if name in fn.__code__.co_freevars:
            cell = (fn.__closure__ or ())[fn.__code__.co_freevars.index(name)]
            try:
                return cell.cell_contents
            except ValueError:
                return _MISSING
        if name in fn.__globals__:
            return fn.__globals__[name]
        return getattr(builtins, name, _MISSING)


def _attributes(node: Any) -> list[str]:
    return [*_attributes(node.value), node.attr] if isinstance(node, gast.Attribute) else []
