"""Interleaved medians: what is compared runs in turns, so that a slow minute is slow for all."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from statistics import median


def seconds(call: Callable[[], object], repeat: int = 1) -> float:
    """What one call takes, from `repeat` calls in a row."""
    start = time.perf_counter()
    for _ in range(repeat):
        call()
    return (time.perf_counter() - start) / repeat


def medians(
    calls: dict[str, Callable[[], object]], rounds: int, repeat: int = 1
) -> dict[str, float]:
    """The median seconds of each call over rounds in which each has its turn.

    Every other round goes backwards, so that none always runs in the wake of the same other.
    """
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    gc.disable()
    try:
        for turn in range(rounds):
            for name in list(calls)[:: 1 if turn % 2 else -1]:
                taken[name].append(seconds(calls[name], repeat))
    finally:
        gc.enable()
    return {name: median(values) for name, values in taken.items()}
