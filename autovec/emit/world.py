"""The user's objects that a text names: where each is found, and how its text defines it.

A name means what it means in its own function: in the closure and the globals of a helper for the
helper's twin.  Two objects of one name get two names in the text.
"""

from __future__ import annotations

import builtins
import enum
import math
import sys
import types
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.functions import Program
from autovec.program.nodes import Let, Return, walk
from autovec.program.scope import MISSING, Owner, is_missing, is_namedtuple_class, resolve_root
from autovec.program.things import Map, Record, Seq, Thing
from autovec.program.values import CallTwin
from autovec.syntax import quote
from autovec.syntax.build import dict_display, import_from, import_module
from autovec.syntax.names import Namer
from autovec.syntax.visit import free_names
from autovec.syntax.walking import updated

MODULES = {"np": "numpy", "math": "math", "cmath": "cmath", "operator": "operator"}
#: constants with more items than this are handed in, not printed
_MAX_ITEMS = 200


@dataclass(frozen=True)
class Own:
    """Where an object of the user's is found: by a name in a function's world, or a class."""

    name: str
    owner: Owner = None
    cls: type | None = None

    def find(self, fn: types.FunctionType) -> object:
        """The object as it is now, for one of the functions that the text is compiled from."""
        if self.cls is not None:
            return self.cls
        owner = fn if self.owner is None else self.owner()
        return MISSING if owner is None else resolve_root(owner, self.name)


World = Mapping[str, Own]


def world_of(
    programs: Sequence[Program], defs: Sequence[gast.FunctionDef], own: set[str]
) -> tuple[World, list[dict[str, str]]]:
    """The user's objects that the defs name, and what each def has to call them instead.

    The last program is the user's function, whose names stay as they are.
    """
    world: dict[str, Own] = {}
    names: dict[Any, str] = {}
    namer = Namer({*own, *names_of(defs)})
    renames: list[dict[str, str]] = [{} for _ in programs]
    main = programs[-1].fn
    for k in (len(programs) - 1, *range(len(programs) - 1)):
        program, tree, renamed = programs[k], defs[k], renames[k]
        classes = result_classes(program)
        for name in sorted(free_names(tree)):
            if name in own or (name in MODULES and name not in program.locals):
                continue
            place, where = placed(program.fn, name, classes.get(name), main)
            if where is None:
                continue
            if place not in names:
                names[place] = name if name not in world else namer.fresh(name)
                world[names[place]] = where
            if names[place] != name:
                renamed[name] = names[place]
    return world, renames


def placed(
    fn: types.FunctionType, name: str, cls: type | None, main: types.FunctionType
) -> tuple[Any, Own | None]:
    """What tells a name from others, and where its object is found; None for a builtin."""
    obj = resolve_root(fn, name)
    if cls is not None:
        if not is_missing(obj) and obj is not cls:
            what = f"a {cls.__name__} in a function with another {name}"
            raise Unsupported(None, what, "the text would have one name for both")
        return ("class", cls), Own(name, cls=cls)
    if is_missing(obj) or (obj is not None and obj is getattr(builtins, name, None)):
        return None, None
    code = fn.__code__
    cell = dict(zip(code.co_freevars, fn.__closure__ or (), strict=True)).get(name)
    place = ("global", id(fn.__globals__), name) if cell is None else ("cell", id(cell))
    return place, Own(name, None if fn is main else weakref.ref(fn))


def names_of(trees: Iterable[gast.AST]) -> set[str]:
    """Every name that stands in these trees."""
    return {n.id for tree in trees for n in gast.walk(tree) if isinstance(n, gast.Name)}


def result_classes(program: Program) -> dict[str, type]:
    """The classes of namedtuples and dataclasses that a program makes."""
    found: dict[str, type] = {}

    def visit(thing: Thing) -> None:
        if isinstance(thing, Seq):
            if thing.cls is not None:
                add(thing.cls)
            for t in thing.items:
                visit(t)
        elif isinstance(thing, Record):
            add(thing.cls)
            for t in thing.fields.values():
                visit(t)
        elif isinstance(thing, Map):
            for t in thing.items.values():
                visit(t)

    def add(cls: type) -> None:
        if found.setdefault(cls.__name__, cls) is not cls:
            what = f"two classes of the name {cls.__name__}"
            raise Unsupported(None, what, "the text would have one name for both")

    visit(program.result)
    for node in walk(program.body):
        if isinstance(node, Return):
            visit(node.thing)
        elif isinstance(node, Let) and isinstance(node.value.op, CallTwin):
            for thing in node.value.op.twin.passed:
                visit(thing)
    return found


