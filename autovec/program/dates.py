"""Dates and durations that differ between lanes: fields, arithmetic, comparisons.

A value of kind ``M`` or ``m`` is NumPy's; its fact says whose scalar the sample is: a NumPy
datetime64 (nothing), pandas' Timestamp and Timedelta, or datetime's own classes.
"""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.date_rules import FIELDS, SPANS, Field
from autovec.ops.rule import fails
from autovec.program.build import Builder
from autovec.program.facts import Fact, union
from autovec.program.guards import operate
from autovec.program.python_types import DATE_DTYPES, fact_of_type
from autovec.program.things import NOT_LITERAL, Known, Thing, describe, literal
from autovec.program.values import Operation, Path, Value
from autovec.syntax import quote

#: what makes a date or duration
CLASSES = (
    datetime.date,
    datetime.datetime,
    datetime.timedelta,
    np.datetime64,
    np.timedelta64,
)
POINTS = ("Timestamp", "datetime")
SPAN_KINDS = ("Timedelta", "timedelta")
_LETTERS = {"date": "d", "datetime": "t", "Timestamp": "p"}


def is_date(thing: Thing) -> bool:
    """Is it a date or a duration that the text has as NumPy's?"""
    return isinstance(thing, Value) and thing.fact.kind in "Mm"


def holds_of(obj: Any) -> str | None:
    """What a date or duration of the user's is, if the text can have it as NumPy's."""
    name, module = type(obj).__name__, type(obj).__module__
    if module.startswith("pandas") and name in ("Timestamp", "Timedelta"):
        return name if getattr(obj, "tzinfo", None) is None and obj == obj else None
    if type(obj) in (datetime.date, datetime.timedelta):
        return name
    return name if type(obj) is datetime.datetime and obj.tzinfo is None else None


def as_value(b: Builder, thing: Thing) -> Thing:
    """A date constant of the user's as NumPy's own; other things as they are."""
    if not isinstance(thing, Known) or thing.expr is None:
        return thing
    holds = holds_of(thing.obj)
    if holds is None:
        return thing
    b.capture(thing.expr, thing.obj)
    if holds in ("Timestamp", "Timedelta"):
        method = "to_datetime64" if holds == "Timestamp" else "to_timedelta64"
        expr = quote.expr(f"x.{method}()", x=thing.expr)
        dtype = getattr(thing.obj, method)().dtype
    else:
        function = "np.timedelta64" if holds == "timedelta" else "np.datetime64"
        expr, dtype = quote.expr(f"{function}(x)", x=thing.expr), DATE_DTYPES[holds]
    return Value(Path(expr, ""), (), Fact(dtype, python=True, holds=holds), line=b.line)


def field(b: Builder, base: Value, name: str, node: gast.AST) -> Value:
    """``when.year``, ``when.weekday()``, ``span.days``."""
    holds = base.fact.holds
    table = SPANS if holds in SPAN_KINDS else FIELDS
    found = table.get(name)
    if found is None or (table is FIELDS and _LETTERS.get(holds, "-") not in found.of):
        raise Unsupported(node, f".{name} of {_name(base)}", "there is no rule for it")
    return b.apply(operation(name, found), base, fact=_fact(found, base))


def operation(name: str, found: Field) -> Operation:
    """The operation of a field."""
    cost = 8.0 + 6.0 * found.text.count("astype")
    text = f"({found.text})" if " == " in found.text else found.text
    return Operation(
        name.rstrip("()"), ("x",), text, text, total=True, cost=cost, number="python", weak=True
    )


def _fact(found: Field, base: Value) -> Fact:
    lanes = base.fact.lanes
    if found.gives == "Timestamp":
        return Fact(base.fact.dtype, lanes, holds="Timestamp")
    made = fact_of_type(found.gives, lanes)
    assert made is not None
    return made


