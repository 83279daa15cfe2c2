"""Random statements without branches: assignments of every form, raises, local functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fuzz.expressions import Expressions
from tests.fuzz.lookups import Lookups
from tests.fuzz.scope import Dice, Helper, Scope

Lines = list[str]
Block = tuple[Lines, bool]  # the lines, and whether every path through them has left


def indent(lines: Lines) -> Lines:
    return ["    " + line for line in lines]


class Assignments(Lookups):
    """The simple statements; `result` is what a `return` of this function returns."""

    def __init__(self, dice: Dice, e: Expressions, result: Callable[[Scope], str]) -> None:
        self.dice = dice
        self.e = e
        self.result = result
        self.budget = 12  # statements still to be made
        self.in_loop = 0
        self.depth = -1  # of the block being made

    def block(self, scope: Scope, size: int, depth: int) -> Block:
        """Up to `size` statements with at most `depth` branches inside each other."""
        lines: Lines = []
        self.depth += 1
        left = False
        while size > 0 and self.budget > 0 and not left:
            size -= 1
            self.budget -= 1
            made, left = self.statement(scope, depth)
            lines += made
        if not lines:
            lines = self.assign(scope) if self.dice.chance(0.85) else ["pass"]
        self.depth -= 1
        return lines, left

    def statement(self, scope: Scope, depth: int) -> Block:
        """One statement; see `Statements`, which adds the branches."""
        simple: list[tuple[str, float, Callable[[Scope], Lines]]] = [
            (".", 5, self.assign),
            ("augmented", 2.5, self.augmented),
            ("chained", 0.5, self.chained),
            ("unpack", 1.2, self.unpack),
            ("local_def", 0.8, self.local_def),
            ("raise", 1.2, self.raising),
            ("struct", 0.3, self.annotated),
            ("struct", 0.5, self.nested),
            ("delete", 0.2, self.deleted),
            ("walrus", 0.8, self.walrus),
            ("lookup", 1, self.looked_up),
            ("lists", 1.2, self.changed_list),
        ]
        return self.choose(simple)(scope), False

    def choose(self, options: list[tuple[str, float, Callable[..., object]]]) -> Callable[..., Any]:
        on = [(w, make) for feature, w, make in options if feature == "." or self.dice.has(feature)]
        return self.dice.weighted(on)

    # ---------------------------------------------------------------- assignments
    def target(self, scope: Scope, type_: str) -> str:
        """A name to assign: new, or one that may be rebound, mostly of the same type."""
        old = [n for n in scope.names(type_) if n not in scope.fixed]
        if old and self.dice.chance(0.75 if self.depth else 0.35):
            return self.dice.pick(old)
        others = [n for n in scope.types if n not in scope.fixed]
        if others and not self.in_loop and self.dice.chance(0.05):
            return self.dice.pick(others)
        return self.dice.fresh(self.dice.pick(("a", "p", "q", "z", "t")))

    def assign(self, scope: Scope) -> Lines:
        d = self.dice
        kinds = "fffffiib" + ("ggh" if d.has("small") else "") + ("s" if d.has("strings") else "")
        kinds += "sss" if d.has("texts") else ""
        type_ = d.pick(kinds)
        if type_ in "ghs" and not scope.names(type_):
            type_ = "f"
        value = self.e.make(type_, scope, d.pick((1, 2, 2, 3)))
        if type_ in "fi" and not self.in_loop and d.chance(0.07):
            value = self.e.literal() if type_ == "f" else self.e.integer()
        name = self.target(scope, type_)
        scope.bind(name, type_)
        return [f"{name} = {value}"]

    def augmented(self, scope: Scope) -> Lines:
        d = self.dice
        names = [n for n in scope.names("fib") if n not in scope.fixed]
        if not names:
            return self.assign(scope)
        name = d.pick(names)
        scope.strong.discard(name)
        type_ = scope.types[name]
        if type_ == "b":
            return [f"{name} {d.pick('&|^')}= {self.e.make('b', scope, 1)}"]
        if type_ == "i" and self.in_loop:  # stays small, however often the loop runs
            return [f"{name} {d.pick('+-')}= {self.e.make('i', scope, 0)}"]
        if type_ == "i":
            op = d.pick(("+", "-", "+", "*", "//", "%"))
            small = op in ("*", "//", "%")
            return [f"{name} {op}= {self.e.nonzero('i') if small else self.e.make('i', scope, 2)}"]
        op = d.pick(("+", "-", "*", "/", "+", "**" if d.has("power") and not self.in_loop else "+"))
        if op == "**":
            return [f"{name} **= 2"]
        return [f"{name} {op}= {self.e.nonzero('f') if op == '/' else self.e.make('f', scope, 2)}"]

    def chained(self, scope: Scope) -> Lines:
        type_ = self.dice.pick("ffi")
        value = self.e.make(type_, scope, 2)
        one, two = self.target(scope, type_), self.dice.fresh("r")
        scope.bind(one, type_)
        scope.bind(two, type_)
        return [f"{one} = {two} = {value}"]

    def unpack(self, scope: Scope) -> Lines:
        d = self.dice
        names = [n for n in scope.names("f") if n not in scope.fixed]
        if len(names) > 1 and d.chance(0.35):
            a, b = d.random.sample(names, 2)
            return [d.pick((f"{a}, {b} = {b}, {a}", f"{a}, {b} = {b} + 1, {a} * 2.0"))]
        tuples = [h for h in scope.helpers if len(h.result) > 1]
        if tuples and d.chance(0.5):
            helper = d.pick(tuples)
            types = helper.result
            value = f"{helper.name}({self.e.arguments(helper, scope, 1)})"
        elif d.has("divmod") and d.chance(0.3):
            types = d.pick(("ff", "ii"))
            value = f"divmod({self.e.make(types[0], scope, 1)}, {self.e.nonzero(types[0])})"
        else:
            types = d.pick(("ff", "fi", "ib", "fff"))
            value = ", ".join(self.e.make(t, scope, 2) for t in types)
            if len(types) == 2 and d.chance(0.2):
                other = ", ".join(self.e.make(t, scope, 1) for t in types)
                value = f"({value}) if {self.e.make('b', scope, 1)} else ({other})"
        fresh = [d.fresh("u") for _ in types]
        for name, type_ in zip(fresh, types, strict=True):
            scope.bind(name, type_)
        return [f"{', '.join(fresh)} = {value}"]

    def nested(self, scope: Scope) -> Lines:
        """A structure that is taken apart again, at once or by its parts."""
        d = self.dice
        one, two, three = (self.e.make(t, scope, 2) for t in "ffi")
        a, b, c = (d.fresh("y") for _ in range(3))
        if d.chance(0.4):
            lines = [f"({a}, {b}), {c} = ({one}, {two}), {three}"]
        else:
            whole = d.fresh("pair")
            made, parts = d.pick(
                (
                    (f"({one}, {two}, {three})", "012"),
                    (f"[{one}, {two}, {three}]", "012"),
                    (f'{{"a": {one}, "b": {two}, "c": {three}}}', ('"a"', '"b"', '"c"')),
                )
            )
            reads = [f"{n} = {whole}[{p}]" for n, p in zip((a, b, c), parts, strict=True)]
            lines = [f"{whole} = {made}", *reads]
        for name, type_ in zip((a, b, c), "ffi", strict=True):
            scope.bind(name, type_)
        return lines

    def annotated(self, scope: Scope) -> Lines:
        value = self.e.make("f", scope, 2)
        name = self.dice.fresh("n")
        scope.bind(name, "f")
        return [f"{name}: float = {value}"]

    def deleted(self, scope: Scope) -> Lines:
        value = self.e.make("f", scope, 2)
        name = self.dice.fresh("d")
        scope.bind(name, "f")
        lines = [f"{name} = {value}", *self.augmented(scope), f"del {name}"]
        del scope.types[name]
        return lines

    def walrus(self, scope: Scope) -> Lines:
        inner = self.e.named(self.dice.pick("ffi"), scope, 2)
        value = f"{inner} {self.dice.pick('*+')} {self.e.make('f', scope, 1)} + 0.0"
        name = self.target(scope, "f")
        scope.bind(name, "f")
        return [f"{name} = {value}"]

    # ---------------------------------------------------------------- raises and functions
    def raising(self, scope: Scope) -> Lines:
        d = self.dice
        guard = self.e.make("b", scope, 1)
        if d.chance(0.5):  # rarely true
            whole = self.e.make("i", scope, 0)
            guard = d.pick((f"{whole} % 11 == 7", f"{guard} and {self.e.make('b', scope, 1)}"))
        shown = self.e.name("i", scope, "1")
        if d.chance(0.25):
            return [f"assert not ({guard})" + d.pick(("", ', "must hold"', f', f"{{{shown}}}"'))]
        kinds = "ValueError|ValueError|ZeroDivisionError|KeyError|ArithmeticError".split("|")
        messages = (
            f'f"bad {{{shown}}}"',
            '"out of range"',
            f'f"{{{shown}:>4d}} / {{{shown} + 1}}"',
            f'"bad", {shown}',
            "",
        )
        return [f"if {guard}:", f"    raise {d.pick(kinds)}({d.pick(messages)})"]

    def local_def(self, scope: Scope) -> Lines:
        d = self.dice
        params, result = d.pick(("f", "ff", "i", "fi")), d.pick("fffib")
        inner, captured = scope.copy(), set(scope.types)
        inner.fixed |= captured
        names = [d.fresh("x") for _ in params]
        for n, t in zip(names, params, strict=True):
            inner.bind(n, t)
        name = d.fresh("g")
        if d.chance(0.4):
            lines = [f"{name} = lambda {', '.join(names)}: {self.e.make(result, inner, 2)}"]
        else:
            kept = self.result, self.budget, self.in_loop
            self.result, self.budget, self.in_loop = (lambda s: self.e.make(result, s, 2)), 2, 0
            body, left = self.block(inner, 2, 1)
            if not left:
                body.append(f"return {self.result(inner)}")
            self.result, self.budget, self.in_loop = kept
            lines = [f"def {name}({', '.join(names)}):", *indent(body)]
        scope.helpers.append(Helper(name, params, result, tuple(names)))
        if d.chance(0.6):  # else a captured name may be rebound later, which the function then sees
            scope.fixed |= captured
        return lines
