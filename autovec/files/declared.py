"""The facts of a target's parameters: what its signature, annotations, defaults and use say."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autovec.errors import Problem
from autovec.files.annotations import Declared, declared_by, type_comment_of
from autovec.files.axes import Entries, entries_of, refusal
from autovec.files.constants import OPAQUE, UNDECLARED_VALUE
from autovec.files.evidence import Evidence, Found
from autovec.files.instances import instance_of, record_of
from autovec.files.meaning import Doubt
from autovec.files.rows import rows_of
from autovec.files.targets import Target
from autovec.files.world import World
from autovec.program.facts import UNKNOWN, Rows, Uniform, Varying
from autovec.program.unknown import UNDECLARED, Dtype

_HINTS = {
    "array": "its samples are taken to be scalars",
    "row": "rows of columns are not written into files",
    "object": "its samples are taken to be numbers",
    "string": "its samples are taken to be numbers",
}


@dataclass(frozen=True)
class Parameter:
    """A parameter: what is declared of it, how it is used, whether it differs between samples."""

    name: str
    node: ast.arg
    declared: Declared
    uses: tuple[Found, ...]
    varying: bool
    default: object = None
    has_default: bool = False
    receiver: ast.ClassDef | None = None
    rows: Rows | None = None
    axes: Entries = ()

    def used_as(self, *kinds: str) -> Found | None:
        return next((found for found in self.uses if found.use in kinds), None)


def declared_fact(parameter: Parameter) -> Varying | Rows:
    """The dtype and rank of a batched parameter; its columns, if it is a row."""
    declared = parameter.declared
    if parameter.rows is not None:
        return parameter.rows
    dtype: Dtype | None = declared.dtype
    if dtype is None:
        dtype = np.dtype("U") if parameter.used_as("string") else UNDECLARED
    return Varying(dtype, (UNKNOWN,) * (declared.rank or 0))


@dataclass(frozen=True)
class Facts:
    """What the compiler is told of every parameter, and what is not declared and must be.

    Of the parameters in `undeclared` it is told a dtype that nothing declares; `dims` are the
    dimensions of those whose samples are arrays.
    """

    params: dict[str, Any]
    problems: list[Problem]
    undeclared: frozenset[str] = frozenset()
    axes: Mapping[str, Entries] = field(default_factory=dict)
    dims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def facts_of(target: Target, function: Any, world: World, evidence: Evidence) -> Facts:
    """The facts of a target's parameters."""
    problems: list[Problem] = []
    params: dict[str, Any] = {}
    args = target.node.args
    count = _further(target)
    for star in filter(None, (None if count else args.vararg, args.kwarg)):
        what = f"{star.arg} takes any number of arguments"
        why = "which of them are batched is known in a call"
        instead = "write the parameters one by one"
        if star is args.vararg:
            instead += f', or say how many there are: --in-axes "{target.asked}: (0, 0)"'
        problems.append(Problem(world.file.place(star), what, why, instead))
    try:
        found = list(parameters(target, function, world, evidence))
        _check_out_axes(target, found)
    except LookupError as error:
        place = world.file.place(target.node)
        why = "the declaration does not fit the function"
        return Facts({}, [Problem(place, str(error.args[0]), why)])
    if not problems and not any(p.varying for p in found):
        place = world.file.place(target.statement)
        why = "arguments with a default, and those that are excluded, are the same for all samples"
        problems.append(Problem(place, f"{target.name} has no argument to batch", why))
    arrays = {p.name for p in found if p.declared.rank or p.declared.array}
    for parameter in found:
        if parameter.varying:
            problem = None
            if parameter.rows is None:
                problem = undeclared(parameter, arrays, target, world)
            if problem is not None:
                problems.append(problem)
            params[parameter.name] = declared_fact(parameter)
        else:
            params[parameter.name] = Uniform(uniform_value(parameter, world))
    if args.vararg is not None and count:
        params[args.vararg.arg] = (Varying(UNDECLARED),) * count
    unsaid = {p.name for p in found if p.varying and p.declared.dtype is None}
    axes = {p.name: p.axes for p in found if p.axes}
    dims = {p.name: p.declared.dims for p in found if p.varying and p.declared.dims}
    return Facts(params, problems, frozenset(unsaid), axes, dims)


