"""What a text says to its reader: comments and docstrings as lines."""

from __future__ import annotations

import inspect
import textwrap

WIDTH = 100  # columns of the emitted text


def comment_lines(text: str, indent: int) -> list[str]:
    """A comment as lines of its own, wrapped at the width.

    >>> comment_lines("the lanes still running", 4)
    ['    # the lanes still running']
    """
    start = " " * indent + "#"
    lines = []
    for line in text.splitlines() or [""]:
        room = max(WIDTH - indent - 2, 20)
        wrapped = [line] if len(line) <= room else textwrap.wrap(line, room, break_on_hyphens=False)
        lines += [f"{start} {part}".rstrip() for part in wrapped or [""]]
    return lines


def cleaned(docstring: str) -> str:
    """A docstring without the indentation of its place.

    >>> cleaned("Tax.\\n\\n    income: axis 0\\n    ")
    'Tax.\\n\\nincome: axis 0'
    """
    return inspect.cleandoc(docstring.rstrip())  # else a last line of blanks counts as indentation


def docstring_lines(value: str, indent: int) -> list[str]:
    """A docstring in triple quotes, indented as its place asks.

    >>> print("\\n".join(docstring_lines("Tax, batched.\\n\\nincome: axis 0", 4)))
        \"""Tax, batched.
    <BLANKLINE>
        income: axis 0
        \"""
    """
    lines = [_escaped(line) for line in cleaned(value).split("\n")]
    if value.lstrip(" ").startswith("\n"):
        lines.insert(0, "")
    if len(lines) > 1:
        lines.append("")
    elif lines[0].endswith('"'):
        lines[0] = lines[0][:-1] + '\\"'
    lines[0] = '"""' + lines[0]
    lines[-1] += '"""'
    margin = " " * indent
    return [margin + line if line else "" for line in lines]


def _escaped(line: str) -> str:
    """The line as it must be written between triple quotes."""
    line = line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
