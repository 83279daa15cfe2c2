"""The names that a function assigns in one place, which runs once at most."""

from __future__ import annotations

from collections import Counter

import gast

_REPEATED = (gast.For, gast.AsyncFor, gast.While)
_INNER = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)


def assigned_once(tree: gast.AST) -> frozenset[str]:
    """The names whose only assignment is a statement outside of loops and inner functions.

    >>> from autovec.syntax.quote import stmts
    >>> body = "k = 2\\na, b = 1, 2\\nfor i in r:\\n    c = i\\n    b += 1"
    >>> sorted(assigned_once(gast.Module(stmts(body), [])))
    ['a', 'k']
    """
    stored: Counter[str] = Counter()
    for node in gast.walk(tree):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            stored[node.id] += 1
    once: set[str] = set()
    todo = list(getattr(tree, "body", [])) if isinstance(getattr(tree, "body", None), list) else []
    while todo:
        node = todo.pop()
        if isinstance(node, gast.Assign):
            targets = [n for t in node.targets for n in gast.walk(t) if isinstance(n, gast.Name)]
            once |= {n.id for n in targets if stored[n.id] == 1}
        elif isinstance(node, gast.AnnAssign) and isinstance(node.target, gast.Name):
            once |= {node.target.id} if stored[node.target.id] == 1 else set()
        elif not isinstance(node, (*_REPEATED, *_INNER)):
            blocks = (getattr(node, f, None) or [] for f in ("body", "orelse", "finalbody"))
            todo += [s for block in blocks if isinstance(block, list) for s in block]
    return frozenset(once)
