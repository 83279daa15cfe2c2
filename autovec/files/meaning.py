"""What a name of a file means where it stands: through imports and aliases, nothing is run."""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import types
import warnings
from functools import cache
from typing import Any

from autovec.files.scopes import Binding, Scope
from autovec.program.scope import Unread

#: modules that are loaded to know what a file imports from them; all others stay unknown
PURE = frozenset(
    """math cmath operator functools itertools collections dataclasses typing enum statistics
    fractions decimal numbers random bisect heapq string numpy pandas""".split()  # noqa: SIM905
)
_LONGEST_ALIAS = 20


class Doubt(Unread):
    """Why what a name means is not known without running the file."""

    def __bool__(self) -> bool:
        raise TypeError(self.why)  # nobody may decide by it


def binding_of(name: str, scope: Scope, before: ast.AST | None = None) -> Binding | Doubt | None:
    """The one binding that a name has; a doubt where there are several, None for a builtin.

    In the order of the text, a name means the last binding `before` a statement of the same scope;
    from within a function it means the last of all.
    """
    owner = scope.owner(name)
    if owner is None:
        return None
    found = [b for b in owner.names[name] if not b.ignored] or owner.names[name]
    if before is not None and owner is scope:
        found = [b for b in found if _position(b.statement) < _position(before)]
    if not found:
        return Doubt(name, f"{name} has no value here")
    if len(found) == 1 or all(b.certain for b in found):
        return found[-1]
    return Doubt(name, f"{name} is given a value in more than one place")


def _position(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def qualified(node: ast.AST, scope: Scope, before: ast.AST | None = None) -> str | None:
    """The dotted name of what an expression names, through imports and aliases.

    >>> from autovec.files.scopes import scopes_of
    >>> scopes = scopes_of(ast.parse("import numpy as xp\\nfrom autovec import api as a"))
    >>> for text in ("xp.vectorize", "a.vmap", "len", "unknown.thing"):
    ...     print(qualified(ast.parse(text, mode="eval").body, scopes.module))
    numpy.vectorize
    autovec.vmap
    builtins.len
    None
    """
    attributes: list[str] = []
    for _ in range(_LONGEST_ALIAS):
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        binding = binding_of(node.id, scope, before)
        if binding is None:
            root = _starred(node.id, scope)
            if root is None and not hasattr(builtins, node.id):
                return None
            return _canonical(".".join([root or f"builtins.{node.id}", *reversed(attributes)]))
        if isinstance(binding, Doubt):
            return None
        if binding.kind == "import":
            root = binding.module if binding.attr is None else f"{binding.module}.{binding.attr}"
            return _canonical(".".join([root, *reversed(attributes)]))
        if binding.kind != "value":
            return None
        owner = scope.owner(node.id)
        assert owner is not None
        node, scope, before = binding.node, owner, binding.statement
    return None


def _starred(name: str, scope: Scope) -> str | None:
    """The module whose `from module import *` gives a name that nothing else binds."""
    for star in reversed(scope.module.stars):
        if star.module == "autovec" and name not in ("vectorize", "vmap", "lift"):
            continue
        module = loaded(star.module)
        if module is None:
            return f"{star.module}.{name}"
        if name in public_names(module):
            return f"{star.module}.{name}"
    return None


def public_names(module: types.ModuleType) -> list[str]:
    """What `from module import *` takes."""
    found = getattr(module, "__all__", None)
    return list(found) if found is not None else [n for n in vars(module) if n[0] != "_"]


def _canonical(name: str) -> str:
    """One name for what the package offers under two."""
    return name.replace("autovec.api.", "autovec.")


@cache
def loaded(module: str) -> types.ModuleType | None:
    """A module that is safe to load: NumPy's, or a pure one of the standard library."""
    top = module.partition(".")[0]
    if top not in PURE or not all(part.isidentifier() for part in module.split(".")):
        return None
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        return importlib.import_module(module)
    return None


def object_of(name: str) -> object:
    """The object that a dotted name stands for, or `Doubt`.

    >>> object_of("math.sqrt")
    <built-in function sqrt>
    >>> object_of("requests.get").why
    'requests is not loaded: only NumPy, pandas and standard modules are'
    """
    top, _, rest = name.partition(".")
    found: Any = builtins if top == "builtins" else loaded(top)
    if found is None:
        what = f"{top or name} is not loaded"
        return Doubt(name, f"{what}: only NumPy, pandas and standard modules are")
    path = top
    for part in filter(None, rest.split(".")):
        path = f"{path}.{part}"
        if hasattr(found, part):
            found = getattr(found, part)
        elif isinstance(found, types.ModuleType) and loaded(path) is not None:
            found = loaded(path)
        else:
            return Doubt(name, f"there is no {path}")
    return found
