"""The order of lowering: nodes to statements, each by the lowering registered for its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autovec.lower.writer import Writer
from autovec.program.nodes import Let, Node

Done = Callable[[], None]
Lowering = Callable[[Writer, Any, list[Node], Done | None], bool]
LOWERINGS: dict[type, Lowering] = {}


def lowering(kind: type) -> Callable[[Lowering], Lowering]:
    """Register the lowering of a kind of node.

    It gets the writer, the node, the rest of its block, and what is to be done for the lanes that
    reach the block's end; it says whether it has written these as well.
    """

    def register(rule: Lowering) -> Lowering:
        LOWERINGS[kind] = rule
        return rule

    return register


def line_of(node: Node) -> int:
    """The user's line that a node comes from; 0 where it is nobody's."""
    return node.value.line if isinstance(node, Let) else node.line


def lower_nodes(w: Writer, nodes: list[Node], done: Done | None = None) -> None:
    """Write nodes for the lanes of the current frame, then ``done`` for those that reach the end.

    A branch that some lanes leave for good takes the nodes behind it along: they run, and ``done``
    does, in a frame of the lanes that are left.
    """
    for k, node in enumerate(nodes):
        w.line = line_of(node) or w.line
        if LOWERINGS[type(node)](w, node, nodes[k + 1 :], done):
            return
    if done is not None:
        done()
