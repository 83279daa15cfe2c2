"""Where everything that is written goes: the edits of a file for its compiled targets."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.emit.printer import to_text
from autovec.emit.source import Twin
from autovec.files.comments import Comments
from autovec.files.loops import helpers as loop_helpers
from autovec.files.meaning import binding_of
from autovec.files.names import Names
from autovec.files.printing import body_lines, unit_of
from autovec.files.results import cast_results
from autovec.files.scopes import FUNCTIONS, Binding, Scope
from autovec.files.targets import Target
from autovec.files.text import Edit
from autovec.files.units import Unit
from autovec.files.world import World
from autovec.files.writing import Writing
from autovec.syntax.scope import SCOPES
from autovec.syntax.visit import free_names, local_names, replace_names, walk
from autovec.syntax.walking import updated


@dataclass(eq=False)
class Layout:
    """Collects the edits of one file.

    Helper functions stand before the first statement that is changed, the twin of a function of
    the file behind that function, a batched function in the place of, or behind, its sample's.
    """

    world: World
    names: Names
    units: list[Unit]
    edits: list[Edit] = field(default_factory=list)
    before: list[str] = field(
        default_factory=list
    )  # definitions before the first changed statement
    first: ast.stmt | None = None
    _placed: dict[str, str] = field(default_factory=dict)  # name -> text of a new definition

    def __post_init__(self) -> None:
        self.file = self.world.file
        self.comments = Comments(self.file)
        in_place = [u.target for u in self.units if u.target.how in ("decorator", "replace")]
        self.replaced = {target.node for target in in_place}
        for unit in self.units:
            self.names.taken |= bound_inside([*unit.body, *(t.tree for t in unit.twins)])

    def is_assigned(self, statement: ast.stmt, further: int) -> bool:
        """Is the statement so many places further one that becomes a def, too?"""
        scope = self.world.scopes.around[statement]
        line = [s for s, around in self.world.scopes.around.items() if around is scope]
        place = line.index(statement) + further
        targets = {u.target.statement for u in self.units if u.target.how == "assignment"}
        return 0 <= place < len(line) and line[place] in targets

    def add(self, unit: Unit) -> None:
        """All edits for one target. Raises NoPlaceError."""
        names: dict[str, str] = {}
        before = len(self.edits), len(self.before)
        if unit.loop is None:
            for helper in unit.helpers:
                self.helper(helper, names, unit.modules)
            for twin in unit.twins:
                self.twin(twin, names, unit)
            hidden = self.hidden(unit.target) | bound_inside(unit.body)
            used = free_names(unit.body)
            needed = [alias for alias in unit.modules if alias in used]
            body = self.renamed(unit.body, names, needed, hidden)
            if unit.target.chosen.otypes is not None:
                numpy = self.names.module("np", hidden)
                body = cast_results(body, unit.target.chosen.otypes, numpy)
        else:
            body = []
            for helper in loop_helpers():
                self.helper(helper, names, ("np",))
        Writing(self, unit, body, names).write()
        if before != (len(self.edits), len(self.before)):
            self.touch(unit.target.statement)

    def hidden(self, target: Target) -> set[str]:
        """The names that mean something else within a target than in the module."""
        found = set(self.world.scopes.inside[target.node].names)
        scope: Scope | None = target.scope
        while scope is not None and not scope.is_module:
            found |= set(scope.names)
            scope = scope.parent
        return found

    def renamed(
        self, body: Any, names: Mapping[str, str], modules: Iterable[str], hidden: set[str]
    ) -> Any:
        """Statements with the names that modules, helpers and twins have in this file."""
        found = {alias: self.names.module(alias, hidden) for alias in modules}
        mapping = {old: new for old, new in {**names, **found}.items() if old != new}
        return replace_names(body, mapping) if mapping else body

    # ------------------------------------------------------------ definitions
    def own_names(
        self, tree: gast.FunctionDef, names: Mapping[str, str], modules: Iterable[str]
    ) -> gast.FunctionDef:
        """A definition that reads what it needs by the file's names."""
        used = free_names(tree)
        needed = [alias for alias in modules if alias in used]
        taken = {old: new for old, new in names.items() if old in used}
        renamed: gast.FunctionDef = self.renamed(tree, taken, needed, bound_inside([tree]))
        return renamed

    def helper(self, tree: gast.FunctionDef, names: dict[str, str], modules: Iterable[str]) -> None:
        """A helper function of the package, once in a file."""
        made = self.own_names(tree, names, modules)
        name, is_new = self.settled(made)
        names[tree.name] = name
        if is_new:
            self.before.append(self._placed[name])

    def twin(self, twin: Twin, names: dict[str, str], unit: Unit) -> None:
        """The twin of a function of the file; the function itself where nothing differs."""
        node = self.world.nodes.get(twin.fn.__code__) if twin.fn is not None else None
        scope = None if node is None else self.world.scopes.around[node]
        statement = self.statement_of(node)
        if node is not None and not twin.varying and self.is_at_hand(node, twin):
            names[twin.tree.name] = getattr(twin.fn, "__name__", "")
            return
        own = replace_names(twin.tree, {new: old for old, new in twin.renamed.items()})
        tree = self.own_names(own, names, unit.modules)
        if scope is not None and scope.is_class:
            tree = named(tree, tree.name.lstrip("_") or "method")  # a class changes __names
        name, is_new = self.settled(tree)
        names[twin.tree.name] = name
        if not is_new:
            return
        if statement is None or scope is None or scope.is_class:
            self.before.append(self._placed[name])
            return
        self.touch(statement)
        indent = self.file.indentation(statement.lineno)
        first = statement.body[0] if isinstance(statement, FUNCTIONS) else statement
        step = unit_of(self.file.lines, first, indent)
        self.behind(statement, body_lines([named(tree, name)], [], indent, step), scope)

    def is_at_hand(self, node: ast.AST, twin: Twin) -> bool:
        """Can the text call a function of the file itself?"""
        scope = self.world.scopes.around[node]
        if not scope.is_module or node in self.replaced:
            return False
        binding = binding_of(getattr(twin.fn, "__name__", ""), scope)
        return isinstance(binding, Binding) and binding.node is node

    def statement_of(self, node: ast.AST | None) -> ast.stmt | None:
        """The statement that binds a function: its def, or the assignment of a lambda."""
        if isinstance(node, FUNCTIONS):
            return node
        for statement in self.world.scopes.around:
            if isinstance(statement, ast.Assign) and statement.value is node:
                return statement
        return None

    def settled(self, tree: gast.FunctionDef) -> tuple[str, bool]:
        """The name of a definition in this file, and whether it is not there yet."""
        for name in self.names.like(tree.name):
            text = to_text([named(tree, name)]).rstrip("\n")
            if self._placed.get(name) == text or self.stands(name, text):
                return name, False
            if self.names.is_free(name):
                self.names.taken.add(name)
                self._placed[name] = text
                return name, True
        raise AssertionError("there is always a free name")

    def stands(self, name: str, text: str) -> bool:
        """Does the file define just this already?"""
        bindings = self.world.scopes.module.names.get(name, [])
        if len(bindings) != 1 or not isinstance(bindings[0].node, ast.FunctionDef):
            return False
        return ast.dump(bindings[0].node) == ast.dump(ast.parse(text).body[0])

    # ------------------------------------------------------------ places
    def touch(self, statement: ast.stmt) -> None:
        """A statement is changed: helpers stand before the first one."""
        top = next(s for s in self.world.tree.body if _holds(s, statement.lineno))
        if self.first is None or top.lineno < self.first.lineno:
            self.first = top

    def behind(self, statement: ast.stmt, lines: list[str], scope: Scope) -> None:
        """Lines of a definition behind a statement, with the blank lines that a reader expects."""
        last = self.trailing_comments(statement, self.file.line_of(self.file.end(statement)))
        at = self.file.line_end(last)
        alone = scope.is_module and not self.file.indentation(statement.lineno)
        gap = ["", "", ""] if alone else ["", ""]
        self.edits.append(Edit(at, at, self.joined([*gap, *lines])))

    def trailing_comments(self, statement: ast.stmt, last: int) -> int:
        """The last of the comment lines behind a def that still belong to its body."""
        depth = len(self.file.indentation(statement.lineno))
        found = last
        for row in range(last + 1, len(self.file.lines) + 1):
            text = self.file.lines[row - 1]
            if text.lstrip().startswith("#") and len(self.file.indentation(row)) > depth:
                found = row
            elif text.strip():
                break
        return found

    def joined(self, lines: Iterable[str]) -> str:
        """Lines with the file's own line ends between them."""
        return self.file.newline.join(lines)

    def finish(self) -> list[Edit]:
        """The edits, the helpers' included."""
        if self.before and self.first is not None:
            line = self.leading_comments(first_line(self.first))
            text = "\n\n\n".join(self.before) + "\n\n\n"
            at = self.file.starts[line - 1]
            self.edits.insert(0, Edit(at, at, self.joined(text.split("\n"))))
        return self.edits

    def leading_comments(self, line: int) -> int:
        """The first of the comment lines that stand directly above a line, and go with it."""
        row = line
        while row > 1 and self.file.lines[row - 2].startswith("#"):
            row -= 1
        return line if row == 1 else row  # a file's first comment is about the file


def first_line(statement: ast.stmt) -> int:
    """The line a statement starts at, that of its first decorator included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)])


def _holds(statement: ast.stmt, line: int) -> bool:
    return first_line(statement) <= line <= (statement.end_lineno or 0)


def bound_inside(body: Iterable[gast.AST]) -> set[str]:
    """The names that statements bind, those of functions within them included."""
    found: set[str] = set()
    for node in walk(list(body)):
        if isinstance(node, SCOPES):
            found |= local_names(node)
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            found.add(node.id)
    return found


def named(tree: gast.FunctionDef, name: str) -> gast.FunctionDef:
    """A definition under another name, where it calls itself, too."""
    if tree.name == name:
        return tree
    return updated(tree, name=name, body=replace_names(tree.body, {tree.name: name}))
