"""gast trees as Python's own `ast` trees that can be printed, and the comparison of two of them."""

from __future__ import annotations

import ast
import math
from typing import Any

import gast
from gast.ast3 import GAstToAst3

from autovec.emit.comments import cleaned
from autovec.syntax.quote import CommentText

# What a text cannot say or what its place in the text decides: never compared.
_IGNORED_FIELDS = frozenset({"ctx", "kind", "type_comment", "type_ignores", "simple"})


def to_ast(body: list[gast.stmt]) -> list[ast.stmt]:
    """The statements as `ast` nodes (a copy without locations) whose constants all have a literal.

    A negative number becomes a minus and its absolute value, as the parser has it; inf and nan,
    which have no literal, become `float("inf")`; a number of NumPy's becomes Python's.

    >>> import gast
    >>> body = [gast.Expr(gast.Constant(-1.5, None))]
    >>> ast.dump(to_ast(body)[0])
    'Expr(value=UnaryOp(op=USub(), operand=Constant(value=1.5)))'
    """
    convert = _ToAst()
    return [convert.visit(statement) for statement in body]


class _ToAst(GAstToAst3):
    """gast's own conversion, three times as fast: no locations, one shared context."""

    def generic_visit(self, node: ast.AST) -> Any:
        plain = getattr(ast, type(node).__name__)
        fields = {}
        for field in plain._fields:
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                value = self.visit(value)
            elif isinstance(value, list):
                value = [self._visit(item) for item in value]
            fields[field] = value
        return plain(**fields)

    def visit_Name(self, node: Any) -> ast.Name:
        return ast.Name(node.id, _LOAD)

    def visit_Constant(self, node: Any) -> ast.expr:
        made = literal(node.value)
        if node.kind and isinstance(made, ast.Constant) and not isinstance(node.value, str):
            made.kind = node.kind  # as the user spells the number
        return made

    def visit_MatchValue(self, node: Any) -> Any:
        return gast.gast_to_ast(node)  # a pattern is a literal, 1e999 too; float("inf") is a call

    def visit_JoinedStr(self, node: Any) -> ast.JoinedStr:
        parts: list[ast.expr] = []
        for part in node.values:
            last = parts[-1] if parts else None
            if not isinstance(part, gast.Constant):
                parts.append(self.visit(part))
            elif isinstance(last, ast.Constant):  # the parser has one constant between two holes
                parts[-1] = ast.Constant(str(last.value) + part.value)
            elif part.value:
                parts.append(ast.Constant(part.value))
        return ast.JoinedStr(parts)


_LOAD = ast.Load()


def literal(value: Any) -> ast.expr:
    """The expression whose value is `value`.

    >>> import numpy as np
    >>> [ast.unparse(literal(value)) for value in (2 - 3j, -np.inf, (1,), np.float32(0.5))]
    ['2.0 - 3j', "-float('inf')", '(1,)', '0.5']
    """
    if isinstance(value, (str, bytes)) or value is None or value is Ellipsis:
        return ast.Constant(value)
    if isinstance(value, bool):
        return ast.Constant(value)
    if isinstance(value, int):
        return _signed(int(value), value < 0)
    if isinstance(value, float):
        return _signed(float(value), math.copysign(1.0, value) < 0)
    if isinstance(value, complex):
        return _complex(complex(value))
    if isinstance(value, tuple):
        return ast.Tuple([literal(item) for item in value], ast.Load())
    if isinstance(value, frozenset):
        items = ast.Set([literal(item) for item in sorted(value, key=repr)])
        arguments: list[ast.expr] = [items] if value else []
        return ast.Call(ast.Name("frozenset", ast.Load()), arguments, [])
    if hasattr(value, "dtype") and hasattr(value, "item"):
        return literal(value.item())
    raise TypeError(f"a constant of type {type(value).__name__} has no literal: {value!r}")


def _signed(value: int | float, negative: bool) -> ast.expr:
    if isinstance(value, int) or math.isfinite(value):
        size: ast.expr = ast.Constant(-value if negative else value)
    else:
        name: list[ast.expr] = [ast.Constant("nan" if math.isnan(value) else "inf")]
        size = ast.Call(ast.Name("float", ast.Load()), name, [])
    return ast.UnaryOp(ast.USub(), size) if negative else size


def _complex(value: complex) -> ast.expr:
    """`2j` or `1.0 + 2j` where that is exactly the value, else a call of complex()."""
    imag = complex(0.0, abs(value.imag))
    if repr(imag) == repr(value) and math.isfinite(value.imag):
        return ast.Constant(value)
    if repr(-imag) == repr(value) and math.isfinite(value.imag):
        return ast.UnaryOp(ast.USub(), ast.Constant(imag))
    # A zero's sign may not survive an addition.
    if value.real and value.imag and math.isfinite(value.real) and math.isfinite(value.imag):
        sign: ast.operator = ast.Sub() if value.imag < 0 else ast.Add()
        return ast.BinOp(literal(value.real), sign, ast.Constant(imag))
    parts = [literal(value.real), literal(value.imag)]
    return ast.Call(ast.Name("complex", ast.Load()), parts, [])


def comment_of(statement: ast.stmt) -> CommentText | None:
    """The comment that the statement stands for, if it is one."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    text = value.value if isinstance(value, ast.Constant) else None
    return text if isinstance(text, CommentText) else None


def is_comment(statement: ast.stmt) -> bool:
    """Whether the statement stands for a comment."""
    return comment_of(statement) is not None


def code_of(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a body without its comments; a `pass` where nothing else is left."""
    code = [statement for statement in body if not is_comment(statement)]
    return code or ([ast.Pass()] if body else [])


def same_tree(left: Any, right: Any) -> bool:
    """Whether two trees mean the same text: all but comments, contexts and a docstring's indent.

    >>> same_tree(ast.parse("f( x )"), ast.parse("f(x)"))
    True
    >>> same_tree(ast.parse("1"), ast.parse("1.0"))
    False
    """
    kind = type(left)
    if kind is not type(right):
        return False
    if isinstance(left, list):
        if left and isinstance(left[0], ast.stmt):
            left, right = code_of(left), code_of(right)
        return len(left) == len(right) and all(map(same_tree, left, right))
    if not isinstance(left, ast.AST):
        return bool(left == right) and repr(left) == repr(right)
    if isinstance(left, ast.Name):
        return bool(left.id == right.id)
    text = text_of(left)
    if text is not None:
        other = text_of(right)
        return other is not None and cleaned(text) == cleaned(other)
    for field in left._fields:
        if field not in _IGNORED_FIELDS:
            a, b = getattr(left, field, None), getattr(right, field, None)
            if a is not b and not same_tree(a, b):
                return False
    return True


def text_of(statement: ast.AST) -> str | None:
    """The string that the statement consists of, as a docstring does."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    text = value.value if isinstance(value, ast.Constant) else None
    return text if isinstance(text, str) else None
