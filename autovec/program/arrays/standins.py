"""What an operation on arrays gives, found by asking NumPy on stand-ins of the samples' shapes.

>>> given(lambda x: x.sum(axis=0), [Fact(np.dtype(float), shape=(2, 3))], None).shape
(3,)
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program import probe
from autovec.program.build import Builder
from autovec.program.facts import Extent, Fact, Lanes, Shape, scalar_fact, union
from autovec.program.scope import path_of
from autovec.program.things import NOT_LITERAL, Known, Seq, Thing, literal
from autovec.program.values import Operation, Path, Value

#: a stand-in larger than this is shortened by repeating one element without memory
_LARGE = 2**16
#: operations of ints that give an int
_WHOLE = frozenset(["+", "-", "*", "//", "%", "neg", "min", "max", "abs"])


def stand_in(fact: Fact) -> Any:
    """An array or scalar of this fact's sample: ones, with a diagonal that makes it regular."""
    if fact.rank:
        if int(np.prod(fact.shape)) > _LARGE:
            return np.broadcast_to(np.ones((), fact.known), fact.shape)
        made = np.ones(fact.shape, fact.known)
        if fact.rank >= 2 and fact.kind in "fc":
            made = made + np.eye(fact.shape[-2], fact.shape[-1], dtype=fact.known)
        return made
    if fact.weak:
        return {"b": True, "i": 1, "f": 1.0, "c": 1 + 0j}[fact.kind]
    return fact.known.type(1)


def given(function: Callable[..., Any], facts: Sequence[Fact], node: gast.AST | None) -> Fact:
    """The fact of what a function of NumPy's gives for samples of these facts."""
    sample = sample_of(function, facts, node)
    lanes: Lanes = ()
    for fact in facts:
        lanes = union(lanes, fact.lanes)
    return fact_of_sample(sample, lanes, facts, node)


def sample_of(function: Callable[..., Any], facts: Sequence[Fact], node: gast.AST | None) -> Any:
    """What a function of NumPy's gives for stand-ins of these facts."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*map(stand_in, facts))
        except Exception as e:
            raise Unsupported(node, f"{type(e).__name__}: {e}", "NumPy raises it") from e


def fact_of_sample(sample: Any, lanes: Lanes, facts: Sequence[Fact], node: gast.AST | None) -> Fact:
    """The fact of one result."""
    if isinstance(sample, (np.ndarray, np.generic)):
        if sample.dtype.kind not in "biufc":
            raise Unsupported(node, f"an array of {sample.dtype}", "it has no array form")
        shape = sourced(sample.shape, facts)
        return Fact(sample.dtype, lanes, shape, python=False)
    fact = scalar_fact(sample)
    if fact is None:
        raise Unsupported(node, f"a result of type {type(sample).__name__}", "it is no array")
    return fact.over(lanes)


def sourced(shape: tuple[int, ...], facts: Sequence[Fact]) -> Shape:
    """A shape whose lengths remember the operands' axes of the same lengths."""
    found: list[int] = []
    known = [length for fact in facts for length in fact.shape if length > 1]
    for length in shape:
        same = {getattr(k, "source", None) for k in known if k == length} - {None}
        found.append(Extent(length, same.pop()) if len(same) == 1 else Extent(length))
    return tuple(found)


def static(thing: Thing | None) -> Any:
    """What a thing is known to be while compiling; ``NOT_LITERAL`` if it is not."""
    if thing is None:
        return None
    if isinstance(thing, Value):
        return literal(thing) if thing.static is None else thing.static
    if isinstance(thing, Seq):
        items = [static(item) for item in thing.items]
        return NOT_LITERAL if any(i is NOT_LITERAL for i in items) else thing.kind(items)
    if isinstance(thing, Known) and (
        thing.obj is None or isinstance(thing.obj, (type, np.dtype, slice)) or thing.obj is ...
    ):
        return thing.obj
    return NOT_LITERAL


def static_int(thing: Thing | None, what: str, node: gast.AST) -> int:
    """An int known while compiling."""
    found = static(thing)
    if isinstance(found, bool) or not isinstance(found, (int, np.integer)):
        raise Unsupported(node, f"{what} that is not known while compiling", "shapes depend on it")
    return int(found)


def settled(b: Builder, thing: Thing | None) -> Any:
    """The same, and ints that all lanes share: the text is for this value of theirs.

    What is computed of such ints is computed here, as the text will.
    """
    found = static(thing)
    if found is not NOT_LITERAL:
        return found
    if isinstance(thing, Seq):
        items = [settled(b, item) for item in thing.items]
        return NOT_LITERAL if any(i is NOT_LITERAL for i in items) else thing.kind(items)
    if not isinstance(thing, Value) or thing.varying or thing.fact.rank or thing.fact.kind != "i":
        return NOT_LITERAL
    if isinstance(thing.op, Path):
        path = path_of(thing.op.expr)
        number = None if path is None else b.known_object(*path)
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
            return NOT_LITERAL
        b.capture(thing.op.expr, number, values=True)
        return int(number)
    if not isinstance(thing.op, Operation) or thing.op.name not in _WHOLE:
        return NOT_LITERAL
    numbers = [settled(b, arg) for arg in thing.args]
    if any(number is NOT_LITERAL for number in numbers):
        return NOT_LITERAL
    try:
        return int(probe.evaluated(thing.op.python, thing.op.params, numbers))
    except (ArithmeticError, NameError, TypeError):
        return NOT_LITERAL
