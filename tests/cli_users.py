"""Measures the command line on a suite of users' functions: is each file it writes right?

    python -m tests.cli_users path/to/suites/users [NAME ...] [-v]

The folder holds `cases.py` (functions with arguments) and `run.py` (the loop and the comparison).
For every case the command line writes `cases.py` with that function batched; the file is loaded
where no autovec can be imported, its function is called on the batch and compared with the loop.
A function counts as vectorised by the API if `vmap` runs it without a fallback.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import autovec
from autovec.files.rewrite import Request, Rewritten, rewrite

BEYOND = "it raises OverflowError, as the loop's integers leave int64"
SIZES = ((0, 200), (1, 37), (2, 1))


def main() -> int:
    """Print one line a case, and the shares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("-v", "--verbose", action="store_true", help="the reasons in full")
    options = parser.parse_args()
    sys.path.insert(0, str(options.folder))
    cases, suite = importlib.import_module("cases"), importlib.import_module("run")
    counts: Counter[tuple[bool, str]] = Counter()
    for case in cases.CASES:
        if options.names and case.name not in options.names:
            continue
        api = vectorised(case)
        outcome, why = judge(case, suite, options.folder / "cases.py")
        counts[api, outcome] += 1
        shown = why if options.verbose else why.split("\n", 1)[0][:110]
        print(f"{'api' if api else '   '} {outcome:8s} {case.name:20s} {shown}", flush=True)
    for api in (True, False):
        found = {outcome: n for (a, outcome), n in counts.items() if a is api}
        total = sum(found.values())
        right = found.get("right", 0) + found.get("loops", 0)
        word = "vectorised by the API" if api else "looped by the API"
        print(f"{word}: {total}, right {right} ({right / max(total, 1):.1%}) {found}")
    return int(any(outcome == "WRONG" for _, outcome in counts))


def vectorised(case: Any) -> bool:
    """Does the API run a case without a loop over its samples?"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = autovec.vmap(case.fn, in_axes_of(case), fallback="error")
            made(*case.args(0, 20))
        except Exception:
            return False
    return True


def in_axes_of(case: Any) -> Any:
    return 0 if case.in_axes is None else case.in_axes


def judge(case: Any, suite: Any, path: Path) -> tuple[str, str]:
    """right, loops (and right), refused (with a place, or when it runs), WRONG; and why."""
    name, replaced = definition_of(case)
    last = name.rpartition(".")[2]
    axes = {} if case.in_axes is None else {last: case.in_axes}
    request = Request((name,), replaced, {}, axes)
    done = rewrite(path.read_bytes(), str(path), request)
    if done.problems and all("used as an array" in p.what for p in done.problems):
        declared = {last: signature_of(case)}  # as the message asks for
        request = Request((name,), replaced, declared)
        done = rewrite(path.read_bytes(), str(path), request)
    if done.problems:
        return "refused", "\n".join(map(str, done.problems))
    if not done.changed:
        return "WRONG", "nothing was written"
    try:
        call = loaded(done, path, case, last if replaced else f"{last}_batched")
    except Exception as error:
        return "WRONG", f"the file does not load: {type(error).__name__}: {error}"
    why = compared(call, case, suite)
    if why.startswith(BEYOND):
        return "refused", why
    if why:
        return "WRONG", why
    return ("loops", str(done.warnings[0])) if done.warnings else ("right", "")


def signature_of(case: Any) -> str:
    """The ranks of a case's samples, as a generalised ufunc's signature."""
    args = case.args(0, 3)
    axes = case.in_axes if isinstance(case.in_axes, tuple) else (in_axes_of(case),) * len(args)
    cores = []
    for k, (arg, axis) in enumerate(zip(args, axes, strict=True)):
        rank = np.ndim(arg) - (axis is not None)
        cores.append("(" + ",".join(f"n{k}{d}" for d in range(rank)) + ")")
    return ",".join(cores) + "->()"


def definition_of(case: Any) -> tuple[str, bool]:
    """The dotted name of a case's function, and whether it has to be replaced to be reached."""
    function = getattr(case.fn, "__func__", case.fn)
    if function.__name__ == "<lambda>":
        module = sys.modules[function.__module__]
        return next(n for n, v in vars(module).items() if v is function), False
    parts = [part for part in function.__qualname__.split(".") if part != "<locals>"]
    return ".".join(parts), "<locals>" in function.__qualname__


def loaded(done: Rewritten, path: Path, case: Any, name: str) -> Callable[..., Any]:
    """The batched function of a written file, loaded where there is no autovec."""
    module = types.ModuleType("cases")
    kept = {n: m for n, m in sys.modules.items() if n.partition(".")[0] == "autovec"}
    own = sys.modules["cases"]
    try:
        sys.modules.update(dict.fromkeys(kept))
        sys.modules["cases"] = module
        code = compile(done.new, str(path), "exec")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(code, vars(module))
    finally:
        sys.modules.update(kept)
        sys.modules["cases"] = own
    twin = next(c for c in module.CASES if c.name == case.name)
    if name == getattr(twin.fn, "__name__", ""):
        return twin.fn
    owner = getattr(twin.fn, "__self__", module)
    return getattr(owner, name)


def compared(call: Callable[..., Any], case: Any, suite: Any) -> str:
    """How a written function differs from the loop; nothing if it does not."""
    nullable = bool({"None-return", "implicit-None"} & set(case.features))
    for seed, n in SIZES:
        args = case.args(seed, n)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            want = suite.stack(suite.loop(case.fn, args, suite.axes_of(case, args)))
            kept = suite.copy_args(args)
            try:
                got = call(*args)
            except OverflowError as error:  # what Python's ints can, and no text does silently
                return f"{BEYOND}: {error}"
            except Exception as error:
                return f"n={n}: {type(error).__name__}: {error}"
        why = suite.compare(want, got, nullable)
        if why and not (n == 1 and why.startswith("dtype")):
            return f"n={n}: {why}"
        if not suite.unchanged(kept, args):
            return "arguments were modified"
    return ""


if __name__ == "__main__":
    sys.exit(main())
