"""Calls: what is called, with which arguments."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import gast

from autovec import ops
from autovec.errors import Unsupported
from autovec.program import dates, lists
from autovec.program.arrays import masked
from autovec.program.arrays.calls import array_call, array_method
from autovec.program.arrays.operands import is_array
from autovec.program.attributes import attribute_of
from autovec.program.build import ONLY_ONCE, Builder, expression
from autovec.program.closures import is_function
from autovec.program.local_functions import call_local
from autovec.program.methods import method_call, table_method
from autovec.program.missing import asks_for_missing
from autovec.program.passing import consumes
from autovec.program.python_calls import stdlib_name
from autovec.program.rules import rule_call
from autovec.program.scope import is_namedtuple_class, is_plain_dataclass, seen_through
from autovec.program.series import is_series_class, series_of
from autovec.program.signatures import fitting, limit
from autovec.program.tables import literal_thing, unpacked
from autovec.program.things import (
    Caught,
    Chosen,
    Known,
    Local,
    Map,
    Once,
    Partial,
    Record,
    Seq,
    Thing,
    describe,
    leaves,
)
from autovec.program.truth import harmless_node
from autovec.program.twins import call_function
from autovec.program.uniform_calls import bound_method
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.walking import located

#: builds a call of a function, which the user may have reached by any name
Special = Callable[[Builder, gast.Call, Any], Thing]
SPECIAL: dict[int, tuple[Any, Special]] = {}


def special(
    *functions: Any, least: int = 0, most: int | None = None, keywords: str | None = ""
) -> Callable[[Special], Special]:
    """Register the builder of a builtin that is not a plain operation (min, sum, zip, ...).

    A call with fewer or more positional arguments, or other keywords (None: any will do), is
    Python's TypeError.
    """

    def register(rule: Special) -> Special:
        def build(b: Builder, node: gast.Call, function: Any) -> Thing:
            fitting(function, node)
            return rule(b, node, function)

        for f in functions:
            limit(f, least, most, keywords)
        SPECIAL.update({id(f): (f, build) for f in functions})
        return rule

    return register


@expression(gast.Call)
def call(b: Builder, node: gast.Call) -> Thing:
    """A call: what is called is known while compiling."""
    if isinstance(node.func, gast.Attribute):
        base = b.expr(node.func.value)
        if masked.is_kept(base) and not node.args and not node.keywords:
            return masked.reduced(b, node.func.attr, base, node)
        if is_array(base):
            args, keywords = arguments(b, node)
            return array_method(
                b, b.as_value(base, node), node.func.attr, args, keywords, node
            )
        if isinstance(base, (Value, Seq, Map, Record)) and not _is_field(base, node.func.attr):
            if lists.changes(base, node.func.attr):
                assert isinstance(base, (Seq, Map))
                return lists.call(b, base, node, *changing(b, node))
            args, keywords = arguments(b, node)
            return method_call(b, base, node.func.attr, args, keywords, node)
        if isinstance(base, Known):
            if type(base.obj) in (dict, list, tuple, set, frozenset, str):
                args, keywords = arguments(b, node)
                return table_method(b, base, node.func.attr, args, keywords, node)
            return call_thing(b, attribute_of(b, base, node.func.attr, node), node)
    return call_thing(b, b.expr(node.func), node)


def changing(b: Builder, node: gast.Call) -> tuple[list[Thing], dict[str, Thing]]:
    """The arguments of a method that changes a list: ``extend`` runs through its own at once."""
    attr = getattr(node.func, "attr", "")
    if attr == "extend" and len(node.args) == 1 and not isinstance(node.args[0], gast.Starred):
        return [unpacked(b, b.iterable(node.args[0]))], {}
    return arguments(b, node)


def _is_field(base: Thing, attr: str) -> bool:
    return (isinstance(base, Record) and attr in base.fields) or (
        isinstance(base, Seq) and base.cls is not None and attr in base.cls._fields
    )


def call_thing(b: Builder, target: Thing, node: gast.Call) -> Thing:
    """A call of a thing, with the arguments of a call node."""
    if any(isinstance(a, gast.Name) and isinstance(b.env.get(a.id), Caught) for a in node.args):
        return of_caught(target, arguments(b, node)[0], node)
    if isinstance(target, Known):
        found = SPECIAL.get(id(target.obj))
        if found is not None and found[0] is target.obj:
            return found[1](b, node, target.obj)
    args, keywords = arguments(b, node, target)
    return call_with(b, target, args, keywords, node)


def call_with(
    b: Builder, target: Thing, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of a thing with these arguments."""
    if isinstance(target, Local):
        return call_local(b, target, args, keywords, node)
    if isinstance(target, Partial):
        whole = {**target.keywords, **keywords}
        return call_with(b, target.function, [*target.args, *args], whole, node)
    if isinstance(target, Chosen):
        sides = (target.then, target.orelse)
        calls = [lambda f=f: call_with(b, f, args, keywords, node) for f in sides]
        result = b.branch(target.test, calls[0], calls[1], node)
        assert result is not None
        return result
    if not isinstance(target, Known):
        raise Unsupported(node, f"a call of {describe(target)}", "it is not known while compiling")
    obj = target.obj
    if isinstance(obj, types.MethodType) and isinstance(obj.__func__, types.FunctionType):
        return call_function(b, obj.__func__, [receiver(target), *args], keywords, node)
    found = SPECIAL.get(id(obj))
    if found is not None and found[0] is obj:
        return call_special(b, obj, found[1], args, keywords, node)
    return call_known(b, target, args, keywords, node)


