"""A Python file's bytes as text, in which every byte that is not edited comes back as it was."""

from __future__ import annotations

import ast
import codecs
import contextlib
import io
import re
import sys
import tokenize
import warnings
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from autovec.errors import Place, Problem, WithProblems

_ENDS = re.compile(r"\r\n|\r|\n")  # Python's line ends; a form feed is not one
_ENCODING = "the encoding of this file cannot be used"
_DEPTH = "Python's parser gives up on text nested this deeply"


class Unreadable(WithProblems):
    """A file that is not Python of this version."""


@dataclass(frozen=True)
class Edit:
    """Put `new` in place of the characters from `start` to `end`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True)
class FileText:
    """A file's text without its byte order mark, every line with the end that it has.

    >>> file = FileText.decode(b"\\xef\\xbb\\xbfx = 1\\r\\ny = 2", "f.py")
    >>> file.text, file.newline, file.encode(file.edited([Edit(4, 5, "3")]))
    ('x = 1\\r\\ny = 2', '\\r\\n', b'\\xef\\xbb\\xbfx = 3\\r\\ny = 2')
    """

    name: str
    text: str
    encoding: str = "utf-8"
    mark: bytes = b""

    @classmethod
    def decode(cls, data: bytes, name: str) -> FileText:
        """Read a file's bytes. Raises Unreadable."""
        mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            encoding = encoding.removesuffix("-sig")
            text = data[len(mark) :].decode(encoding)
            if text.encode(encoding) != data[len(mark) :]:
                raise UnicodeError("reading and writing it gives other bytes")
        except UnicodeDecodeError as error:
            why = f"it is not {error.encoding}: {error.reason}"
            line = data.count(b"\n", 0, len(mark) + error.start)
            raise _unreadable(data, name, line, "this line cannot be decoded", why) from None
        except (SyntaxError, LookupError, UnicodeError) as error:
            if isinstance(error, SyntaxError) and not _has_cookie(data):
                raise _not_utf8(data, name) from None
            why = getattr(error, "msg", None) or str(error)
            raise _unreadable(data, name, 0, _ENCODING, why) from None
        if "\0" in text:
            row = text.count("\n", 0, text.index("\0"))
            raise _unreadable(data, name, row, "this line holds a null byte", "no Python file may")
        return cls(name, text, encoding, mark)

    def encode(self, text: str) -> bytes:
        """Another text as this file's bytes."""
        return self.mark + text.encode(self.encoding)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends, as Python's parser counts them."""
        return tuple(lines_of(self.text))

    @cached_property
    def starts(self) -> list[int]:
        """Where each line starts."""
        return [0, *(match.end() for match in _ENDS.finditer(self.text))]

    @cached_property
    def newline(self) -> str:
        """How the file ends its first line."""
        found = _ENDS.search(self.text)
        return found[0] if found else "\n"

    def offset(self, line: int, column: int) -> int:
        """Where the parser's line and column (in UTF-8 bytes) are in the text."""
        text = self.lines[line - 1]
        if text.isascii():
            return self.starts[line - 1] + column
        return self.starts[line - 1] + len(text.encode()[:column].decode(errors="replace"))

    def start(self, node: ast.AST) -> int:
        """Where a node starts."""
        return self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        """Where a node ends."""
        return self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def piece(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.text[self.start(node) : self.end(node)]

    def line_of(self, offset: int) -> int:
        """The line that holds a place in the text, counted from 1."""
        return bisect_right(self.starts, offset)

    def line_end(self, line: int) -> int:
        """Where a line ends, before its line end."""
        return self.starts[line - 1] + len(self.lines[line - 1])

    def after_line(self, line: int) -> int:
        """Where the line after this one starts; the text's end where there is none."""
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def indentation(self, line: int) -> str:
        """The blanks that a line starts with; a form feed begins the line anew."""
        text = self.lines[line - 1]
        return text[: len(text) - len(text.lstrip(" \t\f"))].rpartition("\f")[2]

    def place(self, node: ast.AST) -> Place:
        """Where a node stands, for messages."""
        row = node.lineno  # type: ignore[attr-defined]
        start = self.start(node) - self.starts[row - 1]
        text = self.lines[row - 1]
        one_line = node.end_lineno == row  # type: ignore[attr-defined]
        end = self.end(node) - self.starts[row - 1] if one_line else len(text.rstrip())
        return Place(self.name, row, start, max(start, end), text)

    def edited(self, edits: Iterable[Edit]) -> str:
        """The text with these edits made; of two at one place the first comes first."""
        pieces: list[str] = []
        at = 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            if edit.start < at:
                raise ValueError(f"edits overlap at {edit.start}")
            pieces += [self.text[at : edit.start], edit.new]
            at = edit.end
        return "".join([*pieces, self.text[at:]])

    def parse(self) -> ast.Module:
        """The tree. Raises Unreadable, with the place."""
        return parsed(self.text, self.name, self.lines)


def lines_of(text: str) -> list[str]:
    """The lines of a text, whatever ends they have."""
    return _ENDS.split(text)


def parsed(text: str, name: str, lines: tuple[str, ...]) -> ast.Module:
    """The tree of a text, with its type comments where all of them can be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if "# type:" in text:
                with contextlib.suppress(SyntaxError):
                    return ast.parse(text, name, type_comments=True)
            return ast.parse(text, name)
    except SyntaxError as error:
        raise Unreadable(syntax_problem(error, name, lines)) from None
    except (RecursionError, MemoryError):
        raise Unreadable(too_deep(name, lines)) from None
    except ValueError as error:
        raise Unreadable(Problem(Place(name, 1, 0, 0, ""), str(error))) from None


def compiled(tree: ast.Module, name: str, lines: tuple[str, ...]) -> object:
    """The code of a module, which is never run. Raises Unreadable."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(tree, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Unreadable(syntax_problem(error, name, lines)) from None
    except (RecursionError, MemoryError):
        raise Unreadable(too_deep(name, lines)) from None


def syntax_problem(error: SyntaxError, name: str, lines: tuple[str, ...]) -> Problem:
    """Where and why Python cannot read a text."""
    line = min(max(error.lineno or 1, 1), len(lines))
    text = lines[line - 1]
    start = min(max((error.offset or 1) - 1, 0), len(text))
    end = start + 1
    if error.end_lineno == error.lineno and error.end_offset:
        end = max(end, error.end_offset - 1)
    version = ".".join(map(str, sys.version_info[:2]))
    instead = f"fix it; if it is for a newer Python than {version}, run autovec with that one"
    what = error.msg or "invalid syntax"
    return Problem(Place(name, line, start, end, text), what, "this is not valid Python", instead)


def too_deep(name: str, lines: tuple[str, ...]) -> Problem:
    """The line that is most likely the one nested too deeply."""
    row = max(range(len(lines)), key=lambda k: len(lines[k]))
    place = Place(name, row + 1, 0, 0, "")
    return Problem(place, "this is nested too deeply to be read", _DEPTH, "split the expression")


def _has_cookie(data: bytes) -> bool:
    head = data.split(b"\n", 2)[:2]
    return any(re.match(rb"[ \t\f]*#.*?coding[:=]", line) for line in head)


def _not_utf8(data: bytes, name: str) -> Unreadable:
    """The first line that is not UTF-8, in a file that declares nothing."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start)
        why = f"it is not UTF-8 ({error.reason}), and the file declares no encoding"
        return _unreadable(data, name, line, "this line cannot be decoded", why)
    return _unreadable(data, name, 0, _ENCODING, "")


def _unreadable(data: bytes, name: str, line: int, what: str, why: str) -> Unreadable:
    rows = data.split(b"\n")
    shown = rows[line] if line < len(rows) else b""
    text = shown.decode("ascii", "replace").replace("\0", "\ufffd").strip("\r")
    instead = "save it as UTF-8, or declare its encoding in the first line: # coding: latin-1"
    return Unreadable(Problem(Place(name, line + 1, 0, len(text), text[:200]), what, why, instead))
