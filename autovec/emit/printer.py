"""A module's statements as text, laid out as a careful person would, and checked by parsing it."""

from __future__ import annotations

import ast
import sys

import gast

from autovec.emit.astor_printer import Text, printed, unparsed
from autovec.emit.comments import WIDTH, comment_lines, docstring_lines
from autovec.emit.layout import Layout
from autovec.emit.pieces import Item
from autovec.emit.plain_tree import (
    code_of,
    comment_of,
    is_comment,
    same_tree,
    text_of,
    to_ast,
)
from autovec.emit.precedence import TEST, TUPLE
from autovec.emit.statements import (
    class_header,
    def_header,
    import_line,
    line,
    simple_parts,
    with_header,
)

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


def to_text(body: list[gast.stmt]) -> str:
    """The text of a module's statements: at most 100 columns, comments printed, ends in a newline.

    Chains of `np.where` stand one case a line; a docstring is indented as its place asks. What the
    text parses to is compared with the statements, so a tree that no text can express (a body of an
    `if` that is empty, say) raises ValueError.

    >>> import gast
    >>> source = "def f(x): return np.where(x<0,0.0,np.where(x<1,x,np.where(x<9,1.0,y+2)))"
    >>> print(to_text(gast.parse(source).body), end="")
    def f(x):
        return np.where(x < 0, 0.0,
               np.where(x < 1, x,
               np.where(x < 9, 1.0,
                        y + 2)))
    """
    tree = to_ast(body)
    for careful in (False, True):
        text = "\n".join(_Printer(careful).module(tree)) + "\n" if tree else ""
        if _reads_as(text, tree):
            return text
    text = "\n".join(ast.unparse(ast.fix_missing_locations(s)) for s in _bare(tree)) + "\n"
    if not _reads_as(text, tree):
        raise ValueError(f"this tree cannot be printed:\n{text}")
    return text


def _reads_as(text: str, tree: list[ast.stmt]) -> bool:
    try:
        parsed = ast.parse(text).body
    except SyntaxError:
        return False
    return same_tree(tree, parsed) if parsed else all(map(is_comment, tree))


def _standard(node: ast.Import | ast.ImportFrom) -> bool:
    """Does it import from the standard library?"""
    name = node.names[0].name if isinstance(node, ast.Import) else node.module or ""
    return name.partition(".")[0] in sys.stdlib_module_names