def call_special(
    b: Builder,
    obj: Any,
    rule: Special,
    args: list[Thing],
    keywords: dict[str, Thing],
    node: gast.AST,
) -> Thing:
    """A call of ``min``, ``sum``, ... with arguments that stand nowhere in the program."""
    before = b.env
    held = {f"{HIDDEN}{HIDDEN}{k}": thing for k, thing in enumerate(args)}
    named = {k: f"{HIDDEN}{HIDDEN}{k}" for k in keywords}
    b.env = {**before, **held, **{named[k]: thing for k, thing in keywords.items()}}
    made = quote.expr(
        "f(*args, **keywords)",
        f=obj.__name__,
        args=[quote.name(n) for n in held],
        keywords={k: quote.name(n) for k, n in named.items()},
    )
    assert isinstance(made, gast.Call)
    result = rule(b, located(made, node), obj)
    b.env = {n: t for n, t in b.env.items() if n not in held and n not in named.values()}
    return result


def of_caught(target: Thing, args: list[Thing], node: gast.AST) -> Thing:
    """``str(error)`` in a handler, where what it says is known."""
    caught = args[0]
    if not isinstance(caught, Caught) or len(args) != 1:
        raise Unsupported(node, "a call with what was caught", "an exception has no array form")
    if isinstance(target, Known) and target.obj is str:
        if caught.text is not None:
            return caught.text
        raise Unsupported(node, "str of what was caught", "it differs between lanes")
    if isinstance(target, Known) and target.obj is type and caught.error is not None:
        return Known(caught.error)
    raise Unsupported(node, "a call with what was caught", "an exception has no array form")


def receiver(method: Known) -> Known:
    """The object a method is bound to, and how the text reads it."""
    expr = None
    if isinstance(method.obj.__self__, type):
        return Known(method.obj.__self__)  # not what it was reached through: that may be an object
    if isinstance(method.expr, gast.Attribute):
        expr = method.expr.value
    elif method.expr is not None:
        expr = quote.expr("method.__self__", method=method.expr)
    return Known(method.obj.__self__, expr)


