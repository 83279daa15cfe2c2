"""Sums, products and counts: a name that every turn updates and nothing else in the loop reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.branches import pack
from autovec.lift.contractions import contraction
from autovec.lift.expressions import binary, chosen, evaluate
from autovec.lift.extremes import extreme_names, pattern
from autovec.lift.facts import Facts
from autovec.lift.integers import summable
from autovec.lift.live import carried
from autovec.lift.nest import Nest
from autovec.lift.poly import Poly, symbol
from autovec.lift.resets import resets
from autovec.lift.running_values import read_after, running_total
from autovec.lift.shared import by_row, counted, in_all_turns
from autovec.lift.triangles import cornered, mask_of
from autovec.lift.updates import Update, augmented_only, update_of
from autovec.lift.values import Accumulator, Arr, Lane, Nothing, Turn, constant
from autovec.syntax import quote
from autovec.syntax.build import axis_argument, branch
from autovec.syntax.convert import text_of
from autovec.syntax.scope import assigned_names
from autovec.syntax.walking import updated, walk


def accumulators(
    nest: Nest, turn: Turn, body: list[Any], depth: int, held: set[str], live: frozenset[str]
) -> dict[str, Any]:
    """What each carried name is while the loop runs; refused if one of them is not recognised."""
    found: dict[str, Any] = {}
    extremes = extreme_names(body)
    for wanted in sorted(carried(body, live) - assigned_names(turn.node.target)):
        if wanted in held or wanted in nest.lists:
            continue
        before = nest.lookup(wanted)
        if isinstance(before, Nothing) and wanted in extremes and depth:
            none = constant(0)
            found[wanted] = Accumulator(
                wanted, "extreme", none, depth, none, pack=nest.pack, empty=True
            )
            continue
        if not isinstance(before, Lane):
            if before is not None and wanted not in assigned_names(body):
                continue
            if isinstance(before, Arr) and wanted in augmented_only(body):
                continue  # an update in place of a whole array
            raise Unsupported(turn.node, f"{wanted} is carried from turn to turn")
        step = induction(nest, turn, body, wanted)
        if step is not None and before.poly is not None and not (turn.within or turn.row):
            trips = symbol(turn.sym) - turn.low
            if turn.down or turn.step != 1:
                raise Unsupported(turn.node, f"{wanted} counts turns of a loop that strides")
            found[wanted] = replace(before, expr=None, poly=before.poly + trips * step)
            found[wanted] = replace(found[wanted], axes=(turn.sym,))
            continue
        op = _one_kind(body, wanted)
        if op is None and wanted in extremes:
            op = "extreme"
        if op is None and depth == 0:
            op = _running(body, wanted)
        if op is None and depth == 0:
            op = resets(body, wanted)
        if op is None:
            raise Unsupported(
                turn.node,
                f"{wanted} is carried from turn to turn",
                "each turn needs the one before",
            )
        value = before
        if (
            before.named is None
            and not before.axes
            and (depth == 0 or nest.env.get(wanted) is None)
        ):
            value = replace(before, expr=quote.name(wanted), named=wanted, poly=None)
        found[wanted] = Accumulator(wanted, op, before, depth, value, pack=nest.pack)
    return found


def _one_kind(body: list[Any], wanted: str) -> str | None:
    """The kind of all the updates of a name, where there is nothing else with it."""
    kinds: set[str] = set()
    uses = 0
    for node in walk(body):
        if isinstance(node, gast.Name) and node.id == wanted:
            uses += 1
        update = update_of(node)
        if update is not None and update.name == wanted:
            kinds.add("+" if update.op == "-" else update.op)
            uses -= 1 if isinstance(node, gast.AugAssign) else 2
    return kinds.pop() if len(kinds) == 1 and uses == 0 else None


def _running(body: list[Any], wanted: str) -> str | None:
    """The kind of a name whose value is read in each turn after it was brought up to date."""
    for k, node in enumerate(body):
        update, extreme = update_of(node), pattern(node)
        own = update is not None and update.name == wanted
        largest = extreme is not None and extreme.name == wanted and not extreme.others
        if (own or largest) and read_after(body, wanted, k):
            return "running" if own else "running extreme"
    return None


def induction(nest: Nest, turn: Turn, body: list[Any], wanted: str) -> Poly | None:
    """What one unconditional ``name += step`` adds, where the name is also read."""
    updates = [u for node in body if (u := update_of(node)) and u.name == wanted]
    stores = [n for n in walk(body) if isinstance(n, gast.Name) and n.id == wanted]
    writes = [n for n in stores if not isinstance(n.ctx, gast.Load)]
    if len(updates) != 1 or len(writes) != 1 or updates[0].op == "*":
        return None
    value = updates[0].value
    step: Poly | None = None
    if isinstance(value, gast.Constant) and type(value.value) is int:
        step = constant(value.value).poly
    elif isinstance(value, gast.Name) and value.id not in assigned_names(body):
        thing = nest.lookup(value.id)
        step = thing.poly if isinstance(thing, Lane) and not thing.axes else None
    if step is None or step.constant is None:
        return None
    return step if updates[0].op == "+" else -step


def accumulate(nest: Nest, held: Accumulator, update: Update, node: Any) -> None:
    """One update of a carried name, for all turns."""
    old = held.value
    if held.op == "running":
        running_total(nest, held, update.op, update.value, node)
        return
    if held.op in ("extreme", "running extreme"):
        raise Unsupported(node, f"{held.name} is carried from turn to turn")
    fn_kind = {"+": gast.Add, "-": gast.Sub, "*": gast.Mult}[update.op]
    counts = (
        isinstance(update.value, gast.Constant) and type(update.value.value) is int
        and update.op != "*" and nest.masks and (nest.pack is held.pack or not held.depth)
    )  # fmt: skip
    if counts:
        mask = mask_of(nest)
        assert mask is not None
        value = _count(nest, mask, held.depth, node)
        if update.value.value != 1:
            value = binary(nest, node, gast.Mult, value, constant(update.value.value))
    else:
        if held.depth == 0 and nest.masks:
            pack(nest, node)
        value = _of_lanes(nest, node, update)
        if nest.pack is not held.pack and held.depth:
            value = by_row(nest, value, nest.outside[: held.depth], update.op, node)
            with nest.only(nest.outside[: held.depth]):
                _joined(nest, held, update, fn_kind, value, node)
            return
        axes = nest.axes[held.depth :]
        if value.dtype == np.dtype(np.float32) and not old.python and old.dtype == np.dtype(float):
            text = quote.expr("x.astype(float)", x=nest.text(value))
            value = replace(value, expr=text, sample=np.float64(0.5), factors=None)
        value = total_over(nest, value, axes, node, update.op == "*", old.dtype.kind == "f")
    if value.mixed and old.python and not held.depth:
        raise Unsupported(node, "a sum of Python's and NumPy's numbers", "its type is not known")
    kind = np.asarray(value.sample).dtype.kind
    if kind not in "if" or old.dtype.kind not in "if":
        raise Unsupported(node, f"a reduction of {value.dtype}")
    if old.dtype.kind == "i" and kind == "f" and not old.python:
        raise Unsupported(node, "a sum that changes its type")
    if held.depth == 0 and not value.axes:
        first = held.before  # without a turn it keeps its type
        numbers = first.python and (not value.python or first.dtype != value.dtype)
        if numbers:
            _only_if_run(nest)
        made: Any = quote.stmt("s += e", s=held.name, e=nest.text(value))
        made = updated(made, op=fn_kind())
        if numbers and nest.pack is not None:
            place = next(iter(nest.pack.places.values()))
            last: Any = nest.out[-1] if nest.out else None
            if isinstance(last, gast.If) and text_of(last.test) == text_of(place) + ".size":
                last.body.append(made)
            else:
                nest.out.append(branch(quote.expr("k.size", k=place), [made]))
        else:
            nest.out.append(made)
        joint = binary(nest, node, fn_kind, replace(old, poly=None), replace(value, poly=None))
        if not old.python and joint.dtype != old.dtype:
            raise Unsupported(node, "a sum that changes its type")
        held.value = Lane(
            quote.name(held.name), (), joint.sample, None, True, frozenset(), None, held.name
        )
        return
    _joined(nest, held, update, fn_kind, value, node)


def _of_lanes(nest: Nest, node: Any, update: Update) -> Lane:
    """What each turn adds: zero (or one, a factor) in turns that a condition leaves out."""
    if nest.masks and not in_all_turns(nest, update.value):
        pack(nest, node)
    value = evaluate(nest, update.value)
    mask = mask_of(nest)
    if mask is None:
        return value
    unit = constant(0 if update.op != "*" else 1)
    if value.python:
        unit = constant(type(value.sample)(unit.sample))
    return cornered(nest, mask, value, update.op) or chosen(nest, node, mask, value, unit)


def _joined(
    nest: Nest, held: Accumulator, update: Update, fn_kind: type, value: Lane, node: Any
) -> None:
    """The name is what it was and the total, for each of the outer turns."""
    old = held.value
    unit_value = 1 if update.op == "*" else 0
    start = old.expr.value if isinstance(old.expr, gast.Constant) else None
    if start == unit_value and update.op != "-" and old.dtype.kind in ("i", value.dtype.kind):
        joint = value
    else:
        joint = binary(nest, node, fn_kind, replace(old, poly=None), value)
    named = nest.bind(held.name, joint) if joint.named is None else joint
    held.value = named


def _only_if_run(nest: Nest) -> None:
    """Without a turn a name keeps Python's number; that an array is empty, the caller looks at."""
    lengths = [
        dim for thing in nest.facts.env.values() if isinstance(thing, Arr) and thing.param
        for dim in thing.dims
    ]  # fmt: skip
    symbols = nest.facts.symbols
    for turn in nest.turns:
        sizes = [turn.stop - turn.low]
        for sym in turn.stop.symbols:
            op, a, b = symbols.written.get(sym, ("", sizes[0], sizes[0]))
            if op == "min" and turn.stop - turn.low == symbol(sym):
                sizes = [a, b]
        if not all(any(size == dim for dim in lengths) for size in sizes):
            nest.needs(turn, 1)


