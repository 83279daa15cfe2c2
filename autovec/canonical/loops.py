"""Loops made simpler: without ``continue``, and with ``else`` as a branch on a flag.

>>> from autovec.syntax.quote import stmts
>>> from autovec.syntax.convert import text_of
>>> for s in without_continue(stmts('''
... for i in x:
...     if i < 0:
...         n = n + 1
...         continue
...     s = s + i
... ''')[0].body):
...     print(text_of(s))
if i < 0:
    n = n + 1
else:
    s = s + i
"""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.syntax import quote
from autovec.syntax.build import branch
from autovec.syntax.walking import updated

#: statements that a loop's body may grow to when what follows a ``continue`` is copied
_MOST = 400
_LOOPS = (gast.For, gast.While, gast.AsyncFor)
_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def without_continue(body: list[gast.stmt]) -> list[gast.stmt]:
    """The same body where what a ``continue`` skips stands in the other branch."""
    if not any(leaves(s, gast.Continue) for s in body):
        return body
    budget = [_MOST]
    return _rest(body, budget)


def _rest(body: list[gast.stmt], budget: list[int]) -> list[gast.stmt]:
    done: list[gast.stmt] = []
    for k, node in enumerate(body):
        budget[0] -= 1
        if budget[0] < 0:
            why = "the code they skip would be copied too often"
            raise Unsupported(node, "a loop with many nested continue", why)
        if isinstance(node, gast.Continue):
            return done
        if isinstance(node, gast.If) and leaves(node, gast.Continue):
            rest = body[k + 1 :]
            then = _rest([*node.body, *rest], budget)
            orelse = _rest([*node.orelse, *rest], budget)
            made = branch(node.test, then or [quote.stmt("pass")], orelse)
            return [*done, gast.copy_location(made, node)]
        if leaves(node, gast.Continue):
            what = f"continue inside {type(node).__name__.lower()}"
            raise Unsupported(node, what, "what it skips is not a branch")
        done.append(node)
    return done


def leaves(node: Any, kind: type, depth: int = 0) -> bool:
    """Does a ``break`` or ``continue`` of the loop around stand inside this statement?"""
    if isinstance(node, kind):
        return True
    if isinstance(node, _SCOPES):
        return False
    if isinstance(node, _LOOPS):
        return any(leaves(s, kind, depth) for s in node.orelse)
    return any(
        leaves(inner, kind, depth)
        for field in ("body", "orelse", "handlers", "finalbody", "cases")
        for inner in getattr(node, field, ())
    )


def flagged_breaks(body: list[gast.stmt], flag: str) -> list[gast.stmt]:
    """The body with ``flag = True`` before each ``break`` of its loop."""
    made: list[gast.stmt] = []
    for node in body:
        if isinstance(node, gast.Break):
            assign = quote.stmt("flag = True", flag=flag)
            made += [gast.copy_location(assign, node), node]
        elif isinstance(node, gast.If):
            then, orelse = flagged_breaks(node.body, flag), flagged_breaks(node.orelse, flag)
            made.append(updated(node, body=then, orelse=orelse))
        elif leaves(node, gast.Break):
            what = f"break inside {type(node).__name__.lower()}"
            raise Unsupported(node, what, "the loop has an else")
        else:
            made.append(node)
    return made
