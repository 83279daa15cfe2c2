"""Which names a tree binds and which it reads, by Python's scoping rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autovec.syntax.quote import in_context
from autovec.syntax.walking import Tree, children, parameters, walk

SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def parameter_names(args: gast.arguments) -> list[str]:
    """The parameters in the order of the text."""
    return [param.id for param in parameters(args)]


def assigned_names(tree: Tree) -> set[str]:
    """The names that statements or an expression bind in the scope they stand in.

    Targets of any kind, walrus, imports, handlers, captures of `match`, definitions; `del` too,
    which makes a name local. Not what is bound inside a nested function or as a comprehension's
    variable.

    >>> from autovec.syntax.quote import stmts
    >>> sorted(assigned_names(stmts("for i in x:\\n    y = [j for j in (k := x)]")))
    ['i', 'k', 'y']
    """
    return {name for name, _ in bindings(tree)}


#: methods that change the list, dict, set or array they are called on
MUTATORS = frozenset(
    ["append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "add",
     "setdefault", "popitem", "discard", "fill", "put", "resize", "partition"]
)  # fmt: skip


def mutated_names(tree: Tree) -> set[str]:
    """The names whose objects statements change: by a store into an item, or by a method.

    >>> from autovec.syntax.quote import stmts
    >>> sorted(mutated_names(stmts("a[0] = 1; b[i].c += 2; d.append(3); e = f[0]; del g[1]")))
    ['a', 'b', 'd', 'g']
    """
    found: set[str] = set()
    for part in tree if isinstance(tree, (list, tuple)) else [tree]:
        for node in gast.walk(part):
            base: Any = None
            if isinstance(node, (gast.Subscript, gast.Attribute)):
                if isinstance(node.ctx, (gast.Store, gast.Del)):
                    base = node.value
            elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
                base = node.func.value if node.func.attr in MUTATORS else None
            while isinstance(base, (gast.Subscript, gast.Attribute)):
                base = base.value
            if isinstance(base, gast.Name):
                found.add(base.id)
    return found


def bindings(tree: Tree) -> Iterator[tuple[str, gast.AST]]:
    """Each name that `assigned_names` tells of and the node that binds it, in the text's order."""
    stack: list[Any] = list(reversed(tree)) if isinstance(tree, (list, tuple)) else [tree]
    while stack:
        node = stack.pop()
        below: list[Any]
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, (gast.Store, gast.Del)):
                yield node.id, node
            continue
        if isinstance(node, gast.Lambda):
            below = outside(node)
        elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            yield node.name, node
            below = outside(node)
        elif isinstance(node, gast.comprehension):
            below = [node.iter, *node.ifs]
        elif isinstance(node, gast.alias):
            yield bound_name(node), node
            continue
        elif isinstance(node, gast.ExceptHandler) and node.name is not None:
            handled: Any = node.name
            yield handled.id, node
            below = [node.type, *node.body]
        else:
            captured = _captured(node)
            if captured:
                yield captured, node
            below = list(children(node))
        stack.extend(reversed(below))


def bound_name(alias: gast.alias) -> str:
    """The name that an import binds: `np` of `import numpy as np`, `a` of `import a.b`."""
    return alias.asname or alias.name.partition(".")[0]


def _captured(node: gast.AST) -> str | None:
    """The name that a pattern binds."""
    if isinstance(node, (gast.MatchAs, gast.MatchStar)):
        return node.name
    return node.rest if isinstance(node, gast.MatchMapping) else None


def outside(scope: gast.AST) -> list[gast.AST]:
    """The parts of a function, lambda or class that the scope around it evaluates."""
    if isinstance(scope, gast.ClassDef):
        return [*scope.decorator_list, *scope.bases, *scope.keywords]
    assert isinstance(scope, SCOPES)
    args = scope.args
    parts: list[gast.AST | None] = [*args.defaults, *args.kw_defaults]
    parts += [param.annotation for param in parameters(args)]
    if not isinstance(scope, gast.Lambda):
        parts = [*scope.decorator_list, *parts, scope.returns]
    return [part for part in parts if part is not None]


