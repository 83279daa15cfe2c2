"""Statements: assignment, branches, returns, raises, local functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast

from autovec.canonical.match import without_match
from autovec.errors import Unsupported
from autovec.program.binding import refuse_shared, store
from autovec.program.build import Builder, statement
from autovec.program.functions import add_return
from autovec.program.guarded import unwind
from autovec.program.marks import Mark
from autovec.program.nodes import Exit
from autovec.program.operators import SIGNS, binary
from autovec.program.tables import unpacked
from autovec.program.things import NONE, Known, Seq, Thing, Unbound, any_maybe, describe
from autovec.program.truth import condition
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.walking import located


@statement(gast.Assign)
def assign(b: Builder, node: gast.Assign) -> None:
    """``a = b = value``: the value once, then each target from the left."""
    apart = len(node.targets) == 1 and isinstance(node.targets[0], (gast.Tuple, gast.List))
    thing = b.iterable(node.value) if apart else b.expr(node.value)
    for target in node.targets:
        store(b, target, thing)


@statement(gast.AnnAssign)
def annotated(b: Builder, node: gast.AnnAssign) -> None:
    """``name: type = value``; the annotation says nothing of the value."""
    if node.value is not None:
        thing = b.expr(node.value)
        store(b, node.target, thing)


@statement(gast.AugAssign)
def augmented(b: Builder, node: gast.AugAssign) -> None:
    """``name op= value``: scalars are immutable, so it rebinds."""
    read = quote.in_context(node.target, gast.Load())
    base = b.expr(read)
    value = b.expr(node.value)
    sign = SIGNS[type(node.op)]
    if isinstance(base, Seq) and sign == "+" and isinstance(value, Seq):
        if base.kind is list and isinstance(node.target, gast.Name):
            refuse_shared(b, node.target.id, base, node)
            made: Thing = replace(base, items=(*base.items, *value.items))
        else:
            made = Seq((*base.items, *value.items), base.kind)
    else:
        made = binary(b, sign, b.as_value(base, node.target), b.as_value(value, node.value), node)
    store(b, node.target, made)


@statement(gast.Expr)
def expression_statement(b: Builder, node: gast.Expr) -> None:
    """A docstring, a call for its checks, or ``list.append``."""
    v = node.value
    if isinstance(v, gast.Constant):
        return
    if (
        isinstance(v, gast.Call)
        and isinstance(v.func, gast.Attribute)
        and isinstance(v.func.value, gast.Name)
    ):
        name = v.func.value.id
        base = b.env.get(name)
        if (
            isinstance(base, Seq)
            and base.kind is list
            and v.func.attr in ("append", "extend")
            and len(v.args) == 1
        ):
            extends = v.func.attr == "extend"
            item = unpacked(b, b.iterable(v.args[0]) if extends else b.expr(v.args[0]))
            refuse_shared(b, name, base, node)
            if not extends:
                b.env[name] = replace(base, items=(*base.items, item))
                return
            if isinstance(item, Seq):
                b.env[name] = replace(base, items=(*base.items, *item.items))
                return
    b.expr(v)


@statement(gast.Pass, gast.Import, gast.ImportFrom)
def nothing(b: Builder, node: gast.stmt) -> None:
    """``pass``; an import inside the function is refused with a way out."""
    if not isinstance(node, gast.Pass):
        raise Unsupported(
            node,
            "an import inside the function",
            "it would run code",
            "import at the top of the module",
        )


@statement(gast.Delete)
def delete(b: Builder, node: gast.Delete) -> None:
    """``del name``."""
    for target in node.targets:
        if not isinstance(target, gast.Name) or target.id not in b.env:
            raise Unsupported(node, "del of an item", "only names can be deleted")
        b.expr(quote.in_context(target, gast.Load()))
        b.env[target.id] = Unbound(target.id)


@statement(gast.If)
def if_(b: Builder, node: gast.If) -> None:
    """A branch: each side for its own lanes, tests inside a side for that side's lanes only."""
    test = condition(b, node.test)
    b.branch(test, side(b, node.body), side(b, node.orelse), node)


def side(b: Builder, body: list[gast.stmt]) -> Callable[[], None]:
    """One side of a branch."""
    return lambda: b.statements(body)


@statement(gast.Return)
def return_(b: Builder, node: gast.Return) -> None:
    """These lanes are done."""
    if node.value is None:
        unwind(b, 0, lambda: add_return(b, NONE))
        return
    mark = Mark(b)
    thing = b.expr(node.value)
    if any_maybe(thing) and isinstance(node.value, gast.IfExp):
        mark.restore(b)
        then, orelse = (
            side(b, [located(quote.stmt("return value", value=e), node)])
            for e in (node.value.body, node.value.orelse)
        )
        b.branch(condition(b, node.value.test), then, orelse, node)
        return
    _no_escape(thing, node)
    unwind(b, 0, lambda: add_return(b, thing))


def _no_escape(thing: Thing, node: gast.AST) -> None:
    if isinstance(thing, Known) and type(thing.obj) in (tuple, list):
        raise Unsupported(
            node, f"{describe(thing)} as the result", "a batch of it has no one structure"
        )


@statement(gast.Break)
def leave(b: Builder, node: gast.Break) -> None:
    """``break``: these lanes leave the loop with what the names hold here."""
    if not b.loops:
        raise Unsupported(node, "break in a loop that is written out", "its lanes leave one by one")
    unwind(b, b.loops[-1], lambda: b.add(Exit(b.line, dict(b.env))))


@statement(gast.Match)
def match(b: Builder, node: gast.Match) -> None:
    """``match`` on values: a chain of branches."""
    subject = f"{HIDDEN}{HIDDEN}subject"
    b.statements(without_match(node, subject))
    b.env.pop(subject, None)
