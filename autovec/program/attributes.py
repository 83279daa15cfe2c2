"""Attributes of records, of the user's objects, and of scalars."""

from __future__ import annotations

import inspect
import types
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program import dates
from autovec.program.arrays.attributes import array_attribute
from autovec.program.arrays.operands import is_array
from autovec.program.build import Builder, expression
from autovec.program.facts import scalar_fact
from autovec.program.rows import row_attribute
from autovec.program.scope import is_missing, plain, static_getattr
from autovec.program.things import Known, Map, Partial, Record, Row, Seq, Thing, describe
from autovec.program.twins import call_function
from autovec.program.values import Operation, Path, Value
from autovec.syntax import quote


@expression(gast.Attribute)
def attribute(b: Builder, node: gast.Attribute) -> Thing:
    """An attribute of a record, of an object of the user's, or of a scalar."""
    base = b.expr(node.value)
    if isinstance(base, Record) and node.attr in base.fields:
        return base.fields[node.attr]
    if (
        isinstance(base, Seq)
        and base.cls is not None
        and node.attr in getattr(base.cls, "_fields", ())
    ):
        index: int = base.cls._fields.index(node.attr)
        return base.items[index]
    if is_array(base):
        return array_attribute(b, b.as_value(base, node), node.attr, node)
    if isinstance(base, (Record, Seq)) and base.cls is not None:
        found = inspect.getattr_static(base.cls, node.attr, None)
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
            return call_function(b, found.fget, [base], {}, node)
        if isinstance(found, (bool, int, float, str)):
            return class_constant(b, base.cls, node.attr, found, node)
    if type(base) is Map and node.attr == "get":
        return Partial(Known(dict.get), (base,), {})
    if isinstance(base, Row):
        return row_attribute(b, base, node.attr, node)
    if isinstance(base, Known):
        return attribute_of(b, base, node.attr, node)
    if isinstance(base, Value):
        return scalar_attribute(b, base, node.attr, node)
    raise Unsupported(node, f".{node.attr} of {describe(base)}", "it is not known while compiling")


def class_constant(b: Builder, cls: Any, attr: str, found: Any, node: gast.AST) -> Thing:
    """A number or string of a namedtuple's or dataclass's class, compiled in."""
    known: Any = b.scope.lookup(cls.__name__)
    if known is not cls:
        raise Unsupported(node, f".{attr} of a {cls.__name__}", "its class has another name here")
    b.remember(cls.__name__, (("attr", attr),), found, values=True)
    return b.const(found)


def attribute_of(b: Builder, base: Known, attr: str, node: gast.AST) -> Thing:
    """An attribute of an object known while compiling; a property is called, never run here."""
    base = by_name(b, base)
    found: Any = static_getattr(base.obj, attr)
    if is_missing(found):
        raise Unsupported(node, f".{attr} of {describe(base)}", "reading it would run code")
    expr = quote.expr(f"base.{attr}", base=base.expr) if base.expr is not None else None
    root = b.capture(expr, found)
    if isinstance(found, property):
        if not isinstance(found.fget, types.FunctionType):
            raise Unsupported(node, f".{attr} of {describe(base)}", "it cannot be read")
        return call_function(b, found.fget, [base], {}, node)
    if isinstance(found, types.FunctionType) and not isinstance(base.obj, (type, types.ModuleType)):
        found = types.MethodType(found, base.obj)
    elif isinstance(found, staticmethod):
        found = found.__func__
    elif isinstance(found, classmethod):
        found = types.MethodType(
            found.__func__, base.obj if isinstance(base.obj, type) else type(base.obj)
        )
    fact = scalar_fact(found)
    if fact is None or expr is None:
        return Known(found, expr)
    value = Value(Path(expr, root), (), fact, line=b.line)
    value.plain = plain(found) if root else 0
    return value


def by_name(b: Builder, base: Known) -> Known:
    """A class that was passed on, by the name that it has where it is read."""
    if base.expr is None and isinstance(base.obj, type):
        name = base.obj.__name__
        if name not in b.locals and b.scope.lookup(name) is base.obj:
            return Known(base.obj, quote.name(name))
    return base


def scalar_attribute(b: Builder, base: Value, attr: str, node: gast.AST) -> Thing:
    """``x.real`` and its kin: data attributes of a scalar."""
    kind = base.fact.kind
    if kind in "Mm":
        return dates.field(b, base, attr, node)
    if kind not in "biufc" or attr not in ("real", "imag", "numerator", "denominator"):
        raise Unsupported(node, f".{attr} of {describe(base)}", "it has no array form")
    if attr in ("numerator", "denominator") and kind not in "biu":
        raise Unsupported(node, f".{attr} of {describe(base)}", "Python raises AttributeError")
    if attr == "denominator":
        return b.const(1)
    if kind != "c":
        if attr == "imag":
            return b.const(0.0 if kind == "f" else 0)
        if kind == "b" and base.fact.python:
            return b.apply(
                Operation(attr, ("x",), "x.astype(int)", f"x.{attr}", total=True), base, node=node
            )
        return base
    text = f"np.{attr}(x)"
    return b.apply(
        Operation(attr, ("x",), text, f"x.{attr}", total=True, fresh=False), base, node=node
    )
