"""What a lifted text may take for granted of its parameters, and the tests that ask for the rest.

A function is lifted for the kinds of arguments that the uses of its parameters tell of. Others may
come: lists, arrays of another dtype or of more axes, numbers of another type. So the text asks
which it is, only for the parameters that matter, and for as many kinds as one text is right for.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from autovec.files.annotations import declared_by
from autovec.files.lift_walk import Outcome, Replaced, lifted
from autovec.files.scopes import Scope
from autovec.lift.uses import kinds_from_use
from autovec.syntax import quote
from autovec.syntax.build import all_of
from autovec.syntax.parse import Source

_RUNS = 40  # so often a function is lifted again to learn for which kinds its text is right
_FLOATS = (np.dtype(float), np.dtype(np.float32))
_INTEGERS = (np.dtype(np.int64), np.dtype(np.int32))
IS_ARRAY = '''
def is_array(x, ndim, *dtypes, written=False):
    """Is x a NumPy array of so many axes and one of these dtypes that holds items?

    One that is written has to let itself be, each of its items at a place of its own.
    """
    if type(x) is not np.ndarray or x.ndim != ndim or x.dtype not in dtypes or not x.size:
        return False
    apart = x.flags.writeable and 0 not in x.strides
    return apart or not written
'''


@dataclass(eq=False)
class Settled:
    """A function lifted, and what has to be asked of its parameters.

    `asked`: for each parameter that matters, the kinds for which the text is right. `free`: what
    was replaced whose text is right for any arguments.
    """

    outcome: Outcome
    asked: dict[str, list[Any]] = field(default_factory=dict)
    free: set[int] = field(default_factory=set)

    def is_free(self, replaced: Replaced) -> bool:
        return id(replaced.node) in self.free

    def test(self, is_array: str = "is_array") -> gast.expr:
        """The question, as an expression of the parameters."""
        stored = self.outcome.stored
        return all_of([_test(n, k, n in stored, is_array) for n, k in self.asked.items()])


def settled(source: Source, fn: types.FunctionType, node: Any, scope: Scope) -> Settled:
    """The function lifted for what its annotations and uses tell of its parameters."""
    kinds, declared = _kinds(source, node, scope)
    first = lifted(source, fn, kinds)
    if not first.replaced:
        return Settled(first)
    for name in sorted(declared):  # who declares a float may be given an int
        if kinds[name] is float and lifted(source, fn, {**kinds, name: int}).key != first.key:
            declared.remove(name)
    nothing = {name: kind if name in declared else None for name, kind in kinds.items()}
    bare = lifted(source, fn, nothing)
    texts = {id(r.node): r.text for r in bare.replaced}
    free = {id(r.node) for r in first.replaced if texts.get(id(r.node)) == r.text}
    if len(free) == len(first.replaced):
        return Settled(first, {}, free)
    needed = dict(kinds)
    for name in kinds:
        if name not in declared and kinds[name] is not None:
            trial = {**needed, name: None}
            if lifted(source, fn, trial).key == first.key:
                needed = trial
    asked = {n: [k] for n, k in needed.items() if n not in declared and k is not None}
    _widen(source, fn, needed, asked, first)
    return Settled(first, asked, free)


def _kinds(source: Source, node: Any, scope: Scope) -> tuple[dict[str, Any], set[str]]:
    """The kind of each parameter, and for which of them the file declares it."""
    kinds = kinds_from_use(source.tree)
    declared: set[str] = set()
    args = node.args
    for parameter in [*args.posonlyargs, *args.args, *args.kwonlyargs]:
        found = declared_by(parameter.annotation, scope)
        if found.array and found.dtype is not None:
            used = kinds[parameter.arg]
            rank = found.rank if found.rank is not None else used[1] if type(used) is tuple else 0
            kinds[parameter.arg] = (found.dtype, rank) if rank else None
            declared |= {parameter.arg} if found.rank else set()
        elif not found.array and found.rank == 0 and found.dtype is not None:
            kinds[parameter.arg] = {"f": float, "i": int, "b": bool}.get(found.dtype.kind)
            declared.add(parameter.arg)
    for other in (args.vararg, args.kwarg):
        if other is not None:
            kinds[other.arg] = None
    return kinds, declared


def _widen(
    source: Source,
    fn: types.FunctionType,
    kinds: Mapping[str, Any],
    asked: dict[str, list[Any]],
    first: Outcome,
) -> None:
    """Adds the kinds for which the text is the same, in every combination with the others."""
    left = _RUNS
    for name, kind in sorted(_others(asked), key=lambda item: type(item[1]) is tuple):
        rest = [n for n in asked if n != name]
        every = list(itertools.product(*(asked[n] for n in rest)))
        left -= len(every)
        if left < 0:
            return
        for chosen in every:
            trial = {**kinds, **dict(zip(rest, chosen, strict=True)), name: kind}
            if lifted(source, fn, trial).key != first.key:
                break
        else:
            asked[name].append(kind)


def _others(asked: Mapping[str, list[Any]]) -> Iterator[tuple[str, Any]]:
    """Kinds that a parameter may as well be of."""
    for name, [kind] in list(asked.items()):
        if kind is float:
            yield name, int
            yield name, np.float64
        elif type(kind) is tuple:
            dtype, rank = kind
            near = _FLOATS if dtype.kind == "f" else _INTEGERS
            for other in (*near, *(_INTEGERS[:1] if near is _FLOATS else ())):
                if other != dtype:
                    yield name, (other, rank)


def _test(name: str, kinds: list[Any], written: bool, is_array: str) -> gast.expr:
    if type(kinds[0]) is not tuple:
        types_ = [_type(kind) for kind in kinds]
        if len(types_) == 1:
            return quote.expr("type(x) is t", x=name, t=types_[0])
        return quote.expr("type(x) in (*ts,)", x=name, ts=types_)
    dtypes = [_dtype(dtype) for dtype, _ in kinds]
    call = "f(x, ndim, *dtypes, written=True)" if written else "f(x, ndim, *dtypes)"
    return quote.expr(call, f=is_array, x=name, ndim=kinds[0][1], dtypes=dtypes)


def _type(kind: type) -> gast.expr:
    return quote.expr(kind.__name__ if kind in (float, int, bool) else f"np.{kind.__name__}")


def _dtype(dtype: np.dtype[Any]) -> gast.expr:
    plain: dict[Any, type] = {np.dtype(float): float, np.dtype(bool): bool}
    return _type(plain.get(dtype, dtype.type))


def kinds_text(asked: Mapping[str, list[Any]]) -> Iterator[str]:
    """What is asked of each parameter, in words.

    >>> list(kinds_text({"x": [(np.dtype(float), 1)], "c": [float, int]}))
    ['x is an array of float64 with 1 axis', 'c is a float or int']
    """
    for name, kinds in asked.items():
        if type(kinds[0]) is tuple:
            dtypes = " or ".join(str(dtype) for dtype, _ in kinds)
            axes = f"{kinds[0][1]} ax{'i' if kinds[0][1] == 1 else 'e'}s"
            yield f"{name} is an array of {dtypes} with {axes}"
        else:
            yield f"{name} is a {' or '.join(kind.__name__ for kind in kinds)}"
