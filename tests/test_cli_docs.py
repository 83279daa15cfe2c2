"""The page of the command line: each session on it is run, in a folder of its own, in order.

In a ``console`` block a line after ``$`` is a command, what follows is what it prints.
``$ cat FILE`` of a file that is not there yet writes it. The page's sessions are one: files stay.

``python -m tests.test_cli_docs --update`` writes what the commands print now into the page; read
the diff before you commit it.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autovec import cli
from autovec.emit.astor_printer import has_astor

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"
FENCE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def sessions(text):
    """Each command, what the page says it prints, and where that stands."""
    for block in FENCE.finditer(text):
        for found in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block[1], re.M):
            start = block.start(1) + found.start(2)
            yield found[1], found[2], start


def outputs(text, folder):
    """What each command prints, given by the page's own text for the files it shows."""
    bin_folder = Path(folder) / ".bin"
    bin_folder.mkdir()
    script = bin_folder / "autovec"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -W error -m autovec "$@"\n')
    script.chmod(0o755)
    path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path, "COLUMNS": "80"}
    for command, expected, start in sessions(text):
        shown = re.fullmatch(r"cat ([\w.]+)", command)
        if shown and not (Path(folder) / shown[1]).exists():
            (Path(folder) / shown[1]).write_text(expected.rstrip("\n") + "\n")
            yield command, expected, expected, start
            continue
        ran = subprocess.run(
            ["sh", "-c", f"{{ {command}; }} 2>&1"], cwd=folder, env=env, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        last = expected[len(expected.rstrip("\n")) :] if expected.strip() else "\n"
        yield command, expected, ran.stdout.rstrip("\n") + last if ran.stdout else "", start


def test_the_sessions_are_what_happens(tmp_path):
    if not has_astor():
        pytest.skip("texts are laid out otherwise without astor")
    text = PAGE.read_text(encoding="utf-8")
    for command, expected, got, _ in outputs(text, tmp_path):
        if "--help" in command and sys.version_info >= (3, 13):
            continue  # argparse lays its columns out otherwise since then
        got = re.sub(r"than 3\.\d+,", "than 3.11,", got)
        assert got.rstrip("\n") == expected.rstrip("\n"), command


def test_every_option_is_shown():
    text = PAGE.read_text(encoding="utf-8")
    commands = " ".join(command for command, *_ in sessions(text))
    options = {s for a in cli._parser()._actions for s in a.option_strings[-1:]}
    short = {"--function": "-f", "--output": "-o", "--version": "--help"}
    for option in options:
        assert short.get(option, option) in commands.split(), option


def main():
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.test_cli_docs")
    parser.add_argument("--update", action="store_true", required=True, help="write the page anew")
    parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for _, expected, got, start in reversed(list(outputs(text, folder))):
            text = text[:start] + got + text[start + len(expected) :]
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
