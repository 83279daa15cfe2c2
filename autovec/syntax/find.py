"""Which definition in a file is this function's: by line, by position, and by its compiled code."""

from __future__ import annotations
import __future__

import ast
import copy
import functools
import operator
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Position = tuple[int, int]

FUTURES = [getattr(__future__, name) for name in __future__.all_feature_names]
FUTURE_FLAGS = functools.reduce(operator.or_, (feature.compiler_flag for feature in FUTURES))

# What the flags say about a function's kind; the others tell where it stands.
KIND_FLAGS = (
    *(0x04, 0x08),  # *args, **kwargs
    *(0x20, 0x80, 0x200),  # generator, coroutine, async generator
)


@dataclass(frozen=True)
class Candidate:
    """A definition in a file, and the class around it that mangles its private names."""

    node: Definition
    qualname: str
    class_name: str | None
    module: ast.Module

    @property
    def name(self) -> str:
        """The name that its code object has."""
        return "<lambda>" if isinstance(self.node, ast.Lambda) else self.node.name

    @property
    def first_line(self) -> int:
        """The line its code object starts at: that of the first decorator, if it has one."""
        decorators = getattr(self.node, "decorator_list", None)
        return decorators[0].lineno if decorators else self.node.lineno


def candidates(tree: ast.Module, name: str, line: int | None = None) -> list[Candidate]:
    """The definitions of that name in the order of the text; with a line, those starting there."""
    found = [item for item in _definitions(tree, line) if item.name == name]
    if line is not None:
        found = [item for item in found if item.first_line == line]
    return sorted(found, key=lambda item: (item.first_line, item.node.col_offset))


def _definitions(tree: ast.Module, line: int | None) -> Iterator[Candidate]:
    stack: list[tuple[ast.AST, str, str | None]] = [(tree, "", None)]
    while stack:
        node, prefix, class_name = stack.pop()
        if isinstance(node, DEFINITIONS):
            name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
            yield Candidate(node, prefix + name, class_name, tree)
            prefix += f"{name}.<locals>."
        elif isinstance(node, ast.ClassDef):
            class_name = node.name
            prefix += f"{node.name}."
        stack.extend(
            (child, prefix, class_name)
            for child in ast.iter_child_nodes(node)
            if line is None or _covers(child, line)
        )


def _covers(node: ast.AST, line: int) -> bool:
    first = getattr(node, "lineno", None)
    if first is None:
        return True
    for decorator in getattr(node, "decorator_list", ()):
        first = min(first, decorator.lineno)
    return bool(first <= line <= node.end_lineno)  # type: ignore[attr-defined]


def holds_positions(candidate: Candidate, code: types.CodeType) -> bool:
    """Whether the code's instructions stand within the candidate's body.

    False as well if the interpreter keeps no columns (`python -X no_debug_ranges`).
    """
    starts: list[Position] = []
    ends: list[Position] = []
    for line, end_line, col, end_col in code.co_positions():
        if line and end_line and col is not None and end_col:
            starts.append((line, col))
            ends.append((end_line, end_col))
    if not starts:
        return False
    start, end = min(starts), max(ends)
    first, last = _ends(candidate.node)
    return first <= start and end <= last


def _ends(node: Definition) -> tuple[Position, Position]:
    """Where the body starts and ends."""
    body: list[Any] = [node.body] if isinstance(node, ast.Lambda) else node.body
    first, last = body[0], body[-1]
    return (first.lineno, first.col_offset), (last.end_lineno, last.end_col_offset)


def same_code(candidate: Candidate, code: types.CodeType) -> bool:
    """Whether the candidate compiles to this code, whatever its name and lines."""
    if not _same_parameters(candidate.node, code):
        return False
    return bool(_fingerprint(compiled(candidate, code)) == _fingerprint(code))


def same_but_for_asserts(candidate: Candidate, code: types.CodeType) -> bool:
    """Whether the code may be the candidate's with its asserts rewritten, as pytest does.

    The rewritten code has all names and numbers of the plain code, and more (-1 may be - and 1).
    """
    if not any(isinstance(node, ast.Assert) for node in ast.walk(candidate.node)):
        return False
    if not _same_parameters(candidate.node, code):
        return False
    plain = compiled(candidate, code)
    return _vocabulary(plain) <= _vocabulary(code)


def _vocabulary(code: types.CodeType) -> set[Any]:
    numbers = [
        const if isinstance(const, (bool, complex)) else abs(const)
        for const in code.co_consts
        if isinstance(const, (int, float, complex))
    ]
    return _names(code).union(map(_constant, numbers))


def _same_parameters(node: Definition, code: types.CodeType) -> bool:
    args = node.args
    count = len(args.posonlyargs) + len(args.args)
    return (count, len(args.posonlyargs), len(args.kwonlyargs)) == (
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
    )


