"""Random loops whose elements each run an inner loop of their own, compared with the loop.

``python -m tests.lift_fuzz_while --programs 300 --seed 1`` prints each difference.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests import lift_fuzz

HEADERS = [
    "for i in range(n):", "for i in range(n):", "for i in range(1, n):", "for i in range(len(b)):",
    "for i, x in enumerate(a):", "for i in range(n - 1, -1, -1):", "for i in range(0, n, 2):",
]  # fmt: skip
READS = ["a[i]", "b[i]", "a[i]", "v", "w", "v", "w", "v", "0.5", "1", "2.0"]
ODD = ["c[0]", "c[n // 2]", "t", "k", "m", "w"]


class Maker:
    """Writes one function."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.trip = ""

    def value(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            pool = [*READS, rng.choice(ODD)] + ([self.trip] if self.trip else [])
            return rng.choice(pool)
        op = rng.choice(["+", "-", "*", "+", "-", "*", "/"])
        op = rng.choice(["//", "%"]) if rng.random() < 0.05 else op
        right = rng.choice(["2", "3", "0.5"]) if op in "//%" else self.value(depth - 1)
        if rng.random() < 0.04:
            right = self.value(depth - 1)
        made = f"({self.value(depth - 1)} {op} {right})"
        if rng.random() < 0.1:
            return f"({made} if {self.test()} else {self.value(0)})"
        return rng.choice([made, made, made, f"abs({made})", f"max({made}, 1.5)"])

    def test(self) -> str:
        if self.rng.random() < 0.6:
            return f"{self.rng.choice(['v', 'w', 'v + w', 'abs(v)', 'a[i]'])} > {self.value(0)}"
        op = self.rng.choice(["<", ">", "<=", "!=", ">="])
        return f"{self.value(1)} {op} {self.rng.choice([self.value(0), '1.5', '-0.5'])}"

    def statement(self, indent: str, depth: int) -> list[str]:
        rng = self.rng
        kind = rng.random()
        name = rng.choice(["v", "v", "w", "t"])
        if kind < 0.3:
            return [f"{indent}{name} = {self.value()}"]
        if kind < 0.45:
            return [f"{indent}{name} {rng.choice(['+=', '*=', '-='])} {self.value(1)}"]
        if kind < 0.52:
            return [f"{indent}v, w = {self.value(1)}, {self.value(1)}"]
        if kind < 0.58:
            return [f"{indent}m += {rng.choice(['1', '2'])}"]
        if kind < 0.66:
            place = rng.choice(["i", "i", "i", "i", "i - 1", "0"])
            return [f"{indent}out[{place}] {rng.choice(['=', '+='])} {self.value(1)}"]
        if kind < 0.7:
            return [f"{indent}total += {self.value(1)}"]
        if kind < 0.72:
            return [f"{indent}found.append({self.value(1)})"]
        if kind < 0.75 and depth:
            return [f"{indent}if {self.test()}:", f"{indent}    continue"] if self.trip else []
        if depth > 2:
            return [f"{indent}pass"]
        lines = [f"{indent}if {self.test()}:", *self.block(indent + "    ", depth + 1, 2)]
        if rng.random() < 0.5:
            lines += [f"{indent}else:", *self.block(indent + "    ", depth + 1, 2)]
        return lines

    def block(self, indent: str, depth: int, most: int) -> list[str]:
        made: list[str] = []
        for _ in range(self.rng.randint(1, most)):
            made += self.statement(indent, depth)
        return made or [f"{indent}pass"]

    def leaving(self, indent: str) -> list[str]:
        rng = self.rng
        made = [f"{indent}if {self.test()}:"]
        pool = ["m = 7", "v = w", f"t = {self.value(1)}", "out[i] = v", "m = j", "t = 0"]
        for _ in range(rng.randint(0, 2)):
            line = rng.choice(pool)
            if "j" not in line or self.trip:
                made.append(f"{indent}    {line}")
        return [*made, f"{indent}    break"]

    def inner(self) -> list[str]:
        """A loop of one element; what bounds its trips is always there."""
        rng = self.rng
        indent = " " * 12
        kind = rng.random()
        after: list[str] = []
        if kind < 0.4:
            tests = [self.test(), f"trip < {rng.choice(['5', 'k', 'len(c)'])}"]
            rng.shuffle(tests)
            lines = ["trip = 0", f"while {' and '.join(tests)}:"]
            after = [f"{indent}trip += 1"]
        elif kind < 0.5:
            lines = ["trip = 0", "while True:", "    if trip >= 4:", "        break"]
            after = [f"{indent}trip += 1"]
        else:
            header = ["range(4)", "range(k)", "range(len(c))", "range(3, 0, -1)", "range(1, k)"]
            lines = [f"for j in {rng.choice(header)}:"]
            if rng.random() < 0.3:
                lines = [rng.choice(["for y in c:", "for j, y in enumerate(c):"])]
            self.trip = "y" if "y" in lines[0] else "j"
        body: list[str] = []
        if rng.random() < 0.5:
            body += self.leaving(indent)
        body += self.block(indent, 1, 3)
        if rng.random() < 0.4:
            body += self.leaving(indent)
        self.trip = ""
        made = [" " * 8 + line for line in lines] + body + after
        if rng.random() < 0.2 and any("break" in line for line in body):
            made += [" " * 8 + "else:", indent + rng.choice(["m = -1", "v = 0.5", "t = w"])]
        return [line for line in made if "continue" not in line or not after]

    def function(self) -> str:
        rng = self.rng
        lines = ["def f(a, b, c, k):", "    n = len(a)", "    out = np.zeros(n)", "    found = []"]
        lines += ["    total = 0.0", "    " + rng.choice(HEADERS)]
        lines += [f"        v = {rng.choice(['a[i]', 'b[i] * 2', '1.0', 'a[i]', '0', 'b[i]'])}"]
        lines += [f"        w = {rng.choice(['b[i]', '1.0', 'a[i] - 1', '0.0'])}"]
        lines += ["        t = 0.5", "        m = 0"]
        made = self.inner()
        if rng.random() < 0.15:
            made = ["    " + line for line in made]
            made = [f"        if {self.test()}:", *made]
        lines += made
        ends = ["out[i] = v", "out[i] += m", "found.append(m)", "found.append(v)", "total += w"]
        ends += ["out[i] = t + w", "found.append(m + v)"]
        lines += ["        " + line for line in rng.sample(ends, 2)]
        return "\n".join([*lines, "    return out, np.array(found), total"]) + "\n"

    @staticmethod
    def arguments(_: random.Random, seed: int) -> list[tuple[Any, ...]]:
        state = np.random.default_rng(seed)
        made: list[tuple[Any, ...]] = []
        for n in (0, 1, 2, 7):
            a, b = (np.round(state.normal(size=n) * 3, 1) for _ in range(2))
            c = np.round(state.normal(size=state.integers(1, 5)), 1)
            made.append((a, b, c, int(state.integers(-1, 5))))
            if n == 7:
                wild = np.where(state.random(n) < 0.3, np.nan, a)
                wild[2] = np.inf
                made += [
                    (wild, b, c, 3), (a, a, a, 3), (a, b[:4], c, 3),
                    (a[::-1], np.append(b, b), c, 2),
                    (np.round(a).astype(int), b, c, 3), (a, np.round(b).astype(int), c, 3),
                    (a.astype(np.float32), b.astype(np.float32), c.astype(np.float32), 3),
                    (a.astype(np.float32), b, c, 3), (a, b, c[:0], 3), (a, b, c, 2.0),
                    (np.round(a).astype(np.int8), np.round(b).astype(np.int8), c, 3),
                    (a > 0, b, c, 3),
                ]  # fmt: skip
        return made


if __name__ == "__main__":
    lift_fuzz.main(Maker)
