"""One batched function written into the file: in the place of the sample's, or behind it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import gast

from autovec.emit.world import names_of
from autovec.errors import Problem
from autovec.files.alignment import WORDS, free_word, laid_out, one_axis
from autovec.files.axes import opening, with_out_axes
from autovec.files.comments import Comment
from autovec.files.decorators import without
from autovec.files.header import docstring, facts_lines, header, without_docstring
from autovec.files.loops import Callees, call_of, loop_body
from autovec.files.printing import body_lines, indented, unit_of
from autovec.files.scopes import FUNCTIONS
from autovec.files.targets import is_batched
from autovec.files.text import Edit, lines_of
from autovec.files.units import Unit
from autovec.program.facts import Varying

if TYPE_CHECKING:
    from autovec.files.layout import Layout


class NoPlaceError(Exception):
    """A written function would have no place where the file's text asks for it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


class Written(NamedTuple):
    """A def's lines, the first of them without its indentation."""

    head: list[str]
    doc: list[str]
    body: list[str]

    def lines(self, lead: str) -> list[str]:
        return [lead + self.head[0], *self.head[1:], *self.doc, *self.body]


@dataclass(eq=False)
class Writing:
    """Writes a unit's function; `body` are its statements, none where it loops."""

    layout: Layout
    unit: Unit
    body: list[gast.stmt]
    names: dict[str, str]

    def __post_init__(self) -> None:
        self.file = self.layout.file
        self.target = self.unit.target
        self.node: Any = self.target.node
        self.statement = self.target.statement
        self.indent = self.file.indentation(self.statement.lineno)
        inner = self.node.body[0] if isinstance(self.node, FUNCTIONS) else self.statement
        self.step = unit_of(self.file.lines, inner, self.file.indentation(self.node.lineno))

    def write(self) -> None:
        """The edits."""
        if self.target.how == "beside":
            self.beside()
        elif self.target.how == "assignment" or isinstance(self.node, ast.Lambda):
            self.assigned()
        else:
            self.in_place()

    # ------------------------------------------------------------ the def
    def written(self, name: str) -> Written:
        """The batched def."""
        if self.unit.loop is not None:
            self.body = self.loop(name)
        elif any(self.unit.ranks.values()) and self.target.chosen.layout == "broadcast":
            self.body = self.any_batch()
        self.body = self.on_axes()
        head, behind = header(
            self.file, self.node, name, self.unit.varying, self.target.bound
        )
        inner = self.indent + self.step
        facts = facts_lines(self.unit.params, self.target.chosen.layout, self.unit.axes)
        doc = docstring(self.file, self.node, name, facts, inner, self.target.chosen.doc)
        comments = self.comments() if self.unit.loop is None else []
        body = body_lines(self.body, comments, inner, self.step)
        return Written(lines_of(f"{head}  {behind}" if behind else head), doc, body)

    def on_axes(self) -> list[gast.stmt]:
        """The body for the axes that in_axes and out_axes name."""
        chosen = self.target.chosen
        moves = chosen.out_axes not in (0, -1) or any(self.unit.ranks.values())
        lines = opening(self.unit.axes, self.unit.ranks, "np")
        out_axes = chosen.out_axes if moves else 0
        if not lines and out_axes == 0:
            return self.body
        numpy = self.layout.names.module("np", self.layout.hidden(self.target))
        lines = opening(self.unit.axes, self.unit.ranks, numpy)
        return [*lines, *with_out_axes(self.body, out_axes, numpy)]

    def any_batch(self) -> list[gast.stmt]:
        """The body for samples that are arrays, in batches of any shape."""
        taken = names_of(self.body) | set(self.unit.params)
        own = {word: free_word(word, taken) for word in WORDS}
        numpy = self.layout.names.module("np", self.layout.hidden(self.target) | set(WORDS))
        facts = {n: f for n, f in self.unit.params.items() if isinstance(f, Varying)}
        return [*one_axis(facts, numpy, own), *laid_out(self.body, self.unit.result, own)]

    def comments(self) -> list[Comment]:
        """The comments of the sample's function."""
        if not isinstance(self.node, FUNCTIONS):
            return []
        body = without_docstring(self.node)
        return list(self.layout.comments.of(body, self.node.end_lineno or 0)) if body else []

    def loop(self, name: str) -> list[gast.stmt]:
        """The statements of a def that calls the sample's function for each lane."""
        unit = self.unit
        assert unit.loop is not None
        method = self.target.scope.is_class and self.target.how == "beside"
        call = call_of(self.sample(name), self.node.args, method)
        layout = self.target.chosen.layout
        hidden = self.layout.hidden(self.target) | set(WORDS)
        numpy = self.layout.names.module("np", hidden)
        callees = Callees(numpy, self.names["samples"], self.names["stack_results"])
        return loop_body(unit.params, layout, unit.loop, call, unit.undeclared, callees)

    def sample(self, name: str) -> str:
        """What the function for one sample is called from the loop."""
        if self.target.how in ("beside", "assignment"):
            own = self.original_name()
            if own is not None and own != name:
                return own
        if "sample" not in self.names:
            self.names["sample"] = self.layout.names.fresh(f"{name}_sample")
        return self.names["sample"]

    def original_name(self) -> str | None:
        """The name that the sample's function has in the file."""
        if isinstance(self.node, FUNCTIONS):
            return str(self.node.name)
        for statement in self.layout.world.scopes.around:
            if isinstance(statement, ast.Assign) and statement.value is self.node:
                target = statement.targets[0]
                return target.id if isinstance(target, ast.Name) else None
        return None

    # ------------------------------------------------------------ in the place of the sample's
    def in_place(self) -> None:
        """The def becomes the batched one, its decorators but those of autovec stay."""
        node = self.node
        start, end = self.file.starts[node.lineno - 1], self.file.line_end(node.end_lineno)
        lead = self.file.text[start : self.file.start(node)]
        if self.unit.loop is None:
            self.drop(self.target.decorators)
            self.edit(start, end, self.written(self.target.name).lines(lead))
        elif self.target.scope.is_class:
            self.drop(self.target.decorators)
            self.edit(start, end, self.nested(lead))
        else:
            self.drop(node.decorator_list)
            written = self.written(self.target.name)
            self.rename(self.names["sample"])
            kept = [d for d in node.decorator_list if d not in self.target.decorators]
            above = [f"{self.indent}@{self.file.piece(d)}" for d in kept]
            lines = ["", *self.gap(), *above, *written.lines(self.indent)]
            self.layout.edits.append(Edit(end, end, self.layout.joined(lines)))

    def nested(self, lead: str) -> list[str]:
        """A method that loops: the function for one sample stands inside of it."""
        self.names["sample"] = "sample"
        head, doc, body = self.written(self.target.name)
        start = self.file.start(self.node)
        text = self.file.text[start : self.file.line_end(self.node.end_lineno)]
        at = text.index(self.node.name, len("def"))
        own = lines_of(text[:at] + "sample" + text[at + len(self.node.name) :])
        own[0] = self.indent + own[0]
        return [lead + head[0], *head[1:], *doc, "", *indented(own, self.step), "", *body]

    def rename(self, name: str) -> None:
        """The function for one sample under another name, where it calls itself, too."""
        node = self.node
        at = self.file.text.index(node.name, self.file.start(node) + len("def"))
        self.layout.edits.append(Edit(at, at + len(node.name), name))
        inside = self.layout.world.scopes.inside[node]
        if inside.owner(node.name) is not self.target.scope:
            return
        for part in (n for s in node.body for n in ast.walk(s)):
            if isinstance(part, ast.Name) and part.id == node.name:
                edit = Edit(self.file.start(part), self.file.end(part), name)
                self.layout.edits.append(edit)

    # ------------------------------------------------------------ behind the sample's
    def beside(self) -> None:
        """A def of its own behind the sample's function, or the one written there before."""
        scope = self.target.scope
        for name in self.layout.names.like(self.target.name):
            found = [b.node for b in scope.names.get(name, ())]
            if len(found) == 1 and is_batched(found[0]):
                old: Any = found[0]
                start = self.file.starts[old.lineno - 1]
                lines = self.written(name).lines(self.indent)
                self.edit(start, self.file.line_end(old.end_lineno), lines)
                return
            if not found and (scope.is_class or self.layout.names.is_free(name)):
                self.layout.names.taken.add(name)
                break
        self.layout.behind(self.statement, self.written(name).lines(self.indent), scope)

    # ------------------------------------------------------------ in the place of an assignment
    def assigned(self) -> None:
        """An assignment becomes a def."""
        first, last = self.statement.lineno, self.statement.end_lineno or 0
        end = self.file.end(self.statement)
        before = self.file.text[self.file.starts[first - 1] : self.file.start(self.statement)]
        after = self.file.text[end : self.file.line_end(last)].strip().removeprefix(";").strip()
        if before.strip() or (after and not after.startswith("#")):
            place = self.file.place(self.statement)
            why = "a def needs lines of its own"
            raise NoPlaceError(Problem(place, "this stands beside another statement", why))
        lines = self.written(self.target.name).lines(self.indent)
        if "sample" in self.names:
            lines = [*self.kept_sample(), *self.gap(), *lines]
        if after:
            lines.insert(0, self.indent + after)
        above = self.missing(range(first - 1, 0, -1))
        below = self.missing(range(last + 1, len(self.file.lines) + 1))
        if self.layout.is_assigned(self.statement, 1):
            below = []  # the next def brings its own
        self.edit(self.file.starts[first - 1], self.file.line_end(last), [*above, *lines, *below])

    def kept_sample(self) -> Iterator[str]:
        """The function for one sample under a name of its own, before its name is the batch's."""
        own = self.original_name() if self.target.how == "assignment" else None
        value = lines_of(self.file.piece(self.node) if own is None else own)
        opening, closing = ("(", ")") if len(value) > 1 else ("", "")
        value[-1] += closing
        yield f"{self.indent}{self.names['sample']} = {opening}{value[0]}"
        yield from value[1:]

    def gap(self) -> list[str]:
        """The blank lines between two definitions."""
        return [""] * (1 if self.indent else 2)

    def missing(self, rows: Iterable[int]) -> list[str]:
        """The blank lines that a def wants in a direction and that are not there."""
        count = 0
        for row in rows:
            text = self.file.lines[row - 1]
            if not text.strip():
                count += 1
                continue
            close = count == 0 and text.lstrip().startswith(("#", "@"))
            ends = len(self.file.indentation(row)) < len(self.indent)
            return [] if close or ends else self.gap()[count:]
        return []

    # ------------------------------------------------------------ edits
    def drop(self, decorators: Iterable[ast.expr]) -> None:
        """Decorators go with their lines."""
        self.layout.edits += without(self.file, self.layout.comments, self.node, decorators)

    def edit(self, start: int, end: int, lines: list[str]) -> None:
        """Put lines in a place, if it does not hold them already."""
        new = self.layout.joined(lines)
        if self.file.text[start:end] != new:
            self.layout.edits.append(Edit(start, end, new))