def arguments(
    b: Builder, node: gast.Call, target: Thing | None = None
) -> tuple[list[Thing], dict[str, Thing]]:
    """The positional and keyword arguments of a call, stars unpacked."""
    args: list[Thing] = []
    for k, a in enumerate(node.args):
        if isinstance(a, gast.Starred):
            inner = unpacked(b, b.iterable(a.value))
            if not isinstance(inner, Seq):
                raise Unsupported(a, f"*{describe(inner)}", "its length is not fixed")
            args.extend(inner.items)
        else:
            args.append(handed(b, a, target, k))
    keywords: dict[str, Thing] = {}
    for keyword in node.keywords:
        thing = b.expr(keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = thing
        elif isinstance(thing, Map) and all(isinstance(key, str) for key in thing.items):
            keywords.update(thing.items)
        else:
            raise Unsupported(keyword.value, f"**{describe(thing)}", "its keys are not known")
    return args, keywords


def handed(b: Builder, node: gast.expr, target: Thing | None, k: int) -> Thing:
    """The k-th argument of a call: an iterator only where it does not show that it is one."""
    mark = len(b.block.nodes)
    thing = b.iterable(node)
    if not isinstance(thing, Once):
        return thing
    unseen = all(map(harmless_node, b.block.nodes[mark:]))
    if target is None or not unseen or not consumes(target, k):
        raise Unsupported(node, "an iterator that is handed on", ONLY_ONCE)
    return Seq(thing.items)


def call_known(
    b: Builder, target: Known, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of an object known while compiling."""
    obj = target.obj
    made = array_call(b, obj, args, keywords, node)
    if made is not None:
        return made
    made = dates.constant(b, target, args, keywords)
    if made is not None:
        return made
    name = ops.qualified_name(obj)
    if name is not None:
        return rule_call(b, name, args, keywords, node)
    if obj is dict.get and args and type(args[0]) is Map:
        return method_call(b, args[0], "get", args[1:], keywords, node)
    if isinstance(obj, types.BuiltinMethodType) and type(obj.__self__) in (dict, list, tuple):
        table = Known(obj.__self__, getattr(target.expr, "value", None))
        return table_method(b, table, obj.__name__, args, keywords, node)
    asked = asks_for_missing(b, obj, args, node) if len(args) == 1 and not keywords else None
    if asked is not None:
        return asked
    if isinstance(obj, types.FunctionType) and stdlib_name(obj) is not None:
        raise Unsupported(node, f"{obj.__name__}()", "NumPy has no twin of it")
    if isinstance(obj, types.FunctionType):
        return call_function(b, obj, args, keywords, node, called(target.expr))
    if is_namedtuple_class(obj):
        return Seq(tuple(bound(b, obj, args, keywords, node).values()), tuple, obj)
    if is_series_class(obj):
        return series_of(b, args, keywords, node)
    if is_plain_dataclass(obj):
        return Record(obj, bound(b, obj, args, keywords, node))
    if isinstance(obj, functools.partial):
        return call_with(b, opened(b, target), args, keywords, node)
    wrapped = seen_through(obj)
    if wrapped is not None:
        given = [*args, *keywords.values()]
        if type(obj).__module__.startswith("autovec.run.vectorized") and any(map(batched, given)):
            raise Unsupported(node, f"a call of {called(target.expr)} with arrays", "it is batched")
        return call_function(b, wrapped, args, keywords, node)
    kept = None if keywords else bound_method(b, target, args, node)
    if kept is not None:
        return kept
    label = getattr(obj, "__name__", type(obj).__name__)
    raise Unsupported(node, f"a call of {label}", "there is no rule for it")


def batched(thing: Thing) -> bool:
    """Would a vectorized function take it as a batch: an array, or a list?"""
    if isinstance(thing, Known):
        return isinstance(thing.obj, (list, tuple)) or hasattr(thing.obj, "__array__")
    return isinstance(thing, Seq) or any(v.fact.rank for v in leaves(thing))


def opened(b: Builder, target: Known) -> Partial:
    """A ``functools.partial`` of the user's world, its arguments read at every call."""
    p, expr = target.obj, target.expr

    def part(text: str, obj: Any, **holes: Any) -> Thing:
        if expr is None or callable(obj):
            return literal_thing(b, obj)
        return b.path(quote.expr(f"p.{text}", p=expr, **holes), obj)

    b.capture(expr, p)
    keywords = {k: part("keywords[k]", v, k=quote.const(k)) for k, v in p.keywords.items()}
    args = tuple(part("args[k]", v, k=quote.const(k)) for k, v in enumerate(p.args))
    return Partial(Known(p.func), args, keywords)


@special(functools.partial, least=1, keywords=None)
def partial_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``functools.partial(f, ...)``: what it is called with comes behind what it has."""
    args, keywords = arguments(b, node)
    if not args or not is_function(args[0]):
        raise Unsupported(node, "a partial of something that is no function", "")
    return Partial(args[0], tuple(args[1:]), keywords)


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
