"""Nodes below nodes: going through a tree and copying a node with changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import gast

Tree = gast.AST | list[Any] | tuple[Any, ...]
Node = TypeVar("Node", bound=gast.AST)

LOCATION = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def children(node: gast.AST) -> Iterator[gast.AST]:
    """The nodes directly below one, in the order of their fields, without the contexts."""
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, gast.AST):
            if not isinstance(value, gast.expr_context):
                yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, gast.AST):
                    yield item


def walk(tree: Tree) -> Iterator[gast.AST]:
    """Every node of a tree or of a list of trees, parents first, in the order of the text.

    It keeps its own stack, so no tree is too deep for it.

    >>> from autovec.syntax.quote import expr
    >>> [node.id for node in walk(expr("f(a, b[c])")) if isinstance(node, gast.Name)]
    ['f', 'a', 'b', 'c']
    """
    stack = list(reversed(tree)) if isinstance(tree, (list, tuple)) else [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(children(node))))


def updated(node: Node, **fields: Any) -> Node:
    """A copy of one node, its children shared, with some fields set.

    >>> from autovec.syntax.quote import stmt, name
    >>> from autovec.syntax.convert import text_of
    >>> text_of(updated(stmt("return x"), value=name("y")))
    'return y'
    """
    new = node.__class__.__new__(node.__class__)
    new.__dict__.update(node.__dict__)
    new.__dict__.update(fields)
    return new


def located(new: Node, old: gast.AST) -> Node:
    """Gives the nodes of a new tree that have no location that of `old`; returns the tree.

    It stops at nodes that have a location: those are the user's.
    """
    if getattr(old, "lineno", None) is None:
        return new
    where = {key: getattr(old, key) for key in LOCATION if hasattr(old, key)}
    stack: list[gast.AST] = [new]
    while stack:
        node = stack.pop()
        if "lineno" in node._attributes:
            if getattr(node, "lineno", None) is not None:
                continue
            node.__dict__.update(where)
        stack.extend(children(node))
    return new


def parameters(args: gast.arguments) -> list[gast.Name]:
    """The parameters as nodes, in the order of the text."""
    nodes: list[Any] = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [node for node in nodes if node is not None]
