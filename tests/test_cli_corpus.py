"""The command line on many files: the standard library, random edits, all programs of these tests.

The ordinary run takes a part of the standard library; with AUTOVEC_CORPUS=all every file of it, as
`python -m autovec --check` does.
"""

import ast
import importlib
import inspect
import os
import random
import sysconfig
import warnings
from pathlib import Path

import pytest

from autovec.files.disk import sources
from autovec.files.rewrite import Request, rewrite
from tests import fuzz_cli
from tests.cli_tools import load
from tests.harness import check
from tests.programs import grid

LIBRARY = sorted(sources([sysconfig.get_path("stdlib")]))
STEP = 1 if os.environ.get("AUTOVEC_CORPUS") == "all" else 15


def test_the_standard_library_stays_as_it_is():
    request = Request()
    for path in LIBRARY[::STEP]:
        data = Path(path).read_bytes()
        done = rewrite(data, path, request)
        assert not done.changed, path
        assert not done.notes, path
        if done.problems:
            with pytest.raises((SyntaxError, ValueError)), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(data)


def test_functions_of_the_standard_library():
    """Nobody wrote them for this: whatever becomes of them is valid, and not changed again."""
    random_ = random.Random(0)
    outcomes = set()
    for path in random_.sample(LIBRARY, 60 if STEP > 1 else 600):
        data = Path(path).read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                tree = ast.parse(data)
            except (SyntaxError, ValueError):
                continue
        names = [n.name for n in tree.body if isinstance(n, ast.FunctionDef)]
        for name in random_.sample(names, min(2, len(names))):
            request = Request((name,), replace=random_.random() < 0.5)
            done = rewrite(data, path, request)
            outcomes.add(bool(done.problems))
            assert not any("bug" in w.what.split() for w in done.warnings), (path, name)
            again = rewrite(done.new, path, request)
            assert again.new == done.new, (path, name)
            ast.parse(done.new_text)
    assert outcomes == {True, False}


def test_random_edits():
    count, failures = fuzz_cli.run(fuzz_cli.files(), seconds=100, seed=3, most=300)
    assert count == 300
    assert [why for why, _ in failures if not why.startswith(fuzz_cli.BUG)] == []


MODULES = ["branches", "choices", "functions", "lanes", "loops", "names", "numbers", "results",
           "retired", "truth"]  # fmt: skip
TYPES = {"f": "float", "i": "int", "b": "bool", "s": "str", "g": "np.float32", "j": "np.int32"}
#: text that stands alone may warn for lanes not taken, and raises for the first failing place
ALONE = ("warning: ", "exception: raised ")


def declared(module, functions):
    """A module's text with annotations for what its programs run with, without decorators."""
    tree = ast.parse(inspect.getsource(module))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            node.decorator_list = []
            args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            for arg, kind in zip(args, functions[node.name][1], strict=False):
                arg.annotation = ast.parse(TYPES[kind.lower()], mode="eval").body
    text = ast.unparse(tree)
    return (
        text if "import numpy" in text else text.replace("import", "import numpy as np\nimport", 1)
    )


@pytest.mark.parametrize("name", MODULES)
def test_all_programs_of_these_tests(name):
    module = importlib.import_module(f"tests.programs.{name}")
    functions = {
        f.__name__: (f, kinds)
        for f, kinds in grid._KINDS.items()
        if f.__module__ == module.__name__
        and not any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
                    for p in inspect.signature(f).parameters.values())
    }  # fmt: skip
    axes = {
        f: tuple(None if kind.isupper() else 0 for kind in kinds)
        for f, (_, kinds) in functions.items()
        if any(kind.isupper() for kind in kinds)
    }
    text = declared(module, functions)
    done = rewrite(text.encode(), "programs.py", Request(tuple(functions), False, {}, axes))
    assert not done.problems, "\n".join(map(str, done.problems))
    assert len(done.warnings) <= len(functions) // 8
    written = load(done.new_text)
    for f, kinds in functions.values():
        batched = getattr(written, f"{f.__name__}_batched")
        args = [
            grid.UNIFORM[kind.lower()] if kind.isupper() else grid.array(kind, k)
            for k, kind in enumerate(kinds)
        ]
        try:
            check(f, *args, in_axes=axes.get(f.__name__), vectorize=Alone(batched), deep=False)
        except Exception as difference:
            if not str(difference).startswith(ALONE):
                raise AssertionError(f"{f.__name__}: {difference}") from difference


class Alone:
    """A written function as the harness calls a batched one."""

    def __init__(self, batched):
        self.batched = batched

    def __call__(self, function):
        return lambda *args, **keywords: self.batched(*args, **keywords)
