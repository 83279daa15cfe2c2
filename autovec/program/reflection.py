"""``getattr`` and ``hasattr`` with a name that is known while compiling."""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.calls import special
from autovec.program.rows import row_class
from autovec.program.scope import is_missing, static_getattr
from autovec.program.things import Known, Record, Row, Seq, Thing, literal
from autovec.syntax import quote


@special(getattr, least=2, most=3)
def getattr_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``getattr(row, "price", 0.0)``: the attribute, or the default where there is none."""
    name = attribute_name(b, node)
    if len(node.args) == 3 and not has_attribute(b.expr(node.args[0]), name, node):
        return b.expr(node.args[2])
    return b.expr(quote.expr(f"base.{name}", base=node.args[0]))


@special(hasattr, least=2, most=2)
def hasattr_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``hasattr(row, "price")``, which is known."""
    return b.const(has_attribute(b.expr(node.args[0]), attribute_name(b, node), node))


def attribute_name(b: Builder, node: gast.Call) -> str:
    """The name that is asked for."""
    name = literal(b.expr(node.args[1]))
    if not isinstance(name, str) or not name.isidentifier():
        raise Unsupported(node, "an attribute", "its name is not known while compiling")
    return name


def has_attribute(base: Thing, name: str, node: gast.AST) -> bool:
    """Whether there is such an attribute, where no code has to run to tell."""
    if isinstance(base, Row):
        return name in base.items or hasattr(row_class(base), name)
    if isinstance(base, Record):
        return name in base.fields or hasattr(base.cls, name)
    if isinstance(base, Seq) and base.cls is not None:
        return hasattr(base.cls, name)
    if isinstance(base, Known):
        if not is_missing(static_getattr(base.obj, name)):
            return True
        if not hasattr(type(base.obj), "__getattr__") and not hasattr(type(base.obj), name):
            return name in getattr(base.obj, "__dict__", {})
    raise Unsupported(node, f"whether there is .{name}", "its code would have to run")
