"""The command line as a target of the fuzzer: functions of files that declare no dtypes.

    python -m tests.fuzz.written --programs 300 --seed 1

A file is written once, loaded where no autovec can be imported, and its function called with arrays
of several dtypes.  Text alone raises for the first failing place, so a call that raises is made
again a sample at a time, which tells the first failing sample.  A function that loops is left out.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from autovec.files.rewrite import Request, Rewritten, rewrite
from tests.fuzz.data import Call, draw
from tests.fuzz.judge import IllDefined, Verdict, judge
from tests.fuzz.program import LATER, Program, generate
from tests.fuzz.scope import FEATURES
from tests.oracle.standalone import load_text

#: what an exception says of NumPy's own scalars, which the text makes Python's
NARROW = re.compile(r"wanted .*np\.\w+\(.* of lane")
QUIET = ("sign of zero",)  # an integer zero that is held as a float has none
BUG = "which is a bug"
#: what no number's dtype holds, and what only the loop can run
WITHOUT = {"strings", "rows", "arrays", *LATER}
#: dtypes for what the program takes a float, an int, a bool for
OTHERS = {"f": ("f4", "i8", "i4"), "i": ("i4", "i1", "f8", "?")}
_TEXTS: dict[tuple[str, str], Rewritten] = {}


class Written:
    """What the command line makes of `f`, as a function."""

    def __init__(self, f: Callable[..., Any], in_axes: Any = None) -> None:
        self.in_axes = in_axes
        done = written(f, in_axes)
        self.text = done.new_text
        loops = [w for w in done.warnings if BUG not in str(w)]
        arrays = [p for p in done.problems if "is used as" in str(p)]
        if loops or arrays:
            raise IllDefined(f"it loops: {(loops + arrays)[0].what}")
        if done.problems or done.warnings:
            raise AssertionError("\n".join(map(str, (*done.problems, *done.warnings))))
        self.call = load_text(self.text, "f")

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # departure 3
                return self.call(*args, **keywords)
        except Exception:
            for given in self.samples(args):
                self.call(*given, **keywords)
            raise

    def samples(self, args: Any) -> Iterator[tuple[Any, ...]]:
        """The arguments of each sample alone, in order."""
        axes = self.in_axes if isinstance(self.in_axes, tuple) else (0,) * len(args)
        shape = np.broadcast_shapes(
            *(np.shape(a) for a, ax in zip(args, axes, strict=True) if ax is not None)
        )
        for index in np.ndindex(shape):
            yield tuple(
                a if ax is None else np.broadcast_to(a, shape)[index].reshape(1)
                for a, ax in zip(args, axes, strict=True)
            )


def written(f: Callable[..., Any], in_axes: Any) -> Rewritten:
    """The function's own file with the function batched in its place."""
    path = sys.modules[f.__module__].__file__
    assert path is not None
    text = Path(path).read_text()
    key = (text, repr(in_axes))
    if key not in _TEXTS:
        if len(_TEXTS) > 50:
            _TEXTS.clear()
        asked = "f" if f.__name__ == "<lambda>" else f.__qualname__.replace(".<locals>", "")
        axes = {} if in_axes is None else {asked: in_axes}
        _TEXTS[key] = rewrite(text.encode(), "f.py", Request((asked,), True, {}, axes))
    return _TEXTS[key]


def calls(program: Program) -> list[Call]:
    """Calls as the program takes them, and with arrays of other dtypes."""
    first, second = draw(program, 0), draw(program, 1, 40)
    dice = Random(program.seed)
    args = []
    for p, a in zip(program.parameters, first.args, strict=True):
        if isinstance(a, np.ndarray) and p.type in "fi":
            tame = np.clip(np.nan_to_num(a, nan=1.0, posinf=3.0, neginf=-3.0), -100, 100)
            a = tame.astype(dice.choice((*OTHERS[p.type], a.dtype.str)))
        args.append(a)
    return [arrays(call) for call in (first, Call(args, first.in_axes), second)]


def arrays(call: Call) -> Call:
    """The call with a whole array for each batched argument: a Python number would be weak."""
    if call.in_axes is not None:
        return Call([a if np.ndim(a) else np.asarray(a).item() for a in call.args], call.in_axes)
    shape = np.broadcast_shapes(*map(np.shape, call.args)) or (3,)
    return Call([a if np.ndim(a) else np.full(shape, a) for a in call.args], None)


def verdict_of(program: Program) -> Verdict:
    """The text against the loop, for each call that the loop can run."""
    found = Verdict("discarded")
    for call in calls(program):
        verdict = judge(program, Written, [call])
        narrow = verdict.kind == "exception" and NARROW.search(verdict.what)
        if verdict.status == "different" and verdict.kind not in QUIET and not narrow:
            return verdict
        if found.status != "ok":
            found = verdict
    return found


def main() -> int:
    """Exit status 1 when a text differs from the loop."""
    p = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    p.add_argument("--programs", type=int, default=300)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--fail-fast", action="store_true", help="stop at the first difference")
    p.add_argument("--time", type=float, default=float("inf"), help="stop after so many seconds")
    options = p.parse_args()
    end = time.monotonic() + options.time
    counts: Counter[str] = Counter()
    for k in range(options.programs):
        if time.monotonic() > end:
            break
        program = generate(f"{options.seed}:{k}", features(f"{options.seed}:{k}"))
        verdict = verdict_of(program)
        what = verdict.what if verdict.what.startswith("it loops") else ""
        counts[f"{verdict.status} {what[:60]}"] += 1
        if verdict.status == "different":
            shown = verdict.call and [(getattr(a, "dtype", a)) for a in verdict.call.args]
            print(f"DIFFERENT {program.seed} {verdict.kind}: {verdict.what[:700]} {shown}")
            if options.fail_fast:
                break
    for what, count in counts.most_common():
        print(f"{count:5d} {what}")
    return int(any(what.startswith("different") for what in counts))


def features(seed: str) -> list[str]:
    """The features of a program: a random half, as ever, but none that needs a declaration."""
    dice = Random(f"features/{seed}")
    return [f for f in FEATURES if f not in WITHOUT and dice.random() < 0.5]


if __name__ == "__main__":
    sys.exit(main())
