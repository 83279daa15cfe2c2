"""The first lines of a written function: signature, and a docstring that says what is batched."""

from __future__ import annotations

import ast
import io
import textwrap
import tokenize
from collections.abc import Iterator, Mapping
from typing import Any

from autovec.emit.comments import docstring_lines
from autovec.files.axes import Entries, described
from autovec.files.text import FileText, lines_of
from autovec.program.facts import Rows, Varying

Token = tokenize.TokenInfo
Cut = tuple[int, int, str]
Definition = ast.FunctionDef | ast.AsyncFunctionDef
_NO_CODE = (tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE)


def header(
    file: FileText,
    node: Definition | ast.Lambda,
    name: str,
    varying: set[str],
    bound: Mapping[str, ast.expr] | None = None,
) -> tuple[str, str]:
    """The text from `def` to the colon under another name, and the comment behind it.

    Annotations of what is batched now, and of the result, are gone: they were a sample's.

    >>> text = b"def f(x: float, k: int = 3) -> float:  # ok\\n    return x"
    >>> file = FileText.decode(text, "f.py")
    >>> header(file, file.parse().body[0], "g", {"x"})
    ('def g(x, k: int = 3):', '# ok')
    """
    if isinstance(node, ast.Lambda) or bound:
        return f"def {name}({ast.unparse(without(node.args, varying, bound or {}))}):", ""
    tokens = [t for t in _tokens(file, node) if t.type not in _NO_CODE]
    start, end = _at(file, tokens[0].start), _at(file, tokens[-1].end)
    index = next(k for k, t in enumerate(tokens) if t.string == "def") + 1
    cuts = [(_at(file, tokens[index].start), _at(file, tokens[index].end), name)]
    cuts += _cuts(file, tokens, index, varying)
    text = file.text[start:end]
    for first, last, new in sorted(cuts, reverse=True):
        text = text[: first - start] + new + text[last - start :]
    behind = file.text[end : file.line_end(tokens[-1].end[0])].strip()
    is_type = behind.startswith("# type:") and not behind.startswith("# type: ignore")
    return text, behind if behind.startswith("#") and not is_type else ""


def without(a: ast.arguments, varying: set[str], bound: Mapping[str, ast.expr]) -> ast.arguments:
    """Parameters without those that `functools.partial` gives: these come last, with defaults."""
    positional = [p.arg for p in (*a.posonlyargs, *a.args)]
    defaults = dict(zip(positional[::-1], a.defaults[::-1], strict=False))
    plain = [ast.arg(p.arg, None if p.arg in varying else p.annotation) for p in a.args]
    first = [ast.arg(p.arg, None if p.arg in varying else p.annotation) for p in a.posonlyargs]
    kept = [p for p in plain if p.arg not in bound]
    only = [(p, d) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if p.arg not in bound]
    only += [(ast.arg(name), value) for name, value in bound.items()]
    return ast.arguments(
        posonlyargs=[p for p in first if p.arg not in bound],
        args=kept,
        vararg=a.vararg,
        kwonlyargs=[p for p, _ in only],
        kw_defaults=[d for _, d in only],
        kwarg=a.kwarg,
        defaults=[defaults[n] for n in positional if n in defaults and n not in bound],
    )


def _cuts(file: FileText, tokens: list[Token], index: int, varying: set[str]) -> Iterator[Cut]:
    """What goes of a signature: type parameters, some annotations, the type of the result."""
    opening = next(k for k in range(index, len(tokens)) if tokens[k].string == "(")
    if opening > index + 1:
        yield _at(file, tokens[index].end), _at(file, tokens[opening].start), ""
    depth, k = 0, opening
    while k < len(tokens):
        text = tokens[k].string
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
        annotated = depth == 1 and tokens[k].type == tokenize.NAME and tokens[k + 1].string == ":"
        if annotated and tokens[k - 1].string in ("(", ",", "*", "**"):
            last = _end_of_annotation(tokens, k + 2)
            if text in varying:
                start, stop, new = _at(file, tokens[k].end), _at(file, tokens[last - 1].end), ""
                if tokens[last].string == "=":
                    stop, new = _at(file, tokens[last + 1].start), "="
                yield start, stop, new
            k = last
            continue
        if depth == 0 and text == ")":
            yield _at(file, tokens[k].end), _at(file, tokens[-1].start), ""
            return
        k += 1


