"""Statements: assignment, branches, returns, raises, local functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autovec.canonical.match import without_match
from autovec.errors import Unsupported
from autovec.program.build import Builder, describe, statement
from autovec.program.functions import add_return, make_local
from autovec.program.operators import SIGNS, binary
from autovec.program.truth import literal, negated, truth, unpacked
from autovec.program.values import (
    NONE,
    Check,
    Const,
    Exit,
    Known,
    Map,
    Raise,
    Record,
    Seq,
    Thing,
    Unbound,
    Value,
)
from autovec.syntax import quote
from autovec.syntax.visit import free_names


@statement(gast.Assign)
def assign(b: Builder, node: gast.Assign) -> None:
    """``a = b = value``: the value once, then each target from the left."""
    thing = b.expr(node.value)
    for target in node.targets:
        store(b, target, thing)


@statement(gast.AnnAssign)
def annotated(b: Builder, node: gast.AnnAssign) -> None:
    """``name: type = value``; the annotation says nothing of the value."""
    if node.value is not None:
        thing = b.expr(node.value)
        store(b, node.target, thing)


def store(b: Builder, target: gast.expr, thing: Thing) -> None:
    """Bind a target: a name, or a nest of names."""
    if isinstance(target, gast.Name):
        b.env[target.id] = named(b, thing, target.id)
        return
    if isinstance(target, (gast.Tuple, gast.List)):
        unpack(b, target, thing)
        return
    if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
        base = b.env.get(target.value.id)
        key: Any = (
            literal(b.expr(target.slice)) if not isinstance(target.slice, gast.Slice) else None
        )
        if isinstance(base, Map) and isinstance(key, (str, int, float, bool)):
            b.env[target.value.id] = Map({**base.items, key: thing})
            return
        mutable = isinstance(base, Seq) and base.kind is list and isinstance(key, int)
        if mutable and -len(base.items) <= key < len(base.items):
            items = list(base.items)
            items[key] = thing
            _refuse_shared(b, target.value.id, base, target)
            b.env[target.value.id] = Seq(tuple(items), list)
            return
    raise Unsupported(
        target, "a store into an object", "only names and small local containers can be assigned"
    )


def _refuse_shared(b: Builder, name: str, base: Thing, node: gast.AST) -> None:
    """A container that two names hold would have to change under both."""
    if any(other is base for n, other in b.env.items() if n != name):
        raise Unsupported(
            node,
            f"a store into {name}, which another name holds, too",
            "it would change under both",
        )


def named(b: Builder, thing: Thing, name: str) -> Thing:
    """Give a value the user's name for it, if it has none yet."""
    if isinstance(thing, Value) and thing.origin is None and not isinstance(thing.op, Const):
        thing.origin = name
    return thing


def unpack(b: Builder, target: gast.Tuple | gast.List, thing: Thing) -> None:
    """``a, b = value``, with at most one starred name."""
    thing = unpacked(b, thing)
    if isinstance(thing, Map):
        thing = Seq(tuple(b.const(k) for k in thing.items))
    if not isinstance(thing, Seq):
        raise Unsupported(target, f"unpacking {describe(thing)}", "its length is not known")
    stars = [k for k, e in enumerate(target.elts) if isinstance(e, gast.Starred)]
    count, given = len(target.elts), len(thing.items)
    if (not stars and count != given) or (stars and count - 1 > given):
        raise Unsupported(
            target, f"unpacking {given} values into {count} names", "Python raises ValueError"
        )
    if not stars:
        for e, item in zip(target.elts, thing.items, strict=True):
            store(b, e, item)
        return
    k = stars[0]
    after = count - k - 1
    for e, item in zip(target.elts[:k], thing.items, strict=False):
        store(b, e, item)
    store(b, target.elts[k].value, Seq(thing.items[k : given - after], list))
    for e, item in zip(target.elts[k + 1 :], thing.items[given - after :], strict=True):
        store(b, e, item)


@statement(gast.AugAssign)
def augmented(b: Builder, node: gast.AugAssign) -> None:
    """``name op= value``: scalars are immutable, so it rebinds."""
    read = quote.in_context(node.target, gast.Load())
    base = b.expr(read)
    value = b.expr(node.value)
    sign = SIGNS[type(node.op)]
    if isinstance(base, Seq) and sign == "+" and isinstance(value, Seq):
        if base.kind is list and isinstance(node.target, gast.Name):
            _refuse_shared(b, node.target.id, base, node)
        made: Thing = Seq((*base.items, *value.items), base.kind)
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
            item = unpacked(b, b.expr(v.args[0]))
            _refuse_shared(b, name, base, node)
            if v.func.attr == "append":
                b.env[name] = Seq((*base.items, item), list)
                return
            if isinstance(item, Seq):
                b.env[name] = Seq((*base.items, *item.items), list)
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
    test = truth(b, b.expr(node.test), node.test)
    b.branch(test, side(b, node.body), side(b, node.orelse), node)


