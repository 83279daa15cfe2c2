"""Expressions over several lines: where a line is too long, the tree says where it is broken.

A laid-out expression is one string: its first line starts at a given column, and the lines after it
carry their own indentation. A line may end only inside brackets: an expression that has none of its
own gets parentheses.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from autovec.emit.astor_printer import Text, quoted
from autovec.emit.comments import WIDTH
from autovec.emit.pieces import (
    Item,
    enclosed,
    excess_of,
    f_string_words,
    filled,
    item_of,
    keyword_item,
    string_words,
    width_of,
)
from autovec.emit.precedence import (
    ATOM,
    BIT_OR,
    COMPARE,
    OR,
    SYMBOLS,
    TEST,
    TUPLE,
    has_long_chain,
    level_of,
    operands,
    where_cases,
)


class Layout:
    """Lays out the expressions of one statement; `hang` is the column of a hanging indent.

    >>> from autovec.emit.astor_printer import printed
    >>> node = ast.parse("f(" + "number + " * 11 + "1, 2)", mode="eval").body
    >>> print(Layout(printed, 4).expr(node, 9))
    f(number + number + number + number + number + number + number + number + number + number
               + number + 1,
               2)
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
                inner = self._piece(prefix, node, level, col, room)
            broken = "\n" in inner
            block += inner + end
        return block

    def _piece(self, prefix: str, node: ast.expr, level: int, col: int, tail: int) -> str:
        """One item on lines of its own; a dict's value may stand below its key."""

        def beside() -> str:
            return prefix + self.expr(node, col + len(prefix), tail, level)

        def below() -> str:
            return f"{prefix[:-1]}\n{' ' * (col + 4)}{self.expr(node, col + 4, tail, level)}"

        return self.best(col, tail, beside, *([below] if prefix.endswith(": ") else []))

    # Brackets

    def brackets(
        self, head: str, items: list[Item], close: str, col: int, tail: int, fill: bool = True
    ) -> str:
        """`head`, which ends in an opening bracket, the items, and the closing bracket."""
        start, room = width_of(head, col), tail + len(close)

        def aligned() -> str:
            return head + self.pieces(items, start, room, ",", fill) + close

        def hanging() -> str:
            outer = self.hang
            self.hang = outer + 4
            block = self.pieces(items, outer, room, ",", False)
            self.hang = outer
            return f"{head}\n{' ' * outer}{block}{close}"

        return self.best(col, tail, aligned, hanging)

    def lay_Call(self, node: ast.Call, col: int, tail: int, bracketed: bool) -> str:
        cases, last = where_cases(node)
        if last is not None:
            chain = self.where_chain(node, cases, last, col, tail)
            if not excess_of(chain, col, tail):
                return chain
        head = self.expr(node.func, col, 1, ATOM, bracketed)
        first = node.args[0] if node.args else None
        if isinstance(first, ast.GeneratorExp) and len(node.args) == 1 and not node.keywords:
            return head + self.lay_GeneratorExp(first, width_of(head, col), tail, True)
        items = [*map(item_of, node.args), *map(keyword_item, node.keywords)]
        return self.brackets(head + "(", items, ")", col, tail)

    def where_chain(
        self,
        node: ast.Call,
        cases: list[tuple[ast.expr, ast.expr]],
        last: ast.expr,
        col: int,
        tail: int,
    ) -> str:
        """One case a line, each `np.where` below the first, the else below the last test."""
        head = self.flat(node.func) + "("
        inner = col + len(head)
        lines = []
        for test, value in cases:
            items = [item_of(test), item_of(value)]
            lines.append(head + self.pieces(items, inner, 1, ",", True) + ",")
        end = ")" * len(cases)
        lines.append(" " * len(head) + self.expr(last, inner, tail + len(end)) + end)
        return ("\n" + " " * col).join(lines)

    def lay_Subscript(self, node: ast.Subscript, col: int, tail: int, bracketed: bool) -> str:
        head = self.expr(node.value, col, 1, ATOM, bracketed) + "["
        items: list[Item] = [("", node.slice, TUPLE)]
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1:
            items = [item_of(item) for item in node.slice.elts]
        return self.brackets(head, items, "]", col, tail)

    def lay_Attribute(self, node: ast.Attribute, col: int, tail: int, bracketed: bool) -> str:
        end = "." + node.attr
        return self.expr(node.value, col, tail + len(end), ATOM, bracketed) + end

    def lay_Tuple(self, node: ast.Tuple, col: int, tail: int, bracketed: bool) -> str:
        comma = "," if len(node.elts) == 1 else ""
        items = [item_of(item) for item in node.elts]
        if bracketed:
            return self.pieces(items, col, tail + len(comma), ",", False) + comma
        return self.brackets("(", items, comma + ")", col, tail, False)

    def lay_List(self, node: ast.List, col: int, tail: int, bracketed: bool) -> str:
        return self._display(node.elts, "[", "]", col, tail)

    def lay_Set(self, node: ast.Set, col: int, tail: int, bracketed: bool) -> str:
        return self._display(node.elts, "{", "}", col, tail)

    def _display(self, items: list[ast.expr], head: str, close: str, col: int, tail: int) -> str:
        # One item a line, but a table of plain numbers or names fills its lines.
        fill = all(isinstance(item, (ast.Constant, ast.UnaryOp, ast.Name)) for item in items)
        return self.brackets(head, [item_of(item) for item in items], close, col, tail, fill)

    def lay_Dict(self, node: ast.Dict, col: int, tail: int, bracketed: bool) -> str:
        items: list[Item] = [
            (f"{self.flat(key, TEST)}: ", value, TEST) if key is not None else ("**", value, BIT_OR)
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return self.brackets("{", items, "}", col, tail, False)

    def _comprehension(
        self, first: Item, generators: list[ast.comprehension], ends: str, col: int, tail: int
    ) -> str:
        items = [first]
        for part in generators:
            word = "async for" if part.is_async else "for"
            items.append((f"{word} {self.flat(part.target)} in ", part.iter, OR))
            items += [("if ", test, OR) for test in part.ifs]
        return ends[0] + self.pieces(items, col + 1, tail + 1, "", False) + ends[1]

    def lay_ListComp(self, node: ast.ListComp, col: int, tail: int, bracketed: bool) -> str:
        return self._comprehension(item_of(node.elt), node.generators, "[]", col, tail)

    def lay_SetComp(self, node: ast.SetComp, col: int, tail: int, bracketed: bool) -> str:
        return self._comprehension(item_of(node.elt), node.generators, "{}", col, tail)

    def lay_GeneratorExp(
        self, node: ast.GeneratorExp, col: int, tail: int, bracketed: bool
    ) -> str:
        return self._comprehension(item_of(node.elt), node.generators, "()", col, tail)

    def lay_DictComp(self, node: ast.DictComp, col: int, tail: int, bracketed: bool) -> str:
        first = (f"{self.flat(node.key, TEST)}: ", node.value, TEST)
        return self._comprehension(first, node.generators, "{}", col, tail)

    # Operators

    def chain(self, items: list[Item], col: int, tail: int, bracketed: bool, fill: bool) -> str:
        """Operands with an operator at the start of a line, or all joined and one broken."""

        def at_operators() -> str:
            return enclosed(
                lambda c, t: self.pieces(items, c, t, "", fill), col, tail, bracketed
            )

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
        order = (inside, at_operators) if alone else (at_operators, inside)
        return self.best(col, tail, *order)

    def lay_BinOp(self, node: ast.BinOp, col: int, tail: int, bracketed: bool) -> str:
        masks = isinstance(node.op, (ast.BitAnd, ast.BitOr))
        return self.chain(list(operands(node)), col, tail, bracketed, not masks)

    def lay_BoolOp(self, node: ast.BoolOp, col: int, tail: int, bracketed: bool) -> str:
        symbol, level = SYMBOLS[type(node.op)] + " ", level_of(node) + 1
        items: list[Item] = [(symbol if k else "", v, level) for k, v in enumerate(node.values)]
        return self.chain(items, col, tail, bracketed, False)

    def lay_Compare(self, node: ast.Compare, col: int, tail: int, bracketed: bool) -> str:
        items: list[Item] = [("", node.left, COMPARE + 1)]
        for op, right in zip(node.ops, node.comparators, strict=True):
            items.append((SYMBOLS[type(op)] + " ", right, COMPARE + 1))
        return self.chain(items, col, tail, bracketed, True)

    def lay_IfExp(self, node: ast.IfExp, col: int, tail: int, bracketed: bool) -> str:
        items: list[Item] = [
            ("", node.body, OR),
            ("if ", node.test, OR),
            ("else ", node.orelse, TEST),
        ]
        return self.chain(items, col, tail, bracketed, False)

    def lay_Slice(self, node: ast.Slice, col: int, tail: int, bracketed: bool) -> str:
        items: list[Item] = [("", node.lower, TEST), (":", node.upper, TEST)]
        if node.step is not None:
            items.append((":", node.step, TEST))
        return self.chain(items, col, tail, bracketed, False)

    def lay_UnaryOp(self, node: ast.UnaryOp, col: int, tail: int, bracketed: bool) -> str:
        symbol = SYMBOLS[type(node.op)]
        return symbol + self.expr(
            node.operand, col + len(symbol), tail, level_of(node), bracketed
        )

    def lay_Starred(self, node: ast.Starred, col: int, tail: int, bracketed: bool) -> str:
        return "*" + self.expr(node.value, col + 1, tail, BIT_OR, bracketed)

    def lay_NamedExpr(self, node: ast.NamedExpr, col: int, tail: int, bracketed: bool) -> str:
        head = f"({self.flat(node.target)} := "
        return f"{head}{self.expr(node.value, col + len(head), tail + 1)})"

    def lay_Lambda(self, node: ast.Lambda, col: int, tail: int, bracketed: bool) -> str:
        parameters = ast.unparse(node.args)
        head = f"lambda {parameters}: " if parameters else "lambda: "
        return head + self.expr(node.body, col + len(head), tail, TEST, bracketed)

    # Strings: adjacent literals are one

    def lay_Constant(self, node: ast.Constant, col: int, tail: int, bracketed: bool) -> str:
        if isinstance(node.value, bytes):  # each byte as the character of its number
            words = string_words(node.value.decode("latin-1"), 8)
            return self._literals(
                node, words, lambda text: repr(text.encode("latin-1")), col, tail, bracketed
            )
        words = string_words(node.value) if isinstance(node.value, str) else []
        return self._literals(node, words, quoted, col, tail, bracketed)

    def lay_JoinedStr(self, node: ast.JoinedStr, col: int, tail: int, bracketed: bool) -> str:
        words = f_string_words(node)
        return self._literals(node, words, lambda text: f'f"{text}"', col, tail, bracketed)

    def _literals(
        self,
        node: ast.expr,
        words: list[str],
        literal: Callable[[str], str],
        col: int,
        tail: int,
        bracketed: bool,
    ) -> str:
        if len(words) < 2:
            return self.flat(node)
        return enclosed(lambda c, t: filled(words, literal, c, t), col, tail, bracketed)
