"""The options that a file gives to `vectorize` and `vmap`, read off its text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from autovec.axes import Signature, check_in_axes, is_axis, parse_signature
from autovec.errors import Problem
from autovec.files.meaning import Doubt, binding_of, qualified
from autovec.files.scopes import Binding, Scope
from autovec.files.text import FileText

FACTORIES = ("autovec.vectorize", "autovec.vmap", "numpy.vectorize")
LIFTERS = ("autovec.lift",)
_ORDER = {
    "vectorize": ("pyfunc", "otypes", "doc", "excluded", "cache", "signature"),
    "vmap": ("fun", "in_axes", "out_axes"),
    "lift": ("fun",),
}
_KEYWORDS = {
    "autovec.vectorize": {*_ORDER["vectorize"], "fallback", "exact", "name", "errors"},
    "autovec.vmap": {*_ORDER["vmap"], "axis_size", "fallback", "exact", "name", "errors"},
    "numpy.vectorize": {*_ORDER["vectorize"]},
}


@dataclass(frozen=True)
class Chosen:
    """How a function is to be batched."""

    layout: Literal["broadcast", "lanes"] = "broadcast"
    signature: Signature | None = None
    in_axes: object = 0
    out_axes: object = 0
    outer: tuple[object, ...] = ()  # in_axes of the batches around this one, the outermost first
    excluded: frozenset[str | int] = frozenset()
    otypes: tuple[np.dtype[Any], ...] | None = None
    doc: str | None = None
    fallback: Literal["warn", "silent", "error"] = "warn"
    exact: bool = False
    errors: str = "numpy"


@dataclass(frozen=True)
class Made:
    """A use of a factory: which one, the options as written, and the function if it is given."""

    factory: str
    options: Mapping[str, ast.expr]
    function: ast.expr | None = None

    @property
    def ours(self) -> bool:
        return self.factory.startswith("autovec.")


class NotLiteralError(Exception):
    """An option that the text does not say."""

    def __init__(self, node: ast.AST, what: str, why: str) -> None:
        super().__init__(what)
        self.node = node
        self.what = what
        self.why = why

    def problem(self, file: FileText) -> Problem:
        """The place, the reason and the way out."""
        instead = "write the option as a literal, or as a constant of this file"
        return Problem(file.place(self.node), self.what, self.why, instead)


def made_by(
    node: ast.expr, scope: Scope, before: ast.AST, factories: tuple[str, ...] = FACTORIES
) -> Made | None:
    """The factory that an expression names or calls, with options; None where it is something else.

    >>> from autovec.files.scopes import scopes_of
    >>> tree = ast.parse("import numpy as np\\ng = np.vectorize(f, otypes='d')")
    >>> found = made_by(tree.body[1].value, scopes_of(tree).module, tree.body[1])
    >>> found.factory, sorted(found.options), found.function.id
    ('numpy.vectorize', ['otypes'], 'f')
    """
    options: dict[str, ast.expr] = {}
    positional: list[ast.expr] = []
    for _ in range(8):
        if isinstance(node, ast.Call):
            partial = qualified(node.func, scope, before) == "functools.partial"
            if any(k.arg is None for k in node.keywords):
                options["**"] = next(k.value for k in node.keywords if k.arg is None)
            options = {**{k.arg: k.value for k in node.keywords if k.arg}, **options}
            if not partial:
                positional = [*node.args, *positional]
                node = node.func
            elif node.args:
                positional = [*node.args[1:], *positional]
                node = node.args[0]
            else:
                return None
            continue
        name = qualified(node, scope, before)
        if name in factories:
            return _with_positions(name, positional, options)
        binding = binding_of(node.id, scope, before) if isinstance(node, ast.Name) else None
        if not isinstance(binding, Binding) or not isinstance(binding.node, ast.Call):
            return None
        if qualified(binding.node.func, scope, binding.statement) != "functools.partial":
            return None
        node, before = binding.node, binding.statement
    return None


def _with_positions(factory: str, args: list[ast.expr], options: dict[str, ast.expr]) -> Made:
    order = _ORDER[factory.rpartition(".")[2]]
    given = dict(zip(order, args, strict=False))
    if len(args) > len(order) or any(isinstance(a, ast.Starred) for a in args):
        given["**"] = args[-1]
    everything = {**given, **options}
    function = everything.pop(order[0], None)
    return Made(factory, everything, function)


def chosen(made: Made, node: ast.AST, value: Callable[[ast.expr], Any]) -> Chosen:
    """The options' values. Raises NotLiteralError."""
    known = _KEYWORDS[made.factory]
    read: dict[str, Any] = {}
    for name, expr in made.options.items():
        if name not in known:
            what = f"{made.factory} has no option {name}" if name != "**" else "these options"
            raise NotLiteralError(expr, what, "what they are is known when the file runs")
        read[name] = value(expr)
        if isinstance(read[name], Doubt):
            raise NotLiteralError(expr, f"the option {name} is not a literal", read[name].why)
    try:
        return _checked(made, read)
    except (TypeError, ValueError) as error:
        raise NotLiteralError(node, str(error), "the call would raise") from None


def _checked(made: Made, read: dict[str, Any]) -> Chosen:
    common = Chosen(
        fallback=read.get("fallback", "warn"),
        exact=bool(read.get("exact", False)),
        errors=read.get("errors", "numpy"),
        doc=read.get("doc"),
    )
    if common.fallback not in ("warn", "silent", "error"):
        raise ValueError(f"fallback must be warn, silent or error, got {common.fallback!r}")
    if common.errors not in ("numpy", "raise"):
        raise ValueError(f"errors must be numpy or raise, got {common.errors!r}")
    if made.factory == "autovec.vmap":
        check_in_axes(read.get("in_axes", 0))
        out_axes = read.get("out_axes", 0)
        if not is_axis(out_axes) and not (
            isinstance(out_axes, (tuple, list)) and all(map(is_axis, out_axes))
        ):
            raise ValueError(f"out_axes has {out_axes!r}: files are written for axes of results")
        given = read.get("in_axes", 0)
        return replace(common, layout="lanes", in_axes=given, out_axes=out_axes)
    signature = read.get("signature")
    return replace(
        common,
        signature=None if signature is None else parse_signature(signature),
        excluded=frozenset(read.get("excluded") or ()),
        otypes=_otypes(read.get("otypes")),
    )


def within(outer: Chosen, inner: Chosen) -> Chosen:
    """A batch of batches: the inner options, with the outer batch's axes. Raises ValueError."""
    if "broadcast" in (outer.layout, inner.layout) and not inner.outer:
        raise ValueError("only vmap is nested")
    if outer.out_axes != 0 or inner.out_axes != 0:
        raise ValueError("out_axes of a batch of batches")
    return replace(inner, layout="broadcast", outer=(outer.in_axes, *inner.outer))


def _otypes(given: Any) -> tuple[np.dtype[Any], ...] | None:
    """One dtype for each result.

    >>> _otypes("df"), _otypes([int])
    ((dtype('float64'), dtype('float32')), (dtype('int64'),))
    """
    if given is None:
        return None
    items = list(given) if isinstance(given, (str, list, tuple)) else [given]
    return tuple(np.dtype(item) for item in items)
