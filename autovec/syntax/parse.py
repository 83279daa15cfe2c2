"""From a function, or a file's text, to its tree."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import linecache
import os
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from autovec.errors import Place, Problem, SourceNotFound, UnsupportedSyntax
from autovec.syntax.convert import to_gast
from autovec.syntax.find import (
    Candidate,
    candidates,
    holds_positions,
    same_but_for_asserts,
    same_code,
)
from autovec.syntax.spelling import spell


@dataclass(frozen=True)
class Source:
    """A function's definition as it is written, and the lines of its file.

    Within a class private names (`__x`) are as written in the tree; `class_name` mangles them.
    """

    filename: str
    tree: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda
    lines: tuple[str, ...]
    name: str
    class_name: str | None = None


def source_of(fn: Callable[..., Any]) -> Source:
    """The definition of a live function.

    The file is parsed as a whole and the definition found by its line; then it is compiled and
    compared with the function's code, so that it is certainly this function's text: a file that
    changed, or one of two lambdas on a line, is never taken for another. A definition that only
    moved within its file is found where it is now.

    Raises SourceNotFound, with the reason and a way out.
    """
    function = _function(fn)
    code = function.__code__
    lines = _lines_of(function)
    place = _first_line(code, lines)
    with _depth_errors_at(place):
        found = _definition(function, lines, place)
        tree = to_gast(found.node)
        spell(tree, lines)
        return Source(code.co_filename, tree, lines, found.name, found.class_name)


def parse_file(text: str, filename: str) -> gast.Module:
    """The tree of a whole file. Raises SyntaxError as Python does."""
    with _depth_errors_at(Place(filename, 1, 0, 0, "")):
        module: gast.Module = to_gast(_parse(text.removeprefix("\ufeff"), filename))
        return module


def text_lines(text: str) -> tuple[str, ...]:
    """The lines of a text as Python's parser counts them, without their ends."""
    return tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def place_of(source: Source, node: gast.AST) -> Place:
    """Where a node stands; a node without a location is placed at the function's first line."""
    line = getattr(node, "lineno", None)
    if line is None:
        node, line = source.tree, source.tree.lineno
    text = source.lines[line - 1] if 0 < line <= len(source.lines) else ""
    start = _column(text, node.col_offset)  # type: ignore[attr-defined]
    end_line = getattr(node, "end_lineno", None)
    if end_line == line:
        end = _column(text, node.end_col_offset)  # type: ignore[attr-defined]
    else:
        end = len(text.rstrip())
    return Place(source.filename, line, start, max(start, end), text)


def _column(text: str, offset: int) -> int:
    """The parser counts in UTF-8 bytes, a reader in characters."""
    return len(text.encode()[:offset].decode(errors="replace"))


def _function(fn: Any) -> types.FunctionType:
    if isinstance(fn, types.MethodType):
        return _function(fn.__func__)
    if isinstance(fn, types.FunctionType):
        return fn
    name = getattr(fn, "__qualname__", None) or repr(fn)
    if isinstance(fn, type):
        raise SourceNotFound(f"{name} is a class\n  instead: pass a function or one of its methods")
    if isinstance(vars(type(fn)).get("__call__"), types.FunctionType):
        raise SourceNotFound(f"{name} is an object\n  instead: pass its __call__ method")
    raise SourceNotFound(
        f"{name} has no Python source: it is a {type(fn).__name__}, written in C or made by a tool"
        "\n  instead: pass a Python function"
    )


def _lines_of(fn: types.FunctionType) -> tuple[str, ...]:
    code = fn.__code__
    filename = code.co_filename
    linecache.checkcache(filename)
    # By attribute: doctest and IPython put their own functions into the module.
    lines = linecache.getlines(filename, fn.__globals__)
    if not lines:
        with contextlib.suppress(OSError):
            lines = inspect.findsource(code)[0]
    if lines:
        return tuple(line.removesuffix("\n") for line in lines)
    if filename == "<stdin>":
        why = "it was typed at a prompt that keeps no text"
        instead = "put it into a file, or use IPython or the prompt of Python 3.13"
    elif filename.startswith("<"):
        why = "it was made by exec, eval or a tool, and its text was not kept"
        instead = "put it into a file, or its text into linecache.cache"
    elif os.path.exists(filename):
        why = "its file cannot be read"
        instead = "save the file as UTF-8, or declare its encoding"
    else:
        why = "its file is not there"
        instead = "install it with its source files"
    raise SourceNotFound(
        f"{filename}:{code.co_firstlineno}: the source of {code.co_qualname} is not found"
        f"\n  why: {why}\n  instead: {instead}"
    )


def _first_line(code: types.CodeType, lines: tuple[str, ...]) -> Place:
    line = code.co_firstlineno
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return Place(code.co_filename, line, len(text) - len(text.lstrip()), len(text.rstrip()), text)


def _definition(fn: types.FunctionType, lines: tuple[str, ...], place: Place) -> Candidate:
    code = fn.__code__
    try:
        tree = _parsed("\n".join(lines) + "\n")
    except (SyntaxError, ValueError) as error:
        why = f"its file cannot be parsed now: {error}"
        raise _not_found(code, place, why, "reload the module when the file is complete") from None
    with _quiet():
        here = candidates(tree, code.co_name, code.co_firstlineno)
        # Two lambdas with one code are one text; the position only decides which one to show.
        here.sort(key=lambda item: not holds_positions(item, code))
        for item in here:
            if same_code(item, code):
                return item
        there = [item for item in candidates(tree, code.co_name) if same_code(item, code)]
        if there:
            return min(there, key=lambda item: _distance(item, code))
        if "@pytest_ar" in fn.__globals__:
            # pytest compiles the tests it imports with other asserts than the file has.
            rewritten = [item for item in here if same_but_for_asserts(item, code)]
            if rewritten:
                return rewritten[0]
    if len(here) > 1:
        why = f"{len(here)} functions called {code.co_name} start here, and none has its code"
        instead = "put them on separate lines, or name them with def; reload a changed file"
        raise _not_found(code, place, why, instead)
    why = "what stands here compiles to something else: the file has changed since it was loaded"
    if place.file.startswith("<"):
        why = f"the text kept as {place.file} is not the one it was made from"
    raise _not_found(code, place, why, "load it again (or switch off what rewrites its code)")


def _not_found(code: types.CodeType, place: Place, why: str, instead: str) -> SourceNotFound:
    what = f"the source of {code.co_qualname} is not found"
    return SourceNotFound(str(Problem(place, what, why, instead)))


def _distance(item: Candidate, code: types.CodeType) -> tuple[bool, int]:
    return item.qualname != code.co_qualname, abs(item.first_line - code.co_firstlineno)


@contextlib.contextmanager
def _depth_errors_at(place: Place) -> Iterator[None]:
    """Python's parser and compiler give up on very deep code: say where that is."""
    try:
        yield
    except (RecursionError, MemoryError):
        what = "this is nested too deeply to be read"
        raise UnsupportedSyntax(
            Problem(place, what, instead="split the expression with variables or a loop")
        ) from None


@functools.lru_cache(maxsize=16)
def _parsed(text: str) -> ast.Module:
    return _parse(text, "<unknown>")


def _parse(text: str, filename: str) -> ast.Module:
    with _quiet():
        return ast.parse(text, filename)


# The filters of warnings are the process's: one thread at a time.
_FILTERS = threading.RLock()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without the warnings about the text, which Python gave when it loaded it."""
    with _FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
