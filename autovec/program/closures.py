"""Functions as values: what one holds, and how it is handed to another function.

A function handed to a helper is known while compiling, so the helper's twin is made for this very
function and does not get it as an argument.  What the function reads from where it stands becomes
an argument of the twin instead:

    solve(lambda t: t * t - x, 0.0, 9.0)    ->    solve_batched(0.0, 9.0, x)
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.parameters import as_parameter
from autovec.program.scope import seen_through
from autovec.program.things import Chosen, Known, Local, Map, Partial, Seq, Thing, describe
from autovec.syntax.visit import free_names, local_names

_PLAIN = (types.FunctionType, types.BuiltinFunctionType, type, np.ufunc)


def scope_of(b: Builder, target: Local) -> Mapping[str, Thing]:
    """The names that a function defined inside the function sees now."""
    if not target.own:
        return target.env
    return b.env if b.outer is None else b.outer


def closure(names: tuple[str, ...], seen: Mapping[str, Thing]) -> dict[str, Thing]:
    """These names and those that the functions among them read, with what they stand for."""
    found: dict[str, Thing] = {}
    todo = list(names)
    while todo:
        name = todo.pop(0)
        if name in found or name not in seen:
            continue
        thing = found[name] = seen[name]
        if isinstance(thing, Local) and thing.own:
            todo += thing.names
    return found


def comes_back(target: Local, seen: Mapping[str, Thing]) -> bool:
    """Does a function call itself, directly or through others of its scope?"""
    around = closure(target.names, seen).values()
    return any(isinstance(t, Local) and t.node is target.node for t in around)


def is_function(thing: Thing) -> bool:
    """Is it a function, or a structure of nothing but functions?"""
    if isinstance(thing, Seq):
        return bool(thing.items) and all(map(is_function, thing.items))
    if isinstance(thing, Map):
        return bool(thing.items) and all(map(is_function, thing.items.values()))
    if isinstance(thing, Known):  # one that holds objects of its own is passed as it is
        return isinstance(thing.obj, _PLAIN) or seen_through(thing.obj) is not None
    return isinstance(thing, (Local, Partial, Chosen))


def reads(tree: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda) -> set[str]:
    """All names that a function's own code has a meaning for."""
    return free_names(tree) | local_names(tree)


@dataclass
class Handed:
    """What functions hold that are handed to another one, as parameters of that one.

    ``taken`` are names of its own; ``passed`` is what the call passes under each new name.
    """

    b: Builder
    taken: set[str]
    node: gast.AST
    passed: dict[str, Thing] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)
    scopes: dict[int, dict[str, Thing]] = field(default_factory=dict)

    def parameter(self, thing: Thing, want: str) -> Thing:
        """A parameter for one thing, named like it."""
        for name, known in self.passed.items():
            if known is thing:
                return self.things[name]
        name, k = want, 1
        while name in self.taken or name in self.passed:
            k += 1
            name = f"{want}{k}"
        self.passed[name] = thing
        self.things[name] = as_parameter(thing, name, self.node)
        return self.things[name]

    def open(self, thing: Thing, want: str) -> Thing:
        """The function as the other one sees it."""
        if isinstance(thing, Known):
            return Known(thing.obj)
        if isinstance(thing, Seq):
            items = (self.open(t, f"{want}{k}") for k, t in enumerate(thing.items))
            return replace(thing, items=tuple(items))
        if isinstance(thing, Map):
            return replace(thing, items={k: self.open(t, want) for k, t in thing.items.items()})
        if isinstance(thing, Chosen):
            test = self.parameter(thing.test, f"{want}_chosen")
            sides = self.open(thing.then, want), self.open(thing.orelse, want)
            return Chosen(test, *sides)  # type: ignore[arg-type]
        if isinstance(thing, Partial):
            args = (self.held(t, f"{want}{k}") for k, t in enumerate(thing.args))
            keywords = {k: self.held(t, k) for k, t in thing.keywords.items()}
            return Partial(self.open(thing.function, want), tuple(args), keywords)
        if isinstance(thing, Local):
            return self.local(thing)
        raise Unsupported(self.node, f"{describe(thing)} passed to a function", "it is not known")

    def held(self, thing: Thing, want: str) -> Thing:
        """What a function holds: another function, or a value."""
        return self.open(thing, want) if is_function(thing) else self.parameter(thing, want)

    def local(self, target: Local) -> Local:
        """A def or lambda that sees parameters of the other function in place of its own names."""
        seen = scope_of(self.b, target)
        known = self.scopes.get(id(seen))
        env = self.scopes[id(seen)] = {} if known is None else known
        defaults = {p: self.held(t, p) for p, t in target.defaults.items()}
        made = replace(target, env=env, own=False, defaults=defaults)
        for name, thing in closure(target.names, seen).items():
            if name in env:
                continue
            if isinstance(thing, Local) and thing.node is target.node:
                env[name] = made
            else:
                env[name] = Known(None)  # a function that comes back to this one finds it there
                env[name] = self.held(thing, name)
        return made
