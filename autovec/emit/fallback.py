"""The text of a function that could not be vectorised: the function itself, and one visible loop over samples.

The text stands alone like any other: it carries the constants, helpers and imports that the function reads.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Mapping
from typing import Any

import gast

from autovec.emit.printer import to_text
from autovec.emit.source import constant_statements, helper_tree
from autovec.errors import AutovecError, Problem
from autovec.ops import prelude
from autovec.program.facts import PYTHON_DTYPES, Varying
from autovec.program.scope import is_missing, resolve_root
from autovec.syntax import quote
from autovec.syntax.parse import Source, source_of
from autovec.syntax.visit import free_names, replace_names
from autovec.syntax.walking import updated

#: helper functions of the user's that a looping text carries along, at most
_MOST_HELPERS = 40


def fallback_text(
    fn: types.FunctionType,
    source: Source,
    problem: Problem,
    params: Mapping[str, Any],
    layout: str,
    name: str,
) -> str:
    """The user's function, then a def that calls it a lane at a time, with the reason as a comment."""
    sample = f"{name}_sample"
    world: dict[str, Any] = {}
    helpers: dict[str, gast.stmt] = {}
    one = renamed(source.tree, sample, fn.__name__)
    collect(fn, one, world, helpers, {sample})
    constants, handed = constant_statements(world)
    loop = batched(fn, source, problem, params, layout, name, sample)
    inner = [*helpers.values(), one] if handed else []
    if handed:  # objects that cannot be printed are parameters: what reads them stands inside
        extra = [quote.in_context(quote.name(n), gast.Param()) for n in handed]
        args = updated(
            loop.args,
            kwonlyargs=[*loop.args.kwonlyargs, *extra],
            kw_defaults=[*loop.args.kw_defaults, *([None] * len(extra))],
        )
        loop = updated(loop, args=args, body=[*inner, *loop.body])
    outer = [] if handed else [*helpers.values(), one]
    stacking = [helper_tree(h, {}) for h in prelude.closure(["stack_results"])]
    return to_text([quote.stmt("import numpy as np"), *constants, *stacking, *outer, loop])


def renamed(tree: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda, sample: str, old: str) -> gast.stmt:
    """The user's function under the name of its sample; where it calls itself, too."""
    if isinstance(tree, gast.Lambda):
        return quote.stmt("name = value", name=sample, value=tree)
    body = tree.body
    if old in free_names(tree):
        body = [replace_names(s, {old: sample}) for s in body]
    return updated(tree, name=sample, body=body, decorator_list=[], returns=None)


def collect(
    fn: types.FunctionType,
    tree: gast.AST,
    world: dict[str, Any],
    helpers: dict[str, gast.stmt],
    own: set[str],
) -> None:
    """The objects and helper functions that a tree reads, helpers before what calls them."""
    for name in sorted(free_names(tree)):
        obj = resolve_root(fn, name)
        if name in own or name in helpers or is_missing(obj) or obj is getattr(builtins, name, None):
            continue
        if isinstance(obj, types.FunctionType) and len(helpers) < _MOST_HELPERS:
            try:
                found = source_of(obj).tree
            except AutovecError:
                world[name] = obj
                continue
            inner: dict[str, gast.stmt] = {}
            collect(obj, found, world, inner, own | {name, *helpers})
            helpers.update(inner)
            helpers[name] = renamed(found, name, obj.__name__)
        else:
            world[name] = obj


def batched(
    fn: types.FunctionType,
    source: Source,
    problem: Problem,
    params: Mapping[str, Any],
    layout: str,
    name: str,
    sample: str,
) -> gast.FunctionDef:
    """The def that loops."""
    varying = {n: a for n, a in params.items() if isinstance(a, Varying)}
    why = f" ({problem.why})" if problem.why else ""
    body: list[gast.stmt] = [
        quote.comment(f"a lane at a time: {problem.what}{why}, line {problem.place.line}")
    ]
    call = quote.expr("f(*args, **keywords)", f=sample, **call_arguments(source))
    names = [quote.name(n) for n in varying]
    if not varying:
        body.append(quote.stmt("return call", call=call))
    else:
        arrays = names
        shape: gast.expr = quote.expr("(len(x),)", x=names[0])
        if layout == "broadcast":
            body.append(quote.stmt("lanes = np.broadcast_arrays(*names)", names=names))
            arrays = [quote.expr("np.ravel(lanes[k])", k=k) for k in range(len(names))]
            shape = quote.expr("lanes[0].shape")
        samples = [samples_of(a, v) for a, v in zip(arrays, varying.values(), strict=True)]
        target = names[0] if len(names) == 1 else quote.expr("(*names,)", names=names)
        over = samples[0] if len(names) == 1 else quote.expr("zip(*samples)", samples=samples)
        body += quote.stmts(
            "results = [call for target in over]\nreturn stack_results(results, shape)",
            call=call, target=target, over=over, shape=shape,
        )  # fmt: skip
    args = source.tree.args
    made = quote.stmt("def name():\n    body", name=name, body=body)
    return updated(made, args=args)


def samples_of(array: gast.expr, fact: Varying) -> gast.expr:
    """The samples of an argument: Python's scalars where the sample is one."""
    if fact.rank == 0 and (fact.dtype in PYTHON_DTYPES or fact.dtype.kind in "US"):
        return quote.expr("a.tolist()", a=array)
    return array


def call_arguments(source: Source) -> dict[str, Any]:
    """How the def hands its own parameters on."""
    a = source.tree.args
    args: list[gast.expr] = [quote.name(p.id) for p in (*a.posonlyargs, *a.args)]
    if a.vararg is not None:
        args.append(quote.expr("f(*v)", v=quote.name(a.vararg.id)).args[0])
    keywords: dict[str, Any] = {p.id: quote.name(p.id) for p in a.kwonlyargs}
    return {"args": args, "keywords": keywords}

