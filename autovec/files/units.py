"""One target compiled: the pieces of its text, or the reason why it loops."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec import pipeline
from autovec.emit.source import Parts, Twin
from autovec.errors import AutovecError, Problem, Unsupported, WithProblems
from autovec.files import generic
from autovec.files.alignment import is_plain
from autovec.files.axes import Entries
from autovec.files.declared import facts_of
from autovec.files.evidence import Evidence
from autovec.files.meaning import Doubt
from autovec.files.scopes import Scope
from autovec.files.targets import Target
from autovec.files.world import World
from autovec.lower.explaining import Explained
from autovec.program.facts import Rows, Varying
from autovec.syntax.visit import free_names, replace_names
from autovec.syntax.walking import updated, walk

_ROWS = "rows and *args are not looped over in files"


@dataclass(eq=False)
class Unit:
    """What became of a target; `loop` says why it loops, `problems` why there is no text at all."""

    target: Target
    params: dict[str, Any] = field(default_factory=dict)
    undeclared: frozenset[str] = frozenset()
    axes: Mapping[str, Entries] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    helpers: tuple[gast.FunctionDef, ...] = ()
    twins: tuple[Twin, ...] = ()
    body: list[gast.stmt] = field(default_factory=list)
    explain: list[Explained] = field(default_factory=list)
    result: Any = None
    loop: Problem | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def varying(self) -> set[str]:
        kinds = (Varying, Rows, tuple)
        return {name for name, fact in self.params.items() if isinstance(fact, kinds)}

    @property
    def ranks(self) -> dict[str, int]:
        """The ranks of the samples of the arguments that are batched."""
        return {name: f.rank for name, f in self.params.items() if isinstance(f, Varying)}


def compile_target(target: Target, world: World, evidence: Evidence) -> Unit:
    """Compile a target's function for the facts that the file declares."""
    unit = Unit(target)
    place = world.file.place(target.node)
    function = world.function(target.node)
    if isinstance(function, Doubt):
        unit.problems = [Problem(place, f"{function.name} cannot be compiled", function.why)]
        return unit
    facts = facts_of(target, function, world, evidence)
    unit.params, unit.problems, unit.undeclared = facts.params, facts.problems, facts.undeclared
    unit.axes = facts.axes
    if unit.problems:
        return unit
    tables = all(isinstance(unit.params[name], Rows) for name in unit.varying)
    options = pipeline.Options(
        layout="lanes" if tables or facts.dims else target.chosen.layout,
        fallback="silent",
        exact=target.chosen.exact,
        raises=target.chosen.errors == "raise",
        any_length=bool(facts.dims),
        name=target.name,
    )
    try:
        if facts.dims:
            made = generic.compiled(function, unit.params, facts.dims, options)
        else:
            made = pipeline.specialise(function, unit.params, options)
    except Unsupported as error:
        at = place if error.node is None else world.file.place(error.node)
        unit.loop = Problem(at, error.what, error.why, error.instead)
    except WithProblems as error:
        unit.problems = list(error.problems) or [Problem(place, str(error))]
    except AutovecError as error:
        unit.problems = [Problem(place, str(error).split("\n", maxsplit=1)[0])]
    except RecursionError:
        unit.problems = [Problem(place, "this is nested too deeply to be compiled")]
    except Exception as error:
        # A bug of ours must not stop the user's work, nor be hidden: the loop is always right.
        why = f"{type(error).__name__}: {error}"
        unit.loop = Problem(place, "autovec failed, which is a bug", why, "please report it")
    else:
        if facts.dims and not is_plain(made.result) and target.chosen.layout != "lanes":
            what = "a result that is no tuple, list or dict"
            unit.loop = Problem(place, what, "batches of any shape are laid out leaf by leaf")
        else:
            _take(unit, made, world)
    several = any(isinstance(fact, (Rows, tuple)) for fact in unit.params.values())
    if unit.loop is not None and several:
        why = f"{unit.loop.why}; {_ROWS}" if unit.loop.why else _ROWS
        unit.problems = [Problem(unit.loop.place, unit.loop.what, why, unit.loop.instead)]
    return unit


def _take(unit: Unit, made: pipeline.Specialisation, world: World) -> None:
    unit.explain = made.explain
    unit.result = made.result
    if made.fallbacks or made.parts is None:
        unit.loop = made.fallbacks[0]
        return
    parts = made.parts
    strange = sorted(_strange(unit.target, parts, world))
    if strange:
        place = world.file.place(unit.target.node)
        what = f"{strange[0]} means nothing where the text would stand"
        unit.loop = Problem(place, what, "a helper of another scope reads it")
        return
    unit.modules, unit.helpers, unit.twins = parts.modules, parts.helpers, parts.twins
    unit.body = [s for k, s in enumerate(parts.main.body) if k or not _is_docstring(s)]
    owner = unit.target.scope.node
    if isinstance(owner, ast.ClassDef):
        _as_written_in(unit.body, owner.name)


def _as_written_in(body: list[gast.stmt], class_name: str) -> None:
    """Private attributes as one writes them within their class."""
    start = f"_{class_name.lstrip('_')}__"
    for node in walk(body):
        if isinstance(node, gast.Attribute) and node.attr.startswith(start):
            node.attr = node.attr[len(start) - 2 :]


def _strange(target: Target, parts: Parts, world: World) -> Iterator[str]:
    """Names that the text reads and that its place in the file does not have."""
    own = {*parts.modules, *(t.tree.name for t in parts.twins), *(h.name for h in parts.helpers)}
    yield from _unseen(parts.main, world.scopes.inside[target.node], own)
    for twin in parts.twins:
        tree = replace_names(twin.tree, {new: old for old, new in twin.renamed.items()})
        node = world.nodes.get(twin.fn.__code__) if twin.fn is not None else None
        scope = world.scopes.inside[node] if node is not None else world.scopes.module
        if scope.parent is not None and scope.parent.is_class:
            scope = world.scopes.module  # a method's twin stands in the module
        yield from _unseen(tree, scope, own)


def _unseen(tree: gast.FunctionDef, scope: Scope, own: set[str]) -> Iterator[str]:
    names = free_names(updated(tree, args=updated(tree.args, defaults=[], kw_defaults=[])))
    for name in names - own - {tree.name}:
        if scope.owner(name) is None and not hasattr(builtins, name) and not scope.module.stars:
            yield name


def _is_docstring(statement: gast.stmt) -> bool:
    value = getattr(statement, "value", None)
    return isinstance(statement, gast.Expr) and isinstance(getattr(value, "value", None), str)
