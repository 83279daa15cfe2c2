"""From Python's own syntax tree to gast's and back to text, at any depth."""

from __future__ import annotations

import ast
from typing import Any

import gast

from autovec.syntax.literals import PARAM, STORE
from autovec.syntax.walking import Tree


def to_gast(tree: ast.AST) -> Any:
    """Python's tree as gast's: what gast's own converter makes, at any depth.

    A parameter is a Name that is a `Param`, a handler's name is a Name, and a field that this
    Python does not have yet is empty.
    """
    root = _shell(tree)
    stack = [(tree, root)]
    while stack:
        old, new = stack.pop()
        slots = new.__dict__
        for field in old._fields:
            value = getattr(old, field, None)
            if isinstance(value, ast.AST):
                shell = slots[field] = _shell(value)
                if value._fields:
                    stack.append((value, shell))
            elif isinstance(value, list):
                items = slots[field] = []
                for item in value:
                    if isinstance(item, ast.AST):
                        shell = _shell(item)
                        items.append(shell)
                        if item._fields:
                            stack.append((item, shell))
                    else:
                        items.append(item)
            elif field == "arg" and isinstance(old, ast.arg):
                slots["id"] = value
            elif field == "name" and value is not None and isinstance(old, ast.ExceptHandler):
                slots[field] = gast.Name(value, STORE, None, None)
            else:
                slots[field] = value
    return root


def text_of(tree: Tree) -> str:
    """The text of a tree, or a list of trees, as Python's own unparser prints it: for messages.

    >>> from autovec.syntax.quote import stmts
    >>> print(text_of(stmts("if  (x):  y=1")))
    if x:
        y = 1
    """
    trees = tree if isinstance(tree, (list, tuple)) else [tree]
    converted = [ast.fix_missing_locations(gast.gast_to_ast(node)) for node in trees]
    return "\n".join(map(ast.unparse, converted))


def _shell(node: ast.AST) -> Any:
    """The node's counterpart, its fields still to be filled in."""
    kind = type(node)
    make, defaults = _KINDS.get(kind) or _kind(kind)
    new = make.__new__(make)
    slots = new.__dict__
    slots.update(defaults)
    for key in node._attributes:
        slots[key] = getattr(node, key, None)
    return new


def _kind(kind: type[ast.AST]) -> tuple[type[gast.AST], dict[str, Any]]:
    make = gast.Name if kind is ast.arg else getattr(gast, kind.__name__)
    missing = [field for field in make._fields if field not in kind._fields]
    defaults: dict[str, Any] = {field: [] if field == "type_params" else None for field in missing}
    if kind is ast.arg:
        defaults["ctx"] = PARAM
    _KINDS[kind] = make, defaults
    return make, defaults


_KINDS: dict[type, tuple[type[gast.AST], dict[str, Any]]] = {}
