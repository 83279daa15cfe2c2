"""The values of a file's constants, computed from its text: literals, arithmetic, `sqrt(2)`."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from autovec.files.meaning import Doubt
from autovec.program.unknown import Undeclared

_RUNS = "it is computed when the file runs"
_BITS = 2048  # an int beyond this is not computed
_ITEMS = 20_000
_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_SLOW = {"factorial", "comb", "perm", "prod", "dist", "nextafter", "sumprod"}
_BUILTINS = """abs bool complex dict float frozenset int len list max min range round set sorted
    str tuple""".split()  # noqa: SIM905
_FROM_NUMPY = {t.__name__ for t in np.sctypeDict.values() if t is not np.void}
_CALLS: frozenset[str] = frozenset(
    {f"math.{name}" for name in dir(math) if name[0] != "_" and name not in _SLOW}
    | {f"builtins.{name}" for name in _BUILTINS}
    | {f"numpy.{name}" for name in (*_FROM_NUMPY, "array", "deg2rad", "exp", "log", "sqrt")}
)
_NUMBERS = (bool, int, float, complex, np.generic)


class OpaqueFloat(float):
    """A float whose value only running the file would tell."""


class OpaqueInt(int):
    """An int whose value only running the file would tell."""


class OpaqueStr(str):
    """A string whose value only running the file would tell."""


#: what stands for such a number
UNDECLARED_VALUE = Undeclared(1.5)
#: what stands for an unknown value of a known type
OPAQUE: Mapping[type, Any] = {float: OpaqueFloat(1.5), int: OpaqueInt(1), str: OpaqueStr("text")}
OPAQUE_TYPES = (*(type(value) for value in OPAQUE.values()), Undeclared)


def stand_in(kind: Any, otherwise: Any = None) -> Any:
    """What stands for an unknown value of a type, if it is one that has a stand-in."""
    return OPAQUE.get(kind, otherwise)


class NotConstantError(Exception):
    """An expression whose value is not known without running the file."""

    def __init__(self, node: ast.AST, why: str) -> None:
        super().__init__(why)
        self.node = node
        self.why = why


class Evaluator:
    """Computes constant expressions; `name` and `object` say what names stand for.

    >>> from autovec.files.meaning import object_of
    >>> known = Evaluator({"K": 3}.__getitem__, lambda node: ast.unparse(node), object_of)
    >>> known.value(ast.parse("(2 * K, math.sqrt(16.0), {'a': -1})", mode="eval").body)
    (6, 4.0, {'a': -1})
    """

    _kinds: ClassVar[dict[type, type]] = {ast.Tuple: tuple, ast.List: list, ast.Set: set}

    def __init__(
        self,
        name: Callable[[str], object],
        qualified: Callable[[ast.AST], str | None],
        find: Callable[[str], object],
    ) -> None:
        self.name = name
        self.qualified = qualified
        self.find = find
        self.left = _ITEMS

    def value(self, node: ast.AST) -> Any:
        """The value. Raises NotConstantError."""
        self.left -= 1
        if self.left < 0:
            raise NotConstantError(node, "it is too long to be looked at")
        method = getattr(self, "of_" + type(node).__name__, None)
        if method is None:
            raise NotConstantError(node, _RUNS)
        return method(node)

    def of_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def of_Tuple(self, node: Any) -> Any:
        items = [self.value(e) for e in node.elts]
        return self.made(node, self._kinds[type(node)], items)

    of_List = of_Set = of_Tuple

    def of_Dict(self, node: ast.Dict) -> Any:
        if None in node.keys:
            raise NotConstantError(node, _RUNS)
        keys = [self.value(k) for k in node.keys if k is not None]
        values = [self.value(v) for v in node.values]
        return self.made(node, dict, list(zip(keys, values, strict=True)))

    def of_Name(self, node: ast.Name) -> Any:
        found = self.name(node.id)
        if isinstance(found, Doubt):
            raise NotConstantError(node, found.why)
        return found

    def of_Attribute(self, node: ast.Attribute) -> Any:
        name = self.qualified(node)
        if name is None:
            base = self.value(node.value)
            if isinstance(base, tuple) and node.attr in getattr(base, "_fields", ()):
                return getattr(base, node.attr)
            raise NotConstantError(node, _RUNS)
        found = self.find(name)
        if isinstance(found, Doubt):
            raise NotConstantError(node, found.why)
        return found

    def of_UnaryOp(self, node: ast.UnaryOp) -> Any:
        return self.applied(node, _OPERATORS[type(node.op)], self.value(node.operand))

    def of_BinOp(self, node: ast.BinOp) -> Any:
        work = _OPERATORS.get(type(node.op))
        left, right = self.value(node.left), self.value(node.right)
        if work is None:
            raise NotConstantError(node, _RUNS)
        if work is operator.pow and _bits(left) * _number(right) > _BITS:
            raise NotConstantError(node, "it is too large to be computed here")
        if work is operator.mul and not (_is_number(left) and _is_number(right)):
            raise NotConstantError(node, _RUNS)
        if work is operator.mod and isinstance(left, (str, bytes)):
            raise NotConstantError(node, _RUNS)
        return self.applied(node, work, left, right)

    def of_Subscript(self, node: ast.Subscript) -> Any:
        base, key = self.value(node.value), self.value(node.slice)
        if type(base) not in (tuple, list, dict, str):
            raise NotConstantError(node, _RUNS)
        return self.applied(node, operator.getitem, base, key)

    def of_Call(self, node: ast.Call) -> Any:
        name = self.qualified(node.func)
        if name not in _CALLS:
            raise NotConstantError(node, _RUNS)
        try:
            args = [self.value(a) for a in node.args]
            keywords = {k.arg: self.value(k.value) for k in node.keywords if k.arg}
        except NotConstantError:
            kind = _result_kind(name)
            if kind is None:
                raise
            return OPAQUE[kind]
        callables = any(callable(a) for a in (*args, *keywords.values()))
        if callables or len(keywords) < len(node.keywords):
            raise NotConstantError(node, _RUNS)
        if any(isinstance(a, range) and len(a) > _ITEMS for a in args):
            raise NotConstantError(node, "it is too long to be looked at")
        return self.applied(node, self.find(name), *args, **keywords)

    def applied(self, node: ast.AST, work: Any, *args: Any, **keywords: Any) -> Any:
        """What an operation gives; of an unknown number, an unknown number."""
        try:
            with np.errstate(all="ignore"):
                result = work(*args, **keywords)
        except Exception as error:
            raise NotConstantError(node, f"computing it raises {type(error).__name__}") from None
        if any(isinstance(a, OPAQUE_TYPES) for a in args):
            if type(result) not in OPAQUE:
                raise NotConstantError(node, _RUNS)
            unsaid = any(isinstance(a, Undeclared) for a in args)
            return UNDECLARED_VALUE if unsaid else OPAQUE[type(result)]
        if _bits(result) > _BITS:
            raise NotConstantError(node, "it is too large to be computed here")
        return result

    def made(self, node: ast.AST, kind: Any, items: Any) -> Any:
        try:
            return kind(items)
        except TypeError as error:
            raise NotConstantError(node, str(error)) from None


def _result_kind(name: str | None) -> type | None:
    """The type of what a function gives, whatever it is given."""
    top, _, last = (name or "").partition(".")
    if top == "builtins":
        return {"float": float, "int": int, "str": str, "len": int}.get(last)
    whole = {"floor", "ceil", "trunc", "gcd", "lcm", "isqrt"}
    truth = {"isnan", "isinf", "isfinite", "isclose"}
    pairs = {"frexp", "modf", "fsum", "hypot"}
    if top != "math" or last in truth | pairs:
        return None
    return int if last in whole else float


def _is_number(value: object) -> bool:
    return isinstance(value, _NUMBERS)


def _number(value: object) -> int:
    return abs(value) if isinstance(value, int) else 1


def _bits(value: object) -> int:
    return value.bit_length() if isinstance(value, int) else 0
