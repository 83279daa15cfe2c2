"""Calls: what is called, with which arguments."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

import gast

from autovec import ops
from autovec.errors import Unsupported
from autovec.program import lists
from autovec.program.attributes import attribute_of
from autovec.program.build import Builder, expression
from autovec.program.local_functions import call_local
from autovec.program.methods import method_call, table_method
from autovec.program.rules import rule_call
from autovec.program.scope import is_namedtuple_class, is_plain_dataclass
from autovec.program.tables import literal_thing, unpacked
from autovec.program.things import Known, Local, Map, OneOf, Record, Seq, Thing, describe
from autovec.program.twins import call_function
from autovec.program.uniform_calls import bound_method
from autovec.program.values import Value
from autovec.syntax import quote

Special = Callable[[Builder, gast.Call], Thing]
SPECIAL: dict[int, tuple[Any, Special]] = {}


def special(*functions: Any) -> Callable[[Special], Special]:
    """Register the builder of a builtin that is not a plain operation (min, sum, zip, ...)."""

    def register(rule: Special) -> Special:
        SPECIAL.update({id(f): (f, rule) for f in functions})
        return rule

    return register


@expression(gast.Call)
def call(b: Builder, node: gast.Call) -> Thing:
    """A call: what is called is known while compiling."""
    if isinstance(node.func, gast.Attribute):
        base = b.expr(node.func.value)
        if isinstance(base, (Value, Seq, Map, Record)) and not _is_field(base, node.func.attr):
            args, keywords = arguments(b, node)
            mutable = isinstance(base, Map) or (isinstance(base, Seq) and base.kind is list)
            if mutable and node.func.attr in lists.CHANGES:
                assert isinstance(base, (Seq, Map))
                return lists.call(b, base, node.func.attr, args, keywords, node)
            return method_call(b, base, node.func.attr, args, keywords, node)
        if isinstance(base, Known):
            if type(base.obj) in (dict, list, tuple, set, frozenset, str):
                args, keywords = arguments(b, node)
                return table_method(b, base, node.func.attr, args, keywords, node)
            return call_thing(b, attribute_of(b, base, node.func.attr, node), node)
    return call_thing(b, b.expr(node.func), node)


def _is_field(base: Thing, attr: str) -> bool:
    return (isinstance(base, Record) and attr in base.fields) or (
        isinstance(base, Seq) and base.cls is not None and attr in base.cls._fields
    )


def call_thing(b: Builder, target: Thing, node: gast.Call) -> Thing:
    """A call of a thing, with the arguments of a call node."""
    if isinstance(target, Known):
        found = SPECIAL.get(id(target.obj))
        if found is not None and found[0] is target.obj:
            return found[1](b, node)
    args, keywords = arguments(b, node)
    return call_with(b, target, args, keywords, node)


def call_with(
    b: Builder, target: Thing, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of a thing with these arguments."""
    if isinstance(target, Local):
        return call_local(b, target, args, keywords, node)
    if isinstance(target, OneOf):
        return call_one_of(b, target, args, keywords, node)
    if not isinstance(target, Known):
        raise Unsupported(node, f"a call of {describe(target)}", "it is not known while compiling")
    obj = target.obj
    if isinstance(obj, types.MethodType) and isinstance(obj.__func__, types.FunctionType):
        return call_function(b, obj.__func__, [receiver(target), *args], keywords, node)
    return call_known(b, target, args, keywords, node)


def call_one_of(
    b: Builder, target: OneOf, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of one of several functions: each for its own lanes."""

    def from_(k: int) -> Thing:
        def here() -> Thing:
            return call_with(b, target.options[k], args, keywords, node)

        if k == len(target.tests):
            return here()
        result = b.branch(target.tests[k], here, lambda: from_(k + 1), node)
        assert result is not None
        return result

    return from_(0)


def receiver(method: Known) -> Known:
    """The object a method is bound to, and how the text reads it."""
    expr = None
    if isinstance(method.expr, gast.Attribute):
        expr = method.expr.value
    elif method.expr is not None:
        expr = quote.expr("method.__self__", method=method.expr)
    return Known(method.obj.__self__, expr)


def arguments(b: Builder, node: gast.Call) -> tuple[list[Thing], dict[str, Thing]]:
    """The positional and keyword arguments of a call, stars unpacked."""
    args: list[Thing] = []
    for a in node.args:
        if isinstance(a, gast.Starred):
            inner = unpacked(b, b.expr(a.value))
            if not isinstance(inner, Seq):
                raise Unsupported(a, f"*{describe(inner)}", "its length is not fixed")
            args.extend(inner.items)
        else:
            args.append(b.expr(a))
    keywords: dict[str, Thing] = {}
    for k in node.keywords:
        thing = b.expr(k.value)
        if k.arg is not None:
            keywords[k.arg] = thing
        elif isinstance(thing, Map) and all(isinstance(key, str) for key in thing.items):
            keywords.update(thing.items)
        else:
            raise Unsupported(k.value, f"**{describe(thing)}", "its keys are not known")
    return args, keywords


def call_known(
    b: Builder, target: Known, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of an object known while compiling."""
    obj = target.obj
    name = ops.qualified_name(obj)
    if name is not None:
        return rule_call(b, name, args, keywords, node)
    if isinstance(obj, types.FunctionType):
        return call_function(b, obj, args, keywords, node, called(target.expr))
    if is_namedtuple_class(obj):
        return Seq(tuple(bound(b, obj, args, keywords, node).values()), tuple, obj)
    if is_plain_dataclass(obj):
        return Record(obj, bound(b, obj, args, keywords, node))
    wrapped = getattr(obj, "__wrapped__", None)
    if isinstance(wrapped, types.FunctionType) and type(obj).__module__.startswith("autovec"):
        return call_function(b, wrapped, args, keywords, node)
    kept = None if keywords else bound_method(b, target, args, node)
    if kept is not None:
        return kept
    label = getattr(obj, "__name__", type(obj).__name__)
    raise Unsupported(node, f"a call of {label}", "there is no rule for it")


def called(expr: gast.expr | None) -> str | None:
    """The last name by which an object is reached."""
    return getattr(expr, "id", None) or getattr(expr, "attr", None)


def bound(
    b: Builder, cls: Any, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> dict[str, Thing]:
    """The fields of a namedtuple or dataclass instance being made."""
    signature = inspect.signature(cls)
    try:
        found = signature.bind(*args, **keywords)
    except TypeError as e:
        raise Unsupported(node, f"the call of {cls.__name__}", str(e)) from e
    fields: dict[str, Thing] = {}
    for name, parameter in signature.parameters.items():
        if name in found.arguments:
            fields[name] = found.arguments[name]
        else:
            default = parameter.default
            if is_plain_dataclass(cls) and "factory" in type(default).__name__.lower():
                what = f"{cls.__name__}.{name}"
                raise Unsupported(node, what, "its default is made by a function")
            fields[name] = literal_thing(b, default)
    return fields
