"""What a value costs, and for which lanes it may be computed."""

from __future__ import annotations

from autovec.program.values import CallTwin, Operation, Value


def total(value: Value) -> bool:
    """May it be computed for lanes that do not need it, silently?"""
    op = value.op
    if isinstance(op, Operation):
        return op.total and not op.ignore
    if isinstance(op, CallTwin):
        return bool(op.twin.program.total)
    return True


def cost(value: Value) -> float:
    """Nanoseconds a lane, roughly."""
    op = value.op
    if not value.varying:
        return 0.0
    if isinstance(op, CallTwin):
        return float(op.twin.program.cost)
    return op.cost if isinstance(op, Operation) else 0.0
