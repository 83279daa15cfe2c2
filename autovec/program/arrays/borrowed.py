"""Stores into arguments: the array is the caller's, and what it holds at the end is written there.

Such an argument is *borrowed*: the function works on it as on an array of its own, and every return
says what it holds then.  Where the text has changed the caller's array all along, nothing is left
to be written.
"""

from __future__ import annotations

import gast

from autovec.program.build import Builder
from autovec.program.nodes import Return
from autovec.program.things import Seq, Thing
from autovec.program.values import BORROWED, Operation, Param, Value, is_borrowed

_TAKE = Operation(BORROWED, ("a0",), "a0", "a0", total=True, cost=0.0, arrays=True)


def may_borrow(tree: gast.AST, things: dict[str, Thing]) -> tuple[str, ...]:
    """The parameters that are arrays in each sample, and whose names hold nothing else."""
    updated = {id(n.target) for n in gast.walk(tree) if isinstance(n, gast.AugAssign)}
    bound = {
        n.id
        for n in gast.walk(tree)
        if isinstance(n, gast.Name) and not isinstance(n.ctx, (gast.Load, gast.Param))
        and id(n) not in updated
    }  # fmt: skip
    return tuple(
        name
        for name, thing in things.items()
        if isinstance(thing, Value) and isinstance(thing.op, Param)
        and thing.varying and thing.fact.rank and name not in bound
    )  # fmt: skip


def borrow(b: Builder, names: tuple[str, ...]) -> None:
    """Take these parameters for arrays of the function's own."""
    for name in names:
        given = b.env[name]
        assert isinstance(given, Value)
        made = b.apply(_TAKE, given, fact=given.fact)
        made.origin = name
        b.env[name] = made


def with_borrowed(b: Builder, names: tuple[str, ...], thing: Thing) -> Thing:
    """What a return gives back: what the borrowed arrays hold, then the result."""
    return Seq((Seq(tuple(b.env[name] for name in names)), thing))


def changed(
    names: tuple[str, ...], result: Thing, returns: list[Return]
) -> tuple[tuple[str, ...], Thing]:
    """The parameters that are stored into, and the result without the others."""
    if not names or not isinstance(result, Seq):
        return (), result
    held, own = result.items
    assert isinstance(held, Seq)
    kept = [k for k in range(len(names)) if not all(is_borrowed(r.leaves[k]) for r in returns)]
    for r in returns:
        r.leaves = (*(r.leaves[k] for k in kept), *r.leaves[len(names) :])
    if not kept:
        return (), own
    return tuple(names[k] for k in kept), Seq((Seq(tuple(held.items[k] for k in kept)), own))


def results(borrowed: tuple[str, ...], result: Thing) -> Thing:
    """The user's own result."""
    return result.items[1] if borrowed and isinstance(result, Seq) else result
