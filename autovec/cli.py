"""The command line: `autovec FILE.py` prints the file with its per-sample functions batched."""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import autovec

if TYPE_CHECKING:
    from autovec.files.rewrite import Request, Rewritten

STDIN = "<stdin>"
DESCRIPTION = """\
Rewrite per-sample functions of Python files to NumPy for the whole batch.

Functions decorated with vectorize or vmap, and assignments like g = vmap(f), become plain defs that
need NumPy only. Everything else in the file stays as it is. The file is never imported or run.

With --lift the loops within functions become array operations, in the place of the loops.
"""
EPILOG = """\
examples:
  autovec model.py                        print the rewritten file
  autovec model.py -o model_batched.py    write it elsewhere
  autovec --in-place src                  rewrite the files of a folder
  autovec --diff model.py                 show what would change
  autovec --check src                     exit with 1 if something would change
  autovec -f tax model.py                 add tax_batched beside tax
  autovec -f tax --replace model.py       put it in the place of tax
  autovec -f norm --signature "norm: (n)->()" model.py
  autovec -f price --in-axes "price: (0, None)" model.py
  cat model.py | autovec - > out.py       standard input to standard output
  autovec --lift --diff model.py          loops within functions become array operations
  autovec --lift --explain -f smooth model.py

exit status:
  0  done
  1  --check: something would change
  2  something cannot be read, rewritten or written; then nothing is written
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status.

    >>> main(["--check", __file__])
    0
    """
    parser = _parser()
    options = parser.parse_args(argv)
    _check(parser, options)
    try:
        return _Run(options, _request(parser, options)).status()
    except BrokenPipeError:  # the reader has seen enough
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


