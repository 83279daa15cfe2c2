"""Arguments with missing values: arrays of objects in which some lanes are None, or a float nan.

Such an argument is two values: what it is where it is there, and where it is not.

    name            ->      missing = np.equal(name, None)
                            name = np.where(missing, "", name).astype(str)

Where a value is used that must not be None, the lanes where it is raise as Python does.
"""

from __future__ import annotations

import builtins
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec import ops
from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.facts import OBJECT, Fact, union
from autovec.program.held import held_by, known
from autovec.program.joining import NAN
from autovec.program.marks import LAST_RESORTS, Mark
from autovec.program.nodes import Check, Raise
from autovec.program.python_types import DATE_DTYPES, PLAIN, fact_of_type, type_of
from autovec.program.things import (
    NOT_LITERAL,
    Known,
    Map,
    Maybe,
    Record,
    Seq,
    Thing,
    describe,
    literal,
)
from autovec.program.truth import either, negated, truth_fact
from autovec.program.values import Operation, Value
from autovec.syntax import quote
from autovec.syntax.convert import text_of
from autovec.syntax.walking import updated

IS_NONE = Operation("missing", ("x",), "np.equal(x, None)", "x is None", total=True, cost=20)
IS_NAN = Operation("missing", ("x",), "x != x", "x != x", total=True, cost=20)
#: what stands where the value is missing, by type
BLANKS = {"str": '""', "int": "0", "float": "0.0", "bool": "False", "complex": "0"}
_EXAMPLES: dict[Any, Any] = {"str": "a", "int": 1, "float": 1.0, "bool": True, "complex": 1j}


def opened(b: Builder, thing: Thing) -> Thing:
    """A parameter in which values are missing, as what it is and where it is not."""
    if isinstance(thing, Seq):
        return Seq(tuple(opened(b, t) for t in thing.items), thing.kind, thing.cls, thing.objects)
    if isinstance(thing, Map):
        return replace(thing, items={k: opened(b, t) for k, t in thing.items.items()})
    if isinstance(thing, Record):
        return replace(thing, fields={k: opened(b, t) for k, t in thing.fields.items()})
    holds = thing.fact.holds if isinstance(thing, Value) else None
    if not isinstance(thing, Value) or holds is None:
        return thing
    if holds in DATE_DTYPES and thing.fact.kind == "O":
        return as_date(b, thing, holds)
    if holds in PLAIN and thing.fact.kind == "O":
        op = Operation("known", ("x",), f"x.astype({holds})", "x", total=True, cost=30)
        return named(b.apply(op, thing, fact=fact_of_type(holds, thing.fact.lanes)), thing)
    if not isinstance(holds, tuple) or holds[0] != "optional":
        return thing
    _, kind, missing = holds
    if thing.fact.kind in "Mm":  # NaT
        none = b.apply(IS_NAT, thing, fact=fact_of_type("bool", thing.fact.lanes))
        return Maybe(as_date(b, thing, kind), none, True)
    if kind in DATE_DTYPES:
        none = b.apply(IS_NONE, thing, fact=fact_of_type("bool", thing.fact.lanes))
        return Maybe(as_date(b, thing, kind), none)
    fact = fact_of_type("bool", thing.fact.lanes)
    none = b.apply(IS_NAN if missing == "nan" else IS_NONE, thing, fact=fact)
    text = f"np.where(none, {BLANKS[kind]}, x).astype({kind})"
    if kind == "float":
        text = "x.astype(float)"  # in which None is nan
    known = Operation("known", ("x", "none"), text, "x", total=True, cost=120, number="python")
    value = b.apply(known, thing, none, fact=fact_of_type(kind, thing.fact.lanes))
    return Maybe(named(value, thing), none, missing == "nan")


def named(value: Value, thing: Value) -> Value:
    """A value that stands for an argument has its name."""
    value.origin = thing.origin
    return value


#: pandas' functions that ask whether a value is missing, and what they say where it is
_ASKS = {"isna": True, "isnull": True, "notna": False, "notnull": False}
IS_NAN_NUMBER = Operation("missing", ("x",), "np.isnan(x)", "x != x", total=True, cost=1)
IS_NAT = Operation("missing", ("x",), "np.isnat(x)", "np.isnat(x)", total=True, cost=1)


