"""The mutants of look-ups, and of lists and dicts that a function changes."""

from __future__ import annotations

from tests.fuzz.faults import Mutant

PROGRAM, PRELUDE = "autovec/program", "autovec/ops/prelude_text"

TABLE_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "an index may be one too large",
        f"{PROGRAM}/gathers.py",
        'high = f"{name} >= {index.length}"',
        'high = f"{name} > {index.length}"',
    ),
    Mutant(
        "a default stands first",
        f"{PROGRAM}/lookups.py",
        'text = f"np.array([*{row.text}.values(), default])"',
        'text = f"np.array([default, *{row.text}.values()])"',
    ),
    Mutant(
        "the place of a key is that among sorted ones",
        f"{PRELUDE}/tables.py",
        "at = order[np.minimum(place, len(items) - 1)]",
        "at = np.minimum(place, len(items) - 1)",
    ),
    Mutant(
        "a negative index counts from one too far",
        f"{PROGRAM}/choices.py",
        'return test if low >= 0 else ordered(b, "==", index, b.const(k - n), node)',
        'return test if low >= 0 else ordered(b, "==", index, b.const(k - n + 1), node)',
    ),
    Mutant(
        "a list changes under its first name only",
        f"{PROGRAM}/lists.py",
        "for name in holders:",
        "for name in holders[:1]:",
    ),
    Mutant(
        "a list is changed by an expression that is tried and taken back",
        f"{PROGRAM}/marks.py",
        "        b.env.clear()\n        b.env.update(self.names)\n",
        "",
    ),
    Mutant(
        "a list is added to as it was before the right side",
        f"{PROGRAM}/statements.py",
        "    base = current(b, base)\n",
        "",
    ),
    Mutant(
        "a loop that is written out has its items from the start",
        f"{PROGRAM}/watched.py",
        "if not same or not all(_same(x, y) for x, y in pairs):",
        "if not same:",
    ),
    Mutant(
        "what a loop changes in a list is lost",
        f"{PROGRAM}/loops.py",
        "inside = assigned_names(node.body) | changed_names(b, node)",
        "inside = assigned_names(node.body)",
    ),
    Mutant(
        "bisect_left puts NaN last",
        f"{PROGRAM}/bisection.py",
        "np.where(x == x, x, -np.inf)",
        "np.where(x == x, x, np.inf)",
    ),
)
