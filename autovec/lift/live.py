"""Which names are read later: what a lifted loop has to leave behind."""

from __future__ import annotations

from typing import Any

import gast

from autovec.syntax.scope import assigned_names, free_names
from autovec.syntax.walking import walk


def live_before(body: list[gast.stmt], after: frozenset[str]) -> frozenset[str]:
    """The names whose values may be read by these statements or after them.

    >>> from autovec.syntax.quote import stmts
    >>> sorted(live_before(stmts("for i in range(n):\\n    s = s + x[i]"), frozenset({"s"})))
    ['n', 'range', 's', 'x']
    """
    for node in reversed(body):
        after = _before(node, after)
    return after


def _before(node: Any, after: frozenset[str]) -> frozenset[str]:
    if isinstance(node, (gast.Assign, gast.AnnAssign)):
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        plain = {t.id for t in targets if isinstance(t, gast.Name)}
        for target in targets:
            if isinstance(target, gast.Tuple):
                plain |= {t.id for t in target.elts if isinstance(t, gast.Name)}
        return (after - plain) | free_names(node)
    if isinstance(node, gast.If):
        then, orelse = live_before(node.body, after), live_before(node.orelse, after)
        return then | orelse | free_names(node.test)
    if isinstance(node, (gast.For, gast.While)) and _jumps(node.body):
        rest = live_before(node.orelse, after) | after
        return rest | free_names(node)
    if isinstance(node, gast.For):
        bound = assigned_names(node.target)
        rest = live_before(node.orelse, after) | after
        first = live_before(node.body, rest) - bound
        # what one turn leaves for the next
        again = live_before(node.body, rest | first) - bound
        return rest | first | again | free_names(node.iter)
    if isinstance(node, gast.While):
        rest = live_before(node.orelse, after) | after | free_names(node.test)
        first = live_before(node.body, rest)
        return rest | first | live_before(node.body, rest | first)
    if isinstance(node, gast.Return):
        return frozenset(free_names(node.value)) if node.value is not None else frozenset()
    if isinstance(node, (gast.Raise,)):
        return frozenset(free_names(node))
    return after | free_names(node)


def _jumps(body: list[gast.stmt]) -> bool:
    return any(isinstance(n, (gast.Break, gast.Continue)) for n in walk(body))


def exposed(body: list[gast.stmt]) -> frozenset[str]:
    """The names that statements may read before they assign them."""
    return live_before(body, frozenset())


def carried(body: list[gast.stmt], after: frozenset[str]) -> set[str]:
    """The names that a loop's body hands from one turn to the next, or to what follows it.

    A name that some turns do not set is one of them if it is read later.

    >>> from autovec.syntax.quote import stmts
    >>> body = stmts("s = s + 1\\nif s > 2:\\n    last = s\\nt = s")
    >>> sorted(carried(body, frozenset({"last", "t"})))
    ['last', 's']
    """
    bound = assigned_names(body)
    later = {name for name in bound & after if name in live_before(body, frozenset({name}))}
    return (set(exposed(body)) & bound) | later
