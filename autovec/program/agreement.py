"""Operations on operands of unknown dtype: one text that is right for all dtypes they may have.

What an operation is for known dtypes is asked once for each combination.  Where all agree, that is
the text; else a text is looked for that gives what each of them gives, on numbers to try.
"""

from __future__ import annotations

import ast
import functools
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autovec.errors import Unsupported
from autovec.ops import prelude
from autovec.program import probe
from autovec.program.facts import Fact, Lanes, operands, storage
from autovec.program.nodes import Node
from autovec.program.unknown import (
    FEW,
    MOST,
    UNSAID,
    Dtype,
    LateDtype,
    Promotion,
    Weak,
    agrees,
    part_of,
    restricted,
    source,
    substituted,
)
from autovec.program.values import Const, Operation, Phi, Value

ANNOTATE = "annotate the parameters that it is computed from: x: float, x: int, x: np.float32"
ANNOTATE_STRING = "annotate it: x: str, or x: float"
_COUNTER = itertools.count()
#: numbers to try, for the first operand and for the others, by kind: ties, fractions, both signs
_FIRST: dict[str, tuple[float, ...]] = {
    "i": (3, 1, -4, 2, 5, -1),
    "f": (3, 2.5, -2.5, 1.5, 2.675, -0.0625),
}
_OTHERS: dict[str, tuple[float, ...]] = {"f": (2, 1, 3, 0.5, 1, 2.5)}
_PLAIN_FIRST, _PLAIN_OTHERS = (3, 1, 4, 2, 5, 1), (2, 1, 3, 2, 1, 3)
#: what a result's dtype may be made of besides the operands' dtypes
_EXTRAS: tuple[tuple[Any, ...], ...] = ((), (1.0,), (1,), (np.dtype("f2"),), (np.dtype("i1"),))
#: True as a number is 1, where NumPy's bools do not count
NUMBER = Operation(
    "number", ("x",), "1 * x", "x", total=True, cost=0.5, note="a bool counts as 0 or 1"
)
#: NumPy computes small integers in half or single precision, Python never does
REAL = Operation("float", ("x",), "1.0 * x", "float(x)", total=True, cost=0.5)


@dataclass
class Late:
    """What a function's text needs for parameters of unknown dtype.

    ``header`` comes before the first statement, ``numbers`` and ``reals`` are parameters as such,
    ``required`` is what the header makes sure of.
    """

    header: list[Node] = field(default_factory=list)
    sources: dict[str, Value] = field(default_factory=dict)
    numbers: dict[int, Value] = field(default_factory=dict)
    reals: dict[int, Value] = field(default_factory=dict)
    required: set[tuple[str, ...]] = field(default_factory=set)


def has_unknown(*args: Value) -> bool:
    """Is one of them of unknown dtype?"""
    return any(isinstance(a.fact.dtype, LateDtype) for a in args)


def written_dtype(dtype: Dtype, node: ast.AST) -> str:
    """A dtype in an operation's text, where an unknown one cannot stand."""
    if isinstance(dtype, LateDtype):
        raise Unsupported(node, f"a {dtype.name} here", "its dtype has to be written", ANNOTATE)
    return f"np.{dtype.name}"


def may_be(value: Value, *dtypes: str) -> bool:
    """May a value that differs between lanes have one of these dtypes?"""
    dtype = value.fact.dtype
    if not value.varying or not isinstance(dtype, LateDtype):
        return False
    return any(np.dtype(name) in dtype.possible for name in dtypes)


def concrete(fact: Fact, among: tuple[Any, ...] | None = None) -> Iterator[Fact]:
    """The fact with each dtype that it may have."""
    assert isinstance(fact.dtype, LateDtype)
    for dtype in fact.dtype.possible:
        if among is None or fact.weak or dtype in among:
            yield replace(fact, dtype=dtype)


def combinations(
    facts: tuple[Fact, ...], among: tuple[Any, ...] | None = None
) -> Iterator[tuple[Fact, ...]]:
    """The facts with each combination of dtypes; what is one unknown dtype is one everywhere."""
    unknown = list(dict.fromkeys(f.dtype for f in facts if isinstance(f.dtype, LateDtype)))
    first = {d: next(f for f in facts if f.dtype == d) for d in unknown}
    choices = [[f.dtype for f in concrete(first[d], among)] for d in unknown]
    if math.prod(map(len, choices)) > MOST:
        what = "an operation on so many numbers of no declared dtype"
        raise Unsupported(None, what, "their combinations are too many", ANNOTATE)
    for chosen in itertools.product(*choices):
        world = dict(zip(unknown, chosen, strict=True))
        yield tuple(
            replace(f, dtype=world[f.dtype]) if isinstance(f.dtype, LateDtype) else f
            for f in facts
        )


