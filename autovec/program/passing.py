"""An iterator handed to a function, which may run through it only once."""

from __future__ import annotations

import types
from typing import Any

import gast

from autovec.errors import AutovecError
from autovec.program.things import Known, Local, Thing
from autovec.syntax.parse import source_of
from autovec.syntax.walking import children, parameters, walk

#: builtins that run through all of what they are given
_CONSUMERS = frozenset({"sum", "min", "max", "sorted", "tuple", "list"})
_SCOPES = (gast.FunctionDef, gast.Lambda, gast.For, gast.While)
_COMPREHENSIONS = (gast.GeneratorExp, gast.ListComp, gast.DictComp, gast.SetComp)


def consumes(target: Thing, k: int) -> bool:
    """Does a function only ever hand its k-th argument to a builtin that runs through it?"""
    tree: Any = None
    if isinstance(target, Local):
        tree = target.node
    elif isinstance(target, Known) and isinstance(target.obj, types.FunctionType):
        try:
            tree = source_of(target.obj).tree
        except AutovecError:
            return False
    if tree is None or k >= len(tree.args.args) or tree.args.posonlyargs:
        return False
    name = parameters(tree.args)[k].id
    body = [tree.body] if isinstance(tree, gast.Lambda) else tree.body
    uses = [n for part in body for n in walk(part) if isinstance(n, gast.Name) and n.id == name]
    return len(uses) == 1 and any(_hands_on(part, uses[0]) for part in body)


def _hands_on(node: gast.AST, use: gast.Name) -> bool:
    """Is this one use in a place that is reached at most once, as a builtin's only argument?"""
    if isinstance(node, _SCOPES + _COMPREHENSIONS):
        return False
    if isinstance(node, gast.Call) and node.args == [use]:
        return isinstance(node.func, gast.Name) and node.func.id in _CONSUMERS
    return any(_hands_on(child, use) for child in children(node))
