"""Argument arrays for a program: tame values, and edges where operations change."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any

import numpy as np

from tests.fuzz.program import Parameter, Program

DTYPES = {"f": "f8", "i": "i8", "b": "?", "g": "f4", "h": "i1", "j": "i4", "s": "U4", "o": "O",
          "d": "O"}  # fmt: skip
EDGES: dict[str, list[Any]] = {
    "f": [
        0.0,
        -0.0,
        1.0,
        -1.0,
        float("nan"),
        float("inf"),
        float("-inf"),
        0.5,
        1e-300,
        1e300,
        710.0,
        2.5,
        -3.0,
    ],
    "i": [0, 1, -1, 2, 3, 7, -7, 100, -1000],
    "g": [0.0, -0.0, 1.0, -1.0, float("nan"), float("inf"), 0.5, 2.5],
    "h": [0, 1, -1, 7, 100, -100],
    "j": [0, 1, -1, 7, 10**6],
}
HUGE = [2**53 + 1, 2**62, -(2**63), 2**63 - 1]
WORDS = ("a", "bb", "ccc", "", "x", "Ab", "b,c", "12", " a", "ß", "ab,b")


@dataclass
class Call:
    """The arguments of one batched call."""

    args: list[Any]
    in_axes: Any  # None: vectorize (arrays broadcast); a tuple of 0/None: vmap
    inner: list[Any] = field(default_factory=list)  # in_axes of the vmaps inside it
    out: tuple[int, ...] = ()  # out_axes, the outermost first
    shape: tuple[int, ...] = ()  # of the batch, where axes do not say it


def draw(program: Program, seed: int, n: int | None = None) -> Call:
    """The seed-th call of a program."""
    if "arrays" in program.features:
        from tests.fuzz.arrays import draw_arrays

        return draw_arrays(program, seed, n)
    r = Random(f"{program.seed}/{seed}")
    edge = "edge" in program.features and r.random() < 0.7
    huge = edge and "huge" in program.features and r.random() < 0.3
    n = n if n is not None else r.choice((4, 9, 12, 17, 25))
    layout = "flat"
    if program.table:
        args = [_argument(p, r, n, edge, huge) for p in program.parameters]
        return Call(args, (0, *(None for p in program.parameters if not p.varying)))
    if "shapes" in program.features and r.random() < 0.4:
        layout = r.choice(("outer", "outer", "0-d", "scalars", "mixed"))
    args = [_argument(p, r, n, edge, huge) for p in program.parameters]
    varying = [k for k, p in enumerate(program.parameters) if p.varying]
    if layout == "flat":
        vmap = r.random() < 0.5
        return Call(
            args, tuple(0 if p.varying else None for p in program.parameters) if vmap else None
        )
    for k in varying:
        if layout == "outer":
            args[k] = args[k][:5, None] if k % 2 else args[k][:7]
        elif layout == "0-d":
            args[k] = np.array(args[k][0])
        elif layout == "scalars":
            whole = program.parameters[k].type in "ghjod"
            args[k] = args[k][0] if whole else args[k][0].item()
        elif r.random() < 0.5:
            args[k] = np.array(args[k][0])
    return Call(args, None)


def _argument(p: Parameter, r: Random, n: int, edge: bool, huge: bool) -> Any:
    if not p.varying:
        return {
            "f": r.choice((0.5, 2.0, -1.25, 1.0)),
            "i": r.choice((1, 2, 3, -2)),
            "b": r.random() < 0.5,
        }[p.type]
    values = [_value(p.type, r, edge, huge) for _ in range(n)]
    return np.array(values, DTYPES[p.type])


def _value(type_: str, r: Random, edge: bool, huge: bool) -> Any:
    if type_ == "b":
        return r.random() < 0.5
    if type_ == "s":
        return r.choice(WORDS)
    if type_ == "o":
        return None if r.random() < 0.3 else r.choice(WORDS)
    if type_ == "d":
        return date(2024, 2, 28) + timedelta(days=r.choice((0, 1, 2, r.randint(-40000, 40000))))
    if edge and r.random() < 0.25:
        return r.choice(EDGES[type_] + (HUGE if huge and type_ == "i" else []))
    if type_ in "fg":
        roll = r.random()
        if roll < 0.2:
            return float(r.randint(-3, 5))
        return r.gauss(0, 1) * r.choice((0.5, 1.0, 3.0, 10.0)) + r.choice((0.0, 1.0))
    return r.randint(-9, 20) if r.random() < 0.8 else r.randint(-100, 100)