# ---------------------------------------------------------------- facts
def unknown_fact(
    op: Operation, args: tuple[Value, ...], lanes: Lanes, stored: bool = False
) -> Fact:
    """The fact of an operation's result; ``stored``: of what NumPy makes of the operands."""
    facts = tuple(a.fact if lanes else replace(a.fact, lanes=()) for a in args)
    canonical, given = _canonical(facts)
    found = _fact(op, canonical, lanes, stored)
    if isinstance(found.dtype, LateDtype) and found.dtype.unsaid:
        given[UNSAID] = (source(f"{UNSAID}{next(_COUNTER)}", found.dtype.possible),)
    return replace(found, dtype=substituted(found.dtype, given))


def late_fact(
    op: Operation, args: tuple[Value, ...], lanes: Lanes, node: ast.AST | None
) -> Fact:
    """The fact of an operation's result, or the place that cannot be batched."""
    try:
        return unknown_fact(op, args, lanes)
    except probe.NoResult as e:
        raise Unsupported(node, f"{op.name} of these operands", str(e)) from e
    except Unsupported as e:
        raise Unsupported(node, e.what, e.why, e.instead) from e


def _canonical(facts: tuple[Fact, ...]) -> tuple[tuple[Fact, ...], dict[str, tuple[Any, ...]]]:
    """The facts with sources of no one's names, and what stands for these."""
    names: dict[LateDtype, LateDtype] = {}
    given: dict[str, tuple[Any, ...]] = {}
    result = []
    for fact in facts:
        dtype = fact.dtype
        if isinstance(dtype, LateDtype) and dtype not in names:
            text = f"a{len(names)}"
            among = tuple(Weak(d.kind) if fact.weak else d for d in dtype.possible)
            names[dtype] = source(text, among)
            given[text] = operands(fact)
        late = isinstance(dtype, LateDtype)
        result.append(replace(fact, dtype=names[dtype]) if late else fact)  # type: ignore[index]
    return tuple(result), given


@functools.lru_cache(maxsize=4096)
def _fact(op: Operation, facts: tuple[Fact, ...], lanes: Lanes, stored: bool) -> Fact:
    made: list[Fact | None] = []
    failed: Exception | None = None
    for known in combinations(facts):
        try:
            made.append(_known_fact(op, known, lanes, stored))
        except (probe.NoResult, Unsupported) as error:
            made.append(None)
            failed = error
    found = [fact for fact in made if fact is not None]
    if not found:
        raise failed if isinstance(failed, Unsupported) else probe.NoResult(str(failed))
    late = [k for k, fact in enumerate(facts) if isinstance(fact.dtype, LateDtype)]
    alike = [
        fact
        for known, fact in zip(combinations(facts), made, strict=True)
        if fact is not None and len({known[k].kind == "f" for k in late}) == 1
    ]
    if stored:  # as NumPy holds them, Python numbers that differ between lanes have dtypes
        facts = tuple(replace(f, weak=f.weak and not f.varying, dtype=storage(f)) for f in facts)
    dtype = _dtype(facts, [fact and fact.dtype for fact in made])
    if dtype is None:
        dtype = source(UNSAID, tuple(dict.fromkeys(f.dtype for f in found)))
    return replace(
        found[0],
        dtype=dtype,
        weak=all(f.weak for f in found),
        python=any(f.python for f in found),
        mixed=any(f.mixed for f in alike),
        apart=any(f.apart or f.mixed for f in found),
        either=any(f.either for f in found),
    )


def _known_fact(op: Operation, facts: tuple[Fact, ...], lanes: Lanes, stored: bool) -> Fact:
    text = op.lanes if lanes else op.python
    semantic = ".astype(" not in text and not stored
    sample = probe.result(text, op.params, facts, semantic)
    args = tuple(Value(Phi(), (), fact) for fact in facts)
    return probe.result_fact(sample, op, args, lanes)


