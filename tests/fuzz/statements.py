"""Random statements with branches and loops.

The scope is kept right as blocks are made: after a branch only what every arriving path has defined
may be read, with the type that the paths agree on.  Loops are uniform and short, so every program
ends.
"""

from __future__ import annotations

from tests.fuzz.assignments import Block, Lines, indent
from tests.fuzz.retiring import Retiring
from tests.fuzz.scope import Scope, join


class Statements(Retiring):
    """All statements of generated programs."""

    def statement(self, scope: Scope, depth: int) -> Block:
        """One statement: a branching one in 4 of 10 cases, while `depth` lasts."""
        if depth <= 0 or self.budget <= 0 or not self.dice.chance(0.4):
            return super().statement(scope, depth)
        make = self.choose(
            [
                (".", 4, self.branch),
                ("early_return", 2, self.early_return),
                ("match", 1, self.match),
                ("loop", 1.3, self.loop),
                ("retire", 1.3, self.retiring),
                ("try", 0.8, self.try_),
                ("attempts", 1.2, self.attempt),
                ("flag", 0.4, self.flag),
            ]
        )
        result: Block = make(scope, depth)
        return result

    def arm(self, scope: Scope, size: int, depth: int, arriving: list[Scope]) -> Lines:
        """A branch's block in a scope of its own, which arrives at the join unless it left."""
        inner = scope.copy()
        body, left = self.block(inner, size, depth - 1)
        if not left:
            arriving.append(inner)
        return indent(body)

    def joined(self, scope: Scope, lines: Lines, arriving: list[Scope]) -> Block:
        if not arriving:
            return lines, True
        join(scope, arriving)
        return lines, False

    # ---------------------------------------------------------------- branches
    def branch(self, scope: Scope, depth: int) -> Block:
        d = self.dice
        lines: Lines = []
        arriving: list[Scope] = []
        for k in range(1 + d.chance(0.35) + d.chance(0.15)):
            test = self.e.test(scope)
            if d.has("walrus") and not k and d.chance(0.15):
                named = self.e.named("f", scope, 2)
                test = f"{named} {d.pick(('<', '>='))} {self.e.make('f', scope, 0)}"
            lines.append(f"{'elif' if k else 'if'} {test}:")
            lines += self.arm(scope, d.pick((1, 1, 2, 3)), depth, arriving)
        if d.chance(0.55):
            lines += ["else:", *self.arm(scope, d.pick((1, 1, 2)), depth, arriving)]
        else:
            arriving.append(scope.copy())
        return self.joined(scope, lines, arriving)

    def early_return(self, scope: Scope, depth: int) -> Block:
        inner = scope.copy()
        test = self.e.test(scope)
        body: Lines = []
        if self.dice.chance(0.3):
            body, left = self.block(inner, 1, depth - 1)
            if left:
                return [f"if {test}:", *indent(body)], False
        return [f"if {test}:", *indent([*body, f"return {self.result(inner)}"])], False

    def match(self, scope: Scope, depth: int) -> Block:
        d = self.dice
        pair = d.chance(0.25)
        subject = self.e.make("i", scope, 1)
        if pair:
            subject = f"({subject}, {self.e.make('i', scope, 0)})"
        lines: Lines = [f"match {subject}:"]
        arriving: list[Scope] = []
        for constants in d.random.sample(
            ("0", "1", "2 | 3", "-1", "4 | 5 | 6", "7"), d.pick((1, 2, 3))
        ):
            inner = scope.copy()
            pattern = constants
            if pair:
                pattern = f"({pattern}, {d.pick(('_', '0 | 1', '2'))})"
            elif d.chance(0.2):
                name = d.fresh("m")
                inner.bind(name, "i")
                guard = f"{name} if {name} > {self.e.integer()}"
                pattern = d.pick((guard, f"({pattern}) as {name}"))
            if " if " not in pattern and d.chance(0.3):
                pattern += f" if {self.e.make('b', inner, 1)}"
            body = self.arm(inner, d.pick((1, 1, 2)), depth, arriving)
            lines += indent([f"case {pattern}:", *body])
        if d.chance(0.5):
            lines += indent(["case _:", *self.arm(scope, 1, depth, arriving)])
        else:
            arriving.append(scope.copy())
        return self.joined(scope, lines, arriving)

    def flag(self, scope: Scope, depth: int) -> Block:
        """A name that is only defined where a flag holds, and only read there."""
        d = self.dice
        on, name, out = d.fresh("on"), d.fresh("h"), d.fresh("o")
        test, value = self.e.make("b", scope, 1), self.e.make("f", scope, 2)
        lines = [f"{on} = {test}", f"if {on}:", f"    {name} = {value}"]
        scope.bind(on, "b")
        scope.fixed.add(on)
        lines += self.block(scope, 1, 0)[0]
        inner = scope.copy()
        inner.bind(name, "f")
        one, other = self.e.make("f", inner, 1), self.e.make("f", scope, 1)
        scope.bind(out, "f")
        return [*lines, f"{out} = {name} + {one} if {on} else {other}"], False

    def try_(self, scope: Scope, depth: int) -> Block:
        d = self.dice
        name = d.fresh("e")
        x, k = self.e.name("f", scope, "2.0"), self.e.name("i", scope, "2")
        f, i, leaf = (self.e.make(t, scope, n) for t, n in (("f", 1), ("i", 1), ("f", 0)))
        error, value, type_ = d.pick(
            (
                ("ZeroDivisionError", f"{f} / {x}", "f"),
                ("ZeroDivisionError", f"{i} {d.pick(('//', '%'))} {k}", "i"),
                ("ZeroDivisionError", f"{i} / {k}", "f"),
                ("ValueError", f"math.sqrt({f})", "f"),
                ("ValueError", f"math.log({x}) + {leaf}", "f"),
                ("OverflowError", f"math.exp({f})", "f"),
                ("(ValueError, OverflowError)", f"int({x})", "i"),
                ("(ZeroDivisionError, ValueError)", f"math.log({f}) / {x}", "f"),
                ("ArithmeticError", f"{leaf} / {x}", "f"),
                ("Exception", f"1.0 / math.expm1({x})", "f"),
            )
        )
        inner, handler = scope.copy(), scope.copy()
        inner.bind(name, type_)
        lines = ["try:"]
        if d.chance(0.2):  # what is assigned before the failing statement stays assigned
            lines.append(f"    {name} = {self.e.make(type_, scope, 1)}")
        lines.append(f"    {name} = {value}")
        arriving = [inner]
        if d.has("early_return") and d.chance(0.2):
            lines += [f"except {error}:", f"    return {self.result(handler)}"]
        elif d.has("raise") and d.chance(0.15):
            lines += [f"except {error} as exc:", f"    raise KeyError({k}) from exc"]
        else:
            lines += [f"except {error}:", f"    {name} = {self.e.make(type_, scope, 1)}"]
            handler.bind(name, type_)
            arriving.append(handler)
        if d.chance(0.2):
            lines += ["else:", *indent(self.block(inner, 1, 0)[0])]
        return self.joined(scope, lines, arriving)

    # ---------------------------------------------------------------- loops
    def loop(self, scope: Scope, depth: int) -> Block:
        """A uniform loop.  Its body keeps the types of what it rebinds: right every time."""
        d = self.dice
        name, other = d.fresh("i"), d.fresh("v")
        u, v = self.e.sequence("u")[0], self.e.sequence("v")[0]
        both = {name: "u", other: "v"}
        header, bound = d.pick(
            (
                (f"{name} in {u}", {name: "u"}),
                (f"{name} in {u}", {name: "u"}),
                (f"{name} in {v}", {name: "v"}),
                (f"{name}, {other} in enumerate({v})", both),
                (f"{name}, {other} in enumerate({v}, start=1)", both),
                (f"{name}, {other} in zip(range(3), {v})", both),
                (f"{name} in range(3, 0, -1)", {name: "u"}),
                (f"{name} in map(float, (1, 2))", {name: "v"}),
                (f"{name}, {other} in ((1, 0.5), (2, -1.0))", both),
            )
        )
        pairs = [n for n, t in self.e.tables.items() if t == "uv"]
        if pairs and d.chance(0.3):
            header, bound = f"{name}, {other} in {d.pick(pairs)}", both
        lines: Lines = []
        if d.chance(0.6):
            type_, total = d.pick("ffi"), d.fresh("s")
            lines.append(f"{total} = {self.e.make(type_, scope, 1)}")
            scope.bind(total, type_)
        inner = scope.copy()
        for n, t in bound.items():
            inner.bind(n, t)
            inner.fixed.add(n)
        before = dict(inner.types)
        body = self.loop_body(inner, depth - 1)
        if any(inner.types.get(n) != t for n, t in before.items()):
            return lines or self.assign(
                scope
            ), False  # right for the first round only: leave it out
        scope.strong &= inner.strong
        if (
            "u" in bound.values()
            and len(bound) == 1
            and d.chance(0.15)
            and "continue" not in str(body)
        ):
            count = [f"{name} = 0", f"while {name} < 3:", *indent(body), f"    {name} += 1"]
            return [*lines, *count], False
        return [*lines, f"for {header}:", *indent(body)], False

    def loop_body(self, scope: Scope, depth: int) -> Lines:
        d = self.dice
        features = d.features
        d.features = features - {"early_return", "local_def"}
        self.in_loop += 1
        body: Lines = []
        indices = scope.names("u")
        if indices and d.chance(0.12):
            word = d.pick(("continue", "continue", "break"))
            body = [f"if {indices[-1]} == {d.pick('123')}:", f"    {word}"]
        made, left = self.block(scope, d.pick((1, 2, 3)), min(depth, 1))
        body += made
        if not left and d.chance(0.6):
            body += self.augmented(scope)
        self.in_loop -= 1
        d.features = features
        return body
