"""Arguments of any batch shape, their lanes put on one axis; results put back into that shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import gast
import numpy as np

from autovec.files.names import Names
from autovec.files.returns import map_returns
from autovec.program.facts import Varying
from autovec.syntax import quote
from autovec.syntax.build import dict_display
from autovec.syntax.walking import updated

WORDS = ("results", "shape", "count", "core")  # the names that this makes
_FUNCTIONS = (
    *("broadcast_arrays", "broadcast_shapes", "broadcast_to"),
    *("prod", "ravel", "reshape", "shape"),
)


def free_word(word: str, taken: Iterable[str]) -> str:
    """A local name that no parameter has."""
    return next(n for n in Names.like(word) if n not in taken)


def one_axis(
    varying: Mapping[str, Varying], numpy: str, own: Mapping[str, str]
) -> list[gast.stmt]:
    """Every argument with its lanes on one axis in front of its sample's axes."""
    np = {name: f"{numpy}.{name}" for name in _FUNCTIONS}
    if not any(fact.rank for fact in varying.values()):
        names = [quote.name(n) for n in varying]
        if len(names) == 1:
            return quote.stmts(
                "shape, x = size(x), ravel(x)",
                x=names[0], size=np["shape"], ravel=np["ravel"], shape=own["shape"],
            )  # fmt: skip
        ravels = [quote.expr("x.ravel()", x=n) for n in names]
        return quote.stmts(
            "(*names,) = together(*names)\nshape, *names = first.shape, *ravels",
            names=names, first=names[0], ravels=ravels, together=np["broadcast_arrays"],
            shape=own["shape"],
        )  # fmt: skip
    if len(varying) == 1:
        [(name, fact)] = varying.items()
        return quote.stmts(
            "shape, core = size(x)[:first], size(x)[first:]\n"
            "x = reshape(x, (prod(shape, dtype=int), *core))",
            x=name, first=quote.const(-fact.rank), size=np["shape"], reshape=np["reshape"],
            prod=np["prod"], shape=own["shape"], core=own["core"],
        )  # fmt: skip
    loops = []
    for name, fact in varying.items():
        whole = quote.expr("size(x)", size=np["shape"], x=name)
        last = quote.const(-fact.rank)
        loops.append(quote.expr("s[:last]", s=whole, last=last) if fact.rank else whole)
    body = quote.stmts(
        "shape = together(*loops)\ncount = prod(shape, dtype=int)",
        loops=loops, together=np["broadcast_shapes"], prod=np["prod"],
        shape=own["shape"], count=own["count"],
    )  # fmt: skip
    for name, fact in varying.items():
        if not fact.rank:
            text = "x = spread(x, shape).ravel()"
            body.append(quote.stmt(text, x=name, spread=np["broadcast_to"], shape=own["shape"]))
            continue
        body += quote.stmts(
            "core = size(x)[first:]\nx = spread(x, shape + core).reshape(count, *core)",
            x=name, first=quote.const(-fact.rank), size=np["shape"], spread=np["broadcast_to"],
            shape=own["shape"], count=own["count"], core=own["core"],
        )  # fmt: skip
    return body


def laid_out(body: list[gast.stmt], result: Any, own: Mapping[str, str]) -> list[gast.stmt]:
    """The statements for lanes on one axis, what they return in the shape of the arguments.

    ``result`` is the structure of what is returned, with the dtype and shape of each leaf.

    >>> from autovec.syntax.convert import text_of
    >>> own = {word: word for word in WORDS}
    >>> body = quote.stmts("return x.sum(axis=1), x - 1")
    >>> leaves = (np.dtype(float), np.dtype((float, (3,))))
    >>> for statement in laid_out(body, leaves, own):
    ...     print(text_of(statement))
    results = x - 1
    return (x.sum(axis=1).reshape(shape), results.reshape(shape + results.shape[1:]))
    """

    def change(node: gast.Return) -> list[gast.stmt]:
        assert node.value is not None
        before: list[gast.stmt] = []
        names = Names.like(own["results"])
        value = _leaf_by_leaf(node.value, result, own["shape"], before, names)
        for statement in before:
            gast.copy_location(statement, node)
        return [*before, updated(node, value=value)]

    return map_returns(body, change)


def _leaf_by_leaf(
    value: gast.expr, result: Any, shape: str, before: list[gast.stmt], names: Iterator[str]
) -> gast.expr:
    """The expression of a result, each leaf of it in another shape."""
    if result is None:
        return value
    if isinstance(result, np.dtype):
        if not result.shape:
            return quote.expr("x.reshape(shape)", x=value, shape=shape)
        x = _named(value, before, names)
        return quote.expr("x.reshape(shape + x.shape[1:])", x=x, shape=shape)
    keyed = isinstance(result, dict)
    keys = list(result) if keyed else list(range(len(result)))
    if isinstance(value, gast.Dict):
        parts = value.values
    elif isinstance(value, (gast.Tuple, gast.List)):
        parts = value.elts
    else:
        x = _named(value, before, names)
        parts = [quote.expr("x[k]", x=x, k=quote.const(k)) for k in keys]
    made = [
        _leaf_by_leaf(part, result[k], shape, before, names)
        for part, k in zip(parts, keys, strict=True)
    ]
    if keyed:
        return dict_display(map(quote.const, keys), made)
    return quote.expr("(*items,)" if isinstance(result, tuple) else "[*items]", items=made)


def is_plain(result: Any) -> bool:
    """Is a result made of tuples, lists and dicts only?"""
    if result is None or isinstance(result, np.dtype):
        return True
    if type(result) not in (tuple, list, dict):
        return False
    return all(map(is_plain, result.values() if isinstance(result, dict) else result))


def _named(value: gast.expr, before: list[gast.stmt], names: Iterator[str]) -> gast.expr:
    """The value by a name."""
    if isinstance(value, gast.Name):
        return value
    name = next(names)
    before.append(quote.stmt("name = value", name=name, value=value))
    return quote.name(name)
