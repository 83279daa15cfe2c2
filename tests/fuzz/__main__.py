"""`python -m tests.fuzz`: run programs, print what was tried, minimise and store what differs."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from typing import Any

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from tests.fuzz.coverage import Coverage  # noqa: E402
from tests.fuzz.judge import Verdict, judge  # noqa: E402
from tests.fuzz.minimise import Minimiser, script, store  # noqa: E402
from tests.fuzz.program import generate  # noqa: E402
from tests.fuzz.scope import FEATURES  # noqa: E402


def _maker(spec: str | None) -> Any:
    """`module:name` of a factory (f, in_axes) -> batched function; None is the package's own."""
    if spec is None:
        return None
    module, _, name = spec.partition(":")
    return getattr(importlib.import_module(module), name)


def work(
    options: argparse.Namespace, start: int, step: int
) -> tuple[Coverage, list[tuple[str, Verdict, str]]]:
    """Programs start, start + step, ... of the seed."""
    coverage, found = Coverage(), []
    make, deadline = _maker(options.target), time.monotonic() + options.time
    only = options.only.split(",") if options.only else None
    for k in range(start, options.programs, step):
        if time.monotonic() > deadline:
            break
        seed = f"{options.seed}:{k + options.skip}"
        program = generate(seed, only, rows=not options.target)
        try:
            verdict = judge(program, make)
        except Exception as error:  # noqa: BLE001  the tool's own failure must not end a long run
            verdict = Verdict(
                "different", "tool", "".join(traceback.format_exception(error))[-1500:]
            )
        coverage.add(verdict, program.features)
        if options.verbose:
            print(
                f"{program.seed} {verdict.status} {verdict.kind} {verdict.fallbacks[:1]}",
                flush=True,
            )
        if verdict.status != "different":
            continue
        shown = program.text
        if verdict.call is not None:
            call = verdict.call
            if options.minimise:
                program, call, verdict = Minimiser(
                    program, verdict, make, options.minimise_seconds
                ).run()
            shown = script(program, call, verdict)
            if options.store:
                print("stored", store(options.store, program, call, verdict), flush=True)
        print(f"DIFFERENT {program.seed} {verdict.kind}: {verdict.what[:1500]}", flush=True)
        if options.minimise or options.verbose:
            print(shown, flush=True)
        found.append((program.seed, verdict, shown))
        if options.fail_fast:
            break
    return coverage, found


def main(argv: list[str] | None = None) -> int:
    """Exit status 1 when a program differs from the loop."""
    p = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    p.add_argument("--programs", type=int, default=1000)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--skip", type=int, default=0, help="start at this program of the seed")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--time", type=float, default=float("inf"), help="stop after so many seconds")
    p.add_argument("--minimise", action="store_true", help="shrink each failing program")
    p.add_argument("--minimise-seconds", type=float, default=60)
    p.add_argument("--store", metavar="DIR", help="write a script for each failing program")
    p.add_argument(
        "--only", metavar="FEATURES", help=f"these features, all of them on: {', '.join(FEATURES)}"
    )
    p.add_argument("--fail-fast", action="store_true", help="stop at the first difference")
    p.add_argument(
        "--target",
        metavar="MODULE:NAME",
        help="another vectoriser, e.g. tests.oracle.reference:Reference",
    )
    p.add_argument("-v", "--verbose", action="store_true")
    options = p.parse_args(argv)
    began = time.monotonic()
    coverage, found = Coverage(), []
    if options.jobs == 1:
        coverage, found = work(options, 0, 1)
    else:
        with ProcessPoolExecutor(options.jobs) as pool:
            parts = [pool.submit(work, options, k, options.jobs) for k in range(options.jobs)]
            for part in parts:
                one, more = part.result()
                coverage.merge(one)
                found += more
    tried = sum(n for name, n in coverage.programs.items() if not name.startswith("lanes"))
    print(coverage.report(options.verbose))
    seconds = f"{time.monotonic() - began:.0f} s"
    print(f"{tried} programs of seed {options.seed}, {len(found)} differences, {seconds}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
