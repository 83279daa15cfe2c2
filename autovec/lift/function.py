"""A function's statements in order: what its names hold, and which of its loops are lifted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Place, Problem, Unsupported
from autovec.lift.edges import edges_apart
from autovec.lift.facts import Facts, Symbols, joined
from autovec.lift.generators import spelled
from autovec.lift.known import Scope
from autovec.lift.live import live_before
from autovec.lift.loops import lift_loop
from autovec.lift.order import check_text
from autovec.lift.outside import assign, forget, narrow, note_elements, thing_of_parameter
from autovec.lift.searched_whiles import searched
from autovec.lift.searches import without_exit
from autovec.lift.segments import segmented
from autovec.lift.uses import augmented_names, used_as_list
from autovec.lift.values import Lane
from autovec.lift.whiles import counted
from autovec.syntax import quote
from autovec.syntax.names import Namer
from autovec.syntax.parse import Source, place_of
from autovec.syntax.scope import assigned_names, free_names, local_names, mutated_names
from autovec.syntax.walking import located, updated, walk

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
_STRANGE = (gast.Global, gast.Nonlocal, gast.Yield, gast.YieldFrom, gast.Await, gast.NamedExpr)
_DYNAMIC = {"locals", "exec", "eval", "vars", "globals"}
#: what is noted where autovec itself fails: the loop stays, and the tests find it
OWN_FAULT = "autovec failed at this loop, which is a bug"
_EMPTY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Note:
    """What became of one loop."""

    place: Place
    what: str
    why: str = ""


@dataclass(eq=False)
class LiftedFunction:
    """A function with its loops lifted: the tree, and what running it relies on."""

    tree: gast.FunctionDef
    notes: list[Note] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lifted: int = 0
    strict: bool = False
    risky: bool = False
    stored: frozenset[str] = _EMPTY
    scope: Scope | None = None


class Walker:
    """Goes through a function once, with the facts of its names; ``exact``: see order.py."""

    exact = False

    def __init__(self, source: Source, fn: Any, kinds: dict[str, Any]) -> None:
        self.source = source
        tree = source.tree
        assert isinstance(tree, gast.FunctionDef)
        self.made = LiftedFunction(tree)
        self.local = frozenset(local_names(tree))
        self.scope = Scope(fn, self.local)
        self.made.scope = self.scope
        self.taken = {n.id for n in walk(tree) if isinstance(n, gast.Name)} | {tree.name}
        self.symbols = Symbols()
        self.kinds = kinds
        self.outer: list[Any] = []
        self.extra: list[Any] = []  # statements made of the user's
        self.facts = Facts(self.symbols)

    def run(self) -> LiftedFunction:
        tree = self.made.tree
        self.made.stored = frozenset(mutated_names(tree.body)) | augmented_names(tree.body)
        self.check(tree)
        for name, kind in self.kinds.items():
            self.facts.env[name] = thing_of_parameter(self.symbols, name, kind)
        body = self.block(tree.body, _EMPTY)
        self.made.tree = updated(tree, body=body)
        return self.made

    def check(self, tree: Any) -> None:
        for node in walk(tree.body):
            if isinstance(node, (*_SCOPES, *_STRANGE)):
                what = f"{type(node).__name__.lower()} in the function"
                raise Unsupported(node, what, "its loops are left as they are")
            if isinstance(node, gast.Name) and node.id in _DYNAMIC:
                raise Unsupported(node, node.id, "it sees the names of the function")
        found = self.scope.find(quote.name("np")) if "np" in self.taken else np
        if "np" in self.local or (found is not None and found is not np):
            raise Unsupported(tree, "np is not NumPy here")

    # ----------------------------------------------------------- statements

    def block(self, body: list[Any], live: frozenset[str]) -> list[Any]:
        done: list[Any] = []
        for k, node in enumerate(body):
            done += self.statement(node, live_before(body[k + 1 :], live))
        return done

    def statement(self, node: Any, live: frozenset[str]) -> list[Any]:
        if isinstance(node, gast.For):
            return self.loop(node, live)
        made = self.generated(node, live)
        if made is not None:
            return made
        if isinstance(node, gast.While):
            return self.counting(node, live)
        if isinstance(node, gast.If):
            return [self.branch(node, live)]
        if isinstance(node, (gast.Assign, gast.AnnAssign, gast.AugAssign)):
            assign(self.facts, self.scope, node)
            note_elements(self.facts, node)
            return [node]
        forget(self.facts, node)
        self.facts.elements.clear()
        return [node]

    def branch(self, node: gast.If, live: frozenset[str]) -> gast.If:
        self.facts.elements.clear()
        before = self.facts.copy()
        old = dict(self.symbols.low)
        narrow(self.facts, node.test)
        then = self.block(node.body, live)
        self.symbols.low = old
        after, self.facts = self.facts, before
        orelse = self.block(node.orelse, live)
        if _leaves(node.body):
            pass
        elif node.orelse and _leaves(node.orelse):
            self.facts = after
        else:
            self.facts.join(after)
        return updated(node, body=then, orelse=orelse)

    def loop(self, node: gast.For, live: frozenset[str]) -> list[Any]:
        try:
            split = without_exit(self, node, live)
            if split is not None:
                check_text(self, node, split)
                self.note(node, "lifted", "its turns end at the first hit")
                self.pass_over(node)
                return [located(s, node) for s in split]
            if node.orelse:
                raise Unsupported(node, "a loop with else")
            return self.lifted(node, live)
        except Unsupported as error:
            return edges_apart(self, node, live) or self.serial(node, live, error)
        except Exception as error:
            fault = Unsupported(node, OWN_FAULT, f"{type(error).__name__}: {error}")
            return self.serial(node, live, fault)

    def generated(self, node: Any, live: frozenset[str]) -> list[Any] | None:
        """A statement with a generator, as a loop and the statement; None if that is not lifted."""
        state = self.state()
        try:
            parts = spelled(self, node)
            if parts is None:
                return None
            assign(self.facts, self.scope, parts.start)
            self.extra.append(parts.statement)
            after = live_before([parts.statement], live)
            split = without_exit(self, parts.loop, after)
            check_text(self, node, split or [])
            done = self.lifted(parts.loop, after) if split is None else split
            if split is not None:
                self.note(node, "lifted", "its turns end at the first hit")
                self.pass_over(parts.loop)
            rest = self.statement(parts.statement, live)
            return [parts.start, *(located(s, node) for s in done), *rest]
        except Unsupported as error:
            self.go_back(state)
            self.note(node, "stays a loop", error.reason)
            place = place_of(self.source, node)
            self.made.problems.append(Problem(place, error.what, error.why, error.instead))
            return None

    def state(self) -> Any:
        """What `go_back` needs to take back all that came after."""
        made = self.made
        counts = made.lifted, made.strict, made.risky
        return set(self.taken), self.facts.copy(), len(made.notes), len(made.problems), counts

    def go_back(self, state: Any) -> None:
        made = self.made
        self.taken, self.facts, notes, problems, counts = state
        del made.notes[notes:], made.problems[problems:]
        made.lifted, made.strict, made.risky = counts

    def counting(self, node: gast.While, live: frozenset[str]) -> list[Any]:
        """A ``while`` that counts, as a ``for``; if that is not lifted it stays as it is."""
        made = counted(node)
        if made is not None:
            loop, after = made
            try:
                done = self.lifted(loop, live | {after.test.left.id})
            except Unsupported as error:
                return self.serial(node, live, error)
            return [*done, located(after, node)]
        why = Unsupported(node, "while", "how often it runs is not known before")
        try:
            found = searched(self, node, live) or segmented(self, node, live)
            if found is not None:
                check_text(self, node, found)
                return found
        except Unsupported as error:
            why = error
        return self.serial(node, live, why)

    def lifted(self, node: gast.For, live: frozenset[str]) -> list[Any]:
        made = lift_loop(
            self.facts, self.namer(node, live), self.scope, node, live, used_as_list(self)
        )
        check_text(self, node, made.statements)
        self.made.lifted += 1
        self.made.strict |= made.strict
        self.made.risky |= made.risky
        self.note(
            node,
            "lifted",
            "beside the loop, which runs where its guard fails" if made.guarded else "",
        )
        start = dict(self.facts.env)
        self.pass_over(node)
        for name, lane in made.samples.items():
            held = start.get(name)
            if isinstance(held, Lane):
                fresh = replace(lane, expr=quote.name(name), axes=(), poly=None, named=None)
                self.facts.env[name] = joined(held, fresh, self.symbols)
        return [located(s, node) for s in made.statements]

    def namer(self, node: Any, live: frozenset[str]) -> Any:
        """Names for the statements in place of a loop: its own are free again."""
        inside = {
            n for part in walk([node]) if isinstance(part, gast.For)
            for n in assigned_names(part.target)
        }  # fmt: skip
        own = inside - live - free_names([*self.outer, node.iter])
        return lambda: Namer(self.taken - own)

    def serial(self, node: Any, live: frozenset[str], why: Unsupported | None = None) -> list[Any]:
        """The loop stays; loops in it are tried."""
        before = self.made.lifted
        at = len(self.made.notes)
        after = live_before([node], live)
        self.facts.elements.clear()
        start = self.facts.copy()
        self.widen(node)
        self.outer.append(node)
        body = self.block(node.body, after | live)
        self.outer.pop()
        self.facts = start
        self.pass_over(node)
        if why is not None:
            inner = self.made.lifted > before
            where: Any = why.node if getattr(why.node, "lineno", None) else node
            note = Note(place_of(self.source, node), "stays a loop", why.reason)
            self.made.notes.insert(at, note)
            if not inner:
                place = place_of(self.source, where)
                self.made.problems.append(Problem(place, why.what, why.why, why.instead))
        return [updated(node, body=body)]

    def widen(self, node: Any) -> None:
        """The facts that hold at the start of every turn."""
        for _ in range(4):
            trial = self.facts.copy()
            self.facts, kept = trial, self.facts
            self.enter(node)
            quiet = _Quiet(self)
            quiet.block(node.body)
            end, self.facts = self.facts, kept
            if not self.facts.join(end):
                break
        else:
            for name in assigned_names(node):
                self.facts.env[name] = None
        for name in mutated_names(node.body):
            from autovec.lift.values import Fresh

            if isinstance(self.facts.env.get(name), Fresh):
                self.facts.env[name] = None
        self.enter(node)

    def enter(self, node: Any) -> None:
        """Binds the target of a loop that stays."""
        from autovec.lift.outside import bind_target

        if isinstance(node, gast.For):
            bind_target(self.facts, self.scope, node)

    def pass_over(self, node: Any) -> None:
        """The facts after a loop, whatever became of it."""
        from autovec.lift.values import Fresh

        self.facts.elements.clear()
        start = self.facts.copy()
        self.widen(node)
        quiet = _Quiet(self)
        quiet.block(node.body)
        self.facts.join(start)
        for name in assigned_names(node):
            if name not in start.env:
                self.facts.env.pop(name, None)
        for name in mutated_names(node):
            if isinstance(self.facts.env.get(name), Fresh):
                self.facts.env[name] = None

    def note(self, node: Any, what: str, why: str = "") -> None:
        self.made.notes.append(Note(place_of(self.source, node), what, why))


class _Quiet:
    """The facts after statements, without lifting anything."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker

    def block(self, body: list[Any]) -> None:
        walker = self.walker
        for node in body:
            if isinstance(node, (gast.Assign, gast.AnnAssign, gast.AugAssign)):
                assign(walker.facts, walker.scope, node)
            elif isinstance(node, gast.If):
                before = walker.facts.copy()
                self.block(node.body)
                after, walker.facts = walker.facts, before
                self.block(node.orelse)
                walker.facts.join(after)
            elif isinstance(node, (gast.For, gast.While)):
                for name in assigned_names(node):
                    walker.facts.env[name] = None
            else:
                forget(walker.facts, node)


def _leaves(body: list[Any]) -> bool:
    return bool(body) and isinstance(body[-1], (gast.Return, gast.Raise, gast.Continue, gast.Break))
