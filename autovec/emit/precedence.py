"""Operator symbols, and how tightly each expression binds: where parentheses are needed."""

from __future__ import annotations

import ast

# Loosest first: a node whose level is below the one that its place asks for is parenthesised.
TUPLE = 0
TEST = 1  # also the level of an argument, an item and a default
OR = 2
AND = 3
NOT = 4
COMPARE = 5
BIT_OR = 6
BIT_XOR = 7
BIT_AND = 8
SHIFT = 9
SUM = 10
TERM = 11
FACTOR = 12
POWER = 13
ATOM = 14

SYMBOLS: dict[type[ast.AST], str] = {
    ast.Or: "or",
    ast.And: "and",
    ast.Not: "not ",
    ast.Invert: "~",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.MatMult: "@",
    ast.Pow: "**",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}

_BY_OPERATOR: dict[type[ast.AST], int] = {
    ast.Or: OR,
    ast.And: AND,
    ast.Not: NOT,
    ast.Invert: FACTOR,
    ast.UAdd: FACTOR,
    ast.USub: FACTOR,
    ast.BitOr: BIT_OR,
    ast.BitXor: BIT_XOR,
    ast.BitAnd: BIT_AND,
    ast.LShift: SHIFT,
    ast.RShift: SHIFT,
    ast.Add: SUM,
    ast.Sub: SUM,
    ast.Mult: TERM,
    ast.Div: TERM,
    ast.FloorDiv: TERM,
    ast.Mod: TERM,
    ast.MatMult: TERM,
    ast.Pow: POWER,
}
_BY_NODE: dict[type[ast.AST], int] = {
    ast.IfExp: TEST,
    ast.Lambda: TEST,
    ast.Compare: COMPARE,
    ast.Await: POWER,
}


def level_of(node: ast.AST) -> int:
    """How tightly the node's own operator binds.

    >>> level_of(ast.parse("a + b", mode="eval").body) == SUM
    True
    """
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp)):
        return _BY_OPERATOR[type(node.op)]
    if isinstance(node, ast.Tuple):
        return TUPLE if node.elts else ATOM
    return _BY_NODE.get(type(node), ATOM)


def operands(node: ast.BinOp) -> list[tuple[str, ast.expr, int]]:
    """The operands of a chain of one precedence: the operator before each, and the level it needs.

    >>> [(symbol, part.id) for symbol, part, _ in operands(ast.parse("a-b+c", mode="eval").body)]
    [('', 'a'), ('- ', 'b'), ('+ ', 'c')]
    """
    level = level_of(node)
    if level == POWER:  # groups to the right, and takes a sign on its right without parentheses
        return [("", node.left, ATOM), ("** ", node.right, FACTOR)]
    parts = []
    rest: ast.expr = node
    while isinstance(rest, ast.BinOp) and level_of(rest) == level:
        parts.append((SYMBOLS[type(rest.op)] + " ", rest.right, level + 1))
        rest = rest.left
    parts.append(("", rest, level))
    return parts[::-1]


def where_cases(node: ast.AST) -> tuple[list[tuple[ast.expr, ast.expr]], ast.expr | None]:
    """The (test, value) cases of a chain `np.where(test, value, np.where(...))`, and its else.

    >>> cases, last = where_cases(ast.parse("np.where(a, 1, np.where(b, 2, 3))", mode="eval").body)
    >>> len(cases), last.value
    (2, 3)
    """
    cases = []
    rest = node
    while (
        isinstance(rest, ast.Call)
        and isinstance(rest.func, ast.Attribute)
        and rest.func.attr == "where"
        and isinstance(rest.func.value, ast.Name)
        and len(rest.args) == 3
        and not rest.keywords
        and not any(isinstance(argument, ast.Starred) for argument in rest.args)
    ):
        cases.append((rest.args[0], rest.args[1]))
        rest = rest.args[2]
    return cases, rest if cases and isinstance(rest, ast.expr) else None


def has_long_chain(node: ast.AST, flat: str) -> bool:
    """Whether a chain of three or more cases stands in the node, whose text is `flat`."""
    return flat.count(".where(") >= 3 and any(
        len(where_cases(inner)[0]) >= 3 for inner in ast.walk(node)
    )
