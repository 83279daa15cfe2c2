"""What the package itself costs: compiling, a call's way to the compiled function, importing."""

from __future__ import annotations

import functools
import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import autovec
from tests.benchmark.clock import in_turns
from tests.oracle.standalone import load_text
from tests.sample_programs import ROOT

TWENTY_LINES = '''
import math


def premium(age, cover, smoker, years):
    """What a life insurer might ask for a year."""
    if age < 18 or age > 75:
        raise ValueError("nobody of that age is insured")
    if cover <= 0:
        return 0.0
    hazard = 0.0004 + 0.0000{number} * math.exp(0.09 * (age - 30))
    if smoker:
        hazard *= 2.1 if age < 50 else 1.8
    discount = 1.0
    if years > 20:
        discount = 0.95
    elif years > 10:
        discount = 0.98
    expected = hazard * cover * discount
    loading = math.sqrt(expected * (1 - hazard)) * 0.02
    price = expected + min(loading, 50.0)
    if price < 12.0:
        price = 12.0
    return round(price, 2)
'''


def _premiums(folder: Path, count: int) -> list[Callable[..., Any]]:
    """The function of 20 lines in files of its own, so that nothing is known about the next one."""
    found = []
    for number in range(count):
        path = folder / f"premium_{number}.py"
        path.write_text(TWENTY_LINES.format(number=100 + number), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found.append(module.premium)
    return found


def compile_seconds(count: int = 41) -> float:
    """The median first call of a new function of 20 lines, less what its second call takes.

    The first of them also loads the compiler and is left out.
    """
    arguments = (
        np.array([20.0, 60.0]),
        np.array([1e5, 0.0]),
        np.array([True, False]),
        np.array([5, 15]),
    )
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        for function in _premiums(Path(folder), count):
            start = time.perf_counter()
            batched = autovec.vectorize(function)
            batched(*arguments)
            middle = time.perf_counter()
            batched(*arguments)
            taken.append(2 * middle - start - time.perf_counter())
    return median(taken[1:])


def overhead_seconds(rounds: int = 41) -> dict[str, float]:
    """A cached call less a call of the emitted function: arrays of length 1 to 10, by kind."""

    def two(x, y):
        return x + y if x > y else x - y

    def ratio(x, y):
        return x / y if y > 0 else 0.0

    found = {}
    lengths = range(1, 11)
    for name, function in (("where", two), ("pack", ratio)):
        pairs = [(np.linspace(0.0, 2.0, n), np.linspace(1.0, -1.0, n)) for n in lengths]
        for kind, batched in (
            ("vectorize", autovec.vectorize(function)),
            ("vmap", autovec.vmap(function)),
        ):
            alone = load_text(batched.emit(*pairs[0]), function.__name__)

            def call(target: Callable[..., Any], pairs: list[Any] = pairs) -> None:
                for x, y in pairs:
                    target(x, y)

            calls = {
                "cached": functools.partial(call, batched),
                "alone": functools.partial(call, alone),
            }
            taken = in_turns(calls, rounds, repeat=40)
            extra = (a - b for a, b in zip(taken["cached"], taken["alone"], strict=True))
            found[f"{kind}, {name}"] = median(extra) / len(pairs)
    return found


IMPORTS = {
    "numpy": "import numpy",
    "autovec over numpy": "import numpy; start(); import autovec",
    "the first call's": (
        "import numpy, autovec; start();"
        " autovec.vectorize(numpy.hypot)(numpy.ones(2), numpy.ones(2))"
    ),
}


def import_seconds(count: int = 11) -> dict[str, float]:
    """The medians over fresh processes: importing the package, and what its first use loads."""
    head = "import time\ndef start():\n    global t\n    t = time.perf_counter()\nstart()\n"
    tail = "\nprint(time.perf_counter() - t)"
    taken: dict[str, list[float]] = {name: [] for name in IMPORTS}
    for _ in range(count):
        for name, code in IMPORTS.items():
            ran = subprocess.run(
                [sys.executable, "-c", head + code + tail],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
            )
            taken[name].append(float(ran.stdout))
    return {name: median(values) for name, values in taken.items()}
