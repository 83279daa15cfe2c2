"""Builtins, `math` and NumPy functions under the law: what `f(...)` calls instead of `f`."""

from __future__ import annotations

import builtins
import cmath
import functools
import math
import operator
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tests.oracle.law import LAW, Law
from tests.oracle.rewrite import lawful
from tests.oracle.scalars import STRONG, is_narrow, own, plain

Function = Callable[..., Any]

# math functions that answer with an int or a bool: their errors are real errors, no departure
_WHOLE = "ceil floor trunc comb factorial gcd isqrt lcm perm isclose isfinite isinf isnan".split()
_NEVER_RAISE = ("isclose", "isfinite", "isinf", "isnan", "gcd", "lcm", "fabs", "copysign", "atan")
_TWINS: dict[str, Any] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "atanh": np.arctanh, "cos": np.cos,
    "sin": np.sin, "tan": np.tan, "cosh": np.cosh, "sinh": np.sinh, "exp": np.exp, "exp2": np.exp2,
    "expm1": np.expm1, "fmod": np.fmod, "ldexp": np.ldexp, "log1p": np.log1p, "log2": np.log2,
    "log10": np.log10, "pow": np.power, "sqrt": np.sqrt, "remainder": lambda x, y: math.nan,
    "log": lambda x, b=None: np.log(x) if b is None else np.log(x) / np.log(b),
}  # fmt: skip
# results that every library gives to the last bit
_EXACT = frozenset(
    """
    sqrt fabs copysign fmod ldexp remainder modf frexp absolute abs maximum minimum where clip sign
    floor ceil trunc rint isnan isinf isfinite logical_and logical_or logical_not nextafter fmax
    fmin add subtract multiply negative square select equal less greater heaviside
    """.split()
)


def _math(name: str, fn: Function) -> Function:
    whole, twin, exact = name in _WHOLE, _TWINS.get(name), name in _EXACT

    def call(*args: Any) -> Any:
        values = [float(a) if isinstance(a, np.floating) else plain(a) for a in args]
        if name == "copysign":
            values = [_either_nan(v) for v in values]
        if name not in _NEVER_RAISE:
            LAW.maybe_raise(ValueError("math domain error"))
            LAW.maybe_raise(OverflowError("math range error"))
        try:
            result = fn(*values)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            if whole:
                raise
            limit = math.nan if isinstance(error, ValueError) else math.inf
            fallback = (lambda: float(twin(*map(float, values)))) if twin else (lambda: limit)
            result = LAW.depart(error, args, fallback)
        if whole:
            return _watch(result)
        if isinstance(result, tuple):
            return tuple(_like(r, args, exact) for r in result)
        return _like(result, args, exact)

    return call


def _either_nan(value: Any) -> Any:
    """The sign of a nan is nobody's promise: while wobbling it is either."""
    if LAW.wobble and isinstance(value, float) and math.isnan(value):
        return type(value)(LAW.wobble.choice((math.nan, -math.nan)))
    return value


def _like(value: Any, args: tuple[Any, ...], exact: bool) -> Any:
    """A math function's value in the kind its arguments ask for: float32 stays float32.

    Of uniform arguments it is Python's number, whoever computed them.
    """
    scalars = [a for a in args if isinstance(a, np.generic)]
    if scalars and all(id(a) in LAW.shared for a in scalars):
        return LAW.jitter(value) if LAW.wobble and not exact and type(value) is float else value
    if any(type(a) in STRONG for a in args):
        return LAW.kin(LAW.strong(value, exact), *args)
    small = [a for a in args if is_narrow(a)]
    if (
        small
        and all(isinstance(a, np.float32 | np.float16) for a in small)
        and type(value) is float
    ):
        with np.errstate(over="ignore"):
            narrow = np.result_type(*(a.dtype for a in small)).type(value)
        if np.isinf(narrow) and not math.isinf(value):
            return LAW.depart(OverflowError("math range error"), args, lambda: own(narrow))
        return own(LAW.native(narrow))
    if small:
        return LAW.kin(LAW.strong(value, exact), *args)
    return LAW.jitter(value) if LAW.wobble and not exact and type(value) is float else value


def _numpy(fn: Function) -> Function:
    exact = getattr(fn, "__name__", "") in _EXACT

    @functools.wraps(fn, updated=())
    def call(*args: Any, **kw: Any) -> Any:
        if fn in (np.copysign, np.signbit):
            args = tuple(map(_either_nan, args))
        value = LAW.native(fn(*args, **kw))
        if LAW.wobble and not exact and type(value) is np.float64:
            value = np.float64(LAW.jitter(float(value)))
        if not any(isinstance(a, np.generic | np.ndarray) for a in args):
            LAW.shared[id(value)] = value
        return LAW.kin(value, *args)

    return call


def _method(fn: Function) -> Function:
    """A method of an array sample, as inexact as NumPy's function of its name."""

    def call(*args: Any, **kw: Any) -> Any:
        value = fn(*args, **kw)
        if LAW.wobble and isinstance(value, np.floating):
            return type(value)(LAW.jitter(float(value), float(np.finfo(value.dtype).eps)))
        whole = LAW.wobble and isinstance(value, np.ndarray) and value.base is None
        return LAW.shaken(value) if whole else value

    return call


