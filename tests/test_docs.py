"""The documents: every example runs, every emitted text is real, every link leads somewhere.

A page holds four kinds of fenced blocks:

- ``python`` with prompts: an example, run as a doctest;
- ``python`` without prompts: emitted text, equal to what the last ``print(...)`` in inline code
  before it prints, evaluated after the page's examples;
- ``console``: sessions of the command line, run by ``tests/test_cli_docs.py``;
- ``sh``: commands, each one that ``.ci/run`` runs too, or a module of this repository whose
  ``--help`` knows its options.

``python -m tests.test_docs --update`` writes what the examples print now into the pages; read the
diff before you commit it.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autovec.emit.astor_printer import has_astor
from autovec.ops import table

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*PAGES, ROOT / "CHANGELOG.md"]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\[[^\]\n]+\]\(([^)\s]+)\)")
FILE = re.compile(r"(?:autovec|tests|docs|samples|\.ci)/[\w./]*|\w+\.(?:md|cfg|toml)")


@dataclass(frozen=True)
class FencedBlock:
    """A fenced block: its language, its text, and where both begin in the page."""

    language: str
    text: str
    start: int
    line: int

    @property
    def example(self) -> bool:
        return self.language == "python" and self.text.startswith(">>> ")


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> list[FencedBlock]:
    text = text_of(page)
    return [
        FencedBlock(m[1], m[2], m.start(2), text.count("\n", 0, m.start(2)) + 1)
        for m in FENCE.finditer(text)
    ]


def prose(page: Path) -> str:
    return FENCE.sub("", text_of(page))


# ---------------------------------------------------------------- running the examples
@dataclass
class Ran:
    """What a page's examples did: their names, and the outputs that are not the page's."""

    names: dict[str, Any]
    differ: list[tuple[doctest.Example, str]] = field(default_factory=list)


class Runner(doctest.DocTestRunner):
    """Collects the examples whose output differs."""

    def __init__(self, ran: Ran) -> None:
        super().__init__(verbose=False)
        self.ran = ran

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.ran.differ.append((example, got))

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        last = "".join(traceback.format_exception_only(*exc_info[:2])).splitlines()[0]
        got = f"Traceback (most recent call last):\n    ...\n{last}\n"
        self.ran.differ.append((example, got))


@contextlib.contextmanager
def own_rules() -> Iterator[None]:
    """What a page registers is gone after it: other tests go through the whole table."""
    before = dict(table._rules)
    try:
        yield
    finally:
        table._rules.clear()
        table._rules.update(before)


def run(page: Path) -> Ran:
    """Run a page's examples, with warnings as errors, as everywhere in these tests."""
    ran = Ran({})
    test = doctest.DocTestParser().get_doctest(text_of(page), ran.names, page.name, str(page), 0)
    ran.names = test.globs
    with own_rules(), warnings.catch_warnings(), np.errstate(), np.printoptions():
        warnings.simplefilter("error")
        Runner(ran).run(test, out=lambda text: None, clear_globs=False)
    return ran


@cache
def ran(page: Path) -> Ran:
    return run(page)


def printed(page: Path, block: FencedBlock, names: dict[str, Any]) -> str:
    """What the ``print(...)`` in inline code before a block prints."""
    spans = SPAN.findall(FENCE.sub("", text_of(page)[: block.start - len("```python\n")]))
    calls = [span for span in spans if span.startswith("print(")]
    assert calls, f"{label(page)}:{block.line}: nothing says what prints this"
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(calls[-1], dict(names))
    return out.getvalue().removesuffix("\n")


def emitted_blocks(page: Path) -> Iterator[FencedBlock]:
    return (b for b in blocks(page) if b.language == "python" and not b.example)


