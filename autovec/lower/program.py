"""One program, lowered: the statements of its def."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import gast

from autovec.lower.analysis import speculates
from autovec.lower.explaining import notes
from autovec.lower.expressions import names_in
from autovec.lower.frames import MARK_DTYPE, MARK_SIZE
from autovec.lower.inlining import inline_once
from autovec.lower.lowering import lower_nodes
from autovec.lower.naming import numbered
from autovec.lower.shapes import Rewrite
from autovec.lower.writer import NeedFlat, Writer
from autovec.program.functions import Program
from autovec.program.noted import Note
from autovec.program.things import Seq, leaves
from autovec.program.values import Param, Value
from autovec.syntax import quote
from autovec.syntax.build import starred
from autovec.syntax.convert import text_of
from autovec.syntax.visit import replace_names


@dataclass(frozen=True)
class Lowered:
    """A def's statements; ``flat``: for arrays of one axis only; ``quiet``: departure 3 applies."""

    body: list[gast.stmt]
    flat: bool
    quiet: bool
    notes: list[Note] = field(default_factory=list)


def lower_program(
    program: Program, taken: set[str], flat: bool, renames: dict[str, str]
) -> Lowered:
    """Write a program's statements: first for arrays of any shapes, flattened only if it packs.

    ``renames``: what helpers are called that have the name of something of the user's.
    """
    keep = False
    flat = flat or (program.layout == "lanes" and not program.twin)
    for _ in range(4):
        w = Writer(program, flat, taken, keep, renames)
        try:
            lower_nodes(w, program.body.nodes)
        except NeedFlat:
            flat = True
            continue
        except Rewrite:
            keep = True
            continue
        return finish(w, program)
    raise AssertionError("a program settles after it is flattened once")


def finish(w: Writer, program: Program) -> Lowered:
    """The root's marks resolved, the arguments broadcast and flattened where the text packs."""
    body = inline_once(w.body, w.unnamed)
    head: list[gast.stmt] = []
    if w.flat and program.layout == "broadcast" and not program.twin and varying(program):
        head += flatten(program, w.shape_word)
    known = set(direct(program)) if w.flat else set(program.columns)
    head_dtypes, body = with_dtypes(body, w.reassigned, known, column_texts(program))
    head += head_dtypes
    if w.size_reads:
        source = first_varying(program)
        size = quote.expr("len(x)", x=source)
        name = source.id if isinstance(source, gast.Name) else None
        reads = sum(getattr(n, "id", None) == MARK_SIZE for s in body for n in gast.walk(s))
        if reads > 1 or name in w.reassigned:
            head.append(quote.stmt("n = size", n=w.size_name, size=size))
            size = quote.name(w.size_name)
        body = [replace_names(s, {MARK_SIZE: size}) for s in body]
    if program.layout == "broadcast" and not program.twin and not w.flat and array_only(body):
        arrays = (n for n in direct(program) if n not in program.columns)
        head += [quote.stmt("x = np.asarray(x)", x=n) for n in arrays]
    columns = [quote.stmt("x = column", x=n, column=c) for n, c in program.columns.items()]
    head = [*numbers(program, body), *columns, *head]
    needed = w.flat and (program.twin or program.layout == "broadcast")
    flat = w.partial or bool(w.size_reads) or needed
    return Lowered([*head, *body], flat, w.quiet or speculates(program.body), notes(w))


def column_texts(program: Program) -> dict[str, str]:
    """The text that reads a column of a table, and the array's own name."""
    calls = ((name, expr) for name, expr in program.columns.items() if isinstance(expr, gast.Call))
    return {text_of(call.args[0]): name for name, call in calls}


