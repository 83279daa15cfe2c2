"""Loops that lanes leave one by one: by the test, a break, or a return."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.assignments import Block, Lines, indent
from tests.fuzz.attempts import Attempts
from tests.fuzz.scope import Scope


class Retiring(Attempts):
    """Loops whose trip counts differ between lanes; all are short."""

    loop_body: Callable[[Scope, int], Lines]

    def retiring(self, scope: Scope, depth: int) -> Block:
        """One loop, with a total that it changes and now and then a pair that it makes anew."""
        d = self.dice
        if self.in_loop > 1:
            return self.assign(scope), False
        total, count, pair = d.fresh("s"), d.fresh("i"), d.fresh("pr")
        lines = [f"{total} = {self.e.make('f', scope, 1)}"]
        scope.bind(total, "f")
        pairs = d.chance(0.3)
        if pairs:
            lines.append(f"{pair} = ({self.e.make('f', scope, 1)}, {self.e.make('f', scope, 1)})")
        inner = scope.copy()
        inner.bind(count, "u")
        inner.fixed.add(count)
        before = dict(inner.types)
        header, body = self.header(scope, inner, count)
        if header.startswith("while"):
            lines.append(f"{count} = 0")
        start = len(body)
        body += self.loop_body(inner, depth - 1)
        if pairs:
            made = (self.e.make("f", inner, 1) for _ in range(2))
            body.append(f"{pair} = ({', '.join(made)})")
        if any(inner.types.get(n) != t for n, t in before.items()):
            return lines[:1], False  # right for the first round only: leave it out
        if d.chance(0.6):
            place = d.pick((start, len(body)))
            body[place:place] = self.way_out(scope)
        body.append(f"{total} {d.pick('+-')}= {self.e.make('f', scope, 1)}")
        scope.strong &= inner.strong
        lines += [f"{header}:", *indent(body)]
        if d.chance(0.15):
            lines += ["else:", f"    {total} = {self.e.make('f', scope, 1)}"]
        if pairs:
            name = d.fresh("a")
            scope.bind(name, "f")
            lines.append(f"{name} = {pair}[0] - {pair}[1]")
        return lines, False

    def header(self, scope: Scope, inner: Scope, count: str) -> tuple[str, Lines]:
        """How the loop begins, and the first lines of a trip."""
        d, k = self.dice, self.e.leaf("i", "u", scope)
        made = d.pick(
            (f"for {count} in range({k} % 4)", f"for {count} in range(1, abs({k}) % 5 + 1)",
             f"while {count} < {k} % 5", "while", "while True")
        )  # fmt: skip
        if made.startswith("for"):
            return made, []
        if made == "while":
            made = f"while {count} < 4 and {self.e.make('b', scope, 1)}"
        body = [f"{count} += 1"]
        if made == "while True":
            body += [f"if {count} > {d.pick('123')} or {self.e.make('b', scope, 1)}:", "    break"]
        return made, body

    def way_out(self, scope: Scope) -> Lines:
        """A lane's way out of a trip, a loop, or the function."""
        d = self.dice
        ways = ["break", "continue"]
        if d.has("early_return"):
            ways.append(f"return {self.result(scope)}")
        return [f"if {self.e.make('b', scope, 1)}:", f"    {d.pick(ways)}"]
