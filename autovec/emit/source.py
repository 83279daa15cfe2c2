"""The standalone text: imports, constants, helpers, twins, and the batched def with its header."""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
import types
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.emit.comments import WIDTH, cleaned
from autovec.emit.printer import to_text
from autovec.emit.world import (
    Definitions,
    World,
    definitions,
    import_block,
    names_of,
    printable,
    with_parameters,
    world_of,
)
from autovec.lower.program import Lowered, varying
from autovec.ops import prelude
from autovec.program.functions import Program
from autovec.program.scope import Owner
from autovec.syntax import quote
from autovec.syntax.build import import_module
from autovec.syntax.names import HIDDEN
from autovec.syntax.parse import parse_file
from autovec.syntax.visit import free_names, replace_names
from autovec.syntax.walking import updated


@dataclass(frozen=True)
class Twin:
    """The def of a helper's twin, the user's function, and whether anything in it varies.

    ``renamed``: what the def calls objects that another function of the text has a name for.
    """

    tree: gast.FunctionDef
    owner: Owner
    varying: bool
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def fn(self) -> types.FunctionType | None:
        """The user's function, while it lives."""
        return None if self.owner is None else self.owner()


@dataclass(frozen=True)
class Parts:
    """A unit's text in pieces, to be put into a file: the modules it names, helpers, twins, def."""

    modules: tuple[str, ...]
    helpers: tuple[gast.FunctionDef, ...]
    twins: tuple[Twin, ...]
    main: gast.FunctionDef

    @property
    def imports(self) -> list[gast.stmt]:
        """The statements that import the modules."""
        return [
            quote.stmt("import numpy as np") if n == "np" else import_module(n)
            for n in self.modules
        ]

    def statements(self, world: Definitions) -> list[gast.stmt]:
        """The whole text, with these definitions of the user's objects."""
        twins: list[gast.stmt] = [t.tree for t in self.twins]
        main = with_parameters(self.main, world.handed)
        if any(free_names(t) & set(world.handed) for t in twins):  # parameters are seen inside only
            k = int(isinstance(main.body[0], gast.Expr))
            main = updated(main, body=[*main.body[:k], *twins, *main.body[k:]])
            twins = []
        named = set[str]().union(*map(free_names, world.constants))
        ours = [quote.stmt("import numpy as np")] if "np" in named else []
        imports = import_block([*self.imports, *ours, *world.imports])
        return [*imports, *world.constants, *self.helpers, *twins, main]


@dataclass(frozen=True, eq=False)
class Text:
    """A unit's text as run, where the user's own objects are looked up live, and as shown."""

    run: str
    parts: Parts
    world: World
    printed: dict[str, str] = field(default_factory=dict)

    def shown(self, fn: types.FunctionType) -> str:
        """The text that stands alone, with what the names of this function are bound to now."""
        made = definitions({name: own.find(fn) for name, own in self.world.items()})
        key = to_text([*import_block(made.imports), *made.constants]) + repr(made.handed)
        if key not in self.printed:
            self.printed.clear()
            self.printed[key] = to_text(self.parts.statements(made))
        return self.printed[key]


def assemble(
    programs: list[tuple[Program, Lowered]],
    used: set[str],
    renames: Mapping[str, str],
) -> Text:
    """A unit's text; the user's function is the last program, ``used`` helpers it may call."""
    *below, (main, _) = programs
    headers = [*(docstring(p) for p, _ in below), header_lines(main)]
    defs = [definition(p, low, head) for (p, low), head in zip(programs, headers, strict=True)]
    names = names_of(defs)
    called = {h for h in used if renames.get(h, h) in names}
    helpers = [helper_tree(h, renames) for h in prelude.closure(called)]
    own = {*(p.name for p, _ in programs), *(tree.name for tree in helpers)}
    world, renamed = world_of([p for p, _ in programs], defs, own)
    defs = [replace_names(d, r) if r else d for d, r in zip(defs, renamed, strict=True)]
    defs, kept = without_repeats(defs)
    names |= names_of(helpers)
    modules: list[str] = [n for n in ("cmath", "math", "operator") if n in names]
    modules += ["np"] if "np" in names or not modules else []
    twins = [
        Twin(tree, None if p.fn is None else weakref.ref(p.fn), bool(varying(p)), r)
        for (p, _), tree, r, keep in zip(below, defs[:-1], renamed[:-1], kept[:-1], strict=True)
        if keep
    ]
    parts = Parts(tuple(modules), tuple(helpers), tuple(twins), defs[-1])
    return Text(to_text(parts.statements(Definitions())), parts, world)


