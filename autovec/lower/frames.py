"""Frames: which lanes the code runs for, and how a value of other lanes is read there.

The root frame holds all lanes.  A packed frame holds some of its parent's: ``index`` is its
*absolute* index into full-size arrays, ``select`` picks its lanes from its parent's compact arrays.
Both are written as marks (names that no program can have) and become text when the frame is left:
an index that is read once stands where it is read, one that is read often gets a name, and an array
that is gathered often is gathered once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.program.values import Value
from autovec.syntax import quote

#: marks begin with a letter that no program uses (a dental click): names to every pass
MARK = "\u01c0"
MARK_SIZE = f"{MARK}size"
#: stands for a dtype that is known when the text runs; the rest of the mark is its text, in hex
MARK_DTYPE = f"{MARK}dtype"


@dataclass(eq=False)
class Gather:
    """One array read in a packed frame: the mark that stands for it, how often it stands there."""

    mark: str
    value: Value
    source: gast.expr
    by: str
    name: str
    reads: int = 0


@dataclass(eq=False)
class Frame:
    """A set of lanes; ``mask`` is the test, in the parent's lanes, that selects them.

    A ``looping`` frame holds the lanes still running in a loop: its index is a variable that
    shrinks, and so do the arrays of its lanes, among them those it takes ``along``.  ``used`` are
    the names assigned since it was opened; an ``emptied`` one is left in the middle of a trip.
    """

    parent: Frame | None = None
    number: int = 0
    mask: gast.expr | None = None
    gathers: dict[int, Gather] = field(default_factory=dict)
    index_reads: int = 0
    select_reads: int = 0
    index_name: str = "k"
    select_name: str = "j"
    locked: list[str] = field(default_factory=list)
    loop_depth: int = 0
    looping: bool = False
    along: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    emptied: bool = False

    @property
    def root(self) -> bool:
        """Does it hold all lanes?"""
        return self.parent is None

    def uses(self, name: str) -> None:
        """A name is assigned in this frame, and so in those around it."""
        frame: Frame | None = self
        while frame is not None:
            frame.used.add(name)
            frame = frame.parent

    @property
    def index_mark(self) -> str:
        """Stands for the absolute index."""
        return f"{MARK}index{self.number}"

    @property
    def select_mark(self) -> str:
        """Stands for the selection from the parent's lanes."""
        return f"{MARK}select{self.number}"

    def index(self, weight: int = 1) -> gast.expr:
        """The absolute index of this frame's lanes."""
        if self.looping:
            return quote.name(self.index_name)
        self.index_reads += weight
        return quote.name(self.index_mark)

    def select(self, weight: int = 1) -> gast.expr:
        """This frame's lanes among its parent's."""
        assert self.parent is not None
        if self.parent.root:
            return self.index(weight)
        self.select_reads += weight
        return quote.name(self.select_mark)


@dataclass(frozen=True)
class LoopExits:
    """How lanes leave the loop being written: by a break, or all at once by a return."""

    leave: Callable[[Any], None]
    drop: Callable[[], None]
