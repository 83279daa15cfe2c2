"""Look-ups in tables of the module, and lists and dicts that the function makes and changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.scope import Dice, Scope

if TYPE_CHECKING:
    from tests.fuzz.assignments import Lines
    from tests.fuzz.expressions import Expressions

#: tables of the module, which the grammar's templates of the feature lookup name
TABLES = (
    "PRICES = (0.5, -1.5, 4.0)",
    "STEPS = [3, 1, 2, 7]",
    'FEES = {"a": 1.5, "bb": -2.0, "": 0.25, "low": 3.0}',
    "SLOTS = {0: 4, 1: -2, 7: 1, -3: 2}",
    "GRID = ((1, 2, 3), (4, 5, 6))",
    "BOXES = [(0.5, 1), (-2.5, 3)]",
    "GAPS = [1.0, None, 2.5]",
    'NAMES = {1: "low", 2: "x", 3: ""}',
    "VECTOR = np.array([1.5, -0.5, 2.0, 4.0])",
    "EDGES = [-1.0, 0.0, 0.5, 2.5, 7.0]",
)

FLOAT = """
0.6 lookup PRICES[{i} % 3]
0.3 lookup PRICES[-({i} % 3) - 1]
0.3 lookup (VECTOR[{i} % 4] * 1.0)
0.3 lookup PRICES[{b1}]
0.4 lookup BOXES[{i} % 2][0]
0.4 lookup FEES.get({s}, {lit})
0.3 lookup FEES.get({s}, {f1})
0.3 lookup (FEES[{v=S}] if {v} in FEES else {f1})
0.3 lookup ({f1} / PRICES[{i1} % 3] if {b1} else {f1})
0.2 lookup SLOTS.get({K}, 9) * {f1}
0.3 lookup [{f1}, {X}, {lit}][{i1} % 3]
0.2 lookup {0: {f1}, 1: {X}}[{i1} % 2]
"""

INT = """
0.6 lookup STEPS[{i} % 4]
0.4 lookup GRID[{i} % 2][{i} % 3]
0.3 lookup BOXES[{i} % 2][1]
0.4 lookup SLOTS.get({i}, {int})
0.3 lookup (SLOTS[{v=K}] if {v} in SLOTS else {i1})
0.3 lookup bisect.bisect(EDGES, {f1})
0.5 lookup bisect.bisect_left(EDGES, {X})
0.2 lookup (STEPS.index({v=K}) if {v} in STEPS else -1)
0.2 lookup STEPS.count({i1})
0.3 lookup [{i1}, {K}, 5][{i1} % 3]
"""

BOOL = """
0.4 lookup {i1} {in|not in} {SLOTS|STEPS}
0.3 lookup {f1} in PRICES
0.3 lookup {S} in FEES
0.2 lookup (True, False)[{i1} % 2]
"""

STRING = """
1   lookup NAMES.get({K}, "mid")
1   lookup ("low", "x", "")[{i1} % 3]
"""


class Lookups:
    """The statements; a mixin of Assignments."""

    dice: Dice
    e: Expressions
    in_loop: int

    def looked_up(self, scope: Scope) -> Lines:
        """A look-up as a statement: a row, what may be None, what raises or is caught."""
        d = self.dice
        i, k = self.e.make("i", scope, 1), self.e.name("i", scope, "1")
        name = d.fresh("w")
        if d.chance(0.25):
            other = d.fresh("w")
            scope.bind(name, "f")
            scope.bind(other, "i")
            return [f"{name}, {other} = BOXES[{i} % 2]"]
        leaf = self.e.make("f", scope, 0)
        scope.bind(name, "f")
        if d.chance(0.3):
            found = d.pick((f"GAPS[{i} % 3]", f"SLOTS.get({k})"))
            test = d.pick((f"if {name} is None:", f"if not ({name} is not None):"))
            return [f"{name} = {found}", test, f"    {name} = {leaf}", f"{name} = {name} + 0.5"]
        if d.chance(0.5):
            error, read = d.pick(
                (
                    ("IndexError", f"PRICES[{k}]"),
                    ("KeyError", f"SLOTS[{k}] * 0.5"),
                    ("LookupError", f"GRID[{k}][{i}] + 0.5"),
                    ("ValueError", f"STEPS.index({k}) + 0.5"),
                )
            )
            body = [f"    {name} = {read}", f"except {error}:", f"    {name} = {leaf}"]
            return ["try:", *body]
        if d.has("raise") and d.chance(0.5):
            read = d.pick((f"PRICES[{k}]", f"SLOTS[{k}] + 0.5", f"VECTOR[{k}] + 0.5"))
            return [f"{name} = {read}"]
        return [f"{name} = PRICES[{i} % 3] + {leaf}"]

    def changed_list(self, scope: Scope) -> Lines:
        """A list that is made, changed and read again."""
        d = self.dice
        name, out = d.fresh("xs"), d.fresh("w")
        lines = [f"{name} = [{', '.join(self.e.make('f', scope, 1) for _ in range(3))}]"]
        length, alias = 3, name
        for _ in range(d.pick((1, 2, 3, 4))):
            f, i = self.e.make("f", scope, 1), self.e.make("i", scope, 0)
            target = d.pick((name, alias))
            step, more = d.pick(
                (
                    (f"{target}.append({f})", 1),
                    (f"{target}.insert({d.pick('012')}, {f})", 1),
                    (f"{target}[{d.pick(('0', '1', '-1'))}] = {f}", 0),
                    (f"{target}[{d.pick('01')}] {d.pick('+-*')}= {f}", 0),
                    (f"{target}[{i} % {length}] = {f}", 0),
                    (f"{target}[-({i} % {length}) - 1] = {f}", 0),
                    (f"{target}[{i} % {length}] += {f}", 0),
                    (f"{target}.reverse()", 0),
                    (f"{target}.append({target}.pop() * 0.5)", 0),
                    (f"{target}.append(sum(v * 0.5 for v in [{target}.pop(), {f}]))", 0),
                    (f"{target}.append({target}[-1] + {target}.pop(0))", 0),
                    (f"{target} += [{target}.pop(0)]", 0),
                    (f"for v in [{target}.pop(0), {f}]:\n    {target}.append(v)", 1),
                    (f"for v in {target}:\n    {target}[{d.pick(('0', '-1'))}] = v * 0.5", 0),
                    (f"for j, v in enumerate({target}):\n    {target}[j] = v - {f}", 0),
                    (f"{target} += [{f}]", 1),
                    (f"if {self.e.make('b', scope, 1)}:\n    {target}[0] = {f}", 0),
                    (f"for j in range(3):\n    {target}[0] = {target}[0] + {f}", 0),
                    ("alias", 0),
                )
            )
            if step == "alias":
                alias = d.fresh("ys")
                step = f"{alias} = {d.pick((name, name, f'list({name})'))}"
                if "list" in step:
                    alias = name
            lines += step.split("\n")
            length += more
        i = self.e.make("i", scope, 1)
        read = d.pick(
            (f"sum({name})", f"{name}[{i} % {length}]", f"max({name})", f"{alias}[-1]",
             f"{name}[0] + len({name})")
        )  # fmt: skip
        scope.bind(out, "f")
        return [*lines, f"{out} = {read} + 0.0"]
