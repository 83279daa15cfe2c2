"""Random state machines and searches: counters that start again, held values, sums until a limit.

``python -m tests.lift_fuzz_scans --programs 300 --seed 1`` prints each difference.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests import lift_fuzz

HEADERS = [
    "for i in range(n):", "for i in range(n):", "for i in range(1, n):",
    "for i, v in enumerate(a):", "for i in range(n - 1, -1, -1):", "for i in range(2, n):",
    "for i in range(0, n, 2):",
    "for v in a:", "for v, w in zip(a, b):",
]  # fmt: skip
STATES = ["run", "last", "s", "best", "m"]
BLOCKS = [
    "if T:\n    run += 1\nelse:\n    run = R", "if T:\n    run = R\nelse:\n    run += 1",
    "run = run + 1 if T else R", "run += 1\nif T:\n    run = R", "if T:\n    run = R\nrun += 1",
    "if T:\n    run += 1\n    if run > best:\n        best = run\nelse:\n    run = 0",
    "if run > best:\n    best = run", "best = max(best, run)",
    "if run > best:\n    best = run\n    m = i", "if T:\n    last = E", "if T:\n    m = i",
    "last = E if T else last", "if T:\n    last = E\n    m = i", "s += E", "s -= E", "m += 1",
    "if T:\n    m += 1", "out[i] = run", "out[i] = last", "out[i] = s", "out[i] = m",
    "found.append(run)", "found.append(last)", "if s > L:\n    break", "if s + E > L:\n    break",
    "if T:\n    break", "if T and m > 1:\n    break", "if T:\n    m = 7\n    break",
    "if T:\n    return i, s", "if T:\n    out[i] = out[i - 1]",
    "if T:\n    out[i] = out[i - 1]\nelse:\n    out[i] = E", "if E > best:\n    best = E",
    "t = E\nif t > s:\n    s = t", "out[i] = E", "if T:\n    continue",
]  # fmt: skip
SEARCHES = [
    "i = 0\nwhile i < n and not T:\n    i += 1", "i = n - 1\nwhile i >= 0 and T:\n    i -= 1",
    "i = 1\nwhile i < n and a[i] != 1.0:\n    s += a[i]\n    i += 1",
    "i = 0\nwhile a[i] < L:\n    i += 1",
    "i = 0\nwhile i < n and s + b[i] < L:\n    s += b[i]\n    i += 1",
    "i = k\nwhile i < n and a[i] > b[i]:\n    out[i] = a[i]\n    i += 1",
    "i = n\nwhile i > 0 and a[i - 1] <= L:\n    i -= 1",
    "best = max(E for i in range(len(a)))", "best = min(abs(v - L) for v in a)",
    "m = sum(1 for v in a if v > L)", "m = int(all(v < L for v in a))",
]  # fmt: skip
TESTS = [
    "a[i] > 0", "a[i] > b[i]", "a[i] == 1.0", "np.isnan(a[i])", "not a[i] < L", "a[i] < L",
    "b[i] != 0 and a[i] > -1", "i % 3 == 0", "a[i]",
]  # fmt: skip
VALUES = ["a[i]", "a[i] * 2", "b[i]", "a[i] + b[i]", "1.5", "abs(a[i])", "a[i] - L", "i"]


class Maker:
    """Writes one function."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def filled(self, text: str, header: str) -> str:
        rng = self.rng
        test, value = rng.choice(TESTS), rng.choice(VALUES)
        if "for v" in header:
            test = test.replace("a[i]", "v").replace("b[i]", "w" if "w" in header else "v")
            value = value.replace("a[i]", "v").replace("b[i]", "w" if "w" in header else "v")
            test, value = (t if " i" not in f" {t}" else "v > 1" for t in (test, value))
            text = text.replace("out[i - 1]", "out[0]").replace("out[i]", "out[1]")
        for hole, made in (("T", test), ("E", value), ("R", rng.choice(["0", "0", "1"]))):
            text = text.replace(hole, made)
        return text.replace("L", rng.choice(["0.5", "k", "-1.0", "2"]))

    def function(self) -> str:
        rng = self.rng
        lines = ["n = len(a)", "out = np.zeros(n)", "found = []", "s = 0.0", "m = -1", "i = -1"]
        lines += [f"run = {rng.choice(['0', '0', '1'])}", f"last = {rng.choice(['0.0', '-1'])}"]
        lines += [f"best = {rng.choice(['0', '0.5', '-1.0'])}", "v = w = 0.25"]
        if rng.random() < 0.25:
            lines += self.filled(rng.choice(SEARCHES), "").split("\n")
        else:
            header = rng.choice(HEADERS)
            lines.append(header)
            for _ in range(rng.randint(1, 4)):
                text = self.filled(rng.choice(BLOCKS), header)
                lines += ["    " + line for line in text.split("\n")]
            if rng.random() < 0.1:
                lines += ["else:", "    m = 99"]
        ends = ["run", "last", "s", "best", "m", "i", "np.array(found)"]
        chosen = rng.sample(ends, rng.randint(1, 4))
        body = "".join(f"    {line}\n" for line in lines)
        return f"def f(a, b, k):\n{body}    return out, {', '.join(chosen)}\n"

    @staticmethod
    def arguments(_: random.Random, seed: int) -> list[tuple[Any, ...]]:
        state = np.random.default_rng(seed)
        made: list[tuple[Any, ...]] = []
        for n in (0, 1, 2, 9):
            a, b = (np.round(state.normal(size=n) * 2) / 2 for _ in range(2))
            made.append((a, b, 1))
            if n == 9:
                wild = np.where(state.random(n) < 0.3, np.nan, a)
                wild[4] = np.inf
                made += [
                    (wild, b, 1), (a, a, 0), (a, b[:5], 2), (a[::-1], np.append(b, b), 1.5),
                    (np.round(a).astype(int), np.round(b).astype(int), 1), (a > 0, b, 1),
                    (a, b, -1),
                    (a.astype(np.float32), b.astype(np.float32), 1), (a.tolist(), b, 1),
                    (np.round(a).astype(np.int8), np.round(b).astype(np.int8), 1),
                ]  # fmt: skip
        return made


if __name__ == "__main__":
    lift_fuzz.main(Maker)
