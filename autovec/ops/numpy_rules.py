"""NumPy functions that are not ufuncs and work element by element on scalar samples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from autovec.ops.rule import ANYTHING, REAL, Raises, Rule, refuses, rule
from autovec.ops.table import add

ANY = ((0.5,), (-2.25,), (3.0,), (0.0,), (700.0,))
NEAR = ((1.0, 1.0 + 1e-9), (1.0, 2.0), (0.0, 0.0), (-3.0, 3.0))


def call(name: str, signature: str, cost: float, **facts: Any) -> Rule:
    """A NumPy function whose batched call is the user's own."""
    facts = {"number": "numpy", "examples": ANY, **facts}
    return rule(f"numpy.{name}", signature, cost=cost, **facts)


def choosing() -> list[Rule]:
    """One of several values."""
    return [
        call("where", "condition, x, y", 4.5, total=True, dtype="same", accepts=ANYTHING,
             examples=((True, 1.0, 2.0), (False, -1.5, 0.25), (0.5, 3.0, 4.0))),
        call("clip", "a, a_min=None, a_max=None", 0.6, total=True, dtype="first",
             examples=((0.5, 0.0, 1.0), (7.0, 0.0, 1.0), (-3.0, -2.0, 5.0))),
        call("select", "condlist, choicelist, default=0", 10, total=True, dtype="same",
             sequences="condlist choicelist", accepts=ANYTHING,
             examples=(([True, False], [1.0, 2.0], 3.0), ([False, True], [1.5, -2.0], 0.5),
                       ([False, False], [1.0, 2.0], -1.0))),
        call("nan_to_num", "x, copy=True, nan=0.0, posinf=None, neginf=None", 2, total=True,
             dtype="first", fixed="copy"),
    ]  # fmt: skip


def rounding() -> list[Rule]:
    """NumPy's rounding: scaled and unscaled, so not Python's ``round``."""
    digits = ((2.675, 2), (0.125, 2), (-1.005, 2), (25.0, 2))
    return [
        *(call(name, "a, decimals=0", 3, dtype="first", fixed="decimals", examples=digits)
          for name in ("round", "around")),
        # np.fix is deprecated since NumPy 2.5: the same function under its other name
        call("fix", "x", 0.3, text="np.trunc(x)", accepts=REAL, total=True, dtype="first"),
    ]  # fmt: skip


def complex_parts() -> list[Rule]:
    """Real and imaginary parts, and the tests for them."""
    test = {"total": True, "dtype": "bool"}
    return [
        call("real", "val", 0.1, total=True, dtype="first", fresh=False),
        call("imag", "val", 0.1, total=True, dtype="first", fresh=False),
        call("angle", "z, deg=False", 3, fixed="deg"),
        call("isreal", "x", 0.5, **test),
        call("iscomplex", "x", 0.5, **test),
        call("isneginf", "x", 0.5, accepts=REAL, **test),
        call("isposinf", "x", 0.5, accepts=REAL, **test),
    ]


def tables() -> list[Rule]:
    """Look-ups in a table that all lanes share."""
    values = ((0.5,), (1.5,), (2.0,), (-1.0,), (9.0,))
    edges = [0.0, 1.0, 2.0, 4.0]
    return [
        call("interp", "x, xp, fp, left=None, right=None, period=None", 20, accepts=REAL,
             fixed="xp fp left right period",
             examples=[(*v, edges, [1.0, 3.0, 2.0, -1.0]) for v in values]),
        call("digitize", "x, bins, right=False", 15, accepts=REAL, dtype="int",
             fixed="bins right", examples=[(*v, edges) for v in values]),
        call("searchsorted", "a, v, side='left', sorter=None", 15, dtype="int",
             fixed="a side sorter", examples=[(edges, *v) for v in values]),
        call("polyval", "p, x", 4, fixed="p", examples=[([2.0, -1.0, 0.5], *v) for v in values]),
        call("isin", "element, test_elements, assume_unique=False, invert=False, *, kind=None", 20,
             dtype="bool", total=True, accepts=ANYTHING,
             fixed="test_elements assume_unique invert kind",
             examples=[(*v, edges) for v in values]),
    ]  # fmt: skip


def closeness() -> list[Rule]:
    """Comparisons within a tolerance."""
    signature = "a, b, rtol=1e-05, atol=1e-08, equal_nan=False"
    text = "np.isclose(a, b, rtol, atol, equal_nan)"
    facts: dict[str, Any] = {"dtype": "bool", "fixed": "equal_nan", "examples": NEAR}
    return [
        call("isclose", signature, 15, **facts),
        # of two scalars there is one to compare: allclose is isclose, as Python's bool
        call("allclose", signature, 15, text=text, **facts | {"number": "python"}),
    ]


def special() -> list[Rule]:
    """Special functions."""
    return [
        call("sinc", "x", 15),
        call("i0", "x", 60, accepts=REAL),
    ]


def out_of_bounds(name: str) -> list[Raises | None]:
    """What a cast to a small integer raises."""
    to, info = getattr(np, name), np.iinfo(name)
    when = f"(x <= {info.min - 1.0}) | (x >= {info.max + 1.0})"
    whole = refuses(when, to, int(info.min) - 1, kinds="I")
    if whole is None:
        return []
    message = whole.message.replace("{0}", "{x:.0f}")
    return [whole, replace(whole, message=message, kinds=("f", "?"))]


def casts() -> list[Rule]:
    """NumPy's scalar types called as functions, and copies."""
    wide = {"float64": "float", "complex128": "complex", "bool_": "bool"}
    narrow = ("float32", "float16", "complex64")
    whole = ("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64")
    nan = refuses("np.isnan(x)", np.int64, float("nan"), kinds="f ?")
    inf = refuses("np.isinf(x)", np.int64, float("inf"), kinds="f ?")
    return [
        *(call(name, "x", 0.5, text=f"x.astype({short})", dtype=short, total=True,
               accepts="biuf?" if short == "float" else "biufc?")
          for name, short in wide.items()),
        *(call(name, "x", 0.5, text=f"x.astype(np.{name})",
               accepts="biufc?" if name == "complex64" else "biuf?") for name in narrow),
        call("int64", "x", 2, text="to_int(x)", dtype="int", accepts=REAL, raises=[nan, inf],
             by_kind={"i": "x.astype(int)", "b": "x.astype(int)"}),
        *(call(name, "x", 3, text=f"cast_int(x, np.{name})", dtype="int", accepts=REAL,
               raises=[nan, inf, *out_of_bounds(name)],
               examples=((0.5,), (2.25,), (3.0,), (100.0,)))
          for name in whole),
        call("asarray", "a, dtype=None", 0.1, dtype="first", fixed="dtype", fresh=False,
             accepts=ANYTHING),
        call("array", "object, dtype=None", 0.5, dtype="first", fixed="dtype", accepts=ANYTHING),
        call("copy", "a", 0.5, dtype="first", total=True, accepts=ANYTHING),
    ]  # fmt: skip


def enter() -> None:
    """Enter the family into the table."""
    add(*choosing(), *rounding(), *complex_parts(), *tables(), *closeness(), *special(), *casts())
