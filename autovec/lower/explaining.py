"""What became of the user's lines, and why: noted down while they are written.

A line has one note: that of the branch or loop that begins there, else of what it computes.
"""

from __future__ import annotations

from typing import NamedTuple

from autovec.lower.analysis import MAX_WHERE, harmless, nodes_cost
from autovec.lower.writer import Writer
from autovec.program.costs import total
from autovec.program.functions import Program
from autovec.program.nodes import Check, If, Let, Loop, Node, Raise, children
from autovec.program.noted import Note
from autovec.program.values import CallTwin, Each, Value


class Explained(NamedTuple):
    """One line of the user's function: what became of it, and why."""

    line: int
    text: str
    what: str
    why: str = ""


def explanation(programs: list[Program]) -> list[Explained]:
    """What became of each line of the function, then of its helpers."""
    found: dict[tuple[str, int], Explained] = {}
    for p in reversed(programs):
        lines = p.source.lines
        for note in sorted(p.notes, key=lambda n: n.line):
            text = lines[note.line - 1].strip() if 0 < note.line <= len(lines) else ""
            told = Explained(note.line, text, note.what, note.why)
            found.setdefault((p.source.filename, note.line), told)
    return list(found.values())


def note(w: Writer, line: int, what: str, why: str = "") -> None:
    """A branch, a loop or a check of a line: the first one counts."""
    if line:
        w.notes.setdefault(line, Note(line, what, why))


def note_plain(w: Writer, value: Value) -> None:
    """What a line computes, unless something begins there."""
    if not value.line:
        return
    why = ""
    if isinstance(value.op, Each):
        what, why = f"Python's own expression, a lane at a time, for {lanes(w)}", value.op.why
    elif isinstance(value.op, CallTwin):
        what = f"calls {value.op.twin.program.name} for {lanes(w)}"
    elif value.varying:
        what = f"array operations for {lanes(w)}"
    else:
        what = "stays Python: the same for every lane"
    before = w.plain_notes.get(value.line)
    if before is None or (value.varying and "Python" in before.what):
        w.plain_notes[value.line] = Note(value.line, what, why)


def lanes(w: Writer) -> str:
    """The lanes of the code that is being written."""
    if w.frame.root:
        return "all lanes at once"
    return "the lanes still running" if w.frame.looping else "the lanes that get there"


def notes(w: Writer) -> list[Note]:
    """All notes, line by line."""
    found = {**w.plain_notes, **w.notes}
    return [found[line] for line in sorted(found)]


def why_packed(node: If, rest: list[Node] | None = None) -> str:
    """Why a branch, with what some of its lanes go on to, is not np.where."""
    for nodes in (node.then.nodes, node.orelse.nodes, rest or []):
        found = _partial(nodes)
        if found:
            return found
    dear = max(nodes_cost(node.then.nodes), nodes_cost(node.orelse.nodes))
    if dear > MAX_WHERE:
        return f"a side costs about {dear:.0f} ns a lane"
    if (node.then.exits or node.orelse.exits) and not harmless(rest or []):
        return "what follows is not for every lane"
    if not (harmless(node.then.nodes) and harmless(node.orelse.nodes)):
        return "it is not for every lane"
    return "what follows is costly, or not for every lane"


def _partial(nodes: list[Node]) -> str | None:
    for node in nodes:
        if isinstance(node, Let) and node.value.varying and not total(node.value):
            op = node.value.op
            name = op.twin.program.name if isinstance(op, CallTwin) else op.name
            return f"{name} can warn or fail for the other lanes"
        if isinstance(node, Loop):
            return "a side has a loop"
        if isinstance(node, (Raise, Check)):
            return "a side can raise"
        for inner in children(node):
            found = _partial(inner.nodes)
            if found:
                return found
    return None
