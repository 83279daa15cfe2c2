"""Typed random expressions as text, made from the grammar's templates."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.fuzz import grammar, lookups
from tests.fuzz.scope import Dice, Helper, Scope

FLOATS = "0.5 1.0 2.0 -1.5 3.25 0.1 10.0 -0.25 0.0 1e-3 2.5 7.0".split()
MISSING = {"f": "abs(1.5)", "i": "5", "g": "2.5", "h": "3", "s": '"a"', "o": '"a"', "d": "DAY"}
Template = list[tuple[str, str]]  # (hole or "", text)


def _parse(table: str) -> list[tuple[float, str, Template]]:
    rules = []
    for line in filter(None, table.splitlines()):
        weight, feature, template = line.split(None, 2)
        parts: Template = []
        for k, text in enumerate(re.split(r"\{([^{}]*)\}", template)):
            parts.append(("hole" if k % 2 else "", text))
        rules.append((float(weight), feature, parts))
    return rules


RULES = {
    "f": _parse(grammar.FLOAT + lookups.FLOAT),
    "i": _parse(grammar.INT + lookups.INT),
    "b": _parse(grammar.BOOL + lookups.BOOL),
    "s": _parse(grammar.STRING + lookups.STRING),
    "g": _parse(grammar.SINGLE),
    "h": _parse(grammar.NARROW),
}
NEEDS = {"X": "f", "K": "i", "B": "b", "G": "g", "S": "s", "O": "o", "D": "d", "H": "hj",
         "i1": "iu"}  # fmt: skip
LEAVES = {"f": "N", "i": "I", "b": "B", "s": "S", "g": "G", "h": "H"}


def _needed(type_: str, template: Template) -> list[str]:
    """The template's holes that only a name of the scope fills well."""
    holes = [t.rpartition("=")[2] for h, t in template if h]
    return [t for t in holes if t in NEEDS and (t != "i1" or type_ == "b")]


