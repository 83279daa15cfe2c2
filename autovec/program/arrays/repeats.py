"""Array samples made larger: ``np.tile``, ``np.pad``, ``np.broadcast_to``, ``np.repeat``.

>>> widths((1, 2), 1), widths(2, 2), widths(((1, 0), (0, 1)), 2)
(((1, 2),), ((2, 2), (2, 2)), ((1, 0), (0, 1)))
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.arrays.elementwise import aligned
from autovec.program.arrays.operands import apply_array, operand
from autovec.program.arrays.standins import static
from autovec.program.build import Builder
from autovec.program.things import NOT_LITERAL, Thing
from autovec.program.values import Value

#: what np.pad may fill with that needs no samples elsewhere
_MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
_WHY = "the shape of a sample depends on it"


def tile(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """``np.tile(x, reps)``: the lanes once, the sample's axes as often as asked."""
    x, reps = operand(b, args[0], node), _known(args[1], "a number of repeats", node)
    over = (reps,) if isinstance(reps, (int, np.integer)) else tuple(reps)
    rank = max(x.fact.rank, len(over))
    whole = (1,) * (rank - len(over)) + over
    return apply_array(
        b, "tile", lambda a: np.tile(a.reshape(x.fact.shape), over), (aligned(b, x, rank),),
        f"np.tile(a0, {(1, *map(int, whole))})", f"np.tile(a0, {reps})", node,
    )  # fmt: skip


def broadcast_to(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """``np.broadcast_to(x, shape)``: a view, which nobody may store into."""
    x, shape = operand(b, args[0], node), _known(args[1], "a shape", node)
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    whole = ", ".join(map(str, ("len(a0)", *map(int, sizes))))
    made = apply_array(
        b, "broadcast_to", lambda a: np.broadcast_to(np.reshape(a, x.fact.shape), sizes),
        (aligned(b, x, len(sizes)),), f"np.broadcast_to(a0, ({whole}))",
        f"np.broadcast_to(a0, {shape})", node, fresh=False,
    )  # fmt: skip
    made.memory = x.memory | {"read-only"}
    return made


def pad(b: Builder, args: list[Thing], keywords: dict[str, Thing], node: gast.AST) -> Value:
    """``np.pad(x, width, mode)``: nothing is added along the lanes."""
    x = operand(b, args[0], node)
    names = ("pad_width", "mode")
    given = {**dict(zip(names, args[1:], strict=False)), **keywords}
    plain = {key: _known(thing, f"{key} of a padding", node) for key, thing in given.items()}
    width, mode = plain.pop("pad_width", None), plain.pop("mode", "constant")
    fill = plain.pop("constant_values", None)
    if plain or mode not in _MODES or width is None or not (fill is None or np.ndim(fill) == 0):
        raise Unsupported(node, "np.pad with these arguments", "there is no rule for it")
    extra = "" if fill is None else f", constant_values={fill!r}"
    shown = "" if mode == "constant" else f", {mode!r}"
    options: dict[str, Any] = {} if fill is None else {"constant_values": fill}
    pairs = widths(width, x.fact.rank)
    return apply_array(
        b, "pad", lambda a: np.pad(a, pairs, mode, **options), (x,),
        f"np.pad(a0, {((0, 0), *pairs)}{shown}{extra})", f"np.pad(a0, {width}{shown}{extra})",
        node, cost=2,
    )  # fmt: skip


def widths(width: Any, rank: int) -> tuple[tuple[int, int], ...]:
    """How much np.pad adds before and behind each axis."""
    pairs = np.broadcast_to(np.asarray(width), (rank, 2))
    return tuple((int(low), int(high)) for low, high in pairs.tolist())


def repeat(b: Builder, args: list[Thing], keywords: dict[str, Thing], node: gast.AST) -> Value:
    """``np.repeat(x, n, axis)`` with one number for all elements."""
    x, count = operand(b, args[0], node), _known(args[1], "a number of repeats", node)
    thing = keywords.get("axis", args[2] if len(args) > 2 else None)
    axis = None if thing is None else _known(thing, "an axis", node)
    rank = x.fact.rank
    if not isinstance(count, int) or set(keywords) - {"axis"} or not rank:
        raise Unsupported(node, "np.repeat with these arguments", "there is no rule for it")
    array, end = "a0", -1 if axis is None else axis if axis < 0 else axis - rank
    if axis is None and rank > 1:
        array = f"a0.reshape(len(a0), {int(np.prod(x.fact.shape))})"
    written = f"np.repeat(a0, {count}" + ("" if axis is None else f", axis={axis}") + ")"
    return apply_array(b, "repeat", lambda a: np.repeat(a, count, axis), (x,),
                       f"np.repeat({array}, {count}, axis={end})", written, node)  # fmt: skip


def uneven(b: Builder, name: str, args: list[Thing], node: gast.AST) -> Value:
    """``np.nonzero`` and its kin, whose samples are of no one length."""
    raise Unsupported(
        node, f"np.{name} of an array", "how many elements it gives depends on the sample"
    )


def _known(thing: Thing, what: str, node: gast.AST) -> Any:
    found = static(thing)
    if found is NOT_LITERAL:
        raise Unsupported(node, f"{what} that is not known while compiling", _WHY)
    return found
