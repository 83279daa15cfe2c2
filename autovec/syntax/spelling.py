"""Numbers as the user spells them: ``1e-3``, ``0x10``, ``1_000``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import gast


def spell(tree: gast.AST, lines: Sequence[str]) -> None:
    """Note on each number of a tree how it is written, where it is not as Python writes it.

    The field ``kind``, in which the parser keeps the ``u`` of a string, holds the text.

    >>> from autovec.syntax.convert import to_gast
    >>> line = "x = 1_000 + 2.5e-03 + 7"
    >>> tree = to_gast(ast.parse(line))
    >>> spell(tree, [line])
    >>> sorted(n.kind or "" for n in gast.walk(tree) if isinstance(n, gast.Constant))
    ['', '1_000', '2.5e-03']
    """
    for node in gast.walk(tree):
        if not isinstance(node, gast.Constant) or type(node.value) not in (int, float, complex):
            continue
        first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if first is None or first != last or first > len(lines):
            continue
        line = lines[first - 1].encode()
        text = line[node.col_offset : node.end_col_offset].decode(errors="replace")
        if text != repr(node.value) and _is(text, node.value):
            node.kind = text


def _is(text: str, value: object) -> bool:
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return type(found) is type(value) and repr(found) == repr(value)
