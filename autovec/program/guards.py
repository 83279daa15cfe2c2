"""Operations that Python refuses for some operands: checks, and what a surrounding ``try`` catches.

An operation's rule lists what Python raises where NumPy returns a number.  Outside a ``try`` that
names the exception, an *always* entry becomes a check on the live lanes, the others are departure
1: inf or nan, or with ``errors="raise"`` checks, too.  Inside one, each entry becomes a test whose
lanes go to the handler (see guarded.py).
"""

from __future__ import annotations

import builtins
import functools
from dataclasses import replace

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.rule import RESULT, Raises
from autovec.program import probe
from autovec.program.agreement import raises_itself
from autovec.program.build import Builder
from autovec.program.facts import Fact
from autovec.program.failing import Failure, caught_by
from autovec.program.nodes import Check, Raise
from autovec.program.things import Caught, Thing, literal
from autovec.program.truth import truth_fact
from autovec.program.values import Const, Operation, Value
from autovec.syntax import quote
from autovec.syntax.visit import free_names


def operate(
    b: Builder,
    op: Operation,
    raises: tuple[Raises, ...],
    args: tuple[Value, ...],
    node: gast.AST | None,
    fact: Fact | None = None,
) -> Value:
    """The value of an operation, with its checks before it."""
    noisy = found = False
    uniform = not any(arg.varying for arg in args)
    asked = b.unit.raises and not (uniform and "np." not in op.python)
    late: list[Raises] = []
    for full in raises:
        entry = settled(full, op, args)
        if entry is None:
            continue
        handled = caught_by(b.attempts, getattr(builtins, entry.error))
        if handled is not None:
            attempt, handler = handled
            noisy |= entry.after
            found = True
            if b.dry is not None:
                checked, read = predicate(entry, op), chosen(entry, op, args)
                caught = caught_as(b, entry)
                failure = Failure(attempt, handler, checked, read, entry.after, caught)
                b.dry.failures.append(failure)
                b.dry.nested |= b.block is not b.dry.block
        elif asked and entry.after:
            late.append(entry)
        elif asked and not entry.always:
            check(b, entry, op, args)
        elif uniform:
            continue  # uniform code stays Python and raises as Python does
        elif entry.always and not entry.in_text and not raises_itself(op.lanes):
            check(b, entry, op, args)
    if noisy:
        op = quiet(op, "complex" if any(arg.fact.kind == "c" for arg in args) else "float")
        if uniform:  # NumPy's functions would compute in the precision of a bool or small integer
            args = tuple(as_float(b, arg) for arg in args)
    if late and not uniform:
        op = replace(op, ignore=True)
    if uniform:
        op = narrowed(op, args)
    value = b.apply(op, *args, node=node, fact=fact)
    for entry in late:
        check(b, entry, op, args, value)
    if found and b.dry is not None:
        b.dry.results.append(value)
    return value


def refuse_either(
    b: Builder, op: Operation, raises: tuple[Raises, ...], args: tuple[Value, ...]
) -> None:
    """Whether an operation raises has to be the same on every lane, and what it gives.

    ``raises``: what Python's operator raises, where NumPy's warns.
    """
    if not any(a.fact.either for a in args):
        return
    kinds = {a.fact.kind for a in args}
    last = literal(args[-1])
    differs = kinds == {"b"}  # NumPy's bools are no numbers
    if op.name == "**" and kinds <= set("biu"):
        differs = not isinstance(last, int) or last < 0
    for full in raises:
        entry = settled(full, op, args)
        handled = caught_by(b.attempts, getattr(builtins, full.error)) is not None
        differs |= entry is not None and (entry.always or b.unit.raises or handled)
    if differs:
        what = f"{op.name} of a number that is Python's on some lanes and NumPy's on others"
        raise Unsupported(None, what, "Python's operator raises where NumPy's does not")


def caught_as(b: Builder, entry: Raises) -> Caught:
    """The exception as a handler sees it; a message of the lane's own values is not known."""
    error = getattr(builtins, entry.error)
    if "{" in entry.message:
        return Caught(error)
    return Caught(error, raising(b, entry), b.const(str(error(entry.message))))


