"""The short way of a call: positional arguments, exact arrays of one shape, no options."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from autovec.run.columns import Column
from autovec.run.engine import Engine, Ready
from autovec.run.ownership import owned
from autovec.run.prepare import Call
from autovec.run.target import Parameters

_ndarray = np.ndarray

#: returned where the long way has to be taken
MISS = object()


def fast_key(args: tuple[object, ...]) -> tuple[object, ...]:
    """The dtypes of arrays and the types of the rest."""
    return tuple([a.dtype if type(a) is _ndarray else type(a) for a in args])


class Fast:
    """A compiled call that needs no binding and no conversion, for one :func:`fast_key`."""

    __slots__ = (
        "_defaults",
        "_first",
        "_function",
        "_lanes",
        "_names",
        "_others",
        "_tail",
        "_text",
        "_valid",
    )

    def __init__(self, ready: Ready, call: Call, nargs: int, layout: str) -> None:
        function: types.FunctionType = call.function
        varying = [i for i, item in enumerate(call.positional) if isinstance(item, Column)]
        self._function = function
        self._names = Parameters.of(function).positional
        self._text: Callable[..., Any] = ready.text
        self._valid = ready.entry.specialisation.still_valid
        self._first = varying[0]
        self._others = tuple(varying[1:])
        self._lanes = layout == "lanes"
        self._defaults = function.__defaults__
        self._tail = tuple(call.values()[0][nargs:])

    def run(self, args: tuple[Any, ...]) -> Any:
        """The result, or MISS; also where the text raises, for then the long way replays."""
        shape = args[self._first].shape
        if len(shape) != 1 if self._lanes else not shape:
            return MISS
        for i in self._others:
            if args[i].shape != shape:
                return MISS
        if self._tail:
            if self._function.__defaults__ is not self._defaults:
                return MISS
            args += self._tail
        if not self._valid(self._function, dict(zip(self._names, args, strict=True))):
            return MISS
        try:
            result = self._text(*args)
        except Exception:
            return MISS
        if type(result) is _ndarray and result.base is None and result.flags.owndata:
            for a in args:
                if a is result:
                    return result.copy()
            return result
        return owned(result, args)


def fast_way(engine: Engine, ready: Ready, call: Call, args: tuple[object, ...]) -> Fast | None:
    """The short way for calls like this one, if there is one.

    Every argument must have been taken as it is: then the types and dtypes in the key say that
    the next call's will be, too.
    """
    specialisation = ready.entry.specialisation
    parameters = Parameters.of(call.function)
    ordinary = engine.outputs.plain and not (
        specialisation.fallbacks
        or call.keywords
        or call.arguments.plain
        or call.arguments.promoted
        or parameters.varargs
        or parameters.varkw
    )
    if not ordinary or not call.columns:
        return None
    values, _ = call.values()
    if any(value is not arg for value, arg in zip(values, args, strict=False)):
        return None
    return Fast(ready, call, len(args), engine.mode.layout)
