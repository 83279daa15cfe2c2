"""The dtype of an operation, found by evaluating its own template on one-element stand-ins.

Only templates of the rule table are evaluated, never anything of the user's.
"""

from __future__ import annotations

import cmath
import functools
import math
import operator
import types
from dataclasses import replace
from typing import Any

import numpy as np

from autovec.errors import Unsupported
from autovec.ops import prelude
from autovec.program.facts import (
    OBJECT,
    STRING,
    Fact,
    Lanes,
    NoCommonType,
    dummy,
    join,
    scalar_fact,
)
from autovec.program.values import Operation, Value

#: operations that give an int for ints and a float for floats
KEEPS_KIND = frozenset(
    ["+", "-", "*", "**", "//", "%", "neg", "pos", "builtins.abs", "builtins.round"]
)
#: operations whose float results are the same to the last bit in Python and in NumPy
ROUNDS_ALIKE = KEEPS_KIND - {"**"} | {
    "/", "max", "min", "part", "not", "truth", "builtins.float", "builtins.divmod",
    *(f"math.{n}" for n in ("sqrt", "fabs", "copysign", "fmod", "trunc", "ldexp", "nextafter")),
    *(f"numpy.{n}" for n in ("sqrt", "absolute", "maximum", "minimum", "where", "floor", "ceil")),
}  # fmt: skip
#: stand-in values to try: an operation may be undefined at one of them (acosh at 1/2, atanh at 1)
_ONES = (1, 0.5, 2, 0)


class NoResult(Exception):
    """The operation accepts no operands of these types."""


@functools.cache
def _world() -> dict[str, Any]:
    world: dict[str, Any] = {"np": np, "math": math, "cmath": cmath, "operator": operator}
    world.update({name: prelude.function(name) for name in prelude.names()})
    return world


@functools.cache
def _code(text: str) -> types.CodeType:
    return compile(text, "<rule>", "eval")


@functools.lru_cache(maxsize=4096)
def result(
    text: str, params: tuple[str, ...], facts: tuple[Fact, ...], semantic: bool = True
) -> Any:
    """One sample result of the template for operands of these facts.

    >>> i = Fact(np.dtype(np.int64), ("B",))
    >>> result("x / y", ("x", "y"), (i, i)).dtype
    dtype('float64')
    """
    error: Exception | None = None
    for one in _ONES:
        with np.errstate(all="ignore"):
            try:
                operands = [dummy(fact, one, semantic) for fact in facts]
                return eval(_code(text), _world(), dict(zip(params, operands, strict=True)))
            except (ValueError, OverflowError, ZeroDivisionError, FloatingPointError) as e:
                error = e
            except Exception as e:
                raise NoResult(f"{type(e).__name__}: {e}") from e
    raise NoResult(f"{type(error).__name__}: {error}")


def evaluated(text: str, params: tuple[str, ...], operands: list[Any]) -> Any:
    """A template's result for these operands."""
    return eval(_code(text), _world(), dict(zip(params, operands, strict=True)))


def evaluate(text: str, env: dict[str, Any]) -> bool:
    """A rule's predicate on literal operands."""
    with np.errstate(all="ignore"):
        return bool(np.any(eval(_code(text), _world(), env)))


def result_fact(sample: Any, op: Operation, args: tuple[Value, ...], lanes: Lanes) -> Fact:
    """The fact of an operation's result, from a sample of it."""
    if isinstance(sample, (np.ndarray, np.generic)):
        dtype = sample.dtype
        weak = False
    else:
        found = scalar_fact(sample)
        if found is None:
            raise Unsupported(
                None, f"{op.name} gives {type(sample).__name__}", "it is not a scalar"
            )
        dtype, weak = found.dtype, found.weak
    if dtype.kind == "U" and not (op.name == "+" and all(a.fact.dtype.itemsize for a in args)):
        dtype = STRING  # of the stand-ins' width, which says nothing
    if dtype == OBJECT:
        raise Unsupported(None, f"{op.name} gives Python objects", "no NumPy dtype holds them")
    if isinstance(sample, np.ndarray) and sample.ndim > 1:
        raise Unsupported(None, f"{op.name} gives an array", "samples are scalars here")
    strong = [a.fact for a in args if not a.fact.weak]
    python = op.number == "python" or (op.number == "operands" and all(f.python for f in strong))
    # a bool sample is Python's bool: with Python numbers it makes Python numbers
    numbers = [f for f in strong if f.kind != "b" or not f.python]
    alone = (bool(args) and not strong) or (bool(strong) and not numbers and dtype.kind != "b")
    weak = (
        (weak or op.weak or (bool(lanes) and alone) or dtype.kind == "b")
        and python
        and dtype.kind in "biufc"
    )
    float_only = any(a.fact.kind in "fc" and not (a.fact.mixed or a.fact.apart) for a in args)
    keeps = dtype.kind == "f" and op.name in KEEPS_KIND and not float_only
    mixed = keeps and any(a.fact.mixed for a in args)
    apart = keeps and any(a.fact.apart for a in args)
    if op.name in ("max", "min"):  # one of the operands, as it is
        mixed = any(a.fact.mixed for a in args) or len({a.fact.kind for a in args}) > 1
        apart = any(a.fact.apart for a in args)
    made = Fact(dtype, lanes, weak=weak, python=python, mixed=mixed, apart=apart)
    return replace(made, either=_either(op, args))


def one_of(op: Operation, args: tuple[Value, ...], node: Any) -> Fact:
    """The fact of ``max`` or ``min`` of uniform values: it is one of them, of that one's type."""
    try:
        return functools.reduce(join, (arg.fact for arg in args))
    except NoCommonType as e:
        raise Unsupported(node, f"{op.name} of these operands", str(e)) from e


def _either(op: Operation, args: tuple[Value, ...]) -> bool:
    """Is the result of an operation Python's number on some lanes and NumPy's on others?"""
    unsure = any(a.fact.either for a in args)
    if op.name in ("max", "min"):
        return unsure or len({a.fact.plain for a in args}) > 1
    certain = any(not (a.fact.either or a.fact.plain) for a in args)
    return op.number == "operands" and unsure and not certain