def _dtype(facts: tuple[Fact, ...], want: list[Any]) -> Dtype | None:
    """What gives these dtypes for the combinations of the operands' dtypes, as it is written."""
    known: set[np.dtype[Any]] = {dtype for dtype in want if dtype is not None}
    if len(known) == 1:
        return known.pop()
    unknown = list(dict.fromkeys(f.dtype for f in facts if isinstance(f.dtype, LateDtype)))
    order = tuple(dtype.promotion.sources()[0] for dtype in unknown)
    every = [o for f in facts if f.kind in "biufc?" for o in operands(f)]
    for some in [*([dtype] for dtype in unknown), every, unknown]:
        for extra in _EXTRAS:
            made = Promotion(tuple(part_of(o) for o in (*some, *extra)))
            if made.sources() and agrees(made, tuple(want), order):
                return LateDtype(restricted(made, known))
    return None


# ---------------------------------------------------------------- texts
def settled(
    make: Callable[[tuple[Value, ...]], tuple[Operation, frozenset[Any]] | None],
    args: tuple[Value, ...],
    other: str = "",
) -> Operation | None:
    """The operation that is right for each dtype that the operands may have; None if none is.

    ``make`` gives it for operands of known dtypes, with the checks that it needs; None where Python
    has none.  ``other`` is one more text to try.  Checks that only some dtypes need have to be made
    by the text itself.
    """
    facts = tuple(a.fact for a in args)
    made: list[tuple[tuple[Fact, ...], Operation]] = []
    checks: set[frozenset[Any]] = set()
    for known in combinations(facts, FEW):
        shadows = (Value(a.op, a.args, f, a.origin) for a, f in zip(args, known, strict=True))
        found = make(tuple(shadows))
        if found is not None:
            made.append((known, found[0]))
            checks.add(found[1])
    if not made:
        return None
    ops = [op for _, op in made]
    first = replace(
        ops[0],
        total=all(op.total for op in ops),
        cost=max(op.cost for op in ops),
        impure=any(op.impure for op in ops),
        weak=all(op.weak for op in ops),
        fresh=all(op.fresh for op in ops),
        flat=any(op.flat for op in ops),
    )
    if not any(a.varying for a in args):
        return first
    texts = dict.fromkeys(op.lanes for op in ops)
    if len(checks) == len(texts) == 1:
        return first
    if len(checks) > 1 or any(raises_itself(text) for text in texts):
        texts = {t: None for t in texts if raises_itself(t)}
        other = other if raises_itself(other) else ""
    literals = tuple(a.op if isinstance(a.op, Const) else None for a in args)
    for text in (other, *texts):
        if text and all(_same(text, op.lanes, op.params, known, literals) for known, op in made):
            return replace(first, lanes=text)
    return None


@functools.cache
def raises_itself(text: str) -> bool:
    """Does a text call a helper, which raises what Python raises?"""
    silent = prelude.names("texts")  # which check nothing, or whose rules say that they do
    return any(f"{name}(" in text for name in prelude.names() if name not in silent)


@functools.lru_cache(maxsize=20_000)
def _same(
    text: str,
    want: str,
    params: tuple[str, ...],
    facts: tuple[Fact, ...],
    literals: tuple[Const | None, ...],
) -> bool:
    """Do two texts give the same for operands of known dtypes?"""
    if text == want:
        return True
    results = [_tried(t, params, facts, literals) for t in (text, want)]
    if any(isinstance(r, type) for r in results):
        return results[0] is results[1]
    a, b = results
    if a.dtype != b.dtype or a.dtype.kind not in "fc":
        return a.dtype == b.dtype and np.array_equal(a, b)
    near = 1e-2 if a.dtype == np.float16 else 1e-5 if a.dtype == np.float32 else 1e-12
    return a.shape == b.shape and np.allclose(a, b, rtol=near, atol=0, equal_nan=True)


def _tried(
    text: str,
    params: tuple[str, ...],
    facts: tuple[Fact, ...],
    literals: tuple[Const | None, ...],
) -> Any:
    """What a text gives for the numbers to try, or the type of its exception."""
    values = []
    for k, (fact, constant) in enumerate(zip(facts, literals, strict=True)):
        if constant is not None:
            values.append(constant.value)
            continue
        numbers = (_OTHERS if k else _FIRST).get(fact.kind, _PLAIN_OTHERS if k else _PLAIN_FIRST)
        dtype = fact.dtype
        assert not isinstance(dtype, LateDtype)
        if not fact.varying:
            values.append(numbers[0] if fact.kind == "i" else dtype.type(numbers[0]).item())
        else:
            values.append(np.array(numbers).astype(dtype))
    with np.errstate(all="ignore"):
        try:
            return np.asarray(probe.evaluated(text, params, values))
        except Exception as error:
            return type(error)
