"""A function out of a table of functions, by a key that is known when the text runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.closures import is_function
from autovec.program.comparisons import equal
from autovec.program.nodes import Check, Raise
from autovec.program.tables import SMALL, item_path
from autovec.program.things import Chosen, Known, Map, Seq, Thing
from autovec.program.truth import either, negated
from autovec.program.values import Value
from autovec.syntax import quote


def functions_of(b: Builder, base: Thing) -> Mapping[Any, Thing] | None:
    """The items of a table that holds nothing but functions, by key; None for other things."""
    if isinstance(base, Known) and type(base.obj) in (dict, list, tuple):
        obj = base.obj
        if not 0 < len(obj) <= SMALL or not all(map(callable, _values(obj))):
            return None
        keys = list(obj) if isinstance(obj, dict) else range(len(obj))
        return {k: item_path(b, base, k, None) for k in keys}
    if isinstance(base, (Seq, Map)) and is_function(base):
        return base.items if isinstance(base, Map) else dict(enumerate(base.items))
    return None


def _values(table: Any) -> Any:
    return table.values() if isinstance(table, dict) else table


def function_at(
    b: Builder, base: Thing, found: Mapping[Any, Thing], index: Value, node: gast.AST
) -> Thing:
    """``TABLE[key]``: a chain of tests, which ends with Python's own exception."""
    if b.attempts:
        raise Unsupported(
            node, "a function of a table inside try", "what it raises is not followed"
        )
    by_key = isinstance(base, Map) or (isinstance(base, Known) and isinstance(base.obj, dict))
    tests: list[Value] = []
    for key in found:
        test = equal(b, index, b.const(key), node)
        if not by_key:
            test = either(b, test, equal(b, index, b.const(key - len(found)), node))
        tests.append(test)
    some = b.const(False)
    for test in tests:
        some = either(b, some, test)
    if by_key:
        error = Raise(quote.expr("KeyError(key)"), None, {"key": index}, b.line)
    else:
        kind = "list" if getattr(base, "kind", None) is list or _is_list(base) else "tuple"
        text = quote.const(f"{kind} index out of range")
        error = Raise(quote.expr("IndexError(text)", text=text), None, {}, b.line)
    b.add(Check(negated(b, some), error, b.line))
    *others, last = found.values()
    thing: Thing = last
    for test, other in zip(reversed(tests[:-1]), reversed(others), strict=True):
        thing = Chosen(test, other, thing)
    return thing


def _is_list(base: Thing) -> bool:
    return isinstance(base, Known) and isinstance(base.obj, list)
