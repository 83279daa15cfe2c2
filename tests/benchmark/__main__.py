"""What the emitted texts cost against the plain loop, np.vectorize and NumPy by hand.

    python -m tests.benchmark                      everything (a few minutes)
    python -m tests.benchmark --only tax pipe      some samples, without the overheads
    python -m tests.benchmark --fast               no plain loops and no np.vectorize

All figures are medians of one run in which the compared functions take turns. What matters is how
the emitted text compares with what a careful person writes (`tests/benchmark/hand.py`).
"""

from __future__ import annotations

import argparse
import functools
import inspect
import math
import sys
import warnings
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

import autovec
from tests import sample_programs
from tests.benchmark import frames, hand, loops, overheads
from tests.benchmark.clock import in_turns, keep_memory, ratio
from tests.emitted.texts import assert_equal
from tests.oracle.standalone import load_text

Call = Callable[[], object]


def compared(name: str, n: int) -> tuple[dict[str, Call], dict[str, Call]]:
    """The batched calls of a sample, and the slow ones; all are checked against the loop."""
    plain = sample_programs.plain(name)
    arguments = sample_programs.arguments(name, n)
    batched = autovec.vectorize(plain, fallback="error")
    text = load_text(batched.emit(*arguments), plain.__name__)
    if inspect.ismethod(plain):
        text = functools.partial(text, plain.__self__)
    by_hand = getattr(hand, name)
    samples = [a.tolist() for a in arguments]

    def loop() -> list[Any]:
        return [plain(*sample) for sample in zip(*samples, strict=True)]

    want = loop()
    fast: dict[str, Call] = {
        "hand": functools.partial(by_hand, *arguments),
        "emitted": functools.partial(text, *arguments),
        "call": functools.partial(batched, *arguments),
    }
    for call in fast.values():
        assert_equal(call(), want)
    slow: dict[str, Call] = {"loop": loop}
    if not isinstance(want[0], dict):  # np.vectorize gives one object column of dicts
        slow["np.vectorize"] = functools.partial(np.vectorize(plain), *arguments)
    return fast, slow


def samples(names: list[str], n: int, rounds: int, slow_rounds: int) -> float:
    """A line for each sample; returns the geometric mean of emitted / hand."""
    print(f"n = {n}: milliseconds, then how many times as long as by hand\n")
    print(f"{'':17}{'hand':>9}{'emitted':>9}{'call':>9}{'loop':>9}{'np.vectorize':>14}")
    means = []
    for name in names:
        fast, slow = compared(name, n)
        taken = in_turns(fast, rounds)
        usual = median(taken["hand"])
        means.append(ratio(taken["emitted"], taken["hand"]))
        row = f"{name:17}{usual * 1e3:9.2f}{means[-1]:8.2f}x"
        row += f"{ratio(taken['call'], taken['hand']):8.2f}x"
        if slow_rounds:
            looped = in_turns(slow, slow_rounds)
            row += f"{median(looped['loop']) / usual:8.1f}x"
            if "np.vectorize" in looped:
                row += f"{median(looped['np.vectorize']) / usual:13.1f}x"
        print(row, flush=True)
    mean = math.exp(sum(map(math.log, means)) / len(means))
    print(f"{'geometric mean':26}{mean:8.2f}x\n")
    return mean


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmark")
    parser.add_argument("--only", nargs="+", choices=sample_programs.NAMES, metavar="SAMPLE")
    parser.add_argument("--n", type=int, default=100_000, help="samples in a batch")
    parser.add_argument("--rounds", type=int, default=21, help="turns of each batched function")
    parser.add_argument("--fast", action="store_true", help="no loops and no np.vectorize")
    options = parser.parse_args()
    warnings.simplefilter("ignore", RuntimeWarning)
    keep_memory()
    names = options.only or sample_programs.NAMES
    mean = samples(names, options.n, options.rounds, 0 if options.fast else 3)
    if options.only:
        return 0
    loops.compare(options.n, max(3, options.rounds // 4))
    print("\ndf.apply(rule, axis=1, engine=autovec.vectorize)         milliseconds; pandas' own")
    for rule, milliseconds, times in frames.speedups(options.n, options.rounds, 1):
        print(f"  {rule:33} {milliseconds:9.2f} ms {times:11.0f}x  (target 100x)")
    print("what the package costs                                      target")
    print(f"  emitted / hand, geometric mean    {mean:9.2f}              1.05")
    seconds = overheads.compile_seconds()
    print(f"  compile a function of 20 lines    {seconds * 1e3:9.1f} ms           30 ms")
    for kind, seconds in overheads.overhead_seconds().items():
        print(f"  cached call, {kind:20} {seconds * 1e6:9.1f} us           15 us")
    taken = overheads.import_seconds()
    for kind, seconds in taken.items():
        target = "0.2 s" if "over" in kind else ""
        print(f"  import: {kind:26}{seconds:9.3f} s  {target:>16}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
