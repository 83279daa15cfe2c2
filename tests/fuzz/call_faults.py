"""The mutants of calls, recursion and `try` (see mutants.py)."""

from __future__ import annotations

from tests.fuzz.faults import LOWER, PROGRAM, Mutant

CALL_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "a recursion runs for no lane",
        f"{LOWER}/analysis.py",
        "if program.recursive or risky_uniform(program.body.nodes):",
        "if not program.recursive and risky_uniform(program.body.nodes):",
    ),
    Mutant(
        "a handler sees what the statement assigned",
        f"{PROGRAM}/guarded.py",
        "        b.env = dict(held)\n        leave()",
        "        leave()",
    ),
    Mutant(
        "lanes that left a loop by an exception go on",
        f"{PROGRAM}/guarded.py",
        "            if self.breaks:",
        "            if not self.breaks:",
    ),
    Mutant(
        "the outer handler is asked first",
        f"{PROGRAM}/failing.py",
        "for attempt in reversed(attempts):\n        k = attempt",
        "for attempt in attempts:\n        k = attempt",
    ),
    Mutant(
        "a way out passes finally by",
        f"{PROGRAM}/guarded.py",
        "if len(b.ways.finals) <= keep:",
        "if keep == 0 or len(b.ways.finals) <= keep:",
    ),
    Mutant(
        "what a helper raised is forgotten",
        f"{PROGRAM}/twins.py",
        "    for k in found:\n        attempt, handler",
        "    for k in found[1:]:\n        attempt, handler",
    ),
    Mutant(
        "the larger of uniform values is of the first one's type",
        f"{PROGRAM}/build.py",
        'if op.name in ("max", "min") and not lanes:',
        'if op.name == "" and not lanes:',
    ),
)
