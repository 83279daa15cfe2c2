"""How an expression is spread over lines: what is tried, and in which order.

A laid-out expression is one string: its first line starts at a given column, and the lines after it
carry their own indentation. A line may end only inside brackets: an expression that has none of its
own gets parentheses.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from autovec.emit.astor_printer import Text
from autovec.emit.comments import WIDTH
from autovec.emit.pieces import Item, enclosed, excess_of, outdented, width_of
from autovec.emit.precedence import TEST, TUPLE, has_long_chain, level_of


class Spread:
    """Lays out the expressions of one statement; `hang` is the column of a hanging indent.

    A subclass has a method `lay_X` for each class X of expressions that can be broken.
    """

    def __init__(self, text: Text, hang: int) -> None:
        self.text = text
        self.hang = hang
        self._flat: dict[int, str] = {}
        self._laid: dict[tuple[int, ...], str] = {}

    def expr(
        self, node: ast.expr, col: int, tail: int = 0, level: int = TEST, bracketed: bool = True
    ) -> str:
        """The expression from column `col`, leaving `tail` columns free behind it.

        `bracketed` tells that some bracket is open, so that a line may end anywhere.
        """
        flat = self.flat(node, level)
        if not self._too_long(node, flat, col, tail):
            return flat
        if level_of(node) < level:
            return f"({self.expr(node, col + 1, tail + 1, TUPLE)})"
        lay = getattr(self, "lay_" + type(node).__name__, None)
        if lay is None:
            return flat
        # Each level of nesting may try several layouts: without a memory that is exponential.
        key = (id(node), col, tail, bracketed, self.hang)
        if key not in self._laid:
            self._laid[key] = lay(node, col, tail, bracketed)
        return self._laid[key]

    def flat(self, node: ast.expr | None, level: int = TUPLE) -> str:
        """The expression on one line, in parentheses where the level asks for them."""
        if node is None:
            return ""
        text = self._flat.get(id(node))
        if text is None:
            text = self._flat[id(node)] = self.text(node)
        return f"({text})" if level_of(node) < level else text

    def best(self, col: int, tail: int, *layouts: Callable[[], str]) -> str:
        """The first layout that keeps to the width, else the one that exceeds it least."""
        blocks: list[tuple[int, int, str]] = []
        for layout in layouts:
            block = layout()
            excess = excess_of(block, col, tail)
            if not excess:
                return block
            blocks.append((excess, len(blocks), block))
        return min(blocks)[2]

    @staticmethod
    def _too_long(node: ast.expr | None, flat: str, col: int, tail: int) -> bool:
        return col + len(flat) + tail > WIDTH or (node is not None and has_long_chain(node, flat))

    def pieces(self, items: list[Item], col: int, tail: int, comma: str, fill: bool) -> str:
        """The items from column `col`, one a line or filled, `comma` after all but the last."""
        block = ""
        broken = False
        for index, (prefix, node, level) in enumerate(items):
            end, room = (comma, len(comma)) if index < len(items) - 1 else ("", tail)
            flat = prefix + self.flat(node, level)
            used = width_of(block, col) + 1
            if block and fill and not broken and not self._too_long(node, flat, used, room):
                block += f" {flat}{end}"
                continue
            if block:
                block += "\n" + " " * col
            inner = flat
            if node is not None:
                inner = prefix + self.expr(node, col + len(prefix), room, level)
            broken = "\n" in inner
            block += inner + end
        return block

    # Brackets

    def brackets(
        self, head: str, items: list[Item], close: str, col: int, tail: int, fill: bool = True
    ) -> str:
        """`head`, which ends in an opening bracket, the items, and the closing bracket."""

        def content(start: int, room: int, aligned: bool) -> str:
            return self.pieces(items, start, room, ",", fill and aligned)

        return self.around(head, content, close, col, tail)

    def around(
        self, head: str, content: Callable[[int, int, bool], str], close: str, col: int, tail: int
    ) -> str:
        """The content aligned behind `head`, or below it at a hanging indent."""
        room = tail + len(close)

        def aligned() -> str:
            return head + content(width_of(head, col), room, True) + close

        def hanging() -> str:
            outer = self.hang
            self.hang = outer + 4
            block = content(outer, room, False)
            self.hang = outer
            return f"{head}\n{' ' * outer}{block}{close}"

        return self.best(col, tail, aligned, hanging)

    def chain(self, items: list[Item], col: int, tail: int, bracketed: bool, fill: bool) -> str:
        """Operands with an operator at the start of a line, or all joined and one broken."""

        def at_operators() -> str:
            return enclosed(lambda c, t: self.pieces(items, c, t, "", fill), col, tail, bracketed)

        def inside() -> str:
            block = ""
            for index, (prefix, node, level) in enumerate(items):
                block += (" " if block else "") + prefix
                room = tail if index == len(items) - 1 else 0
                if node is not None:
                    block += self.expr(node, width_of(block, col), room, level, bracketed)
            return block

        alone = any(
            self._too_long(node, prefix + self.flat(node, level), col + 1, 1)
            for prefix, node, level in items
        )
        if alone and not outdented(block := inside(), col) and not excess_of(block, col, tail):
            return block
        return self.best(col, tail, at_operators, inside)
