"""Functions whose file changed, whose text lives elsewhere, or that have none."""

import doctest
import functools
import linecache
import math
import operator
import sys
import types

import pytest

from autovec.errors import SourceNotFound, UnsupportedSyntax
from autovec.syntax.convert import text_of
from autovec.syntax.parse import source_of
from tests.test_syntax_parse import SHOW, Model, fact, run_python


def text(fn):
    return text_of(source_of(fn).tree)




# changed files


def test_a_function_that_moved_is_found_where_it_is(load, tmp_path):
    module = load("def f(x):\n    return x + 1\n\n\ndef g(x):\n    return x + 2\n")
    load("import math\n\n\ndef f(x):\n    return x + 1\n\n\ndef g(x):\n    return x + 2\n")
    source = source_of(module.g)
    assert (source.tree.name, source.tree.lineno) == ("g", 8)
    assert source.lines[7] == "def g(x):"


def test_a_function_that_changed_is_not_found(load):
    module = load("def f(x):\n    return x + 1\n")
    load("def f(x):\n    return x + 2\n")
    with pytest.raises(SourceNotFound, match=r"module\.py:1: .*\n.*def f\(x\)(.|\n)*changed"):
        source_of(module.f)


def test_another_function_in_its_place_is_not_taken(load):
    module = load("def f(x):\n    return x + 1\n")
    load("def g(x):\n    return x + 1\n")
    with pytest.raises(SourceNotFound, match="changed"):
        source_of(module.f)


@pytest.mark.parametrize(
    "old, new",
    [
        ("x + 1", "x + 1.0"),
        ("x + 1", "x + True"),
        ("x + 0.0", "x + -0.0"),
        ("x in (1, 2)", "x in (1.0, 2)"),
        ("x in {1, 2}", "x in {1, 3}"),
        ("x in {1, 2}", "x in {1.0, 2}"),
        ("f(lambda: x)", "f(lambda: -x)"),
        ("x.real", "x.imag"),
        ("a[x]", "b[x]"),
        ("'x'", "b'x'"),
    ],
)
def test_small_changes_are_noticed(load, old, new):
    module = load(f"def f(x):\n    return {old}\n")
    load(f"def f(x):\n    return {new}  #\n")
    with pytest.raises(SourceNotFound, match="changed"):
        source_of(module.f)


def test_a_moved_end_of_a_try_is_noticed(load):
    start = "def f(x):\n    try:\n        y = g(x)\n"
    handler = "    except E:\n        y = 0\n"
    module = load(f"{start}        y = h(y)\n{handler}    return y\n")
    load(f"{start}{handler}    else:\n        y = h(y)\n    return y\n")
    with pytest.raises(SourceNotFound, match="changed"):
        source_of(module.f)


def test_a_file_that_changes_after_a_look(load):
    module = load("def f(x):\n    return x + 1\n")
    assert source_of(module.f).tree.lineno == 1
    load("# a line more\ndef f(x):\n    return x + 1\n")
    assert source_of(module.f).tree.lineno == 2


@pytest.mark.parametrize("old, new", [("x, y", "x, *, y"), ("x, y", "x, /, y"), ("*x", "**x")])
def test_changed_parameters_are_noticed(load, old, new):
    module = load(f"def f({old}):\n    return 1\n")
    load(f"def f({new}):\n    return 1\n")
    with pytest.raises(SourceNotFound, match="changed"):
        source_of(module.f)


def test_a_file_that_cannot_be_parsed_now(load, tmp_path):
    module = load("def f(x):\n    return x + 1\n")
    (tmp_path / "module.py").write_text("def f(x:\n    return x + 1\n")
    with pytest.raises(SourceNotFound, match="cannot be parsed now"):
        source_of(module.f)


def test_a_file_that_is_gone(load, tmp_path):
    module = load("def f(x):\n    return x + 1\n")
    (tmp_path / "module.py").unlink()
    with pytest.raises(SourceNotFound, match="is not there"):
        source_of(module.f)


def test_lambdas_of_a_changed_line(load):
    module = load("fs = [lambda x: x + 1, lambda x: x + 2]\n")
    load("fs = [lambda x: x + 3, lambda x: x + 4] \n")
    with pytest.raises(SourceNotFound, match=r"2 functions called <lambda>(.|\n)*separate lines"):
        source_of(module.fs[0])


