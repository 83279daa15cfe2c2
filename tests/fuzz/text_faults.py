"""Mutants of strings, missing values, dates, and of expressions that run a lane at a time."""

from __future__ import annotations

from tests.fuzz.faults import LOWER, PROGRAM, Mutant

TEXT_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "a slice begins at the start",
        f"{PROGRAM}/strings.py",
        'given = [parts["start"] or "None",',
        'given = ["None",',
    ),
    Mutant(
        "strings are cut to the literals' width",
        f"{LOWER}/expressions.py",
        "        else:\n            return STRING",
        "        else:\n            width = max(width, 1)",
    ),
    Mutant(
        "a test for None settles the wrong side",
        f"{PROGRAM}/narrowing.py",
        "        if not known[id(thing.none)]:",
        "        if known[id(thing.none)]:",
    ),
    Mutant(
        "None equals the blank in its place",
        f"{PROGRAM}/comparisons.py",
        "            same = both(b, same, negated(b, thing.none))\n",
        "",
    ),
    Mutant(
        "a lane's operands change places",
        f"{LOWER}/each.py",
        "samples = [samples_of(w, a) for _, a in varying]",
        "samples = [samples_of(w, a) for _, a in varying][::-1]",
    ),
    Mutant(
        "the last part is what follows the first separator",
        f"{PROGRAM}/splits.py",
        '"rpartition(x, sep)[2]",\n    ),\n    "split1"',
        '"partition(x, sep)[2]",\n    ),\n    "split1"',
    ),
    Mutant(
        "what is missing is there",
        f"{PROGRAM}/missing.py",
        '"np.equal(x, None)"',
        '"np.not_equal(x, None)"',
    ),
    Mutant(
        "the epoch was a Friday",
        "autovec/ops/date_rules.py",
        "{DAYS} + 3) % 7",
        "{DAYS} + 4) % 7",
    ),
)
