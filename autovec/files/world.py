"""What the names of a file stand for while it is compiled.

Modules, constants, and functions made from the file's code, which are looked at and never called.
"""

from __future__ import annotations

import ast
import textwrap
import types
from collections.abc import Iterator
from typing import Any

from autovec.files.classes import annotated_type, class_of, namedtuple_of
from autovec.files.constants import Evaluator, NotConstantError, stand_in
from autovec.files.meaning import Doubt, binding_of, loaded, object_of, public_names, qualified
from autovec.files.options import made_by
from autovec.files.scopes import FUNCTIONS, Binding, Scope, Scopes
from autovec.files.shared import by_use
from autovec.files.text import FileText, compiled
from autovec.syntax.find import Candidate, holds_positions
from autovec.syntax.scope import mangled

#: decorators below which a function is still the plain function of one sample
TRANSPARENT = frozenset(
    """functools.cache functools.lru_cache builtins.staticmethod builtins.classmethod
    autovec.vectorize autovec.vmap autovec.lift numpy.vectorize typing.no_type_check typing.final
    typing.override""".split()  # noqa: SIM905
)
_CHANGERS = frozenset(
    """append extend insert remove pop clear sort reverse update setdefault popitem add discard
    fill put itemset resize""".split()  # noqa: SIM905
)
#: methods that Python calls by itself: that a class has them is known, but they are never run
_TOLD = ("__bool__", "__len__", "__call__", "__post_init__")
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class World:
    """The objects that a file's names stand for; a `Doubt` for what only running it would tell."""

    def __init__(self, file: FileText, tree: ast.Module, scopes: Scopes) -> None:
        self.file = file
        self.tree = tree
        self.scopes = scopes
        self.globals: dict[str, Any] = {"__name__": "file"}
        self.made: dict[ast.AST, types.FunctionType] = {}
        self.nodes: dict[types.CodeType, Function] = {}
        self._values: dict[Binding, Any] = {}
        self._shared: dict[tuple[Scope, str], types.CellType] = {}
        self._waiting: list[types.CodeType] = []
        self._codes: dict[tuple[int, str], list[types.CodeType]] | None = None
        self._changed = set(_changed(tree))

    # ------------------------------------------------------------ functions
    def function(self, node: Function) -> types.FunctionType | Doubt:
        """The function that a definition makes, with every global that it reads at hand."""
        found = self.plain(node)
        while self._waiting:
            code = self._waiting.pop()
            for name in _names(code):
                self._need(name)
        return found

    def plain(self, node: Function, bound: str = "function") -> types.FunctionType | Doubt:
        """The function of a definition, a lambda's called `bound`; what it reads is found later."""
        if node in self.made:
            return self.made[node]
        scope = self.scopes.inside[node]
        code = self._code_of(node)
        name = getattr(node, "name", bound)
        if code is None:
            return Doubt(name, "its code is not found")
        function = types.FunctionType(code, self.globals, name, None, self._cells(code, scope))
        self.made[node] = function
        self.nodes[code] = node
        positional = [*node.args.posonlyargs, *node.args.args]
        last = positional[len(positional) - len(node.args.defaults) :]
        given = zip(last, node.args.defaults, strict=True)
        function.__defaults__ = tuple(self.default(p, d, scope) for p, d in given) or None
        only = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        function.__kwdefaults__ = {
            p.arg: self.default(p, d, scope) for p, d in only if d is not None
        }
        function.__module__ = "file"
        self._waiting.append(code)
        return function

    def default(self, parameter: ast.arg, value: ast.expr, scope: Scope) -> Any:
        """A default's value, or what stands for one of the type that it is annotated with."""
        assert scope.parent is not None
        statement = scope.node if isinstance(scope.node, ast.stmt) else None
        found = self.constant(value, scope.parent, statement)
        kind = annotated_type(parameter.annotation)
        return stand_in(kind, found) if isinstance(found, Doubt) else found

    def _cells(self, code: types.CodeType, scope: Scope) -> tuple[types.CellType, ...] | None:
        """The variables of scopes around a function; functions share them as Python's do."""
        assert scope.parent is not None
        cells = []
        for name in code.co_freevars:
            owner = scope.parent.owner(name)
            if owner is None or owner.is_module:  # __class__
                cells.append(types.CellType())
                continue
            if (owner, name) not in self._shared:
                cell = self._shared[owner, name] = types.CellType()
                cell.cell_contents = self.value(name, scope.parent)
            cells.append(self._shared[owner, name])
        return tuple(cells) or None

    def _code_of(self, node: Function) -> types.CodeType | None:
        """The code object of a definition, out of the compiled file."""
        if self._codes is None:
            self._codes = {}
            module = compiled(self.tree, self.file.name, self.file.lines)
            for code in _all_codes(module):
                self._codes.setdefault((code.co_firstlineno, code.co_name), []).append(code)
        item = Candidate(node, "", None, self.tree)
        found = self._codes.get((item.first_line, item.name), [])
        if len(found) > 1:
            found = [code for code in found if holds_positions(item, code)]
        return found[0] if found else None

    # ------------------------------------------------------------ names
    def _need(self, name: str) -> None:
        """Put a global's object where the functions find it; what is not bound is a builtin."""
        if name in self.globals:
            return
        module = self.scopes.module
        if name not in module.names:
            for star in reversed(module.stars):
                if star.module == "autovec":
                    continue
                taken = loaded(star.module)
                if taken is None:
                    why = f"{star.module} may define {name}: it is not read"
                    self.globals[name] = Doubt(name, why)
                    return
                if name in public_names(taken):
                    self.globals[name] = getattr(taken, name)
                    return
            return
        self.globals[name] = self.value(name, module)

    def value(self, name: str, scope: Scope, before: ast.AST | None = None) -> Any:
        """What a name stands for where it is read."""
        binding = binding_of(name, scope, before)
        if binding is None:
            return object_of(f"builtins.{name}")
        if isinstance(binding, Doubt):
            return binding
        if binding not in self._values:
            # In a circle of definitions, what is asked for again is not known yet.
            self._values[binding] = Doubt(name, f"{name} is defined by itself")
            owner = scope.owner(name)
            assert owner is not None
            self._values[binding] = self._bound(name, binding, owner)
        return self._values[binding]

    def _bound(self, name: str, binding: Binding, scope: Scope) -> Any:
        node = binding.node
        if binding.kind == "import":
            path = binding.module if binding.attr is None else f"{binding.module}.{binding.attr}"
            found = object_of(path)
            if isinstance(found, Doubt):
                return Doubt(name, f"{name} comes from {path}: {found.why}")
            return found
        if isinstance(node, FUNCTIONS):
            return self._decorated(node, scope)
        if isinstance(node, ast.ClassDef):
            return self.class_object(node, scope)
        if isinstance(node, ast.arg):
            kind = annotated_type(node.annotation)
            if stand_in(kind) is not None:
                return stand_in(kind)
            return self._parameter(node, scope)
        if binding.kind == "value" and isinstance(node, ast.expr):
            return self._assigned(name, node, binding, scope)
        return Doubt(name, f"{name} is given its value when the file runs")

    def _parameter(self, node: ast.arg, scope: Scope) -> Any:
        """What stands for a parameter of no declared type, from its default and its use."""
        found = by_use(
            node.arg, [scope.node], lambda n: isinstance(n, ast.Name) and n.id == node.arg
        )
        default = _default_of(node, scope.node)
        value = default.value if isinstance(default, ast.Constant) else None
        if isinstance(found, Doubt) or not isinstance(value, (bool, str)):
            return found
        return stand_in(type(value), value)

    def _assigned(self, name: str, node: ast.expr, binding: Binding, scope: Scope) -> Any:
        statement = binding.statement
        if isinstance(node, ast.Lambda):
            return self.plain(node, name)
        if isinstance(node, ast.Call):
            called = qualified(node.func, scope, statement)
            if called == "collections.namedtuple":
                return namedtuple_of(node, name, lambda e: self.constant(e, scope, statement))
            if called in ("numpy.vectorize", "autovec.vectorize", "autovec.vmap") and node.args:
                return self.constant(node.args[0], scope, statement)
        found = self.constant(node, scope, statement)
        if isinstance(found, (list, dict, set)) and name in self._changed:
            return Doubt(name, f"the file changes what {name} holds")
        if isinstance(found, Doubt) and isinstance(statement, ast.AnnAssign):
            kind = annotated_type(statement.annotation)
            return stand_in(kind, found)
        return found

    def constant(self, node: ast.AST, scope: Scope, before: ast.AST | None) -> Any:
        """The value of an expression, or a Doubt."""
        if isinstance(node, ast.Lambda):
            return self.plain(node)
        known = Evaluator(
            lambda name: self.value(name, scope, before),
            lambda part: qualified(part, scope, before),
            object_of,
        )
        try:
            return known.value(node)
        except NotConstantError as error:
            return Doubt(textwrap.shorten(ast.unparse(node), 40, placeholder="..."), error.why)
        except RecursionError:
            return Doubt("it", "it is nested too deeply")

    def decorator_name(self, node: ast.expr, scope: Scope, before: ast.AST) -> str | None:
        """The dotted name of a decorator, called or not."""
        return qualified(node.func if isinstance(node, ast.Call) else node, scope, before)

    def _decorated(self, node: Any, scope: Scope) -> Any:
        """What a def binds: the function, where its decorators leave it what it is."""
        found: Any = self.plain(node)
        for decorator in reversed(node.decorator_list):
            name = self.decorator_name(decorator, scope, node)
            if made_by(decorator, scope, node) is not None:
                continue
            if name == "builtins.property":
                found = property(found)
            elif name in ("builtins.staticmethod", "builtins.classmethod") and scope.is_class:
                found = object_of(name)(found)  # type: ignore[operator]
            elif name not in TRANSPARENT:
                return Doubt(node.name, f"{node.name} is decorated with {ast.unparse(decorator)}")
        return found

    def class_object(self, node: ast.ClassDef, scope: Scope) -> Any:
        """A class of the same fields and functions."""
        made = class_of(
            node,
            lambda e: self.constant(e, scope, node),
            lambda e: qualified(e, scope, node),
            lambda e: self._base(e, scope, node),
        )
        if isinstance(made, Doubt):
            return made
        inside = self.scopes.inside[node]
        known = {*getattr(made, "__annotations__", ()), *getattr(made, "__members__", ())}
        for name, bindings in inside.names.items():
            special = name.startswith("__") and name.endswith("__")
            if special and name in _TOLD:
                setattr(made, name, _never)
            elif not special and bindings[-1].kind in ("def", "value") and name not in known:
                setattr(made, mangled(name, node.name), self.value(name, inside))
        return made

    def _base(self, node: ast.expr, scope: Scope, before: ast.AST) -> Any:
        name = qualified(node, scope, before)
        found = self.constant(node, scope, before) if name is None else object_of(name)
        plain = isinstance(found, type) and (found is object or issubclass(found, BaseException))
        local = isinstance(found, type) and found.__module__ == "file"
        return found if plain or local else Doubt("base", "its base is not known")


