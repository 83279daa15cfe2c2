"""A whole generated module, and what kind of arguments its function takes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from random import Random

from tests.fuzz.assignments import Lines, indent
from tests.fuzz.expressions import Expressions
from tests.fuzz.lookups import TABLES
from tests.fuzz.recursion import recursion
from tests.fuzz.scope import FEATURES, Dice, Helper, Scope
from tests.fuzz.statements import Statements
from tests.fuzz.tables import of_rows

NAMES, COUNTS, FLAGS = (
    "xyzwvruqpt",
    "kjlmnokjhg",
    ("on", "up", "hot", "dry", "low", "odd", "raw", "wet", "new", "old"),
)
LATER = ("sequences",)  # what only the loop can run yet
ALWAYS = ("early_return", "math")
SAMPLES = ("rows", "arrays")  # what else a sample may be than a scalar
SELDOM = ("texts", "optional", "dates")


@dataclass
class Parameter:
    """One parameter: its name, its type, and whether it is an array in the call."""

    name: str
    type: str
    varying: bool
    keyword: bool = False
    shape: tuple[int, ...] = ()  # of a sample


@dataclass
class Program:
    """A module's text; `f` is the function under test."""

    seed: str
    text: str
    parameters: list[Parameter]
    features: list[str]
    extra: dict[str, object] = field(default_factory=dict)
    table: str = ""  # its arrays are the columns of a table of this kind

    @property
    def columns(self) -> list[str]:
        """The parameters that differ between samples."""
        return [p.name for p in self.parameters if p.varying]

    def replaced(self, text: str) -> Program:
        return dataclasses.replace(self, text=text)


def generate(seed: str, only: list[str] | None = None, rows: bool = True) -> Program:
    """The program of this seed.  A random half of the features is on (all of `only`, if given).

    `rows`: its function may be one of the rows of a table, or of array samples.
    """
    chosen = only is None and rows and Random(f"{seed}/arrays").random() < 0.15
    if chosen or "arrays" in (only or ()):
        from tests.fuzz.arrays import array_program

        return array_program(seed)
    dice = Dice(seed, ())
    on = list(only or ())
    if only is None:
        on = [f for f in FEATURES if f not in SAMPLES and dice.chance(0.5)]
    if only is None and rows and Random(f"{seed}/table").random() < 0.2:
        on.append("rows")
    if only is None:
        on = [f for f in on if f not in LATER]
    if only is None:
        on = sorted({*on, *ALWAYS}, key=FEATURES.index)
        if "small" in on and dice.chance(0.5):
            on.remove("small")
        if "raise" in on and dice.chance(0.4):
            on.remove("raise")
        on = [f for f in on if f not in SELDOM or dice.chance(0.4)]
    dice.features = frozenset(on)
    return _Module(dice, on).program(seed)


