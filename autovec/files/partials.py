"""`functools.partial` of a function: the definition behind it, and the arguments that it gives."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from autovec.files.meaning import Doubt


def unbound(
    node: ast.expr,
    find: Callable[[ast.expr], Any],
    is_partial: Callable[[ast.expr], bool],
    bound: dict[str, ast.expr],
) -> Any:
    """The definition that ``find`` gives; what the partials give goes into ``bound``.

    >>> f, given = ast.parse("def f(k, x, shift=0): pass").body[0], {}
    >>> call = ast.parse("partial(f, 2.0, shift=S)", mode="eval").body
    >>> unbound(call, lambda e: f, lambda e: e.id == "partial", given) is f
    True
    >>> {name: ast.unparse(value) for name, value in given.items()}
    {'k': '2.0', 'shift': 'S'}
    """
    if not isinstance(node, ast.Call) or not node.args or not is_partial(node.func):
        return find(node)
    found = unbound(node.args[0], find, is_partial, bound)
    if isinstance(found, Doubt):
        return found
    a = found.args
    free = [p.arg for p in (*a.posonlyargs, *a.args) if p.arg not in bound]
    stars = any(isinstance(v, ast.Starred) for v in node.args)
    keywords = {k.arg: k.value for k in node.keywords if k.arg is not None}
    names = {*free, *(p.arg for p in a.kwonlyargs)}
    fits = len(node.args) - 1 <= len(free) and set(keywords) <= names
    if stars or len(keywords) < len(node.keywords) or not fits:
        return Doubt(ast.unparse(node)[:40], "what it gives the function is not followed")
    bound.update(zip(free, node.args[1:], strict=False))
    bound.update(keywords)
    return found
