"""Going back: the state of a builder before an expression that may be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast

from autovec.errors import Unsupported
from autovec.program.things import Thing

if TYPE_CHECKING:
    from autovec.program.build import Builder

LastResort = Callable[["Builder", gast.expr, Unsupported], Thing | None]
#: what makes a thing of an expression that its rule refused, or None
LAST_RESORTS: list[LastResort] = []


def last_resort(b: Builder, mark: Mark, node: gast.expr, refusal: Unsupported) -> Thing | None:
    """What becomes of an expression that its rule refused: nothing has happened since the mark."""
    mark.restore(b)
    for make in LAST_RESORTS:
        made = make(b, node, refusal)
        if made is not None:
            return made
    return None


class Mark:
    """The state of a builder before an expression, to go back to where that is refused."""

    def __init__(self, b: Builder) -> None:
        self.env, self.names = b.env, dict(b.env)
        self.block, self.nodes = b.block, len(b.block.nodes)
        self.scope = (b.locals, b.outer)
        self.counts = (b.line, b.depth, b.nesting, b.inlining, b.unrolling)
        kept: list[list[Any]] = [b.notes, b.returns, b.loops, b.attempts, b.ways.escapes]
        self.lists = [(found, len(found)) for found in kept]

    def restore(self, b: Builder) -> None:
        """Take back what was built since."""
        b.env, b.block = self.env, self.block
        b.env.clear()
        b.env.update(self.names)
        del b.block.nodes[self.nodes :]
        b.line, b.depth, b.nesting, b.inlining, b.unrolling = self.counts
        b.locals, b.outer = self.scope
        for found, length in self.lists:
            del found[length:]
