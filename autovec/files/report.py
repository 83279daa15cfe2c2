"""What the command line says of a file: a diff, an explanation, or all of it as JSON."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from autovec.errors import Problem
from autovec.files.lift_edits import Loop
from autovec.files.rewrite import Rewritten
from autovec.files.text import lines_of
from autovec.files.units import Unit

_COLOURS = {"-": "\033[31m", "+": "\033[32m", "@": "\033[36m"}
_BOLD, _PLAIN = "\033[1m", "\033[0m"


def diff(done: Rewritten, colour: bool) -> Iterator[str]:
    """The lines of a unified diff.

    >>> done = Rewritten("f.py", b"a\\n", b"b\\n", "a\\n", "b\\n")
    >>> list(diff(done, colour=False))
    ['--- f.py', '+++ f.py', '@@ -1 +1 @@', '-a', '+b']
    """
    old, new = lines_of(done.old_text), lines_of(done.new_text)
    ends = [lines.pop() if lines[-1] == "" else None for lines in (old, new)]
    for k, line in enumerate(difflib.unified_diff(old, new, done.name, done.name, lineterm="")):
        yield _coloured(line, k) if colour else line
    for sign, end in zip("-+", ends, strict=True):
        if end is None and done.changed and (old if sign == "-" else new):
            yield f"\\ No newline at end of {'old' if sign == '-' else 'new'} file"


def _coloured(line: str, k: int) -> str:
    start = _BOLD if k < 2 else _COLOURS.get(line[:1], "")
    return f"{start}{line}{_PLAIN}" if start else line


def explanation(done: Rewritten) -> Iterator[str]:
    """Function by function, line by line: what became what and why."""
    for unit in done.units:
        target = unit.target
        yield f"{done.name}:{target.statement.lineno}: {target.asked}: {state(unit)}"
        for line in unit.explain:
            why = f" ({line.why})" if line.why else ""
            yield f"  {line.line}: {line.text}"
            yield f"      {line.what}{why}"
    for lift in done.lifts:
        for loop in lift.loops:
            yield from _loop(f"{done.name}:{loop.line}:{loop.column}", loop, lift.kinds)


def _loop(place: str, loop: Loop, kinds: list[str]) -> Iterator[str]:
    if not loop.lifted:
        yield f"{place}: loop not lifted: {loop.why}"
        return
    first, *more = loop.text.split("\n")
    yield f"{place}: loop lifted" if more else f"{place}: loop lifted ({first})"
    for line in [first, *more] if more else []:
        yield f"      {line}"
    if loop.test:
        yield f"  if {loop.test}"
    if loop.asks:
        yield f"  {loop.asks}: {', '.join(kinds)}"


def state(unit: Unit) -> str:
    """What became of a function, in a word."""
    if unit.problems:
        return "refused"
    return "batched" if unit.loop is None else "one visible loop"


def as_json(done: Rewritten, with_text: bool) -> dict[str, Any]:
    """A file's part of the output of `--json`."""
    found: dict[str, Any] = {
        "path": done.name,
        "changed": done.changed and not done.problems,
        "functions": [
            {
                "name": unit.target.asked,
                "written": unit.target.name,
                "line": unit.target.statement.lineno,
                "result": state(unit),
                "batched": [n for n in unit.params if n in unit.varying],
                "shared": [n for n in unit.params if n not in unit.varying],
                "explain": [line._asdict() for line in unit.explain],
            }
            for unit in done.units
        ]
        + [
            {
                "name": lift.target.asked,
                "line": lift.target.statement.lineno,
                "result": "lifted" if lift.lifted else "left as it is",
                "asked": lift.kinds,
                "loops": [asdict(loop) for loop in lift.loops],
            }
            for lift in done.lifts
        ],
        "errors": [_as_dict(p) for p in done.problems],
        "warnings": [_as_dict(p) for p in done.warnings],
        "notes": [_as_dict(p) for p in done.notes],
    }
    if with_text:
        found["text"] = done.new_text
    return found


def _as_dict(problem: Problem) -> dict[str, Any]:
    place = problem.place
    return {
        "line": place.line,
        "column": place.col + 1,
        "what": problem.what,
        "why": problem.why,
        "instead": problem.instead,
    }
