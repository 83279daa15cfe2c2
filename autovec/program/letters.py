"""``for c in text``: the letters of strings that differ between lanes, place by place.

    for c in text:          ->      for k in range(len(text)):
        body                            c = text[k : k + 1]
                                        body

A lane leaves the loop at the end of its own string.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from autovec.program.build import Builder
from autovec.program.marks import Mark
from autovec.program.strings import SLICES
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.walking import located, updated


def over_letters(
    b: Builder, node: gast.For, hidden: Callable[[str], str]
) -> list[gast.stmt] | None:
    """The loop by place that a loop over a string is; None for a loop over anything else."""
    over: gast.expr = node.iter
    text_node, target, counter = over, node.target, None
    pair = node.target.elts if isinstance(node.target, gast.Tuple) else []
    if isinstance(over, gast.Call) and len(pair) == 2 and _enumerates(b, over):
        counter, target = pair
        text_node = over.args[0]
    if not isinstance(text_node, (gast.Name, gast.Attribute, gast.Subscript, gast.Call)):
        return None
    mark = Mark(b)
    thing = b.attempt(text_node)
    if not isinstance(thing, Value) or thing.fact.kind != "U" or not thing.varying or not SLICES:
        mark.restore(b)  # it is looked at once more: what it changes is changed then
        return None
    text, place = hidden("text"), hidden("place")
    b.env[text] = thing
    template = "target = text[k:k + 1]\nbody"
    body = quote.stmts(template, target=target, text=text, k=place, body=node.body)
    if counter is not None:
        body = [quote.stmt("counter = k", counter=counter, k=place), *body]
    loop = quote.stmt("for k in range(len(text)):\n    body", k=place, text=text, body=body)
    return [located(updated(loop, orelse=node.orelse), node)]


def _enumerates(b: Builder, node: gast.Call) -> bool:
    """Is it ``enumerate(text)``?"""
    if not isinstance(node.func, gast.Name):
        return False
    own = node.func.id in b.env or b.scope.lookup(node.func.id) is not enumerate
    return not own and len(node.args) == 1 and not node.keywords
