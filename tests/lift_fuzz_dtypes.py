"""Random loops over arrays of small dtypes: conversions, clipping, stores that narrow, sums.

``python -m tests.lift_fuzz_dtypes --programs 300 --seed 1`` prints each difference.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests import lift_fuzz

DTYPES = ["uint8", "int8", "int16", "uint16", "int32", "int64", "float32", "float64", "bool"]
LIMITS = [("0", "255"), ("-128", "127"), ("0", "100"), ("k", "255"), ("0", "k"), ("-5", "5")]
STARTS = ["0", "0.0", "np.float32(0)", "np.float64(1)", "np.int64(0)", "np.int32(3)"]


class Maker:
    """Writes one function of an image, a vector and a number."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def value(self) -> str:
        rng = self.rng
        item = rng.choice(["a[i]", "b[i]", "a[i]", "a[n - 1 - i]"])
        wide = rng.choice([f"int({item})", f"int({item})", f"float({item})", item, item])
        forms = [wide, f"{wide} + k", f"{wide} * 2", f"{wide} - b[i]", f"2 * {wide} + 1", "i",
                 f"{wide} + int(b[i])", f"{wide} * int(b[i])", f"{wide} % 7", f"-{wide}",
                 f"int({item} * 1.5)", f"{wide} // 2", f"1 if {item} > 0 else 0",
                 f"abs({wide})", f"{wide} ** 2"]  # fmt: skip
        return rng.choice(forms)

    def clip(self, indent: str) -> list[str]:
        rng = self.rng
        low, high = rng.choice(LIMITS)
        least = [f"if v < {low}:", f"    v = {low}"]
        most = [f"{rng.choice(['if', 'elif'])} v {rng.choice(['>', '>='])} {high}:",
                f"    v = {high}"]  # fmt: skip
        forms = [
            [*least, *most], most, least, [f"v = min(max(v, {low}), {high})"],
            [f"v = max({low}, min({high}, v))"], [f"v = {high} if v > {high} else v"], [],
            [f"v = v if v < {high} else {high}"], [f"if v > {high}:", "    v = v - k"],
        ]  # fmt: skip
        lines = rng.choice(forms)
        if lines and lines[0].startswith("elif"):
            lines = ["if" + lines[0][4:], *lines[1:]]
        return [indent + line for line in lines]

    def function(self) -> str:
        rng = self.rng
        made = rng.choice(["np.zeros(n)", f"np.zeros(n, dtype=np.{rng.choice(DTYPES)})",
                           "a.copy()", f"np.zeros(n, dtype=np.{rng.choice(DTYPES)})"])  # fmt: skip
        lines = ["def f(a, b, k):", "    n = len(a)", f"    out = {made}", "    counts = [0]"]
        lines += ["    h = np.zeros(40, dtype=int)", f"    s = {rng.choice(STARTS)}"]
        lines += [f"    for i in {rng.choice(['range(n)', 'range(1, n)', 'range(n - 1)'])}:"]
        indent = "        "
        if rng.random() < 0.25:
            lines.append(f"{indent}if {rng.choice(['a[i] > 1', 'b[i] != 0', 'a[i] < b[i]'])}:")
            indent += "    "
        lines += [f"{indent}v = {self.value()}", *self.clip(indent)]
        uses = ["out[i] = v", "out[i] = v", "s += v", "s = s + v", "out[i] = v + 1", "h[v] += 1",
                "out[i] += v", "s += int(a[i])", "s += a[i] * b[i]",
                "s -= v", "s += 1"]  # fmt: skip
        lines += [indent + rng.choice(uses) for _ in range(rng.randint(1, 2))]
        return "\n".join([*lines, "    return out, s, h"]) + "\n"

    @staticmethod
    def arguments(rng: random.Random, seed: int) -> list[tuple[Any, ...]]:
        """Arrays of all dtypes with their largest numbers, NaN and infinity, and numbers."""
        state = np.random.default_rng(seed)
        made: list[tuple[Any, ...]] = []
        for name in DTYPES:
            dtype = np.dtype(name)
            for n in (1, 6):
                a: Any = state.integers(0, 100, n)
                if dtype.kind == "i":
                    a = a - 50
                if dtype.kind == "f":
                    a = np.round(state.normal(size=n) * 60, 1)
                b = state.integers(1, 5, n).astype(dtype)
                a = a.astype(dtype)
                made.append((a, b, rng.choice([0, 3, -2, 300])))
                if n > 1:
                    wild = a.copy()
                    wild[2] = np.nan if dtype.kind == "f" else a.dtype.type(wild[2])
                    if dtype.kind in "iu":
                        wild[1], wild[3] = np.iinfo(dtype).max, np.iinfo(dtype).min
                    made.append((wild, b[::-1], rng.choice([0, 60, -1])))
        return made


if __name__ == "__main__":
    lift_fuzz.main(Maker)
