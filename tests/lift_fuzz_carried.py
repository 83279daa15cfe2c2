"""Random loops whose turns hand values on, whose statements have to change places, and counters.

``python -m tests.lift_fuzz_carried --programs 300 --seed 1`` prints each difference.
"""

from __future__ import annotations

from tests import lift_fuzz

HEADERS = [
    "for i in range(n):", "for i in range(n):", "for i in range(1, n):", "for i in range(n - 1):",
    "for i in range(1, n - 1):", "for i in range(n - 1, -1, -1):", "for i in range(0, n, 2):",
    "for i, v in enumerate(b):", "for i in range(n // 2):", "for i in range(k, n):",
    "for i in range(2, n, 3):",
]  # fmt: skip
PLACES = ["i", "i", "i", "i", "i - 1", "i + 1", "n - 1 - i", "0", "n // 2", "i + k", "2 * i"]
STARTS = ["0.0", "0", "b[0]", "k", "a[n - 1]", "True", "np.float32(0.5)", "-1", "1e300 * 1e10"]
INDICES = ["n - 1", "0", "-1", "k", "1", "n - 2"]


class Maker(lift_fuzz.Maker):
    """Writes a function whose loop carries `p`, `q` (numbers) and `im`, `jm` (indices)."""

    carries: set[str]

    def place(self) -> str:
        if self.rng.random() < 0.15 and "im" in self.carries:
            return self.rng.choice(["im", "im", "jm"])
        return self.rng.choice(PLACES)

    def item(self) -> str:
        return f"{self.rng.choice(['a', 'a', 'b', 'c'])}[{self.place()}]"

    def value(self, depth: int = 2) -> str:
        rng = self.rng
        if rng.random() < 0.22:
            names = [n for n in ("p", "q") if n in self.carries]
            if names:
                return rng.choice(names)
        return super().value(depth)

    def statement(self, indent: str, depth: int) -> list[str]:
        rng = self.rng
        kind = rng.random()
        if kind < 0.45:
            op = rng.choice(["=", "=", "=", "+=", "*="])
            return [f"{indent}{self.item()} {op} {self.value()}"]
        if kind < 0.6:
            return [f"{indent}t = {self.value()}", f"{indent}{self.item()} = t + {self.item()}"]
        if kind < 0.68:
            return [f"{indent}s += {self.value()}"]
        if kind < 0.74:
            return [f"{indent}if {self.test()}:", f"{indent}    count += 1"]
        if kind < 0.9 and depth == 1:
            inside = [f"{indent}    {self.item()} {rng.choice(['=', '+='])} {self.value()}"
                      for _ in range(rng.randint(1, 3))]  # fmt: skip
            return [f"{indent}if {self.test()}:", *inside]
        return super().statement(indent, depth)

    def handed(self, indent: str) -> list[str]:
        """The statements that hand values to the next turn."""
        rng = self.rng
        lines = []
        numbers = ["b[i]", "a[i]", "t", "b[i] * c[i]", "b[i] + a[i]", "c[i - 1]", "0.25", "i",
                   "b[i] > 0", "s", "p + 1.0", "abs(c[i])"]  # fmt: skip
        if "p" in self.carries and "q" in self.carries and rng.random() < 0.5:
            form = rng.choice(["q = p|p = E", "p, q = E, p", "q, p = p, E", "p = E|q = p"])
            made = form.replace("E", rng.choice(numbers))
            lines += [indent + part for part in made.split("|")]
        else:
            lines += [f"{indent}{n} = {rng.choice(numbers)}" for n in ("p", "q")
                      if n in self.carries]  # fmt: skip
        if "im" in self.carries:
            form = rng.choice(
                ["jm = im|im = i", "im = i", "im = i + 1", "im = i|jm = im", "jm = i"]
            )
            lines += [indent + part for part in form.split("|")]
        return lines

    def function(self) -> str:
        rng = self.rng
        self.carries = {n for n in ("p", "q", "im") if rng.random() < 0.5}
        body = self.block("        ", 1, 3)
        later = self.handed("        ")
        if rng.random() < 0.3:
            later += self.statement("        ", 1)
        lines = ["def f(a, b, c, ip, k):", "    n = len(a)", "    s = 0.0", "    count = 0"]
        lines += ["    best = -1.0", "    out = []", "    i = -1", "    v = 0.5", "    t = 0.5"]
        lines += [f"    p = {rng.choice(STARTS)}", f"    q = {rng.choice(STARTS)}"]
        lines += [f"    im = {rng.choice(INDICES)}", f"    jm = {rng.choice(INDICES)}"]
        if rng.random() < 0.3 and "v" not in body:
            lines.append("    k = 1")
        lines += ["    " + rng.choice(HEADERS), *body, *later]
        ends = [n for n in ("s", "count", "i", "p", "q", "t", "im", "np.array(out)", "best")
                if rng.random() < 0.3]  # fmt: skip
        return "\n".join([*lines, f"    return {', '.join(['n', *ends])}"]) + "\n"


if __name__ == "__main__":
    lift_fuzz.main(Maker)