def test_a_moved_lambda_is_found_by_its_code(load):
    module = load("fs = [lambda x: x + 1, lambda x: x + 2]\n")
    load("\nfs = [lambda x: x + 3, lambda x: x + 2]\n")
    assert source_of(module.fs[1]).tree.lineno == 2


# pytest rewrites the asserts of this file


def asserts(x, k=1):
    assert x > 0, f"{x} is not positive"
    assert x < 10 and k
    return x + k


def test_asserts_that_pytest_rewrote_are_seen_as_written():
    assert "@pytest_ar" in globals()
    assert text(asserts).split("\n")[1] == "    assert x > 0, f'{x} is not positive'"


def test_another_function_with_asserts_is_not_taken(load):
    def with_asserts(x, limit=1):
        assert x > 3
        return x + limit

    code = with_asserts.__code__
    module = load("\n" * (code.co_firstlineno - 1) + "def with_asserts(x, limit=1): assert x > 4")
    fake = types.FunctionType(code.replace(co_filename=module.__file__), globals())
    with pytest.raises(SourceNotFound):
        source_of(fake)


# places without a file


def test_text_in_linecache_as_ipython_keeps_it():
    cell = "import math\ndef f(x):\n    return math.sin(x)\n"
    linecache.cache["<ipython-input-1-abc>"] = (len(cell), None, cell.splitlines(True), "")
    namespace = {}
    exec(compile(cell, "<ipython-input-1-abc>", "exec"), namespace)
    assert text(namespace["f"]) == "def f(x):\n    return math.sin(x)"


def test_a_doctest():
    """In a docstring, where doctest holds the text.

    >>> def f(x):
    ...     return x + 41
    >>> print(text(f))
    def f(x):
        return x + 41
    """
    runner = doctest.DocTestRunner(verbose=False)
    [example] = doctest.DocTestFinder(recurse=False).find(test_a_doctest, globs=globals())
    results = []
    runner.run(example, out=results.append)
    assert not results
    assert runner.summarize(verbose=False).attempted == 2


@pytest.mark.skipif(sys.version_info < (3, 13), reason="Python keeps the text from 3.13 on")
def test_a_command_line_script():
    found = run_python("-c", SHOW + "def f(x):\n    return x + 1\nshow(f)")
    assert found[:2] == ["def f(x):", "    return x + 1"]


def test_text_that_exec_threw_away():
    namespace = {}
    exec("def f(x):\n    return x + 1", namespace)
    with pytest.raises(SourceNotFound, match=r"<string>:1: .* f (.|\n)*made by exec(.|\n)*instead"):
        source_of(namespace["f"])


def test_text_of_something_else_under_the_name():
    code = "def f(x):\n    return x + 1\n"
    linecache.cache["<kept>"] = (len(code), None, code.replace("1", "2").splitlines(True), "")
    namespace = {}
    exec(compile(code, "<kept>", "exec"), namespace)
    with pytest.raises(SourceNotFound, match="the text kept as <kept> is not the one"):
        source_of(namespace["f"])


def test_a_prompt_that_keeps_no_text():
    found = run_python(script=SHOW + "\nshow(show)\n")
    assert any("a prompt that keeps no text" in line for line in found)


@pytest.mark.parametrize(
    "thing, error",
    [
        (math.sin, "sin has no Python source: it is a builtin_function_or_method"),
        (len, "len has no Python source"),
        (functools.partial(fact, 1), "it is a partial"),
        (operator.itemgetter(1), "it is a itemgetter"),
        (Model, "Model is a class"),
        (3, "3 has no Python source"),
    ],
)
def test_what_is_no_python_function(thing, error):
    with pytest.raises(SourceNotFound, match=error):
        source_of(thing)


def test_an_object_that_can_be_called():
    class Callable:
        def __call__(self, x):
            return x

    with pytest.raises(SourceNotFound, match="pass its __call__ method"):
        source_of(Callable())
    assert source_of(Callable().__call__).name == "__call__"


# depth


def test_too_deep_for_python_is_a_located_error(load, tmp_path):
    module = load("def f(x):\n    return x\n")
    deep = "-" * 60000 + "1"
    (tmp_path / "module.py").write_text(f"def f(x):\n    return x\n\nbig = {deep}\n")
    with pytest.raises(UnsupportedSyntax, match=r"module\.py:1: .*nested too deeply"):
        source_of(module.f)


def test_deep_but_not_too_deep_is_found(load):
    module = load("def f(x):\n    return " + " + ".join(["x"] * 700) + "\n")
    assert source_of(module.f).name == "f"
