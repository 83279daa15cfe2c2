"""Known faults of the compiler, each of which the fuzzer must find within 2,000 programs.

    python -m tests.fuzz.mutants [NAME ...]

A mutant is one replacement in one file of a copy of the package.  Its `old` text must occur exactly
once, so a compiler that has moved on says so instead of testing nothing.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz import faults
from tests.fuzz.array_faults import ARRAY_MUTANTS
from tests.fuzz.call_faults import CALL_MUTANTS
from tests.fuzz.faults import Mutant
from tests.fuzz.lift_faults import LIFT_MUTANTS
from tests.fuzz.table_faults import TABLE_MUTANTS
from tests.fuzz.text_faults import TEXT_MUTANTS

ROOT = Path(__file__).parents[2]
MUTANTS = (
    *faults.MUTANTS, *ARRAY_MUTANTS, *CALL_MUTANTS, *TABLE_MUTANTS, *TEXT_MUTANTS, *LIFT_MUTANTS,
)  # fmt: skip


@dataclass(frozen=True)
class Result:
    """Whether the fuzzer found the mutant, and where."""

    name: str
    found: bool
    detail: str
    seconds: float


def apply(mutant: Mutant, folder: Path) -> None:
    """Replace the mutant's text in a copy of the package."""
    path = folder / mutant.path
    text = path.read_text()
    if text.count(mutant.old) != 1:
        count = f"occurs {text.count(mutant.old)} times in {mutant.path}"
        raise ValueError(f"{mutant.name}: its text {count}")
    path.write_text(text.replace(mutant.old, mutant.new))


def attack(mutant: Mutant | None, programs: int, seed: int) -> Result:
    """Fuzz the mutated copy until a difference is found; None: the package as it is."""
    began = time.monotonic()
    name = mutant.name if mutant else "the package as it is"
    with tempfile.TemporaryDirectory(prefix="mutant_") as copy:
        folder = Path(copy)
        for part in ("autovec", "tests"):
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, folder / part, ignore=ignore)
        if mutant:
            apply(mutant, folder)
        module = mutant.command if mutant else "tests.fuzz"
        command = [sys.executable, "-m", module, "--programs", str(programs)]
        command += ["--seed", str(seed), "--fail-fast"]
        command += ["--only", mutant.only] if mutant and mutant.only else []
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = re.search(r"DIFFERENT \d+:(\d+) (.*)", done.stdout)
    if found is None and done.returncode:
        tail = done.stderr.strip().splitlines()[-1:] or ["no output"]
        return Result(name, False, f"the fuzzer failed: {tail[0]}", time.monotonic() - began)
    detail = f"program {found[1]}: {found[2][:70]}" if found else f"not in {programs} programs"
    return Result(name, found is not None, detail, time.monotonic() - began)


def main(argv: list[str] | None = None) -> int:
    """Exit status 1 when a mutant survives, or the package itself differs."""
    p = argparse.ArgumentParser(prog="python -m tests.fuzz.mutants", description=__doc__)
    p.add_argument("names", nargs="*", help="these mutants only")
    p.add_argument("--programs", type=int, default=2000)
    p.add_argument("--seed", type=int, default=0)
    options = p.parse_args(argv)
    chosen = [m for m in MUTANTS if not options.names or m.name in options.names]
    survivors = 0
    for mutant in (None, *chosen):
        result = attack(mutant, options.programs, options.seed)
        bad = result.found if mutant is None else not result.found
        survivors += bad
        word = ("DIFFERS" if bad else "clean") if mutant is None else "SURVIVED" if bad else "found"
        print(f"{word:9s}{result.name:34s}{result.seconds:5.0f} s  {result.detail}", flush=True)
    print(f"{len(chosen)} mutants, {survivors} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
