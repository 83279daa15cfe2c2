"""Which names a file's scopes bind, and how: read off the tree, nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_IMPORT_ERRORS = {"ImportError", "ModuleNotFoundError"}
Kind = Literal["import", "star", "def", "class", "value", "parameter", "other"]


@dataclass(frozen=True, eq=False)
class Binding:
    """One place that gives a name its meaning.

    `node` is the definition, the value assigned, the parameter, or whatever else binds; `module`
    and `attr` say what an import takes. `certain`: it happens whenever its scope runs. `ignored`:
    only type checkers see it, or who has not installed something.
    """

    kind: Kind
    node: ast.AST
    statement: ast.AST
    module: str = ""
    attr: str | None = None
    certain: bool = True
    ignored: bool = False

    @property
    def line(self) -> int:
        return int(self.statement.lineno)  # type: ignore[attr-defined]


@dataclass(eq=False)
class Scope:
    """A module, class, function or lambda, the names it binds, and the scope around it."""

    node: ast.AST
    parent: Scope | None
    names: dict[str, list[Binding]] = field(default_factory=dict)
    stars: list[Binding] = field(default_factory=list)
    outer: dict[str, str] = field(default_factory=dict)  # names declared global or nonlocal

    @property
    def is_class(self) -> bool:
        return isinstance(self.node, ast.ClassDef)

    @property
    def is_module(self) -> bool:
        return self.parent is None

    @property
    def module(self) -> Scope:
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def owner(self, name: str) -> Scope | None:
        """The scope whose variable a name is when it is read here; None for a builtin."""
        scope: Scope | None = self
        while scope is not None:
            if scope.outer.get(name) == "global":
                scope = scope.module
            if name in scope.names and (scope is self or not scope.is_class):
                return scope
            scope = scope.parent
        return None

    def qualname(self) -> str:
        """The dotted name of the scope, as Python's `__qualname__` without `<locals>`."""
        parts: list[str] = []
        scope: Scope | None = self
        while scope is not None and scope.parent is not None:
            parts.append(getattr(scope.node, "name", "<lambda>"))
            scope = scope.parent
        return ".".join(reversed(parts))


@dataclass(eq=False)
class Scopes:
    """All scopes of a file, the scope each definition makes, and the one each node stands in."""

    module: Scope
    inside: dict[ast.AST, Scope]
    around: dict[ast.AST, Scope]
    blocks: dict[ast.AST, list[ast.stmt]]  # the statements among which a statement stands

    def __iter__(self) -> Iterator[Scope]:
        return iter(self.inside.values())


def scopes_of(tree: ast.Module) -> Scopes:
    """The scopes of a file.

    >>> found = scopes_of(ast.parse("import numpy as np\\ndef f(x):\\n    y = x"))
    >>> sorted(found.module.names), [sorted(s.names) for s in found][1:]
    (['f', 'np'], [['x', 'y']])
    """
    module = Scope(tree, None)
    found = Scopes(module, {tree: module}, {}, {})
    stack: list[_Task] = [_Task(s, module, s, tree.body) for s in reversed(tree.body)]
    while stack:
        stack.extend(reversed(list(_visit(stack.pop(), found))))
    for scope in found:
        _move_globals(scope)
    return found


@dataclass(frozen=True, slots=True)
class _Task:
    node: Any
    scope: Scope
    statement: ast.AST
    block: list[ast.stmt]
    certain: bool = True
    ignored: bool = False

    def on(self, node: Any, **changes: Any) -> _Task:
        kept = {
            "scope": self.scope,
            "statement": self.statement,
            "block": self.block,
            "certain": self.certain,
            "ignored": self.ignored,
        }
        return _Task(node, **{**kept, **changes})

    def all(self, nodes: list[Any], **changes: Any) -> Iterator[_Task]:
        for node in nodes:
            if isinstance(node, ast.stmt):
                yield self.on(node, statement=node, block=nodes, **changes)
            elif isinstance(node, ast.AST):
                yield self.on(node, **changes)


def _visit(task: _Task, found: Scopes) -> Iterator[_Task]:
    """Bind what a node binds, and give the nodes below it."""
    node, scope = task.node, task.scope
    if isinstance(node, ast.stmt):
        found.around[node] = scope
        found.blocks[node] = task.block
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        kind: Kind = "class" if isinstance(node, ast.ClassDef) else "def"
        _bind(task, node.name, kind, node)
        yield from _definition(task, found)
    elif isinstance(node, ast.Lambda):
        found.around[node] = scope
        yield from _definition(task, found)
    elif isinstance(node, _COMPREHENSIONS):
        inner = Scope(node, scope)
        found.inside[node] = inner
        yield from task.all([node.generators[0].iter])
        parts = [part for g in node.generators for part in (g.target, *g.ifs)]
        parts += [g.iter for g in node.generators[1:]]
        parts += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        yield from task.all(parts, scope=inner)
    elif isinstance(node, ast.NamedExpr):
        owner = scope
        while isinstance(owner.node, _COMPREHENSIONS) and owner.parent is not None:
            owner = owner.parent
        yield task.on(node.target, scope=owner, certain=False)
        yield task.on(node.value)
    elif isinstance(node, ast.If):
        yield task.on(node.test)
        typing = _is_type_checking(node.test)
        yield from task.all(node.body, certain=False, ignored=task.ignored or typing)
        yield from task.all(node.orelse, certain=typing and task.certain)
    elif isinstance(node, (ast.Try, ast.TryStar)):
        yield from task.all(node.body)
        yield from task.all(node.orelse)
        for handler in node.handlers:
            failed = task.ignored or _catches_import_errors(handler)
            yield task.on(handler, certain=False, ignored=failed)
        yield from task.all(node.finalbody)
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.While, ast.Match)):
        yield from _below(task.on(node, certain=False))
    else:
        _bind_simple(task)
        yield from _below(task)