# ---------------------------------------------------------------- builtins
def _extreme(op: str, fn: Function) -> Function:
    def call(*args: Any, key: Function | None = None, **kw: Any) -> Any:
        values = list(args[0]) if len(args) == 1 else list(args)
        if not values:
            return fn(values, **kw)
        if LAW.explore:
            return LAW.explore.choice(values)
        measure = resolve(key) if key else (lambda v: v)
        best, rank = values[0], measure(values[0])
        for value in values[1:]:
            if LAW.compare(op, measure(value), rank):
                best, rank = value, measure(value)
        return best

    return call


def _sum(values: Iterable[Any], start: Any = 0) -> Any:
    total = functools.reduce(LAW.add, values, start)
    if LAW.wobble and isinstance(total, float):
        return type(total)(LAW.jitter(float(total)))
    return total


def _round(x: Any, digits: Any = None) -> Any:
    if is_narrow(x):
        return round(x) if digits is None else LAW.native(round(x, int(digits)), x)
    value = round(plain(x)) if digits is None else round(plain(x), plain(digits))
    if type(value) is int:
        _watch(value)
    return LAW.strong(value) if digits is not None and type(x) in STRONG else value


def _fsum(values: tuple[Any, ...]) -> Any:
    return _like(math.fsum(map(plain, values)), values, True)


def _watch(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        LAW.overflow = True
    return value


def _int(x: Any = 0, *base: Any) -> int:
    LAW.maybe_raise(ValueError("cannot convert float NaN to integer"))
    return _watch(int(plain(x), *base))


def _float(x: Any) -> float:
    if isinstance(x, str):
        LAW.maybe_raise(ValueError("could not convert string to float"))
    return float(x)


def _pow(a: Any, b: Any, modulus: Any = None) -> Any:
    return LAW.power(a, b) if modulus is None else pow(int(a), int(b), int(modulus))


CALLS: dict[Any, Function] = {
    builtins.abs: LAW.absolute,
    builtins.max: _extreme("Gt", max),
    builtins.min: _extreme("Lt", min),
    builtins.sum: _sum,
    builtins.round: _round,
    builtins.int: _int,
    builtins.float: lambda x=0.0: _float(x),
    builtins.bool: lambda x=False: bool(x),
    builtins.pow: _pow,
    builtins.isinstance: lambda value, kind: isinstance(plain(value), kind),
    builtins.divmod: lambda a, b: (LAW.floordiv(a, b), LAW.mod(a, b)),
    builtins.map: lambda fn, *its: map(resolve(fn), *its),
    builtins.filter: lambda fn, its: filter(resolve(fn), its),
    math.isclose: lambda a, b, **kw: math.isclose(float(a), float(b), **kw),
    math.fsum: lambda values: _fsum(tuple(values)),
    math.prod: lambda values, *, start=1: functools.reduce(LAW.mul, values, start),
    operator.add: LAW.add, operator.sub: LAW.sub, operator.mul: LAW.mul, operator.truediv: LAW.div,
    operator.floordiv: LAW.floordiv, operator.mod: LAW.mod, operator.pow: LAW.power,
    operator.neg: LAW.neg, operator.pos: LAW.pos, operator.invert: LAW.invert,
    operator.abs: LAW.absolute, operator.not_: lambda x: not x,
}  # fmt: skip
for _name in dir(math):
    _fn = getattr(math, _name)
    if callable(_fn) and not _name.startswith("_") and _fn not in CALLS:
        CALLS[_fn] = _math(_name, _fn)


def _cmath(fn: Function) -> Function:
    def call(*args: Any) -> Any:
        values = [complex(a) if isinstance(a, np.generic) else a for a in args]
        try:
            result = fn(*values)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            result = LAW.depart(error, args, lambda: complex(math.nan, math.nan))
        if type(result) is not complex:
            return result
        single = any(isinstance(a, np.complex64 | np.float32) for a in args)
        return own(np.complex64(result)) if single else LAW.strong(result)

    return call


for _name in dir(cmath):
    _fn = getattr(cmath, _name)
    if callable(_fn) and not _name.startswith("_"):
        CALLS[_fn] = _cmath(_fn)


def resolve(fn: Any) -> Any:
    """What a call of `fn` means for one sample."""
    try:
        known = CALLS.get(fn)
    except TypeError:  # not hashable
        return fn
    if known is not None:
        return known
    if isinstance(fn, types.FunctionType) and not (fn.__module__ or "").startswith("numpy"):
        return lawful(fn)
    if isinstance(fn, types.MethodType):
        return types.MethodType(resolve(fn.__func__), fn.__self__)
    if isinstance(fn, types.BuiltinMethodType) and isinstance(fn.__self__, np.ndarray):
        return _method(fn)
    if isinstance(fn, functools.partial):
        return functools.partial(resolve(fn.func), *fn.args, **fn.keywords)
    if isinstance(fn, np.ufunc) or (getattr(fn, "__module__", None) or "").startswith("numpy"):
        if not isinstance(fn, type | types.BuiltinMethodType) or isinstance(fn, np.ufunc):
            CALLS[fn] = _numpy(fn)
            return CALLS[fn]
    return fn


Law.call = staticmethod(resolve)  # type: ignore[attr-defined]
