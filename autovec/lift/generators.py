"""``sum``, ``any``, ``all`` of a generator and list comprehensions, as the loops that they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.syntax import quote
from autovec.syntax.build import branch
from autovec.syntax.convert import text_of
from autovec.syntax.names import Namer
from autovec.syntax.scope import assigned_names, free_names
from autovec.syntax.visit import replace_names
from autovec.syntax.walking import children, located, updated, walk

_FORMS = {
    sum: ("total = 0", "total += e", False),
    any: ("found = False", "found = True", True),
    all: ("fine = True", "fine = False", True),
}
_PLAIN = (
    gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Tuple, gast.operator, gast.unaryop,
    gast.Attribute,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Spelled:
    """A statement before which a loop computes what its generator gave."""

    start: Any
    loop: Any
    statement: Any
    name: str


def spelled(walker: Any, node: Any) -> Spelled | None:
    """The statement's one generator as a loop before it; None where it has none that fits."""
    value = getattr(node, "value", None)
    if not isinstance(node, (gast.Return, gast.Assign)) or value is None:
        return None
    found: list[Any] = [n for n in walk([value]) if _fits(walker, n)]
    if len(found) != 1:
        return None
    made = found[0]
    if not _first(value, made):
        return None
    if isinstance(made, gast.ListComp):
        start, update, stops, part = "out = []", "out.append(e)", False, made
    elif walker.scope.find(made.func) in (max, min):
        return _largest(walker, node, made)
    else:
        start, update, stops = _FORMS[walker.scope.find(made.func)]
        part = made.args[0]
    wanted = start.split()[0]
    name = _fresh(walker, wanted)
    part = _renamed(walker, part)
    leaf: list[Any]
    if stops:
        test = part.elt
        if wanted == "fine":
            test = quote.expr("not t", t=test)
        leaf = [
            branch(test, [quote.stmt(update.replace(wanted, "r"), r=name), *quote.stmts("break")])
        ]
    else:
        leaf = quote.stmts(update.replace(wanted, "r"), r=name, e=part.elt)
    loop: list[Any] = leaf
    for clause in reversed(part.generators):
        for test in reversed(clause.ifs):
            loop = [branch(test, loop)]
        loop = quote.stmts("for i in x:\n    body", i=clause.target, x=clause.iter, body=loop)
    if stops and (len(part.generators) > 1 or part.generators[0].ifs):
        return None
    first = quote.stmt(start.replace(wanted, "r"), r=name)
    for new in (first, *loop):
        located(new, node)
    whole = _replaced(value, made, quote.name(name))
    return Spelled(first, loop[0], updated(node, value=whole), name)


def _largest(walker: Any, node: Any, made: Any) -> Spelled:
    """``max(e for v in x)``: the first one, and those that are larger than all before.

    Of nothing it raises: so does the first item of an array.
    """
    part = _renamed(walker, made.args[0])
    [clause, *more] = part.generators
    first = None if more or clause.ifs else first_items(walker, clause.target, clause.iter)
    if first is None or not _reads_first(part.elt, clause.target, first):
        raise Unsupported(made, "max or min of this generator")
    up = walker.scope.find(made.func) is max
    name = _fresh(walker, "best")
    start = quote.stmt("r = e", r=name, e=replace_names(part.elt, first))
    test = quote.expr("e > r" if up else "e < r", e=part.elt, r=name)
    body = branch(test, [quote.stmt("r = e", r=name, e=part.elt)])
    loop = quote.stmt("for i in x:\n    body", i=clause.target, x=clause.iter, body=[body])
    for new in (start, loop):
        located(new, node)
    walker.made.risky = True
    whole = _replaced(node.value, made, quote.name(name))
    return Spelled(start, loop, updated(node, value=whole), name)


def _reads_first(item: Any, target: Any, first: dict[str, Any]) -> bool:
    """Does the first item raise where there is none?"""
    counted = first.pop("", None)
    if counted is not None:
        wanted = text_of(quote.expr("x[i]", x=counted.value, i=target))
        return any(isinstance(n, gast.Subscript) and text_of(n) == wanted for n in walk([item]))
    return {n for n, e in first.items() if isinstance(e, gast.Subscript)} <= free_names(item)


