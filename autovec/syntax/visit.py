"""Visitors, and transformers that build a new tree instead of mutating one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, ClassVar, overload

import gast

from autovec.syntax.quote import in_context
from autovec.syntax.scope import (
    assigned_names,
    bound_name,
    comprehension_names,
    free_names,
    global_names,
    local_names,
    mutated_names,
)
from autovec.syntax.walking import Node, children, located, parameters, updated, walk

__all__ = [
    "Transformer",
    "Visitor",
    "assigned_names",
    "children",
    "free_names",
    "local_names",
    "located",
    "mutated_names",
    "parameters",
    "replace_names",
    "updated",
    "walk",
]


class Visitor:
    """Calls `visit_<Class>(node)` where there is one, and visits the children where not."""

    _methods: ClassVar[dict[type, Callable[[Any, Any], Any]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._methods = {}

    def visit(self, node: gast.AST) -> Any:
        """What the node's method returns."""
        kind = node.__class__
        method = self._methods.get(kind)
        if method is None:
            found = getattr(type(self), "visit_" + kind.__name__, type(self).generic_visit)
            method = self._methods[kind] = found
        return method(self, node)

    def visit_all(self, nodes: Iterable[gast.AST]) -> None:
        """Visits each node of a list."""
        for node in nodes:
            self.visit(node)

    def generic_visit(self, node: gast.AST) -> Any:
        """Visits the children."""
        for child in children(node):
            self.visit(child)


class Transformer(Visitor):
    """Builds a new tree: `visit_<Class>(node)` returns what stands in the node's place.

    That is a node or, in a list, also a list of nodes or None (nothing). Nothing is mutated: a
    node below which something changed is copied, with its location, and every other node is the
    same object in both trees.

    >>> from autovec.syntax.quote import expr, const
    >>> from autovec.syntax.convert import text_of
    >>> class Halve(Transformer):
    ...     def visit_Constant(self, node):
    ...         return const(node.value / 2)
    >>> text_of(Halve().visit(expr("x + 3")))
    'x + 1.5'
    """

    def generic_visit(self, node: gast.AST) -> Any:
        """The node with its children transformed."""
        changed: dict[str, Any] = {}
        for field in node._fields:
            old = getattr(node, field, None)
            if isinstance(old, gast.AST):
                if isinstance(old, gast.expr_context):
                    continue
                new = self.visit(old)
            elif isinstance(old, list) and old:
                new = self.visit_list(old)
            else:
                continue
            if new is not old:
                changed[field] = new
        return updated(node, **changed) if changed else node

    def visit_list(self, nodes: list[Any]) -> list[Any]:
        """A list of nodes, transformed; the same list where nothing changed."""
        result: list[Any] = []
        for node in nodes:
            new = self.visit(node) if isinstance(node, gast.AST) else node
            if isinstance(new, list):
                result.extend(new)
            elif new is not None or node is None:
                result.append(new)
        same = len(result) == len(nodes) and all(a is b for a, b in zip(result, nodes, strict=True))
        return nodes if same else result


@overload
def replace_names(tree: Node, names: Mapping[str, gast.expr | str]) -> Node: ...
@overload
def replace_names(tree: list[Node], names: Mapping[str, gast.expr | str]) -> list[Node]: ...
def replace_names(tree: Any, names: Mapping[str, gast.expr | str]) -> Any:
    """The tree with names replaced where they mean the variable of the scope the tree stands in.

    A `str` renames every use, assignments and definitions included; a node takes the place of
    what is read (and of what is assigned, if it can be). A nested function or comprehension that
    binds the name itself keeps it. A replacement that reads a name which such a scope binds would
    change its meaning: ValueError.

    >>> from autovec.syntax.quote import expr
    >>> from autovec.syntax.convert import text_of
    >>> text_of(replace_names(expr("x + f(lambda x: x)"), {"x": expr("a[0]")}))
    'a[0] + f(lambda x: x)'
    """
    renamer = _Renamer(dict(names))
    return renamer.visit_list(tree) if isinstance(tree, list) else renamer.visit(tree)


