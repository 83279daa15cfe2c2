"""The source of a live function: always the right one, or a SourceNotFound that says what to do."""

import functools
import os
import subprocess
import sys
import textwrap
import threading
import types
import warnings

import gast
import pytest

from autovec.errors import UnsupportedSyntax
from autovec.syntax.convert import text_of
from autovec.syntax.parse import parse_file, place_of, source_of, text_lines
from autovec.syntax.scope import mangled


def text(fn):
    return text_of(source_of(fn).tree)


# what is found


def decorate(fn):
    return fn


@decorate
@(lambda fn: fn)
def decorated(x, k=1):
    return x + k


def outer(scale):
    def inner(x):
        return x * scale

    return inner


class Model:
    class Part:
        def double(self, x):
            return 2 * x

    def __init__(self, gain):
        self.gain = gain

    def apply(self, x):
        return self.gain * x

    @staticmethod
    def plain(x):
        return x

    @classmethod
    def made(cls, x):
        return cls(x)

    @property
    def loud(self):
        return self.gain > 1

    def __secret(self, x):
        return self.__hidden + x

    secret = __secret


def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


def flush_left(x):
    table = """
a
 b
"""
    return x + len(table)


async def waits(x):
    return await x


def generates(x):
    yield x


def test_a_function():
    source = source_of(fact)
    assert (source.name, source.class_name, source.filename) == ("fact", None, __file__)
    assert source.lines[source.tree.lineno - 1] == "def fact(n):"
    assert text_of(source.tree).startswith("def fact(n):\n    return 1 if n < 2")


def test_a_nested_function():
    source = source_of(outer(2))
    assert text_of(source.tree) == "def inner(x):\n    return x * scale"


def test_decorators_shift_the_first_line():
    tree = source_of(decorated).tree
    assert tree.name == "decorated" and len(tree.decorator_list) == 2


def test_methods_and_their_class():
    for fn in (Model.apply, Model(1).apply):
        source = source_of(fn)
        assert (source.name, source.class_name) == ("apply", "Model")
    assert source_of(Model.plain).name == "plain"
    assert source_of(Model.made).name == "made"
    assert source_of(Model.loud.fget).name == "loud"
    assert source_of(Model.Part.double).class_name == "Part"


def test_private_names_stay_as_written():
    source = source_of(Model.secret)
    assert (source.name, source.class_name) == ("__secret", "Model")
    assert "self.__hidden" in text_of(source.tree)
    assert mangled("__hidden", source.class_name) in Model.secret.__code__.co_names


@pytest.mark.parametrize("name", ["__x", "__x__", "_x", "x", "__"])
@pytest.mark.parametrize("owner", ["C", "_C", "__C", "_", "___"])
def test_mangling_is_pythons(name, owner):
    namespace = {}
    exec(f"class {owner}:\n    def f(self): return self.{name}", namespace)
    assert namespace[owner].f.__code__.co_names == (mangled(name, owner),)


def test_a_string_that_is_flush_left():
    [assign, _] = source_of(flush_left).tree.body
    assert assign.value.value == "\na\n b\n"


def test_async_functions_and_generators_are_found():
    assert isinstance(source_of(waits).tree, gast.AsyncFunctionDef)
    assert text(generates) == "def generates(x):\n    yield x"


def test_a_function_that_has_been_wrapped():
    @functools.lru_cache
    def cached(x):
        return x + 1

    assert source_of(cached.__wrapped__).name == "cached"


def test_a_function_in_a_class_in_a_function():
    def make(k):
        class Local:
            def run(self, x):
                return super().__str__() and x + k

        return Local

    source = source_of(make(1).run)
    assert (source.name, source.class_name) == ("run", "Local")


def test_a_function_with_a_class_in_it():
    def odd(x):
        class Inside:
            y = x

        return Inside

    assert "class Inside" in text(odd)


def test_nested_recursion_and_nonlocal():
    def make():
        count = 0

        def rec(n):
            nonlocal count
            count += 1
            return rec(n - 1) if n else count

        return rec

    assert "nonlocal count" in text(make())


# lambdas

