"""Trees by quoting text: `stmts("k = np.flatnonzero(test)", test=node)`.

A template is Python text. A name in it that is also a keyword of the call is a *hole*; all else
is itself. A hole's value is

- a node: it stands there as it is (shared, not copied; nobody mutates a tree);
- a `str`: a name or an attribute path, `f="np.sin"`;
- a number, a bool or None: a constant (a string constant is `const("text")`);
- a list of nodes, where a list fits: `f(*args)`, `(*items,)`, `x[*index]`, `f(**keywords)`
  (keyword nodes or a dict), `def f(params): ...`, and a statement that is only the hole, `body`,
  for statements.

The place decides the context: a hole that is assigned to is a store, whatever its node was before.
Every node that the template's own text makes is new at each call, so a caller may give it a
location.

>>> from autovec.syntax.convert import text_of
>>> text_of(expr("np.where(t, f(*args), 0)", t="test", f="np.sin", args=[name("x")]))
'np.where(test, np.sin(x), 0)'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autovec.syntax.literals import (
    CommentText,
    attribute,
    call,
    comment,
    const,
    is_comment,
    name,
    path,
    trailing_comment,
)
from autovec.syntax.walking import parameters, updated

__all__ = [
    "CommentText",
    "attribute",
    "call",
    "comment",
    "const",
    "expr",
    "in_context",
    "is_comment",
    "name",
    "path",
    "stmt",
    "stmts",
    "trailing_comment",
]

Holes = dict[str, Any]
Build = Callable[[Holes], Any]


def expr(template: str, /, **holes: Any) -> gast.expr:
    """The expression that the template's text is, with its holes filled.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(expr("x[k] - 1", x="total", k="live"))
    'total[live] - 1'
    """
    key = (template, *holes)
    build = _EXPRESSIONS.get(key)
    if build is None:
        build = _EXPRESSIONS[key] = _expression(template, frozenset(holes))
    node: gast.expr = build(holes)
    return node


def stmts(template: str, /, **holes: Any) -> list[gast.stmt]:
    """The statements that the template's text is, with its holes filled.

    >>> from autovec.syntax.convert import text_of
    >>> body = stmts("if k.size:\\n    body", k="live", body=stmts("x = 1"))
    >>> print(text_of(body))
    if live.size:
        x = 1
    """
    key = (template, *holes)
    build = _STATEMENTS.get(key)
    if build is None:
        build = _STATEMENTS[key] = _statements(template, frozenset(holes))
    nodes: list[gast.stmt] = build(holes)
    return nodes


def stmt(template: str, /, **holes: Any) -> gast.stmt:
    """The one statement that the template's text is."""
    [node] = stmts(template, **holes)
    return node


def in_context(node: Any, ctx: gast.expr_context) -> Any:
    """The node as it stands where it is loaded, stored, deleted or a parameter.

    >>> store = in_context(expr("a, b[0]"), gast.Store())
    >>> type(store.ctx).__name__, type(store.elts[1].ctx).__name__
    ('Store', 'Store')
    """
    old = getattr(node, "ctx", None)
    if type(old) is type(ctx):
        return node
    if old is None:
        if isinstance(ctx, gast.Load):
            return node
        raise TypeError(f"{type(node).__name__} cannot be assigned to")
    new = updated(node, ctx=ctx)
    if isinstance(node, (gast.Tuple, gast.List)):
        new.elts = [in_context(item, ctx) for item in node.elts]
    elif isinstance(node, gast.Starred):
        new.value = in_context(node.value, ctx)
    elif isinstance(node, gast.Name):
        # Only a parameter and the target of `x: int = 1` carry an annotation.
        if not isinstance(ctx, gast.Param):
            new.annotation = new.type_comment = None
    elif isinstance(ctx, gast.Param):
        raise TypeError(f"{type(node).__name__} cannot be a parameter")
    return new


# Templates are literals of this package's text, so these grow no further than the package is large.
_EXPRESSIONS: dict[tuple[str, ...], Build] = {}
_STATEMENTS: dict[tuple[str, ...], Build] = {}


def _expression(template: str, holes: frozenset[str]) -> Build:
    [node] = _parse(template, holes)
    if not isinstance(node, gast.Expr):
        raise ValueError(f"not an expression: {template!r}")
    return _node(node.value, holes)


def _statements(template: str, holes: frozenset[str]) -> Build:
    return _list(_parse(template, holes), "body", holes)


def _parse(template: str, holes: frozenset[str]) -> list[gast.stmt]:
    module = gast.parse(template)
    used = {node.id for node in gast.walk(module) if isinstance(node, gast.Name)}
    used |= {node.name for node in gast.walk(module) if isinstance(node, gast.FunctionDef)}
    if not holes <= used:
        raise ValueError(f"no hole for {sorted(holes - used)} in {template!r}")
    body: list[gast.stmt] = module.body
    return body