class _Renamer(Transformer):
    def __init__(self, names: dict[str, gast.expr | str], captured: Set[str] = frozenset()) -> None:
        self.names = names
        self.captured = captured

    def visit_Name(self, node: gast.Name) -> gast.expr:
        if node.id in self.captured:
            raise ValueError(f"what replaces {node.id} reads a name that is bound in between")
        new = self.names.get(node.id)
        if new is None:
            return node
        return updated(node, id=new) if isinstance(new, str) else in_context(new, node.ctx)

    def visit_FunctionDef(self, node: Any) -> Any:
        inner = self._within(local_names(node) | global_names(node))
        return updated(
            node,
            name=self._new_name(node.name),
            args=self._arguments(node.args),
            body=inner.visit_list(node.body),
            decorator_list=self.visit_list(node.decorator_list),
            returns=self.visit(node.returns) if node.returns else None,
        )

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: gast.Lambda) -> gast.Lambda:
        inner = self._within(local_names(node))
        return updated(node, args=self._arguments(node.args), body=inner.visit(node.body))

    def visit_ClassDef(self, node: gast.ClassDef) -> Any:
        if assigned_names(node.body) & (self.names.keys() | self.captured):
            raise ValueError(f"the body of class {node.name} binds a name to be replaced")
        return updated(self.generic_visit(node), name=self._new_name(node.name))

    def visit_ListComp(self, node: Any) -> Any:
        inner = self._within(comprehension_names(node))
        first, *rest = node.generators
        # The first iterable belongs to the scope around.
        ifs = inner.visit_list(first.ifs)
        first = updated(first, iter=self.visit(first.iter), ifs=ifs)
        generators = [first, *inner.visit_list(rest)]
        results = [field for field in ("elt", "key", "value") if hasattr(node, field)]
        changed = {field: inner.visit(getattr(node, field)) for field in results}
        return updated(node, generators=generators, **changed)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_alias(self, node: gast.alias) -> gast.alias:
        bound = bound_name(node)
        if bound not in self.names:
            return node
        if "." in node.name and not node.asname:
            raise ValueError(f"import {node.name} cannot bind another name")
        return updated(node, asname=self._new_name(bound))

    def visit_MatchAs(self, node: Any) -> Any:
        field = "rest" if isinstance(node, gast.MatchMapping) else "name"
        return updated(self.generic_visit(node), **{field: self._new_name(getattr(node, field))})

    visit_MatchStar = visit_MatchMapping = visit_MatchAs

    def visit_Nonlocal(self, node: gast.Nonlocal) -> gast.Nonlocal:
        return updated(node, names=[self._new_name(name) for name in node.names])

    def _new_name(self, old: Any) -> Any:
        new = self.names.get(old, old)
        if isinstance(new, gast.AST):
            raise ValueError(f"{old} is bound where no expression can stand")
        return new

    def _arguments(self, args: gast.arguments) -> gast.arguments:
        """Defaults and annotations belong to the scope around, the parameters do not."""

        def param(node: Any) -> Any:
            if node is None or node.annotation is None:
                return node
            return updated(node, annotation=self.visit(node.annotation))

        return updated(
            args,
            posonlyargs=[param(node) for node in args.posonlyargs],
            args=[param(node) for node in args.args],
            vararg=param(args.vararg),
            kwonlyargs=[param(node) for node in args.kwonlyargs],
            kwarg=param(args.kwarg),
            defaults=self.visit_list(args.defaults),
            kw_defaults=self.visit_list(args.kw_defaults),
        )

    def _within(self, bound: set[str]) -> _Renamer:
        """The renamer for a scope that binds these names itself."""
        inner = {old: new for old, new in self.names.items() if old not in bound}
        captured = {old for old, new in inner.items() if bound & _reads(new)}
        kept = {old: new for old, new in inner.items() if old not in captured}
        return _Renamer(kept, (self.captured - bound) | captured)


def _reads(new: gast.expr | str) -> set[str]:
    return {new} if isinstance(new, str) else free_names(new)