def arithmetic(b: Builder, sign: str, x: Value, y: Value, node: gast.AST | None) -> Value:
    """An operator on dates, durations and numbers."""
    holds = result_of(sign, x, y)
    if holds is None:
        raise Unsupported(node, f"{_name(x)} {sign} {_name(y)}", "there is no rule for it")
    text = f"x {sign} y"
    if "date" in (x.fact.holds, y.fact.holds) and sign in "+-" and holds == "date":
        text = 'x + y.astype("m8[D]")' if x.fact.kind == "M" else 'x.astype("m8[D]") + y'
        text = text.replace("+", sign)  # whole days only
    total = sign in "+-*"
    raises = fails('y == np.timedelta64(0, "s")', lambda v: v // (v - v), datetime.timedelta(1),
                   always=True)  # fmt: skip
    op = Operation(sign, ("x", "y"), text, text, total=total, cost=1.0, number="python")
    entries = (raises,) if sign in ("//", "%") and raises is not None else ()
    lanes = union(x.fact.lanes, y.fact.lanes)
    if holds in ("int", "float"):
        return operate(b, op, entries, (x, y), node, fact_of_type(holds, lanes))
    probed = b.fact_of(op, (x, y), node)
    fact = Fact(probed.dtype, lanes, python=True, holds=None if holds == "numpy" else holds)
    return operate(b, op, entries, (x, y), node, fact)


def result_of(sign: str, x: Value, y: Value) -> str | None:
    """Whose scalar an operator gives, or None where it is Python's own affair."""
    kinds = x.fact.kind + y.fact.kind
    a, b = x.fact.holds, y.fact.holds
    pandas = "Timedelta" in (a, b) or "Timestamp" in (a, b)
    if a is None and b is None and set(kinds) & set("Mm"):
        plain = sign + kinds in ("-MM", "+Mm", "+mM", "-Mm", "+mm", "-mm", "*mi", "*im")
        return "numpy" if plain else "float" if sign + kinds == "/mm" else None
    if kinds == "MM" and sign == "-":
        if a in POINTS and b in POINTS:
            return "Timedelta" if pandas else "timedelta"
        return "timedelta" if a == b == "date" else None
    if (kinds == "Mm" and sign in "+-") or (kinds == "mM" and sign == "+"):
        point, span = (a, b) if kinds == "Mm" else (b, a)
        if point == "date":
            return "date" if span == "timedelta" else None
        known = point in POINTS and span in SPAN_KINDS
        return ("Timestamp" if pandas else "datetime") if known else None
    if kinds == "mm" and a in SPAN_KINDS and b in SPAN_KINDS:
        same = "Timedelta" if pandas else "timedelta"
        gives: dict[str, str] = {"+": same, "-": same, "%": same, "/": "float", "//": "int"}
        found: str | None = gives.get(sign)
        return found
    number = y if x.fact.kind == "m" else x
    if sign == "*" and "m" in kinds and number.fact.kind in "bi" and (a or b) in SPAN_KINDS:
        return str(a or b)
    return None


def _name(value: Value) -> str:
    return value.fact.holds or describe(value)


def comparable(x: Value, y: Value) -> bool:
    """May two dates or durations be ordered, and equal one another?"""
    a, b = x.fact.holds, y.fact.holds
    if x.fact.kind != y.fact.kind:
        return False
    if a is None and b is None:
        return True
    return (a in POINTS and b in POINTS) or (a in SPAN_KINDS and b in SPAN_KINDS) or a == b


def foreign(x: Value, y: Value) -> bool:
    """Do they compare by rules that only the loop has: a datetime64 with a Python date?"""
    dates = x.fact.kind in "Mm" and y.fact.kind in "Mm"
    return dates and (x.fact.holds is None) != (y.fact.holds is None)


def negated_span(b: Builder, x: Value, node: gast.AST) -> Value:
    """``-span``, ``abs(span)``."""
    op = Operation("neg", ("x",), "-x", "-x", total=True, number="python")
    return b.apply(op, x, node=node, fact=x.fact)


