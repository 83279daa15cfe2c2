"""The def of a function that could not be batched: one loop over its samples, plain to see."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gast

from autovec.emit.source import helper_tree
from autovec.errors import Problem
from autovec.files.alignment import WORDS, free_word, one_axis
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


@dataclass(frozen=True)
class Callees:
    """What a loop calls, by the names that the file has for them."""

    numpy: str = "np"
    samples: str = "samples"
    stack: str = "stack_results"


def loop_body(
    params: Mapping[str, Any],
    layout: str,
    problem: Problem,
    call: gast.expr,
    undeclared: frozenset[str] = frozenset(),
    callees: Callees = Callees(),
) -> list[gast.stmt]:
    """The statements that call the function for each lane and stack what it returns."""
    varying = {name: fact for name, fact in params.items() if isinstance(fact, Varying)}
    why = f" ({problem.why})" if problem.why else ""
    body: list[gast.stmt] = [quote.comment(f"one sample at a time: {problem.what}{why}")]
    names = list(varying)
    own = {word: free_word(word, params) for word in WORDS}
    shape = quote.expr("(len(x),)", x=names[0])
    if layout == "broadcast":
        body += one_axis(varying, callees.numpy, own)
        shape = quote.name(own["shape"])
    sources = [_samples(n, varying[n], n in undeclared, callees) for n in names]
    target: gast.expr = quote.name(names[0])
    over = sources[0]
    if len(names) > 1:
        target = quote.expr("(*names,)", names=[quote.name(n) for n in names])
        over = quote.expr("zip(*sources)", sources=sources)
    body += quote.stmts(
        "results = [call for target in over]\nreturn stack(results, shape)", shape=shape,
        call=call, target=target, over=over, stack=callees.stack, results=own["results"],
    )  # fmt: skip
    return body


def _samples(name: str, fact: Varying, undeclared: bool, callees: Callees) -> gast.expr:
    """The samples of an argument: Python's numbers where the sample is one."""
    if fact.rank:
        return quote.name(name)
    if undeclared:
        return quote.expr("f(x)", f=callees.samples, x=name)
    if fact.dtype in PYTHON_DTYPES or fact.dtype.kind in "US":
        return quote.expr("f(x).tolist()", f=f"{callees.numpy}.asarray", x=name)
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
