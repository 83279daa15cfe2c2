"""What is the same for all samples and declared nowhere: a number, a string, or not known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from autovec.files.constants import OPAQUE, UNDECLARED_VALUE
from autovec.files.evidence import CONSUMERS, REDUCTIONS
from autovec.files.meaning import Doubt

_IDENTITY = (ast.Is, ast.IsNot, ast.In, ast.NotIn)


def by_use(name: str, trees: Iterable[ast.AST], is_it: Callable[[ast.AST], bool]) -> Any:
    """What stands for an object of no declared type, from all uses that the file makes of it.

    One that is indexed, called, iterated over or asked for an attribute is not taken for a number.

    >>> tree = ast.parse("scale * x + rows[0]")
    >>> [by_use(n, [tree], lambda node: getattr(node, "id", "") == n) for n in ("scale", "rows")]
    [1.5, Doubt(name='rows', why='the type of rows is not declared')]
    """
    strings = False
    for tree in trees:
        for parent in ast.walk(tree):
            for child in ast.iter_child_nodes(parent):
                if not is_it(child):
                    continue
                if _tells_more(parent, child):
                    return Doubt(name, f"the type of {name} is not declared")
                strings |= _beside_string(parent)
    return OPAQUE[str] if strings else UNDECLARED_VALUE


def _tells_more(parent: ast.AST, child: ast.AST) -> bool:
    """Does a use show that it is no number?"""
    match parent:
        case ast.Subscript(value=base) | ast.Attribute(value=base):
            return base is child
        case ast.Starred() | ast.BinOp(op=ast.MatMult()):
            return True
        case ast.For(iter=over) | ast.comprehension(iter=over):
            return over is child
        case ast.Compare(ops=ops):
            return any(isinstance(op, _IDENTITY) for op in ops)
        case ast.Call(func=function, args=args):
            if function is child:
                return True
            last = getattr(function, "attr", getattr(function, "id", ""))
            if last in ("max", "min") and len(args) > 1:
                return False
            return last in CONSUMERS or last in REDUCTIONS
        case ast.keyword(arg=None):
            return True
    return False


def _beside_string(parent: ast.AST) -> bool:
    if not isinstance(parent, ast.Compare):
        return False
    sides = [parent.left, *parent.comparators]
    return any(isinstance(getattr(side, "value", None), str) for side in sides)
