"""The order of lowering: nodes to statements, each by the lowering that fits it."""

from __future__ import annotations

from collections.abc import Callable

from autovec.lower import branches, errors, loops, results
from autovec.lower.writer import Writer
from autovec.program.nodes import Check, If, Let, Loop, Node, Raise, Return

Done = Callable[[], None]


def lower_nodes(w: Writer, nodes: list[Node], done: Done | None = None) -> None:
    """Write nodes for the lanes of the current frame, then ``done`` for the lanes that reach their
    end.

    A branch that some lanes leave for good takes the nodes behind it along: they run, and ``done``
    does, in a frame of the lanes that are left.
    """
    for k, node in enumerate(nodes):
        rest = nodes[k + 1 :]
        if isinstance(node, Let):
            w.let(node.value)
        elif isinstance(node, If):
            if branches.lower_if(w, node, rest, done):
                return
        elif isinstance(node, Loop):
            loops.lower_loop(w, node)
        elif isinstance(node, Check):
            errors.lower_check(w, node)
        elif isinstance(node, Raise):
            errors.lower_raise(w, node)
            return
        elif isinstance(node, Return):
            results.lower_return(w, node)
            return
    if done is not None:
        done()