def _node(node: gast.AST, holes: frozenset[str]) -> Build:
    """The function that builds a fresh copy of `node` with its holes filled."""
    if isinstance(node, gast.Name) and node.id in holes:
        return _hole(node)
    if isinstance(node, gast.expr_context):
        return lambda env: node
    fixed: dict[str, Any] = {}
    varied: list[tuple[str, Build]] = []
    for field in node._fields:
        value = getattr(node, field)
        if isinstance(value, gast.expr_context):
            fixed[field] = value
        elif isinstance(value, gast.AST):
            varied.append((field, _node(value, holes)))
        elif isinstance(value, list):
            varied.append((field, _list(value, field, holes)))
        elif isinstance(node, gast.FunctionDef) and field == "name" and value in holes:
            varied.append((field, _identifier(value)))
        else:
            fixed[field] = value
    build = _filled(node.__class__, fixed, varied)
    if isinstance(node, gast.arguments) and len(parameters(node)) == 1:
        return _or_given(parameters(node)[0].id, holes, build)
    if isinstance(node, gast.Subscript):
        return _unwrapped_index(build) if _has_splice(node.slice, holes) else build
    return build


def _filled(cls: type[gast.AST], fixed: dict[str, Any], varied: list[tuple[str, Build]]) -> Build:
    make = cls.__new__
    if not varied:

        def leaf(env: Holes) -> Any:
            new = make(cls)
            new.__dict__.update(fixed)
            return new

        return leaf

    def node(env: Holes) -> Any:
        new = make(cls)
        slots = new.__dict__
        slots.update(fixed)
        for field, build in varied:
            slots[field] = build(env)
        return new

    return node


def _hole(node: gast.Name) -> Build:
    id, ctx = node.id, node.ctx
    return lambda env: _fill(env[id], ctx, id)


def _fill(value: Any, ctx: gast.expr_context, id: str) -> Any:
    """What a caller gave for a hole, as the expression that stands there."""
    if not isinstance(value, gast.AST):
        value = path(value) if isinstance(value, str) else const(value)
    elif not isinstance(value, (gast.expr, gast.Slice)):
        raise TypeError(f"{id}: an expression belongs here, not {type(value).__name__}")
    return in_context(value, ctx)


def _list(nodes: list[Any], field: str, holes: frozenset[str]) -> Build:
    items = [_item(node, field, holes) for node in nodes]
    if not any(splice for splice, _ in items):
        builds = [build for _, build in items]
        return lambda env: [build(env) for build in builds]
    needs_pass = field == "body"

    def spliced(env: Holes) -> list[Any]:
        result: list[Any] = []
        for splice, build in items:
            if splice:
                result.extend(build(env))
            else:
                result.append(build(env))
        if needs_pass and all(map(is_comment, result)):
            result.append(gast.Pass())
        return result

    return spliced


def _item(node: Any, field: str, holes: frozenset[str]) -> tuple[bool, Build]:
    """One item of a list: whether it is spliced in, and its builder."""
    if not isinstance(node, gast.AST):  # the names of `global`, no default, the `**` of a dict
        return False, lambda env: node
    inner = getattr(node, "value", None)
    if isinstance(node, gast.Expr) and isinstance(inner, gast.Name) and inner.id in holes:
        return True, _statements_of(inner.id, _hole(inner))
    if isinstance(node, gast.Starred) and isinstance(inner, gast.Name) and inner.id in holes:
        return True, _items_of(inner, _node(node, holes))
    if (
        isinstance(node, gast.keyword)
        and node.arg is None
        and isinstance(inner, gast.Name)
        and inner.id in holes
    ):
        return True, _keywords_of(inner.id, _node(node, holes))
    if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Param) and node.id in holes:
        return True, _items_of(node, _node(node, holes))
    return False, _node(node, holes)


def _statements_of(id: str, single: Build) -> Build:
    def build(env: Holes) -> list[gast.stmt]:
        value = env[id]
        if isinstance(value, (list, tuple)):
            return list(value)
        return [value if isinstance(value, gast.stmt) else gast.Expr(single(env))]

    return build


def _items_of(node: gast.Name, single: Build) -> Build:
    id, ctx = node.id, node.ctx

    def build(env: Holes) -> list[gast.expr]:
        value = env[id]
        if isinstance(value, (list, tuple)):
            return [_fill(item, ctx, id) for item in value]
        return [single(env)]

    return build


def _keywords_of(id: str, single: Build) -> Build:
    def build(env: Holes) -> list[gast.keyword]:
        value = env[id]
        if isinstance(value, dict):
            return [gast.keyword(arg, item) for arg, item in value.items()]
        return list(value) if isinstance(value, (list, tuple)) else [single(env)]

    return build


def _or_given(id: str, holes: frozenset[str], otherwise: Build) -> Build:
    """A hole that stands for all the parameters, given as a whole."""
    if id not in holes:
        return otherwise
    return lambda env: env[id] if isinstance(env[id], gast.arguments) else otherwise(env)


def _has_splice(index: gast.AST, holes: frozenset[str]) -> bool:
    return isinstance(index, gast.Tuple) and any(
        isinstance(item, gast.Starred)
        and isinstance(item.value, gast.Name)
        and item.value.id in holes
        for item in index.elts
    )


def _unwrapped_index(build: Build) -> Build:
    """`x[*index]` with one index is `x[i]`, as one writes it, and not `x[i,]`."""

    def unwrapped(env: Holes) -> Any:
        node = build(env)
        if len(node.slice.elts) == 1 and not isinstance(node.slice.elts[0], gast.Starred):
            node.slice = node.slice.elts[0]
        return node

    return unwrapped


def _identifier(id: str) -> Build:
    """A hole in the place of a function's name."""

    def build(env: Holes) -> str:
        text = env[id].id if isinstance(env[id], gast.Name) else env[id]
        if not isinstance(text, str) or not text.isidentifier():
            raise TypeError(f"{id}: a function's name belongs here, not {text!r}")
        return text

    return build
