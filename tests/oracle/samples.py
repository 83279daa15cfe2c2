"""A batch -> its samples, and the loop over them.

`in_axes` is None for `vectorize` (arrays broadcast, samples are scalars), or vmap's 0/axis/None,
for all arguments or one per argument.  A lane is the (args, kwargs) of one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from tests.oracle.calls import resolve
from tests.oracle.law import LAW
from tests.oracle.scalars import is_narrow, own, plain

Lane = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass
class Outcome:
    """What one lane of the loop gave, and what happened on the way."""

    value: Any = None
    error: BaseException | None = None
    noisy: bool = False
    overflow: bool = False
    departed_weak: bool = False


@dataclass
class Loop:
    """The whole loop: its lanes' outcomes in order, and the batch shape."""

    lanes: list[Lane]
    outcomes: list[Outcome]
    shape: tuple[int, ...]

    @property
    def narrow(self) -> bool:
        """Whether float32, int8 or the like is among the samples."""
        args, kw = self.lanes[0] if self.lanes else ((), {})
        return any(map(is_narrow, (*args, *kw.values())))

    @property
    def single(self) -> bool:
        """Whether float32 is among the samples."""
        args, kw = self.lanes[0] if self.lanes else ((), {})
        return any(isinstance(v, np.float32 | np.float16) for v in (*args, *kw.values()))

    @property
    def error(self) -> tuple[int, BaseException] | None:
        """The lowest failing lane and its exception."""
        for k, o in enumerate(self.outcomes):
            if o.error is not None:
                return k, o.error
        return None

    @property
    def values(self) -> list[Any]:
        return [o.value for o in self.outcomes]


def sample(array: np.ndarray, index: Any, python: bool = False) -> Any:
    """One sample: an array, a sample scalar, a Python bool or str; Python's own where asked."""
    value = array[index]
    if isinstance(value, np.ndarray) and value.ndim:
        return value
    if isinstance(value, np.ndarray):
        value = value[()]
    return plain(own(value)) if python else own(value)


def lanes_of(
    args: tuple[Any, ...], kw: dict[str, Any], in_axes: Any = None, python: bool = False
) -> tuple[list[Lane], tuple[int, ...]]:
    """The calls that the loop makes, and the batch shape they are laid out in."""
    if in_axes is None:
        shape = np.broadcast_shapes(
            *(a.shape for a in (*args, *kw.values()) if isinstance(a, np.ndarray))
        )

        def read(v: Any, i: Any) -> Any:
            if isinstance(v, np.ndarray) and not v.ndim and shape:
                return sample(v, (), python=True)  # beside arrays, one without axes is a scalar
            if isinstance(v, np.generic) and not shape:
                v = np.asarray(v)  # among scalars only, one is the batch of one sample
            return sample(np.broadcast_to(v, shape), i, python) if isinstance(v, np.ndarray) else v

        indices = list(np.ndindex(shape))
        return [
            (tuple(read(a, i) for a in args), {k: read(v, i) for k, v in kw.items()})
            for i in indices
        ], shape
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
    sizes = {n for a, ax in zip(args, axes, strict=True) for n in _sizes(a, ax)}
    (n,) = sizes
    lanes = [
        (tuple(_take(a, ax, i, python) for a, ax in zip(args, axes, strict=True)), dict(kw))
        for i in range(n)
    ]
    return lanes, (n,)


def _sizes(arg: Any, axis: Any) -> Iterator[int]:
    if axis is None:
        return
    if isinstance(arg, dict):
        for v in arg.values():
            yield from _sizes(v, axis)
    elif isinstance(arg, tuple | list):
        for v in arg:
            yield from _sizes(v, axis)
    else:
        yield np.shape(arg)[axis]


def _take(arg: Any, axis: Any, i: int, python: bool) -> Any:
    if axis is None:
        return arg
    if isinstance(arg, dict):
        return {k: _take(v, axis, i, python) for k, v in arg.items()}
    if isinstance(arg, tuple | list):
        return type(arg)([_take(v, axis, i, python) for v in arg])
    return sample(np.moveaxis(np.asarray(arg), axis, 0), i, python)


@contextmanager
def _watched() -> Iterator[None]:
    def warned(_kind: str, _flag: int) -> None:
        LAW.noisy = True

    with np.errstate(divide="call", over="call", invalid="call", under="ignore", call=warned):
        yield


def run_lane(fn: Callable[..., Any], lane: Lane) -> Outcome:
    """One call under the law (inside `_watched`)."""
    LAW.reset()
    args, kw = lane
    out = Outcome()
    try:
        out.value = fn(*args, **kw)
    except Exception as error:  # noqa: BLE001  the loop's exception is what we are here to see
        out.error = error
        error.__traceback__ = None
    out.noisy, out.overflow, out.departed_weak = LAW.noisy, LAW.overflow, LAW.departed_weak
    return out


def run(
    f: Callable[..., Any],
    lanes: list[Lane],
    shape: tuple[int, ...] | None = None,
    wobble: int | None = None,
    explore: int | None = None,
) -> Loop:
    """The loop under the law; every lane is run, also those behind a failing one."""
    fn = resolve(f)
    LAW.wobble = None if wobble is None else Random(wobble)
    LAW.explore = None if explore is None else Random(explore)
    try:
        with _watched():
            outcomes = [run_lane(fn, lane) for lane in lanes]
    finally:
        LAW.wobble = LAW.explore = None
    return Loop(lanes, outcomes, (len(lanes),) if shape is None else shape)


def run_plain(f: Callable[..., Any], lanes: list[Lane]) -> list[Outcome]:
    """The loop as plain Python runs it: no law, and Python's own scalars."""
    outcomes = []
    for args, kw in lanes:
        out = Outcome()
        try:
            with np.errstate(all="ignore"):
                out.value = f(*map(plain, args), **{k: plain(v) for k, v in kw.items()})
        except Exception as error:  # noqa: BLE001
            out.error = error
        outcomes.append(out)
    return outcomes
