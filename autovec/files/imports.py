"""The imports of a written file: what the text needs is added, what nothing uses any more goes."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from autovec.files.layout import first_line
from autovec.files.options import FACTORIES, LIFTERS, made_by
from autovec.files.scopes import Binding, Scope, Scopes, scopes_of
from autovec.files.text import Edit, FileText


def without_autovec(file: FileText) -> FileText:
    """The file without the imports of autovec, and aliases of its functions, that nothing reads.

    >>> file = FileText.decode(b"import numpy as np\\nfrom autovec import vectorize\\n", "f.py")
    >>> without_autovec(file).text
    'import numpy as np\\n'
    """
    for _ in range(20):  # an import may be used by nothing but an alias that goes
        tree = file.parse()
        scopes = scopes_of(tree)
        used = _used(tree)
        edits = [e for scope in scopes for e in _unused(file, scope, scopes, used)]
        if not edits:
            return file
        file = FileText(file.name, file.edited(edits), file.encoding, file.mark)
    return file


def _used(tree: ast.Module) -> set[str]:
    """Every name that is read anywhere, in a string too, where it may be exported or a type."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.isidentifier():
                found.add(node.value)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
    return found


def _unused(file: FileText, scope: Scope, scopes: Scopes, used: set[str]) -> Iterator[Edit]:
    dropped: dict[Any, list[ast.alias]] = {}
    for name, bindings in scope.names.items():
        if name in used:
            continue
        for binding in bindings:
            statement: Any = binding.statement
            node: Any = binding.node
            if binding.kind == "import" and _is_ours(binding):
                dropped.setdefault(statement, []).append(node)
            elif binding.kind == "value" and len(bindings) == 1 and _is_alias(binding, scope):
                yield _removal(file, statement, scopes)
    for star in scope.stars:
        if star.module == "autovec" and not used & set(sys.modules["autovec"].__all__):
            dropped.setdefault(star.statement, []).append(star.node)  # type: ignore[arg-type]
    for statement, aliases in dropped.items():
        names: list[ast.alias] = statement.names
        kept = [alias for alias in names if alias not in aliases]
        if kept:
            yield from _shortened(file, names, aliases)
        else:
            yield _removal(file, statement, scopes)


def _is_ours(binding: Binding) -> bool:
    return binding.module == "autovec" or binding.module.startswith("autovec.")


def _is_alias(binding: Binding, scope: Scope) -> bool:
    statement = binding.statement
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    if not isinstance(statement.targets[0], ast.Name) or not isinstance(binding.node, ast.expr):
        return False
    made = made_by(binding.node, scope, statement, (*FACTORIES, *LIFTERS))
    return made is not None and made.ours and made.function is None


def _removal(file: FileText, statement: ast.stmt, scopes: Scopes) -> Edit:
    """Take a statement out: its lines, or its part of one; `pass` where a block would be empty."""
    start, end = file.start(statement), file.end(statement)
    if scopes.blocks[statement] == [statement] and file.indentation(statement.lineno):
        return Edit(start, end, "pass")
    first, last = statement.lineno, statement.end_lineno or 0
    before = file.text[file.starts[first - 1] : start]
    after = file.text[end : file.line_end(last)]
    after = after.lstrip().partition("#")[0] if after.lstrip().startswith("#") else after
    if not before.strip() and not after.strip(" \t;"):  # its own lines, with its comment
        lead = before[: before.rfind("\f") + 1]
        between = not lead and _is_blank(file, first - 1) and _is_blank(file, last + 1)
        start = file.starts[first - 2 if between else first - 1] + len(lead)
        return Edit(start, file.after_line(last), "")
    if after.lstrip().startswith(";"):  # import autovec; import os
        rest = after.lstrip()[1:].lstrip()
        return Edit(start, file.line_end(last) - len(rest), "")
    if before.rstrip().endswith(";"):  # import os; import autovec
        return Edit(file.starts[first - 1] + len(before.rstrip()[:-1].rstrip()), end, "")
    return Edit(start, end, "pass")  # if x: import autovec


def _is_blank(file: FileText, line: int) -> bool:
    return 1 < line <= len(file.lines) and not file.lines[line - 1].strip()


def _shortened(file: FileText, names: list[ast.alias], gone: list[ast.alias]) -> Iterator[Edit]:
    """An import without some of its names: each run of them goes with the comma beside it."""
    k = 0
    while k < len(names):
        first = k
        while k < len(names) and names[k] in gone:
            k += 1
        if k < len(names):
            if k > first:
                yield Edit(file.start(names[first]), file.start(names[k]), "")
            k += 1
        elif k > first:
            yield Edit(file.end(names[first - 1]), file.end(names[-1]), "")


def with_imports(file: FileText, missing: Mapping[str, str]) -> FileText:
    """The file with imports of modules, behind those that it begins with.

    >>> file = FileText.decode(b"import os\\n\\nx = 1\\n", "f.py")
    >>> with_imports(file, {"numpy": "np"}).text
    'import os\\nimport numpy as np\\n\\nx = 1\\n'
    """
    if not missing:
        return file
    lines = [
        f"import {module}" if module == name else f"import {module} as {name}"
        for module, name in sorted(missing.items(), key=lambda item: (item[0] == "numpy", item))
    ]
    tree = file.parse()
    head = _header_imports(tree)
    newline = file.newline
    if head:
        last = file.line_of(file.end(head[-1]))
        at = file.line_end(last)
        return _inserted(file, at, newline + newline.join(lines))
    body = tree.body
    documented = bool(body) and ast.get_docstring(tree, clean=False) is not None
    first = body[int(documented)] if len(body) > documented else None
    if first is None:
        return _inserted(file, len(file.text), newline.join(["", *lines, ""]))
    start = _above(file, first_line(first), file.line_of(file.end(body[0])) if documented else 0)
    definition = isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    gap = [""] * (3 if definition else 2)
    lead = newline if documented and file.lines[start - 2].strip() else ""
    return _inserted(file, file.starts[start - 1], lead + newline.join([*lines, *gap]))


def _inserted(file: FileText, at: int, new: str) -> FileText:
    return FileText(file.name, file.edited([Edit(at, at, new)]), file.encoding, file.mark)


def _header_imports(tree: ast.Module) -> list[ast.stmt]:
    """The imports that a file begins with, the docstring, `try` and `if` between them left out."""
    found: list[ast.stmt] = []
    for k, statement in enumerate(tree.body):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            found.append(statement)
        elif not isinstance(statement, (ast.Try, ast.If)) and not (
            k == 0 and isinstance(statement, ast.Expr)
        ):
            break
    return found


def _above(file: FileText, line: int, floor: int) -> int:
    """The first comment line directly above a line, unless the file begins with it."""
    row = line
    while row - 1 > floor and file.lines[row - 2].startswith("#"):
        row -= 1
    return line if row == 1 else row
