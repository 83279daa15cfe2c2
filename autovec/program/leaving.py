"""How lanes leave a loop: all at once, or one where another goes on."""

from __future__ import annotations

from autovec.program.nodes import Block, Exit, If, Loop, Return


def leaves_apart(block: Block, varying: bool) -> bool:
    """Does some lane leave the loop, or the function, where another goes on?"""
    for node in block.nodes:
        if isinstance(node, (Exit, Return)) and varying:
            return True
        if isinstance(node, If):
            apart = varying or node.test.varying
            if leaves_apart(node.then, apart) or leaves_apart(node.orelse, apart):
                return True
        if isinstance(node, Loop) and _returns_apart(node.body, varying or node.retires):
            return True
    return False


def _returns_apart(block: Block, varying: bool) -> bool:
    for node in block.nodes:
        if isinstance(node, Return) and varying:
            return True
        if isinstance(node, If):
            apart = varying or node.test.varying
            if _returns_apart(node.then, apart) or _returns_apart(node.orelse, apart):
                return True
        if isinstance(node, Loop) and _returns_apart(node.body, varying or node.retires):
            return True
    return False
