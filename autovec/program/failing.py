"""What is known, while code inside ``try`` is built, of what may raise and who catches it."""

from __future__ import annotations

from dataclasses import dataclass, field

from autovec.program.nodes import Block
from autovec.program.values import Operation, Value


@dataclass
class Attempt:
    """A ``try`` around the code being built: what each of its handlers catches."""

    catches: tuple[tuple[type[BaseException], ...], ...]

    def handler_of(self, error: type[BaseException]) -> int | None:
        """The first handler that catches this exception."""
        for k, classes in enumerate(self.catches):
            if issubclass(error, classes):
                return k
        return None


@dataclass(frozen=True)
class Failure:
    """Where an operation raises what a handler answers for: a test of operands or of the result."""

    attempt: Attempt
    handler: int
    test: Operation
    args: tuple[Value, ...]
    after: bool


@dataclass
class DryRun:
    """What one statement may raise, and what the operations give that may."""

    block: Block
    failures: list[Failure] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    nested: bool = False
