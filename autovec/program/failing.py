"""What is known, while code inside ``try`` is built, of what may raise and who catches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import gast

from autovec.program.nodes import Block
from autovec.program.things import Caught
from autovec.program.values import Operation, Value

Classes = tuple[type[BaseException], ...]


@dataclass(eq=False)
class Attempt:
    """A ``try`` around the code being built: what each of its handlers catches.

    ``handle`` builds a handler.  ``anywhere``: it leaves the function, so that it may be built
    where the exception comes, inside of loops and other tries.
    """

    catches: tuple[Classes, ...]
    handle: Callable[[int, Caught], None]
    anywhere: tuple[bool, ...]

    def handler_of(self, error: type[BaseException]) -> int | None:
        """The first handler that catches this exception."""
        for k, classes in enumerate(self.catches):
            if issubclass(error, classes):
                return k
        return None


@dataclass(frozen=True)
class Final:
    """A ``finally`` clause around the code being built, and how many tries stand around it."""

    body: list[gast.stmt]
    depth: int


@dataclass(frozen=True)
class Failure:
    """Where an operation raises what a handler answers for: a test of operands or of the result."""

    attempt: Attempt
    handler: int
    test: Operation
    args: tuple[Value, ...]
    after: bool
    caught: Caught


@dataclass(frozen=True)
class Escape:
    """Lanes on which a helper says that it raised what a handler answers for."""

    test: Value
    attempt: Attempt
    handler: int
    call: Value


@dataclass
class Ways:
    """The ways out of where the code being built stands.

    ``finals``: the finally clauses around it; ``caught``: what the handlers around it answer for;
    ``escapes``: of the helpers' calls in the statement being built.
    """

    finals: list[Final] = field(default_factory=list)
    caught: list[Caught] = field(default_factory=list)
    escapes: list[Escape] = field(default_factory=list)


@dataclass
class DryRun:
    """What one statement may raise, and what the operations give that may."""

    block: Block
    failures: list[Failure] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    escapes: list[Escape] = field(default_factory=list)
    nested: bool = False

    @property
    def fails(self) -> bool:
        """May it raise what a handler answers for?"""
        return bool(self.failures or self.escapes)


def caught_by(attempts: list[Attempt], error: type[BaseException]) -> tuple[Attempt, int] | None:
    """The handler that answers for an exception: of the innermost try that names it."""
    for attempt in reversed(attempts):
        k = attempt.handler_of(error)
        if k is not None:
            return attempt, k
    return None


def all_handlers(attempts: list[Attempt]) -> list[tuple[Attempt, int, Classes]]:
    """The handlers that an exception of a helper may come to, in the order in which they are asked.

    One whose exceptions others before it catch is left out.
    """
    found: list[tuple[Attempt, int, Classes]] = []
    for attempt in reversed(attempts):
        for k, classes in enumerate(attempt.catches):
            before = tuple(c for _, _, known in found for c in known)
            own = tuple(c for c in classes if not issubclass(c, before))
            if own:
                found.append((attempt, k, own))
    return found