def first_items(walker: Any, target: Any, source: Any) -> dict[str, Any] | None:
    """What the targets of a loop are in its first turn; None where that is not certain."""
    if isinstance(source, gast.Name) and isinstance(target, gast.Name):
        return {target.id: quote.expr("x[0]", x=source)}
    obj = walker.scope.called(source)
    if obj is zip and isinstance(target, gast.Tuple) and len(target.elts) == len(source.args):
        found = [first_items(walker, t, s) for t, s in zip(target.elts, source.args, strict=True)]
        parts = [p for p in found if p is not None]
        return {k: v for p in parts for k, v in p.items()} if len(parts) == len(found) else None
    if obj is enumerate and isinstance(target, gast.Tuple) and len(source.args) == 1:
        inner = first_items(walker, target.elts[1], source.args[0])
        index = target.elts[0]
        if inner is not None and isinstance(index, gast.Name):
            return {**inner, index.id: quote.const(0)}
    if obj is range and isinstance(target, gast.Name) and len(source.args) == 1:
        stop: Any = source.args[0]
        if walker.scope.called(stop) is len:
            return {target.id: quote.const(0), "": quote.expr("x[0]", x=stop.args[0])}
    return None


def _fits(walker: Any, node: Any) -> bool:
    if isinstance(node, gast.ListComp):
        return not any(c.is_async for c in node.generators)
    return (
        isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords
        and isinstance(node.args[0], gast.GeneratorExp)
        and (obj := walker.scope.find(node.func)) is not None
        and (obj in _FORMS or obj in (max, min))
    )  # fmt: skip


def _first(value: Any, made: Any) -> bool:
    """Nothing else in the expression does anything that the loop could come after."""
    stack = [value]
    while stack:
        node = stack.pop()
        if node is made:
            continue
        call = isinstance(node, gast.Call) and len(node.args) == 1 and node.args[0] is made
        if call:
            stack += node.keywords and [k.value for k in node.keywords]
            continue
        if not isinstance(node, _PLAIN):
            return False
        stack += list(children(node))
    return True


def _fresh(walker: Any, wanted: str) -> str:
    name = Namer(walker.taken).fresh(wanted)
    walker.taken.add(name)
    return name


def _renamed(walker: Any, part: Any) -> Any:
    """The generator with variables that are no names of the function."""
    own: set[str] = set()
    for clause in part.generators:
        own |= assigned_names(clause.target)
    inside = {id(n) for n in walk([part])}
    outside = {
        n.id for n in walk(walker.made.tree.body)
        if isinstance(n, gast.Name) and id(n) not in inside
    }  # fmt: skip
    outside |= {n.id for n in walk([walker.made.tree.args]) if isinstance(n, gast.Name)}
    clash = sorted(own & outside)
    if not clash:
        return part
    if len(part.generators) > 1:
        raise Unsupported(part, "a generator whose variables are names of the function")
    clause = part.generators[0]
    names = {name: _fresh(walker, name) for name in clash}
    swap = {old: quote.name(new) for old, new in names.items()}
    renamed = updated(
        clause, target=_targets(clause.target, names),
        ifs=[replace_names(t, swap) for t in clause.ifs],
    )  # fmt: skip
    return updated(part, elt=replace_names(part.elt, swap), generators=[renamed])


def _targets(target: Any, names: dict[str, str]) -> Any:
    if isinstance(target, gast.Name):
        return updated(target, id=names.get(target.id, target.id))
    return updated(target, elts=[_targets(t, names) for t in target.elts])


def _replaced(node: Any, old: Any, new: Any) -> Any:
    """The expression with one node replaced."""
    if node is old:
        return new
    changes: dict[str, Any] = {}
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, gast.AST):
            changes[field] = _replaced(value, old, new)
        elif isinstance(value, list):
            changes[field] = [
                _replaced(v, old, new) if isinstance(v, gast.AST) else v for v in value
            ]
    return updated(node, **changes)