# ---------------------------------------------------------------- the tests
def needs(page: Path) -> None:
    """Skip where something is not installed that a page's outputs need."""
    if not has_astor():
        pytest.skip("texts are laid out otherwise without astor")
    if ">>> import pandas" in text_of(page):
        pytest.importorskip("pandas")


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_the_examples_do_what_the_page_says(page):
    needs(page)
    wrong = [
        f"{label(page)}:{example.lineno + 1}: {example.source}expected:\n{example.want}got:\n{got}"
        for example, got in ran(page).differ
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_emitted_text_is_the_real_one(page):
    needs(page)
    for block in emitted_blocks(page):
        assert block.text == printed(page, block, ran(page).names), f"{label(page)}:{block.line}"


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_every_block_is_checked(page):
    text = text_of(page)
    assert text.count("\n```") % 2 == 0
    assert len(blocks(page)) * 2 == len(re.findall(r"^ *```", text, re.M))
    for block in blocks(page):
        where = f"{label(page)}:{block.line}"
        language = block.language or "no language"
        assert language in ("python", "sh", "console"), f"{where}: {language}"
        if block.example:
            assert block.text.endswith("\n\n"), f"{where}: an empty line ends the last output"
        for line in block.text.splitlines():
            assert len(line) <= 100 or not line.startswith((">>>", "...")), f"{where}: {line}"
    indented = re.findall(r"^\n {4}\S.*", prose(page), re.M)
    assert not indented, "an indented block is checked by nobody: fence it"


def plain_command(line: str) -> str:
    """A command without what depends on the place: environments, quiet, warning filters."""
    line = re.sub(r'"\$scratch/\w+/bin/(\w+)"|"\$(?:python|py|other)"|\.venv/bin/(\w+)',
                  lambda m: m[1] or m[2] or "python", line.strip())  # fmt: skip
    line = re.sub(r"(-m venv) \S+", r"\1", line)
    return re.sub(r" -q\b| -W error\b", "", line).replace("python -m pip", "pip")


def known_command(line: str) -> bool:
    """Is it one that .ci/run runs, or a module here with these options?"""
    command = plain_command(line)
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    if command in map(plain_command, ci):
        return True
    words = shlex.split(command, comments=True)
    if words[:2] != ["python", "-m"] or not words[2].startswith("tests."):
        return False
    told = subprocess.run(
        [sys.executable, *words[1:3], "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return all(word in told for word in words[3:] if word.startswith("-"))


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_every_command_is_one_that_is_run(page):
    for block in blocks(page):
        if block.language != "sh":
            continue
        for line in block.text.splitlines():
            for command in line.split(" && "):
                assert known_command(command), f"{label(page)}:{block.line}: {command}"


def anchors(page: Path) -> set[str]:
    """The names that headings get."""
    titles = re.findall(r"^#+ (.+)$", prose(page), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", LINKED, ids=label)
def test_every_link_leads_somewhere(page):
    for link in LINK.findall(prose(page)):
        if re.match(r"https://[\w.-]+\.\w+(/|$)", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{label(page)}: {link}"
        assert not anchor or anchor in anchors(target), f"{label(page)}: {link}"


@pytest.mark.parametrize("page", LINKED, ids=label)
def test_every_file_and_name_in_the_text_exists(page):
    import autovec

    for span in SPAN.findall(prose(page)):
        if FILE.fullmatch(span):
            assert (ROOT / span).exists(), f"{label(page)}: {span}"
        elif match := re.match(r"autovec\.(\w+)", span):
            assert hasattr(autovec, match[1]), f"{label(page)}: {span}"


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_no_line_of_prose_is_too_long(page):
    long = [line for line in prose(page).splitlines() if len(line) > 110 and "|" not in line]
    assert not long


def test_every_page_is_linked_from_the_readme():
    links = {link.partition("#")[0] for link in LINK.findall(prose(ROOT / "README.md"))}
    assert {label(page) for page in PAGES[1:]} <= links


# ---------------------------------------------------------------- writing them anew
def updated(page: Path) -> str:
    """The page with the outputs of now."""
    fresh = run(page)
    lines = text_of(page).splitlines(keepends=True)
    for example, got in reversed(fresh.differ):
        first = example.lineno + example.source.count("\n")
        last = first + example.want.count("\n")
        new = re.sub(r"^(?=\n)", "<BLANKLINE>", got, flags=re.M)
        lines[first:last] = [re.sub(r"^(?=.)", " " * example.indent, new, flags=re.M)]
    text = "".join(lines)
    page.write_text(text, encoding="utf-8")
    for block in reversed(list(emitted_blocks(page))):
        new = printed(page, block, fresh.names)
        text = text[: block.start] + new + text[block.start + len(block.text) :]
    return text


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.test_docs")
    parser.add_argument("--update", action="store_true", required=True, help="write the pages anew")
    parser.add_argument("pages", nargs="*", help="pages (default: all)")
    for page in map(Path, parser.parse_args().pages or PAGES):
        page = page.resolve()
        before = text_of(page)
        after = updated(page)
        page.write_text(after, encoding="utf-8")
        print(f"{'written' if after != before else 'unchanged'}: {page.name}")


if __name__ == "__main__":
    main()