def _check_out_axes(target: Target, found: list[Parameter]) -> None:
    """Raise LookupError for an axis that the results of scalar samples do not have."""
    given = target.chosen.out_axes
    axes = given if isinstance(given, (tuple, list)) else (given,)
    if not any(p.declared.rank for p in found) and not {0, -1}.issuperset(axes):
        raise LookupError(f"out_axes has {given!r}, but results of scalar samples have one axis")


def _further(target: Target) -> int:
    """How many arguments are declared beyond the named ones, for `*args`."""
    a = target.node.args
    named = len([p for p in (*a.posonlyargs, *a.args) if p.arg not in target.bound])
    if a.vararg is None:
        return 0
    given = target.chosen.in_axes
    if target.chosen.signature is not None:
        return max(0, len(target.chosen.signature.inputs) - named)
    return max(0, len(given) - named) if isinstance(given, (tuple, list)) else 0


def parameters(
    target: Target, function: Any, world: World, evidence: Evidence
) -> Iterator[Parameter]:
    """The target's parameters in order. Raises LookupError where declarations do not fit."""
    a = target.node.args
    scope = world.scopes.inside[target.node]
    assert scope.parent is not None
    uses = evidence.of(target.node)
    positional = [*a.posonlyargs, *a.args]
    owner = _receiver_class(target, world)
    first = int(owner is not None)
    names = [p.arg for p in positional if p.arg not in target.bound][first:]
    comments: list[Any] = type_comment_of(target.node)
    typed = dict(zip(names, comments, strict=True)) if len(comments) == len(names) else {}
    defaults = _defaults(positional, a, function)
    ranks = _ranks(target, names)
    entries = _entries(target, names, defaults)
    told = dict.fromkeys(ranks, True)
    told.update((n, any(axis is not None for axis in axes)) for n, axes in entries.items())
    for name, expr in target.bound.items():
        defaults[name] = world.constant(expr, target.scope, target.statement)
    told.update(dict.fromkeys(target.bound, False))
    told.update((n, False) for k, n in enumerate(names) if {n, k} & target.chosen.excluded)
    for node in [*positional, *a.kwonlyargs]:
        written = node.annotation or typed.get(node.arg)
        if written is None and node.type_comment:
            written = ast.Constant(node.type_comment)
        declared = declared_by(written, scope.parent)
        if node.arg in ranks:
            declared = replace(declared, dims=ranks[node.arg], array=bool(ranks[node.arg]))
        given = node.arg in defaults
        receiver = owner if positional[:1] == [node] else None
        varying = receiver is None and told.get(node.arg, not given)
        found = tuple(uses.get(node.arg, ()))
        rows = None
        if varying and declared == Declared() and {f.use for f in found} & {"row", "object"}:
            rows = rows_of(evidence, target.node, node.arg)
        axes = entries.get(node.arg, ()) if varying else ()
        why = refusal(node.arg, axes, declared.rank or 0)
        if why:
            raise LookupError(why)
        yield Parameter(
            node.arg, node, declared, found, varying, defaults.get(node.arg), given, receiver,
            rows, axes,
        )  # fmt: skip


def _receiver_class(target: Target, world: World) -> ast.ClassDef | None:
    """The class whose object a method's first parameter is."""
    scope = world.scopes.inside[target.node].parent
    if scope is None or not isinstance(scope.node, ast.ClassDef):
        return None
    decorators = getattr(target.node, "decorator_list", ())
    names = [world.decorator_name(d, scope, target.statement) for d in decorators]
    return None if "builtins.staticmethod" in names else scope.node


def _defaults(positional: list[ast.arg], a: ast.arguments, function: Any) -> dict[str, object]:
    names = [p.arg for p in positional][len(positional) - len(a.defaults) :]
    values = dict(zip(names, function.__defaults__ or (), strict=True))
    return {**values, **(function.__kwdefaults__ or {})}


