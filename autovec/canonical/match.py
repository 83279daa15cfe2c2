"""``match`` on values becomes a chain of ``if``.

>>> from autovec.syntax.quote import stmts
>>> from autovec.syntax.convert import text_of
>>> source = '''
... match k:
...     case 0 | 1:
...         y = 1
...     case n if n > 9:
...         y = n
...     case _:
...         y = 0
... '''
>>> for s in without_match(stmts(source)[0], "subject"):
...     print(text_of(s))
subject = k
if subject == 0 or subject == 1:
    y = 1
elif ((n := subject), True)[1] and n > 9:
    y = n
else:
    y = 0
"""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.syntax import quote
from autovec.syntax.build import all_of, any_of, branch
from autovec.syntax.walking import located

Bindings = list[tuple[str, gast.expr]]


def without_match(node: gast.Match, subject: str) -> list[gast.stmt]:
    """The subject under a name of its own, and the cases as branches."""
    first = quote.stmt("name = value", name=subject, value=node.subject)
    chain: list[gast.stmt] = []
    for case in reversed(node.cases):
        test, bindings = pattern(case.pattern, quote.name(subject))
        assigns = [quote.stmt("name = value", name=n, value=e) for n, e in bindings]
        body = [*assigns, *case.body]
        if case.guard is not None:  # a capture is bound before its guard is asked
            bound = [quote.expr("((name := value), True)[1]", name=n, value=e) for n, e in bindings]
            parts = [*([] if _always(test) else [test]), *bound, case.guard]
            test = all_of(parts)
            body = case.body
        chain = body if _always(test) else [branch(test, body, chain)]
    return [located(s, node) for s in (first, *chain)]


def pattern(node: Any, subject: gast.expr) -> tuple[gast.expr, Bindings]:
    """The test of a pattern, and the names it binds."""
    if isinstance(node, gast.MatchValue):
        return quote.expr("s == v", s=subject, v=node.value), []
    if isinstance(node, gast.MatchSingleton):
        return quote.expr("s is v", s=subject, v=quote.const(node.value)), []
    if isinstance(node, gast.MatchOr):
        parts = [pattern(p, subject) for p in node.patterns]
        if any(bindings for _, bindings in parts):
            raise Unsupported(
                node, "names bound in an or-pattern", "each alternative would bind its own"
            )
        return any_of([test for test, _ in parts]), []
    if isinstance(node, gast.MatchAs):
        test, bindings = (
            (quote.const(True), []) if node.pattern is None else pattern(node.pattern, subject)
        )
        return test, [*bindings, (node.name, subject)] if node.name is not None else bindings
    if isinstance(node, gast.MatchSequence):
        return sequence(node, subject)
    if isinstance(node, gast.MatchClass) and not node.patterns and not node.kwd_patterns:
        return quote.expr("isinstance(s, c)", s=subject, c=node.cls), []
    raise Unsupported(
        node,
        f"the pattern {type(node).__name__}",
        "only values and fixed sequences are matched lane by lane",
    )


def sequence(node: Any, subject: gast.expr) -> tuple[gast.expr, Bindings]:
    """A fixed sequence: its type, its length, each item."""
    count = len(node.patterns)
    stars = [k for k, p in enumerate(node.patterns) if isinstance(p, gast.MatchStar)]
    text = (
        "isinstance(s, (tuple, list)) and len(s) >= n"
        if stars
        else "isinstance(s, (tuple, list)) and len(s) == n"
    )
    tests = [quote.expr(text, s=subject, n=count - len(stars))]
    bindings: Bindings = []
    for k, p in enumerate(node.patterns):
        if isinstance(p, gast.MatchStar):
            if p.name is not None:
                after = count - k - 1
                rest = quote.expr(
                    "list(s[a:b])" if after else "list(s[a:])",
                    s=subject,
                    a=k,
                    **({"b": -after} if after else {}),
                )
                bindings.append((p.name, rest))
            continue
        place = k - count if stars and k > stars[0] else k
        test, inner = pattern(p, quote.expr("s[k]", s=subject, k=place))
        bindings += inner
        if not _always(test):
            tests.append(test)
    return all_of(tests), bindings


def _always(test: gast.expr) -> bool:
    return isinstance(test, gast.Constant) and test.value is True
