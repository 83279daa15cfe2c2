"""Programs of rows: the arrays of a program's call as the columns of one table.

def f(x, k, tol=0.5):              def f(row, tol=0.5):
    if x > 0:              ->          k = row["k"]
        k = k + 1                      if row.x > 0:
    return x * k                           k = k + 1
                                       return row.get("x") * k
"""

from __future__ import annotations

import ast
import importlib.util
from random import Random
from typing import Any

from tests.oracle.tables import Plain, rows_of, table_of

KINDS = ("dict", "dict", "frame", "frame", "record")
READS = {
    "dict": ('{row}["{name}"]', "{row}.{name}", '{row}.get("{name}", 0.0)'),
    "frame": (
        '{row}["{name}"]', "{row}.{name}", '{row}.loc["{name}"]', '{row}[["{name}"]]["{name}"]',
        '{row}.get("{name}")',
    ),
    "record": ('{row}["{name}"]',),
}  # fmt: skip


def of_rows(text: str, names: list[str], seed: str) -> tuple[str, str] | None:
    """The module with ``f`` of a row in place of ``f`` of scalars, and the kind of its table.

    None where ``f`` is not a def of its own.
    """
    r = Random(f"{seed}/rows")
    kind = r.choice(KINDS)
    if kind == "frame" and importlib.util.find_spec("pandas") is None:
        kind = "dict"
    tree = ast.parse(text)
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f"]
    if not found or not names:
        return None
    function = found[0]
    own = _rebound(function)
    given = {a.arg: a for a in function.args.args}
    rest = [a for name, a in given.items() if name not in names]
    function.args.args = [ast.arg("row"), *rest]
    head = [ast.parse(f"{name} = {_read(r, kind, name)}").body[0] for name in names if name in own]
    inside = set(names) - own
    body = [_Reads(r, kind, inside).visit(s) for s in function.body]
    helper = r.random() < 0.2 and not own
    function.body = [*head, *body]
    if helper:  # the row is handed on
        inner = ast.FunctionDef(
            "of_row", function.args, function.body, [], lineno=1, type_params=[]
        )
        passed = ", ".join(["row", *(a.arg for a in rest), *_keywords(function)])
        call = ast.parse(f"def f(row):\n    return of_row({passed})").body[0]
        assert isinstance(call, ast.FunctionDef)
        call.args = function.args
        tree.body[tree.body.index(function) :] = [inner, call]
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n", kind


def _keywords(function: ast.FunctionDef) -> list[str]:
    return [f"{a.arg}={a.arg}" for a in function.args.kwonlyargs]


def _read(r: Random, kind: str, name: str) -> str:
    return r.choice(READS[kind]).format(row="row", name=name)


def _rebound(function: ast.FunctionDef) -> set[str]:
    """Names that are assigned, deleted or parameters somewhere inside."""
    found: set[str] = set()
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.add(node.id)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
            elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
                found.add(node.name)
    return found


class _Reads(ast.NodeTransformer):
    def __init__(self, r: Random, kind: str, names: set[str]) -> None:
        self.r, self.kind, self.names = r, kind, names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.names:
            return node
        return ast.parse(_read(self.r, self.kind, node.id), mode="eval").body


def packed(kind: str, names: list[str], parameters: list[str], args: list[Any]) -> list[Any]:
    """The arguments of a call: the table, then what every row shares."""
    columns = {n: a for n, a in zip(parameters, args, strict=True) if n in names}
    shared = [a for n, a in zip(parameters, args, strict=True) if n not in names]
    return [table_of(columns, kind), *shared]


def lanes_of_rows(kind: str, names: list[str], parameters: list[str], args: list[Any]) -> Any:
    """The calls that the loop makes."""
    columns = {n: a for n, a in zip(parameters, args, strict=True) if n in names}
    shared = [a for n, a in zip(parameters, args, strict=True) if n not in names]
    return [((row, *shared), {}) for row in rows_of(columns, kind)]


def plain(batched: Any) -> Plain:
    """A batched function whose results are arrays, not Series."""
    return Plain(batched)