def compiled(candidate: Candidate, like: types.CodeType) -> types.CodeType:
    """The candidate's code, compiled as it was where `like` was: same closure, class and futures.

    Decorators, defaults and annotations run outside the function; they are left out.
    """
    header = f"def around({', '.join(like.co_freevars)}): ..."
    if candidate.class_name is not None:
        header = f"class {candidate.class_name}:\n    {header}"
    module = ast.parse(header)
    around: Any = module.body[0]
    if candidate.class_name is not None:
        [around] = around.body
    around.body = [_bare(candidate.node)]
    module.body[:0] = _context(candidate.module, _names(like))
    flags = like.co_flags & FUTURE_FLAGS
    code = compile(module, like.co_filename, "exec", flags=flags, dont_inherit=True)
    if candidate.class_name is not None:
        code = _only_code(code)
    return _only_code(_only_code(code))


def _names(code: types.CodeType) -> set[str]:
    """All names in a function, those of the functions within it included."""
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return names.union(*map(_names, inner))


def _context(module: ast.Module, used: set[str]) -> list[ast.stmt]:
    """What the module does at its own level that changes the code of functions within it.

    `name.f()` compiles differently if the module imports `name`, and `super()` if it uses `super`.
    """
    result: list[ast.stmt] = []
    for node in _imports_and_super(module, "super" in used):
        if isinstance(node, ast.Name):
            result.append(ast.copy_location(ast.Expr(node), node))
        elif {alias.asname or alias.name.partition(".")[0] for alias in node.names} & used:
            result.append(node)
    # A future import stays the first.
    return sorted(result, key=lambda node: node.lineno)


@functools.lru_cache(maxsize=16)
def _imports_and_super(module: ast.Module, expressions: bool) -> list[Any]:
    """A module's own imports and, if its expressions are looked into, where it names `super`."""
    result: list[Any] = []
    stack: list[ast.AST] = [module]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            result.append(node)
        elif isinstance(node, ast.Name):
            if node.id == "super":
                result.append(node)
        elif not isinstance(node, (*DEFINITIONS, ast.ClassDef)):
            below = ast.iter_child_nodes(node)
            stack.extend(child for child in below if expressions or not isinstance(child, ast.expr))
    return result


def _only_code(code: types.CodeType) -> types.CodeType:
    [inner] = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return inner


def _bare(node: Definition) -> ast.stmt:
    """The definition without what runs outside of it."""
    args = copy.copy(node.args)
    for field in ("posonlyargs", "args", "kwonlyargs"):
        setattr(args, field, [_unannotated(arg) for arg in getattr(args, field)])
    for field in ("vararg", "kwarg"):
        star = getattr(args, field)
        setattr(args, field, star and _unannotated(star))
    args.defaults = []
    args.kw_defaults = [None for _ in args.kwonlyargs]
    bare = copy.copy(node)
    bare.args = args
    if isinstance(bare, ast.Lambda):
        return ast.copy_location(ast.Return(bare), bare)
    # Under its own name, a recursive call in it would be one of a local of `around`.
    bare.name = "<definition>"
    bare.returns = None
    bare.__dict__["type_params"] = []
    if bare.decorator_list:
        # A decorator moves the function's first line, on which its first instruction depends.
        first = bare.decorator_list[0]
        bare.decorator_list = [ast.copy_location(ast.Constant(None), first)]
    return bare


def _unannotated(arg: ast.arg) -> ast.arg:
    return ast.copy_location(ast.arg(arg.arg), arg)


def _fingerprint(code: types.CodeType) -> Any:
    """All that decides what the code does; not where it stands."""
    # The body of a class holds its own qualified name, which says where it stands.
    own = code.co_qualname if "<locals>" in code.co_qualname else None
    consts = [c for c in code.co_consts if not isinstance(c, str) or c != own]
    return (
        code.co_code,
        code.co_exceptiontable,
        tuple(map(_constant, consts)),
        code.co_names,
        code.co_varnames,
        code.co_cellvars,
        code.co_freevars,
        tuple(code.co_flags & flag for flag in KIND_FLAGS),
    )


def _constant(value: object) -> Any:
    """A key that tells apart all constants: 1, 1.0 and True are equal, and so are 0.0 and -0.0."""
    if isinstance(value, types.CodeType):
        return _fingerprint(value)
    if isinstance(value, tuple):
        return tuple, tuple(map(_constant, value))
    if isinstance(value, frozenset):
        return frozenset, frozenset(map(_constant, value))
    if isinstance(value, (float, complex, slice)):
        return type(value), repr(value)
    return type(value), value
