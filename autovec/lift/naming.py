"""A name that a turn sets: an array of all turns, under the user's name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.nest import Nest
from autovec.lift.values import Fresh, Lane
from autovec.syntax import quote
from autovec.syntax.scope import free_names


def name(nest: Nest, wanted: str, lane: Lane, node: Any) -> None:
    """``wanted = lane``: under a name of its own if its text is more than a name or number."""
    if isinstance(nest.facts.env.get(wanted), Fresh) or wanted in nest.lists:
        raise Unsupported(node, f"{wanted} is a list that grows")
    if lane.poly is None and lane.axes and lane.named is None:
        view = isinstance(lane.expr, (gast.Name, gast.Subscript, gast.Attribute))
        if view or isinstance(node, (gast.Subscript, gast.Name)) or lane.expr is None:
            nest.env[wanted] = lane
            return
        if nest.guessing:
            nest.env[wanted] = lane
            return
        taken = wanted in nest.facts.env or wanted in nest.kept
        name = nest.namer.fresh(wanted) if taken else wanted
        others = [v for n, v in nest.env.items() if n != wanted]
        if any(isinstance(v, Lane) and v.named == name for v in others):
            name = nest.namer.fresh(wanted)
        nest.out.append(quote.stmt("t = e", t=name, e=nest.text(lane)))
        reads = frozenset[str]()
        total = lane.total or not nest.guessing
        lane = replace(
            lane,
            expr=quote.name(name),
            named=name,
            total=total,
            reads=reads,
            factors=None,
            again=None,
        )
    nest.env[wanted] = lane


def names(nest: Nest, wanted: list[str], lanes: list[Lane], nodes: list[Any]) -> None:
    """``a, b = e, f``: the values are computed before any of the names changes."""
    for k, lane in enumerate(lanes):
        later = {n for other in lanes[k + 1 :] for n in _read(other)}
        if lane.expr is not None and lane.axes and lane.named is None and wanted[k] in later:
            fresh = nest.bind(wanted[k], lane)
            lanes[k] = replace(lane, expr=fresh.expr, named=fresh.named, again=None, factors=None)
    for one, lane, node in zip(wanted, lanes, nodes, strict=True):
        name(nest, one, lane, node)


def _read(lane: Lane) -> set[str]:
    return set() if lane.expr is None else set(free_names(lane.expr))
