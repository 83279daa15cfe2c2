"""Calls inside an expression that runs a lane at a time: builtins, the standard library."""

from __future__ import annotations

import re
from typing import Any

import gast

from autovec import ops
from autovec.ops import result_types
from autovec.ops.result_types import Type, head, item_type
from autovec.program.python_parts import Bound, NotTyped, Part, Parts, part
from autovec.syntax.walking import updated


@part(gast.Call)
def call(p: Parts, node: gast.Call, bound: Bound) -> Part:
    """A call of a builtin, of the standard library's, or of a method of a known type."""
    func = node.func
    obj = p.known(func, bound)
    name = stdlib_name(obj)
    if name is None and isinstance(func, gast.Attribute):
        return method_call(p, node, func, bound)
    if name is None:
        raise NotTyped
    args, kinds = arguments(p, node, bound)
    found = None
    if name == "builtins.map" and len(node.args) == 2:
        found = mapped(p, node, bound, kinds[-1])
        args = [node.args[0], args[-1]]
    elif name in ("re.findall", "re.split"):
        found = _groups(node, most=1 if name == "re.findall" else 0)
    elif name in ("re.match", "re.search", "re.fullmatch"):
        found = ("match?", *sure_groups(node))
    else:
        found = result_types.function_type(name, kinds)
        default = next((k.value for k in node.keywords if k.arg == "default"), None)
        if default is not None and p.of(default, bound)[1] != found:
            raise NotTyped
    if found is None:
        raise NotTyped
    if name.partition(".")[0] not in ("builtins",):
        p.b.attempt(func)  # which captures its module
    return updated(node, args=args, keywords=keywords(p, node, bound)), found


def method_call(p: Parts, node: gast.Call, func: gast.Attribute, bound: Bound) -> Part:
    """A method of a string, date or container."""
    base, kind = p.of(func.value, bound)
    args, kinds = arguments(p, node, bound)
    found = result_types.method_type(kind, func.attr)
    if head(kind) == "dict":
        views = {"keys": kind[1], "values": kind[2], "items": ("tuple", kind[1], kind[2])}
        if func.attr in views and not args:
            found = ("iter", views[func.attr])
        elif func.attr == "get" and len(args) == 2 and kinds == [kind[1], kind[2]]:
            found = kind[2]
    elif head(kind) == "match?" and func.attr in ("group", "groups"):
        found = group_type(kind, func.attr, node.args)
    if found is None or (func.attr == "join" and item_type(kinds[0]) != "str"):
        raise NotTyped
    made = updated(func, value=base)
    return updated(node, func=made, args=args, keywords=keywords(p, node, bound)), found


def arguments(p: Parts, node: gast.Call, bound: Bound) -> tuple[list[gast.expr], list[Type]]:
    """The positional arguments; a function among them has no type."""
    made: list[gast.expr] = []
    kinds: list[Type] = []
    for a in node.args:
        if stdlib_name(p.known(a, bound)) is not None:
            made.append(a)
            kinds.append("function")
            continue
        expr, kind = p.of(a, bound)
        made.append(expr)
        kinds.append(kind)
    return made, kinds


def keywords(p: Parts, node: gast.Call, bound: Bound) -> list[gast.keyword]:
    """The keyword arguments, which do not change what a call gives."""
    made = []
    for k in node.keywords:
        if k.arg is None:
            raise NotTyped
        if k.arg == "key":
            if stdlib_name(p.known(k.value, bound)) is None:
                raise NotTyped
            made.append(k)
        else:
            made.append(updated(k, value=p.of(k.value, bound)[0]))
    return made


def mapped(p: Parts, node: gast.Call, bound: Bound, over: Type) -> Type | None:
    """What ``map`` of a function of the standard library's gives."""
    name = stdlib_name(p.known(node.args[0], bound))
    item = item_type(over)
    if name is None or item is None:
        return None
    owner, _, method = name.removeprefix("builtins.").rpartition(".")
    found = result_types.method_type(owner, method) if owner == item else None
    found = found or result_types.function_type(name, [item])
    return None if found is None else ("iter", found)


def stdlib_name(obj: Any) -> str | None:
    """The qualified name of a function, type or method of the standard library's."""
    if not callable(obj):
        return None
    if ops.qualified_name(obj) is not None:
        return ops.qualified_name(obj)
    if obj is str.maketrans or obj == str.maketrans:
        return "builtins.str.maketrans"
    owner = getattr(obj, "__self__", None)
    module = getattr(obj, "__module__", None)
    if isinstance(owner, type):
        module, owner = owner.__module__, owner.__name__
    elif isinstance(getattr(obj, "__objclass__", None), type):
        module, owner = obj.__objclass__.__module__, None
    else:
        owner = None
    name = getattr(obj, "__qualname__", None)
    if module is None or name is None:
        return None
    full = f"{module}.{name}"
    known = full in result_types.FUNCTIONS or module == "builtins"
    return full if known else None


def group_type(kind: Type, method: str, args: list[gast.expr]) -> Type | None:
    """What a method of a match gives: a string where the group cannot be missing from a match."""
    sure = kind[1:]
    if method == "groups":
        numbers = [k for k in sure if not isinstance(k, str)]
        return ("tuple", *["str"] * len(numbers)) if None not in numbers and not args else None
    key = args[0].value if len(args) == 1 and isinstance(args[0], gast.Constant) else 0
    if len(args) > 1 or (args and not isinstance(args[0], gast.Constant)):
        return None
    return "str" if key == 0 or key in sure else None


def sure_groups(node: gast.Call) -> list[Any]:
    """The groups of a literal pattern that every match has; None for one that it may lack.

    >>> from autovec.syntax import quote
    >>> sure_groups(quote.expr('re.match(r"(a+)(b)?(?P<c>c)", s)'))
    [1, None, 3, 'c']
    """
    pattern = node.args[0] if node.args else None
    if not isinstance(pattern, gast.Constant) or not isinstance(pattern.value, str):
        return [None]
    try:
        compiled = re.compile(pattern.value)
        tree = re._parser.parse(pattern.value)  # type: ignore[attr-defined]
    except re.error:
        return [None]
    sure = set(_always(tree))
    named = {k: n for n, k in compiled.groupindex.items()}
    numbers = [k if k in sure else None for k in range(1, compiled.groups + 1)]
    return [*numbers, *(named[k] for k in numbers if k in named)]


def _always(tree: Any) -> list[int]:
    """The groups that a match of a parsed pattern always sets."""
    found: list[int] = []
    for op, argument in tree:
        word = str(op)
        if word == "SUBPATTERN":
            group, _, _, inside = argument
            found += [group] if group is not None else []
            found += _always(inside)
        elif word in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and argument[0] > 0:
            found += _always(argument[2])
        elif word == "ATOMIC_GROUP":
            found += _always(argument)
    return found


def _groups(node: gast.Call, most: int) -> Type | None:
    """A list of strings, where the pattern has no more groups than these."""
    pattern = node.args[0] if node.args else None
    if not isinstance(pattern, gast.Constant) or not isinstance(pattern.value, str):
        return None
    try:
        return ("list", "str") if re.compile(pattern.value).groups <= most else None
    except re.error:
        return None