class Expressions:
    """Random expressions over the names in scope."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.tables: dict[str, str] = {}  # module constant -> element type, "uv" for pairs
        self.rules: dict[str, list[tuple[float, Template]]] = {}
        self.flat: dict[str, list[tuple[float, Template]]] = {}  # without what nests
        for type_, rules in RULES.items():
            on = [(w, t) for w, f, t in rules if f in (".", "deep") or dice.has(f)]
            self.rules[type_] = on
            flat = ("small", "strings")
            self.flat[type_] = [
                (w, t) for w, f, t in rules if f == "." or (f in flat and dice.has(f))
            ]

    def make(self, type_: str, scope: Scope, depth: int = 3) -> str:
        """An expression of this type."""
        if type_ == "m":
            if self.dice.has("minmax") and self.dice.chance(0.4):
                return self.extreme(scope)
            type_ = self.dice.pick("ffi")
        if type_ in "uv":
            names = scope.names(type_)
            literal = self.literal if type_ == "v" else self.integer
            return self.dice.pick(names) if names and self.dice.chance(0.7) else literal()
        kind = "h" if type_ == "j" else type_
        if depth <= 0 and kind != "b":
            return self.hole(LEAVES[kind], scope, 0, {"kind": type_})
        rules = self.rules[kind] if depth > 0 else self.flat[kind]
        template = self.dice.weighted(rules)
        for _ in range(4):  # rather one whose names there are
            if all(scope.names(NEEDS[h]) for h in _needed(kind, template)):
                break
            template = self.dice.weighted(rules)
        known: dict[str, str] = {"kind": type_}
        return "".join(self.hole(t, scope, depth, known) if h else t for h, t in template)

    def extreme(self, scope: Scope) -> str:
        """The larger or smaller of an int and a float, as it is: often both are uniform."""
        d = self.dice
        sides = [self.leaf("i", "u", scope), self.leaf("f", "v", scope)]
        if d.chance(0.5):
            sides[0] = self.integer()
        if d.chance(0.7):
            sides[1] = d.pick(("abs(1.5)", "math.sqrt(2.0)", *scope.names("v")))
        d.random.shuffle(sides)
        return f"{d.pick(('max', 'min'))}({', '.join(sides)})"

    def test(self, scope: Scope, depth: int = 2) -> str:
        """What stands behind `if`: mostly bools, sometimes a number's truth."""
        if self.dice.chance(0.08):
            return self.name("fim", scope, "1")
        if self.dice.chance(0.05):
            return f"{self.hole('I', scope, 0, {})} {self.dice.pick('%&')} 2"
        return self.make("b", scope, depth)

    # ---------------------------------------------------------------- holes
    def hole(self, text: str, scope: Scope, depth: int, known: dict[str, str]) -> str:
        """What one hole of a template is filled with."""
        if text in known and text != "kind":
            return known[text]
        if "=" in text and text[0] not in "=<!" and text[1] == "=":
            known[text[0]] = self.hole(text[2:], scope, depth, known)
            return known[text[0]]
        simple = self.simple(text, scope, known)
        if simple is not None:
            return simple
        if text.startswith("sum:"):
            return self.over_table(text[4:], scope, depth)
        if text.startswith("call:"):
            return self.call(text[5:], scope, depth)
        if "|" in text:
            return self.dice.pick(text.split("|"))
        small = text.endswith("1")
        type_ = self.dice.pick("ffi") if text[0] == "n" else text[0]
        return self.make(type_, scope, min(depth - 1, 1) if small else depth - 1)

    def simple(self, text: str, scope: Scope, known: dict[str, str]) -> str | None:
        """The holes that are names and constants."""
        d = self.dice
        if text == "N":
            mixed = scope.names("m")
            return d.recent(mixed) if mixed and d.chance(0.2) else self.leaf("f", "v", scope)
        if text in ("F", "I"):
            return self.leaf("f", "v", scope) if text == "F" else self.leaf("i", "u", scope)
        if text == "H":
            kind = known.get("kind", "h")
            return self.name(kind if kind in "hj" else "hj", scope, MISSING["h"])
        if text == "B" and not scope.names("b"):
            return f"{self.name('f', scope, '1.0')} > 0"
        if text in "XKBGSOD":
            type_ = {"X": "f", "K": "i", "B": "b", "G": "g", "S": "s", "O": "o", "D": "d"}[text]
            return self.name(type_, scope, MISSING.get(type_, ""))
        if text == "strong":
            return d.pick(sorted(scope.strong)) if scope.strong else MISSING["i"]
        if text == "codes":
            tables = [n for n, t in self.tables.items() if t == "i"]
            return d.pick(tables) if tables else "(4, 0, 2)"
        if text == "other":
            return d.pick((self.literal(), self.leaf("f", "v", scope), "0"))
        constants: dict[str, Callable[[], str]] = {
            "lit": self.literal,
            "int": self.integer,
            "/f": lambda: d.pick(("2.0", "0.5", "-1.5", "3", "10.0")),
            "/i": lambda: d.pick(("2", "3", "-2", "5", "7")),
            "<": lambda: d.pick(("<", "<=", ">", ">=")),
            "==": lambda: d.pick(("<", "<=", ">", ">=", "==", "!=")),
            "bit": lambda: d.pick("&|^"),
            "set": lambda: d.pick(("{2, 4, 7}", "{0, 1}")),
        }
        return constants[text]() if text in constants else None

    def literal(self) -> str:
        return self.dice.pick(FLOATS)

    def integer(self) -> str:
        return str(self.dice.random.randint(-4, 9))

    def nonzero(self, type_: str) -> str:
        return self.hole("/" + type_, Scope(), 0, {})

    def leaf(self, type_: str, uniform: str, scope: Scope) -> str:
        """Mostly a name defined lately, sometimes a uniform one, seldom a literal."""
        varying, shared, roll = scope.names(type_), scope.names(uniform), self.dice.random.random()
        if shared and roll < 0.15:
            return self.dice.pick(shared)
        if varying and roll < 0.92:
            return self.dice.recent(varying)
        return self.literal() if type_ == "f" else self.integer()

    def name(self, types: str, scope: Scope, missing: str) -> str:
        names = scope.names(types)
        return self.dice.recent(names) if names else missing

    # ---------------------------------------------------------------- larger pieces
    def call(self, type_: str, scope: Scope, depth: int) -> str:
        """A call of a helper with this result; a leaf where there is none."""
        fitting = [h for h in scope.helpers if h.result == type_]
        if not fitting:
            return self.make(type_, scope, 0)
        helper = self.dice.pick(fitting)
        return f"{helper.name}({self.arguments(helper, scope, depth - 1)})"

    def arguments(self, helper: Helper, scope: Scope, depth: int) -> str:
        """A helper's arguments, sometimes by keyword and in another order."""
        d = self.dice
        values = [self.make(t, scope, depth) for t in helper.params]
        if not helper.names or not d.chance(0.15):
            return ", ".join(values)
        pairs = [f"{n}={v}" for n, v in zip(helper.names, values, strict=True)]
        return ", ".join(d.random.sample(pairs, len(pairs)))

    def over_table(self, result: str, scope: Scope, depth: int) -> str:
        """sum/any/all/min/max of a comprehension over a fixed sequence."""
        d = self.dice
        name, inner = d.fresh("c"), scope.copy()
        source, element = self.sequence("u" if result != "f" else d.pick("uv"))
        inner.types[name] = element
        inner.fixed.add(name)
        body = self.make(result, inner, min(depth - 1, 1))
        if not re.search(rf"\b{name}\b", body):
            leaf = self.leaf("f", "v", scope)
            varied = {"f": f"({body}) * {name}", "i": f"{body} + {name}", "b": f"{leaf} < {name}"}
            body = varied[result]
        kinds = {"b": ("any", "all"), "i": ("sum", "max", "min"), "f": ("sum", "sum", "max", "min")}
        kind = d.pick(kinds[result])
        condition = f" if {name} != 2" if kind == "sum" and d.chance(0.15) else ""
        inside = f"{body} for {name} in {source}{condition}"
        return f"{kind}([{inside}])" if d.chance(0.25) else f"{kind}({inside})"

    def sequence(self, element: str) -> tuple[str, str]:
        """A nonempty uniform sequence of `u` or `v` elements, and the element type."""
        tables = [n for n, t in self.tables.items() if t == {"u": "i", "v": "f"}[element]]
        if tables and self.dice.chance(0.5):
            return self.dice.pick(tables), element
        texts = {
            "u": "range(3)|range(1, 4)|(1, 2, 5)|[2, -1]|range(4, 0, -1)|reversed((1, 3))",
            "v": "(0.5, 1.5)|[0.25, -1.0, 2.0]|(1.0, 2.0, 4.0)",
        }
        return self.dice.pick(texts[element].split("|")), element

    def named(self, type_: str, scope: Scope, depth: int) -> str:
        """`(name := e)`, for places where it is certainly evaluated."""
        value = self.make(type_, scope, depth)
        name = self.dice.fresh("w")
        scope.bind(name, type_)
        return f"({name} := {value})"
