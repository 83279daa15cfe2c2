"""Random nests over matrices: affine and triangular subscripts, aliased and distinct arrays.

``python -m tests.lift_fuzz_nests --programs 300 --seed 1`` prints each difference from the loop.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests import lift_fuzz

OUTER = [
    "range(n)", "range(n)", "range(1, n)", "range(n - 1)", "range(n - 1, -1, -1)",
    "range(1, n - 1)", "range(0, n, 2)", "range(k, n)",
]  # fmt: skip
INNER = [
    "range(m)", "range(m)", "range(1, m)", "range(m - 1)", "range(i)", "range(i + 1)",
    "range(i + 1, n)", "range(i, m)", "range(i + 1, m)", "range(m - 1, -1, -1)", "range(k)",
    "range(3)", "range(i - 1, -1, -1)", "range(1, m - 1)", "range(-1, 2)", "range(p[i], p[i + 1])",
]  # fmt: skip
PLACES = [
    "i, j", "i, j", "i, j", "j, i", "i - 1, j", "i, j - 1", "i + 1, j", "i, j + 1", "i, i",
    "0, j", "i, 0", "i, m - 1 - j", "n - 1 - i, j", "ip[i], j", "j, j", "i - 1, j - 1",
    "(i + j) % n, j", "i, (j + 1) % m", "i, ip[j]",
]  # fmt: skip
LINES = ["i", "j", "i", "j", "i + j", "i - j", "j + 1", "ip[i]", "ip[j]", "0", "2 * i", "m - 1 - j"]
TESTS = [
    "a[P] > 0", "b[P] < a[Q]", "i == j", "i != j", "j > i", "x[L] > y[L]", "i < k", "j != k",
    "0 <= i + j - k < n", "not a[P] > 1", "j == 0 and i == 0", "abs(x[i] - x[j]) < 1.5",
]  # fmt: skip


class Maker:
    """Writes one function."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.temps: list[str] = []

    def item(self) -> str:
        rng = self.rng
        if rng.random() < 0.7:
            return f"{rng.choice('aab')}[{rng.choice(PLACES)}]"
        return f"{rng.choice('xy')}[{rng.choice(LINES)}]"

    def value(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            return rng.choice([self.item(), self.item(), self.item(), "0.5", "k", "i", *self.temps])
        made = f"{self.value(depth - 1)} {rng.choice('+-*+-')} {self.value(depth - 1)}"
        return rng.choice([made, f"({made})", f"abs({made})", f"math.sqrt(abs({made}))"])

    def test(self) -> str:
        made = self.rng.choice(TESTS)
        for mark, pool in (("P", PLACES), ("Q", PLACES), ("L", LINES)):
            made = made.replace(f"[{mark}]", f"[{self.rng.choice(pool)}]")
        return made

    def statement(self, indent: str, depth: int) -> list[str]:
        rng = self.rng
        kind = rng.random()
        if kind < 0.3:
            return [f"{indent}{self.item()} {rng.choice(['=', '=', '+=', '*='])} {self.value()}"]
        if kind < 0.36:
            return [f"{indent}{self.item()} = {self.item()} = {self.value()}"]
        if kind < 0.46:
            self.temps.append(f"t{len(self.temps)}")
            return [f"{indent}{self.temps[-1]} = {self.value()}"]
        if kind < 0.6:
            return [f"{indent}s += {self.value()}"]
        if kind < 0.72:
            return [f"{indent}r {rng.choice(['+=', '+=', '-='])} {self.value()}"]
        if kind < 0.78:
            return [f"{indent}count += 1"]
        if kind < 0.82:
            made = self.item()
            return [f"{indent}if {made} > best:", f"{indent}    best = {made}"]
        if depth > 1:
            return [f"{indent}y[i] += 1"]
        saved = list(self.temps)
        lines = [f"{indent}if {self.test()}:", *self.block(indent + "    ", depth + 1, 2)]
        self.temps = list(saved)
        if rng.random() < 0.4:
            lines += [f"{indent}else:", *self.block(indent + "    ", depth + 1, 2)]
            self.temps = saved
        return lines

    def block(self, indent: str, depth: int, most: int) -> list[str]:
        made: list[str] = []
        for _ in range(self.rng.randint(1, most)):
            made += self.statement(indent, depth)
        return made

    def function(self) -> str:
        rng = self.rng
        lines = ["import math", "", "def f(a, b, x, y, ip, p, k):", "    n, m = a.shape"]
        lines += ["    s = 0.0", "    count = 0", "    best = -1.0", "    r = 0.0"]
        lines += [f"    for i in {rng.choice(OUTER)}:"]
        row = rng.random() < 0.5
        lines += ["        r = 0.0"] if row else []
        if rng.random() < 0.3:
            self.temps.append("w")
            lines += [f"        w = x[{rng.choice(['i', 'i', 'n - 1 - i'])}] * 2"]
        lines += [f"        for j in {rng.choice(INNER)}:"]
        lines += self.block("            ", 0, 3)
        if row:
            lines += [f"        {rng.choice(['y[i]', 'a[i, i]', 'y[ip[i]]', 's'])} += r"]
        return "\n".join([*lines, "    return s, count, best, r"]) + "\n"

    @staticmethod
    def arguments(rng: random.Random, seed: int) -> list[tuple[Any, ...]]:
        """Distinct matrices, one twice, one beside its transpose, rows apart, other types."""
        state = np.random.default_rng(seed)
        made: list[tuple[Any, ...]] = []
        for n, m in ((0, 0), (1, 1), (2, 2), (4, 4), (3, 5), (5, 3), (2, 0)):
            a, b = (np.round(state.normal(size=(n, m)) * 2, 1) for _ in range(2))
            x, y = (np.round(state.normal(size=n) * 2, 1) for _ in range(2))
            ip = state.integers(0, max(min(n, m), 1), n)
            p = np.concatenate([[0], np.cumsum(state.integers(0, 3, n))])
            k = rng.choice([0, 1, 2, -1])
            made.append((a, b, x, y, ip, p, k))
            if n == m == 4:
                whole = np.round(state.normal(size=(9, 9)) * 2, 1)
                line = np.round(state.normal(size=30) * 2, 1)
                wild = np.where(state.random((4, 4)) < 0.3, np.nan, a)
                made += [
                    (a, a, x, y, ip, p, k), (a, a.T, x, x, ip, p, k),
                    (whole[1:5, :4], whole[:4, :4], x, y, ip, p, k),
                    (whole[:4, 1:5], whole[:4, :4], whole[0, :4], y, ip, p, 1),
                    (wild, b, x, y, ip, p, k), (a, b, line, line[2:], ip, p, k),
                    (a, whole, line[:20], line[20:], ip, p, k),
                    (a[::-1], b[:, ::-1], x, y, ip, p, k),
                    (np.round(a).astype(int), np.round(b).astype(int), x, y, ip, p, k),
                    (a, b, x.astype(np.float32), y.astype(np.float32), ip, p, k),
                    (a.astype(np.float32), b, x, y, ip, p, k), (a, b, x, y, ip, p[::-1], k),
                ]  # fmt: skip
        return made


if __name__ == "__main__":
    lift_fuzz.main(Maker)
