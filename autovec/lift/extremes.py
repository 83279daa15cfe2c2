"""The largest or smallest so far: ``if e > best: best = e``, with the place where it was found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.expressions import comparison, evaluate, logical
from autovec.lift.nest import Nest
from autovec.lift.poly import symbol
from autovec.lift.running_values import running_extreme
from autovec.lift.triangles import mask_of
from autovec.lift.values import Accumulator, Lane
from autovec.syntax import quote
from autovec.syntax.convert import text_of
from autovec.syntax.walking import updated, walk


@dataclass(frozen=True, eq=False)
class Extreme:
    """``if value > name: name = value; others``."""

    name: str
    value: Any
    up: bool
    others: list[Any]
    first: bool = False  # ``if name is None or value > name``


def pattern(node: Any) -> Extreme | None:
    """The search for an extreme that a statement is."""
    if isinstance(node, gast.Assign) and len(node.targets) == 1:
        target, call = node.targets[0], node.value
        if (
            isinstance(target, gast.Name) and isinstance(call, gast.Call) and not call.keywords
            and isinstance(call.func, gast.Name) and call.func.id in ("max", "min")
            and len(call.args) == 2 and isinstance(call.args[0], gast.Name)
            and call.args[0].id == target.id
        ):  # fmt: skip
            return Extreme(target.id, call.args[1], call.func.id == "max", [])
        return None
    if not isinstance(node, gast.If) or node.orelse:
        return None
    if isinstance(node.test, gast.BoolOp):
        return _from_none(node)
    if not isinstance(node.test, gast.Compare):
        return None
    if len(node.test.ops) != 1 or type(node.test.ops[0]) not in (gast.Lt, gast.Gt):
        return None
    left, right = node.test.left, node.test.comparators[0]
    up = isinstance(node.test.ops[0], gast.Gt)
    for name, value, way in ((right, left, up), (left, right, not up)):
        if not isinstance(name, gast.Name):
            continue
        sets = [
            s for s in node.body
            if isinstance(s, gast.Assign) and len(s.targets) == 1
            and isinstance(s.targets[0], (gast.Name, gast.Subscript))
        ]  # fmt: skip
        if len(sets) != len(node.body):
            return None
        own = [s for s in sets if _target(s) == name.id]
        if len(own) == 1 and text_of(own[0].value) == text_of(value):
            others = [s for s in sets if s is not own[0]]
            return Extreme(name.id, value, way, others)
    return None


def _from_none(node: Any) -> Extreme | None:
    """``if name is None or value > name: ...``."""
    first, *rest = node.test.values
    if not isinstance(node.test.op, gast.Or) or len(rest) != 1:
        return None
    if not isinstance(first, gast.Compare) or len(first.ops) != 1:
        return None
    none: Any = first.comparators[0]
    if not isinstance(first.ops[0], gast.Is) or not isinstance(none, gast.Constant):
        return None
    if none.value is not None or not isinstance(first.left, gast.Name):
        return None
    made = pattern(updated(node, test=rest[0]))
    if made is None or made.name != first.left.id:
        return None
    return replace(made, first=True)


def _target(node: Any) -> str:
    target = node.targets[0]
    return target.id if isinstance(target, gast.Name) else ""


def extreme_names(body: list[Any]) -> set[str]:
    """The names that nothing but searches for an extreme use."""
    found: dict[str, int] = {}
    for node in walk(body):
        made = pattern(node)
        if made is not None:
            found[made.name] = found.get(made.name, 0) + 2 + made.first
            for other in made.others:
                if _target(other):
                    found[_target(other)] = found.get(_target(other), 0) + 1
    uses: dict[str, int] = {}
    for node in walk(body):
        if isinstance(node, gast.Name):
            uses[node.id] = uses.get(node.id, 0) + 1
    for node in walk(body):
        made = pattern(node)
        if made is not None and isinstance(node, gast.Assign):
            found[made.name] = found.get(made.name, 0)
    return {name for name, count in found.items() if uses.get(name) == count}


def extreme_pattern(nest: Nest, node: Any) -> Extreme | None:
    """The search for an extreme, where its name is one that is carried."""
    made = pattern(node)
    if made is None:
        return None
    held = nest.env.get(made.name)
    if not isinstance(held, Accumulator) or held.op not in ("extreme", "running extreme"):
        return None
    return made


def run_extreme(nest: Nest, node: Any, found: Extreme) -> None:
    """All turns of a search for an extreme."""
    held = nest.env[found.name]
    if held.op == "running extreme":
        if text_of(node).count(found.name) < 2 or found.others:
            raise Unsupported(node, "a running extreme with its place")
        running_extreme(nest, held, found.value, found.up, node)
        return
    if held.depth:
        from autovec.lift.nearest import run_nested

        run_nested(nest, node, found, held)
        return
    if found.first or not all(_target(other) for other in found.others):
        raise Unsupported(node, "an extreme of this form")
    several = len(nest.axes) != 1 or bool(nest.masks)
    if nest.pack is not None or (several and found.others):
        raise Unsupported(node, "an extreme in a nest or under a condition")
    if nest.turns[0].down and found.others:
        raise Unsupported(node, "an extreme in a descending loop")
    value = evaluate(nest, found.value)
    if not value.axes or (several and value.axes != nest.axes):
        raise Unsupported(node, "an extreme of what does not vary")
    best = replace(held.value, expr=quote.name(found.name), poly=None)
    if best.dtype != value.dtype and not (
        best.python and best.dtype.kind == "i" and value.dtype.kind == "f"
    ):
        raise Unsupported(node, "an extreme of two types of numbers")
    plain = value.python and not (value.small and best.python and best.dtype.kind == "i")
    if value.dtype.kind not in "if" or best.dtype.kind not in "if" or plain:
        raise Unsupported(node, f"an extreme of {value.dtype}")
    if text_of(nest.text(value)).count("(") + text_of(nest.text(value)).count(" "):
        value = nest.bind("value", value)
    kind = gast.Gt if found.up else gast.Lt
    better = comparison(nest, node, kind, value, best)
    mask = mask_of(nest)
    if mask is not None:
        if not value.total:
            raise Unsupported(node, "an extreme under a condition", "its value may raise")
        better = logical(nest, "a & b", mask, better)
    holes = {"b": nest.text(better), "v": nest.text(value), "best": found.name}
    if not found.others:
        end = "max" if found.up else "min"
        better = nest.bind("better", better)
        holes["b"] = nest.text(better)
        form = f"int(v[b].{end}())" if value.python else f"v[b].{end}()"
        made = quote.stmts(f"if b.any():\n    best = {form}", **holes)
        nest.out += made
    else:
        _with_place(nest, node, found, value, better)
    held.value = Lane(
        quote.name(found.name), (), value.sample, None, True, frozenset(), None, found.name
    )


def _with_place(nest: Nest, node: Any, found: Extreme, value: Lane, better: Lane) -> None:
    """The extreme and what was set beside it, for the first turn that has it."""
    turn = nest.turns[0]
    better = nest.bind("better", better)
    if value.named is None and not isinstance(value.expr, gast.Name):
        value = nest.bind("value", value)
    end = "argmax" if found.up else "argmin"
    place = nest.namer.fresh("k")
    body: list[gast.stmt] = [
        quote.stmt(
            f"k = int(np.where(b, v, best).{end}())",
            k=place, b=nest.text(better), v=nest.text(value), best=found.name,
        )
    ]  # fmt: skip
    for other in found.others:
        wanted: str = other.targets[0].id
        lane = evaluate(nest, other.value)
        if lane.poly is not None and lane.axes:
            if turn.step != 1:
                raise Unsupported(node, "an extreme in a loop that strides")
            facts = nest.facts
            facts.symbols.text[turn.sym] = quote.name(place)
            text = facts.render(lane.poly.replaced(turn.sym, _plus(turn)))
            del facts.symbols.text[turn.sym]
        elif lane.axes:
            text = quote.expr("x[k]", x=nest.text(lane), k=place)
        else:
            text = nest.text(lane)
        body.append(quote.stmt("t = e", t=wanted, e=text))
        nest.env[wanted] = replace(lane, expr=quote.name(wanted), axes=(), poly=None, named=wanted)
        held = nest.env.get(wanted)
        assert isinstance(held, Lane)
        nest.env[wanted] = Accumulator(wanted, "extreme", held, 0, held)
    form = "best = int(v[k])" if value.python else "best = v[k]"
    body.append(quote.stmt(form, best=found.name, v=nest.text(value), k=place))
    made: Any = quote.stmt("if b.any():\n    body", b=nest.text(better), body=body)
    nest.out.append(made)


def _plus(turn: Any) -> Any:
    return symbol(turn.sym) + turn.low
