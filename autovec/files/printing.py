"""Emitted statements as lines of a file: its indentation, and every comment in its place."""

from __future__ import annotations

import ast
import io
import itertools
import tokenize
from collections.abc import Iterable, Sequence

import gast

from autovec.emit.printer import to_text
from autovec.files.comments import MARK, Comment, placed
from autovec.syntax import quote

WIDTH = 100
_BLANKS = " \t\f"
_NO_CODE = (*(tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),)


def body_lines(
    body: Sequence[gast.stmt], comments: Sequence[Comment], indent: str, unit: str
) -> list[str]:
    """A def's body, indented by `indent` and then by `unit` for each block.

    >>> body = quote.stmts("if x.size:\\n    return y")
    >>> body_lines(body, [], "  ", "\\t")
    ['  if x.size:', '  \\treturn y']
    """
    depth = len(indent.expandtabs(8)) // 4
    statements = placed(list(body), comments)
    for _ in range(depth):
        statements = [quote.stmt("if 1:\n    body", body=statements)]
    text = to_text(statements)
    lines = [line[4 * depth :] for line in text.split("\n")[depth:-1]]
    lines = with_comments(blocks(lines, unit), comments, len(indent))
    return [indent + line if line else "" for line in lines]


def blocks(lines: list[str], unit: str) -> list[str]:
    """Lines indented by four blanks a block, indented by another unit.

    >>> blocks(["if x:", "    y = f(1,", "          2)"], "  ")
    ['if x:', '  y = f(1,', '        2)']
    """
    if unit == "    ":
        return lines
    depths = {k: (len(line) - len(line.lstrip(" "))) // 4 for k, line in enumerate(lines, 1)}
    depth, first = 0, 0
    for token in tokenize.generate_tokens(io.StringIO("\n".join([*lines, ""])).readline):
        depth += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        if token.type == tokenize.NEWLINE:
            depths.update(dict.fromkeys(range(first, token.end[0] + 1), depth))
            first = 0
        elif not first and token.type not in _NO_CODE:
            first = token.start[0]
    return [unit * depths[k] + line[4 * depths[k] :] for k, line in enumerate(lines, 1)]


def with_comments(lines: list[str], comments: Sequence[Comment], margin: int) -> list[str]:
    """The lines with each comment's own text; one that makes its line too long goes above it."""
    result: list[str] = []
    for line in lines:
        found = MARK.search(line)
        if found is None:
            result.append(line)
            continue
        text = comments[int(found[1])].text
        code = line[: found.start()]
        blanks = code[: len(code) - len(code.lstrip())]
        if code == blanks or margin + len(code) + len(text) <= WIDTH:
            result.append(code + text)
        else:
            result += [blanks + text, code.rstrip()]
    return result


def unit_of(lines: Iterable[str], body: ast.stmt, indent: str) -> str:
    """How a block of the file indents its body; four blanks where that is on the header's line."""
    text = next(itertools.islice(lines, body.lineno - 1, None), "")
    blanks = text[: len(text) - len(text.lstrip(_BLANKS))].rpartition("\f")[2]
    inside = blanks.removeprefix(indent)
    return inside if inside and blanks.startswith(indent) else "    "


def indented(lines: Sequence[str], by: str) -> list[str]:
    """Lines moved to the right, but not those that stand within a string.

    >>> indented(["x = '''a", "b'''", "y"], "  ")
    ["  x = '''a", "b'''", '  y']
    """
    inside: set[int] = set()
    text = "\n".join(lines) + "\n"
    starts: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name == "STRING":
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
        elif name == "FSTRING_START":
            starts.append(token.start[0])
        elif name == "FSTRING_END":
            inside.update(range(starts.pop() + 1, token.end[0] + 1))
    return [line if k in inside or not line else by + line for k, line in enumerate(lines, 1)]
