"""From a file's bytes to the same file with its per-sample functions batched."""

from __future__ import annotations

import ast
import contextlib
import linecache
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from autovec.errors import Place, Problem
from autovec.files.evidence import Evidence
from autovec.files.imports import with_imports, without_autovec
from autovec.files.layout import Layout
from autovec.files.lift_file import LiftUnit, lift_file
from autovec.files.names import Names
from autovec.files.scopes import scopes_of
from autovec.files.targets import Request, Target, find
from autovec.files.text import Edit, FileText, Unreadable
from autovec.files.units import Unit, compile_target
from autovec.files.world import World
from autovec.files.writing import NoPlaceError

_LOCK = threading.RLock()


@dataclass(eq=False)
class Rewritten:
    """A file's new bytes, and what was found on the way.

    `problems` are errors: then the file is not to be written. `warnings` are functions that loop,
    `notes` what was left as it is.
    """

    name: str
    old: bytes
    new: bytes
    old_text: str = ""
    new_text: str = ""
    units: list[Unit] = field(default_factory=list)
    lifts: list[LiftUnit] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    matched: set[str] = field(default_factory=set)
    near: set[str] = field(default_factory=set)

    @property
    def changed(self) -> bool:
        return self.old != self.new

    def write(
        self, file: FileText, edits: list[Edit], missing: Mapping[str, str], asked_for: bool
    ) -> None:
        """Set the new text; if the file asked for it, what it imports of autovec goes."""
        written = FileText(file.name, file.edited(edits), file.encoding, file.mark)
        if asked_for:
            written = without_autovec(written)
        written = with_imports(written, missing)
        written.parse()
        self.new_text = written.text
        self.new = written.encode(written.text)


def rewrite(data: bytes, name: str, request: Request) -> Rewritten:
    """Batch, or lift, the functions that a file or the request asks for. Nothing of it is run.

    >>> text = b"import autovec\\n\\n\\n@autovec.vectorize\\ndef f(x):\\n    return x + 1\\n"
    >>> print(rewrite(text, "f.py", Request()).new.decode(), end="")
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        \"""f, batched: every sample of the arguments at once.
    <BLANKLINE>
        Batched: x (arrays that broadcast).
        \"""
        return x + 1
    """
    done = Rewritten(name, data, data)
    try:
        file = FileText.decode(data, name)
        done.old_text = done.new_text = file.text
        tree = file.parse()
        if request.asks_about(file.text):
            with _shown(file):
                if request.lift:
                    lift_file(file, tree, request, done)
                else:
                    _rewrite(file, tree, request, done)
    except Unreadable as error:
        done.problems += error.problems
    except RecursionError:
        place = Place(name, 1, 0, 0, "")
        done.problems.append(Problem(place, "this file is nested too deeply to be followed"))
    return done


def _rewrite(file: FileText, tree: ast.Module, request: Request, done: Rewritten) -> None:
    world = World(file, tree, scopes_of(tree))
    found = find(world, request)
    done.problems += found.problems
    done.notes += found.notes
    done.matched, done.near = found.matched, found.near
    evidence = Evidence(world.scopes)
    done.units = [compile_target(target, world, evidence) for target in found.targets]
    units = [unit for unit in done.units if _is_kept(unit, request, done)]
    if done.problems or not units:
        return
    names = Names(tree, world.scopes)
    layout = Layout(world, names, units)
    for unit in units:
        try:
            layout.add(unit)
        except NoPlaceError as error:
            done.problems.append(error.problem)
    edits = layout.finish()
    if done.problems or not edits:
        return
    done.write(file, edits, names.missing, any(_is_ours(unit.target) for unit in units))


def _is_ours(target: Target) -> bool:
    return target.how in ("decorator", "assignment") and not target.optional


def _is_kept(unit: Unit, request: Request, done: Rewritten) -> bool:
    """Is there something to write for a target? What there is to say of it is noted."""
    target = unit.target
    if unit.problems:
        (done.notes if target.optional else done.problems).extend(unit.problems)
        return False
    if unit.loop is None:
        return True
    if target.optional:
        done.notes.append(unit.loop)
        return False
    if request.strict or target.chosen.fallback == "error":
        done.problems.append(unit.loop)
    elif target.chosen.fallback == "warn":
        done.warnings.append(unit.loop)
    return True


@contextlib.contextmanager
def _shown(file: FileText) -> Iterator[None]:
    """The file's text where the compiler looks for the source of its functions."""
    with _LOCK:
        before = linecache.cache.get(file.name)
        lines = [line + "\n" for line in file.lines]
        linecache.cache[file.name] = (len(file.text), None, lines, file.name)
        try:
            yield
        finally:
            if before is None:
                linecache.cache.pop(file.name, None)
            else:
                linecache.cache[file.name] = before


__all__ = ["Request", "Rewritten", "rewrite"]