def asks_for_missing(b: Builder, obj: Any, args: list[Thing], node: gast.AST) -> Value | None:
    """``pd.isna(x)`` and its kin; None for other functions."""
    name = getattr(obj, "__name__", "")
    if name not in _ASKS or not str(getattr(obj, "__module__", "")).startswith("pandas"):
        return None
    (thing,) = args
    found = missing_in(b, thing)
    if found is None:
        raise Unsupported(node, f"{name} of {describe(thing)}", "it is not known for every lane")
    return found if _ASKS[name] else negated(b, found)


def missing_in(b: Builder, thing: Thing) -> Value | None:
    """Where a value is None, nan or NaT."""
    if isinstance(thing, Maybe):
        inner = missing_in(b, thing.value)
        return None if inner is None else either(b, thing.none, inner)
    if isinstance(thing, Known):
        return b.const(True) if thing.obj is None else None
    if not isinstance(thing, Value):
        return None
    if thing.fact.kind == "O":  # objects of a type that is not known may be missing, too
        return b.const(False) if isinstance(thing.fact.holds, str) else None
    if thing.fact.kind in "biuUS":
        return b.const(False)
    if thing.fact.kind in "Mm":
        return b.apply(IS_NAT, thing, fact=truth_fact(thing))
    return b.apply(IS_NAN_NUMBER, thing, fact=truth_fact(thing))


def as_date(b: Builder, thing: Value, holds: str) -> Value:
    """An argument of dates: objects as NumPy's own, NaT for None."""
    if thing.fact.kind in "Mm":
        op = Operation("known", ("x",), "x", "x", total=True, fresh=False)
        value = b.apply(op, thing, fact=replace(thing.fact, holds=holds))
    else:
        fact = fact_of_type(holds, thing.fact.lanes)
        assert fact is not None and isinstance(fact.dtype, np.dtype)
        text = f'x.astype("{fact.dtype.str.lstrip("<>")}")'
        op = Operation("known", ("x",), text, "x", total=True, cost=60)
        value = b.apply(op, thing, fact=fact)
    return named(value, thing)


def closed(b: Builder, thing: Thing) -> Thing:
    """A result of the user's own function, one value where a leaf may be missing.

    A number is nan where it is None; a string is an object.
    """
    if isinstance(thing, Seq):
        return replace(thing, items=tuple(closed(b, t) for t in thing.items))
    if isinstance(thing, Map):
        return replace(thing, items={k: closed(b, t) for k, t in thing.items.items()})
    if isinstance(thing, Value) and thing.fact.holds in DATE_DTYPES and thing.fact.kind in "Mm":
        return as_objects(b, thing, thing.fact.holds)
    if not isinstance(thing, Maybe):
        return thing
    value = thing.value
    if value.fact.kind == "U":
        return with_missing(b, thing)
    if value.fact.holds in DATE_DTYPES:
        return as_objects(b, value, ("optional", value.fact.holds, "None"))
    if value.fact.kind in "Mm":
        return value
    if value.fact.kind == "f":
        return value
    node = gast.Pass()
    picked = b.branch(thing.none, lambda: NAN, lambda: value, node)
    assert picked is not None
    return picked


def with_missing(b: Builder, thing: Maybe) -> Value:
    """What may be missing as an array of objects: the values, and None or nan."""
    value, missing, text = thing.value, "None", "np.where(none, None, x)"
    if thing.nan:
        missing, text = "nan", "np.where(none, np.nan, x.astype(object))"
    op = Operation("texts", ("x", "none"), text, "x", total=True, cost=60, number="python")
    lanes = union(value.fact.lanes, thing.none.fact.lanes)
    fact = Fact(OBJECT, lanes, holds=("optional", type_of(value.fact), missing))
    return b.apply(op, value, thing.none, fact=fact)


def as_objects(b: Builder, value: Value, holds: Any) -> Value:
    """A result of Python's own dates: an array of objects, None for NaT."""
    op = Operation("dates", ("x",), "x.astype(object)", "x.item()", total=True, cost=60)
    return b.apply(op, value, fact=Fact(OBJECT, value.fact.lanes, holds=holds))


def checked(b: Builder, node: gast.expr, refusal: Unsupported) -> Thing | None:
    """An expression whose operand may be None: the lanes where it is raise, the others go on."""
    if b.attempts:
        return None
    for part in operands(node):
        maybe = held_by(b, part)
        if not isinstance(maybe, Maybe):
            continue
        mark = Mark(b)
        error = python_error(b, node, part, what_is_missing(maybe))
        mark.restore(b)
        if error is None:
            return None
        message = quote.const(str(error))
        exc = quote.expr("error(message)", error=type(error).__name__, message=message)
        b.add(Check(maybe.none, Raise(exc, None, {}, b.line), b.line))
        known(b, part, maybe.value)
        return b.expr(node)
    return None


