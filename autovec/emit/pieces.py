"""What laid-out text is made of: pieces between commas or operators, columns, adjacent strings."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from autovec.emit.astor_printer import f_string_pieces
from autovec.emit.comments import WIDTH
from autovec.emit.precedence import TEST

# One piece of a list or chain: the text before it, the expression or None, the level it needs.
Item = tuple[str, ast.expr | None, int]
# Lays something out from a column, with columns to leave free behind it.
Lay = Callable[[int, int], str]


def item_of(node: ast.expr) -> Item:
    """An argument or item of a display."""
    return "", node, TEST


def keyword_item(keyword: ast.keyword) -> Item:
    """`name=value` or `**value`."""
    return (f"{keyword.arg}=" if keyword.arg else "**"), keyword.value, TEST


def width_of(block: str, col: int) -> int:
    """The column behind a block that starts at column `col`.

    >>> width_of("f(a,", 4), width_of("f(a,\\n      b)", 4)
    (8, 8)
    """
    newline = block.rfind("\n")
    return col + len(block) if newline < 0 else len(block) - newline - 1


def excess_of(block: str, col: int, tail: int) -> int:
    """By how many columns the block's longest line is too long, with `tail` columns behind it."""
    widths = [len(line) for line in block.split("\n")]
    widths[0] += col
    widths[-1] += tail
    return max(0, max(widths) - WIDTH)


def outdented(block: str, col: int) -> bool:
    """Whether some line of the block starts to the left of `col`."""
    return any(line[:col].strip() for line in block.split("\n")[1:])


def enclosed(lay: Lay, col: int, tail: int, bracketed: bool) -> str:
    """`lay` in parentheses of its own unless some bracket is open anyway."""
    return lay(col, tail) if bracketed else f"({lay(col + 1, tail + 1)})"


def string_words(value: str, longest: int = 60) -> list[str]:
    """Where a string may be cut: behind its spaces, or anywhere in words over `longest`.

    >>> string_words("a word, a verylongword", 8)
    ['a ', 'word, ', 'a ', 'verylong', 'word']
    """
    return re.findall(rf"[^ ]{{0,{longest}}} |[^ ]{{1,{longest}}}", value, re.DOTALL)


def f_string_words(node: ast.JoinedStr) -> list[str]:
    """Where an f-string may be cut: behind its spaces and around its holes; empty if nowhere."""
    return [
        word
        for part, piece in zip(node.values, f_string_pieces(node) or [], strict=False)
        for word in (re.split("(?<= )", piece) if isinstance(part, ast.Constant) else [piece])
    ]


def filled(words: list[str], literal: Callable[[str], str], col: int, tail: int) -> str:
    """Adjacent string literals, each of as many words as its line holds."""
    lines = [""]
    for word in words:
        if lines[-1] and col + len(literal(lines[-1] + word)) + tail > WIDTH:
            lines.append("")
        lines[-1] += word
    return ("\n" + " " * col).join(map(literal, lines))