def side(b: Builder, body: list[gast.stmt]) -> Callable[[], None]:
    """One side of a branch."""
    return lambda: b.statements(body)


@statement(gast.Return)
def return_(b: Builder, node: gast.Return) -> None:
    """These lanes are done."""
    if b.loops:
        raise Unsupported(
            node, "return inside a loop", "lanes that leave a loop one by one come later"
        )
    if node.value is None:
        add_return(b, NONE)
        return
    thing = b.expr(node.value)
    _no_escape(b, thing, node)
    add_return(b, thing)


def _no_escape(b: Builder, thing: Thing, node: gast.AST) -> None:
    if isinstance(thing, Known) and type(thing.obj) in (tuple, list):
        raise Unsupported(
            node, f"{describe(thing)} as the result", "a batch of it has no one structure"
        )


@statement(gast.Raise)
def raise_(b: Builder, node: gast.Raise) -> None:
    """Raise for the first of these lanes, the message made from that lane's own values."""
    if b.attempts:
        raise Unsupported(node, "raise inside try", "it is not followed to the handler")
    if node.exc is None:
        raise Unsupported(node, "raise without an exception", "there is none to raise again")
    b.add(Raise(node.exc, node.cause, captured(b, node), b.line))


def captured(b: Builder, *nodes: gast.AST | None) -> dict[str, Thing]:
    """The things that an exception's expression reads, by name."""
    found: dict[str, Thing] = {}
    for node in nodes:
        for name in sorted(free_names(node)) if node is not None else ():
            thing = b.env.get(name)
            if name in b.env or name in b.locals:
                if thing is None or (isinstance(thing, Unbound) and thing.value is None):
                    raise Unsupported(
                        node,
                        f"{name} is read before it is assigned",
                        "Python raises UnboundLocalError",
                    )
                thing = thing.value if isinstance(thing, Unbound) else thing
                if isinstance(thing, (Value, Seq, Map, Record)) or (
                    isinstance(thing, Known) and _plain(thing)
                ):
                    assert thing is not None
                    found[name] = thing
                    continue
                raise Unsupported(
                    node, f"{describe(thing)} in an exception", "it is known only while compiling"
                )
            _capture_free(b, name, node)
    return found


def _plain(thing: Known) -> bool:
    return thing.expr is not None or thing.obj is None


def _capture_free(b: Builder, name: str, node: gast.AST) -> None:
    from autovec.program.atoms import free_name

    thing = free_name(b, name, node)
    if isinstance(thing, Known) and hasattr(thing.obj, "__code__"):
        raise Unsupported(
            node, f"{name}() in an exception", "a function is not called for one lane"
        )


@statement(gast.Assert)
def assert_(b: Builder, node: gast.Assert) -> None:
    """Raise AssertionError for the first lane whose test fails."""
    test = truth(b, b.expr(node.test), node.test)
    message = [] if node.msg is None else [node.msg]
    exc = quote.expr("AssertionError(*message)", message=message)
    error = Raise(exc, None, captured(b, node.msg), b.line)
    if isinstance(test.op, Const):
        if not test.op.value:
            b.add(error)
        return
    if b.attempts:
        raise Unsupported(node, "assert inside try", "it is not followed to the handler")
    b.add(Check(negated(b, test), error, b.line))


@statement(gast.FunctionDef)
def local_function(b: Builder, node: gast.FunctionDef) -> None:
    """A def inside the function, compiled where it is called."""
    if node.decorator_list:
        raise Unsupported(
            node, f"a decorator on the local function {node.name}", "it would have to run"
        )
    b.env[node.name] = make_local(b, node, node.name)


@statement(gast.Break, gast.Continue)
def leave(b: Builder, node: gast.Break | gast.Continue) -> None:
    """``break`` or ``continue``, where all lanes agree on it."""
    if not b.loops or b.loops[-1] == "varying":
        raise Unsupported(
            node,
            f"{type(node).__name__.lower()} on some lanes only",
            "lanes that leave a loop one by one come later",
        )
    b.add(Exit(type(node).__name__.lower(), b.line))


@statement(gast.Match)
def match(b: Builder, node: gast.Match) -> None:
    """``match`` on values: a chain of branches."""
    subject = "subject"
    while subject in b.locals:
        subject += "_"
    b.statements(without_match(node, subject))
    b.env.pop(subject, None)
