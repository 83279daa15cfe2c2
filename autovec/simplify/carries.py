"""No loop carries the same value twice: after this pass names that go together are one value.

    i, assigned, t, assigned2 = ...     # two flags that both say: some trip has come this far

Two carried values are the same if they start with the same and every trip, and every break, hands
on the same.
"""

from __future__ import annotations

from autovec.program.nodes import Block, Loop, children, walk
from autovec.program.things import same_literal
from autovec.program.values import Value
from autovec.simplify.reads import replace_reads


def equal_carries(body: Block) -> None:
    """Keep the first of carried values that are the same, in place."""
    merged: dict[int, Value] = {}
    for node in walk(body):
        if isinstance(node, Loop) and len(node.carries) > 1:
            _merge(node, merged)
    if merged:
        _replace(body, merged)


def _merge(loop: Loop, merged: dict[int, Value]) -> None:
    kept: list[int] = []
    for k, c in enumerate(loop.carries):
        first = next((f for f in kept if _same(loop, f, k)), None)
        if first is None:
            kept.append(k)
            continue
        merged[id(c.head)] = loop.carries[first].head
        merged[id(c.result)] = loop.carries[first].result
    if len(kept) < len(loop.carries):
        for e in loop.breaks:
            e.values = tuple(e.values[k] for k in kept)
        loop.carries = [loop.carries[k] for k in kept]


def _same(loop: Loop, first: int, second: int) -> bool:
    a, b = loop.carries[first], loop.carries[second]

    def equal(x: Value | None, y: Value | None) -> bool:
        if x is None or y is None or x is y:
            return x is y
        return (x is a.head and y is b.head) or same_literal(x, y)

    return (
        (a.head.fact, a.result.fact) == (b.head.fact, b.result.fact)
        and equal(a.init, b.init)
        and equal(a.next, b.next)
        and all(equal(e.values[first], e.values[second]) for e in loop.breaks)
    )


def _replace(block: Block, merged: dict[int, Value]) -> None:
    for node in block.nodes:
        replace_reads(node, lambda v: merged.get(id(v), v))
        for inner in children(node):
            _replace(inner, merged)
