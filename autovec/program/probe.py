"""The dtype of an operation, found by evaluating its own template on one-element stand-ins.

Only templates of the rule table are evaluated, never anything of the user's.
"""

from __future__ import annotations

import cmath
import functools
import math
import operator
import types
from typing import Any

import numpy as np

from autovec.ops import prelude
from autovec.program.facts import Fact, dummy

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


def evaluate(text: str, env: dict[str, Any]) -> bool:
    """A rule's predicate on literal operands."""
    with np.errstate(all="ignore"):
        return bool(np.any(eval(_code(text), _world(), env)))