class _Module:
    def __init__(self, dice: Dice, features: list[str]) -> None:
        self.dice = dice
        self.features = features
        self.e = Expressions(dice)
        self.constants = Scope()
        self.lines: Lines = ["import math", "", "import numpy as np", ""]
        if dice.has("dates"):
            self.lines[1:1] = ["from datetime import date"]
            self.lines += ["DAY = date(2024, 2, 29)", ""]

    def program(self, seed: str) -> Program:
        d = self.dice
        self.module_constants()
        if d.has("helper"):
            for _ in range(d.pick((1, 1, 2))):
                self.helper()
        if d.has("recursion"):
            lines, helper = recursion(d, self.e, self.constants)
            self.lines += lines
            self.constants.helpers.append(helper)
        parameters = self.parameters()
        self.function(parameters)
        made = Program(seed, "\n".join(self.lines) + "\n", parameters, self.features)
        rows = of_rows(made.text, made.columns, seed) if d.has("rows") else None
        if rows is None:
            return made
        return dataclasses.replace(made, text=rows[0], table=rows[1])

    def module_constants(self) -> None:
        d = self.dice
        if d.has("closure") or d.chance(0.3):
            self.lines.append(f"RATE = {d.pick(('0.25', '1.5', '-2.0'))}")
            self.constants.types["RATE"] = "v"
            self.constants.fixed.add("RATE")
        if d.has("tables"):
            for name, type_, value in (
                ("KNOTS", "f", d.pick(("(0.5, 1.0, 2.5)", "[-1.0, 0.25, 4.0]"))),
                ("CODES", "i", d.pick(("(1, 2, 4)", "[3, -1, 7]"))),
                ("PAIRS", "uv", "((1, 0.5), (2, -1.5), (4, 3.0))"),
            ):
                if d.chance(0.6):
                    self.lines.append(f"{name} = {value}")
                    self.e.tables[name] = type_
        if d.has("lookup"):
            self.lines[0] = "import bisect\nimport math"
            self.lines += TABLES
        self.lines.append("")

    def statements(self, result: str) -> Statements:
        def make(scope: Scope) -> str:
            if len(result) > 1:
                return "(" + ", ".join(self.e.make(t, scope, 2) for t in result) + ")"
            return self.e.make(result, scope, 2)

        return Statements(self.dice, self.e, make)

    def helper(self) -> None:
        d = self.dice
        params = d.pick(("f", "ff", "fi", "i", "fb"))
        result = d.pick(("f", "f", "f", "i", "b", "ff", "fi"))
        name = d.fresh("helper")
        scope = self.constants.copy()
        names = [d.fresh("x") for _ in params]
        for n, t in zip(names, params, strict=True):
            scope.bind(n, t)
        make = self.statements(result)
        make.budget = d.pick((1, 2, 4))
        body, left = make.block(scope, make.budget, 2)
        if not left:
            body.append(f"return {make.result(scope)}")
        self.lines += [f"def {name}({', '.join(names)}):", *indent(body), ""]
        self.constants.helpers.append(Helper(name, params, result, tuple(names)))

    def parameters(self) -> list[Parameter]:
        d = self.dice
        types = "f" + d.pick(("f", "ff", "fi", "i", "ib", "fib", "i", "fi"))
        if d.has("small"):
            types += d.pick(("g", "g", "gg", "h", "gj", "j"))
            if d.chance(0.5):
                types = types[1:]
        if d.has("strings") or d.has("texts"):
            types += d.pick(("s", "ss")) if d.has("texts") else "s"
        types += "o" * d.has("optional") + "d" * d.has("dates")
        out = []
        for k, t in enumerate(types):
            uniform = d.has("uniform") and k and t in "fib" and d.chance(0.4)
            name = (NAMES if t not in "ib" else FLAGS if t == "b" else COUNTS)[k]
            out.append(Parameter(name, t, not uniform))
        return out

    def function(self, parameters: list[Parameter]) -> None:
        d = self.dice
        scope = self.constants.copy()
        for p in parameters:
            scope.bind(p.name, p.type)
            if p.type == "i" and p.varying:
                scope.strong.add(p.name)
        names = [p.name for p in parameters]
        result = self.result()
        make = Statements(d, self.e, lambda s: result.make(self.e, s))
        make.budget = d.pick((5, 7, 9, 12, 15))
        style = d.random.random()
        if d.has("closure") and style < 0.5:
            scope.types["scale"], scope.types["shift"] = "v", "u"
            scope.fixed |= {"scale", "shift"}
            body = self.body(make, scope)
            self.lines += [
                "def make(scale, shift=2):",
                f"    def f({', '.join(names)}):",
                *indent(indent(body)),
                "",
                "    return f",
                "",
                f"f = make({d.pick(('0.5', '-1.5', '3.0'))})",
            ]
        elif d.has("closure") and style < 0.6 and not d.has("none"):
            self.lines.append(f"f = lambda {', '.join(names)}: {result.make(self.e, scope)}")
        else:
            extra = ""
            if d.has("closure") and d.chance(0.3):
                scope.types["tol"] = "v"
                extra = d.pick((", tol=0.5", ", *, tol=0.5"))
            body = self.body(make, scope)
            self.lines += [f"def f({', '.join(names)}{extra}):", *indent(body)]

    def body(self, make: Statements, scope: Scope) -> Lines:
        body, left = make.block(scope, make.budget, 3)
        if self.dice.chance(0.1):
            body.insert(0, '"""A generated function."""')
        last = make.result(scope)
        if last == "None":
            last = make.result(scope)
        if not left and not (last == "None" and self.dice.chance(0.5)):
            body.append(f"return {last}")
        return body

    def result(self) -> _Result:
        d = self.dice
        leaf = "ffffiibmm"
        if d.has("small"):
            leaf += "ggg"
        if d.has("strings") or d.has("texts"):
            leaf += "s" if not d.has("texts") else "sss"
        if not d.has("struct"):
            types = [d.pick(leaf)]
            return _Result(d, "scalar", types, none=d.has("none") and types[0] in "fimg")
        shape = d.pick(("scalar", "tuple", "tuple", "list", "dict", "nested"))
        count = 1 if shape == "scalar" else d.pick((2, 2, 3))
        return _Result(d, shape, [d.pick(leaf) for _ in range(count)], False)


@dataclass
class _Result:
    """What every return of the function has in common."""

    dice: Dice
    shape: str
    types: list[str]
    none: bool

    def make(self, e: Expressions, scope: Scope) -> str:
        if self.none and self.dice.chance(0.25):
            return "None"
        leaves = [self.leaf(e, scope, t) for t in self.types]
        if self.shape == "scalar":
            return leaves[0]
        if self.shape == "dict":
            return "{" + ", ".join(f'"{k}": {v}' for k, v in zip("abc", leaves, strict=False)) + "}"
        if self.shape == "nested":
            return f"({leaves[0]}, [{', '.join(leaves[1:])}])"
        return f"({', '.join(leaves)})" if self.shape == "tuple" else f"[{', '.join(leaves)}]"

    def leaf(self, e: Expressions, scope: Scope, type_: str) -> str:
        d = self.dice
        if type_ in "fimg" and d.chance(0.12):
            return (
                e.integer() if type_ in "im" else d.pick((e.literal(), "math.nan", "-1.0", "0.0"))
            )
        own = scope.names(type_)
        if own and d.chance(0.55):
            return d.recent(own)
        return e.make(type_, scope, 2)
