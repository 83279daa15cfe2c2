"""The arguments of a helper's call: what the call passes, what the helper's twin sees."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field

import gast

from autovec.program.closures import Handed, is_function
from autovec.program.parameters import as_parameter, uniform_parameter
from autovec.program.things import Map, Seq, Thing

_BY_NAME = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)


@dataclass
class Arguments:
    """One call: ``passed`` under ``names`` (None by position), and the same ``whole`` by parameter.

    ``things`` are the parameters of the twin, ``functions`` arguments that it does not get: it is
    made for them. ``env`` is what the helper's code sees.
    """

    node: gast.AST
    passed: list[Thing] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    places: list[str] = field(default_factory=list)  # the parameter that each goes to
    whole: dict[str, Thing] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)
    functions: dict[str, Thing] = field(default_factory=dict)
    parameters: list[inspect.Parameter] = field(default_factory=list)
    env: dict[str, Thing] = field(default_factory=dict)
    skipped: bool = False

    def add(self, parameter: inspect.Parameter, given: object) -> None:
        """The argument of one parameter: a thing, several, or None where its default holds."""
        name = parameter.name
        thing: Thing = Seq(given) if isinstance(given, tuple) else given  # type: ignore[assignment]
        if isinstance(given, dict):
            thing = Map(dict(given))
        if given is None:
            default = _default(parameter, name)
            if is_function(default):
                self.functions[name] = default
                return
            self.skipped = True
            self.env[name] = self.things[name] = default
            self.parameters.append(parameter)
            return
        if is_function(thing):
            self.functions[name] = thing
            return
        self.parameters.append(parameter)
        if parameter.kind is parameter.VAR_POSITIONAL:
            assert isinstance(thing, Seq)
            self.passed += thing.items
            self.names += [None] * len(thing.items)
            self.places += [""] * len(thing.items)
        elif parameter.kind is parameter.VAR_KEYWORD:
            assert isinstance(thing, Map)
            self.passed += thing.items.values()
            self.names += thing.items
            self.places += [""] * len(thing.items)
        else:
            by_name = parameter.kind is parameter.KEYWORD_ONLY or self.skipped
            self.passed.append(thing)
            self.names.append(name if by_name else None)
            self.places.append(name)
        self.whole[name] = thing
        self.env[name] = self.things[name] = as_parameter(thing, name, self.node)

    def hand_on(self, handed: Handed) -> None:
        """What the functions hold that the helper is given becomes more parameters."""
        for name, thing in self.functions.items():
            self.env[name] = handed.open(thing, name)
        self.passed += handed.passed.values()
        self.names += handed.passed
        self.places += [""] * len(handed.passed)
        self.whole |= handed.passed
        self.things |= handed.things
        plain = all(
            p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD for p in self.parameters
        )
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if plain else inspect.Parameter.KEYWORD_ONLY
        k = sum(p.kind not in _BY_NAME for p in self.parameters)
        self.parameters[k:k] = [inspect.Parameter(name, kind) for name in handed.things]


def _default(parameter: inspect.Parameter, name: str) -> Thing:
    """What a parameter is that a call does not give."""
    if parameter.kind is parameter.VAR_POSITIONAL:
        return Seq(())
    if parameter.kind is parameter.VAR_KEYWORD:
        return Map({})
    return uniform_parameter(parameter.default, name)
