"""Levels of lanes: text for one lane axis as text for several, where every operation broadcasts.

The levels of a nested vmap map different arguments. If nothing but broadcasting happens over the
lanes, each argument keeps the axes of its own levels, with an axis of length one for every other,
and nothing is repeated in memory:

>>> opened("a0[:, None]", {"a0"}, 2), opened("x.max(axis=-1)", {"x"}, 2)
('a0[:, :, None]', 'x.max(axis=-1)')
>>> opened("np.stack([a0, a1], axis=-1)", {"a0"}, 2) is None
True
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from autovec.program.functions import Program
from autovec.program.nodes import Let, Return
from autovec.program.things import leaves
from autovec.program.values import STORE, Each, Operation, Param, Path, Value

#: functions and methods that work along the last axes, or element by element
_BEHIND = frozenset(
    ["where", "clip", "sum", "mean", "max", "min", "std", "var", "prod", "any", "all", "amax",
     "amin", "ptp", "median", "cumsum", "cumprod", "sort", "argsort", "argmax", "argmin",
     "round", "nan_to_num", "real", "imag", "astype", "copy", "trace", "linalg.norm",
     "linalg.inv", "linalg.det", "linalg.solve", "nansum", "nanmax", "nanmin", "nanmean",
     "count_nonzero"]
)  # fmt: skip
_CALL = re.compile(r"([\w.]*)\(")
_AXIS = re.compile(r"axis\d?=\(?\d")


def open_levels(program: Program, count: int) -> bool:
    """Make a program's operations ones over so many lane axes; False where one cannot be.

    Only straight code is looked at: what is done for some lanes needs them on one axis.
    """
    nodes = program.body.nodes
    lets, last = nodes[:-1], nodes[-1] if nodes else None
    if not isinstance(last, Return) or not all(isinstance(n, Let) for n in lets):
        return False
    if program.borrowed:
        return False
    params = [v for thing in program.things.values() for v in leaves(thing) if v.varying]
    if not all(isinstance(v.op, Param) for v in params):
        return False
    if not all(v.varying for v in last.leaves) or not all(map(_plain, leaves(program.result))):
        return False
    texts: list[tuple[Value, Operation, str]] = []
    for node in lets:
        assert isinstance(node, Let)
        value, op = node.value, node.value.op
        if not value.varying:
            continue
        if not isinstance(op, Operation) or isinstance(op, Each) or not _broadcasts(op):
            return False
        if "@" in op.lanes and not all(a.varying for a in value.args):
            return False  # one product of a whole matrix is faster than many small ones
        over = {p for p, a in zip(op.params, value.args, strict=True) if a.varying}
        text = opened(op.lanes, over, count)
        if text is None:
            return False
        texts.append((value, op, text))
    for value, op, text in texts:
        value.op = replace(op, lanes=text)
    program.levels = count
    return True


def _plain(value: Value) -> bool:
    return value.fact.kind in "biufc" and not isinstance(value.op, Path)


def _broadcasts(op: Operation) -> bool:
    flat = op.flat and op.name != "align"  # which puts axes behind the lanes, however many
    return not (flat or op.impure or op.ignore or op.note or op.name == STORE)


def opened(text: str, over: set[str], count: int) -> str | None:
    """An operation's text for more lane axes; ``over``: the parameters that have them.

    >>> opened("np.vecdot(a0, a1)", {"a0", "a1"}, 2), opened("floor_div(x, y)", {"x"}, 2)
    ('np.vecdot(a0, a1)', None)
    """
    for name in sorted(over):
        text = re.sub(rf"\b{name}\[:(?=[],])", f"{name}[:{', :' * (count - 1)}", text)
        text = re.sub(
            rf"\b{name}\.shape\[(\d+)\]",
            lambda m: m[0].replace(f"[{m[1]}]", f"[{int(m[1]) + count - 1}]"),
            text,
        )
    inside = re.sub(r"\.shape\[\d+\]", "", text)
    if "where=" in text or ".shape" in inside:
        return None
    if _AXIS.search(text) or not all(map(_known, _CALL.findall(text))):
        return None
    return text


def _known(called: str) -> bool:
    """Does a function, as it is called in a text, leave the axes in front alone?"""
    name = called.removeprefix("np.")
    if called.startswith("np.") and isinstance(getattr(np, name, None), np.ufunc):
        return True
    return name in ("", "abs") or name in _BEHIND or called.rpartition(".")[2] in _BEHIND
