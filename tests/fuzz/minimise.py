"""A failing program -> a small one that fails the same way, and a script that shows it.

Greedy: drop statements (halves of a block first), replace a branch by its body, an expression by
one of its parts or by a constant; then lanes, then the values.  Every candidate is judged like any
program, so what is left is still well defined.
"""

from __future__ import annotations

import ast
import builtins
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.data import Call, draw
from tests.fuzz.judge import Make, Verdict, judge, well_defined
from tests.fuzz.program import Program

CONSTANTS = (ast.Constant(1.0), ast.Constant(2), ast.Constant(True))


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block


def _inner_blocks(stmt: ast.stmt) -> list[list[ast.stmt]]:
    blocks = [
        getattr(stmt, n) for n in ("body", "orelse") if isinstance(getattr(stmt, n, None), list)
    ]
    blocks += [h.body for h in getattr(stmt, "handlers", [])] + [
        c.body for c in getattr(stmt, "cases", [])
    ]
    return [b for b in blocks if b]


def _statement_edits(tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Edits of the tree in place, the coarsest first."""
    for block in list(_blocks(tree)):
        size = len(block)
        while size >= 1:
            for start in range(0, len(block), size):

                def drop(block: Any = block, start: int = start, size: int = size) -> None:
                    kept = block[:start] + block[start + size :]
                    block[:] = kept or [ast.Pass()]

                yield drop
            size //= 2
        for k, stmt in enumerate(block):
            if isinstance(stmt, ast.FunctionDef | ast.Lambda):
                continue
            for inner in _inner_blocks(stmt):

                def unwrap(block: Any = block, k: int = k, inner: Any = inner) -> None:
                    block[k : k + 1] = inner

                yield unwrap


def _expression_edits(tree: ast.Module) -> Iterator[Callable[[], None]]:
    for parent in list(ast.walk(tree)):
        if isinstance(parent, ast.arguments):
            continue
        for name, value in ast.iter_fields(parent):
            slots = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
            for k, child in slots:
                if not isinstance(child, ast.expr) or isinstance(
                    getattr(child, "ctx", None), ast.Store | ast.Del
                ):
                    continue
                if isinstance(child, ast.Constant) or name in ("annotation", "func"):
                    continue
                parts = [
                    c
                    for c in ast.iter_child_nodes(child)
                    if isinstance(c, ast.expr) and not isinstance(c, ast.Lambda)
                ]
                for new in (*parts, *CONSTANTS):

                    def exchange(
                        parent: Any = parent, name: str = name, k: Any = k, new: Any = new
                    ) -> None:
                        if k is None:
                            setattr(parent, name, new)
                        else:
                            getattr(parent, name)[k] = new

                    yield exchange


def _names_are_bound(text: str) -> bool:
    """Whether every name that is read is bound somewhere in the module, or a builtin."""
    read, bound = set(), set(dir(builtins))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.FunctionDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.MatchAs | ast.ExceptHandler) and node.name:
            bound.add(node.name)
    return read <= bound


class Minimiser:
    """Shrinks one failing program within a time budget."""

    def __init__(
        self, program: Program, verdict: Verdict, make: Make | None = None, seconds: float = 60
    ) -> None:
        self.program, self.verdict, self.make = program, verdict, make
        self.call = verdict.call
        self.draws = [draw(program, 0), draw(program, 1)]  # well defined for these, whatever fails
        self.deadline = time.monotonic() + seconds

    def fails(self, text: str, call: Call) -> bool:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                compile(text, "<candidate>", "exec")
            if not _names_are_bound(text):
                return False
            program = self.program.replaced(text)
            if not well_defined(program, [call, *self.draws]):
                return False
            verdict = judge(program, self.make, [call])
        except Exception:  # noqa: BLE001  a candidate that is no program at all
            return False
        same = verdict.status == "different" and verdict.kind == self.verdict.kind
        if same and verdict.kind in ("crash", "exception"):
            same = verdict.what.split(":")[0] == self.verdict.what.split(":")[0]
        if same:
            self.verdict = verdict
        return same

    def run(self) -> tuple[Program, Call, Verdict]:
        text, call = self.program.text, self.call
        assert call is not None
        if not self.fails(text, call):
            return self.program, call, self.verdict
        call = self.fewer_lanes(text, call)
        before = ""
        while before != text and time.monotonic() < self.deadline:
            before = text
            text = self.edits(text, call, _statement_edits)
            text = self.edits(text, call, _expression_edits)
            call = self.fewer_lanes(text, call)
        call = self.simpler_values(text, call)
        return self.program.replaced(text), call, self.verdict

    def edits(
        self, text: str, call: Call, kind: Callable[[ast.Module], Iterator[Callable[[], None]]]
    ) -> str:
        """Every edit that keeps the failure; the k-th of a fresh tree at a time."""
        k = 0
        while time.monotonic() < self.deadline:
            tree = ast.parse(text)
            chosen = next((e for j, e in enumerate(kind(tree)) if j == k), None)
            if chosen is None:
                return text
            chosen()
            try:
                shorter = ast.unparse(ast.fix_missing_locations(tree))
            except (ValueError, AttributeError, RecursionError):
                k += 1
                continue
            if len(shorter) < len(text) and self.fails(shorter, call):
                text = shorter
            else:
                k += 1
        return text

    def fewer_lanes(self, text: str, call: Call) -> Call:
        arrays = [a for a in call.args if isinstance(a, np.ndarray)]
        if call.shape:
            return call
        if not arrays or any(a.ndim != 1 for a in arrays) or len({len(a) for a in arrays}) != 1:
            return call
        lanes = np.arange(len(arrays[0]))
        size = len(lanes) // 2
        while size >= 1 and time.monotonic() < self.deadline:
            for start in range(0, len(lanes), size):
                kept = np.delete(lanes, slice(start, start + size))
                smaller = Call(
                    [a[kept] if isinstance(a, np.ndarray) else a for a in call.args], call.in_axes
                )
                if len(kept) and self.fails(text, smaller):
                    return self.fewer_lanes(text, smaller)
            size //= 2
        return call

    def simpler_values(self, text: str, call: Call) -> Call:
        for k, array in enumerate(call.args):
            if not isinstance(array, np.ndarray) or array.dtype.kind not in "fi" or array.size > 8:
                continue
            for lane in np.ndindex(array.shape):
                for value in (0, 1, 2, 0.5, -1):
                    if time.monotonic() > self.deadline or array[lane] == value:
                        break
                    new = array.copy()
                    new[lane] = value
                    simpler = replace(call, args=[*call.args[:k], new, *call.args[k + 1 :]])
                    if self.fails(text, simpler):
                        call, array = simpler, new
                        break
        return call


def script(program: Program, call: Call, verdict: Verdict) -> str:
    """A self-contained script that shows the difference."""
    names = [f"a{k}" for k in range(len(call.args))]
    lines = [
        f"# {verdict.kind}: {verdict.what}".replace("\n", "\n#   "),
        f"# program {program.seed}",
        program.text.rstrip(),
        "",
    ]
    lines += ["nan, inf = math.nan, math.inf"]
    lines += [f"{n} = {_literal(a)}" for n, a in zip(names, call.args, strict=True)]
    shown = f"check(f, {', '.join(names)}, in_axes={call.in_axes!r})"
    origin = "tests.harness import check"
    if call.shape:
        levels = f"{call.in_axes!r}, {call.inner!r}, {call.out!r}, {call.shape!r}"
        shown = f"check_levels(f, Call([{', '.join(names)}], {levels}))"
        origin = "tests.fuzz.arrays import Call, check_levels"
    if program.table:
        pairs = list(zip(names, program.parameters, strict=True))
        columns = ", ".join(f"{p.name!r}: {n}" for n, p in pairs if p.varying)
        shared = [n for n, p in pairs if not p.varying]
        shown = (
            f"check_rows({', '.join(['f', f'{{{columns}}}', *shared])}, kinds=({program.table!r},))"
        )
        origin = "tests.oracle.tables import check_rows"
    lines += ["", 'if __name__ == "__main__":', f"    from {origin}", "", f"    print({shown})"]
    head = "" if "import math" in program.text else "import math\n"
    head += "" if "import numpy as np" in program.text else "import numpy as np\n"
    return head + "\n".join(lines) + "\n"


def _literal(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()!r}, {value.dtype.str!r})"
    if isinstance(value, np.generic):
        return f"np.{type(value).__name__}({value.item()!r})"
    return repr(value)


def store(folder: str, program: Program, call: Call, verdict: Verdict) -> str:
    """Write the script under the program's seed; the path."""
    path = Path(folder) / f"{program.seed.replace(':', '_')}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script(program, call, verdict))
    return str(path)