# ---------------------------------------------------------------- options
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autovec",
        usage="autovec [options] FILE ...",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("paths", metavar="FILE", nargs="+", help="a file, a folder, or - for standard input")
    add("--version", action="version", version=f"autovec {autovec.__version__}")
    what = parser.add_argument_group("what is batched")
    add = what.add_argument
    add(
        *("-f", "--function"), metavar="NAME", action="append", default=[], dest="functions",
        help="batch a function that the file asks nothing for; NAME may be dotted; repeatable",
    )  # fmt: skip
    add(
        "--replace", action="store_true",
        help="with -f: in the place of NAME, not as NAME_batched beside it",
    )  # fmt: skip
    add(
        "--signature", metavar="TEXT", action="append", default=[],
        help='"NAME: (n),()->()": which arguments of NAME are arrays, as NumPy\'s gufuncs write it',
    )  # fmt: skip
    add(
        "--in-axes", metavar="TEXT", action="append", default=[],
        help='"NAME: (0, None)": vmap\'s in_axes, 0 for what differs between samples',
    )  # fmt: skip
    add(
        "--strict", action="store_true",
        help="a function that could only loop over its samples is an error, with --lift a loop "
        "that stays",
    )  # fmt: skip
    add(
        "--lift", action="store_true",
        help="lift the loops within functions: of those decorated with lift, else of all; -f picks",
    )  # fmt: skip
    where = parser.add_argument_group("where the result goes")
    add = where.add_argument
    add(
        "-o", "--output", metavar="OUT", help="write the rewritten file there; - is standard output"
    )
    add("-i", "--in-place", action="store_true", help="replace the files")
    add("--diff", action="store_true", help="print a unified diff in place of the file")
    add("--check", action="store_true", help="write nothing; exit with 1 if something would change")
    add("--explain", action="store_true", help="print line by line what became what, and why")
    add("--json", action="store_true", help="print all that is known of each file as JSON")
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse options that contradict each other."""
    places = [o for o in ("output", "in_place", "check") if getattr(options, o)]
    if len(places) > 1:
        names = " and ".join(f"--{place.replace('_', '-')}" for place in places)
        parser.error(f"{names} exclude each other")
    if options.replace and not options.functions:
        parser.error("--replace needs -f NAME")
    for option in ("replace", "signature", "in_axes"):
        if options.lift and getattr(options, option):
            parser.error(f"--lift and --{option.replace('_', '-')} exclude each other")
    if "-" in options.paths:
        if options.in_place:
            parser.error("standard input cannot be replaced: leave out --in-place")
        if len(options.paths) > 1:
            parser.error("standard input (-) stands alone")
    for path in options.paths:
        if path != "-" and not os.path.exists(path):
            parser.error(f"there is no {path}")
    several = len(options.paths) > 1 or any(map(os.path.isdir, options.paths))
    if several and options.output:
        parser.error("--output takes one file")
    shown = options.diff or options.check or options.explain or options.json
    if several and not options.in_place and not shown:
        parser.error("several files need one of --in-place, --diff, --check, --explain, --json")


def _request(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Request:
    from autovec.axes import check_in_axes, parse_signature
    from autovec.files.rewrite import Request

    def refused(text: str, error: Exception) -> NoReturn:
        parser.error(f"{text!r}: {error}")

    signatures: dict[str, str] = {}
    axes: dict[str, object] = {}
    for text in options.signature:
        name, given = _named(parser, "--signature", text)
        try:
            parse_signature(given)
        except ValueError as error:
            refused(text, error)
        signatures[name] = given
    for text in options.in_axes:
        name, given = _named(parser, "--in-axes", text)
        try:
            axes[name] = ast.literal_eval(given)
            check_in_axes(axes[name])
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
            refused(text, error)
    functions = tuple(dict.fromkeys(options.functions))
    return Request(functions, options.replace, signatures, axes, options.strict, options.lift)


def _named(parser: argparse.ArgumentParser, option: str, text: str) -> tuple[str, str]:
    name, colon, given = text.partition(":")
    if not colon or not all(part.isidentifier() for part in name.strip().split(".")):
        parser.error(f'{option} is written "NAME: ...", got {text!r}')
    return name.strip(), given.strip()


# ---------------------------------------------------------------- running
class _Run:
    """One call of the command line."""

    def __init__(self, options: argparse.Namespace, request: Request) -> None:
        self.options = options
        self.request = request
        self.failed = False
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")

    def status(self) -> int:
        """Read, rewrite, say, write; the exit status."""
        from autovec.files.disk import DiskError, Output, sources, write_all

        every: list[Rewritten] = []
        try:
            for path in sources(self.options.paths):
                done = self.rewritten(path)
                if done is not None:
                    every.append(done)
            self.unmatched(every)
            for done in every:
                self.say(done)
            changed = [done for done in every if done.changed]
            self.show(every, changed)
            if self.failed:
                return 2
            if self.options.output not in (None, "-"):
                write_all([Output(Path(self.options.output), every[0].new)])
            elif self.options.in_place:
                write_all([Output(Path(d.name), d.new, d.old) for d in changed])
        except DiskError as error:
            self.error(str(error))
            return 2
        return int(bool(changed) and self.options.check)

    def rewritten(self, path: str) -> Rewritten | None:
        """One file; None where nothing is to be said or written of it."""
        from autovec.files.disk import DiskError, read
        from autovec.files.rewrite import rewrite

        try:
            data = sys.stdin.buffer.read() if path == "-" else read(path)
        except DiskError as error:
            self.error(str(error))
            return None
        name = STDIN if path == "-" else path
        try:
            done = rewrite(data, name, self.request)
        except Exception as error:
            what = f"autovec failed, which is a bug: {type(error).__name__}: {error}"
            self.error(f"{name}:1: {what}")
            return None
        self.failed |= bool(done.problems)
        interesting = done.changed or done.units or done.lifts or done.problems or done.notes
        return done if interesting or len(self.options.paths) == 1 else None

    def unmatched(self, every: list[Rewritten]) -> None:
        """Names of the command line that no file has."""
        wanted = {*self.request.functions, *self.request.signatures, *self.request.in_axes}
        matched = {name for done in every for name in done.matched}
        near = sorted({name for done in every for name in done.near})
        if any(done.problems for done in every):
            return
        aim = "lifted" if self.request.lift else "batched"
        for name in sorted(wanted - matched):
            hint = f"; there is {', '.join(near[:5])}" if near else ""
            self.error(f"no function to be {aim} is called {name}{hint}")

    def say(self, done: Rewritten) -> None:
        """Errors, and what loops, on standard error."""
        if self.options.json:
            return
        stays = "no loop of this is lifted" if self.request.lift else ""
        for word, problems in (
            ("error", done.problems),
            (f"warning: {stays or 'the function loops over its samples'}", done.warnings),
            ("note: this is left as it is", done.notes),
        ):
            for problem in problems:
                print(replace(problem, what=f"{word}: {problem.what}"), file=sys.stderr)

    def error(self, text: str) -> None:
        self.failed = True
        print(f"autovec: {text}", file=sys.stderr)

    def show(self, every: list[Rewritten], changed: list[Rewritten]) -> None:
        """What goes to standard output."""
        from autovec.files import report

        options = self.options
        if options.json:
            parts = [report.as_json(done, self.prints_file) for done in every]
            print(json.dumps({"version": autovec.__version__, "files": parts}, indent=2))
            return
        if options.explain:
            for done in every:
                for line in report.explanation(done):
                    print(line)
        if options.diff:
            colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
            for done in changed:
                for line in report.diff(done, colour):
                    print(line)
        if options.check:
            for done in changed:
                print(f"would rewrite {done.name}", file=sys.stderr)
        if self.prints_file and not options.explain and not self.failed:
            for done in every:
                _write(done.new)

    @property
    def prints_file(self) -> bool:
        """Is the rewritten file itself what standard output is for?"""
        o = self.options
        elsewhere = o.in_place or o.check or o.diff or o.output not in (None, "-")
        return not elsewhere


def _write(data: bytes) -> None:
    """Bytes to standard output, with the line ends that they have."""
    sys.stdout.flush()
    buffer: Any = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8", "replace"))
    else:
        buffer.write(data)
        buffer.flush()
