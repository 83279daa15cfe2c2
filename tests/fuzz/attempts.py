"""Random `try` statements with more inside than arithmetic: calls, loops, ways out, `finally`."""

from __future__ import annotations

from tests.fuzz.assignments import Assignments, Block, Lines, indent
from tests.fuzz.scope import Scope

ERRORS = (
    "ZeroDivisionError",
    "ValueError",
    "(ZeroDivisionError, ValueError)",
    "ArithmeticError",
    "(ValueError, OverflowError)",
    "Exception",
)


class Attempts(Assignments):
    """Statements whose exceptions come from below: a helper, a trip of a loop, a nested try."""

    def attempt(self, scope: Scope, depth: int) -> Block:
        """One name, assigned before, changed inside, in a handler, and in the other clauses."""
        d = self.dice
        name = d.fresh("y")
        lines: Lines = [f"{name} = {self.e.literal()}"]
        scope.bind(name, "f")
        scope.fixed.add(name)
        lines += ["try:", *indent(self.risky(scope, name, 1))]
        for error in d.random.sample(ERRORS, d.pick((1, 1, 2))):
            lines += [f"except {error}:", *indent(self.handler(scope, name))]
        if d.chance(0.25):
            lines += ["else:", f"    {name} = {name} * 0.5"]
        if d.chance(0.3):
            lines += ["finally:", f"    {name} = {name} + {self.e.leaf('f', 'v', scope)}"]
        scope.fixed.discard(name)
        return lines, False

    def risky(self, scope: Scope, name: str, depth: int) -> Lines:
        """What may raise, in the name's terms."""
        d = self.dice
        x, n = self.e.name("f", scope, "2.0"), self.e.name("i", scope, "2")
        i = d.fresh("i")
        out = [f"if {self.e.test(scope)}:", f"    return {self.result(scope)}"]
        risk = d.pick(
            (
                f"{name} = {name} + {self.e.leaf('f', 'v', scope)} / {x}",
                f"{name} = {name} - 1 / {n}",
                f"{name} = {name} + math.sqrt({x})",
                f"{name} = math.log({self.e.make('f', scope, 1)}) + {name}",
            )
        )
        helpers = [h for h in scope.helpers if h.result in "fi"]
        if helpers and d.chance(0.6):
            helper = d.pick(helpers)
            arguments = self.e.arguments(helper, scope, 1)
            risk = f"{name} = {d.pick((name, x))} + {helper.name}({arguments})"
        lines: Lines = [risk]
        if d.chance(0.5):
            divisor = d.pick((f"({n} - {i})", f"({x} - {i})"))
            body = [f"{name} += {self.e.leaf('f', 'v', scope)} / {divisor}"]
            if d.chance(0.3):
                body.append(risk)
            if d.chance(0.3):
                word = d.pick(("break", "continue"))
                k = d.pick((0, 1))
                body[k:k] = [f"if {name} > {self.e.literal()}:", f"    {word}"]
            if d.has("early_return") and not self.in_loop and d.chance(0.2):
                body += out
            if depth and d.chance(0.25):
                body = ["try:", *indent(body), f"except {d.pick(ERRORS)}:"]
                body += indent([d.pick(("continue", "break", f"{name} += 1.0"))])
            lines = [f"for {i} in range({d.pick(('2', '3', f'{n} % 4'))}):", *indent(body)]
        if depth and d.chance(0.3):
            inner = ["try:", *indent([*lines, *self.risky(scope, name, 0)])]
            clause = ["finally:", f"    {name} += 2.0"]
            if d.chance(0.6):
                clause = [f"except {d.pick(ERRORS)}:", f"    {name} = {name} - 3.0"]
            lines = [*inner, *clause]
        if d.has("early_return") and not self.in_loop and d.chance(0.2):
            lines += out
        return lines

    def handler(self, scope: Scope, name: str) -> Lines:
        d = self.dice
        if d.has("early_return") and not self.in_loop and d.chance(0.3):
            return [f"return {self.result(scope)}"]
        if self.in_loop and d.chance(0.3):
            return [d.pick(("continue", "break"))]
        return [d.pick((f"{name} = -1.0", f"{name} = {name} + {self.e.leaf('f', 'v', scope)}"))]