def without_repeats(
    defs: list[gast.FunctionDef],
) -> tuple[list[gast.FunctionDef], list[bool]]:
    """The defs, each calling the first of those that are the same but for the name; which are kept.

    >>> twins = [_helper(f"def {name}(x):\\n    return x + 1\\n") for name in ("f", "f2")]
    >>> main = _helper("def g(x):\\n    return f(x) * f2(x)\\n")
    >>> made, kept = without_repeats([*twins, main])
    >>> from autovec.syntax.convert import text_of
    >>> print(text_of(made[-1]), kept)
    def g(x):
        return f(x) * f(x) [True, False, True]
    """
    repeats: dict[str, str] = {}
    found = -1
    while found != len(repeats):  # what calls a repeat may then be one itself
        found = len(repeats)
        first: dict[str, str] = {}
        made: list[gast.FunctionDef] = []
        for written in defs:
            others = {name: new for name, new in repeats.items() if name != written.name}
            tree = replace_names(written, others) if others else written
            made.append(tree)
            if written.name not in repeats:
                alone = replace_names(tree, {tree.name: HIDDEN}) if calls_itself(tree) else tree
                same = gast.dump(updated(alone, name="_"))
                if first.setdefault(same, tree.name) != tree.name:
                    repeats[tree.name] = first[same]
    return made, [tree.name not in repeats for tree in made]


def calls_itself(tree: gast.FunctionDef) -> bool:
    """Does a def read its own name?"""
    return any(isinstance(n, gast.Name) and n.id == tree.name for n in gast.walk(tree))


@functools.cache
def _helper(text: str) -> gast.FunctionDef:
    tree = parse_file(text, "<helper>").body[0]
    assert isinstance(tree, gast.FunctionDef)
    return tree


def helper_tree(name: str, renames: Mapping[str, str]) -> gast.FunctionDef:
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
                holes[f"{HIDDEN}{k}"] = expr
                default = f"={HIDDEN}{k}"
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
    holes[HIDDEN] = body
    made = quote.stmt(f"def {program.name}({', '.join(pieces)}):\n    {HIDDEN}", **holes)
    assert isinstance(made, gast.FunctionDef)
    return made


def docstring(program: Program) -> list[str]:
    """The user's own docstring, line by line; none where there is none."""
    tree = program.source.tree
    first = tree.body[0] if isinstance(tree, gast.FunctionDef) else None
    if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant):
        value = first.value.value
        return cleaned(value).split("\n") if isinstance(value, str) else []
    return []


def header_lines(program: Program) -> list[str]:
    """What the text is, which arguments are batched, which are shared."""
    batched = varying(program)
    shared = [n for n in program.things if n not in batched]
    arrays = [n for n in batched if n not in program.columns]
    tables = [f"{name} ({what})" for name, what in program.tables.items()]
    own = docstring(program)
    plain = f"{program.name} for whole arrays: one sample a position."
    if tables:
        plain = f"{program.name} for all rows of a table at once."
    lines = [own[0] if own else plain, ""]
    if tables:
        lines += wrapped(f"Rows: {', '.join(tables)}.")
    if arrays:
        over = "arrays that broadcast" if program.layout == "broadcast" else "axis 0"
        if program.levels > 1:
            over = f"the first {program.levels} axes, which broadcast"
        lines += wrapped(f"Batched: {', '.join(arrays)} ({over}).")
    if shared:
        lines += wrapped(f"Shared: {', '.join(shared)}.")
    return lines if len(lines) > 2 else lines[:1]


def wrapped(line: str) -> list[str]:
    """A line of a docstring in the text's width."""
    return textwrap.wrap(line, WIDTH - 4, subsequent_indent="    ", break_long_words=False)
