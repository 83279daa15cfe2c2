"""Which names are read later: what a lifted loop has to leave behind."""

from __future__ import annotations

from typing import Any

import gast

from autovec.syntax.scope import assigned_names, free_names


def live_before(
    body: list[gast.stmt],
    after: frozenset[str],
    broken: frozenset[str] | None = None,
    again: frozenset[str] | None = None,
) -> frozenset[str]:
    """The names whose values may be read by these statements or after them.

    `broken` and `again` are those read behind a ``break`` and a ``continue`` of the loop around.

    >>> from autovec.syntax.quote import stmts
    >>> sorted(live_before(stmts("for i in range(n):\\n    s = s + x[i]"), frozenset({"s"})))
    ['n', 'range', 's', 'x']
    """
    for node in reversed(body):
        after = _before(node, after, broken, again)
    return after


def _before(
    node: Any, after: frozenset[str], broken: frozenset[str] | None, again: frozenset[str] | None
) -> frozenset[str]:
    if isinstance(node, gast.Break):
        return after if broken is None else broken
    if isinstance(node, gast.Continue):
        return after if again is None else again
    if isinstance(node, (gast.Assign, gast.AnnAssign)):
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        plain = {t.id for t in targets if isinstance(t, gast.Name)}
        for target in targets:
            if isinstance(target, gast.Tuple):
                plain |= {t.id for t in target.elts if isinstance(t, gast.Name)}
        return (after - plain) | free_names(node)
    if isinstance(node, gast.If):
        then = live_before(node.body, after, broken, again)
        orelse = live_before(node.orelse, after, broken, again)
        return then | orelse | free_names(node.test)
    if isinstance(node, gast.For):
        bound = assigned_names(node.target)
        end = live_before(node.orelse, after, broken, again)
        head = end
        for _ in range(2):  # what one turn leaves for the next
            head |= live_before(node.body, head, after, head) - bound
        return head | free_names(node.iter)
    if isinstance(node, gast.While):
        end = live_before(node.orelse, after, broken, again)
        head = end | free_names(node.test)
        for _ in range(2):
            head |= live_before(node.body, head, after, head)
        return head
    if isinstance(node, gast.Return):
        return frozenset(free_names(node.value)) if node.value is not None else frozenset()
    if isinstance(node, (gast.Raise,)):
        return frozenset(free_names(node))
    return after | free_names(node)


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