PAIR = (lambda x: x + 1, lambda x: x + 2)
SAME_TEXT = (lambda x: x + 1, lambda x: x + 1)
SAME_SHAPE = [lambda x: x + 1.0, lambda x: x + 1, lambda x: x + True, lambda x: x - 0.0]
NESTED = lambda x: lambda y: x + y  # noqa: E731
BARE = lambda: lambda: 3  # noqa: E731
DEFAULTS = lambda f=lambda x: x + 3, *, g=lambda x: x + 4: (f, g)  # noqa: E731
TABLE = {
    "a": lambda x: (
        x
        + 1
    ),
    "b": max([1, 2], key=lambda x: -x), "c": lambda x: x * 2,
}  # fmt: skip


def test_two_lambdas_on_a_line():
    assert [text(fn) for fn in PAIR] == ["lambda x: x + 1", "lambda x: x + 2"]


def test_lambdas_of_one_text_have_their_own_places():
    first, second = (source_of(fn).tree.col_offset for fn in SAME_TEXT)
    assert first < second


def test_constants_tell_lambdas_apart():
    ends = ["1.0", "1", "True", "0.0"]
    assert [text(fn).split()[-1] for fn in SAME_SHAPE] == ends


def test_lambdas_in_lambdas():
    assert text(NESTED) == "lambda x: lambda y: x + y"
    assert text(NESTED(1)) == "lambda y: x + y"
    assert text(BARE) == "lambda: lambda: 3"
    assert text(BARE()) == "lambda: 3"


def test_lambdas_in_defaults():
    f, g = DEFAULTS()
    assert (text(f), text(g)) == ("lambda x: x + 3", "lambda x: x + 4")
    assert text(DEFAULTS).startswith("lambda f=lambda x: x + 3")


def test_lambdas_on_several_lines():
    assert (text(TABLE["a"]), text(TABLE["c"])) == ("lambda x: x + 1", "lambda x: x * 2")


def test_lambdas_in_a_comprehension_share_their_text():
    assert [text(fn) for fn in [lambda x: x + k for k in range(2)]] == ["lambda x: x + k"] * 2


def run_python(*args, script="", python=sys.executable):
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    environment = {**os.environ, "PYTHONPATH": folder}
    done = subprocess.run(
        [python, *args], input=script, capture_output=True, text=True, env=environment, timeout=60
    )
    assert not done.stderr, done.stderr
    return done.stdout.split("\n")


SHOW = """
from autovec.errors import SourceNotFound
from autovec.syntax.convert import text_of
from autovec.syntax.parse import source_of
def show(fn):
    try:
        print(text_of(source_of(fn).tree))
    except SourceNotFound as error:
        print(error)
"""


def test_without_positions_the_code_tells_lambdas_apart(tmp_path):
    lines = [
        "def make(k): return [lambda x: x + k, lambda x: x - k, lambda x, y=1: x + k]",
        "for fn in [lambda x: x + 1, lambda x: x + 1.0, lambda x: (lambda: x), *make(1)]: show(fn)",
    ]
    file = tmp_path / "script.py"
    file.write_text(SHOW + "\n".join(lines))
    found = run_python("-X", "no_debug_ranges", str(file))
    assert found[:6] == [
        "lambda x: x + 1",
        "lambda x: x + 1.0",
        "lambda x: lambda: x",
        "lambda x: x + k",
        "lambda x: x - k",
        "lambda x, y=1: x + k",
    ]


# surroundings on which Python's compiler depends


def test_what_the_module_does_does_not_matter(load):
    module = load(
        """
        from __future__ import annotations
        import math, os.path as p
        from math import sqrt
        try:
            import json
        except ImportError:
            json = None
        use_super = super

        def calls(x):
            return math.sin(x) + p.join("a") + json.dumps(x) + sqrt.__call__(x)

        def shadows(math):
            return math.sin(1)

        def annotates(x: List[int] = [1]) -> Nothing:
            y: Unknown = x
            def inner(z: Unknown) -> Unknown: return z
            return inner(y)

        class Around:
            __scale = 2
            def around(self, x): return self.__scale * x
            def parent(self): return super().parent()

        @(
            lambda fn: fn)
        def annotations(x): pass
        """
    )
    for name in ("calls", "shadows", "annotates", "annotations"):
        assert source_of(getattr(module, name)).name == name
    assert source_of(module.Around.around).class_name == "Around"
    assert source_of(module.Around.parent).name == "parent"


