"""The def of a function that could not be batched: one loop over its samples, plain to see."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import gast

from autovec.emit.source import helper_tree
from autovec.errors import Problem
from autovec.ops import prelude
from autovec.program.facts import PYTHON_DTYPES, Varying
from autovec.syntax import quote
from autovec.syntax.parse import parse_file

_SAMPLES = '''
def samples(x):
    """An array's samples: Python's numbers where NumPy's are the same, else NumPy's own."""
    x = np.asarray(x)
    python = x.dtype in (bool, int, float, complex) or x.dtype.kind in "US"
    return x.tolist() if python and x.ndim == 1 else list(x)
'''


def helpers() -> list[gast.FunctionDef]:
    """The helper functions that a loop calls."""
    [samples] = parse_file(_SAMPLES, "<helper>").body
    assert isinstance(samples, gast.FunctionDef)
    return [samples, *(helper_tree(h, {}) for h in prelude.closure(["stack_results"]))]


def loop_body(
    params: Mapping[str, Any],
    layout: str,
    problem: Problem,
    call: gast.expr,
    undeclared: frozenset[str] = frozenset(),
) -> list[gast.stmt]:
    """The statements that call the function for each lane and stack what it returns."""
    varying = {name: fact for name, fact in params.items() if isinstance(fact, Varying)}
    why = f" ({problem.why})" if problem.why else ""
    body: list[gast.stmt] = [quote.comment(f"one sample at a time: {problem.what}{why}")]
    if not varying:
        return [*body, quote.stmt("return call", call=call)]
    names = list(varying)
    shape = quote.expr("(len(x),)", x=names[0])
    if layout == "broadcast":
        body += _broadcast(varying)
        shape = quote.name("shape")
    sources = [_samples(n, varying[n], n in undeclared) for n in names]
    target: gast.expr = quote.name(names[0])
    over = sources[0]
    if len(names) > 1:
        target = quote.expr("(*names,)", names=[quote.name(n) for n in names])
        over = quote.expr("zip(*sources)", sources=sources)
    body += quote.stmts(
        "results = [call for target in over]\nreturn stack_results(results, shape)",
        call=call, target=target, over=over, shape=shape,
    )  # fmt: skip
    return body


def _broadcast(varying: Mapping[str, Varying]) -> list[gast.stmt]:
    """Every argument with its lanes on one axis in front of its sample's axes."""
    if not any(fact.rank for fact in varying.values()):
        names = [quote.name(n) for n in varying]
        if len(names) == 1:
            return quote.stmts("shape, x = np.shape(x), np.ravel(x)", x=names[0])
        ravels = [quote.expr("x.ravel()", x=n) for n in names]
        return quote.stmts(
            "(*names,) = np.broadcast_arrays(*names)\nshape, *names = first.shape, *ravels",
            names=names, first=names[0], ravels=ravels,
        )  # fmt: skip
    loops = [
        quote.expr("np.shape(x)[:last]", x=n, last=quote.const(-f.rank))
        if f.rank
        else quote.expr("np.shape(x)", x=n)
        for n, f in varying.items()
    ]
    body = quote.stmts(
        "shape = np.broadcast_shapes(*loops)\ncount = np.prod(shape, dtype=int)", loops=loops
    )
    for name, fact in varying.items():
        if not fact.rank:
            body.append(quote.stmt("x = np.broadcast_to(x, shape).ravel()", x=name))
            continue
        body += quote.stmts(
            "core = np.shape(x)[first:]\n"
            "x = np.broadcast_to(x, shape + core).reshape(count, *core)",
            x=name, first=quote.const(-fact.rank),
        )  # fmt: skip
    return body


def _samples(name: str, fact: Varying, undeclared: bool) -> gast.expr:
    """The samples of an argument: Python's numbers where the sample is one."""
    if fact.rank:
        return quote.name(name)
    if undeclared:
        return quote.expr("samples(x)", x=name)
    if fact.dtype in PYTHON_DTYPES or fact.dtype.kind in "US":
        return quote.expr("np.asarray(x).tolist()", x=name)
    return quote.name(name)


def call_of(function: str, args: ast.arguments, method: bool) -> gast.expr:
    """The call that hands a def's own parameters on; a method is called on its object.

    >>> from autovec.syntax.convert import text_of
    >>> text_of(call_of("f", ast.parse("lambda x, *, k=1: 0", mode="eval").body.args, False))
    'f(x, k=k)'
    """
    positional = [quote.name(p.arg) for p in (*args.posonlyargs, *args.args)]
    keywords = {p.arg: quote.name(p.arg) for p in args.kwonlyargs}
    if method:
        owner, *positional = positional
        callee = quote.attribute(owner, function)
        return quote.expr("f(*args, **keywords)", f=callee, args=positional, keywords=keywords)
    return quote.expr("f(*args, **keywords)", f=function, args=positional, keywords=keywords)
