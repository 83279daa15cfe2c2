"""Random edits of valid files for the command line: it never crashes, and never writes nonsense.

    python -m tests.fuzz_cli [--seconds 60] [--seed 0] [FILE ...]

An edit changes, drops, doubles or moves bytes, lines and indentation, or cuts the file off.
Whatever comes out, `rewrite` raises nothing and reports no bug of its own; a file with an error
stays as it is, and one that is rewritten is valid Python and is not changed a second time.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from autovec.files.rewrite import Request, rewrite

BUG = "the compiler failed"
ROOT = Path(__file__).resolve().parents[1]
BYTES = b"\x00\n\r\t \x0c#\\'\"()[]{}:;,@=+-*/.xXfF019\xef\xbb\xbf\xe9\xff"
WORDS = [
    *(b"vectorize", b"@autovec.vectorize\n", b"import autovec\n", b"def f(x):\n    return x\n"),
    *(b"lambda x: x", b"np", b"global x\n", b"    ", b"\t", b"# coding: latin-1\n", b"'''"),
    *(b"class A:\n", b"if TYPE_CHECKING:\n", b"yield ", b"await ", b"*", b"**k", b"\r\n"),
    *(b"f = vmap(f)\n", b"g = np.vectorize(f, otypes=[float])\n", b"from math import *\n"),
    *(b"match x:\n", b"del f\n", b"async "),
]


def files() -> list[Path]:
    """The files that are edited if none are named."""
    folder = ROOT / "tests" / "cli_files"
    return [*sorted(folder.glob("*.py")), *sorted((ROOT / "samples").glob("*.py"))]


def edited(data: bytes, random_: random.Random) -> bytes:
    """One random edit."""
    at = random_.randrange(len(data) + 1)
    lines = data.split(b"\n")
    row = random_.randrange(len(lines))
    match random_.randrange(12):
        case 0:
            return data[:at] + bytes([random_.choice(BYTES)]) + data[at:]
        case 1:
            return data[:at] + bytes([random_.randrange(256)]) + data[at + 1 :]
        case 2:
            return data[:at] + data[at + random_.randrange(1, 30) :]
        case 3:
            return data[:at]
        case 4:
            return data[:at] + random_.choice(WORDS) + data[at:]
        case 5:
            lines[row] = b" " * random_.randrange(9) + lines[row].lstrip()
        case 6:
            lines[row] = random_.choice([b" ", b"\t", b"    ", b"\x0c"]) + lines[row]
        case 7:
            del lines[row]
        case 8:
            lines.insert(row, lines[random_.randrange(len(lines))])
        case 9:
            lines.insert(row, random_.choice(WORDS))
        case 10:
            other = random_.randrange(len(lines))
            lines[row], lines[other] = lines[other], lines[row]
        case _:
            return data.replace(b"\n", random_.choice([b"\r\n", b"\r", b"\n\n", b"\n"]))
    return b"\n".join(lines)


def mutants(data: bytes, random_: random.Random) -> Iterator[bytes]:
    """Edits upon edits, each a little further from the file."""
    while True:
        new = data
        for _ in range(random_.choice([1, 1, 2, 5])):
            new = edited(new, random_)
        yield new


def check(data: bytes, request: Request) -> str:
    """What is wrong with what the command line makes of a file; nothing if all is well."""
    try:
        done = rewrite(data, "f.py", request)
        if done.problems:
            return "an error, and the file is changed" if done.changed else ""
        ast.parse(done.new_text)
        again = rewrite(done.new, "f.py", request)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    bugs = [problem for problem in done.warnings if "bug" in problem.what]
    if bugs:
        return f"{BUG}: {bugs[0].why}"
    return "" if again.new == done.new else "its own output is changed"


REQUESTS = (
    *(Request(), Request(("f", "tax")), Request(("f",), replace=True)),
    Request(("A.m", "h"), strict=True),
)


def run(
    paths: list[Path], seconds: float, seed: int, most: int = 10**9
) -> tuple[int, list[tuple[str, bytes]]]:
    """How many files were tried, and those that went wrong."""
    random_ = random.Random(seed)
    sources = [mutants(path.read_bytes(), random_) for path in paths]
    end = time.monotonic() + seconds
    failures: list[tuple[str, bytes]] = []
    count = 0
    while time.monotonic() < end and count < most:
        data = next(random_.choice(sources))
        why = check(data, random_.choice(REQUESTS))
        if why:
            failures.append((why, data))
        count += 1
    return count, failures


def main() -> int:
    """Run until the time is over; failures are kept as files."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a folder for the files that go wrong")
    parser.add_argument("paths", nargs="*", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    count, failures = run(options.paths or files(), options.seconds, options.seed)
    seen: dict[str, int] = {}
    for why, data in failures:
        seen[why] = seen.get(why, 0) + 1
        if options.keep and seen[why] == 1:
            options.keep.mkdir(exist_ok=True)
            (options.keep / f"{len(seen)}.py").write_bytes(data)
    for why, times in seen.items():
        print(f"{times:4d}  {why}")
    print(f"{count} files, {len(failures)} went wrong")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
