"""Which functions of a file are to be lifted, and where the result stands."""

from __future__ import annotations

import ast
import difflib
import re
from dataclasses import dataclass, field
from typing import Any

from autovec.errors import Problem
from autovec.files.lift_walk import LIFTED, MARK
from autovec.files.meaning import Doubt, binding_of
from autovec.files.options import LIFTERS, Made, made_by
from autovec.files.scopes import Binding, Scope
from autovec.files.targets import Request
from autovec.files.world import World

#: decorators that call the function and do not look at its text
_CALLING = ("functools.", "builtins.", "typing.", "contextlib.", "abc.", "dataclasses.")
_WRITTEN = re.compile(rf"^[ \t]*(?:{MARK}$|{LIFTED})", re.M)
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


@dataclass(frozen=True, eq=False)
class LiftTarget:
    """One function whose loops are to be lifted.

    `statement` is the def itself, or the assignment ``g = autovec.lift(f)`` that becomes one.
    """

    node: ast.FunctionDef
    scope: Scope
    name: str
    statement: ast.stmt
    decorators: tuple[ast.expr, ...] = ()  # those that go
    asked_for: bool = True  # by the file or the command line, and not only found
    strict: bool = False

    @property
    def asked(self) -> str:
        """The dotted name."""
        prefix = self.scope.qualname()
        return f"{prefix}.{self.name}" if prefix else self.name


@dataclass(eq=False)
class LiftFound:
    """The targets of a file in the order of its text, and what is wrong with others.

    `plain` are calls ``lift(f)`` of what is no def of the file: the call goes, its argument stays.
    """

    targets: list[LiftTarget] = field(default_factory=list)
    plain: list[tuple[ast.stmt, ast.expr, ast.expr]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    matched: set[str] = field(default_factory=set)
    near: set[str] = field(default_factory=set)


def find(world: World, request: Request) -> LiftFound:
    """The functions that a file, or the command line, asks to lift; else all that have loops.

    A file that was lifted before is not tried as a whole again.
    """
    found = LiftFound()
    around = list(world.scopes.around.items())
    for statement, scope in around:
        if isinstance(statement, ast.FunctionDef):
            _decorated(world, statement, scope, found)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            _assigned(world, statement, scope, found)
    taken = {target.node for target in found.targets}
    for name in request.functions:
        _picked(world, name, taken, found)
    written = _WRITTEN.search(world.file.text)  # what is left stayed on purpose
    if not (request.functions or found.targets or found.plain or written):
        for statement, scope in around:
            if isinstance(statement, ast.FunctionDef) and _may_have_loops(world, statement, scope):
                target = LiftTarget(statement, scope, statement.name, statement, (), False)
                found.targets.append(target)
    found.targets.sort(key=lambda t: (t.statement.lineno, t.statement.col_offset))
    return found


def _decorated(world: World, node: ast.FunctionDef, scope: Scope, found: LiftFound) -> None:
    uses = [(d, made_by(d, scope, node, LIFTERS)) for d in node.decorator_list]
    ours = [(d, made) for d, made in uses if made is not None and made.function is None]
    if ours:
        strict = any(_strict(world, made, scope, node) for _, made in ours)
        gone = tuple(d for d, _ in ours)
        found.targets.append(LiftTarget(node, scope, node.name, node, gone, True, strict))


def _strict(world: World, made: Made, scope: Scope, before: ast.stmt) -> bool:
    """Does ``fallback="error"`` stand there?"""
    option = made.options.get("fallback")
    return option is not None and world.constant(option, scope, before) == "error"


def _assigned(world: World, statement: Any, scope: Scope, found: LiftFound) -> None:
    """``g = autovec.lift(f)``."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    made = None if statement.value is None else made_by(statement.value, scope, statement, LIFTERS)
    if made is None or made.function is None or len(targets) != 1:
        return
    strict = _strict(world, made, scope, statement)
    node = _function_of(made.function, scope, statement)
    if isinstance(node, ast.FunctionDef) and isinstance(targets[0], ast.Name):
        name = targets[0].id
        found.targets.append(LiftTarget(node, scope, name, statement, (), True, strict))
        return
    found.plain.append((statement, statement.value, made.function))
    what = f"{ast.unparse(made.function)[:40]} is not lifted"
    problem = Problem(world.file.place(made.function), what, "it is no def of this file")
    (found.problems if strict else found.warnings).append(problem)


def _function_of(node: ast.expr, scope: Scope, before: ast.stmt) -> ast.AST | None:
    if not isinstance(node, ast.Name):
        return None
    binding = binding_of(node.id, scope, before)
    if not isinstance(binding, Binding) or isinstance(binding, Doubt):
        return None
    definition = binding.node
    plain = isinstance(definition, ast.FunctionDef) and not definition.decorator_list
    return definition if plain else None


def _picked(world: World, name: str, taken: set[ast.FunctionDef], found: LiftFound) -> None:
    """``-f NAME``: a function of that name or dotted name."""
    every = [
        (LiftTarget(s, scope, s.name, s), s)
        for s, scope in world.scopes.around.items()
        if isinstance(s, ast.FunctionDef)
    ]
    exact = [(t, s) for t, s in every if t.asked == name]
    inner = [(t, s) for t, s in every if t.name == name]
    matches = exact or (inner if len(inner) == 1 else [])
    if not matches:
        found.near |= set(difflib.get_close_matches(name, sorted({t.asked for t, _ in every}), 3))
        return
    found.matched.add(name)
    if len(matches) > 1:
        what = f"{name} is defined in {len(matches)} places"
        place = world.file.place(matches[-1][1])
        found.problems.append(Problem(place, what, "which one is meant is not said"))
        return
    [(target, node)] = matches
    if node not in taken:
        found.targets.append(target)


def _may_have_loops(world: World, node: ast.FunctionDef, scope: Scope) -> bool:
    """A function with loops whose decorators, if any, only call it."""
    for decorator in node.decorator_list:
        if made_by(decorator, scope, node) is not None:
            return False
        name = world.decorator_name(decorator, scope, node)
        if name is None or not name.startswith(_CALLING):
            return False
    return any(isinstance(inner, _LOOPS) for inner in ast.walk(node))
