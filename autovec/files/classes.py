"""A file's classes, built again from their text: fields and functions, nothing of it run."""

from __future__ import annotations

import ast
import collections
import dataclasses
import enum
import keyword
from collections.abc import Callable
from typing import Any

from autovec.files.meaning import Doubt

Value = Callable[[ast.expr], Any]  # the value of a constant expression, or a Doubt
Names = Callable[[ast.expr], str | None]

_ENUMS = {"enum.Enum": enum.Enum, "enum.IntEnum": enum.IntEnum, "enum.StrEnum": enum.StrEnum}
_FIELD_TYPES = {"float": float, "int": int, "bool": bool, "str": str, "complex": complex}


def namedtuple_of(call: ast.Call, name: str, value: Value) -> Any:
    """The class that `namedtuple("Gains", "kp ki")` makes, called as it is bound.

    >>> call = ast.parse("namedtuple('G', 'kp ki')", mode="eval").body
    >>> namedtuple_of(call, "Gains", lambda node: node.value)._fields
    ('kp', 'ki')
    """
    fields = value(call.args[1]) if len(call.args) == 2 else None
    options = {k.arg: value(k.value) for k in call.keywords if k.arg}
    fields = options.pop("field_names", fields)
    names = fields.replace(",", " ").split() if isinstance(fields, str) else fields
    if isinstance(fields, Doubt) or not isinstance(names, (list, tuple)):
        return Doubt(name, f"the fields of {name} are computed when the file runs")
    defaults = options.get("defaults")
    if isinstance(defaults, Doubt) or set(options) - {"defaults", "module"}:
        return Doubt(name, f"{name} is made with options that are not followed")
    return _namedtuple(name, list(names), list(defaults or ()))


def class_of(node: ast.ClassDef, value: Value, qualified: Names, base_of: Value) -> Any:
    """A class like the one that a `class` statement makes; the caller adds its functions."""
    bases = [qualified(base) for base in node.bases]
    fields = [
        s for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
    ]
    names = [s.target.id for s in fields if isinstance(s.target, ast.Name)]
    if any(qualified(d) != "dataclasses.dataclass" for d in map(_called, node.decorator_list)):
        return Doubt(node.name, f"{node.name} is decorated")
    if node.keywords:
        return Doubt(node.name, f"{node.name} has a metaclass or options")
    if "typing.NamedTuple" in bases:
        given = [value(s.value) for s in fields if s.value is not None]
        return _namedtuple(node.name, names, given)
    if node.decorator_list:
        return _dataclass(node, fields, value, qualified)
    for base in bases:
        if base in _ENUMS:
            return _enum(node, _ENUMS[base], value)
    found = [base_of(base) for base in node.bases]
    if any(not isinstance(base, type) for base in found):
        return Doubt(node.name, f"a base of {node.name} is not known")
    try:
        return type(node.name, tuple(found), {"__module__": "file"})
    except TypeError as error:
        return Doubt(node.name, str(error))


def _called(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def _namedtuple(name: str, names: list[Any], defaults: list[Any]) -> Any:
    try:
        return collections.namedtuple(name, names, defaults=defaults)
    except (TypeError, ValueError) as error:
        return Doubt(name, str(error))


def _default(node: ast.expr, qualified: Names) -> ast.expr | None:
    """The default that a field's value gives, alone or as `field(default=...)`."""
    if not isinstance(node, ast.Call) or qualified(node.func) != "dataclasses.field":
        return node
    said = {k.arg: k.value for k in node.keywords}
    if {"init", "kw_only", "default_factory"} & set(said):
        return node  # a call, which is no constant
    return said.get("default")


def _dataclass(
    node: ast.ClassDef, fields: list[ast.AnnAssign], value: Value, qualified: Names
) -> Any:
    """A dataclass of the same fields and defaults."""
    if any(isinstance(s, ast.FunctionDef) and s.name == "__init__" for s in node.body):
        return Doubt(node.name, f"{node.name} has an __init__ of its own")
    if node.bases:
        return Doubt(node.name, f"the fields of {node.name} are those of its bases, too")
    specs: list[Any] = []
    for field in fields:
        assert isinstance(field.target, ast.Name)
        spec: tuple[Any, ...] = (field.target.id, annotated_type(field.annotation) or object)
        if field.value is not None:
            given = _default(field.value, qualified)
            default = None if given is None else value(given)
            if not isinstance(default, (bool, int, float, complex, str, tuple, type(None))):
                return Doubt(node.name, f"a default of {node.name} is computed when the file runs")
            if given is not None:
                spec += (dataclasses.field(default=default),)
        specs.append(spec)
    options: dict[str, Any] = {}
    for decorator in node.decorator_list:
        for k in getattr(decorator, "keywords", ()):
            options[k.arg] = value(k.value)
    known = {"frozen", "slots", "eq", "order", "kw_only", "repr", "unsafe_hash"}
    if not set(options) <= known or any(isinstance(v, Doubt) for v in options.values()):
        return Doubt(node.name, f"{node.name} is made with options that are not followed")
    options["slots"] = False
    try:
        return dataclasses.make_dataclass(node.name, specs, **options)
    except (TypeError, ValueError) as error:
        return Doubt(node.name, str(error))


def annotated_type(annotation: ast.expr | None) -> type | None:
    """The builtin scalar type that an annotation names."""
    text = getattr(annotation, "value", None) or getattr(annotation, "id", None)
    return _FIELD_TYPES.get(text) if isinstance(text, str) else None


def _enum(node: ast.ClassDef, base: Any, value: Value) -> Any:
    members: list[tuple[str, Any]] = []
    for statement in node.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            found = value(statement.value)
            if isinstance(found, Doubt):
                return Doubt(node.name, f"the values of {node.name} are not literals")
            members.append((statement.targets[0].id, found))
    members = [(n, v) for n, v in members if n[0] != "_" and not keyword.iskeyword(n)]
    try:
        return base(node.name, members, module="file")
    except (TypeError, ValueError) as error:
        return Doubt(node.name, str(error))
