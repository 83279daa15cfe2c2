"""The edits of a file in which loops become array operations."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.files.layout import Layout
from autovec.files.lift_kinds import IS_ARRAY, Settled
from autovec.files.lift_targets import LiftTarget
from autovec.files.lift_text import NoWayBack, Plan, plan_of, statements
from autovec.files.lift_walk import LIFTED, MARK, Replaced
from autovec.files.printing import body_lines, indented, unit_of
from autovec.files.text import Edit, FileText, lines_of
from autovec.lift.builtin_names import called
from autovec.lift.function import Note
from autovec.syntax.convert import text_of
from autovec.syntax.names import Namer
from autovec.syntax.parse import parse_file
from autovec.syntax.quote import name, stmt
from autovec.syntax.scope import assigned_names, free_names
from autovec.syntax.walking import walk

_ROOM = 70  # a question of so many characters stands where it is asked; a longer one gets a name


@dataclass(frozen=True)
class Loop:
    """What became of one loop of the file.

    `text` is what it is now, `test` asks whether that may run, `asks` is the name in it that holds
    what is asked of the parameters.
    """

    line: int
    column: int
    lifted: bool
    why: str = ""
    text: str = ""
    test: str = ""
    asks: str = ""


@dataclass(eq=False)
class Lifting:
    """Writes the lifted loops of one function."""

    layout: Layout
    target: LiftTarget
    tree: gast.FunctionDef
    settled: Settled
    loops: list[Loop] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    _local: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.file: FileText = self.layout.file
        self.hidden = self.layout.hidden(self.target)  # type: ignore[arg-type]
        names = {n.id for n in walk(self.tree) if isinstance(n, gast.Name)}
        made = [r.made for r in self.settled.outcome.replaced]
        names |= {n.id for body in made for n in walk(body) if isinstance(n, gast.Name)}
        self.namer = Namer(names)

    def local(self, wanted: str) -> str:
        """A name of the function's own that it does not have; the same one each time."""
        if wanted not in self._local:
            self._local[wanted] = self.namer.fresh(wanted)
        return self._local[wanted]

    def write(self) -> None:
        """All edits within the function, and what to say of each of its loops."""
        question = self.question() if self.settled.asked else None
        asked = False
        for replaced in self.settled.outcome.replaced:
            free = self.settled.is_free(replaced) or question is None
            plan = plan_of(replaced, None if free else question)
            why = self.replace(replaced, plan)
            asked |= not why and not free
            test = " and ".join(map(text_of, plan.tests))
            where = self.file.place(replaced.node)
            loop = Loop(where.line, where.col + 1, False, why)
            if not why:
                text = "\n".join(map(text_of, plan.body))
                asks = question.id if not free and isinstance(question, gast.Name) else ""
                loop = Loop(where.line, where.col + 1, True, "", text, test, asks)
            self.loops.append(loop)
        if asked and isinstance(question, gast.Name):
            self.edits.insert(0, self.asked_first(question.id))
        places = {(loop.line, loop.column) for loop in self.loops}
        for note in self.settled.outcome.notes:
            place = (note.place.line, note.place.col + 1)
            if note.what != "lifted" and place not in places:
                self.loops.append(Loop(*place, False, note.why + self.where(note)))
        self.loops.sort(key=lambda loop: (loop.line, loop.column))

    def where(self, note: Note) -> str:
        """Where in a loop that stays the reason stands."""
        for problem in self.settled.outcome.problems:
            start = (problem.place.line, problem.place.col)
            if problem.reason == note.why and start > (note.place.line, note.place.col):
                return f" ({start[0]}:{start[1] + 1})"
        return ""

    # ------------------------------------------------------------ the question
    def question(self) -> gast.expr:
        """What is asked of the parameters: in full, or the name that holds the answer."""
        test = self.test()
        guarded = [r for r in self.settled.outcome.replaced if not self.settled.is_free(r)]
        bound = assigned_names(self.tree.body) & set(self.settled.asked)
        if len(guarded) == 1 and len(text_of(test)) <= _ROOM and not bound:
            return test
        return name(self.local("arrays"))

    def test(self) -> gast.expr:
        """The question in full; the helper it calls is put into the file."""
        tree: Any = parse_file(IS_ARRAY, "<helper>").body[0]
        names: dict[str, str] = {}
        if any(type(kinds[0]) is tuple for kinds in self.settled.asked.values()):
            self.layout.helper(tree, names, ("np",))
        return self.settled.test(names.get("is_array", "is_array"))

    def asked_first(self, holder: str) -> Edit:
        """``arrays = ...``, before the first statement of the function."""
        documented = ast.get_docstring(self.target.node, clean=False) is not None
        first = self.target.node.body[int(documented)]
        lines = self.printed([stmt("name = test", name=holder, test=self.test())], first.lineno)
        at = self.file.starts[first.lineno - 1]
        return Edit(at, at, self.layout.joined([*lines, ""]))

    # ------------------------------------------------------------ a loop
    def replace(self, replaced: Replaced, plan: Plan) -> str:
        """The edit for one loop; why there is none."""
        node = replaced.node
        first, last = node.lineno, node.end_lineno
        before = self.file.text[self.file.starts[first - 1] : self.file.start(node)]
        after = self.file.text[self.file.end(node) : self.file.line_end(last)].strip()
        if before.strip(" \t\f") or (after and not after.startswith("#")):
            return "it stands beside another statement, in one line"
        try:
            made, header = statements(replaced, plan, self.local)
        except NoWayBack:
            return "it may fail in the middle, and what was done until then cannot be taken back"
        module = self.layout.world.scopes.module
        used = {n for n in called(made) - called([node]) if hasattr(builtins, n)}
        taken = {n for n in used if n in self.hidden or module.owner(n) is not None}
        if taken:
            return f"{min(taken)} is another one in this file"
        lines = self.printed(made, first)
        original = list(self.file.lines[first - 1 : last])
        original[0] = original[0][len(before) :] if "\f" in before else original[0]
        if header is None:
            comments = self.layout.comments.between(first, last)
            indent = self.file.indentation(first)
            was = LIFTED + original[0].partition("#")[0].strip(" \t\f:")
            lines = [*(indent + text for text in (*comments, shortened(was))), *lines]
        else:
            lines += self.beside(header, original, first)
        start = self.file.starts[first - 1] + len(before[: before.rfind("\f") + 1])
        self.edits.append(Edit(start, self.file.line_end(last), self.layout.joined(lines)))
        return ""

    def printed(self, body: list[Any], line: int) -> list[str]:
        """Statements at the depth of a line, by the file's names."""
        modules = ["np"] if "np" in free_names(body) else []
        body = self.layout.renamed(body, {}, modules, self.hidden)
        return body_lines(body, [], self.file.indentation(line), self.step)

    def beside(self, header: str, original: list[str], line: int) -> Iterator[str]:
        """The loop as it is written, one block deeper."""
        indent = self.file.indentation(line)
        yield indent + header
        yield indent + self.step + MARK
        yield from indented(original, self.step)

    @property
    def step(self) -> str:
        """How the function indents a block."""
        node = self.target.node
        return unit_of(self.file.lines, node.body[0], self.file.indentation(node.lineno))


def shortened(text: str) -> str:
    """A comment that fits into a line."""
    return text if len(text) <= _ROOM else text[: _ROOM - 4].rstrip() + " ..."


def moved(file: FileText, target: LiftTarget, edits: list[Edit]) -> list[str]:
    """A def with edits made, under another name, as lines of another place."""
    node = target.node
    start, end = file.starts[node.lineno - 1], file.line_end(node.end_lineno or 0)
    inside = [Edit(e.start - start, e.end - start, e.new) for e in edits]
    at = file.text.index(node.name, file.start(node) + len("def")) - start
    inside.append(Edit(at, at + len(node.name), target.name))
    piece = FileText(file.name, file.text[start:end])
    return lines_of(piece.edited(inside))
