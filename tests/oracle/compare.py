"""Wanted against got, leaf by leaf.

Floats may be off by a few ulp per operation.  Where that is not enough the lane is run again with
every inexact operation off by a few ulp: what then moves in the loop itself may move in the batch
as well, and a lane whose tests or integers flip is left out.  So rounding never hides behind a wide
tolerance, and a true difference never behind rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from math import prod
from random import Random
from typing import Any

import numpy as np

from tests.oracle.results import Path, children, columns, leaf_dtype, leaves, skeleton
from tests.oracle.samples import Lane, Loop, run

RTOL = {np.dtype("f2"): 1e-2, np.dtype("f4"): 1e-5, np.dtype("c8"): 1e-5}
LEAST = {"f": np.dtype("f2"), "i": np.dtype("i1"), "c": np.dtype("c8")}
WOBBLES = 6


class Difference(AssertionError):
    """Something the law forbids: what kind, and what exactly."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(f"{kind}: {what}")
        self.kind = kind
        self.what = what


@dataclass
class Tally:
    """What a comparison had to leave out."""

    unstable: int = 0


def compare(f: Any, want: Loop, got: Any, tally: Tally | None = None, dtypes: bool = True) -> None:
    """Raise `Difference` where the batch's result is not the loop's."""
    tally = tally or Tally()
    live = [
        k
        for k, o in enumerate(want.outcomes)
        if o.error is None and not o.overflow and not o.departed_weak
    ]
    values = [want.outcomes[k].value for k in live]
    if not values:
        return
    pattern, table = columns(values)
    if pattern is None:
        if got is not None:  # None in these lanes, but numbers on other paths: nan
            _compare_leaf(f, want, live, (), got, values, tally, dtypes)
        return
    if skeleton(got) != skeleton(pattern):
        raise Difference("structure", f"got {_shape(got)}, wanted {_shape(pattern)}")
    for path, leaf in leaves(got):
        _compare_leaf(f, want, live, path, leaf, table[path], tally, dtypes)


def _shape(value: Any) -> str:
    inner = children(value)
    if inner is None:
        return "a leaf"
    return f"{type(value).__name__}({', '.join(f'{k}: {_shape(c)}' for k, c in inner)})"


def _at(path: Path) -> str:
    return "".join(f"[{k!r}]" for k in path)


def _compare_leaf(
    f: Any,
    want: Loop,
    live: list[int],
    path: Path,
    got: Any,
    values: list[Any],
    tally: Tally,
    dtypes: bool,
) -> None:
    where = f"result{_at(path)}"
    if all(v is None for v in values):
        if got is None:
            return
        dtype = np.dtype(object if getattr(got, "dtype", None) == np.dtype(object) else float)
    else:
        found = leaf_dtype(values)
        assert found is not None
        dtype = found
    if not isinstance(got, np.ndarray | np.generic):
        raise Difference("type", f"{where} is a {type(got).__name__}, wanted an array of {dtype}")
    if got.shape[: len(want.shape)] != want.shape or got.ndim != len(want.shape) + np.ndim(
        values[0]
    ):
        raise Difference(
            "shape", f"{where} has shape {got.shape}, wanted {want.shape + np.shape(values[0])}"
        )
    if dtypes:
        _compare_dtype(f, want, path, where, got.dtype, values)
    flat = np.asarray(got).reshape((prod(want.shape), *np.shape(values[0])))[live]
    if dtype.kind in "USTO":
        bad = [
            k for k, (g, v) in enumerate(zip(flat, values, strict=True)) if not _same_object(g, v)
        ]
    else:
        floats = got.dtype.kind == "f" and dtype.kind in "iu"
        bad = _numeric(flat, values, np.dtype(float) if floats else dtype, want.single)

    def differs(kind: str, k: int) -> Difference:
        pair = f"got {flat[k]!r}, wanted {values[k]!r}"
        return Difference(kind, f"{where} lane {live[k]}: {pair}; sample {want.lanes[live[k]]!r}")

    for k in bad:
        fixed = dtype.kind in "USO"
        if fixed or not _moves(f, want, live[k], path, flat[k], values[k], dtype, tally):
            raise differs("values", k)
    if dtype.kind == flat.dtype.kind == "f":
        for k, (g, v) in enumerate(zip(flat, values, strict=True)):
            zero = isinstance(v, float | np.floating) and v == 0 and g == 0
            if zero and np.signbit(v) != np.signbit(g) and not _zero_moves(f, want, live[k], path):
                raise differs("sign of zero", k)


def _zero_moves(f: Any, want: Loop, lane: int, path: Path) -> bool:
    """Whether the zero's sign comes from rounding, or from an int that is a float elsewhere."""
    signs = set()
    for seed in range(WOBBLES):
        outcome = run(f, want.lanes[lane : lane + 1], wobble=seed).outcomes[0]
        if outcome.error is not None:
            return True
        signs.add(bool(np.signbit(float(dict(leaves(outcome.value))[path]))))
    return len(signs) > 1


