"""How lanes leave a loop: all at once, or one where another goes on."""

from __future__ import annotations

from autovec.program.nodes import Block, Exit, If, Loop, Return

_WAYS = (Exit, Return)


def leaves_apart(
    block: Block, varying: bool, ways: tuple[type[Exit] | type[Return], ...] = _WAYS
) -> bool:
    """Does some lane leave the loop, or the function, where another goes on?

    ``ways``: by which nodes it leaves; the breaks of an inner loop are of that one.
    """
    for node in block.nodes:
        if isinstance(node, ways) and varying:
            return True
        if isinstance(node, If):
            apart = varying or node.test.varying
            if leaves_apart(node.then, apart, ways) or leaves_apart(node.orelse, apart, ways):
                return True
        if isinstance(node, Loop) and leaves_apart(node.body, varying or node.retires, (Return,)):
            return True
    return False
