"""Which names of a loop's body may differ from one lane to the next."""

from __future__ import annotations

from typing import Any

import gast

from autovec.syntax.scope import assigned_names, free_names


def varying_names(body: list[Any], own: set[str]) -> set[str]:
    """The names that may differ between the lanes, once these statements have run.

    >>> from autovec.syntax.quote import stmts
    >>> body = stmts("n += 1\\nif n > x:\\n    m = 2\\nz = z + m")
    >>> sorted(varying_names(body, {"x"}))
    ['m', 'x', 'z']
    """
    found = set(own)
    while True:
        size = len(found)
        _spread(body, found, False)
        if len(found) == size:
            return found


def _spread(body: list[Any], found: set[str], under: bool) -> None:
    node: Any
    for node in body:
        inside = under
        if isinstance(node, (gast.If, gast.While)):
            inside |= bool(free_names(node.test) & found)
        if isinstance(node, (gast.If, gast.While, gast.For)):
            leaving = isinstance(node, gast.If) and isinstance(node.body[-1], gast.Break)
            if not leaving:
                _spread(node.body, found, inside)
            _spread(node.orelse, found, inside)
            continue
        if isinstance(node, (gast.Assign, gast.AugAssign)) and (under or free_names(node) & found):
            found |= assigned_names(node)