def _same_object(got: Any, want: Any) -> bool:
    if got != got and want != want:
        return True
    return bool(got == want) or (got != got and want is None) or (got is None and want is None)


def _numeric(got: np.ndarray, values: list[Any], dtype: np.dtype[Any], single: bool) -> list[int]:
    """The lanes that are not equal within the dtype's own tolerance."""
    if dtype.kind in "biu":
        same = np.array([bool(np.all(g == v)) for g, v in zip(got, values, strict=True)])
    else:
        with np.errstate(all="ignore"):
            want = np.array([np.nan if v is None else v for v in values], dtype)
            if got.dtype.kind == "f" and got.dtype.itemsize < dtype.itemsize:
                want = want.astype(got.dtype)
            # a literal beside a float32 is one on some way to the result
            rtol = max(RTOL.get(dtype, 1e-12), RTOL.get(got.dtype, 0.0), 1e-5 if single else 0.0)
            same = np.isclose(got, want, rtol=rtol, atol=0.0, equal_nan=True)
        same = same.reshape(len(values), prod(same.shape[1:])).all(axis=1)
    return [int(k) for k in np.flatnonzero(~same)]


def _compare_dtype(
    f: Any, want: Loop, path: Path, where: str, got: np.dtype[Any], values: list[Any]
) -> None:
    observed = leaf_dtype(values)
    if got == observed or (observed is not None and observed.kind == "U" and got.kind in "UTO"):
        return
    low = observed
    if observed is not None and not any(isinstance(v, np.generic | np.ndarray) for v in values):
        low = LEAST.get(observed.kind, observed)  # Python numbers take any width
    found = list(values)
    for runs in (range(80), range(80, 1500)):
        found += explored_leaf(f, want, path, runs)
        union = leaf_dtype(found)
        if got == union or (low is not None and _between(low, got, union)):
            return
    raise Difference("dtype", f"{where} is {got}, wanted {observed} (every path: {union})")


def _between(low: np.dtype[Any], dtype: np.dtype[Any], high: np.dtype[Any] | None) -> bool:
    """A uniform test may leave branches out, so the union over every path is only a bound."""
    if high is None or high.kind in "OU" or low.kind == "U":
        return False
    with np.errstate(all="ignore"):
        return np.result_type(low, dtype) == dtype and np.result_type(dtype, high) == high


def explored_leaf(f: Any, want: Loop, path: Path, seeds: range) -> list[Any]:
    """What this leaf can be on any path, whatever the data: tests answer at random."""
    found: list[Any] = []
    for seed in seeds:
        lane = want.lanes[seed % len(want.lanes)]
        outcome = run(f, [varied(lane, Random(seed))], explore=seed).outcomes[0]
        if outcome.error is None:
            found.extend(leaf for p, leaf in leaves(outcome.value) if p == path)
    return found


def varied(lane: Lane, r: Random) -> Lane:
    """The lane with other values of the same types: what raises here may go on elsewhere."""

    def other(v: Any) -> Any:
        kept = v is None or isinstance(v, str | bool | tuple | list | dict | date)
        if kept or np.ndim(v) or r.random() < 0.5:
            return v
        unsigned = np.result_type(v).kind == "u"
        return type(v)(r.choice((0, 1, 2, 3, 4, 7, 5) if unsigned else (0, 1, 2, 3, -1, -2, 5)))

    args, kw = lane
    return tuple(map(other, args)), {k: other(v) for k, v in kw.items()}


def _moves(
    f: Any,
    want: Loop,
    lane: int,
    path: Path,
    got: Any,
    value: Any,
    dtype: np.dtype[Any],
    tally: Tally,
) -> bool:
    """Whether a few ulp per operation explain the difference in this lane."""
    spread = 0.0
    for seed in range(WOBBLES):
        outcome = run(f, want.lanes[lane : lane + 1], wobble=seed).outcomes[0]
        if outcome.error is not None:
            tally.unstable += 1
            return True
        other = dict(leaves(outcome.value))[path]
        if dtype.kind in "biu" or value is None or other is None:
            if np.any(other != value):
                tally.unstable += 1
                return True
            continue
        with np.errstate(all="ignore"):
            if np.any(np.isnan(other) != np.isnan(value)) or np.any(
                np.isinf(other) != np.isinf(value)
            ) or np.any(np.isinf(other) & (other != value)):
                tally.unstable += 1
                return True
            distance = np.abs(np.asarray(other, float) - np.asarray(value, float))
            spread = max(spread, float(np.nan_to_num(distance, nan=0.0, posinf=0.0).max()))
    if dtype.kind in "biu" or value is None:
        return False
    with np.errstate(all="ignore"):
        return bool(np.all(np.abs(np.asarray(got, float) - np.asarray(value, float)) <= 4 * spread))