def _entries(target: Target, names: list[str], defaults: dict[str, object]) -> dict[str, Entries]:
    """What in_axes says of each parameter."""
    if target.chosen.layout == "broadcast" and not target.chosen.outer:
        return {}
    star = target.node.args.vararg
    return entries_of(target.chosen, names, defaults, None if star is None else star.arg)


def _ranks(target: Target, names: list[str]) -> dict[str, tuple[str, ...]]:
    """The dimensions that a signature gives."""
    signature = target.chosen.signature
    if signature is None:
        return {}
    names = [n for k, n in enumerate(names) if not {n, k} & target.chosen.excluded]
    if len(signature.inputs) > len(names) and target.node.args.vararg is None:
        raise LookupError(f"the signature has {len(signature.inputs)} arguments for {len(names)}")
    return dict(zip(names, signature.inputs, strict=False))


def undeclared(
    parameter: Parameter, arrays: set[str], target: Target, world: World
) -> Problem | None:
    """A parameter that is used as what its declaration does not say.

    What is computed from it and a declared array together may be an array.
    """
    uses = tuple(u for u in parameter.uses if not u.together & (arrays - {parameter.name}))
    parameter = replace(parameter, uses=uses)
    declared = parameter.declared
    name = parameter.name
    if declared.rank is None and declared.array:
        place = world.file.place(parameter.node)
        what = f"{name} is an array of no declared shape"
        return Problem(place, what, _why(name), _way_out(target, name))
    if declared.rank is not None and (declared.rank or declared.dtype is not None):
        kind = declared.dtype.kind if declared.dtype is not None else ""
        if declared.rank or kind == "U":
            return None
    found = parameter.used_as("string")
    if found is not None and declared.dtype is None and not parameter.used_as("row", "object"):
        return None
    found = parameter.used_as("array", "row", "object", "string")
    if found is None:
        return None
    if found.use == "row":
        why = "rows and columns are not written into files: call autovec.vmap on it"
        return Problem(world.file.place(found.node), f"{name} is used as a row", why)
    word = {"array": "an array", "object": "an object", "string": "a string"}[found.use]
    what = f"{name} is used as {word}"
    return Problem(world.file.place(found.node), what, _HINTS[found.use], _way_out(target, name))


def _why(name: str) -> str:
    return f"which axes of {name} are one sample's has to be written down"


def _way_out(target: Target, name: str) -> str:
    a = target.node.args
    dims = ",".join("(n)" if p.arg == name else "()" for p in (*a.posonlyargs, *a.args))
    return (
        f'declare its shape: --signature "{target.asked}: {dims}->()", '
        f'vectorize(signature="{dims}->()"), or annotate {name}: Annotated[np.ndarray, "n"] '
        f"(a string: {name}: str)"
    )


def uniform_value(parameter: Parameter, world: World) -> Any:
    """What stands for an argument that is the same for every sample."""
    if parameter.has_default and not isinstance(parameter.default, Doubt):
        return parameter.default
    declared = parameter.declared
    if declared.cls is not None:
        return instance_of(declared.cls, world)
    if declared.dtype is not None and not declared.array:
        return _UNIFORM.get(declared.dtype.kind) or declared.dtype.type(1)
    if parameter.receiver is not None:
        return instance_of(parameter.receiver, world)
    if isinstance(parameter.default, Doubt):
        return parameter.default
    if parameter.used_as("array", "row"):
        why = f"{parameter.name} is shared by all samples, and what it holds is not declared"
        return Doubt(parameter.name, why)
    if parameter.used_as("object"):
        return record_of(parameter.name, parameter.uses)
    return OPAQUE[str] if parameter.used_as("string") else UNDECLARED_VALUE


_UNIFORM: dict[str, Any] = {"f": OPAQUE[float], "i": OPAQUE[int], "b": True, "U": OPAQUE[str]}
