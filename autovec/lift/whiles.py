"""A ``while`` that counts is a ``for`` over a range."""

from __future__ import annotations

from typing import Any

import gast

from autovec.syntax import quote
from autovec.syntax.scope import assigned_names, free_names
from autovec.syntax.walking import walk


def counted(node: gast.While) -> list[Any] | None:
    """The same loop over a range, and the counter's value behind it; None where it does not count.

    >>> from autovec.syntax.convert import text_of
    >>> loop = quote.stmt("while i < n:\\n    y[i] = x[i]\\n    i += 2")
    >>> print(text_of(counted(loop)))
    for i in range(i, n, 2):
        y[i] = x[i]
    if i < n:
        i += 2
    """
    test, body = node.test, node.body
    if node.orelse or not isinstance(test, gast.Compare) or len(test.ops) != 1 or len(body) < 2:
        return None
    if not isinstance(test.ops[0], gast.Lt) or not isinstance(test.left, gast.Name):
        return None
    name, stop, last = test.left.id, test.comparators[0], body[-1]
    if (
        not isinstance(last, gast.AugAssign) or not isinstance(last.op, gast.Add)
        or not isinstance(last.target, gast.Name) or last.target.id != name
        or not isinstance(last.value, gast.Constant) or type(last.value.value) is not int
        or last.value.value < 1
    ):  # fmt: skip
        return None
    rest = body[:-1]
    bound = assigned_names(rest)
    if name in bound or name in free_names(stop) or bound & free_names(stop) - {"len"}:
        return None
    for part in walk([stop]):
        plain = isinstance(part, (gast.Name, gast.Constant, gast.BinOp, gast.operator))
        call: Any = part
        length = isinstance(call, gast.Call) and isinstance(call.func, gast.Name)
        if not plain and not (length and call.func.id == "len"):
            return None
    if any(isinstance(p, (gast.Break, gast.Continue)) for p in walk(rest)):
        return None
    step = last.value.value
    header = quote.stmt(
        "for i in range(i, n, s):\n    body" if step != 1 else "for i in range(i, n):\n    body",
        i=name, n=stop, body=rest, **({"s": step} if step != 1 else {}),
    )  # fmt: skip
    after = quote.stmt("if i < n:\n    i += s", i=name, n=stop, s=step)
    gast.copy_location(header, node)
    gast.copy_location(after, node)
    return [header, after]
