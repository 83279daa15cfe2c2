"""Rules for the module ``cmath``: a real operand becomes complex first, as Python has it."""

from __future__ import annotations

import cmath
from typing import Any

from autovec.ops.rule import Raises, Rule, fails, refuses, rule
from autovec.ops.table import add

ANY = ((0.5 + 0.25j,), (-2.0 + 1.0j,), (0.75 + 0j,), (-1.5 - 0.5j,))
#: the predicates of exceptions, as CPython's tables of special values have them
REAL_INF = "np.isinf(np.real(x))"
IMAG_INF = "np.isinf(np.imag(x))"
INF_J = complex(0, cmath.inf)
BEYOND = "np.isfinite(x) & ~np.isfinite(result)"


def analytic(name: str, ufunc: str, cost: float, *raises: Raises | None, **facts: Any) -> Rule:
    """A complex function that NumPy has as a ufunc."""
    facts = {"examples": ANY, **facts}
    return rule(
        f"cmath.{name}", "x", f"np.{ufunc}(x.astype(complex))",
        by_kind={"c": f"np.{ufunc}(x)"}, dtype="complex", cost=cost, raises=raises, **facts,
    )  # fmt: skip


def beyond(name: str, value: complex) -> Raises | None:
    """Overflow of a function at this value."""
    return fails(BEYOND, getattr(cmath, name), value, after=True)


def functions() -> list[Rule]:
    """Powers, logarithms, trigonometry."""
    return [
        analytic("sqrt", "sqrt", 15),
        analytic("exp", "exp", 16, beyond("exp", 1e3),
                 fails(f"{IMAG_INF} & (np.real(x) > -np.inf)", cmath.exp, INF_J)),
        analytic("log", "log", 100, fails("x == 0", cmath.log, 0j)),
        rule("cmath.log", "x, base", "np.log(x.astype(complex)) / np.log(base.astype(complex))",
             by_uniform={"base": "np.log(x.astype(complex)) / cmath.log(base)",
                         "x": "cmath.log(x) / np.log(base.astype(complex))"},
             dtype="complex", cost=200,
             raises=[fails("(base == 0) | (base == 1)", cmath.log, 2.0, 1.0)],
             examples=((1.5 + 0.25j, 2.0), (-2.0 + 1.0j, 10.0), (3.0 + 0j, 2.5 + 1j))),
        analytic("log10", "log10", 100, fails("x == 0", cmath.log10, 0j)),
        analytic("sin", "sin", 27, beyond("sin", 1e3j),
                 fails(f"{REAL_INF} & ~np.isnan(np.imag(x))", cmath.sin, cmath.inf)),
        analytic("cos", "cos", 27, beyond("cos", 1e3j),
                 fails(f"{REAL_INF} & ~np.isnan(np.imag(x))", cmath.cos, cmath.inf)),
        analytic("tan", "tan", 31,
                 fails(f"{REAL_INF} & np.isfinite(np.imag(x))", cmath.tan, cmath.inf)),
        analytic("sinh", "sinh", 27, beyond("sinh", 1e3),
                 fails(f"{IMAG_INF} & ~np.isnan(np.real(x))", cmath.sinh, INF_J)),
        analytic("cosh", "cosh", 27, beyond("cosh", 1e3),
                 fails(f"{IMAG_INF} & ~np.isnan(np.real(x))", cmath.cosh, INF_J)),
        analytic("tanh", "tanh", 31,
                 fails(f"{IMAG_INF} & np.isfinite(np.real(x))", cmath.tanh, INF_J)),
        analytic("asin", "arcsin", 56),
        analytic("acos", "arccos", 56),
        analytic("atan", "arctan", 85, fails("(x == 1j) | (x == -1j)", cmath.atan, 1j)),
        analytic("asinh", "arcsinh", 52),
        analytic("acosh", "arccosh", 54),
        analytic("atanh", "arctanh", 84, fails("(x == 1) | (x == -1)", cmath.atanh, 1.0)),
    ]  # fmt: skip


def polar_form() -> list[Rule]:
    """Polar coordinates."""
    modulus: dict[str, Any] = {"float_args": True, "examples": ANY}
    return [
        rule("cmath.phase", "x", "np.angle(x)", cost=3, **modulus),
        rule("cmath.polar", "x", "(np.abs(x), np.angle(x))", cost=6, outputs=2,
             by_kind={"N": "(np.fabs(x), np.angle(x))", "?": "(np.abs(x * 1.0), np.angle(x))"},
             **modulus),
        rule("cmath.rect", "r, phi",
             "make_complex(r * np.cos(phi, dtype=float), r * np.sin(phi, dtype=float))",
             dtype="complex", cost=25, accepts="biuf?",
             raises=[fails("(r != 0) & np.isinf(phi) & ~np.isnan(r)", cmath.rect, 1.0, cmath.inf)],
             examples=((1.0, 0.5), (2.0, -1.0), (0.0, 3.0), (-1.5, 2.0))),
    ]  # fmt: skip


def tests() -> list[Rule]:
    """Predicates: Python's bool."""
    facts: dict[str, Any] = {"dtype": "bool", "total": True, "cost": 0.8, "examples": ANY}
    negative = "(rel_tol < 0) | (abs_tol < 0)"
    return [
        rule("cmath.isfinite", "x", "np.isfinite(x)", **facts),
        rule("cmath.isinf", "x", "np.isinf(x)", **facts),
        rule("cmath.isnan", "x", "np.isnan(x)", **facts),
        rule("cmath.isclose", "a, b, *, rel_tol=1e-09, abs_tol=0.0",
             "is_close(a, b, rel_tol, abs_tol)", dtype="bool", cost=15,
             raises=[refuses(negative, lambda: cmath.isclose(1, 2, rel_tol=-1.0))],
             examples=((1.0 + 0j, 1.0 + 1e-12j), (1.0 + 1j, 2.0 + 1j), (0j, 0j))),
    ]  # fmt: skip


def enter() -> None:
    """Enter the family into the table."""
    add(*functions(), *polar_form(), *tests())
