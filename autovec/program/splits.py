"""``text.split(sep)``: its parts one by one, where NumPy can cut them, else lists of Python's.

    key, value = line.split("=")        a test for the number of parts, then two cuts
    line.split(",")[2], len(parts)      a cut, a count
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autovec.ops.rule import fails
from autovec.program.build import Builder
from autovec.program.facts import OBJECT, STRING, Fact, union
from autovec.program.guards import operate
from autovec.program.nodes import Check, Raise
from autovec.program.python_types import fact_of_type
from autovec.program.things import Seq, Thing, literal
from autovec.program.values import Each, Operation, Value
from autovec.syntax import quote

STRINGS = ("list", "str")
LENGTH = Operation(
    "len", ("x",), "np.asarray(np.frompyfunc(len, 1, 1)(x), dtype=int)", "len(x)", cost=80,
    number="python", weak=True,
)  # fmt: skip
#: a part further from either end costs more cuts than Python's own split
_MOST = 8


@dataclass(frozen=True)
class Cut:
    """How the parts of one form of split are cut out: first, last, and with a check the others."""

    written: str
    count: str
    first: str
    last: str
    second: str = ""
    before_last: str = ""


NO_SEP = "np.strings.find(x, sep) < 0"
CUTS = {
    "split": Cut(
        "x.split(sep)", "np.strings.count(x, sep) + 1", "partition(x, sep)[0]",
        "rpartition(x, sep)[2]",
    ),
    "split1": Cut(
        "x.split(sep, 1)", "(np.strings.count(x, sep) > 0) + 1", "partition(x, sep)[0]",
        f"np.where({NO_SEP}, x, partition(x, sep)[2])", "partition(x, sep)[2]",
        "partition(x, sep)[0]",
    ),
    "rsplit1": Cut(
        "x.rsplit(sep, 1)", "(np.strings.count(x, sep) > 0) + 1",
        f"np.where({NO_SEP}, x, rpartition(x, sep)[0])", "rpartition(x, sep)[2]",
        "rpartition(x, sep)[2]", "rpartition(x, sep)[0]",
    ),
}  # fmt: skip
_MISSING = fails(NO_SEP, lambda x: x[1], [], always=True)


def split(
    b: Builder, text: Value, attr: str, args: list[Thing], node: gast.AST
) -> Value | None:
    """``text.split(sep)`` and ``rsplit``, with a literal separator; None for other calls."""
    sep = args[0] if 1 <= len(args) <= 2 else None
    if not isinstance(sep, Value) or not isinstance(literal(sep), str) or not literal(sep):
        return None
    limit = literal(args[1]) if len(args) == 2 else -1
    if limit not in (-1, 1) or (limit == -1 and attr == "rsplit" and overlaps(literal(sep))):
        return None
    form = "split" if limit == -1 else f"{attr}1"
    extra = ", 1" if limit == 1 else ""
    lanes = f"np.frompyfunc(str.{attr}, {2 + len(extra) // 3}, 1)(x, sep{extra})"
    written = CUTS[form].written
    op = Operation(f"str.{form}", ("x", "sep"), lanes, written, cost=150, number="python")
    fact = Fact(OBJECT, union(text.fact.lanes, sep.fact.lanes), holds=STRINGS)
    return b.apply(op, text, sep, node=node, fact=fact)


def cut_of(thing: Thing) -> Cut | None:
    """How the parts of a split are cut out; None for other things."""
    name = getattr(thing.op, "name", "") if isinstance(thing, Value) else ""
    return CUTS.get(name.removeprefix("str.")) if name.startswith("str.") else None


def count(b: Builder, parts: Value, node: gast.AST) -> Value | None:
    """``len(parts)``; None where these are no parts."""
    cut = cut_of(parts)
    if cut is None:
        return None
    python = cut.count.replace("np.strings.count(x, sep)", "x.count(sep)")
    op = Operation("count", ("x", "sep"), cut.count, python, total=True, cost=15, number="python",
                   weak=True)  # fmt: skip
    return b.apply(op, *parts.args, node=node)


def part(b: Builder, parts: Value, k: int, node: gast.AST) -> Value | None:
    """``parts[k]``; None where it is too far inside, or these are no parts."""
    cut = cut_of(parts)
    if cut is None or not -_MOST <= k < _MOST or (k < 0 and overlaps(literal(parts.args[1]))):
        return None
    checked = {1: cut.second, -2: cut.before_last}.get(k, "")
    lanes = {0: cut.first, -1: cut.last}.get(k) or checked
    python, fact = f"{cut.written}[{k}]", Fact(STRING, parts.fact.lanes)
    if lanes:
        op = Operation("part", ("x", "sep"), lanes, python, cost=40, number="python",
                       total=not checked, impure=bool(checked))  # fmt: skip
        entries = (_MISSING,) if checked and _MISSING is not None else ()
        return operate(b, op, entries, parts.args, node, fact)
    if cut.second:
        return None
    fewer = f"np.strings.count(x, sep) < {k if k > 0 else -k - 1}"
    missing = fails(fewer, lambda x: x[1], [], always=True, in_text=True)
    assert missing is not None
    op = Operation("part", ("x", "sep"), f"field(x, sep, {k})", python, cost=80, number="python",
                   impure=True)  # fmt: skip
    return operate(b, op, (missing,), parts.args, node, fact)


def overlaps(sep: object) -> bool:
    """May a separator overlap with itself, so that it matters from which end one cuts?

    >>> overlaps(", "), overlaps("--"), overlaps("aba")
    (False, True, True)
    """
    return not isinstance(sep, str) or any(sep.endswith(sep[:k]) for k in range(1, len(sep)))


def unpacked_parts(b: Builder, parts: Value, wanted: int, node: gast.AST) -> Seq | None:
    """What ``a, b = parts`` assigns, after a check that there are so many."""
    if b.attempts or wanted > _MOST or not isinstance(parts.fact.holds, tuple):
        return None
    inside = parts.fact.holds
    if inside[0] == "list":
        whole = fact_of_type("int", parts.fact.lanes)
        number = count(b, parts, node) or b.apply(LENGTH, parts, fact=whole)
        for sign, example in (("<", [0] * (wanted - 1)), (">", [0] * (wanted + 1))):
            compare = Operation(sign, ("x", "y"), f"x {sign} y", f"x {sign} y", total=True)
            test = b.apply(compare, number, b.const(wanted))
            exc = quote.expr("ValueError(message)", message=_message(wanted, example))
            b.add(Check(test, Raise(exc, None, {"count": number}, b.line), b.line))
    elif inside[0] != "tuple" or len(inside) - 1 != wanted:
        return None
    made = [part(b, parts, k, node) or _item(b, parts, k, node) for k in range(wanted)]
    return Seq(tuple(v for v in made if v is not None))


def _item(b: Builder, parts: Value, k: int, node: gast.AST) -> Value | None:
    """An item of each lane's list or tuple."""
    inside = parts.fact.holds
    fact = fact_of_type(inside[1] if inside[0] == "list" else inside[k + 1], parts.fact.lanes)
    if fact is None:
        return None
    what = "an item of a list"
    op = Each("part", ("parts",), "", "", cost=300.0, number="python", impure=True, node=node,
              expr=quote.expr("parts[k]", k=k), what=what, why="a list is Python's own",
              note=f"a lane at a time: {what}")  # fmt: skip
    return b.let(Value(op, (parts,), fact, None, b.line))


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
