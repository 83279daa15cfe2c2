"""The standalone text: imports, constants, helpers, twins, and the batched def with its header."""

from __future__ import annotations

import builtins
import enum
import functools
import inspect
import math
import re
import sys
import types
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import gast
import numpy as np

from autovec.emit.printer import to_text
from autovec.lower.program import Lowered, varying
from autovec.ops import prelude
from autovec.program.functions import Program
from autovec.program.nodes import Return, walk
from autovec.program.scope import is_missing, is_namedtuple_class, is_plain_dataclass, resolve_root
from autovec.program.things import Map, Record, Seq, Thing
from autovec.syntax import quote
from autovec.syntax.build import dict_display, import_module
from autovec.syntax.parse import parse_file
from autovec.syntax.visit import free_names
from autovec.syntax.walking import updated

MODULES = {"np": "numpy", "math": "math", "cmath": "cmath", "operator": "operator"}
#: constants with more items than this are handed in, not printed
_MAX_ITEMS = 200


@dataclass(frozen=True)
class Twin:
    """The def of a helper's twin, the user's function, and whether anything in it varies."""

    tree: gast.FunctionDef
    fn: types.FunctionType | None
    varying: bool


@dataclass(frozen=True)
class Parts:
    """A unit's text in pieces, to be put into a file: the modules it names, helpers, twins, def."""

    modules: tuple[str, ...]
    helpers: tuple[gast.FunctionDef, ...]
    twins: tuple[Twin, ...]
    main: gast.FunctionDef


@dataclass(frozen=True)
class Text:
    """A unit's text as shown, and as run: there the user's own objects are looked up live."""

    shown: str
    run: str
    free: tuple[str, ...]
    parts: Parts


def assemble(
    programs: list[tuple[Program, Lowered]],
    header: list[str],
    used: set[str],
    renames: dict[str, str],
) -> Text:
    """A unit's text; the user's function is the last program, ``used`` the helpers it calls."""
    defs = [
        definition(p, low, header if k + 1 == len(programs) else [])
        for k, (p, low) in enumerate(programs)
    ]
    names = names_of(defs)
    own = {p.name for p, _ in programs}
    helper_trees = [helper_tree(h, renames) for h in prelude.closure(used)]
    helpers = [tree.name for tree in helper_trees]
    names |= names_of(helper_trees)
    modules = [n for n in ("cmath", "math", "operator") if n in names]
    modules += ["np"] if "np" in names or not modules else []
    imports = [_import(n) for n in modules]
    world = used_names(programs, defs, own | set(helpers))
    constants, handed = constant_statements(world)
    shown_defs = [*defs[:-1], with_parameters(defs[-1], handed)]
    run = to_text([*imports, *helper_trees, *defs])
    shown = to_text([*imports, *constants, *helper_trees, *shown_defs])
    twins = [
        Twin(tree, p.fn, bool(varying(p)))
        for (p, _), tree in zip(programs[:-1], defs[:-1], strict=True)
    ]
    parts = Parts(tuple(modules), tuple(helper_trees), tuple(twins), defs[-1])
    return Text(shown, run, tuple(sorted(world)), parts)


def _import(name: str) -> gast.stmt:
    if name == "np":
        return quote.stmt("import numpy as np")
    return import_module(name)


def names_of(trees: Iterable[gast.AST]) -> set[str]:
    """Every name that stands in these trees."""
    return {n.id for tree in trees for n in gast.walk(tree) if isinstance(n, gast.Name)}


@functools.cache
def _helper(text: str) -> gast.FunctionDef:
    tree = parse_file(text, "<helper>").body[0]
    assert isinstance(tree, gast.FunctionDef)
    return tree


def helper_tree(name: str, renames: dict[str, str]) -> gast.FunctionDef:
    """A helper's def, under another name where the user has something of its name."""
    text = prelude.text(name)
    for old, new in renames.items():
        text = re.sub(rf"(?<![\w.]){old}\(", f"{new}(", text)
    return _helper(text)