# ---------------------------------------------------------------- their definitions
@dataclass
class Definitions:
    """What stands above the defs: imports, constants; and the objects that cannot be printed."""

    imports: list[gast.stmt] = field(default_factory=list)
    constants: list[gast.stmt] = field(default_factory=list)
    handed: list[str] = field(default_factory=list)
    classes: dict[str, type] = field(default_factory=dict)

    def add(self, name: str, obj: Any) -> None:
        """Define a name of the text as an object."""
        if isinstance(obj, types.ModuleType):
            root = obj.__name__.partition(".")[0]
            if root in sys.stdlib_module_names or obj is np:
                self.imports.append(import_module(obj.__name__, name))
                return
        if isinstance(obj, type) and (is_namedtuple_class(obj) or is_dataclass(obj)):
            self.add_class(name, obj)
            return
        module = module_of(obj)
        if module is not None:
            self.imports.append(import_from(module, obj.__name__, name))
            return
        expr = printable(obj)
        if expr is None:
            self.handed.append(name)
        else:
            self.constants.append(quote.stmt("name = value", name=name, value=expr))

    def add_class(self, name: str, cls: Any) -> None:
        """A namedtuple or dataclass of the same fields."""
        if name in self.classes:
            return
        self.classes[name] = cls
        if is_namedtuple_class(cls):
            self.imports += quote.stmts("from collections import namedtuple")
            text = "name = namedtuple(text, fields)"
            made = quote.stmts(
                text, name=name, text=quote.const(cls.__name__), fields=printable(cls._fields)
            )
        else:
            self.imports += quote.stmts("from dataclasses import dataclass")
            names = [f.name for f in fields(cls)]
            lines = [f"    {n}: object" for n in names]
            own = {k: v for k, v in vars(cls).items() if k not in names and k[:2] != "__"}
            for k, v in own.items():
                if isinstance(v, (bool, int, float, str)):
                    lines.append(f"    {k} = {v!r}")
            made = quote.stmts("\n".join(["@dataclass", f"class {name}:", *lines]))
        self.constants += made


def module_of(obj: Any) -> str | None:
    """The module of the standard library that a function or class is imported from.

    >>> import itertools
    >>> module_of(itertools.product), module_of(print), module_of(3)
    ('itertools', None, None)
    """
    if type(obj) not in (types.FunctionType, types.BuiltinFunctionType, type):
        return None  # of other objects not even a name is asked
    name, module = obj.__name__, obj.__module__
    if not isinstance(module, str):
        return None
    standard = module.partition(".")[0] in sys.stdlib_module_names and module != "builtins"
    return module if standard and getattr(sys.modules.get(module), name, None) is obj else None


def definitions(objects: Mapping[str, object]) -> Definitions:
    """The definitions of these objects."""
    made = Definitions()
    for name, obj in objects.items():
        if not is_missing(obj):
            made.add(name, obj)
    return made


def import_block(statements: Iterable[gast.stmt]) -> list[gast.stmt]:
    """Imports in the order of isort, each once: the standard library first.

    >>> from autovec.syntax.convert import text_of
    >>> text = "import numpy as np\\nfrom os import path\\nimport math\\nimport math"
    >>> [text_of(s) for s in import_block(quote.stmts(text))]
    ['import math', 'from os import path', 'import numpy as np']
    """
    found: dict[Any, gast.stmt] = {}
    for s in statements:
        assert isinstance(s, (gast.Import, gast.ImportFrom))
        plain = isinstance(s, gast.Import)
        module = s.names[0].name if isinstance(s, gast.Import) else s.module or ""
        standard = module.partition(".")[0] in sys.stdlib_module_names
        names = tuple((a.name, a.asname or "") for a in s.names)
        found[not standard, not plain, module, names] = s
    return [found[key] for key in sorted(found)]


def with_parameters(tree: gast.FunctionDef, names: list[str]) -> gast.FunctionDef:
    """The def with keyword-only parameters for the objects that cannot be printed."""
    if not names:
        return tree
    extra = [quote.name(n, gast.Param()) for n in names]
    args = updated(
        tree.args,
        kwonlyargs=[*tree.args.kwonlyargs, *extra],
        kw_defaults=[*tree.args.kw_defaults, *([None] * len(extra))],
    )
    return updated(tree, args=args)


def printable(obj: Any, budget: int = _MAX_ITEMS) -> gast.expr | None:
    """An expression that makes an equal object, or None when there is none.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(printable({"a": (1, 2.5)})), printable(object())
    ("{'a': (1, 2.5)}", None)
    """
    if isinstance(obj, enum.Enum):
        return None
    if obj is None or type(obj) in (bool, int, str, complex, float, bytes):
        return quote.const(obj)
    if (
        isinstance(obj, np.generic)
        and obj.dtype.kind in "biuf"
        and not (obj.dtype.kind == "f" and not math.isfinite(obj))
    ):
        return quote.expr(f"np.{obj.dtype.name}(value)", value=quote.const(obj.item()))
    if type(obj) in (tuple, list, set, frozenset) and len(obj) <= budget:
        listed = obj if isinstance(obj, (tuple, list)) else sorted(obj, key=repr)
        items = [printable(v, budget // 4) for v in listed]
        if None in items:
            return None
        if type(obj) is frozenset or (not obj and type(obj) is set):
            return quote.expr("f([*items])", f=type(obj).__name__, items=items)
        text = {"tuple": "(*items,)", "list": "[*items]", "set": "{*items}"}[type(obj).__name__]
        return quote.expr(text, items=items)
    if type(obj) is dict and len(obj) <= budget:
        keys = [e for e in (printable(k, 8) for k in obj) if e is not None]
        values = [e for e in (printable(v, budget // 4) for v in obj.values()) if e is not None]
        return dict_display(keys, values) if len(keys) == len(values) == len(obj) else None
    if (
        isinstance(obj, np.ndarray)
        and obj.ndim == 1
        and obj.size <= budget
        and obj.dtype.kind in "biuf"
    ):
        items = [quote.const(v) for v in obj.tolist()]
        if obj.dtype in (np.dtype(float), np.dtype(int), np.dtype(bool)) and items:
            return quote.expr("np.array([*items])", items=items)
    return None
