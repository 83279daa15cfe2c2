"""A function of a file with its loops lifted for certain kinds of parameters."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.errors import Problem, Unsupported
from autovec.files.meaning import Doubt
from autovec.lift.function import OWN_FAULT, Note, Walker
from autovec.lift.outside import assign, forget
from autovec.syntax.convert import text_of
from autovec.syntax.parse import Source, place_of
from autovec.syntax.walking import walk

#: the comment above a loop that runs where its lifted text may not: the loop is left alone then
MARK = "# turn by turn"
#: how a comment begins that stands above a lifted text without a loop beside it
LIFTED = "# lifted: "
LOOPS = (gast.For, gast.While)


@dataclass(frozen=True, eq=False)
class Replaced:
    """Statements in the place of one of the user's.

    `strict`: `math` raises where NumPy's text warns; `risky`: the text may raise where the loop
    does otherwise. `live`: what is read later; `bound`: what certainly has a value before.
    """

    node: Any
    made: list[Any]
    strict: bool
    risky: bool
    live: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        return text_of(self.made)


@dataclass(eq=False)
class Outcome:
    """What lifting a function for some kinds of its parameters gives."""

    replaced: list[Replaced] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    stored: frozenset[str] = frozenset()

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for two outcomes that give the same text."""
        return tuple((id(r.node), r.text, r.strict, r.risky) for r in self.replaced)


class FileWalker(Walker):
    """A walker that notes which statements it puts in the place of which."""

    def __init__(self, source: Source, fn: types.FunctionType, kinds: dict[str, Any]) -> None:
        super().__init__(source, fn, kinds)
        self.own = {id(node) for node in walk(source.tree)}
        self.replaced: list[Replaced] = []
        self.stays: list[Any] = []

    def statement(self, node: Any, live: frozenset[str]) -> list[Any]:
        if self.is_marked(node):
            return self.passed(node)
        made = self.made
        before, count = (made.strict, made.risky), len(self.replaced)
        made.strict = made.risky = False
        bound = {name for name, thing in self.facts.env.items() if thing is not None}
        result = super().statement(node, live)
        strict, risky = made.strict, made.risky
        made.strict, made.risky = strict or before[0], risky or before[1]
        if id(node) in self.own and not self.is_kept(node, result):
            del self.replaced[count:]
            self.replaced.append(Replaced(node, result, strict, risky, live, frozenset(bound)))
        return result

    def passed(self, node: Any) -> list[Any]:
        """A statement that stands beside its lifted text already."""
        self.facts.elements.clear()
        if isinstance(node, LOOPS):
            self.note(node, "stays a loop", "it stands beside its lifted text")
            self.pass_over(node)
        elif isinstance(node, (gast.Assign, gast.AugAssign)):
            assign(self.facts, self.scope, node)
        else:
            forget(self.facts, node)
        return [node]

    def serial(self, node: Any, live: frozenset[str], why: Unsupported | None = None) -> list[Any]:
        result = super().serial(node, live, why)
        self.stays += result
        return result

    def is_kept(self, node: Any, result: list[Any]) -> bool:
        """Does a statement stay, its blocks' statements looked at by themselves?"""
        if len(result) != 1:
            return False
        [new] = result
        if new is node or any(new is kept for kept in self.stays):
            return True
        return isinstance(node, gast.If) and isinstance(new, gast.If)

    def is_marked(self, node: Any) -> bool:
        line = getattr(node, "lineno", 0)
        above = self.source.lines[line - 2] if line > 1 and id(node) in self.own else ""
        return above.strip() == MARK


def lifted(source: Source, fn: types.FunctionType, kinds: dict[str, Any]) -> Outcome:
    """The function's loops lifted for these kinds; nothing where the function is not understood."""
    try:
        walker = FileWalker(source, fn, kinds)
        made = walker.run()
    except Unsupported as error:
        return _left(source, error)
    except Exception as error:
        return _left(source, Unsupported(None, OWN_FAULT, f"{type(error).__name__}: {error}"))
    notes = [*made.notes, *_unseen(source, walker)]
    notes.sort(key=lambda note: (note.place.line, note.place.col))
    return Outcome(walker.replaced, notes, made.problems, made.stored)


def _unseen(source: Source, walker: FileWalker) -> Iterator[Note]:
    """Loops in statements that are left as they are: ``with``, ``try``."""
    inside = {id(n) for r in walker.replaced for n in walk(r.node)}
    noted = {(note.place.line, note.place.col) for note in walker.made.notes}
    for loop in walk(source.tree):
        if isinstance(loop, LOOPS) and id(loop) not in inside:
            place = place_of(source, loop)
            if (place.line, place.col) not in noted:
                yield Note(place, "stays a loop", "the statement around it is not looked into")


def _left(source: Source, error: Unsupported) -> Outcome:
    node: Any = error.node if getattr(error.node, "lineno", None) else source.tree
    notes = [
        Note(place_of(source, loop), "stays a loop", error.reason)
        for loop in walk(source.tree)
        if isinstance(loop, LOOPS)
    ]
    return Outcome([], notes, [Problem(place_of(source, node), error.what, error.why)])


def opaque(fn: types.FunctionType) -> None:
    """Puts objects of no meaning in the place of what the file does not tell of."""
    spaces = fn.__globals__
    for name, value in list(spaces.items()):
        if isinstance(value, Doubt):
            spaces[name] = object()
    for cell in fn.__closure__ or ():
        try:
            if isinstance(cell.cell_contents, Doubt):
                cell.cell_contents = object()
        except ValueError:
            continue