# ---------------------------------------------------------------- the def
def definition(program: Program, lowered: Lowered, header: list[str]) -> gast.FunctionDef:
    """A program's def: the user's signature, a docstring, the lowered body."""
    holes: dict[str, Any] = {}
    pieces: list[str] = []
    kinds = inspect.Parameter
    star = slash = False
    parameters = program.parameters
    for k, p in enumerate(parameters):
        if p.kind is kinds.KEYWORD_ONLY and not star:
            pieces.append("*")
            star = True
        default = ""
        if p.default is not p.empty:
            expr = printable(p.default)
            if expr is not None:
                holes[f"default_{k}"] = expr
                default = f"=default_{k}"
            else:
                default = "=None"
        prefix = "*" if p.kind is kinds.VAR_POSITIONAL else ""
        prefix = "**" if p.kind is kinds.VAR_KEYWORD else prefix
        star = star or p.kind is kinds.VAR_POSITIONAL
        pieces.append(f"{prefix}{p.name}{default}")
        following = parameters[k + 1].kind if k + 1 < len(parameters) else None
        if p.kind is kinds.POSITIONAL_ONLY and following is not kinds.POSITIONAL_ONLY and not slash:
            pieces.append("/")
            slash = True
    doc = [quote.stmt("text", text=quote.const("\n".join(header)))] if header else []
    body = [*doc, *lowered.body] or [gast.Pass()]
    template = f"def {program.name}({', '.join(pieces)}):\n    body"
    made = quote.stmt(template, body=body, **holes)
    assert isinstance(made, gast.FunctionDef)
    return made


def header_lines(program: Program, first_line: str) -> list[str]:
    """What the text is, which arguments are batched, which are shared."""
    batched = varying(program)
    shared = [n for n in program.things if n not in batched]
    lines = [first_line, ""]
    if batched:
        over = "arrays that broadcast" if program.layout == "broadcast" else "axis 0"
        lines.append(f"Batched: {', '.join(batched)} ({over}).")
    if shared:
        lines.append(f"Shared: {', '.join(shared)}.")
    return lines if len(lines) > 2 else lines[:1]


# ---------------------------------------------------------------- the user's objects
def used_names(
    programs: list[tuple[Program, Lowered]], defs: list[gast.FunctionDef], own: set[str]
) -> dict[str, Any]:
    """The user's own objects that the defs read by name."""
    found: dict[str, Any] = {}
    for (program, _), tree in zip(programs, defs, strict=True):
        classes = result_classes(program)
        for name in sorted(free_names(tree)):
            if name in own or name in found or (name in MODULES and name not in program.locals):
                continue
            if name in classes:
                found[name] = classes[name]
                continue
            obj = resolve_root(program.fn, name)
            if obj is getattr(builtins, name, None) and obj is not None:
                continue
            if not is_missing(obj):
                found[name] = obj
    return found


def result_classes(program: Program) -> dict[str, type]:
    """The classes of namedtuples and dataclasses that a program makes."""
    found: dict[str, type] = {}

    def visit(thing: Thing) -> None:
        if isinstance(thing, Seq):
            if thing.cls is not None:
                found[thing.cls.__name__] = thing.cls
            for t in thing.items:
                visit(t)
        elif isinstance(thing, Record):
            found[thing.cls.__name__] = thing.cls
            for t in thing.fields.values():
                visit(t)
        elif isinstance(thing, Map):
            for t in thing.items.values():
                visit(t)

    visit(program.result)
    for node in walk(program.body):
        if isinstance(node, Return):
            visit(node.thing)
    return found


def constant_statements(world: dict[str, Any]) -> tuple[list[gast.stmt], list[str]]:
    """Definitions of the objects that can be printed, and the names of those that cannot."""
    made: list[gast.stmt] = []
    handed: list[str] = []
    for name, obj in world.items():
        if isinstance(obj, types.ModuleType):
            root = obj.__name__.partition(".")[0]
            if root in sys.stdlib_module_names:
                made.append(import_module(obj.__name__, name))
                continue
        if is_namedtuple_class(obj):
            made += quote.stmts(
                "from collections import namedtuple\nname = namedtuple(text, fields)",
                name=name, text=quote.const(obj.__name__), fields=printable(obj._fields),
            )  # fmt: skip
            continue
        if is_plain_dataclass(obj):
            lines = "\n".join(f"    {f.name}: object" for f in fields(obj))
            made += quote.stmts(
                f"from dataclasses import dataclass\n@dataclass\nclass {name}:\n{lines}"
            )
            continue
        expr = printable(obj)
        if expr is None:
            handed.append(name)
        else:
            made.append(quote.stmt("name = value", name=name, value=expr))
    return made, handed


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
