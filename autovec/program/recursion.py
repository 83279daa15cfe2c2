"""Recursion: the facts of a function's result, where it calls itself, by fixpoint.

While a function is being built its result is not known.  In the first round a call of itself gives
nothing: the statement that makes it, or the side of the branch, is built no further, and the other
ways out say what the result is.  The next rounds take that for the result of the call, until they
find what they took.  Helpers that lie on the way round are built anew in each round.

    def digit_sum(n):
        if n < 10:
            return n                                # the first round: an int
        return n % 10 + digit_sum(n // 10)          # the second: an int, too
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autovec.program.things import Thing, leaves
from autovec.program.values import SMALL_STEP

if TYPE_CHECKING:
    from autovec.program.functions import Program

#: rounds after which a result that still changes is refused
ROUNDS = 12
#: calls inside calls that are compiled at once, each with other facts than those around
MAX_CHAIN = 40


@dataclass(eq=False)
class Chain:
    """The functions being built, outermost first, and which of them lie on a way round.

    ``heads``: for each function, those being built that it comes back to; ``called``: those that
    were called from inside in this round.
    """

    keys: list[Hashable] = field(default_factory=list)
    programs: dict[Hashable, Program] = field(default_factory=dict)
    heads: dict[Hashable, set[Hashable]] = field(default_factory=dict)
    called: set[Hashable] = field(default_factory=set)

    def enter(self, key: Hashable, program: Program) -> None:
        """A round of this function begins."""
        self.keys.append(key)
        self.programs[key] = program
        self.called.discard(key)

    def leave(self) -> None:
        """The round ends."""
        del self.programs[self.keys.pop()]

    def goes_round(self, key: Hashable) -> bool:
        """Does this function come back to itself, as far as the rounds so far say?"""
        return key in self.heads

    def comes_back(self, key: Hashable) -> bool:
        """Does it come back to one of those that are still being built?"""
        return not self.all_heads(key).isdisjoint(self.keys)

    def takes(self, key: Hashable, head: Hashable) -> bool:
        """Was it built on what one being built was taken to return?"""
        return not self.all_heads(key).isdisjoint({*self.keys, head})

    def all_heads(self, key: Hashable) -> set[Hashable]:
        """Those that it comes back to, also by way of one that was found to go on to others."""
        found: set[Hashable] = set()
        todo = [key]
        while todo:
            new = self.heads.get(todo.pop(), set()) - found
            found |= new
            todo += new
        return found

    def close(self, head: Hashable) -> None:
        """A function being built is called: all those built inside it lie on the way round."""
        self.called.add(head)
        for key in self.keys[self.keys.index(head) :]:
            self.heads.setdefault(key, set()).add(head)

    def close_again(self, key: Hashable) -> None:
        """A finished function is called, which comes back to some of those being built."""
        for head in self.all_heads(key) & set(self.keys):
            self.close(head)


def grow(things: dict[str, Thing]) -> None:
    """The arguments of a recursive function are handed from call to call, as a loop's carries."""
    for thing in things.values():
        for value in leaves(thing):
            value.carried = True


def handed_on(passed: Mapping[str, Thing], parameters: Mapping[str, Thing]) -> tuple[str, ...]:
    """Mark the parameters of a helper that hold what a loop carries; what tells this call apart."""
    pairs = [
        pair
        for name, thing in passed.items()
        for pair in zip(leaves(thing), leaves(parameters[name]), strict=True)
    ]
    if not any(given.carried and given.fact.kind == "i" for given, _ in pairs):
        return ()
    found = []
    for given, own in pairs:
        own.carried = given.carried
        if given.bound <= SMALL_STEP:
            own.bound = SMALL_STEP
        found.append("carried" if own.carried else "small" if own.bound <= SMALL_STEP else "")
    return tuple(found)
