"""The text of one expression on one line: astor's where it can print, else `ast.unparse`'s.

This is the only user of astor, and it does without: the text is then laid out a little differently.
astor 0.8.1 cannot print every node, writes f-strings through classes that Python 3.14 no longer
has, and warns at import on Python 3.12; the callers check what it printed by parsing it again.
"""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections.abc import Callable
from typing import Any

Text = Callable[[ast.AST], str]


def quoted(value: str) -> str:
    """A string's literal, in double quotes where that needs no escape.

    >>> print(quoted("a\\n"), quoted("it's"), quoted('say "so"'))
    "a\\n" "it's" 'say "so"'
    """
    literal = repr(value)
    if literal[0] == "'" and '"' not in value:
        return '"' + literal[1:-1].replace("\\'", "'") + '"'
    return literal


def number(value: complex) -> str:
    """A number's literal: Python's own without the zeros of an exponent.

    >>> number(1e-06), number(2.5e16), number(7)
    ('1e-6', '2.5e16', '7')
    """
    return re.sub(r"e(-?)\+?0*", r"e\1", repr(value))


def unparsed(node: ast.AST) -> str:
    """The text of an expression through `ast.unparse`."""
    if isinstance(node, ast.Tuple) and node.elts:
        return _tuple(node, unparsed)
    if isinstance(node, ast.Slice):
        return _slice(node, unparsed)
    return ast.unparse(node)


def printed(node: ast.AST) -> str:
    """The text of an expression through astor, without parentheses around it.

    >>> printed(ast.parse("(a+b)*-c", mode="eval").body)
    '(a + b) * -c'
    """
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return _constant(node)
    if isinstance(node, ast.Tuple) and node.elts:
        return _tuple(node, printed)
    if isinstance(node, ast.Slice):
        return _slice(node, printed)
    if isinstance(node, ast.JoinedStr):
        return f_string(node)
    generator = _generator()
    if generator is None:
        return unparsed(node)
    try:
        text = generator(node)
    except Exception:  # whatever goes wrong inside astor, Python's own printer is there
        return unparsed(node)
    if isinstance(node, (ast.GeneratorExp, ast.Yield, ast.YieldFrom)):
        return f"({text})"
    return text


def _constant(node: ast.Constant) -> str:
    if isinstance(node.value, str):
        return quoted(node.value)
    if isinstance(node.value, (int, float, complex)):
        return getattr(node, "kind", None) or number(node.value)
    return unparsed(node)


def has_astor() -> bool:
    """Whether astor is there; without it the text is laid out a little differently."""
    return _generator() is not None


def _tuple(node: ast.Tuple, text: Text) -> str:
    items = [_part(item, text) for item in node.elts]
    return ", ".join(items) + ("," if len(items) == 1 else "")


def _slice(node: ast.Slice, text: Text) -> str:
    lower, upper, step = (
        _part(part, text) if part is not None else ""
        for part in (node.lower, node.upper, node.step)
    )
    return f"{lower}:{upper}" + (f":{step}" if step else "")


def _part(node: ast.expr, text: Text) -> str:
    """What stands between commas or colons: a tuple needs its parentheses there."""
    return f"({text(node)})" if isinstance(node, ast.Tuple) and node.elts else text(node)


@functools.cache
def _generator() -> Callable[[ast.AST], str] | None:
    """astor's printer of one expression, or None where astor is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from astor import code_gen
    except ImportError:
        return None

    class Generator(code_gen.SourceGenerator):
        """astor's generator with the parentheses and f-strings that it gets wrong put right."""

        def visit_ListComp(self, node: ast.ListComp) -> None:
            code_gen.set_precedence(code_gen.Precedence.Comma, node.elt)
            super().visit_ListComp(node)

        def visit_SetComp(self, node: ast.SetComp) -> None:
            code_gen.set_precedence(code_gen.Precedence.Comma, node.elt)
            super().visit_SetComp(node)

        def visit_DictComp(self, node: ast.DictComp) -> None:
            code_gen.set_precedence(code_gen.Precedence.Comma, node.key, node.value)
            super().visit_DictComp(node)

        def visit_Dict(self, node: ast.Dict) -> None:
            keys = [key for key in node.keys if key is not None]
            code_gen.set_precedence(code_gen.Precedence.Comma, *keys)
            super().visit_Dict(node)

        def visit_Lambda(self, node: ast.Lambda) -> None:
            if ast.unparse(node.args):
                super().visit_Lambda(node)
                return
            with self.delimit(node) as delimiters:
                code_gen.set_precedence(delimiters.p, node.body)
                self.write("lambda: ", node.body)

        def visit_Constant(self, node: ast.Constant) -> None:
            if isinstance(node.value, (int, float)):
                with self.delimit(node):
                    self.write(_constant(node))
            else:
                self.write(_constant(node))

        def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
            self.result.append(f_string(node))

        def visit_Slice(self, node: ast.Slice) -> None:
            self.result.append(_slice(node, printed))

    def text(node: ast.AST) -> str:
        generator = Generator("    ")
        holder: Any = node
        holder._pp = 0  # astor's mark for the precedence of what stands around the node
        try:
            generator.visit(node)
        finally:
            del holder._pp
        return "".join(generator.result)

    return text


def f_string(node: ast.JoinedStr) -> str:
    """An f-string in double quotes where nothing in it needs another quote or a backslash.

    >>> print(f_string(ast.parse('''f"{row['w']!r:>{n}} {{}}"''', mode="eval").body))
    f"{row['w']!r:>{n}} {{}}"
    """
    pieces = f_string_pieces(node)
    if pieces is None or any('\\"' in piece for piece in pieces):
        return ast.unparse(node)
    return 'f"' + "".join(pieces) + '"'


def f_string_pieces(node: ast.JoinedStr) -> list[str] | None:
    """What stands between the double quotes, part by part; None where it must be other quotes."""
    pieces: list[str] = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            text = "".join('\\"' if c == '"' else repr(c)[1:-1] for c in str(part.value))
            pieces.append(text.replace("{", "{{").replace("}", "}}"))
            continue
        if not isinstance(part, ast.FormattedValue):
            return None
        text = ast.unparse(part.value)
        if '"' in text or "\\" in text or isinstance(part.value, ast.Lambda):
            return None
        hole = "{ " if text.startswith("{") else "{"
        hole += text + (f"!{chr(part.conversion)}" if part.conversion != -1 else "")
        if isinstance(part.format_spec, ast.JoinedStr):
            spec = f_string_pieces(part.format_spec)
            if spec is None:
                return None
            hole += ":" + "".join(spec)
        pieces.append(hole + "}")
    return pieces