def constant(
    b: Builder, target: Known, args: list[Thing], keywords: dict[str, Thing]
) -> Value | None:
    """``datetime(2024, 1, 1)``, ``pd.Timestamp("2024-01-01")``, ``np.timedelta64(7, "D")``.

    None for other calls, and where an argument is no literal.
    """
    values = [literal(t) for t in args], {k: literal(t) for k, t in keywords.items()}
    if target.obj not in CLASSES and not _of_pandas(target.obj):
        return None
    if target.obj is datetime.timedelta or getattr(target.obj, "__name__", "") == "Timedelta":
        made = span(b, target.obj, args, keywords)
        if made is not None:
            return made
    if target.expr is None or NOT_LITERAL in (*values[0], *values[1].values()):
        return None
    try:
        made = target.obj(*values[0], **values[1])
    except Exception:
        return None  # the loop raises it
    expr = quote.expr(
        "f(*args, **keywords)",
        f=target.expr,
        args=[quote.const(v) for v in values[0]],
        keywords={k: quote.const(v) for k, v in values[1].items()},
    )
    if isinstance(made, np.generic):
        return Value(Path(expr, ""), (), Fact(made.dtype, python=False), line=b.line)
    found = as_value(b, Known(made, expr))
    return found if isinstance(found, Value) else None


#: NumPy's units by the names of a timedelta's arguments
_UNITS = {"days": "D", "seconds": "s", "microseconds": "us", "milliseconds": "ms",
          "minutes": "m", "hours": "h", "weeks": "W"}  # fmt: skip


def span(b: Builder, cls: Any, args: list[Thing], keywords: dict[str, Thing]) -> Value | None:
    """``timedelta(days=n)`` of integers that differ between lanes; None for other calls."""
    order = list(_UNITS) if cls is datetime.timedelta else []
    given = {**dict(zip(order, args, strict=False)), **keywords}
    if len(given) < len(args) + len(keywords) or not set(given) <= set(_UNITS):
        return None
    numbers = {k: t for k, t in given.items() if isinstance(t, Value) and t.fact.kind in "bi"}
    whole = all(t.fact.python for t in numbers.values()) and len(numbers) == len(given)
    if not whole or not any(t.varying for t in numbers.values()):
        return None
    total: Value | None = None
    for name, number in numbers.items():
        text = f'x * np.timedelta64(1, "{_UNITS[name]}")'
        op = Operation("span", ("x",), text, text, total=True, cost=1)
        fact = Fact(np.dtype(f"m8[{_UNITS[name]}]"), number.fact.lanes, holds=cls.__name__)
        term = b.apply(op, number, fact=fact)
        total = term if total is None else arithmetic(b, "+", total, term, None)
    return total


def _of_pandas(obj: Any) -> bool:
    known = getattr(obj, "__name__", "") in ("Timestamp", "Timedelta")
    return known and isinstance(obj, type) and obj.__module__.startswith("pandas")


def method(b: Builder, base: Value, attr: str, args: list[Thing], node: gast.AST) -> Value:
    """A method of a date or duration."""
    holds = base.fact.holds
    given = literal(args[0]) if len(args) == 1 else None
    if not args:
        return field(b, base, f"{attr}()", node)
    if attr == "astype" and holds is None and isinstance(given, str):
        dtype = np.dtype(given)
        if dtype.kind == base.fact.kind:
            text = f'x.astype("{dtype.str.lstrip("<>")}")'
            op = Operation("astype", ("x",), text, text, total=True, cost=4, fresh=True)
            return b.apply(op, base, fact=replace(base.fact, dtype=dtype))
    unit = {"D": "D", "d": "D", "h": "h", "H": "h", "min": "m", "s": "s"}.get(str(given))
    if attr == "floor" and holds == "Timestamp" and unit is not None:
        text = f'x.astype("M8[{unit}]").astype(x.dtype)'
        op = Operation("floor", ("x",), text, text, total=True, cost=12)
        return b.apply(op, base, fact=base.fact)
    raise Unsupported(node, f".{attr}() of {_name(base)}", "there is no rule for it")