def local_names(scope: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda) -> set[str]:
    """The parameters and local variables of a function."""
    names = assigned_names(scope.body) - global_names(scope)
    for node in same_scope(scope.body):
        if isinstance(node, gast.Nonlocal):
            names.difference_update(node.names)
    return names.union(parameter_names(scope.args))


def global_names(scope: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda) -> set[str]:
    """The names that a function declares global."""
    nodes = same_scope(scope.body)
    return {name for node in nodes if isinstance(node, gast.Global) for name in node.names}


def same_scope(tree: Tree) -> Iterator[gast.AST]:
    """The nodes of a function's body, those within other functions and classes left out."""
    stack: list[gast.AST] = list(tree) if isinstance(tree, (list, tuple)) else [tree]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*SCOPES, gast.ClassDef)):
            stack.extend(children(node))


def free_names(tree: Tree) -> set[str]:
    """The names that a tree reads from the scope it stands in.

    For a function these are the names it takes from outside, its own name in a recursive call
    included. For statements or an expression these are all names they read, whether or not they
    also assign them; an inner function's or comprehension's own variables are not among them.

    >>> from autovec.syntax.quote import stmt
    >>> sorted(free_names(stmt("def f(x, y=a):\\n    z = b\\n    return [x + c for c in z]")))
    ['a', 'b']
    """
    result: set[str] = set()
    none: frozenset[str] = frozenset()
    items = list(tree) if isinstance(tree, (list, tuple)) else [tree]
    stack: list[tuple[gast.AST, frozenset[str]]] = [(item, none) for item in items]
    while stack:
        node, bound = stack.pop()
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, (gast.Load, gast.Del)) and node.id not in bound:
                result.add(node.id)
        elif isinstance(node, SCOPES):
            stack.extend((part, bound) for part in outside(node))
            inner = (bound - global_names(node)) | local_names(node) | _type_parameters(node)
            body = [node.body] if isinstance(node, gast.Lambda) else node.body
            stack.extend((part, inner) for part in body)
        elif isinstance(node, COMPREHENSIONS):
            stack.append((node.generators[0].iter, bound))
            inner = bound | comprehension_names(node)
            stack.extend((part, inner) for part in _inside(node))
        else:
            if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                stack.append((in_context(node.target, gast.Load()), bound))
            stack.extend((child, bound) for child in children(node))
    return result


def _type_parameters(node: gast.AST) -> set[str]:
    return {param.name for param in getattr(node, "type_params", ())}


def comprehension_names(node: Any) -> set[str]:
    """The variables of a comprehension."""
    return set().union(*(assigned_names(part.target) for part in node.generators))


def _inside(node: Any) -> list[gast.AST]:
    """The parts of a comprehension that see its variables: all but the first iterable."""
    first, *rest = node.generators
    parts: list[gast.AST] = [first.target, *first.ifs, *rest]
    results = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
    return parts + results


def mangle(tree: gast.AST, class_name: str | None) -> None:
    """Give private names and attributes of a definition the names that they have when it runs.

    >>> from autovec.syntax.convert import text_of
    >>> from autovec.syntax.quote import stmt
    >>> made = stmt("return self.__gain * x")
    >>> mangle(made, "Model")
    >>> text_of(made)
    'return self._Model__gain * x'
    """
    if not class_name:
        return
    for node in walk(tree):
        if isinstance(node, gast.Attribute):
            node.attr = mangled(node.attr, class_name)
        elif isinstance(node, gast.Name):
            node.id = mangled(node.id, class_name)
        elif isinstance(node, gast.keyword) and node.arg is not None:
            node.arg = mangled(node.arg, class_name)


def mangled(name: str, class_name: str | None) -> str:
    """What a name or an attribute written within a class is called when it runs.

    >>> mangled("__gain", "_Model"), mangled("__init__", "_Model"), mangled("__gain", None)
    ('_Model__gain', '__init__', '__gain')
    """
    owner = (class_name or "").lstrip("_")
    private = name.startswith("__") and not name.endswith("__")
    return f"_{owner}{name}" if owner and private else name