def _default_of(parameter: ast.arg, function: Any) -> ast.expr | None:
    """The default of one of a function's parameters, if it has one."""
    a = function.args
    positional = [*a.posonlyargs, *a.args]
    first = len(positional) - len(a.defaults)
    pairs = [*zip(positional[first:], a.defaults, strict=True)]
    pairs += zip(a.kwonlyargs, a.kw_defaults, strict=True)
    return next((default for p, default in pairs if p is parameter), None)


def _never(*args: object, **keywords: object) -> None:
    raise TypeError("a method of the user's is not run")


def _all_codes(module: Any) -> Iterator[types.CodeType]:
    stack = [module]
    while stack:
        code = stack.pop()
        yield code
        stack.extend(const for const in code.co_consts if isinstance(const, types.CodeType))


def _names(code: types.CodeType) -> Iterator[str]:
    """The names that a function, or one within it, may read from the module."""
    for inner in _all_codes(code):
        yield from inner.co_names


def _changed(tree: ast.Module) -> Iterator[str]:
    """Names of tables that the file changes somewhere."""
    for node in ast.walk(tree):
        target: Any = None
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            target = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            target = node.func.value if node.func.attr in _CHANGERS else None
        elif isinstance(node, ast.AugAssign):
            target = node.target
        if isinstance(target, ast.Name):
            yield target.id
