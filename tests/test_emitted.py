"""The emitted texts are what was reviewed, and do by themselves what the loop does."""

from __future__ import annotations

import ast
import inspect
import json
import os
import subprocess
import sys
from functools import cache

import pytest

from autovec.emit.astor_printer import has_astor
from autovec.emit.plain_tree import same_tree
from tests.emitted.texts import (
    FOLDER,
    NAMES,
    assert_equal,
    emitted,
    expected,
    kept,
    outcome,
    program,
)
from tests.sample_programs import ROOT

WIDTH = 100
#: Python 3.13 changed where a list with nan ends up; the reviewed texts are those of 3.11
SORTS_OTHERWISE = sorted(range(3), key=[1.0, 0.0, float("nan")].__getitem__) != [1, 0, 2]


@cache
def text_of(name: str) -> str:
    return emitted(name)


@cache
def wanted(name: str) -> list:
    return expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_text_is_the_one_that_was_reviewed(name):
    if SORTS_OTHERWISE and "sorted(" in inspect.getsource(program(name).function):
        pytest.skip("where nan goes is an accident of list.sort, and the text follows this Python")
    reviewed, text = kept(name).read_text(encoding="utf-8"), text_of(name)
    if has_astor():
        assert text == reviewed, "python -m tests.emitted --update, then read the diff"
    else:
        assert same_tree(ast.parse(text), ast.parse(reviewed))


def test_every_kept_text_has_its_program():
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_text_does_what_the_loop_does(name):
    assert_equal(outcome(name, kept(name).read_text(encoding="utf-8")), wanted(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_text_does_what_the_loop_does(name):
    assert_equal(outcome(name, text_of(name)), wanted(name))


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_too_long(name):
    lines = text_of(name).splitlines()
    assert [line for line in lines if len(line) > WIDTH or line != line.rstrip()] == []


@pytest.mark.parametrize("name", NAMES)
def test_everything_in_the_text_is_used(name):
    tree = ast.parse(text_of(name))
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    *above, last = tree.body
    assert isinstance(last, ast.FunctionDef)
    for node in above:
        match node:
            case ast.FunctionDef(name=defined):
                names = [defined]
            case ast.Assign(targets=[ast.Name(id=defined)]):
                names = [defined]
            case ast.Import() | ast.ImportFrom():
                names = [alias.asname or alias.name for alias in node.names]
            case _:
                raise AssertionError(ast.unparse(node))
        assert set(names) <= used, names


@pytest.mark.parametrize("name", NAMES)
def test_a_fresh_object_emits_the_same_text(name):
    assert emitted(name) == text_of(name)


@pytest.mark.skipif(not has_astor(), reason="the other process has astor and prints otherwise")
def test_a_fresh_process_emits_the_same_texts():
    """Another process hashes strings otherwise: no set's order may show."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.emitted", "--json"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4242"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout) == {name: text_of(name) for name in NAMES}
