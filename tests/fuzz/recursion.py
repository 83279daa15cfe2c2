"""Random functions that call themselves or each other, with fuel that runs out."""

from __future__ import annotations

from tests.fuzz.assignments import Lines, indent
from tests.fuzz.expressions import Expressions
from tests.fuzz.scope import Dice, Helper, Scope


def recursion(d: Dice, e: Expressions, constants: Scope) -> tuple[Lines, Helper]:
    """One or two functions of an `x` and fuel, and the helper that calls the first."""
    names = [d.fresh("down") for _ in range(d.pick((1, 1, 2)))]
    result = d.pick("ffi")
    lines: Lines = []
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        lines += [f"def {name}(x, n):", *indent(body(d, e, constants, result, other)), ""]
    name = d.fresh("helper")
    fuel = d.pick(("abs(k) % 4", "k % 5", "min(max(k, -1), 3)"))
    lines += [f"def {name}(x, k):", f"    return {names[0]}(x, {fuel})", ""]
    return lines, Helper(name, "fi", result, ("x", "k"))


def body(d: Dice, e: Expressions, constants: Scope, result: str, other: str) -> Lines:
    """A function's statements: ways out without a call first, then those with one or two."""
    scope = constants.copy()
    scope.bind("x", "f")
    scope.bind("n", "i")
    again = f"{other}({e.make('f', scope, 1)}, n - {d.pick('112')})"
    twice = f"{other}(x, n - 1) {d.pick('+-')} {other}({e.make('f', scope, 1)}, n - 2)"
    lines: Lines = ["if n <= 0:", f"    return {e.make(result, scope, 2)}"]
    if d.chance(0.4):
        lines += [f"if {e.test(scope)}:", f"    return {d.pick((again, e.make(result, scope, 1)))}"]
    if d.chance(0.4):
        lines += [f"r = {again}", f"if {e.test(scope)}:", "    r = r + 1"]
        return [*lines, f"return {d.pick(('r', 'r * n', '-r'))}"]
    if d.chance(0.3):
        return [*lines, f"return {again} if {e.test(scope)} else {twice}"]
    return [*lines, f"return {d.pick((twice, f'{e.make(result, scope, 1)} + {again}'))}"]
