"""Where each kind of expression is broken when its line is too long."""

from __future__ import annotations

import ast
from collections.abc import Callable

from autovec.emit.astor_printer import quoted
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
    level_of,
    operands,
    where_cases,
)
from autovec.emit.spread import Spread


class Layout(Spread):
    """Lays out the expressions of one statement; `hang` is the column of a hanging indent.

    >>> from autovec.emit.astor_printer import printed
    >>> node = ast.parse("f(" + "number + " * 11 + "1, 2)", mode="eval").body
    >>> print(Layout(printed, 4).expr(node, 9))
    f(number + number + number + number + number + number + number + number + number + number
               + number + 1,
               2)
    """

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
        if not node.elts:
            return "()"
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
        pairs = list(zip(node.keys, node.values, strict=True))

        def content(start: int, room: int, aligned: bool) -> str:
            items = [
                self._entry(key, value, start, room if pair == len(pairs) - 1 else 1)
                for pair, (key, value) in enumerate(pairs)
            ]
            return (",\n" + " " * start).join(items)

        return self.around("{", content, "}", col, tail)

    def _entry(self, key: ast.expr | None, value: ast.expr, col: int, tail: int) -> str:
        """`key: value`, the value below its key where it does not fit behind it."""
        if key is None:
            return "**" + self.expr(value, col + 2, tail, BIT_OR)
        head = self.expr(key, col, 2) + ":"
        return self.best(
            col,
            tail,
            lambda: f"{head} {self.expr(value, width_of(head, col) + 1, tail)}",
            lambda: f"{head}\n{' ' * (col + 4)}{self.expr(value, col + 4, tail)}",
        )

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

    def lay_GeneratorExp(self, node: ast.GeneratorExp, col: int, tail: int, bracketed: bool) -> str:
        return self._comprehension(item_of(node.elt), node.generators, "()", col, tail)

    def lay_DictComp(self, node: ast.DictComp, col: int, tail: int, bracketed: bool) -> str:
        first = (f"{self.flat(node.key, TEST)}: ", node.value, TEST)
        return self._comprehension(first, node.generators, "{}", col, tail)

    # Operators

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
        return symbol + self.expr(node.operand, col + len(symbol), tail, level_of(node), bracketed)

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
