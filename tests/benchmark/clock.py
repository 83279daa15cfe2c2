"""Interleaved medians: what is compared runs in turns, so that a slow minute is slow for all."""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from statistics import median

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # malloc.h


def keep_memory() -> None:
    """Let glibc keep what is freed instead of giving it back to the system.

    Otherwise a text with two temporary arrays alive may pay for page faults at every call, and one
    with three may not: more than the arithmetic costs, and no property of the text.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return  # another C library
    mallopt(_TRIM_THRESHOLD, 1 << 30)
    mallopt(_MMAP_THRESHOLD, 1 << 30)


def seconds(call: Callable[[], object], repeat: int = 1) -> float:
    """What one call takes, from `repeat` calls in a row."""
    start = time.perf_counter()
    for _ in range(repeat):
        call()
    return (time.perf_counter() - start) / repeat


Taken = dict[str, list[float]]


def in_turns(calls: dict[str, Callable[[], object]], rounds: int, repeat: int = 1) -> Taken:
    """The seconds of each call in each round; every other round goes backwards."""
    taken: Taken = {name: [] for name in calls}
    for call in calls.values():
        call()
    gc.disable()
    try:
        for turn in range(rounds):
            for name in list(calls)[:: 1 if turn % 2 else -1]:
                taken[name].append(seconds(calls[name], repeat))
    finally:
        gc.enable()
    return taken


def ratio(above: list[float], below: list[float]) -> float:
    """The median over the rounds of how many times as long one took as the other."""
    return median(a / b for a, b in zip(above, below, strict=True))
