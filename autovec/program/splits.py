"""``text.split(sep)``: its parts one by one, where NumPy can cut them, else lists of Python's.

    key, value = line.split("=")        a test for the number of parts, then two cuts
    line.split(",")[2], len(parts)      a cut, a count
"""

from __future__ import annotations

from dataclasses import replace

import gast

from autovec.ops.rule import fails
from autovec.program.build import Builder
from autovec.program.facts import OBJECT, Fact, union
from autovec.program.guards import operate
from autovec.program.nodes import Check, Raise
from autovec.program.things import Seq, Thing, literal
from autovec.program.values import Operation, Value
from autovec.syntax import quote

STRINGS = ("list", "str")
SPLIT = Operation(
    "str.split", ("x", "sep"), "np.frompyfunc(str.split, 2, 1)(x, sep)", "x.split(sep)",
    cost=150, number="python", impure=True, note="str.split of every lane",
)  # fmt: skip
COUNT = Operation(
    "count", ("x", "sep"), "np.strings.count(x, sep) + 1", "x.count(sep) + 1",
    total=True, cost=15, number="python", weak=True,
)  # fmt: skip
FIELD = Operation(
    "part", ("x", "sep", "k"), "field(x, sep, k)", "x.split(sep)[k]", cost=80, number="python",
    impure=True,
)  # fmt: skip
FIRST = replace(FIELD, lanes="partition(x, sep)[0]", impure=False, total=True)
LAST = replace(FIELD, lanes="rpartition(x, sep)[2]", impure=False, total=True)
#: a part further from either end costs more cuts than Python's own split
_MOST = 8


def split(b: Builder, text: Value, args: list[Thing], node: gast.AST) -> Value | None:
    """``text.split(sep)`` with a literal separator; None for other calls."""
    sep = args[0] if len(args) == 1 else None
    if not isinstance(sep, Value) or not isinstance(literal(sep), str) or not literal(sep):
        return None
    fact = Fact(OBJECT, union(text.fact.lanes, sep.fact.lanes), holds=STRINGS)
    return b.apply(replace(SPLIT, impure=False), text, sep, node=node, fact=fact)


def is_split(thing: Thing) -> bool:
    """Is it the result of a split?"""
    return isinstance(thing, Value) and getattr(thing.op, "name", "") == SPLIT.name


def count(b: Builder, parts: Value, node: gast.AST) -> Value:
    """``len(parts)``."""
    return b.apply(COUNT, *parts.args, node=node)


def part(b: Builder, parts: Value, k: int, node: gast.AST) -> Value | None:
    """``parts[k]``; None where it is too far inside."""
    if not -_MOST <= k < _MOST or (k < 0 and overlaps(literal(parts.args[1]))):
        return None
    at = b.const(k)
    if k in (0, -1):
        return b.apply(FIRST if k == 0 else LAST, *parts.args, at, node=node)
    fewer = f"np.strings.count(x, sep) < {k if k > 0 else -k - 1}"
    missing = fails(fewer, lambda x: x[1], [], always=True, in_text=True)
    assert missing is not None
    return operate(b, FIELD, (missing,), (*parts.args, at), node)


def overlaps(sep: object) -> bool:
    """May a separator overlap with itself, so that it matters from which end one cuts?

    >>> overlaps(", "), overlaps("--"), overlaps("aba")
    (False, True, True)
    """
    return not isinstance(sep, str) or any(sep.endswith(sep[:k]) for k in range(1, len(sep)))


def unpacked_parts(b: Builder, parts: Value, wanted: int, node: gast.AST) -> Seq | None:
    """The parts that ``a, b = parts`` assigns, after a check that there are so many."""
    if b.attempts or wanted > _MOST:
        return None
    number = count(b, parts, node)
    for sign, example in (("<", [0] * (wanted - 1)), (">", [0] * (wanted + 1))):
        test = b.apply(Operation(sign, ("x", "y"), f"x {sign} y", f"x {sign} y", total=True),
                       number, b.const(wanted))  # fmt: skip
        message = _message(wanted, example)
        exc = quote.expr("ValueError(message)", message=message)
        b.add(Check(test, Raise(exc, None, {"count": number}, b.line), b.line))
    found = [part(b, parts, k, node) for k in range(wanted)]
    return Seq(tuple(v for v in found if v is not None))


def _message(wanted: int, example: list[int]) -> gast.expr:
    """Python's own words, with the number of parts where they say it."""
    try:
        exec(f"({'_, ' * wanted}) = example", {"example": example})
    except ValueError as error:
        words = str(error)
    got = f"got {len(example)}"
    if got not in words:
        return quote.const(words)
    before, after = words.split(got)
    node: gast.expr = quote.expr(f"f{before + 'got {count}' + after!r}")
    return node