def with_dtypes(
    body: list[gast.stmt], reassigned: set[str], arrays: set[str], columns: dict[str, str]
) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """Dtypes that are known when the text runs: in place, or under a name before the body.

    What is read often has a name, and what is made of parameters whose names are given away.
    """
    names = [n.id for s in body for n in gast.walk(s) if isinstance(n, gast.Name)]
    counts = Counter(n for n in names if n.startswith(MARK_DTYPE))
    head: list[gast.stmt] = []
    found: dict[str, gast.expr | str] = {}
    for mark, count in counts.items():
        text = bytes.fromhex(mark.removeprefix(MARK_DTYPE)).decode()
        for column, own in columns.items():
            text = text.replace(column, own)
        expr = quote.expr(text)
        operands = expr.args if isinstance(expr, gast.Call) else []
        if len(operands) == 1 and names_in(expr) - {"np"} <= arrays:
            expr = quote.expr("x.dtype", x=operands[0])
        if count == 1 and not names_in(expr) & reassigned:
            found[mark] = expr
            continue
        name = numbered("dtype", lambda n: n not in {*names, *map(str, found.values())})
        head.append(quote.stmt("name = dtype", name=name, dtype=expr))
        found[mark] = name
    return head, [replace_names(s, found) for s in body] if found else body


def numbers(program: Program, body: list[gast.stmt]) -> list[gast.stmt]:
    """The numbers that the user gave names which the text reads."""
    read = {n.id for s in body for n in gast.walk(s) if isinstance(n, gast.Name)}
    made: list[gast.stmt] = []
    for name, number in reversed(program.numbers.items()):
        if name in read:
            read |= {n.id for n in gast.walk(number.written) if isinstance(n, gast.Name)}
            made.append(quote.stmt("name = value", name=name, value=number.written))
            made[-1].lineno = number.line
    return made[::-1]


def array_only(body: list[gast.stmt]) -> bool:
    """Does the text need arrays, not scalars (``~`` of a Python bool is an int)?"""
    for statement in body:
        for node in gast.walk(statement):
            if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Invert):
                return True
            if isinstance(node, gast.Attribute) and node.attr in ("astype", "copy"):
                return True
    return False


def direct(program: Program) -> list[str]:
    """The parameters that are arrays themselves."""
    return [n for n in varying(program) if isinstance(program.things[n], Value)]


def varying(program: Program) -> list[str]:
    """The names of the parameters that vary."""
    return [n for n, t in program.things.items() if any(v.varying for v in leaves(t))]


def first_varying(program: Program) -> gast.expr:
    """An expression of one argument over the lanes."""
    for name, thing in program.things.items():
        for v in leaves(thing):
            if v.varying:
                return quote.name(name) if isinstance(v.op, Param) else v.op.expr  # type: ignore[union-attr]
    raise AssertionError("a program that packs has a varying parameter")


def flatten(program: Program, shape: str) -> list[gast.stmt]:
    """Broadcast the varying arguments and flatten them; remember the shape."""
    names: list[gast.expr] = []
    for name in varying(program):
        thing = program.things[name]
        if isinstance(thing, Value):
            names.append(quote.name(name))
        elif isinstance(thing, Seq) and all(
            isinstance(t, Value) and t.varying for t in thing.items
        ):
            names.append(starred(quote.name(name)))
        else:
            raise NotImplementedError(name)
    if len(names) == 1 and isinstance(names[0], gast.Name):
        return quote.stmts("shape, x = np.shape(x), np.ravel(x)", shape=shape, x=names[0])
    if all(isinstance(n, gast.Name) for n in names):
        ravels = [quote.expr("x.ravel()", x=n) for n in names]
        return quote.stmts(
            "(*names,) = np.broadcast_arrays(*names)\nshape, *names = first.shape, *ravels",
            names=names, shape=shape, first=names[0], ravels=ravels,
        )  # fmt: skip
    both = quote.expr("(*names,)", names=names)
    return quote.stmts(
        "shape = np.broadcast_shapes(*map(np.shape, both))\n"
        "targets = (np.ravel(a) for a in np.broadcast_arrays(*names))",
        shape=shape, both=both, targets=quote.in_context(both, gast.Store()), names=names,
    )  # fmt: skip
