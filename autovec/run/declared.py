"""What a function's annotations and defaults say of its arguments, before there is a call."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from autovec.errors import AutovecError
from autovec.program.facts import Uniform, Varying
from autovec.program.unknown import UNDECLARED
from autovec.run.prepare import Mode
from autovec.run.target import Parameters, Target

_BY_NAME = {"float": float, "int": int, "bool": bool, "str": str, "complex": complex}


def declared(
    target: Target, function: types.FunctionType, lead: tuple[object, ...], mode: Mode
) -> dict[str, Any]:
    """Facts for every parameter: annotated scalars by their type, others of no known dtype.

    A parameter with a default is uniform, as in a call that leaves it out; `lead` is what a bound
    method gives.
    """
    p = Parameters.of(function)
    lead = (*target.lead, *lead)
    first = dict(zip(p.positional, lead, strict=False))
    given = {**p.defaults(function), **first, **target.preset}
    params: dict[str, Any] = {}
    for position, name in enumerate(p.positional):
        params[name] = _fact(function, name, position - len(lead), given, mode)
    if p.varargs is not None:
        params[p.varargs] = ()
    for name in p.keyword_only:
        params[name] = _fact(function, name, None, given, mode)
    if p.varkw is not None:
        params[p.varkw] = {}
    return params


def _fact(
    function: types.FunctionType,
    name: str,
    position: int | None,
    given: Mapping[str, object],
    mode: Mode,
) -> Varying | Uniform:
    if name in given:
        return Uniform(given[name])
    scalar = _annotated(function, name)
    if mode.maps(name, position, len(Parameters.of(function).positional)):
        return Varying(UNDECLARED if scalar is None else np.dtype(scalar))
    if scalar is None:
        raise AutovecError(
            f"the text of {function.__qualname__} depends on its uniform argument {name}: "
            "call the function once, or use .emit(...) with arguments"
        )
    return Uniform(scalar(1))


def _annotated(function: types.FunctionType, name: str) -> Any:
    """The scalar type that a parameter is annotated with."""
    try:
        annotation = function.__annotations__.get(name)
    except NameError:  # annotations are evaluated late, and this one cannot be
        return None
    if isinstance(annotation, str):
        annotation = _BY_NAME.get(annotation.strip())
    known = (*_BY_NAME.values(), *np.sctypeDict.values())
    return annotation if isinstance(annotation, type) and annotation in known else None