def test_functions_in_annotations_and_decorators_are_not_the_function(load):
    module = load(
        """
        @(lambda fn: fn)
        def f(x: (lambda: int)(), *a: (lambda: int)()) -> (lambda: int)():
            return x
        """
    )
    assert source_of(module.f).name == "f"


def test_a_function_that_holds_its_own_name(load):
    assert source_of(load("def f(x):\n    return 'f', x\n").f).name == "f"


def test_of_equal_definitions_the_place_is_the_right_one(load):
    module = load("keep = []\n" + "@keep.append\n\ndef f(x):\n    return x\n" * 3)
    assert [source_of(fn).tree.lineno for fn in module.keep] == [4, 8, 12]


def test_a_class_of_the_name_of_the_wrapper(load):
    module = load("class around:\n    def around(self, x): return x\n")
    assert source_of(module.around.around).class_name == "around"


def test_warnings_of_the_file_are_not_given_again(load):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = load("def f(x):\n    assert (x, 'always')\n    return '\\d' if x is 1 else x\n")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert source_of(module.f).name == "f"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with 3.12")
def test_type_parameters(load):
    module = load("def f[T](x: T) -> T:\n    y: T = x\n    return T, y\n")
    assert source_of(module.f).name == "f"


def test_all_functions_of_some_modules_are_found():
    import argparse
    import collections
    import statistics
    import unittest.mock

    modules = [argparse, collections, functools, statistics, textwrap, unittest.mock]
    functions = [
        fn
        for module in modules
        for owner in [module, *(v for v in vars(module).values() if isinstance(v, type))]
        for fn in vars(owner).values()
        if isinstance(fn, types.FunctionType) and fn.__code__.co_filename == module.__file__
    ]
    assert len(functions) > 300
    for fn in functions:
        assert source_of(fn).tree.name == fn.__code__.co_name




# files


def test_parse_file():
    module = parse_file("\ufeffx = 1\ny = 2\n", "f.py")
    assert isinstance(module, gast.Module)
    assert [type(node) for node in module.body] == [gast.Assign, gast.Assign]


def test_parse_file_tells_where_an_error_is():
    with pytest.raises(SyntaxError) as caught:
        parse_file("x = 1\ny = (\n", "f.py")
    assert (caught.value.filename, caught.value.lineno) == ("f.py", 2)


def test_parse_file_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse_file("x = '\\d'\n", "f.py")


def test_parse_file_of_too_deep_text():
    with pytest.raises(UnsupportedSyntax, match="f.py:1: this is nested too deeply"):
        parse_file("x = " + "-" * 60000 + "1\n", "f.py")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_the_parsers(end):
    lines = text_lines(end.join(["x = 1", "s = 'a\x0cb\x1c'", "y = 2"]))
    assert lines == ("x = 1", "s = 'a\x0cb\x1c'", "y = 2")


# places


def accents(x):
    été = "né"; y = été + x  # fmt: skip  # noqa: E702
    return (
        y
    )  # fmt: skip


def piece(place):
    return place.text[place.col : place.end_col]


def test_columns_are_characters():
    source = source_of(accents)
    place = place_of(source, source.tree.body[1])
    assert piece(place) == "y = été + x"
    assert place.line == source.tree.lineno + 1


def test_a_node_on_several_lines_is_placed_on_its_first():
    source = source_of(accents)
    place = place_of(source, source.tree.body[2])
    assert piece(place) == "return ("


def test_a_node_without_a_location_is_placed_at_the_function():
    source = source_of(accents)
    place = place_of(source, gast.Pass())
    assert (place.line, piece(place)) == (source.tree.lineno, "def accents(x):")


def test_threads_find_the_same(load):
    module = load("\n".join(f"def f{i}(x):\n    return x + {i}\n" for i in range(40)))
    found, filters = {}, list(warnings.filters)

    def work(part):
        for i in range(part, 40, 4):
            found[i] = text(getattr(module, f"f{i}"))

    threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: f"def f{i}(x):\n    return x + {i}" for i in range(40)}
    assert warnings.filters == filters
