"""The text of a function that could not be vectorised: itself, and one visible loop over samples.

The text stands alone like any other: it carries the constants, helpers and imports that the
function reads.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterable, Mapping
from typing import Any

import gast

from autovec.emit.printer import to_text
from autovec.emit.source import helper_tree
from autovec.emit.table_rows import first_array, table_samples
from autovec.emit.world import definitions, import_block, names_of, placed, with_parameters
from autovec.errors import AutovecError, Problem
from autovec.ops import prelude
from autovec.program.facts import PYTHON_DTYPES, Rows, Varying
from autovec.program.scope import resolve_root
from autovec.syntax import quote
from autovec.syntax.build import starred
from autovec.syntax.names import Namer
from autovec.syntax.parse import Source, source_of
from autovec.syntax.scope import mangle
from autovec.syntax.visit import free_names, replace_names
from autovec.syntax.walking import updated

#: helper functions of the user's that a looping text carries along, at most
_MOST_HELPERS = 40


def fallback_text(
    fn: types.FunctionType,
    source: Source,
    problem: Problem,
    varying: Mapping[str, Varying | Rows],
    layout: str,
    name: str,
) -> str:
    """The user's function, then a def that calls it for each lane, the reason as a comment."""
    sample = f"{name}_sample"
    mangle(source.tree, source.class_name)  # the text does not stand in the class
    loop = batched(source, problem, varying, layout, name, sample)
    carried = reached(fn, source.tree)
    world, functions = named(carried, {sample, "stack_results", *names_of([loop])}, sample)
    one: Any = functions[-1]  # a def, or a name for a lambda: its defaults are the loop's, too
    loop = updated(loop, args=getattr(one, "args", None) or one.value.args)
    made = definitions(world)
    if made.handed:  # objects that cannot be printed are parameters: what reads them stands inside
        loop = with_parameters(updated(loop, body=[*functions, *loop.body]), made.handed)
        functions = []
    called = {"stack_results", *(n for n in names_of([loop]) if n == "rows_of")}
    stacking = [helper_tree(h, {}) for h in prelude.closure(called)]
    imports = import_block([quote.stmt("import numpy as np"), *made.imports])
    return to_text([*imports, *made.constants, *stacking, *functions, loop])


def reached(
    fn: types.FunctionType, tree: gast.AST, found: dict[types.FunctionType, Any] | None = None
) -> dict[types.FunctionType, Any]:
    """The functions of the user's that a function calls, with their trees; itself is the last."""
    found = {} if found is None else found
    found[fn] = tree
    for name in sorted(free_names(tree)):
        obj = resolve_root(fn, name)
        if isinstance(obj, types.FunctionType) and obj not in found and len(found) < _MOST_HELPERS:
            with contextlib.suppress(AutovecError):
                reached(obj, source_of(obj).tree, found)
    found[fn] = found.pop(fn)
    return found


def named(
    functions: dict[types.FunctionType, Any], taken: set[str], sample: str
) -> tuple[dict[str, Any], list[gast.stmt]]:
    """The other objects that functions read, and their defs, each under a name of its own.

    The last function is the user's own, whose def is called ``sample``.
    """
    main = [*functions][-1]
    namer = Namer({*taken, *names_of(functions.values())} - {f.__name__ for f in functions})
    names: dict[Any, str] = {main: sample}
    for fn in functions:
        if fn is not main:
            name = fn.__name__ if fn.__name__.isidentifier() else "function"
            names[fn] = namer.fresh(name)
    world: dict[str, Any] = {}
    defs: list[gast.stmt] = []
    for fn, tree in functions.items():
        renames: dict[str, str] = {}
        for name in sorted(free_names(tree)):
            obj = resolve_root(fn, name)
            place, where = placed(fn, name, None, main)
            if where is None:
                continue
            if isinstance(obj, types.FunctionType) and obj in functions:
                place = obj
            if place not in names:
                own = name not in taken and name not in world and name not in names.values()
                names[place] = name if own else namer.fresh(name)
                world[names[place]] = obj
            renames[name] = names[place]
        defs.append(definition(tree, names[fn], renames))
    return world, defs


def definition(tree: Any, name: str, renames: dict[str, str]) -> gast.stmt:
    """A function of the user's as a def of its own, its names as this text has them."""
    renames = {old: new for old, new in renames.items() if old != new}
    if isinstance(tree, gast.Lambda):
        return quote.stmt("name = value", name=name, value=replace_names(tree, renames))
    plain: gast.FunctionDef = updated(tree, name=name, decorator_list=[], returns=None)
    return replace_names(plain, renames) if renames else plain


def batched(
    source: Source,
    problem: Problem,
    varying: Mapping[str, Varying | Rows],
    layout: str,
    name: str,
    sample: str,
) -> gast.FunctionDef:
    """The def that loops."""
    why = f" ({problem.why})" if problem.why else ""
    body: list[gast.stmt] = [
        quote.comment(f"a lane at a time: {problem.what}{why}, line {problem.place.line}")
    ]
    call = quote.expr("f(*args, **keywords)", f=sample, **call_arguments(source))
    names: list[gast.expr] = [quote.name(n) for n in varying]
    if not varying:
        body.append(quote.stmt("return call", call=call))
    else:
        arrays = names
        first = next(iter(varying.values()))
        one = first_array(first, names[0]) if isinstance(first, Rows) else names[0]
        shape: gast.expr = quote.expr("(len(x),)", x=one)
        tables = any(isinstance(v, Rows) for v in varying.values())
        if layout == "broadcast" and not tables:
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
    assert isinstance(made, gast.FunctionDef)
    return updated(made, args=args)


def samples_of(array: gast.expr, fact: Varying | Rows) -> gast.expr:
    """The samples of an argument: Python's scalars where the sample is one."""
    if isinstance(fact, Rows):
        return table_samples(fact, array)
    if fact.rank == 0 and (fact.dtype in PYTHON_DTYPES or fact.dtype.kind in "US"):
        return quote.expr("a.tolist()", a=array)
    return array


def call_arguments(source: Source) -> dict[str, Any]:
    """How the def hands its own parameters on."""
    a = source.tree.args
    args: list[gast.expr] = [quote.name(n) for n in parameter_names([*a.posonlyargs, *a.args])]
    args += [starred(quote.name(n)) for n in parameter_names([a.vararg])]
    keywords: dict[str, Any] = {n: quote.name(n) for n in parameter_names(a.kwonlyargs)}
    return {"args": args, "keywords": keywords}


def parameter_names(parameters: Iterable[gast.expr | None]) -> list[str]:
    """The names of parameters, of those that are there."""
    return [p.id for p in parameters if isinstance(p, gast.Name)]
