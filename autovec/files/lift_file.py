"""From a file's text to the same file with its loops lifted."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from autovec.errors import AutovecError, Problem
from autovec.files.decorators import without
from autovec.files.layout import Layout
from autovec.files.lift_edits import Lifting, Loop, moved
from autovec.files.lift_kinds import Settled, kinds_text, settled
from autovec.files.lift_targets import LiftTarget, find
from autovec.files.lift_walk import opaque
from autovec.files.meaning import Doubt
from autovec.files.names import Names
from autovec.files.scopes import scopes_of
from autovec.files.targets import Request
from autovec.files.text import Edit, FileText
from autovec.files.world import World
from autovec.syntax.parse import Source, source_of

if TYPE_CHECKING:
    from autovec.files.rewrite import Rewritten


@dataclass(eq=False)
class LiftUnit:
    """What became of a function."""

    target: LiftTarget
    loops: list[Loop] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)  # what is asked of its parameters, in words
    problems: list[Problem] = field(default_factory=list)

    @property
    def lifted(self) -> bool:
        return any(loop.lifted for loop in self.loops)


def lift_file(file: FileText, tree: ast.Module, request: Request, done: Rewritten) -> None:
    """Lift the loops of the functions that the file, or the request, asks for."""
    world = World(file, tree, scopes_of(tree))
    found = find(world, request)
    done.problems += found.problems
    done.warnings += found.warnings
    done.matched, done.near = found.matched, found.near
    names = Names(tree, world.scopes)
    layout = Layout(world, names, [])
    for target in found.targets:
        unit = _lift(target, layout)
        done.lifts.append(unit)
        _judge(unit, request, done)
    for statement, whole, inner in found.plain:
        layout.touch(statement)
        layout.edits.append(Edit(file.start(whole), file.end(whole), file.piece(inner)))
    edits = layout.finish()
    if done.problems or not edits:
        return
    asked_for = bool(found.plain) or any(unit.target.asked_for for unit in done.lifts)
    done.write(file, edits, names.missing, asked_for)


def _judge(unit: LiftUnit, request: Request, done: Rewritten) -> None:
    """Loops that stay are errors where that is asked for, and said where nothing is lifted."""
    if not unit.problems:
        return
    if request.strict or unit.target.strict:
        done.problems += unit.problems
    elif unit.target.asked_for and not unit.lifted:
        done.warnings += unit.problems


def _lift(target: LiftTarget, layout: Layout) -> LiftUnit:
    """One function lifted, its edits among the others."""
    unit = LiftUnit(target)
    made = _settled(target, layout.world, unit)
    edits: list[Edit] = []
    if made is not None:
        source, result = made
        lifting = Lifting(layout, target, source.tree, result)  # type: ignore[arg-type]
        lifting.write()
        unit.loops, edits = lifting.loops, lifting.edits
        unit.kinds = list(kinds_text(result.asked)) if unit.lifted else []
        unit.problems += result.outcome.problems
    if target.statement is not target.node:
        _assignment(target, layout, edits, unit.lifted)
        return unit
    edits += without(layout.file, layout.comments, target.node, target.decorators)
    if edits:
        layout.edits += edits
        layout.touch(target.node)
    return unit


def _settled(target: LiftTarget, world: World, unit: LiftUnit) -> tuple[Source, Settled] | None:
    place = world.file.place(target.node)
    function = world.function(target.node)
    if isinstance(function, Doubt):
        unit.problems.append(Problem(place, f"{function.name} is not lifted", function.why))
        return None
    opaque(function)
    try:
        source = source_of(function)
    except AutovecError as error:
        unit.problems.append(Problem(place, str(error).split("\n", maxsplit=1)[0]))
        return None
    if not isinstance(source.tree, gast.FunctionDef):
        unit.problems.append(Problem(place, "this kind of function", "a plain def is lifted"))
        return None
    return source, settled(source, function, target.node, target.scope)


def _assignment(target: LiftTarget, layout: Layout, edits: list[Edit], lifted: bool) -> None:
    """``g = autovec.lift(f)`` becomes a def, or ``g = f``."""
    file, statement = layout.file, target.statement
    value: Any = statement.value  # type: ignore[attr-defined]
    layout.touch(statement)
    first, last = statement.lineno, statement.end_lineno or 0
    alone = file.piece(statement) == file.text[file.starts[first - 1] : file.line_end(last)].strip()
    same_depth = file.indentation(first) == file.indentation(target.node.lineno)
    if not (lifted and alone and same_depth):
        layout.edits.append(Edit(file.start(value), file.end(value), target.node.name))
        return
    lines = moved(file, target, edits)
    gap = [""] * (1 if file.indentation(first) else 2)
    above = gap if first > 1 and file.lines[first - 2].strip() else []
    below = gap if last < len(file.lines) and file.lines[last].strip() else []
    new = layout.joined([*above, *lines, *below])
    layout.edits.append(Edit(file.starts[first - 1], file.line_end(last), new))
