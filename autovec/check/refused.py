"""The syntax that a function for one sample cannot have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast

from autovec.check.depth import too_deep
from autovec.errors import Problem
from autovec.syntax.parse import Source, place_of
from autovec.syntax.scope import SCOPES, bindings, same_scope
from autovec.syntax.visit import walk


@dataclass(frozen=True)
class Reason:
    """What a piece of syntax is called, why it is refused and what to write instead."""

    what: str
    why: str
    instead: str


ONE_VALUE = "a function for one sample returns one value, and its batch all of them at once"
ASYNC = Reason("this is asynchronous", ONE_VALUE, "await before the call, and use def, for, with")
YIELD = Reason(
    "yield makes this a generator",
    ONE_VALUE,
    "return the values together, as a tuple or np.array([...])",
)
WITH = Reason(
    "a with statement",
    "what it does on entry and exit would happen once a batch and not once a sample",
    "enter it outside of the function; `with np.errstate(...)` can stay",
)
REASONS: dict[type[gast.AST], Reason] = {
    gast.Yield: YIELD,
    gast.YieldFrom: YIELD,
    gast.Await: ASYNC,
    gast.AsyncFor: ASYNC,
    gast.AsyncWith: ASYNC,
    gast.AsyncFunctionDef: ASYNC,
    gast.ClassDef: Reason(
        "a class is defined here",
        "it would be another class for every sample",
        "define the class outside of the function",
    ),
    gast.TryStar: Reason(
        "except* handles groups of exceptions",
        "a sample raises one exception",
        "use except",
    ),
    gast.TypeAlias: Reason(
        "a type is named here",
        "it would be another type for every sample",
        "write the type statement outside of the function",
    ),
}


def check_function(source: Source) -> list[Problem]:
    """All that is refused in a function, in the order of the text.

    What has no syntax of its own (an unknown call, a side effect) is not judged here. The
    function's own decorators, defaults and annotations run outside of it and are not looked at.

    >>> from autovec.syntax.parse import parse_file, text_lines
    >>> text = "def f(x):\\n    yield x"
    >>> source = Source("f.py", parse_file(text, "f.py").body[0], text_lines(text), "f")
    >>> print(check_function(source)[0])
    f.py:2: yield makes this a generator
        yield x
        ^^^^^^^
      why: a function for one sample returns one value, and its batch all of them at once
      instead: return the values together, as a tuple or np.array([...])
    """
    refused = list(_refused(source.tree))
    problems = [
        Problem(place_of(source, node), reason.what, reason.why, reason.instead)
        for node, reason in refused
    ]
    problems += too_deep(source)
    return sorted(problems, key=lambda problem: (problem.place.line, problem.place.col))


def _refused(tree: Any) -> Iterator[tuple[gast.AST, Reason]]:
    if isinstance(tree, gast.AsyncFunctionDef):
        yield tree, ASYNC
    yield from _assigned_outer_names(tree)
    for node in walk(tree.body):
        reason = REASONS.get(type(node))
        if reason is not None:
            yield node, reason
        elif isinstance(node, gast.With):
            managers = [item.context_expr for item in node.items]
            yield from ((manager, WITH) for manager in managers if not _is_errstate(manager))
        elif isinstance(node, gast.comprehension) and node.is_async:
            yield node.target, ASYNC
        elif isinstance(node, gast.ImportFrom) and node.names[0].name == "*":
            yield node, _star_import(node)
        if isinstance(node, SCOPES):
            yield from _assigned_outer_names(node)


def _is_errstate(manager: gast.expr) -> bool:
    """`np.errstate(...)`, under whatever name NumPy has."""
    if not isinstance(manager, gast.Call):
        return False
    func = manager.func
    name = func.attr if isinstance(func, gast.Attribute) else getattr(func, "id", None)
    return name == "errstate"


def _star_import(node: gast.ImportFrom) -> Reason:
    return Reason(
        "this imports names that are not written here",
        "what a name means could not be known",
        f"from {'.' * (node.level or 0)}{node.module or ''} import the names that are used",
    )


def _assigned_outer_names(function: Any) -> Iterator[tuple[gast.AST, Reason]]:
    """For each name that a function declares global or nonlocal, the first place that binds it."""
    declared = {
        name: "global" if isinstance(node, gast.Global) else "nonlocal"
        for node in same_scope(function.body)
        if isinstance(node, (gast.Global, gast.Nonlocal))
        for name in node.names
    }
    for name, node in bindings(function.body):
        word = declared.pop(name, None)
        if word is not None:
            yield (
                node,
                Reason(
                    f"{name} is {word} and assigned to",
                    "each sample would see what the one before left, and they are not run in order",
                    f"return the new {name}, or make it a parameter",
                ),
            )