def _count(nest: Nest, mask: Lane, depth: int, node: Any) -> Lane:
    """How many lanes a mask has, a Python number where that is one."""
    axes = nest.axes[depth:]
    if not set(axes) <= set(mask.axes):
        raise Unsupported(node, "a count under a condition on some of the indices only")
    keep = tuple(a for a in mask.axes if a not in axes)
    if not keep:
        made = quote.expr("int(np.count_nonzero(m))", m=nest.text(mask))
        return Lane(made, (), 1, None, True, mask.reads)
    return counted(nest, mask, axes)


def _axis(all_axes: tuple[str, ...], axes: tuple[str, ...]) -> gast.expr:
    found = [k for k, a in enumerate(all_axes) if a in axes]
    return axis_argument(found)


def total_over(
    nest: Nest,
    value: Lane,
    axes: tuple[str, ...],
    node: Any,
    product: bool = False,
    floats: bool = False,
) -> Lane:
    """The sum (or product) of a lane over some axes: a contraction where it is one."""
    missing = [a for a in axes if a not in value.axes]
    present = tuple(a for a in axes if a in value.axes)
    if value.poly is not None and value.axes:
        raise Unsupported(node, "a sum of indices")
    if value.dtype.kind not in "if" or value.dtype.itemsize < (8 if value.dtype.kind == "i" else 4):
        raise Unsupported(node, f"a sum of {value.dtype}", "NumPy sums it in another type")
    small = value.python and value.dtype.kind == "i" and not product and summable(nest, value)
    if value.python and value.dtype.kind == "i" and value.axes and not small:
        raise Unsupported(node, "a sum of Python integers", "it may leave int64")
    if missing:
        if product:
            raise Unsupported(node, "a product of what does not vary")
        counts = [_turns(nest, a, node) for a in missing]
        for count in counts:
            if isinstance(value.expr, gast.Constant) and type(value.sample) is int:
                one = value.expr.value == 1
                value = count if one else binary(nest, node, gast.Mult, count, value)
                value = replace(value, poly=None)
                continue
            value = binary(nest, node, gast.Mult, count, replace(value, poly=None))
        if not present:
            return value
    if not present:
        return value
    keep = tuple(a for a in value.axes if a not in present)
    sample = value.sample
    made: gast.expr | None = None
    if floats and value.dtype.kind == "i" and not small:
        value = replace(value, expr=quote.expr("x.astype(float)", x=nest.text(value)), poly=None)
        value = replace(value, factors=None)
        sample = np.float64(0.5)
    if not product and len(present) == 1 and value.factors is not None:
        made = contraction(nest, value, present[0], keep)
    if made is None:
        text = nest.text(value)
        template = "x.prod(axis=a)" if product else "x.sum(axis=a)"
        if keep:
            made = quote.expr(template, x=text, a=_axis(value.axes, present))
        else:
            made = quote.expr("x.prod()" if product else "x.sum()", x=text)
    if small and not keep:
        made, sample = quote.expr("int(s)", s=made), 1
    if value.python and not keep and value.dtype.kind == "f":
        made, sample = quote.expr("float(s)", s=made), 0.5
    return Lane(made, keep, sample, None, value.total, value.reads, mixed=value.mixed)


def _turns(nest: Nest, axis: str, node: Any) -> Lane:
    """How many turns an axis has."""
    if nest.pack is not None and axis == nest.pack.axis:
        place = next(iter(nest.pack.places.values()))
        return Lane(quote.expr("k.size", k=place), (), 1)
    turn = next(t for t in nest.turns if t.sym == axis)
    facts: Facts = nest.facts
    if turn.count is None:
        raise Unsupported(node, "a constant sum in a loop that strides")
    nest.needs(turn, 0)
    return Lane(facts.render(turn.count), (), 1)