def what_is_missing(maybe: Maybe) -> Any:
    """The sample of a lane that has no value."""
    if maybe.nan and maybe.value.fact.kind in "Mm":
        return sys.modules["pandas"].NaT
    return math.nan if maybe.nan else None


def operands(node: gast.expr) -> Iterator[gast.expr]:
    """The names, and columns of rows, that are operands of an expression themselves."""
    parts: list[gast.expr] = []
    if isinstance(node, gast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, gast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, gast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, (gast.Subscript, gast.Attribute)):
        parts = [node.value]
    elif isinstance(node, gast.Call):
        func = [node.func.value] if isinstance(node.func, gast.Attribute) else []
        parts = [*func, *node.args]
    places = (gast.Name, gast.Subscript, gast.Attribute)
    return (p for p in parts if isinstance(p, places))


def python_error(
    b: Builder, node: gast.expr, place: gast.expr, missing: object
) -> Exception | None:
    """What Python raises for an operation of which one operand is missing; None if nothing."""
    values: dict[str, Any] = {"__builtins__": {}}

    def example(part: gast.expr) -> gast.expr:
        """A name for a value of the operand's type."""
        own = gast.dump(part) == gast.dump(place)
        found = missing if own else sample(b.attempt(part))
        if found is NOT_LITERAL:
            raise LookupError
        values[f"a{len(values)}"] = found
        return quote.name(f"a{len(values) - 1}")

    try:
        run = simplified(b, node, example)
    except LookupError:
        return None
    try:
        with np.errstate(all="ignore"):
            run(values)
    except Exception as error:
        known = getattr(builtins, type(error).__name__, None) is type(error)
        return error if known else None
    return None


def simplified(
    b: Builder, node: gast.expr, example: Callable[[gast.expr], gast.expr]
) -> Callable[[dict[str, Any]], Any]:
    """The operation of a node on examples; LookupError where it may not be run."""
    made: gast.expr
    if isinstance(node, gast.BinOp):
        made = updated(node, left=example(node.left), right=example(node.right))
    elif isinstance(node, gast.UnaryOp):
        made = updated(node, operand=example(node.operand))
    elif isinstance(node, gast.Compare):
        rest = [example(c) for c in node.comparators]
        made = updated(node, left=example(node.left), comparators=rest)
    elif isinstance(node, gast.Attribute):
        made = updated(node, value=example(node.value))
    elif isinstance(node, gast.Subscript) and not isinstance(node.slice, gast.Slice):
        made = updated(node, value=example(node.value), slice=example(node.slice))
    elif isinstance(node, gast.Subscript):
        made = quote.expr("a[1:]", a=example(node.value))
    elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        thing = b.attempt(node.func.value)
        if isinstance(thing, Known):
            return called(b, node, example)
        made = updated(node.func, value=example(node.func.value))
    elif isinstance(node, gast.Call):
        return called(b, node, example)
    else:
        raise LookupError
    code = compile(text_of(made), "<missing>", "eval")
    return lambda values: eval(code, values)


def called(
    b: Builder, node: gast.Call, example: Callable[[gast.expr], gast.expr]
) -> Callable[[dict[str, Any]], Any]:
    """The call of a function that has a rule, or of a builtin, on examples."""
    thing = b.attempt(node.func)
    obj = thing.obj if isinstance(thing, Known) else None
    safe = ops.qualified_name(obj) is not None or obj in (len, sum, max, min, ord, chr, hex)
    if not safe or not callable(obj) or node.keywords:
        raise LookupError
    operation: Callable[..., Any] = obj
    names = [example(a) for a in node.args]
    keys = [n.id for n in names if isinstance(n, gast.Name)]
    return lambda values: operation(*(values[key] for key in keys))


def sample(thing: Thing | None) -> Any:
    """A Python value of a thing's type."""
    if isinstance(thing, Known):
        return thing.obj
    if isinstance(thing, Maybe):
        return sample(thing.value)
    if not isinstance(thing, Value):
        return NOT_LITERAL
    if literal(thing) is not NOT_LITERAL:
        return literal(thing)
    kind = type_of(thing.fact)
    if isinstance(kind, tuple) and kind[0] == "numpy":
        return np.dtype(kind[1]).type(1)
    return _EXAMPLES.get(kind, NOT_LITERAL) if isinstance(kind, str) else NOT_LITERAL


LAST_RESORTS.insert(0, checked)
