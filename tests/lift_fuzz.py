"""Random loop nests over aliased and distinct arrays, each compared with the loop as written.

``python -m tests.lift_fuzz --programs 300 --seed 1`` prints each difference.
"""

from __future__ import annotations

import argparse
import linecache
import random
from typing import Any

import numpy as np

import autovec
from tests.lifting import agrees

HEADERS = [
    "for i in range(n):", "for i in range(1, n):", "for i in range(n - 1):",
    "for i in range(1, n - 1):", "for i in range(n - 1, -1, -1):", "for i in range(n - 1, 0, -1):",
    "for i in range(0, n, 2):", "for i in range(1, n, 2):", "for i in range(k, n):",
    "for i in range(n // 2):", "for i, v in enumerate(a):", "for v in b:",
    "for i in range(0, n, 3):", "for i in range(len(b)):",
]  # fmt: skip
PLACES = [
    "i",
    "i",
    "i",
    "i - 1",
    "i + 1",
    "n - 1 - i",
    "i + k",
    "2 * i",
    "0",
    "n // 2 + i",
    "ip[i]",
]
ARRAYS = ["a", "a", "b", "c"]
TESTS = [
    "a[P] > 0",
    "b[P] < a[Q]",
    "i % 2 == 0",
    "c[P] != 1 and a[P] > -1",
    "not b[P] > 1",
    "i > k",
]


class Maker:
    """Writes one function."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.temps: list[str] = []

    def place(self) -> str:
        return self.rng.choice(PLACES)

    def item(self) -> str:
        return f"{self.rng.choice(ARRAYS)}[{self.place()}]"

    def value(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            pool = [self.item(), self.item(), "k", "0.5", "2", "i", *self.temps]
            if rng.random() < 0.06:
                return rng.choice(["s", "best", "v"])
            return rng.choice(pool)
        op = rng.choice(["+", "-", "*", "+", "-", "/"])
        made = f"{self.value(depth - 1)} {op} {self.value(depth - 1)}"
        return rng.choice([made, f"({made})", f"abs({made})", f"max({made}, 1.5)"])

    def test(self) -> str:
        made = self.rng.choice(TESTS)
        return made.replace("P", self.place()).replace("Q", self.place())

    def statement(self, indent: str, depth: int) -> list[str]:
        rng = self.rng
        kind = rng.random()
        if kind < 0.35:
            op = rng.choice(["=", "=", "+=", "*=", "-="])
            return [f"{indent}{self.item()} {op} {self.value()}"]
        if kind < 0.5:
            made = f"{indent}t{len(self.temps)} = {self.value()}"
            self.temps.append(f"t{len(self.temps)}")
            return [made]
        if kind < 0.65:
            return [f"{indent}s {rng.choice(['+=', '-='])} {self.value()}"]
        if kind < 0.7:
            return [f"{indent}count += 1"]
        if kind < 0.76:
            return [f"{indent}out.append({self.value()})"]
        if kind < 0.8:
            made = self.item()
            return [f"{indent}if {made} > best:", f"{indent}    best = {made}"]
        if kind < 0.84 and depth == 1:
            last = rng.choice(["break", "return i", "continue"])
            return [f"{indent}if {self.test()}:", f"{indent}    {last}"]
        if depth > 2:
            return [f"{indent}pass"]
        saved = list(self.temps)
        lines = [f"{indent}if {self.test()}:", *self.block(indent + "    ", depth + 1, 2)]
        self.temps = list(saved)
        if rng.random() < 0.5:
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
        header = rng.choice(HEADERS)
        lines = ["def f(a, b, c, ip, k):", "    n = len(a)", "    s = 0.0", "    count = 0"]
        lines += ["    best = -1.0", "    out = []", "    i = -1", "    v = 0.5"]
        lines += ["    " + header, *self.block("        ", 1, 3)]
        ends = ["s", "count", "best", "np.array(out)", "i"]
        ends += [] if rng.random() < 0.8 else ["v"]
        return "\n".join([*lines, f"    return {', '.join(ends)}"]) + "\n"


def arguments(rng: random.Random, seed: int) -> list[tuple[Any, ...]]:
    """Distinct arrays, one twice, views one element apart, other dtypes and sizes."""
    random_state = np.random.default_rng(seed)
    made = []
    for n in (0, 1, 2, 5, 8):
        a, b, c = (np.round(random_state.normal(size=n) * 2, 1) for _ in range(3))
        ip = random_state.integers(0, max(n, 1), n)
        k = rng.choice([0, 1, 2, -1])
        made.append((a, b, c, ip, k))
        if n == 8:
            whole = np.round(random_state.normal(size=20) * 2, 1)
            wild = np.where(random_state.random(8) < 0.3, np.nan, a)
            made += [
                (a, a, c, ip, k), (whole[1:9], whole[:8], c, ip, k),
                (whole[:8], whole[1:9], c, ip, 1), (a, b[:5], c, ip, k),
                (a, np.append(b, b), np.append(c, c), np.append(ip, ip), k),
                (wild, b, wild[::-1].copy(), ip, k), (a[::-1], b, whole[::2][:8], ip, k),
                (np.round(a).astype(int), np.round(b).astype(int), np.round(c).astype(int), ip, k),
                (a.astype(np.float32), b.astype(np.float32), c.astype(np.float32), ip, k),
                (a, b, c, ip[::-1], k), (a, b.tolist(), c, ip, k),
                (a, np.round(b).astype(int), c, ip, k),
            ]  # fmt: skip
    return made


def program(seed: int, maker: Any = Maker) -> tuple[str, Any]:
    text = maker(random.Random(seed)).function()
    filename = f"<lift fuzz {maker.__module__} {seed}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    world: dict[str, Any] = {"np": np}
    exec(compile(text, filename, "exec"), world)
    return text, world["f"]


def failure(seed: int, maker: Any = Maker) -> str | None:
    """How the lifted program differs from the loop; None if it does not."""
    text, function = program(seed, maker)
    try:
        make = getattr(maker, "arguments", arguments)
        for args in make(random.Random(seed), seed):
            single = any(isinstance(a, np.ndarray) and a.dtype == np.float32 for a in args)
            agrees(function, *args, rtol=1e-3 if single else 1e-7)
    except AssertionError as error:
        return f"seed {seed}\n{text}\n{error}"
    return None


def main(maker: Any = Maker) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fail-fast", action="store_true", help="end at the first difference")
    options = parser.parse_args()
    failed = lifted = 0
    for seed in range(options.seed, options.seed + options.programs):
        notes = autovec.lift(program(seed, maker)[1]).explain().split("\n")
        lifted += "-> lifted" in "".join(notes[2:3])
        found = failure(seed, maker)
        if found is not None:
            failed += 1
            if options.fail_fast:
                print(f"DIFFERENT {options.seed}:{seed} {found.splitlines()[-1]}")
                return
            print(found, end="\n\n", flush=True)
    print(f"{options.programs} programs, {failed} differences, {lifted} whose first loop is lifted")


if __name__ == "__main__":
    main()
