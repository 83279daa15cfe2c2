"""What random draws of the user's function give in a loop over samples.

``different`` is the loop's own stream, one draw after the other; ``same`` gives every sample the
draws of the first; ``error`` refuses a function that draws.
"""

from __future__ import annotations

import pickle
import random
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

#: the ways that a user may ask for
WAYS = ("different", "same", "error")


class Streams:
    """The random streams that a function may draw from, as they stand before the first sample.

    Python's and NumPy's own, and every generator among the arguments, globals and closure.

    >>> rng = np.random.default_rng(3)
    >>> streams = Streams(lambda: rng.random(), [rng])
    >>> first = rng.random()
    >>> streams.drawn()
    True
    >>> streams.rewind()
    >>> rng.random() == first
    True
    """

    def __init__(self, callee: Callable[..., Any], arguments: list[object]) -> None:
        self._objects = list({id(g): g for g in _generators(callee, arguments)}.values())
        self._start = self._states()

    def drawn(self) -> bool:
        """Has somebody drawn from one since then?"""
        return any(
            pickle.dumps(a) != pickle.dumps(b)
            for a, b in zip(self._states(), self._start, strict=True)
        )

    def rewind(self) -> None:
        """Set all of them back."""
        python, numpy, *others = self._start
        random.setstate(python)
        np.random.set_state(numpy)
        for generator, state in zip(self._objects, others, strict=True):
            if isinstance(generator, np.random.Generator):
                generator.bit_generator.state = state
            elif isinstance(generator, np.random.RandomState):
                generator.set_state(state)
            else:
                generator.setstate(state)

    def _states(self) -> list[Any]:
        return [random.getstate(), np.random.get_state(), *map(_state, self._objects)]


def _state(generator: Any) -> Any:
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    if isinstance(generator, np.random.RandomState):
        return generator.get_state()
    return generator.getstate()


def _generators(callee: Any, arguments: list[object]) -> Iterator[Any]:
    kinds = (np.random.Generator, np.random.RandomState, random.Random)
    reachable = list(arguments)
    if isinstance(callee, types.FunctionType):
        names = callee.__code__.co_names
        reachable += [callee.__globals__[n] for n in names if n in callee.__globals__]
        for cell in callee.__closure__ or ():
            try:
                reachable.append(cell.cell_contents)
            except ValueError:  # not assigned yet
                continue
    yield from (found for found in reachable if isinstance(found, kinds))
