"""The comments of a function, and the statements of the emitted text that they go with."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import gast

from autovec.files.returns import BLOCKS
from autovec.files.text import FileText
from autovec.syntax import quote
from autovec.syntax.walking import updated

_SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Return, gast.Expr, gast.Raise)
#: what stands for a comment while the statements are printed, so that no printer changes its text
MARK = re.compile(r"# <comment (\d+)>$")


@dataclass(frozen=True)
class Comment:
    """A comment as it is written, and the line of the statement that it goes with."""

    text: str
    line: int
    trailing: bool


@dataclass(frozen=True, eq=False)
class Comments:
    """All comments of a file."""

    file: FileText

    @cached_property
    def every(self) -> list[tuple[int, int, str]]:
        """Line, column and text of each."""
        text = "\n".join(self.file.lines) + "\n"
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return [(*t.start, t.string) for t in tokens if t.type == tokenize.COMMENT]

    def of(self, body: list[ast.stmt], last: int) -> Iterator[Comment]:
        """Those between a body's first line and a last line, with the statement they go with.

        Comments that stand alone directly above the first statement are among them.
        """
        statements = sorted(
            (n for s in body for n in ast.walk(s) if isinstance(n, ast.stmt)),
            key=lambda s: (s.lineno, s.col_offset),
        )
        first = statements[0].lineno
        while first > 1 and self._is_remark(first - 1):
            first -= 1
        k = bisect_left(self.every, (first,))
        while k < len(self.every) and self.every[k][0] <= last:
            line, column, text = self.every[k]
            own = not self.file.lines[line - 1][:column].strip(" \t\f")
            yield Comment(text, self._anchor(statements, line, column, own), not own)
            k += 1

    def between(self, first: int, last: int) -> Iterator[str]:
        """The texts of those in some lines."""
        k = bisect_left(self.every, (first,))
        while k < len(self.every) and self.every[k][0] <= last:
            yield self.every[k][2]
            k += 1

    def _is_remark(self, line: int) -> bool:
        text = self.file.lines[line - 1].strip()
        return not text or text.startswith("#")

    def _anchor(self, statements: list[ast.stmt], line: int, column: int, own: bool) -> int:
        before = [s for s in statements if s.lineno <= line]
        after = [s for s in statements if s.lineno > line]
        if own and after and (not before or after[0].col_offset >= column):
            return after[0].lineno
        return (before or after)[-1 if before else 0].lineno


def placed(body: list[gast.stmt], comments: Sequence[Comment]) -> list[gast.stmt]:
    """A body with a mark for each comment before, or behind, the statement it goes with.

    That is the first statement that comes from the comment's line; a line of which nothing is left
    gives its comments to the next one.

    >>> body = quote.stmts("y = x + 1\\nreturn y")
    >>> body[0].lineno, body[1].lineno = 7, 8
    >>> [type(s).__name__ for s in placed(body, [Comment("# why", 8, False)])]
    ['Assign', 'Expr', 'Return']
    """
    wanted: dict[int, list[int]] = {}
    lines = sorted({line for s in _statements(body) if (line := _line(s))})
    for k, comment in enumerate(comments):
        line = next((n for n in lines if n >= comment.line), lines[-1] if lines else 0)
        wanted.setdefault(line, []).append(k)
    if not lines:
        return [*(_mark(k) for k in range(len(comments))), *body]
    return _placed(body, wanted, comments)


def _mark(k: int, trailing: bool = False) -> gast.stmt:
    text = f"<comment {k}>"
    return quote.trailing_comment(text) if trailing else quote.comment(text)


def _line(statement: gast.AST) -> int:
    return getattr(statement, "lineno", None) or 0


def _statements(body: list[gast.stmt]) -> Iterator[gast.stmt]:
    for statement in body:
        yield statement
        for field in BLOCKS:
            yield from _statements(getattr(statement, field, None) or [])


def _placed(
    body: list[gast.stmt], wanted: dict[int, list[int]], comments: Sequence[Comment]
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    behind: list[int] = []  # comments that stand behind the last statement of their line
    for k, statement in enumerate(body):
        line = _line(statement)
        here = wanted.pop(line, [])
        behind += [c for c in here if comments[c].trailing and comments[c].line == line]
        result += [_mark(c) for c in here if c not in behind]
        after = body[k + 1] if k + 1 < len(body) else None
        more = after is not None and _line(after) == line and isinstance(after, _SIMPLE)
        simple = isinstance(statement, _SIMPLE) and not (after and quote.is_comment(after))
        if behind and not (simple and more):
            last = behind.pop() if simple else None
            result += [_mark(c) for c in behind]
            behind = [] if last is None else [last]
        changed = {
            field: _placed(inner, wanted, comments)
            for field in BLOCKS
            if (inner := getattr(statement, field, None)) and isinstance(inner, list)
        }
        result.append(updated(statement, **changed) if changed else statement)
        if behind and not (simple and more):
            result.append(_mark(behind.pop(), trailing=True))
    return result