def _bare(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements without their comments, in place."""
    for statement in body:
        for node in ast.walk(statement):
            for field in ("body", "orelse", "finalbody"):
                if isinstance(inner := getattr(node, field, None), list):
                    setattr(node, field, code_of(inner))
    return code_of(body)


class _Printer:
    """Writes statements into `lines`.

    `careful` prints each simple statement through astor, else through `ast.unparse` with our line
    breaks, else through `ast.unparse` alone: the first that parses to the same statement.
    """

    def __init__(self, careful: bool) -> None:
        self.careful = careful
        self.text: Text = unparsed if careful else printed
        self.lines: list[str] = []
        self.indent = 0
        # Where a trailing comment may go: the first line of the statement before it.
        self.anchor: int | None = None

    def module(self, body: list[ast.stmt]) -> list[str]:
        self.statements(body, documented=True)
        return self.lines

    # Bodies

    def body(self, body: list[ast.stmt], documented: bool = False) -> None:
        self.indent += 4
        self.statements(body, documented)
        if body and all(map(is_comment, body)):
            self.write("pass")
        self.indent -= 4

    def statements(self, body: list[ast.stmt], documented: bool = False) -> None:
        before: ast.stmt | None = None
        waiting: list[str] = []  # comments go with the statement below them
        for statement in body:
            if (comment := comment_of(statement)) is not None:
                if waiting or not comment.trailing or not self.trail(comment):
                    waiting += comment_lines(comment, self.indent)
                continue
            if before is not None:
                self.lines += [""] * self.gap(before, statement)
            self.lines += waiting
            waiting = []
            text = text_of(statement) if before is None and documented else None
            if text is None:
                self.statement(statement)
            else:
                self.lines += docstring_lines(text, self.indent)
            before = statement
        if waiting and isinstance(before, _DEFINITIONS):
            self.lines += [""] * self.gap(before, before)
        self.lines += waiting
        self.anchor = None

    def gap(self, before: ast.stmt, after: ast.stmt) -> int:
        """How many blank lines stand between two statements of one body."""
        if isinstance(before, _DEFINITIONS) or isinstance(after, _DEFINITIONS):
            return 1 if self.indent else 2
        if self.indent:
            return 0
        if isinstance(before, _IMPORTS):
            other = not isinstance(after, _IMPORTS) or (_standard(before) and not _standard(after))
            return int(other)
        return int(text_of(before) is not None)

    def trail(self, comment: str) -> bool:
        """Puts a comment behind the line before it, or above it; False where there is none."""
        anchor, self.anchor = self.anchor, None
        if anchor is None:
            return False
        if "\n" not in comment and len(self.lines[-1]) + 4 + len(comment) <= WIDTH:
            self.lines[-1] += f"  # {comment}"
        else:
            first = self.lines[anchor]
            self.lines[anchor:anchor] = comment_lines(comment, len(first) - len(first.lstrip()))
        return True

    # Statements

    def write(self, block: str, anchored: bool = True) -> None:
        """Adds a block whose first line stands at the current indentation."""
        self.anchor = len(self.lines) if anchored else None
        self.lines += (" " * self.indent + block).split("\n")

    def layout(self, hang: int = 4) -> Layout:
        return Layout(self.text, self.indent + hang)

    def header(self, parts: list[Item], anchored: bool = True) -> None:
        self.write(line(self.layout(8), self.indent, parts, ":"), anchored)

    def statement(self, node: ast.stmt) -> None:
        method = getattr(self, "print_" + type(node).__name__, None)
        if method is not None:
            method(node)
            return
        block = self.simple(node)
        if self.careful and not _reads_as(block, [node]):
            block = ast.unparse(ast.fix_missing_locations(node))
        self.write(block)

    def simple(self, node: ast.stmt) -> str:
        parts = simple_parts(node)
        if isinstance(node, ast.ImportFrom):
            return import_line(self.layout(), self.indent, node)
        if parts is None:  # pass, global and the like have no expressions
            return ast.unparse(node)
        if self.careful:
            block = line(Layout(printed, self.indent + 4), self.indent, parts)
            if _reads_as(block, [node]):
                return block
        return line(self.layout(), self.indent, parts)

    def print_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        start = self.decorators(node.decorator_list)
        self.write(def_header(self.layout(8), self.indent, node))
        self.anchor = start
        self.body(node.body, documented=True)

    print_AsyncFunctionDef = print_FunctionDef

    def print_ClassDef(self, node: ast.ClassDef) -> None:
        start = self.decorators(node.decorator_list)
        self.write(class_header(self.layout(8), self.indent, node))
        self.anchor = start
        self.body(node.body, documented=True)

    def decorators(self, decorators: list[ast.expr]) -> int:
        start = len(self.lines)
        for decorator in decorators:
            self.write(line(self.layout(), self.indent, [("@", decorator, TEST)]))
        return start

    def print_If(self, node: ast.If) -> None:
        self.header([("if ", node.test, TEST)])
        self.body(node.body)
        while node.orelse:
            *comments, last = node.orelse
            if not isinstance(last, ast.If) or not all(map(is_comment, comments)):
                self.write("else:", anchored=False)
                self.body(node.orelse)
                return
            node = last
            self.header([("elif ", node.test, TEST)], anchored=False)
            self.body([*comments, *node.body])

    def print_For(self, node: ast.For | ast.AsyncFor) -> None:
        word = "async for " if isinstance(node, ast.AsyncFor) else "for "
        self.header([(word, node.target, TUPLE), (" in ", node.iter, TUPLE)])
        self.body(node.body)
        self.clause("else:", node.orelse)

    print_AsyncFor = print_For

    def print_While(self, node: ast.While) -> None:
        self.header([("while ", node.test, TEST)])
        self.body(node.body)
        self.clause("else:", node.orelse)

    def clause(self, header: str, body: list[ast.stmt]) -> None:
        if body:
            self.write(header, anchored=False)
            self.body(body)

    def print_With(self, node: ast.With | ast.AsyncWith) -> None:
        self.write(with_header(self.layout(8), self.indent, node))
        self.body(node.body)

    print_AsyncWith = print_With

    def print_Try(self, node: ast.Try | ast.TryStar) -> None:
        self.write("try:")
        self.body(node.body)
        word = "except*" if isinstance(node, ast.TryStar) else "except"
        for handler in node.handlers:
            name = [(f" as {handler.name}", None, TEST)] if handler.name else []
            parts: list[Item] = [(word if handler.type is None else word + " ", handler.type, TEST)]
            self.header([*parts, *name], anchored=False)
            self.body(handler.body)
        self.clause("else:", node.orelse)
        self.clause("finally:", node.finalbody)

    print_TryStar = print_Try

    def print_Match(self, node: ast.Match) -> None:
        self.header([("match ", node.subject, TUPLE)])
        self.indent += 4
        for case in node.cases:
            parts: list[Item] = [(f"case {ast.unparse(case.pattern)}", None, TEST)]
            if case.guard is not None:
                parts.append((" if ", case.guard, TEST))
            self.header(parts)
            self.body(case.body)
        self.indent -= 4