def _below(task: _Task) -> Iterator[_Task]:
    for _, value in ast.iter_fields(task.node):
        if isinstance(value, list):
            yield from task.all(value)
        elif isinstance(value, ast.AST):
            yield task.on(value)


def _definition(task: _Task, found: Scopes) -> Iterator[_Task]:
    """What a def, lambda or class evaluates outside, and its inside as a scope."""
    node = task.node
    inner = Scope(node, task.scope)
    found.inside[node] = inner
    yield from task.all([*getattr(node, "decorator_list", ()), *getattr(node, "bases", ())])
    yield from task.all(list(getattr(node, "keywords", ())))
    if not isinstance(node, ast.ClassDef):
        a = node.args
        every = [*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg]
        for parameter in filter(None, every):
            inside = task.on(parameter, scope=inner, certain=True)
            _bind(inside, parameter.arg, "parameter", parameter)
            yield from task.all([parameter.annotation])
        yield from task.all([*a.defaults, *a.kw_defaults, getattr(node, "returns", None)])
    body = node.body if isinstance(node.body, list) else [node.body]
    yield from task.all(body, scope=inner, certain=True, ignored=False)


def _bind(
    task: _Task, name: str, kind: Kind, node: ast.AST, module: str = "", attr: Any = None
) -> None:
    binding = Binding(kind, node, task.statement, module, attr, task.certain, task.ignored)
    task.scope.names.setdefault(name, []).append(binding)


def _bind_simple(task: _Task) -> None:
    node, scope = task.node, task.scope
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        _bind_import(task)
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        word = "global" if isinstance(node, ast.Global) else "nonlocal"
        scope.outer.update(dict.fromkeys(node.names, word))
    elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        value = _value_given(task.statement, node)
        _bind(task, node.id, "other" if value is None else "value", value or node)
    elif (isinstance(node, ast.ExceptHandler) and node.name) or (
        isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name
    ):
        _bind(task, node.name, "other", node)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        _bind(task, node.rest, "other", node)


def _bind_import(task: _Task) -> None:
    node = task.node
    for alias in node.names:
        if isinstance(node, ast.Import):
            top = alias.name if alias.asname else alias.name.partition(".")[0]
            _bind(task, alias.asname or top, "import", alias, top)
            continue
        module = "." * node.level + (node.module or "")
        if alias.name == "*":
            binding = Binding("star", alias, node, module, None, task.certain, task.ignored)
            task.scope.stars.append(binding)
        else:
            _bind(task, alias.asname or alias.name, "import", alias, module, alias.name)


def _value_given(statement: ast.AST, name: ast.Name) -> ast.expr | None:
    """The expression that an assignment gives a name, alone or as one of several."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if target is name:
                return statement.value
            if isinstance(target, (ast.Tuple, ast.List)) and name in target.elts:
                return _element(statement.value, len(target.elts), target.elts.index(name))
    if isinstance(statement, ast.AnnAssign) and statement.target is name:
        return statement.value
    return None


def _element(value: ast.expr, count: int, index: int) -> ast.expr | None:
    if not isinstance(value, (ast.Tuple, ast.List)) or len(value.elts) != count:
        return None
    starred = any(isinstance(e, ast.Starred) for e in value.elts)
    return None if starred else value.elts[index]


def _is_type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", None)
    return name == "TYPE_CHECKING"


def _catches_import_errors(handler: ast.ExceptHandler) -> bool:
    kinds = ast.walk(handler.type) if handler.type is not None else ()
    return any(isinstance(n, ast.Name) and n.id in _IMPORT_ERRORS for n in kinds)


def _move_globals(scope: Scope) -> None:
    """Assignments to a name declared global or nonlocal bind it in that scope, now and then."""
    for name, word in scope.outer.items():
        found = scope.names.pop(name, [])
        owner: Scope | None = scope.module if word == "global" else scope.parent
        while word == "nonlocal" and owner and (owner.is_class or name not in owner.names):
            owner = owner.parent
        if owner is not None and owner is not scope:
            later = [Binding("other", b.node, b.statement, certain=False) for b in found]
            owner.names.setdefault(name, []).extend(later)
