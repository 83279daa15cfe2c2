"""Mutants of array samples: axes, views, stores in place, nested lanes."""

from __future__ import annotations

from tests.fuzz.faults import LOWER, Mutant

ARRAYS = "autovec/program/arrays"


def _mutant(name: str, path: str, old: str, new: str) -> Mutant:
    return Mutant(name, path, old, new, only="arrays")


ARRAY_MUTANTS: tuple[Mutant, ...] = (
    _mutant(
        "axes count from the front",
        f"{ARRAYS}/reductions.py",
        "return repr(axis if axis < 0 else axis - rank)",
        "return repr(axis)",
    ),
    _mutant(
        "a reduction forgets keepdims",
        f"{ARRAYS}/reductions.py",
        'shown = "".join(f", {k}={_shown(v)}" for k, v in extra.items())',
        'shown = ""',
    ),
    _mutant(
        "a number stands beside the last axis",
        f"{ARRAYS}/elementwise.py",
        "if not value.varying or value.fact.rank == rank:",
        "if not value.varying or value.fact.rank in (rank, 1):",
    ),
    _mutant(
        "a matrix of all samples is not turned",
        f"{ARRAYS}/contractions.py",
        'else "a1 @ a0.T"\n    if p == 1',
        'else "a1 @ a0"\n    if p == 1',
    ),
    _mutant(
        "a view of what is stored into is kept",
        f"{ARRAYS}/items.py",
        "found.memory = array.memory  # a view",
        "found.memory = frozenset()  # a view",
    ),
    _mutant(
        "a masked store takes the other lanes",
        f"{ARRAYS}/stores.py",
        'text = "np.copyto(a0, a2, where=a1)"',
        'text = "np.copyto(a0, a2, where=~a1)"',
    ),
    _mutant(
        "only one name sees a store",
        f"{ARRAYS}/stores.py",
        "            b.env[name] = map_leaves(thing, lambda v: new if v is old else v)",
        "            b.env[name] = map_leaves(thing, lambda v: new if v is old else v)\n"
        "            break",
    ),
    _mutant(
        "a store changes what others read",
        f"{LOWER}/storing.py",
        'made = quote.expr("x.copy()", x=w.read(base))',
        "made = w.read(base)",
    ),
    _mutant(
        "what is pending is read behind the store",
        f"{LOWER}/storing.py",
        "        settle_pending(w, name, base)\n        w.consume(base)",
        "        w.consume(base)",
    ),
    _mutant(
        "an index of arrays goes along with the lanes",
        f"{LOWER}/framing.py",
        "return part.id in numbers",
        "return True",
    ),
    _mutant(
        "rows are read from the start",
        f"{ARRAYS}/items.py",
        'text = f"{texts[0]}:{texts[1]}" + (f":{texts[2]}" if texts[2] else "")',
        'text = f":{texts[1]}" + (f":{texts[2]}" if texts[2] else "")',
    ),
    _mutant(
        "levels change places",
        "autovec/run/nested.py",
        "for depth in reversed(range(len(self.levels))):",
        "for depth in range(len(self.levels)):",
    ),
    _mutant(
        "an elsewhere empty mask has a sum",
        f"{ARRAYS}/masked.py",
        'elements = "a0" if array.varying or not mask.varying else "np.broadcast_to(a0, a1.shape)"',
        'elements = "a0"',
    ),
)
