"""Writing statements from values: reading, naming and inlining.

A value is written where it is first needed: one that is read once, in the block where it is
computed, stands in the expression that reads it; others get a name, the user's where it is free.  A
name is free again when the value it holds has no reads left, none is pending in an expression not
yet written, and no loop comes back to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gast

from autovec.lower.analysis import Uses, stored_memory, uses_of
from autovec.lower.expressions import names_in
from autovec.lower.frames import MARK, MARK_SIZE, Frame, Gather, LoopExits
from autovec.lower.naming import clean, idea, numbered
from autovec.lower.waiting import Waiting, back_at
from autovec.program.functions import Program
from autovec.program.noted import Note
from autovec.program.things import leaves
from autovec.program.values import Const, Param, Path, Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN, RESERVED


class NeedFlat(Exception):
    """The text packs: arrays of any shapes have to be broadcast and flattened first."""


class Writer:
    """The state of writing one program."""

    def __init__(
        self,
        program: Program,
        flat: bool,
        taken: set[str],
        keep_parameters: bool = False,
        renames: dict[str, str] | None = None,
    ) -> None:
        self.program = program
        self.flat = flat
        self.uses: Uses = uses_of(program.body)
        self.remaining: Counter[int] = Counter(self.uses.count)
        self.root = Frame()
        self.frame = self.root
        self.frames = 0
        self.out: list[gast.stmt] = []
        self.body = self.out
        self.names: dict[int, str] = {}
        self.home: dict[int, Frame] = {}
        self.holder: dict[str, Value] = {}
        self.opened: list[list[gast.stmt]] = []
        self.pending: dict[int, Waiting] = {}
        self.aliases: dict[int, Value] = {}
        self.aliased: set[int] = set()
        self.locked: Counter[str] = Counter()
        self.taken = RESERVED | taken
        self.loop_depth = self.size_reads = self.selecting = self.line = 0
        self.notes: dict[int, Note] = {}
        self.plain_notes: dict[int, Note] = {}
        self.quiet = self.partial = False
        self.texts: set[str] = set()  # arrays of strings of any width that lanes leave a loop to
        self.values: dict[int, Value] = {}
        self.live_masks: list[str] = []
        self.targets: dict[int, Any] = {}
        self.loop_exits: list[LoopExits] = []
        self.before_loop: list[list[gast.stmt]] = []
        self.outs: list[Any] = []
        self.keep_parameters = keep_parameters
        self.renames = renames or {}
        self.dependencies: dict[int, frozenset[str]] = {}
        self.returned: set[int] = set()
        self.shared: set[int] = set()
        self.unpacked: set[int] = set()  # items of a call that have their names already
        self.own, self.copied, self.lent = set[int](), set[int](), set[str]()
        self.through: dict[int, Any] = {}
        self.stored = stored_memory(program.body)
        self.private: set[int] = set()  # loops' heads in arrays that nothing else refers to
        self.depths: dict[int, int] = {}  # the loops around where a value got its name
        self.reassigned: set[str] = set()
        self.at_top: set[int] = set()
        self.ranks: dict[str, set[bool]] = {}  # whether a name held arrays, whether it held numbers
        self.unnamed: set[str] = set()  # names of what the user gave none
        self.size_name = self.reserve("n", "size", "count", "lanes")
        self.shape_word = self.reserve("shape", "batch_shape", "lanes_shape")
        self.locked.update([*program.numbers])
        self.bind_parameters()

    def bind_parameters(self) -> None:
        """Parameters are the first names held."""
        for name, thing in self.program.things.items():
            for v in leaves(thing):
                self.home[id(v)] = self.root
                self.at_top.add(id(v))
                if isinstance(v.op, Param) and isinstance(thing, Value):
                    self.names[id(v)] = name
                    self.holder[name] = v
                    self.ranks[name] = {v.varying or bool(v.fact.rank)}
            if (
                not isinstance(thing, Value)
                or not isinstance(thing.op, Param)
                or self.keep_parameters
            ):
                self.locked[name] += 1

    def reserve(self, *wishes: str) -> str:
        """A name that neither the user nor the program has."""
        name = next(
            n
            for n in (*wishes, *(f"{wishes[0]}_{k}" for k in range(1000)))
            if n not in self.taken and n not in self.program.locals
        )
        self.taken = self.taken | {name}
        return name

    def take(self, value: Value) -> str:
        """A name for a value: the user's if it is free, else one like it."""
        users = clean(value.origin)
        name = self.wanted(value)
        given = users and not (value.origin or "").startswith(HIDDEN)
        (self.unnamed.discard if given else self.unnamed.add)(name)
        self.assigned(value, name)
        return name

    def wanted(self, value: Value) -> str:
        """The user's name for it, else one for the idea that the user has not for another."""
        users = clean(value.origin)
        if users:
            return numbered(users, self.free)
        return numbered(idea(value), self.unclaimed)

    def unclaimed(self, name: str) -> bool:
        """May this name be assigned now, and is it none of the user's?"""
        return self.free(name) and name not in self.program.locals

    def assigned(self, value: Value, name: str) -> None:
        """The value is in this name from here on."""
        self.holder[name] = value
        self.ranks.setdefault(name, set()).add(value.varying or bool(value.fact.rank))
        self.frame.uses(name)
        self.names[id(value)] = name
        self.home[id(value)] = self.frame
        self.depths[id(value)] = self.loop_depth
        self.reassigned.add(name)
        if self.out is self.body:
            self.at_top.add(id(value))

    def free(self, name: str) -> bool:
        """May this name be assigned now?"""
        if self.locked[name] or name in self.taken:
            return False
        held = self.holder.get(name)
        if held is not None and self.remaining[id(held)] > 0:
            return False
        return self.unread(name)

    def fresh(self, want: str, ahead: Frame | None = None) -> str:
        """A name that holds no value of the program; at a frame's head, none that it assigns."""
        used = ahead.used if ahead else ()
        self.lock(name := numbered(want, lambda n: self.unclaimed(n) and n not in used))
        return name

    def lock(self, name: str) -> None:
        """Keep a name from others."""
        self.locked[name] += 1
        self.frame.uses(name)

    def release(self, name: str) -> None:
        """Give a fresh name back."""
        self.locked[name] -= 1

    def unread(self, name: str, but: Value | None = None) -> bool:
        """Does no expression that is not yet written read this name, but for one?"""
        kept = None if but is None else id(self.resolve(but))
        return not any(name in p.names for key, p in self.pending.items() if key != kept)

    def take_later(self, value: Value) -> str:
        """A name for a value that is about to be assigned in more than one place."""
        self.lock(name := self.wanted(value))
        return name

    def hold(self, value: Value, name: str) -> None:
        """The value is in this name now."""
        self.locked[name] -= 1
        self.assigned(value, name)

    def alias(self, value: Value, source: Value) -> None:
        """The value is another one: its reads are that one's."""
        self.named(source := self.resolve(source))
        self.remaining[id(source)] += self.remaining[id(value)] - 1
        self.aliases[id(value)] = source
        self.aliased.add(id(source))

    def resolve(self, value: Value) -> Value:
        """The value itself, or what it is an alias of."""
        while id(value) in self.aliases:
            value = self.aliases[id(value)]
        return value

    def consume(self, value: Value) -> None:
        """Count a read that needs no expression."""
        self.remaining[id(self.resolve(value))] -= 1

    def skip(self, value: Value) -> None:
        """Count a read that writes nothing, and drop what was to be written for it alone."""
        self.consume(value := self.resolve(value))
        if self.remaining[id(value)] <= 0:
            self.pending.pop(id(value), None)

    def named(self, value: Value) -> None:
        """Give a pending value a name: it will be read more than once."""
        value = self.resolve(value)
        if id(value) in self.pending:
            waiting = self.pending.pop(id(value))
            assert self.home.get(id(value)) in (self.frame, None)
            with back_at(self, waiting):
                name, expr = self.take(value), self.kept(value, waiting.expr)
                self.emit(quote.stmt("name = value", name=name, value=expr))

    def kept(self, value: Value, expr: gast.expr) -> gast.expr:
        """An expression that gets a name: a copy where it is a part of what is stored into."""
        if value.varying and not value.fact.shape and value.memory & self.stored:
            self.copied.add(id(value))
            return quote.expr("x.copy()", x=expr)
        return expr

    def wait(self, value: Value, expr: gast.expr) -> None:
        """The value's expression is written where it is read."""
        self.pending[id(value)] = Waiting(expr, names_in(expr), self.out, self.loop_depth)
        self.home[id(value)] = self.frame
        self.values[id(value)] = value

    def define(self, value: Value, expr: gast.expr) -> None:
        """A merged value, as a statement or pending."""
        plain = value.origin is None or self.selecting or id(value) in self.uses.merged
        if self.remaining[id(value)] == 1 and plain and self.in_place(value):
            self.wait(value, expr)
            return
        name = self.take(value)
        if not (isinstance(expr, gast.Name) and expr.id == name):
            self.emit(quote.stmt("name = value", name=name, value=expr))

    @contextmanager
    def collect(self) -> Iterator[list[gast.stmt]]:
        """Write into a list of its own."""
        self.opened.append(self.out)
        self.out = []
        try:
            yield self.out
        finally:
            self.out = self.opened.pop()

    def read(self, value: Value) -> gast.expr:
        """The expression of a value in the current frame."""
        value = self.resolve(value)
        self.remaining[id(value)] -= 1
        return self.peek(value)

    def peek(self, value: Value) -> gast.expr:
        """The same without counting a read."""
        value = self.resolve(value)
        op = value.op
        if isinstance(op, Const):
            return op.written or quote.const(op.value)
        if isinstance(op, Path) and not value.varying:
            return op.expr
        waiting = self.pending.pop(id(value), None)
        if waiting is not None:
            assert self.home[id(value)] is self.frame or not value.varying, "read in other lanes"
            return waiting.expr
        source = self.name_of(value)
        return self.gather(value, source, self.frame) if value.varying else source

    def name_of(self, value: Value) -> gast.expr:
        """The name that holds a value, whatever lanes it is for."""
        return value.op.expr if isinstance(value.op, Path) else quote.name(self.names[id(value)])

    def gather(self, value: Value, source: gast.expr, frame: Frame) -> gast.expr:
        """A value of some enclosing frame's lanes, for this frame's lanes."""
        home = self.home.get(id(value), self.root)
        if home is frame:
            return source
        if frame.looping:  # its index changes on the way: nothing is gathered ahead
            assert home.root, "values of a packed frame are shrunk along"
            return quote.expr("x[k]", x=source, k=frame.index_name)
        assert frame.parent is not None, (value, home.number, frame.number)
        weight = 3 if self.loop_depth > frame.loop_depth else 1
        found = frame.gathers.get(id(value))
        if found is None:
            mark = f"{MARK}gather{frame.number}_{len(frame.gathers)}"
            if home.root:
                inner, by = source, frame.index_mark
            else:
                inner, by = self.gather(value, source, frame.parent), frame.select_mark
                if frame.parent.root:
                    by = frame.index_mark
            name = self.fresh(f"{self.names.get(id(value), 'value')}_k", frame)
            frame.locked += [name, *names_in(inner)]
            self.locked.update(names_in(inner))
            found = frame.gathers[id(value)] = Gather(mark, value, inner, by, name)
        found.reads += weight
        return quote.name(found.mark)

    def flush(self, *but: Value) -> None:
        """Write what is pending: what follows runs for other lanes."""
        kept = [self.resolve(v) for v in but]
        for key in [*self.pending]:
            value = self.values[key]
            if value not in kept and value.varying and self.home[key] is self.frame:
                self.named(value)

    def emit(self, *statements: gast.stmt) -> None:
        """Append statements; each remembers the user's line it comes from."""
        for statement in statements:
            if not hasattr(statement, "lineno"):
                statement.lineno = self.line
        self.out.extend(statements)

    def in_place(self, value: Value) -> bool:
        """Is its one read in the block where it is computed?"""
        if id(value) in self.aliased:
            return False
        return self.uses.block.get(id(value)) is self.uses.home.get(id(value))

    def merge(self, before: dict[str, Value]) -> None:
        """After a side of a Python branch: names assigned in it are not held on the other."""
        self.holder = {**self.holder, **before}

    def size(self) -> gast.expr:
        """The number of lanes of the current frame."""
        if not self.frame.root:
            return quote.expr("len(k)", k=self.frame.index(2))
        return self.whole_size()

    def whole_size(self) -> gast.expr:
        """The number of all lanes, in any frame."""
        self.need_flat()
        self.size_reads += 1
        return quote.name(MARK_SIZE)

    def need_flat(self) -> None:
        """The text from here on holds for one lane axis only."""
        if not self.flat:
            raise NeedFlat
