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


def without_continue(body: list[gast.stmt], flag: str = "skips") -> list[gast.stmt]:
    """The same body where what a ``continue`` skips stands in the other branch.

    A ``continue`` inside ``try`` sets a flag, and what follows the ``try`` asks for it: the
    ``finally`` clause still runs.
    """
    if not any(leaves(s, gast.Continue) for s in body):
        return body
    return _Skips(flag).rest(body, [])


class _Skips:
    """Statements without ``continue``; ``at_end`` stands where one was."""

    def __init__(self, flag: str) -> None:
        self.flag = flag
        self.budget = _MOST

    def rest(self, body: list[gast.stmt], at_end: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        for k, node in enumerate(body):
            self.budget -= 1
            if self.budget < 0:
                why = "the code they skip would be copied too often"
                raise Unsupported(node, "a loop with many nested continue", why)
            if isinstance(node, gast.Continue):
                return [*done, *(gast.copy_location(s, node) for s in at_end)]
            if not leaves(node, gast.Continue):
                done.append(node)
                continue
            following = body[k + 1 :]
            if isinstance(node, gast.If):
                then = self.rest([*node.body, *following], at_end)
                orelse = self.rest([*node.orelse, *following], at_end)
                made = branch(node.test, then or [quote.stmt("pass")], orelse)
                return [*done, gast.copy_location(made, node)]
            if isinstance(node, gast.Try) and no_handler_falls(node):
                return [*done, *self.as_else(node, following, at_end)]
            if isinstance(node, gast.Try):
                return [*done, *self.attempt(node), *self.unless(following, at_end, node)]
            what = f"continue inside {type(node).__name__.lower()}"
            raise Unsupported(node, what, "what it skips is not a branch")
        return done

    def attempt(self, node: gast.Try) -> list[gast.stmt]:
        """A ``try`` whose ``continue`` sets the flag, and which goes to its end."""
        skip = [quote.stmt("flag = True", flag=self.flag)]
        handlers: list[Any] = [*node.handlers]
        handlers = [updated(h, body=self.rest(h.body, skip)) for h in handlers]
        made = updated(
            node,
            body=self.rest(node.body, skip),
            handlers=handlers,
            orelse=self.unless(node.orelse, skip, node),
        )
        first = quote.stmt("flag = False", flag=self.flag)
        return [gast.copy_location(first, node), made]

    def as_else(
        self, node: gast.Try, following: list[gast.stmt], at_end: list[gast.stmt]
    ) -> list[gast.stmt]:
        """What follows a ``try`` that no handler comes back from stands in its ``else``."""
        parts: list[Any] = [*node.handlers]
        ends = [self.rest(h.body, at_end) or [quote.stmt("pass")] for h in parts]
        handlers = [updated(h, body=body) for h, body in zip(parts, ends, strict=True)]
        behind = [*node.orelse, *following]
        if not any(leaves(s, gast.Continue) for s in node.body):
            return [updated(node, handlers=handlers, orelse=self.rest(behind, at_end))]
        body = self.rest(node.body, [quote.stmt("flag = True", flag=self.flag)])
        made = updated(node, body=body, handlers=handlers, orelse=self.unless(behind, at_end, node))
        first = quote.stmt("flag = False", flag=self.flag)
        return [gast.copy_location(first, node), made]

    def unless(
        self, body: list[gast.stmt], at_end: list[gast.stmt], node: gast.AST
    ) -> list[gast.stmt]:
        """These statements where the flag is not set, else what stands for ``continue`` there."""
        then = self.rest(body, at_end)
        if not then and not at_end:
            return []
        made = branch(quote.name(self.flag), at_end or [quote.stmt("pass")], then)
        return [gast.copy_location(made, node)]


def no_handler_falls(node: gast.Try) -> bool:
    """Does every handler leave the trip, so that only lanes without exceptions go on behind?"""
    handlers: list[Any] = [*node.handlers]
    exits = (gast.Continue, gast.Break, gast.Return, gast.Raise)
    ends = all(isinstance(h.body[-1], exits) for h in handlers)
    return bool(handlers) and ends and not node.finalbody


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
        elif isinstance(node, gast.Try):
            handlers: list[Any] = [*node.handlers]
            handlers = [updated(h, body=flagged_breaks(h.body, flag)) for h in handlers]
            body_, orelse = flagged_breaks(node.body, flag), flagged_breaks(node.orelse, flag)
            made.append(updated(node, body=body_, handlers=handlers, orelse=orelse))
        elif leaves(node, gast.Break):
            what = f"break inside {type(node).__name__.lower()}"
            raise Unsupported(node, what, "the loop has an else")
        else:
            made.append(node)
    return made


def with_flag(node: gast.For | gast.While, flag: str) -> list[gast.stmt]:
    """A loop whose ``else`` is a branch on a flag that each break sets."""
    loop = updated(node, body=flagged_breaks(node.body, flag), orelse=[])
    made = quote.stmts(
        "flag = False\nloop\nif not flag:\n    orelse", flag=flag, loop=[loop], orelse=node.orelse
    )
    return [gast.copy_location(s, node) if s is not loop else s for s in made]
