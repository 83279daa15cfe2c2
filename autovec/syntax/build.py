"""Trees that no template can quote: of as many parts, or with as many names, as the caller has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from autovec.syntax.literals import LOAD, const

__all__ = [
    "all_of",
    "any_of",
    "axis_argument",
    "branch",
    "conjuncts",
    "dict_display",
    "import_module",
    "shape_argument",
    "starred",
]


def all_of(tests: Sequence[gast.expr]) -> gast.expr:
    """``a and b and ...``; one test is itself.

    >>> from autovec.syntax.convert import text_of
    >>> from autovec.syntax.quote import name
    >>> text_of(all_of([name("a"), name("b"), name("c")]))
    'a and b and c'
    """
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), list(tests))


def conjuncts(test: gast.expr) -> list[gast.expr]:
    """What ``and`` joins, in order: the tests of which `all_of` makes it.

    >>> from autovec.syntax.convert import text_of
    >>> from autovec.syntax.quote import expr
    >>> [text_of(t) for t in conjuncts(expr("a and (b and c) and (d or e)"))]
    ['a', 'b', 'c', 'd or e']
    """
    if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And):
        return [part for value in test.values for part in conjuncts(value)]
    return [test]


def axis_argument(places: Sequence[int]) -> gast.expr:
    """What NumPy takes for an axis: an int, or a tuple of several.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(axis_argument([1])), text_of(axis_argument([0, 2]))
    ('1', '(0, 2)')
    """
    return const(places[0] if len(places) == 1 else tuple(places))


def shape_argument(lengths: Sequence[gast.expr]) -> gast.expr:
    """What NumPy takes for a shape: a length, or a tuple of several."""
    return lengths[0] if len(lengths) == 1 else gast.Tuple([*lengths], LOAD)


def any_of(tests: Sequence[gast.expr]) -> gast.expr:
    """``a or b or ...``; one test is itself.

    >>> from autovec.syntax.convert import text_of
    >>> from autovec.syntax.quote import name
    >>> text_of(any_of([name("a"), name("b")]))
    'a or b'
    """
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.Or(), list(tests))


def branch(test: gast.expr, body: Sequence[gast.stmt], orelse: Sequence[gast.stmt] = ()) -> gast.If:
    """``if test: body else: orelse``, the else only where there is something in it.

    >>> from autovec.syntax.convert import text_of
    >>> from autovec.syntax.quote import name, stmts
    >>> print(text_of(branch(name("t"), [], stmts("x = 1"))))
    if t:
        pass
    else:
        x = 1
    """
    return gast.If(test, list(body) or [gast.Pass()], list(orelse))


def dict_display(keys: Iterable[gast.expr], values: Iterable[gast.expr]) -> gast.Dict:
    """``{key: value, ...}``.

    >>> from autovec.syntax.convert import text_of
    >>> from autovec.syntax.quote import const, name
    >>> text_of(dict_display([const("a"), const(1)], [name("x"), name("y")]))
    "{'a': x, 1: y}"
    """
    return gast.Dict(list(keys), list(values))


def starred(value: gast.expr) -> gast.Starred:
    """``*value``, for a list of arguments or items.

    >>> from autovec.syntax.convert import text_of
    >>> from autovec.syntax.quote import expr, name
    >>> text_of(expr("f(*args)", args=[name("x"), starred(name("rest"))]))
    'f(x, *rest)'
    """
    return gast.Starred(value, LOAD)


def import_module(module: str, alias: str | None = None) -> gast.Import:
    """``import module`` or ``import module as alias``.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(import_module("os.path", "p")), text_of(import_module("math", "math"))
    ('import os.path as p', 'import math')
    """
    return gast.Import([gast.alias(module, None if alias == module else alias)])


def import_from(module: str, name: str, alias: str) -> gast.ImportFrom:
    """``from module import name``, or ``... as alias``.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(import_from("math", "sin", "sin")), text_of(import_from("math", "sin", "s"))
    ('from math import sin', 'from math import sin as s')
    """
    return gast.ImportFrom(module, [gast.alias(name, None if alias == name else alias)], 0)
