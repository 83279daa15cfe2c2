"""How a function uses its parameters: what shows that one is an array, a row or a string.

A parameter without a declared shape is a scalar. Where the text uses it as an array, that would be
wrong without a word, so the use is found and refused. What is computed from a parameter element by
element is followed through the function's names and into the file's own functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as default
from typing import Any, Literal

from autovec.files.meaning import binding_of, qualified
from autovec.files.scopes import FUNCTIONS, Scopes

Use = Literal["array", "row", "string", "object"]
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

REDUCTIONS = frozenset(
    """all any argmax argmin average convolve cumprod cumsum diff dot einsum inner linalg.norm
    matmul max mean median min nanmax nanmean nanmin nansum outer percentile prod ptp quantile sort
    std sum trace trapezoid var vdot concatenate stack shape size ndim transpose reshape ravel
    argsort searchsorted interp cross roll flip unique count_nonzero""".split()  # noqa: SIM905
)
CONSUMERS = frozenset(
    """sum len sorted enumerate zip map filter list tuple set reversed any all
    iter""".split()  # noqa: SIM905
)
_METHODS = frozenset(
    """sum mean max min std var prod cumsum cumprod argmax argmin any all dot ravel reshape
    flatten tolist transpose sort argsort copy astype clip round shape size ndim T dtype flat
    nonzero trace""".split()  # noqa: SIM905
)
_SCALAR_TOO = {
    "real",
    "imag",
    "conjugate",
    "is_integer",
    "item",
    "dtype",
    "copy",
    "astype",
    "round",
}
_STRING = frozenset(name for name in dir(str) if name[0] != "_") - {"count", "index"}


def field(parameter: str, key: str) -> str:
    """What a column of a parameter is called among the parameters."""
    return f"{parameter}[{key!r}]"


@dataclass(frozen=True)
class Found:
    """One use of a parameter, where, and all the parameters that are used together there."""

    use: Use
    node: ast.AST
    together: frozenset[str] = frozenset()


@dataclass(eq=False)
class Evidence:
    """The uses of a function's parameters, found once for each function of the file."""

    scopes: Scopes
    _known: dict[ast.AST, dict[str, list[Found]]] = default(default_factory=dict)

    def of(self, function: Function) -> dict[str, list[Found]]:
        """The uses of each parameter that say more than that it is a number."""
        if function not in self._known:
            self._known[function] = {}  # of a recursive call nothing is known yet
            self._known[function] = _Uses(self, function).found
        return self._known[function]

    def called(self, node: ast.Call, function: Function) -> Function | None:
        """The function of the file that a call in another one calls."""
        if not isinstance(node.func, ast.Name):
            return None
        binding = binding_of(node.func.id, self.scopes.inside[function])
        target = getattr(binding, "node", None)
        return target if isinstance(target, (*FUNCTIONS, ast.Lambda)) else None


