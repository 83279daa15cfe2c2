"""Values of unknown dtype as numbers: a bool counts, a small integer is computed as a float."""

from __future__ import annotations

from autovec.program.agreement import NUMBER, REAL, has_unknown, may_be
from autovec.program.build import Builder
from autovec.program.facts import BOOL, Fact
from autovec.program.nodes import Check, Let, Raise
from autovec.program.unknown import LateDtype
from autovec.program.values import Operation, Param, Path, Value
from autovec.syntax import quote

#: an integer of any width as Python's int; a float is a TypeError
WHOLE = Operation(
    "index", ("x",), 'x.astype(int, casting="same_kind")', "operator.index(x)", weak=True,
    number="python", impure=True,
)  # fmt: skip
_SMALL = ("bool", "int8", "uint8", "int16", "uint16")


def number(b: Builder, x: Value) -> Value:
    """The value as a number: where it may be a bool, ``1 * x``, once for each parameter.

    NumPy's ``True + True`` is True, and its ``True - True`` an error.
    """
    if not may_be(x, "bool"):
        return x
    return ahead(b, NUMBER, x) if isinstance(x.op, (Param, Path)) else b.apply(NUMBER, x)


def ahead(b: Builder, op: Operation, x: Value) -> Value:
    """A parameter made a number before the first statement, once."""
    numbers = b.late.numbers if op is NUMBER else b.late.reals
    if id(x) not in numbers:
        numbers[id(x)] = Value(op, (x,), b.fact_of(op, (x,), None), x.origin, b.line)
        b.late.header.append(Let(numbers[id(x)]))
    return numbers[id(x)]


def of_one_kind(b: Builder, *values: Value) -> bool:
    """Make sure that parameters which these values are picked from are all integers or all floats.

    Where some lanes hold an integer and others a float, all are floats, and a zero divisor is none
    that raises.  So the text refuses parameters of both kinds; False where that is not all.
    """
    sources: dict[str, Value] = {}
    for value in values:
        if value.fact.mixed:
            return False
        dtype = value.fact.dtype
        for source in dtype.promotion.sources() if isinstance(dtype, LateDtype) else ():
            if source.text not in b.late.sources:
                return False
            sources[source.text] = b.late.sources[source.text]
    if len(sources) < 2:
        return False
    key = ("one kind", *sources)
    if key not in b.late.required:
        b.late.required.add(key)
        params = tuple(f"a{k}" for k in range(len(sources)))
        kinds = [f'(np.result_type({p}).kind == "f")' for p in params]
        text = " != ".join(kinds)
        if len(params) > 2:
            text = f'len({{np.result_type(v).kind == "f" for v in ({", ".join(params)})}}) > 1'
        op = Operation("kinds", params, text, text, number="python")
        test = Value(op, tuple(sources.values()), Fact(BOOL, weak=True), None, b.line)
        words = f"{', '.join(sources)}: all have to be integers or all floats"
        error = quote.expr("TypeError(message)", message=quote.const(words))
        b.late.header += [Let(test), Check(test, Raise(error, None, {}, b.line), b.line)]
    return True


def real(b: Builder, x: Value) -> Value:
    """The value as a float of Python's or NumPy's own, where it may be a small integer."""
    if not may_be(x, *_SMALL):
        return x
    # in a try, what an operation raises is looked for before its operands are computed
    early = bool(b.attempts) and isinstance(x.op, (Param, Path))
    return ahead(b, REAL, x) if early else b.apply(REAL, x)


def whole(b: Builder, x: Value) -> Value | None:
    """A value of unknown dtype as Python's int, where it has to be an integer."""
    return b.apply(WHOLE, x) if has_unknown(x) else None
