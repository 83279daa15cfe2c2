"""Statements: assignment, branches, returns, raises, local functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast

from autovec.canonical.match import without_match
from autovec.errors import Unsupported
from autovec.program.arrays.operands import is_array, operand
from autovec.program.arrays.stores import update, update_item
from autovec.program.binding import array_target, bounds, store, store_item
from autovec.program.build import Builder, statement
from autovec.program.functions import add_return
from autovec.program.guarded import unwind
from autovec.program.lists import change, current, items_of, known_key, position
from autovec.program.marks import Mark
from autovec.program.nodes import Exit
from autovec.program.operators import SIGNS, binary
from autovec.program.things import (
    NONE,
    Conflict,
    Known,
    Map,
    Seq,
    Thing,
    Unbound,
    any_maybe,
    describe,
    literal,
)
from autovec.program.truth import condition
from autovec.program.values import Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.walking import located, updated


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
    """``name op= value``: scalars are immutable, so it rebinds; a list changes."""
    target = node.target
    if isinstance(target, gast.Subscript):
        array, parts = array_target(b, target)
        if array is not None:
            update_item(b, array, parts, SIGNS[type(node.op)], node)
            return
    hidden = f"{HIDDEN}{HIDDEN}index"
    if isinstance(target, gast.Subscript) and not isinstance(target.slice, (gast.Slice, gast.Name)):
        b.env[hidden] = b.expr(target.slice)  # once
        target = gast.copy_location(updated(target, slice=quote.name(hidden)), target)
    base = b.expr(quote.in_context(target, gast.Load()))
    sign = SIGNS[type(node.op)]
    through = isinstance(base, Seq) and base.kind is list and sign == "+"
    value = b.iterable(node.value) if through else b.expr(node.value)
    if isinstance(base, Seq) and base.kind is list and sign in "+*":
        made: Thing = extended_list(b, base, sign, value, node)
    elif isinstance(base, Seq) and sign == "+" and isinstance(value, Seq):
        made = Seq((*base.items, *value.items), base.kind)
    elif isinstance(base, Value) and base.fact.rank and isinstance(target, gast.Name):
        update(b, base, sign, operand(b, value, node.value), node)
        return
    else:
        left = operand(b, base, node.target) if is_array(base) else b.as_value(base, node.target)
        right = operand(b, value, node.value) if is_array(value) else b.as_value(value, node.value)
        made = binary(b, sign, left, right, node)
    if isinstance(target, gast.Subscript):
        store_item(b, target, made, read=True)
    else:
        store(b, target, made)
    b.env.pop(hidden, None)


def extended_list(b: Builder, base: Seq, sign: str, value: Thing, node: gast.AST) -> Thing:
    """``values += others`` and ``values *= 2`` change the list itself."""
    count = literal(value)
    base = current(b, base)
    if sign == "+":
        items = (*base.items, *items_of(b, value, node))
    elif isinstance(count, int):
        items = base.items * count
    else:
        raise Unsupported(node, "a list repeated this often", "its length is not known")
    made = replace(base, items=items)
    change(b, base, made, node)
    return made


@statement(gast.Expr)
def expression_statement(b: Builder, node: gast.Expr) -> None:
    """A docstring, or a call for its checks and changes."""
    if not isinstance(node.value, gast.Constant):
        b.expr(node.value)


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
        if isinstance(target, gast.Subscript):
            delete_item(b, target)
            continue
        if not isinstance(target, gast.Name) or target.id not in b.env:
            raise Unsupported(node, "del of this", "only names and items can be deleted")
        b.expr(quote.in_context(target, gast.Load()))
        b.env[target.id] = Unbound(target.id)


def delete_item(b: Builder, target: gast.Subscript) -> None:
    """``del values[0]``, of a list or dict made in the function."""
    base = b.expr(target.value)
    if isinstance(base, Seq) and base.kind is list:
        items = list(base.items)
        if isinstance(target.slice, gast.Slice):
            del items[bounds(b, target.slice, target)]
        else:
            key = position(b.expr(target.slice), target)
            if not -len(items) <= key < len(items):
                raise Unsupported(target, f"del of item {key}", "Python raises IndexError")
            del items[key]
        change(b, base, replace(base, items=tuple(items)), target)
        return
    if isinstance(base, Map):
        key = known_key(b.expr(target.slice), target)
        if key in base.items:
            kept = {k: v for k, v in base.items.items() if k != key}
            change(b, base, replace(base, items=kept), target)
            return
    raise Unsupported(target, f"del of an item of {describe(base)}", "it is not known to be there")


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
    if isinstance(node.value, gast.IfExp) and (any_maybe(thing) or isinstance(thing, Conflict)):
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
