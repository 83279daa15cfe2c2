"""Names in a file: which are taken, and what the file calls the modules that emitted text needs."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from autovec.files.scopes import Scopes

MODULES = {"np": "numpy", "math": "math", "cmath": "cmath", "operator": "operator"}


def all_names(tree: ast.AST) -> set[str]:
    """Every name that a file's text binds or reads."""
    return set(_names(tree))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=alias):
                yield alias or name.partition(".")[0]
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
            case ast.ExceptHandler(name=str() as name):
                yield name
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                yield name
            case ast.MatchMapping(rest=str() as name):
                yield name


class Names:
    """Hands out names that the file does not have, and remembers the imports that are missing.

    >>> from autovec.files.scopes import scopes_of
    >>> tree = ast.parse("import numpy as xp\\nout = 1")
    >>> names = Names(tree, scopes_of(tree))
    >>> names.module("np"), names.module("math"), names.fresh("out"), sorted(names.missing)
    ('xp', 'math', 'out2', ['math'])
    """

    def __init__(self, tree: ast.Module, scopes: Scopes) -> None:
        self.scopes = scopes
        self.taken = all_names(tree)
        self.missing: dict[str, str] = {}  # module -> the name to import it as

    def fresh(self, wanted: str) -> str:
        """The wanted name, or the first free one with a number behind it; now taken."""
        name = next(n for n in self.like(wanted) if self.is_free(n))
        self.taken.add(name)
        return name

    def is_free(self, name: str) -> bool:
        """Does the file not have this name?"""
        return name not in self.taken and not hasattr(builtins, name)

    @staticmethod
    def like(wanted: str) -> Iterator[str]:
        """`f`, `f2`, `f3`, ..."""
        yield wanted
        number = 2
        while True:
            yield f"{wanted}{'_' if wanted[-1].isdigit() else ''}{number}"
            number += 1

    def module(self, alias: str, hidden: set[str] | frozenset[str] = frozenset()) -> str:
        """What the file calls a module of the emitted text, where some names mean other things.

        `np` means NumPy there. A file that calls it otherwise, or has another `np`, keeps its own
        names; an import that is missing is remembered.
        """
        module = MODULES[alias]
        found = [name for name in self._imported(module) if name not in hidden]
        if alias in found or found:
            return alias if alias in found else found[0]
        known = self.missing.get(module)
        if known is not None and known not in hidden:
            return known
        wanted = next((n for n in (alias, module) if self.is_free(n)), f"_{alias}")
        self.missing[module] = self.fresh(wanted)
        return self.missing[module]

    def _imported(self, module: str) -> Iterator[str]:
        """The names that a module is imported as, surely and for good."""
        for name, bindings in self.scopes.module.names.items():
            first = bindings[0]
            plain = isinstance(first.statement, ast.Import) and first.module == module
            if plain and len(bindings) == 1 and first.certain and not first.ignored:
                yield name