class _Uses:
    """Goes through one function until no name is found to come from another parameter."""

    def __init__(self, evidence: Evidence, function: Function) -> None:
        self.evidence = evidence
        self.function = function
        self.scope = evidence.scopes.inside[function]
        a = function.args
        self.parameters = [p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
        self.sources: dict[str, set[str]] = {p: {p} for p in self.parameters}
        self.found: dict[str, list[Found]] = {}
        body = function.body if isinstance(function.body, list) else [function.body]
        self.nodes = list(_own_nodes(body))
        while self._spread():
            pass
        for node in self.nodes:
            self._look(node)

    def from_(self, node: ast.AST | None) -> set[str]:
        """The parameters that an expression is computed from, element by element."""
        match node:
            case ast.Name(id=name):
                return self.sources.get(name, set())
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))):
                return {field(p, key) for p in self.sources.get(name, ())}
            case ast.Attribute(value=ast.Name(id=name), attr=key) if name in self.parameters:
                return set() if key in _METHODS or key in _SCALAR_TOO else {field(name, key)}
            case ast.BinOp(left=a, right=b):
                return self.from_(a) | self.from_(b)
            case ast.UnaryOp(operand=a) | ast.NamedExpr(value=a):
                return self.from_(a)
            case ast.IfExp(body=a, orelse=b):
                return self.from_(a) | self.from_(b)
            case ast.Compare(left=a, comparators=others):
                return set().union(self.from_(a), *map(self.from_, others))
            case ast.Call(func=ast.Name(id="abs"), args=[a]):
                return self.from_(a)
            case ast.Call(args=args) if self._elementwise(node):
                return set().union(*map(self.from_, args))
        return set()

    def _elementwise(self, node: ast.Call) -> bool:
        name = qualified(node.func, self.scope) or ""
        top, _, rest = name.partition(".")
        return top == "numpy" and rest not in REDUCTIONS

    def _spread(self) -> bool:
        changed = False
        for node in self.nodes:
            for name, value in _assignments(node):
                new = self.from_(value) - self.sources.get(name, set())
                if new:
                    self.sources[name] = self.sources.get(name, set()) | new
                    changed = True
        return changed

    def _note(self, parts: set[str], use: Use, node: ast.AST) -> None:
        for name in sorted(parts):
            self.found.setdefault(name, []).append(Found(use, node, frozenset(parts)))

    def _look(self, node: ast.AST) -> None:
        match node:
            case ast.Subscript(value=base, slice=ast.Constant(value=str())):
                self._note(self.from_(base), "row", node)
            case ast.Subscript(value=base, slice=key):
                self._note(self.from_(base), "array", node)
                if self._of_strings(base):
                    self._note(self.from_(key), "string", node)
            case ast.Attribute(value=base, attr=attr):
                self._attribute(self.from_(base), attr, node)
            case ast.For(iter=over) | ast.comprehension(iter=over):
                self._note(self.from_(over), "array", over)
            case ast.BinOp(left=a, op=ast.MatMult(), right=b):
                self._note(self.from_(a) | self.from_(b), "array", node)
            case ast.Starred(value=base):
                self._note(self.from_(base), "array", node)
            case ast.Assign(targets=targets, value=value):
                if any(isinstance(t, (ast.Tuple, ast.List)) for t in targets):
                    self._note(self.from_(value), "array", value)
            case ast.Compare():
                self._compare(node)
            case ast.Call():
                self._call(node)

    def _attribute(self, parts: set[str], attr: str, node: ast.AST) -> None:
        if attr in _SCALAR_TOO:
            return
        use: Use = "array" if attr in _METHODS else "string" if attr in _STRING else "object"
        self._note(parts, use, node)

    def _compare(self, node: ast.Compare) -> None:
        """Beside strings, a string."""
        sides = [node.left, *node.comparators]
        for side, op in zip(node.comparators, node.ops, strict=True):
            if isinstance(op, (ast.In, ast.NotIn)):
                self._note(self.from_(side), "array", side)
                if self._of_strings(side):
                    self._note(self.from_(node.left), "string", node)
        for side in sides:
            items = side.elts if isinstance(side, (ast.Tuple, ast.List, ast.Set)) else [side]
            if items and all(isinstance(getattr(i, "value", None), str) for i in items):
                for other in sides:
                    if isinstance(other, (ast.Name, ast.Subscript, ast.Attribute)):
                        self._note(self.from_(other), "string", node)

    def _of_strings(self, node: ast.AST) -> bool:
        """Is it a table of the file all of whose keys, or items, are strings?"""
        if isinstance(node, ast.Name):
            binding = binding_of(node.id, self.scope)
            node = getattr(binding, "node", node)
        items: list[Any] = []
        match node:
            case ast.Dict(keys=keys):
                items = keys
            case ast.Set(elts=elts) | ast.Tuple(elts=elts) | ast.List(elts=elts):
                items = elts
        return bool(items) and all(isinstance(getattr(i, "value", None), str) for i in items)

    def _call(self, node: ast.Call) -> None:
        name = qualified(node.func, self.scope) or ""
        top, _, rest = name.partition(".")
        first = self.from_(node.args[0]) if node.args else set()
        match node:
            case ast.Call(func=ast.Attribute(value=table, attr="get")) if self._of_strings(table):
                self._note(first, "string", node)
            case ast.Call(args=[ast.Subscript(value=base), _]) if name == "builtins.int":
                self._note(self.from_(base), "string", node)
        if (top == "numpy" and (rest in REDUCTIONS or rest.startswith("linalg."))) or (
            top == "builtins" and rest in CONSUMERS
        ):
            self._note(set().union(*map(self.from_, node.args)), "array", node)
        elif top == "builtins" and rest in ("max", "min") and len(node.args) == 1:
            self._note(first, "array", node)
        elif (callee := self.evidence.called(node, self.function)) is not None:
            uses = self.evidence.of(callee)
            for parameter, argument in _bound(callee, node):
                for found in uses.get(parameter, ()):
                    self._note(self.from_(argument), found.use, argument)


def _own_nodes(body: list[Any]) -> Iterator[ast.AST]:
    """Every node of a function, those of functions within it, too, in the order of the text."""
    stack = list(reversed(body))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _assignments(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names, and the expressions that they are given."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _pairs(target, value)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield from _pairs(target, value)
        case ast.AugAssign(target=target, value=value):
            yield from _pairs(target, value)
        case ast.NamedExpr(target=target, value=value):
            yield from _pairs(target, value)
        case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
            if isinstance(over, (ast.Tuple, ast.List)):
                for item in over.elts:
                    yield from _pairs(target, item)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        for t, v in zip(target.elts, value.elts, strict=False):
            yield from _pairs(t, v)


def _bound(callee: Function, node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    a = callee.args
    names = [p.arg for p in (*a.posonlyargs, *a.args)]
    yield from zip(names, node.args, strict=False)
    yield from ((k.arg, k.value) for k in node.keywords if k.arg)
