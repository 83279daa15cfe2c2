"""No branch on a negated test: after this pass ``if not t: a else: b`` is ``if t: b else: a``.

The lanes of a side are selected by ``~t`` where they have to be; a test is never negated twice.
"""

from __future__ import annotations

from autovec.program.nodes import Block, If, PhiResult, children
from autovec.program.truth import NOT


def positive_tests(block: Block) -> None:
    """Swap the sides of branches whose test is a negation, in place."""
    for node in block.nodes:
        if isinstance(node, If):
            while node.test.op is NOT:
                node.test = node.test.args[0]
                node.then, node.orelse = node.orelse, node.then
                node.phis = [PhiResult(p.value, p.orelse, p.then) for p in node.phis]
        for inner in children(node):
            positive_tests(inner)
