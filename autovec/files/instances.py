"""Objects that are the same for every sample: stand-ins with attributes of the declared types."""

from __future__ import annotations

import ast
import dataclasses
import enum
from collections.abc import Iterator
from typing import Any

from autovec.files.annotations import declared_by
from autovec.files.constants import OPAQUE, UNDECLARED_VALUE
from autovec.files.evidence import Found
from autovec.files.meaning import Doubt
from autovec.files.scopes import FUNCTIONS, Scope
from autovec.files.shared import by_use
from autovec.files.world import World
from autovec.syntax.scope import mangled

_KINDS: dict[str, Any] = {"f": OPAQUE[float], "i": OPAQUE[int], "b": True, "U": OPAQUE[str]}


def instance_of(node: ast.ClassDef, world: World) -> Any:
    """An object of a class of the file, whose attributes have the types that the text says.

    They are declared in the class (`k: float`), in `__init__` (`self.k: float = ...`), or given by
    a constant or a parameter. Others are doubts, which stop what reads them.
    """
    cls = world.value(node.name, world.scopes.around[node])
    if isinstance(cls, Doubt):
        return cls
    if not isinstance(cls, type) or issubclass(cls, (enum.Enum, BaseException)):
        return Doubt(node.name, f"what an object of {node.name} holds is not known")
    declared = dict(_declared(node, world.scopes.inside[node]))
    if hasattr(cls, "_fields"):
        missing = Doubt(node.name, f"a field of {node.name} has no declared type")
        return cls(*(declared.get(name, missing) for name in cls._fields))
    given: dict[str, list[Any]] = {}
    for name, value in _assigned(node, world):
        given.setdefault(name, []).append(value)
    attributes = {name: _agreed(name, values, node) for name, values in given.items()}
    fields = [f.name for f in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else []
    made: Any = cls.__new__(cls)
    for name in [*fields, *attributes]:
        if name.startswith("__") and name.endswith("__"):
            continue  # Python's own: __dict__, __class__
        doubt = Doubt(name, f"the type of {node.name}.{name} is not declared")
        value = declared.get(name, attributes.get(name, doubt))
        object.__setattr__(made, mangled(name, node.name), value)
    return made


def _agreed(name: str, values: list[Any], node: ast.ClassDef) -> Any:
    """What stands for an attribute that is given all these values, and used as a class uses it."""
    kinds = {type(value) for value in values}
    if len(kinds) != 1 or values[0] is None:
        return Doubt(name, f"the type of {node.name}.{name} is not declared")
    if values[0] is UNDECLARED_VALUE:
        return by_use(name, [node], lambda n: isinstance(n, ast.Attribute) and n.attr == name)
    return values[0]


def _declared(node: ast.ClassDef, scope: Scope) -> Iterator[tuple[str, Any]]:
    """Attributes declared in the class's own body."""
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            value = of_type(statement.annotation, scope)
            if value is not None:
                yield statement.target.id, value


def _assigned(node: ast.ClassDef, world: World) -> Iterator[tuple[str, Any]]:
    """Attributes that methods give to their first parameter."""
    for method in node.body:
        if not isinstance(method, FUNCTIONS):
            continue
        own = [*method.args.posonlyargs, *method.args.args][:1]
        scope = world.scopes.inside[method]
        for statement in ast.walk(method):
            targets: list[Any] = []
            if isinstance(statement, ast.Assign):
                targets = statement.targets
            elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
                targets = [statement.target]
            for target in targets:
                owner = getattr(getattr(target, "value", None), "id", None)
                if isinstance(target, ast.Attribute) and own and owner == own[0].arg:
                    yield target.attr, _value(statement, scope, world)


def _value(statement: Any, scope: Scope, world: World) -> Any:
    if isinstance(statement, ast.AnnAssign):
        found = of_type(statement.annotation, scope)
        if found is not None:
            return found
    if isinstance(statement, ast.AugAssign) or statement.value is None:
        return Doubt("it", "the type of this attribute is not declared")
    value = world.constant(statement.value, scope, statement)
    return OPAQUE.get(type(value), value)


def of_type(annotation: ast.expr | None, scope: Scope) -> Any:
    """A stand-in for a scalar of an annotated type; None where it is not one."""
    declared = declared_by(annotation, scope)
    if declared.dtype is None or declared.array:
        return None
    return _KINDS.get(declared.dtype.kind) or declared.dtype.type(1)


def record_of(name: str, uses: tuple[Found, ...]) -> Any:
    """An object of which only attributes are read, each taken to be a number.

    >>> node = ast.parse("gains.kp", mode="eval").body
    >>> record_of("gains", (Found("object", node),)).kp
    1.5
    """
    found = [use.node.attr for use in uses if isinstance(use.node, ast.Attribute)]
    attributes = dict.fromkeys(found, UNDECLARED_VALUE)
    made = type(name, (), {"__module__": "file"})()
    vars(made).update(attributes)
    return made
