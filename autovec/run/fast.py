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
from autovec.run.tables import passed
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

    def __init__(
        self, ready: Ready, call: Call, parameters: Parameters, nargs: int, layout: str
    ) -> None:
        function: types.FunctionType = call.function
        varying = [i for i, item in enumerate(call.positional) if isinstance(item, Column)]
        self._function = function
        self._names = parameters.positional
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
            if args[i].shape != shape and not self._broadcasts(args):
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

    def _broadcasts(self, args: tuple[Any, ...]) -> bool:
        """Whether arrays of several shapes are no 0-d arrays, which are scalars, and broadcast."""
        arrays = [args[self._first], *(args[i] for i in self._others)]
        if self._lanes or not all(array.ndim for array in arrays):
            return False
        try:
            np.broadcast(*arrays)
        except ValueError:  # also for more arrays than it takes
            return False
        return True


def fast_way(engine: Engine, ready: Ready, call: Call, args: tuple[object, ...]) -> Fast | None:
    """The short way for calls like this one, if there is one.

    Every argument must have been taken as it is: then the types and dtypes in the key say that
    the next call's will be, too.
    """
    parameters = call.parameters
    kinds = {column.array.dtype.kind for column in call.columns if column.array is not None}
    if kinds & {"U", "O"}:
        return None  # texts are looked through for null characters, objects for what they are
    if engine.settings.chunk_size is not None or not engine.outputs.plain or call.arguments.flat:
        return None
    if getattr(ready.entry.specialisation, "stores", ()):
        return None  # what it stores into is looked at in every call
    if call.keywords or parameters is None:
        return None
    if any(passed(item) is not arg for item, arg in zip(call.positional, args, strict=False)):
        return None
    if parameters.varargs or parameters.varkw or ready.entry.specialisation.fallbacks:
        return None
    return Fast(ready, call, parameters, len(args), engine.mode.layout)