def _end_of_annotation(tokens: list[Token], k: int) -> int:
    """The comma, the equals sign or the parenthesis that ends an annotation."""
    depth = 0
    while depth or tokens[k].string not in (",", "=", ")"):
        depth += (tokens[k].string in ("(", "[", "{")) - (tokens[k].string in (")", "]", "}"))
        k += 1
    return k


def _at(file: FileText, place: tuple[int, int]) -> int:
    return file.starts[place[0] - 1] + place[1]


def _tokens(file: FileText, node: Definition) -> Iterator[Token]:
    """The tokens from `def` to the colon at its end, with their places in the file."""
    first = node.lineno
    column = file.start(node) - file.starts[first - 1]
    lines = [" " * column + file.lines[first - 1][column:], *file.lines[first : node.end_lineno]]
    depth, seen = 0, False
    for token in tokenize.generate_tokens(io.StringIO("\n".join([*lines, ""])).readline):
        if token.type in (tokenize.INDENT, tokenize.DEDENT):
            continue
        (row, start), (end_row, end) = token.start, token.end
        yield token._replace(start=(row + first - 1, start), end=(end_row + first - 1, end))
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            seen |= token.string == "("
            if token.string == ":" and not depth and seen:
                return


# ---------------------------------------------------------------- docstrings
def facts_lines(
    params: Mapping[str, Any], layout: str, axes: Mapping[str, Entries] | None = None
) -> list[str]:
    """What a written function's docstring says of its arguments; `axes`: what in_axes says.

    >>> import numpy as np
    >>> facts_lines({"x": Varying(np.dtype(float)), "k": 3}, "broadcast")
    ['Batched: x (arrays that broadcast).', 'Shared: k.']
    """
    varying = {n: f for n, f in params.items() if isinstance(f, (Varying, tuple))}
    tables = {n: f for n, f in params.items() if isinstance(f, Rows)}
    shared = [n for n in params if n not in varying and n not in tables]
    lines = []
    for name, rows in tables.items():
        columns = ", ".join(map(str, rows.columns))
        lines.append(f"Rows: {name} (a DataFrame or dict of arrays with {columns}).")
    if axes and any(entries != (0,) for entries in axes.values()):
        lines.append(f"Batched: {described(axes)}.")
    elif varying:
        cores = [f"{n}: {f.rank}" for n, f in varying.items() if isinstance(f, Varying) and f.rank]
        over = "axis 0" if layout == "lanes" else "arrays that broadcast"
        if cores and layout != "lanes":
            over += f"; axes of one sample behind: {', '.join(cores)}"
        lines.append(f"Batched: {', '.join(varying)} ({over}).")
    if shared:
        lines.append(f"Shared: {', '.join(shared)}.")
    return [part for line in lines for part in textwrap.wrap(line, 88, subsequent_indent="    ")]


def docstring(
    file: FileText,
    node: Definition | ast.Lambda,
    name: str,
    facts: list[str],
    indent: str,
    given: str | None = None,
) -> list[str]:
    """The lines of the docstring: the user's own, or a line about the function, and the facts."""
    own = _own_docstring(node)
    if given is None and own is not None and isinstance(own.value, str):
        literal = file.piece(own)
        quotes = literal[-3:]
        if quotes in ('"""', "'''") and not literal[:1].isalnum() and literal[:3] == quotes:
            kept = lines_of(literal[:-3].rstrip())
            kept[0] = indent + kept[0]
            facts = [indent + line if line else "" for line in ["", *facts]]
            return [*kept, *facts, indent + quotes]
        given = own.value
    if given is None:
        given = f"{name}, batched: every sample of the arguments at once."
    text = "\n".join([given.rstrip(), "", *facts])
    return [indent + line if line else "" for line in docstring_lines(text, 0)]


def _own_docstring(node: Definition | ast.Lambda) -> ast.Constant | None:
    first = node.body[0] if isinstance(node.body, list) else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return first.value if isinstance(first.value.value, str) else None
    return None


def without_docstring(node: Definition) -> list[ast.stmt]:
    """The statements of a function behind its docstring."""
    return node.body[1:] if _own_docstring(node) is not None else node.body
