"""Which functions of a file are to be batched, and where the result stands."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from autovec.axes import check_in_axes, parse_signature
from autovec.errors import Problem
from autovec.files.meaning import Doubt, binding_of, qualified
from autovec.files.options import Chosen, Made, NotLiteralError, chosen, made_by, within
from autovec.files.partials import unbound
from autovec.files.scopes import FUNCTIONS, Binding, Scope
from autovec.files.world import TRANSPARENT, Function, World

How = Literal["decorator", "assignment", "beside", "replace"]
_OTHER = "it makes another function of the one written here"
#: every way of asking within a file goes through one of these words
WORDS = ("vectorize", "vmap")


@dataclass(frozen=True)
class Request:
    """What the command line asks of every file."""

    functions: tuple[str, ...] = ()
    replace: bool = False
    signatures: Mapping[str, str] = field(default_factory=dict)
    in_axes: Mapping[str, object] = field(default_factory=dict)
    strict: bool = False
    lift: bool = False  # loops become array operations; nothing is batched

    def asks_about(self, text: str) -> bool:
        """May there be something to do in a text?"""
        return bool(self.functions) or self.lift or any(word in text for word in WORDS)


@dataclass(frozen=True, eq=False)
class Target:
    """One function to be batched: its definition, and the statement where the result goes."""

    node: Function
    scope: Scope
    name: str
    how: How
    statement: ast.stmt
    chosen: Chosen
    decorators: tuple[ast.expr, ...] = ()  # those that go
    optional: bool = False  # np.vectorize: stays as it is where it would only become a loop
    bound: Mapping[str, ast.expr] = field(default_factory=dict)  # what functools.partial gives

    @property
    def asked(self) -> str:
        """The dotted name by which the command line speaks of it."""
        name = self.name.removesuffix("_batched") if self.how == "beside" else self.name
        prefix = self.scope.qualname()
        return f"{prefix}.{name}" if prefix else name


@dataclass(eq=False)
class Found:
    """The targets of a file in the order of its text, and why others are none."""

    targets: list[Target] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    matched: set[str] = field(default_factory=set)  # names of the request that the file has
    near: set[str] = field(default_factory=set)  # what those that it has not are like


def find(world: World, request: Request) -> Found:
    """What is to be batched in a file."""
    finder = _Finder(world, request)
    for statement, scope in list(world.scopes.around.items()):
        if isinstance(statement, FUNCTIONS):
            finder.decorated(statement, scope)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            finder.assigned(statement, scope)
    taken = {target.node for target in finder.found.targets if target.how == "decorator"}
    for name in request.functions:
        finder.picked(name, taken)
    finder.found.targets.sort(key=lambda t: (t.statement.lineno, t.statement.col_offset))
    return finder.found


class _Finder:
    def __init__(self, world: World, request: Request) -> None:
        self.world = world
        self.file = world.file
        self.request = request
        self.found = Found()

    # ------------------------------------------------------------ decorators
    def decorated(self, node: Any, scope: Scope) -> None:
        """A def with `vectorize` or `vmap` among its decorators."""
        uses = [made_by(d, scope, node) for d in node.decorator_list]
        places = [k for k, made in enumerate(uses) if made is not None and made.function is None]
        if not places:
            return
        index = places[-1]
        made = uses[index]
        assert made is not None
        below = node.decorator_list[index + 1 :]
        names = [self.world.decorator_name(d, scope, node) for d in below]
        for decorator, name in zip(below, names, strict=True):
            if name not in TRANSPARENT:
                what = f"@{ast.unparse(decorator)[:40]} stands below"
                self.refuse(made, decorator, what, _OTHER)
                return
        drop = [d for d, n in zip(below, names, strict=True) if n not in _KEPT]
        batching = [node.decorator_list[k] for k in places]
        between = [d for d in node.decorator_list[places[0] : index] if d not in batching]
        if between:
            what = f"@{ast.unparse(between[0])[:40]} stands between batches"
            self.refuse(made, between[0], what, _OTHER)
            return
        decorators = (*batching, *drop)
        nest = [use for k in places if (use := uses[k]) is not None]
        options = self.nested(nest, batching, scope, node, node.name)
        if options is not None:
            self.add(node, scope, node.name, "decorator", node, options, decorators, not made.ours)

    def nested(
        self,
        nest: Sequence[Made],
        places: Sequence[ast.AST],
        scope: Scope,
        before: ast.stmt,
        name: str,
    ) -> Chosen | None:
        """The options of one use, or of several within each other, the outermost first."""
        every = [
            self.options(made, place, scope, before, name)
            for made, place in zip(nest, places, strict=True)
        ]
        result = every[-1]
        for options in every[-2::-1]:
            if options is None or result is None:
                return None
            try:
                result = within(options, result)
            except ValueError as error:
                self.refuse(nest[-1], places[0], f"this is batched twice: {error}", _OTHER)
                return None
        return result

    def options(
        self, made: Made, place: ast.AST, scope: Scope, before: ast.stmt, name: str
    ) -> Chosen | None:
        """The options of a use, with what the command line says of the function put over them."""
        try:
            options = chosen(made, place, lambda e: self.world.constant(e, scope, before))
        except NotLiteralError as error:
            problem = error.problem(self.file)
            (self.found.problems if made.ours else self.found.notes).append(problem)
            return None
        return self.over(options, name, scope)

    def over(self, options: Chosen, name: str, scope: Scope) -> Chosen:
        """`--signature` and `--in-axes` for a function, by its name or its dotted name."""
        prefix = scope.qualname()
        for key in (f"{prefix}.{name}" if prefix else name, name):
            if key in {*self.request.signatures, *self.request.in_axes}:
                self.found.matched.add(key)
            if key in self.request.signatures:
                signature = parse_signature(self.request.signatures[key])
                return replace(options, layout="broadcast", signature=signature)
            if key in self.request.in_axes:
                check_in_axes(self.request.in_axes[key])
                return replace(options, layout="lanes", in_axes=self.request.in_axes[key])
        return options

    # ------------------------------------------------------------ assignments
    def assigned(self, statement: ast.Assign | ast.AnnAssign, scope: Scope) -> None:
        """`g = vmap(f)`."""
        value = statement.value
        if not isinstance(value, ast.Call):
            return
        made = made_by(value, scope, statement)
        if made is None or made.function is None:
            return
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            what = "this does not give one name a function"
            self.refuse(made, statement, what, "a def has one name")
            return
        name = targets[0].id
        nest, inner = [made], made.function
        while (more := self.inner(inner, scope, statement)) is not None:
            nest.append(more)
            assert more.function is not None
            inner = more.function
        bound: dict[str, ast.expr] = {}
        behind = partial(self.function_of, scope=scope, before=statement)
        is_partial = partial(qualified, scope=scope, before=statement)
        node = unbound(inner, behind, lambda e: is_partial(e) == "functools.partial", bound)
        if isinstance(node, Doubt):
            what = f"{node.name} is not a function of this file"
            self.refuse(made, made.function, what, node.why)
            return
        options = self.nested(nest, [value] * len(nest), scope, statement, name)
        if options is not None:
            optional = not made.ours
            target = Target(
                node, scope, name, "assignment", statement, options, (), optional, bound
            )
            self.found.targets.append(target)

    def inner(self, node: ast.expr, scope: Scope, before: ast.AST) -> Made | None:
        """The batch that is batched again: `vmap(f)`, or a name that was given one."""
        if isinstance(node, ast.Name):
            binding = binding_of(node.id, scope, before)
            if not isinstance(binding, Binding) or not isinstance(binding.node, ast.Call):
                return None
            node, before = binding.node, binding.statement
        made = made_by(node, scope, before) if isinstance(node, ast.Call) else None
        return None if made is None or made.function is None else made

    def function_of(self, node: ast.expr, scope: Scope, before: ast.stmt) -> Function | Doubt:
        """The definition that an expression names."""
        if isinstance(node, ast.Lambda):
            return node
        if not isinstance(node, ast.Name):
            return Doubt(ast.unparse(node)[:40], "only a name or a lambda is followed")
        binding = binding_of(node.id, scope, before)
        if not isinstance(binding, Binding):
            return Doubt(node.id, "it is a builtin") if binding is None else binding
        owner = scope.owner(node.id)
        assert owner is not None
        found = binding.node
        if isinstance(found, ast.Lambda):
            return found
        if isinstance(found, FUNCTIONS):
            value = self.world.value(node.id, scope, before)
            return value if isinstance(value, Doubt) else found
        return Doubt(node.id, f"it is given its value in line {binding.line}")

    # ------------------------------------------------------------ names from the command line
    def picked(self, name: str, taken: set[Function]) -> None:
        """`-f NAME`: functions of that name, or of that dotted name."""
        matches = list(self.matches(name))
        if matches:
            self.found.matched.add(name)
        else:
            names = sorted({q for q, *_ in self.functions()})
            self.found.near |= set(difflib.get_close_matches(name, names, 3))
        if len({node for _, node, *_ in matches}) > 1:
            places = [self.file.place(statement) for *_, statement in matches]
            what = f"{name} is defined in {len(places)} places"
            self.found.problems.append(Problem(places[-1], what, "which one is meant is not said"))
            return
        for _, node, scope, statement in matches:
            if node in taken or is_batched(node):
                continue
            last = name.rpartition(".")[2]
            options = self.over(Chosen(), last, scope)
            blocking = [
                d
                for d in getattr(node, "decorator_list", ())
                if self.world.decorator_name(d, scope, statement) not in TRANSPARENT
            ]
            if blocking:
                what = f"@{ast.unparse(blocking[0])[:40]} stands above {name}"
                self.found.problems.append(Problem(self.file.place(blocking[0]), what, _OTHER))
                continue
            how: How = "replace" if self.request.replace else "beside"
            output = last if self.request.replace else f"{last}_batched"
            self.add(node, scope, output, how, statement, options)

    def matches(self, name: str) -> Iterator[tuple[str, Function, Scope, ast.stmt]]:
        """The functions of a dotted name; a plain one may be that of a function further inside."""
        every = list(self.functions())
        exact = [item for item in every if item[0] == name]
        inner = [item for item in every if item[0].rpartition(".")[2] == name]
        return iter(exact or (inner if len(inner) == 1 else []))

    def functions(self) -> Iterator[tuple[str, Function, Scope, ast.stmt]]:
        """Every function that has a name: the dotted name, its definition and where it stands."""
        for statement, scope in self.world.scopes.around.items():
            prefix = scope.qualname()
            node: Any = None
            if isinstance(statement, ast.FunctionDef):
                decorators = statement.decorator_list
                names = [self.world.decorator_name(d, scope, statement) for d in decorators]
                if "typing.overload" in names:
                    continue
                node, name = statement, statement.name
            elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
                name = getattr(statement.targets[0], "id", "")
                node = statement.value if name and len(statement.targets) == 1 else None
            if node is not None and isinstance(statement, ast.stmt):
                yield (f"{prefix}.{name}" if prefix else name), node, scope, statement

    # ------------------------------------------------------------ results
    def add(
        self,
        node: Function,
        scope: Scope,
        name: str,
        how: How,
        statement: ast.stmt,
        options: Chosen,
        decorators: tuple[ast.expr, ...] = (),
        optional: bool = False,
    ) -> None:
        """One more target."""
        made = Target(node, scope, name, how, statement, options, decorators, optional)
        self.found.targets.append(made)

    def refuse(self, made: Made, node: ast.AST, what: str, why: str) -> None:
        """Not to be batched: an error where autovec was asked for, else a note."""
        problem = Problem(self.file.place(node), what, why)
        (self.found.problems if made.ours else self.found.notes).append(problem)


_KEPT = ("builtins.staticmethod", "builtins.classmethod", "typing.final", "typing.override")
_OVER = r"(?:(?:over\s+)?axis\s+-?\d|arrays\s+that\s+broadcast|a\s+DataFrame)"
_MARK = re.compile(rf"^\s*(?:Batched|Rows):[\w\s,]+\({_OVER}", re.M)


def is_batched(node: ast.AST) -> bool:
    """Was a function written by this program? Its docstring says what is batched.

    >>> is_batched(ast.parse("def f(x):\\n    'f.\\\\n\\\\nBatched: x (axis 0).'").body[0])
    True
    """
    if not isinstance(node, FUNCTIONS):
        return False
    return _MARK.search(ast.get_docstring(node) or "") is not None
