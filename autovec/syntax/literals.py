"""The smallest nodes: names, constants, calls, comments. All that is larger is quoted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import gast

# Contexts carry nothing, so one of each serves every tree (CPython's own parser shares them too).
LOAD = gast.Load()
STORE = gast.Store()
DEL = gast.Del()
PARAM = gast.Param()


class CommentText(str):
    """A comment's text without the `#`; `trailing`: it stands behind the code of its line."""

    trailing: bool = False


def name(id: str, ctx: gast.expr_context = LOAD) -> gast.Name:
    """A name: `name("x")` is `x`."""
    if not id.isidentifier():
        raise ValueError(f"{id!r} is not a name")
    return gast.Name(id, ctx, None, None)


def path(dotted: str) -> gast.expr:
    """A name or an attribute path: `path("np.linalg.norm")` is `np.linalg.norm`."""
    first, *rest = dotted.split(".")
    node: gast.expr = name(first)
    for attr in rest:
        if not attr.isidentifier():
            raise ValueError(f"{dotted!r} is not a path of names")
        node = gast.Attribute(node, attr, LOAD)
    return node


def const(value: object) -> gast.expr:
    """The expression whose value is `value`, exactly, as it is written in Python.

    Negative numbers are a minus and a number, so that `const(-1) ** 2` prints as `(-1) ** 2`;
    numbers without a literal of their own are `np.nan`, `np.inf` and `complex(...)`.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(const((-1, 2.5, "a")))
    "(-1, 2.5, 'a')"
    """
    kind = type(value)
    if value is None or value is Ellipsis or kind in (bool, str, bytes):
        return gast.Constant(value, None)
    if kind is int or kind is float:
        return _real(value)  # type: ignore[arg-type]
    if kind is complex:
        return _complex(value)  # type: ignore[arg-type]
    if kind is tuple:
        return gast.Tuple([const(item) for item in value], LOAD)  # type: ignore[attr-defined]
    raise TypeError(f"{value!r} ({kind.__name__}) cannot be written as a constant")


def _real(value: int | float) -> gast.expr:
    if math.isnan(value):
        return path("np.nan")
    if value < 0 or (value == 0 and math.copysign(1, value) < 0):
        return gast.UnaryOp(gast.USub(), _real(-value))
    if value == math.inf:
        return path("np.inf")
    return gast.Constant(value, None)


def _complex(value: complex) -> gast.expr:
    # A sum such as 1 - 2j adds 0.0 to the other part, which loses the sign of a zero: complex(a,
    # b) does not.
    positive = math.copysign(1, value.real) > 0 and math.copysign(1, value.imag) > 0
    if value.real == 0 and positive and math.isfinite(value.imag):
        return gast.Constant(value, None)
    return call("complex", [_real(value.real), _real(value.imag)])


def call(
    func: str | gast.expr,
    args: Iterable[gast.expr] = (),
    keywords: Mapping[str, gast.expr] | Iterable[gast.keyword] = (),
) -> gast.Call:
    """A call: `call("np.full", [n, x], {"dtype": d})` is `np.full(n, x, dtype=d)`."""
    if isinstance(keywords, Mapping):
        keywords = [gast.keyword(arg, value) for arg, value in keywords.items()]
    return gast.Call(path(func) if isinstance(func, str) else func, list(args), list(keywords))


def attribute(value: gast.expr, attr: str) -> gast.Attribute:
    """`value.attr`."""
    if not attr.isidentifier():
        raise ValueError(f"{attr!r} is not an attribute's name")
    return gast.Attribute(value, attr, LOAD)


def comment(text: str) -> gast.Expr:
    """A comment on a line (or, for a text of several lines, lines) of its own."""
    return gast.Expr(gast.Constant(CommentText(text), None))


def trailing_comment(text: str) -> gast.Expr:
    """A comment at the end of a line.

    It stands right behind its statement in the list of statements; for a `def`, `for` or `if` it
    is the first statement of the body.
    """
    words = CommentText(text)
    words.trailing = True
    return gast.Expr(gast.Constant(words, None))


def is_comment(node: gast.AST) -> bool:
    """Whether a statement is a comment."""
    return (
        isinstance(node, gast.Expr)
        and isinstance(node.value, gast.Constant)
        and isinstance(node.value.value, CommentText)
    )
