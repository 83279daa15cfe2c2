"""The table of operations, keyed by qualified name, and the index from live objects to names.

A live function's names resolve to objects and a file's names to dotted paths; both end in the
same rule:

    >>> import numpy as np
    >>> qualified_name(np.sin), find("numpy.sin", 1).name
    ('numpy.sin', 'numpy.sin')
    >>> find("numpy.abs", 1).name           # another name of the same function
    'numpy.absolute'
    >>> find("math.log", 3) is None         # no such call
    True
"""

from __future__ import annotations

import builtins
import functools
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autovec.ops.rule import Rule, rule

#: the modules whose dotted names may be followed without importing anything
_KNOWN = ("builtins", "math", "cmath", "operator", "numpy")

#: the type that a kind's methods are named after
_OWNERS = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex", "U": "str"}

_rules: dict[str, list[Rule]] = {}
_index: dict[int, tuple[object, str]] = {}
_indexed: set[str] = set()
_lock = threading.RLock()


def add(*rules: Rule) -> None:
    """Enter rules; one of the same name and signature is replaced."""
    with _lock:
        for new in rules:
            others = [r for r in _rules.get(new.name, []) if r.params != new.params]
            _rules[new.name] = [*others, new]
        _folded.cache_clear()


def register(
    target: Callable[..., Any] | str, signature: str, text: str | None = None, **facts: Any
) -> Rule:
    """Teach autovec an operation: a callable or its qualified name, a signature, a batched text.

    ``signature`` is written as in a ``def``; ``text`` is a NumPy expression over the parameters
    that takes arrays of any shapes that broadcast, or None when the callable itself does.
    ``imports`` holds the statements that the text needs besides ``import numpy as np``.  Other
    facts are those of :class:`Rule`: ``raises``, ``total``, ``cost``, ``fixed``, ``number``,
    ``examples``, ...

    >>> def celsius(degrees):
    ...     return float(degrees - 32) / 1.8
    >>> register(celsius, "degrees", "(degrees - 32) / 1.8", total=True).text
    '(degrees - 32) / 1.8'
    >>> find(qualified_name(celsius), 1).total
    True
    """
    if isinstance(target, str):
        name = target
    else:
        name = f"{target.__module__}.{getattr(target, '__qualname__', target.__name__)}"
    new = rule(name, signature, text, **facts)
    add(new)
    if not isinstance(target, str):
        with _lock:
            _index[id(target)] = (target, name)
    return new


def find(name: str, nargs: int) -> Rule | None:
    """The rule of a qualified name for a call with ``nargs`` arguments, or None."""
    for known in _rules.get(name, ()):
        if known.required <= nargs <= len(known.params):
            return known
    for known in _rules.get(name, ()):
        if known.fold and nargs > 2:
            return _folded(name, nargs)
    if name in _rules:
        return None
    target = _resolve(name, _KNOWN)
    other = None if target is None else qualified_name(target)
    return None if other is None or other == name else find(other, nargs)


def names() -> tuple[str, ...]:
    """The qualified names that have a rule, sorted."""
    return tuple(sorted(_rules))


def rules(name: str) -> tuple[Rule, ...]:
    """All rules of one name: one a signature.

    >>> [r.params for r in rules("math.log")]
    [('x',), ('x', 'base')]
    """
    return tuple(_rules.get(name, ()))


def method(kind: str, name: str, nargs: int = 1) -> Rule | None:
    """The rule of a scalar sample's method or attribute; ``nargs`` counts the receiver.

    >>> method("f", "is_integer").name, method("c", "real").name
    ('float.is_integer', 'number.real')
    """
    for candidate in (f"{_OWNERS.get(kind)}.{name}", f"number.{name}"):
        for known in _rules.get(candidate, ()):
            if known.required <= nargs <= len(known.params) and known.supports(kind):
                return known
    return None


def qualified_name(obj: object) -> str | None:
    """The name under which a live object has a rule; None for the user's own functions.

    >>> import math, operator
    >>> qualified_name(math.hypot), qualified_name(operator.add), qualified_name(abs)
    ('math.hypot', 'operator.add', 'builtins.abs')
    >>> qualified_name(lambda x: x) is None
    True
    """
    if len(_indexed) < len(_rules):
        _build_index()
    found = _index.get(id(obj))
    if found is not None and found[0] is obj:
        return found[1]
    name = f"{getattr(obj, '__module__', None)}.{getattr(obj, '__qualname__', None)}"
    return name if name in _rules and _resolve(name, tuple(sys.modules)) is obj else None


def _build_index() -> None:
    with _lock:
        for name in [name for name in _rules if name not in _indexed]:
            target = _resolve(name, _KNOWN)
            if target is not None:
                _index.setdefault(id(target), (target, name))
            _indexed.add(name)


def _resolve(name: str, modules: tuple[str, ...]) -> object | None:
    """The object of a dotted name, without importing anything."""
    head, _, rest = name.rpartition(".")
    path = [rest]
    while head and head not in modules:
        head, _, rest = head.rpartition(".")
        path.insert(0, rest)
    target: Any = sys.modules.get(head) if head else builtins
    for attribute in path:
        target = getattr(target, attribute, None)
    return target if callable(target) else None


@functools.cache
def _folded(name: str, nargs: int) -> Rule:
    """The rule of two arguments repeated: ``hypot(a, b, c)`` is ``hypot(hypot(a, b), c)``."""
    two = next(r for r in _rules[name] if r.fold)
    params = tuple(f"x{k}" for k in range(1, nargs + 1))

    def nest(text: str, first: int = 0) -> str:
        order = params[first:] + params[:first]
        return functools.reduce(lambda a, b: _substitute(text, two.params, (a, b)), order)

    return replace(
        two,
        params=params,
        text=None if two.text is None else nest(two.text),
        # a varying operand goes first: two uniform numbers would meet as strong NumPy ones
        by_uniform={" ".join(params[:k]): nest(two.text, k) for k in range(1, nargs) if two.text},
        cost=two.cost * (nargs - 1),
        fold=False,
        examples=tuple((*e, *[e[-1]] * (nargs - 2)) for e in two.examples),
    )


def _substitute(text: str, params: tuple[str, ...], operands: tuple[str, ...]) -> str:
    by_name = dict(zip(params, operands, strict=True))
    return re.sub(r"\b\w+\b", lambda m: by_name.get(m[0], m[0]), text)