def raising(
    b: Builder, entry: Raises, op: Operation | None = None, args: tuple[Value, ...] = ()
) -> Raise:
    """What raises as the operation does, the lane's own operands in its message."""
    text: gast.expr = quote.const(entry.message)
    told: dict[str, Thing] = {}
    if op is not None and "{" in entry.message:
        text = quote.expr(f"f{entry.message!r}")
        named = zip(op.params, args, strict=True)
        told = {p: a for p, a in named if f"{{{p}}}" in entry.message}
    return Raise(quote.expr("error(text)", error=entry.error, text=text), None, told, b.line)


def impossible(entry: Raises, op: Operation, args: tuple[Value, ...]) -> bool:
    """Can the literals among the operands never make it raise?"""
    return settled(entry, op, args) is None


def settled(entry: Raises, op: Operation, args: tuple[Value, ...]) -> Raises | None:
    """The entry without what its literals say already; None where they say that it never raises."""
    env = {p: a.op.value for p, a in zip(op.params, args, strict=True) if isinstance(a.op, Const)}
    if not env:
        return entry
    parts = [entry.when] if "|" in entry.when else entry.when.split(" & ")
    known = {part: probe.evaluate(part, env) for part in parts if set(_names(part)) <= set(env)}
    if not all(known.values()):
        return None
    open_ = [part for part in parts if part not in known]
    return replace(entry, when=" & ".join(open_)) if known and open_ else entry


@functools.cache
def _names(text: str) -> tuple[str, ...]:
    return tuple(sorted(free_names(quote.expr(text)) - {"np"}))


@functools.cache
def predicate(entry: Raises, op: Operation) -> Operation:
    """The test of where an operation raises; ``result`` is its result."""
    params = tuple(p for p in (*op.params, RESULT) if p in _names(entry.when))
    return Operation("fails", params, entry.when, entry.when, total=True, number="python")


def chosen(entry: Raises, op: Operation, args: tuple[Value, ...]) -> tuple[Value, ...]:
    """The operands that a predicate reads."""
    return tuple(a for p, a in zip(op.params, args, strict=True) if p in _names(entry.when))


@functools.cache
def quiet(op: Operation, number: str) -> Operation:
    """The same operation, its warnings ignored: the handler answers for them."""
    text = op.lanes
    if text == "x ** y" and number == "float":  # Python's own is complex for a negative base
        text = "np.power(x, y)"
    return replace(op, ignore=True, python=f"{number}({text})")


def narrowed(op: Operation, args: tuple[Value, ...]) -> Operation:
    """Python's own function of a uniform float32, in the precision that it has of a varying one."""
    if all(a.fact.weak or a.fact.kind not in "fc" or a.fact.rank for a in args):
        return op
    facts = [a.fact for a in args]
    many = [f if f.weak else replace(f, lanes=("B",)) for f in facts]
    try:
        own = probe.result(op.python, op.params, tuple(facts))
        dtype = np.asarray(probe.result(op.lanes, op.params, tuple(many))).dtype
    except probe.NoResult:
        return op  # no number, or of operands that never vary
    if type(own) not in (float, complex) or np.dtype(type(own)).itemsize <= dtype.itemsize:
        return op
    return replace(op, python=f"np.{dtype.name}({op.python})", number="numpy")


def as_float(b: Builder, x: Value) -> Value:
    """A uniform integer or bool as a float."""
    if x.fact.kind not in "biu?":
        return x
    if isinstance(x.op, Const):
        return b.const(float(x.op.value))
    return b.apply(Operation("float", ("x",), "x.astype(float)", "float(x)", total=True), x)


def needed(raises: tuple[Raises, ...], op: Operation, args: tuple[Value, ...]) -> frozenset[Raises]:
    """The exceptions that have to be checked for: the text does not raise them."""
    if raises_itself(op.lanes):
        return frozenset()
    return frozenset(
        entry
        for entry in raises
        if entry.always and not entry.in_text and not impossible(entry, op, args)
    )


def check(
    b: Builder,
    entry: Raises,
    op: Operation,
    args: tuple[Value, ...],
    result: Value | None = None,
) -> None:
    """Raise for the first live lane where the operation is refused."""
    read = chosen(entry, op, args)
    if result is not None:
        ordered = dict(zip((*op.params, RESULT), (*args, result), strict=True))
        read = tuple(ordered[p] for p in predicate(entry, op).params)
    test = b.apply(predicate(entry, op), *read, fact=truth_fact(*read))
    if isinstance(test.op, Const) and not test.op.value:
        return
    b.add(Check(test, raising(b, entry, op, args), b.line))
