"""Decorators taken out of a file's text; comments in or behind one stay, on lines of their own."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from autovec.files.comments import Comments
from autovec.files.text import Edit, FileText


def without(
    file: FileText, comments: Comments, node: ast.AST, decorators: Iterable[ast.expr]
) -> Iterator[Edit]:
    """The edits that take decorators of a def away, each with its lines.

    >>> file = FileText.decode(b"@a\\n@b  # why\\ndef f(): pass\\n", "f.py")
    >>> [node] = file.parse().body
    >>> file.edited(without(file, Comments(file), node, node.decorator_list))
    '# why\\ndef f(): pass\\n'
    """
    header = node.lineno  # type: ignore[attr-defined]
    indent = file.indentation(header)
    for decorator in decorators:
        start = file.text.rindex("@", 0, file.start(decorator))
        first, last = file.line_of(start), decorator.end_lineno or 0
        while last < header - 1 and not _ends_at(file, decorator, last):
            last += 1  # @(vectorize\n)
        kept = [indent + text for text in comments.between(first, last)]
        yield Edit(file.starts[first - 1], file.after_line(last), file.newline.join([*kept, ""]))


def _ends_at(file: FileText, decorator: ast.expr, line: int) -> bool:
    """Is every parenthesis around a decorator closed at the end of a line?"""
    start = file.start(decorator)
    around = file.text[file.text.rindex("@", 0, start) : start]
    behind = file.text[file.end(decorator) : file.line_end(line)]
    return around.count("(") <= behind.count(")")
