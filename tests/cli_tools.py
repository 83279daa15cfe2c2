"""For tests of the command line: texts in, texts out, and written files loaded without autovec."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import types
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autovec.files.rewrite import Request, Rewritten, rewrite

ROOT = Path(__file__).resolve().parents[1]


def text(source: str) -> str:
    """A test's source without its indentation."""
    return textwrap.dedent(source).lstrip("\n")


def done(source: str | bytes, *functions: str, **options: Any) -> Rewritten:
    """What becomes of a file; its own output, rewritten again, stays as it is."""
    data = text(source).encode() if isinstance(source, str) else source
    request = Request(tuple(functions), **options)
    first = rewrite(data, "model.py", request)
    if not first.problems:
        second = rewrite(first.new, "model.py", request)
        assert not second.problems, [str(p) for p in second.problems]
        assert second.new == first.new, "its own output is changed"
    return first


def written(source: str | bytes, *functions: str, **options: Any) -> str:
    """The text of a file that is rewritten without an error."""
    result = done(source, *functions, **options)
    assert not result.problems, "\n".join(map(str, result.problems))
    return result.new.decode()


def refused(source: str | bytes, *functions: str, **options: Any) -> str:
    """The messages of a file that is refused, and not changed."""
    result = done(source, *functions, **options)
    assert result.problems
    assert not result.changed
    return "\n".join(map(str, result.problems))


def load(source: str) -> types.ModuleType:
    """A written file as a module, where importing autovec fails, warnings being errors."""
    assert "autovec" not in {
        word.split(".")[0] for line in source.split("\n") for word in line.split()[1:2]
        if line.lstrip().startswith(("import ", "from "))
    }  # fmt: skip
    module = types.ModuleType("written")
    kept = {n: m for n, m in sys.modules.items() if n.partition(".")[0] == "autovec"}
    try:
        sys.modules.update(dict.fromkeys(kept))
        sys.modules["written"] = module
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(compile(source, "written.py", "exec"), vars(module))
    finally:
        sys.modules.update(kept)
        del sys.modules["written"]
    return module


def same(batched: Any, sample: Any, *columns: Any, shared: Sequence[Any] = ()) -> None:
    """A batched function gives what the loop over its samples gives, with its dtype."""
    arrays = [np.asarray(c) for c in columns]
    rows = zip(*(a.tolist() for a in arrays), strict=True)
    want = [sample(*row, *shared) for row in rows]
    got = batched(*arrays, *shared)
    if isinstance(want[0], tuple):
        for k, part in enumerate(got):
            _equal(part, [row[k] for row in want])
    else:
        _equal(got, want)


def _equal(got: Any, want: list[Any]) -> None:
    expected = np.array(want)
    assert got.dtype.kind == expected.dtype.kind, (got.dtype, expected.dtype)
    if expected.dtype.kind in "fc":
        np.testing.assert_allclose(got, expected, rtol=1e-12)
    else:
        np.testing.assert_array_equal(got, expected)


def command(*args: str, cwd: Path, given: bytes = b"") -> tuple[int, bytes, str]:
    """The command line in a process of its own: its status, output and messages."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-m", "autovec", *args],
        cwd=cwd,
        input=given,
        capture_output=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONHASHSEED": "0"},
        check=False,
    )
    return ran.returncode, ran.stdout, ran.stderr.decode()
