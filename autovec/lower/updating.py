"""Stores that change what they read: ``out[k] += v``."""

from __future__ import annotations

import gast

from autovec.syntax import quote

#: the operators that have a form in place
SIGNS: dict[type, str] = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.FloorDiv: "//",
    gast.Mod: "%", gast.Pow: "**", gast.BitAnd: "&", gast.BitOr: "|", gast.BitXor: "^",
    gast.LShift: "<<", gast.RShift: ">>",
}  # fmt: skip


def in_place(made: gast.stmt) -> gast.stmt:
    """``out[k] += v`` for ``out[k] = out[k] + v``.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(in_place(quote.stmt("out[k] = out[k] * 2")))
    'out[k] *= 2'
    >>> text_of(in_place(quote.stmt("a[0] = b[0] + 1")))
    'a[0] = b[0] + 1'
    """
    if not isinstance(made, gast.Assign) or not isinstance(made.value, gast.BinOp):
        return made
    target, value = made.targets[0], made.value
    if not isinstance(target, gast.Subscript):
        return made
    read = quote.in_context(target, gast.Load())
    if isinstance(value.op, gast.MatMult) or gast.dump(value.left) != gast.dump(read):
        return made
    sign = SIGNS[type(value.op)]
    return quote.stmt(f"target {sign}= value", target=target, value=value.right)
