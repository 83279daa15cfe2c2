"""The printer: what it prints reads back as the same tree, keeps to the width, and looks right."""

from __future__ import annotations

import ast
import io
import sys
import textwrap
import tokenize
from pathlib import Path

import gast
import numpy as np
import pytest

from autovec.emit import astor_printer
from autovec.emit.plain_tree import same_tree
from autovec.emit.printer import to_text
from autovec.syntax.quote import comment, trailing_comment
from tests.random_trees import Trees

WIDTH = 100


@pytest.fixture(params=["astor", "no astor"])
def printer(request, monkeypatch):
    """`to_text` with astor, and as it is where astor is not installed."""
    if request.param == "no astor":
        for module in [name for name in sys.modules if name.partition(".")[0] == "astor"]:
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.setitem(sys.modules, "astor", None)
    astor_printer._generator.cache_clear()
    yield to_text
    astor_printer._generator.cache_clear()


def shown(source: str) -> str:
    """The text of a source, after the checks that hold for every text."""
    body = gast.parse(textwrap.dedent(source)).body
    text = to_text(body)
    assert same_tree(ast.parse(textwrap.dedent(source)), ast.parse(text))
    assert to_text(gast.parse(text).body) == text, "printing a printed text changes it"
    return text


def same(source: str) -> None:
    """The source is printed as it is written here (where astor is installed)."""
    assert shown(source) == textwrap.dedent(source).lstrip("\n") or not astor_printer.has_astor()


@pytest.mark.parametrize("seed", range(40))
def test_random_statements_read_back(printer, seed):
    trees = Trees(seed)
    body: list[ast.stmt] = []
    while len(body) < 12:
        statement = ast.fix_missing_locations(trees.statement(trees.rng.randint(1, 4)))
        try:
            parsed = ast.parse(ast.unparse(statement)).body
        except SyntaxError:
            continue
        if same_tree(parsed, [statement]):  # a tree that the parser cannot make is no test
            body.append(statement)
    function = ast.parse("def f(): pass").body[0]
    function.body = body
    text = printer([gast.ast_to_gast(ast.fix_missing_locations(function))])
    assert same_tree(ast.parse(text).body, [function])
    assert printer(gast.parse(text).body) == text


# Real code

MODULES = ["bisect", "copy", "heapq", "statistics", "textwrap", "contextlib", "shlex"]


def without_strings(text: str) -> list[str]:
    """The lines of a text that hold no part of a string over several lines."""
    inside: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.start[0] != token.end[0]:
            inside.update(range(token.start[0], token.end[0] + 1))
    return [line for row, line in enumerate(text.splitlines(), 1) if row not in inside]


@pytest.mark.parametrize("module", MODULES)
def test_the_standard_library_reads_back(printer, module):
    source = Path(__import__(module).__file__).read_text()
    text = printer(gast.parse(source).body)
    assert same_tree(ast.parse(text), ast.parse(source))
    assert printer(gast.parse(text).body) == text
    assert max(map(len, without_strings(text))) <= WIDTH


# Layout


def test_chains_stand_one_case_a_line():
    same("""
        def tax_b(income, single):
            base = np.where(single, income - 12000, income - 24000)
            return np.where(income <= 0, 0.0,
                   np.where(base < 0, 0.0,
                   np.where(base < 40000, 0.1 * base,
                            4000 + 0.25 * (base - 40000))))
        """)


def test_a_short_chain_stays_on_its_line():
    same("""
        def ramp_v(x, lo, hi):
            return np.where(x < lo, 0.0, np.where(x > hi, 1.0, (x - lo) / 2.0))
        """)


def test_a_chain_inside_an_expression_is_aligned_where_it_stands():
    same("""
        z = 2.0 * np.where(a > 0, 1.0,
                  np.where(b > 0, 2.0,
                  np.where(c > 0, 3.0,
                           4.0))) + offset
        """)


def test_a_long_case_takes_two_lines():
    same("""
        w = np.where(temperature > threshold_for_melting,
                     some_long_argument_name * another_long_argument_name,
            np.where(temperature > threshold_for_boiling,
                     some_long_argument_name / another_long_argument_name + another_long_argument_name,
                     0.0))
        """)


def test_long_expressions_are_broken_where_a_person_would():
    same("""
        RATES = {"local": 2.5,
                 "national": 6.0,
                 "abroad": 18.0,
                 "somewhere else entirely": 99.0,
                 "the moon, and back": 1e16}
        TABLE = [0.0, 0.1234567, 1.2345678, 2.3456789, 3.456789, 4.56789, 5.6789, 6.789, 7.89, 8.9, 9.0,
                 -10.5, 11.5]
        free = ((row["total"] > 100)
                & (row["zone"] != "abroad")
                & (row["weight"] < 12.5)
                & ~(row["something"] == other))
        total = (alpha * x[k] + beta * x[k] ** 2 + gamma * x[k] ** 3 + delta * x[k] ** 4
                 - epsilon * x[k] ** 5 + zeta)
        digits = np.array([some_function_name(c, d, another_argument)
                           for c, d in zip(code.tolist(), dode.tolist())],
                          dtype=int)
        a_long_target_name[k[over]], another_long_target_name[k[over]], third[k] = (
            -s[over], some_function(t[over], u[over]), 1)
        """)


def test_long_messages_become_adjacent_strings():
    same("""
        raise ValueError(f"negative weight {row['weight'][k]} in a row that should not have any negative "
                         f"weight at all, lane {k}")
        raise ValueError("a long message that goes on and on and on for the sake of it, and on and on, "
                         "until its end, finally")
        """)


def test_long_headers():
    same("""
        from a_package.with_a.long_name import (a_first_long_name, a_second_long_name, a_third_long_name,
                                                a_fourth_long_name)


        def a_function_with_many_parameters(alpha_parameter, beta_parameter=1.0, gamma_parameter=2.0, *,
                                            delta_parameter: float = None, **rest) -> float:
            if (row["total"] > 100 and row["zone"] != "abroad" and row["weight"] < 12.5
                or not row["something"] == other_thing_here):
                pass
            with (open(the_name_of_a_rather_long_file_to_be_read, encoding="utf-8") as source,
                  open(another_long_name, "w") as target):
                pass
        """)


def test_blank_lines_docstrings_and_clauses():
    same('''
        """A module.

        With two paragraphs.
        """

        import math

        import numpy as np

        K = 3


        @decorated
        @decorated(by=1)
        def f(x, /, y: int = 1, *args, key, other=None, **kw) -> float:
            """One line: a backslash \\\\, \\"\\"\\"quotes\\"\\"\\"."""

            def inner(x):
                return x

            try:
                y = 1 if x else 2
            except (KeyError, ValueError) as error:
                raise TypeError("no") from error
            except OSError:
                pass
            else:
                del x, y
            finally:
                global K
            try:
                pass
            except* ValueError:
                raise
            for i, j in pairs:
                continue
            else:
                assert x, "message"
            while not (z := f(x)):
                break
            match x:
                case [1, *rest] if rest:
                    pass
                case {'a': 1, **kw} | 1e309:
                    pass
            if x:
                x += 1
            elif y:
                y: int = 2
                (y): int
            else:
                x[1:, ..., None] = y = lambda: 0
                if z:
                    pass
                return
            return -x ** 2, (-1) ** x, x ** -1, (a, b)[0], (1).real, 1e-6, not a == b, *c


        class C(Base, metaclass=Meta):
            a = 1

            async def g(self):
                async with a as b, c:
                    await c
                async for i in x:
                    (yield i)


        class D:
            pass
        ''')


@pytest.mark.skipif(not astor_printer.has_astor(), reason="quotes are laid out by astor")
def test_numbers_without_a_literal():
    values = [-1, -0.0, float("-inf"), float("nan"), 2 - 3j, -2j, 2j, (1, -2), frozenset({1}),
              complex(-0.0, 2.0)]
    body = [gast.Expr(gast.Constant(value, None)) for value in values]
    assert to_text(body).splitlines() == [
        "-1", "-0.0", '-float("inf")', 'float("nan")', "2.0 - 3j", "-2j", "2j", "1, -2",
        "frozenset({1})", "complex(-0.0, 2.0)",
    ]  # fmt: skip


def test_numpy_numbers_become_pythons():
    values = [np.float32(0.5), np.int64(-3), np.float64(1e-9), np.bool_(True)]
    body = [gast.Expr(gast.Constant(value, None)) for value in values]
    assert to_text(body).splitlines() == ["0.5", "-3", "1e-9", "True"]


def test_a_docstring_is_indented_as_its_place_asks():
    function = gast.parse("def f():\n    'doc'").body
    function[0].body[0].value.value = "Flush left.\n\nx: axis 0\n        "
    assert to_text(function) == 'def f():\n    """Flush left.\n\n    x: axis 0\n    """\n'


# Comments


def test_comments():
    body = gast.parse("x = 1\nfor i in s:\n    if i:\n        y = 1\n    else:\n        z = 2\n").body
    loop = body[1]
    loop.body[0].orelse.insert(0, trailing_comment("otherwise"))
    loop.body[0].body[:] = [comment("nothing to do")]
    loop.body.insert(0, trailing_comment("the lanes still running"))
    body.insert(1, trailing_comment("one"))
    body.insert(0, comment("two\nlines"))
    body.append(comment("the end"))
    assert to_text(body) == textwrap.dedent("""\
        # two
        # lines
        x = 1  # one
        for i in s:  # the lanes still running
            if i:
                # nothing to do
                pass
            else:
                # otherwise
                z = 2
        # the end
        """)


def test_a_comment_before_an_elif_goes_into_its_body():
    body = gast.parse("if a:\n    x = 1\nelif b:\n    x = 2\n").body
    body[0].orelse.insert(0, comment("the second case"))
    assert to_text(body) == "if a:\n    x = 1\nelif b:\n    # the second case\n    x = 2\n"


def test_a_long_trailing_comment_stands_above():
    body = gast.parse("def f(x):\n    x = 1\n    if x:\n        y = 2").body
    body[0].body[1].body.insert(0, trailing_comment("many words " * 12))
    body[0].body.insert(1, trailing_comment("short"))
    lines = to_text(body).splitlines()
    assert lines[1] == "    x = 1  # short"
    assert lines[2].startswith("    # many words") and lines[3].startswith("    # ")
    assert lines[4] == "    if x:" and max(map(len, lines)) <= WIDTH


def test_comments_stand_with_the_definition_below_them():
    body = gast.parse("x = 1\ndef f(x): return x\n").body
    body[1].body.insert(0, trailing_comment("here"))
    body.insert(1, comment("a helper"))
    body.append(comment("the end"))
    assert to_text(body) == (
        "x = 1\n\n\n# a helper\ndef f(x):  # here\n    return x\n\n\n# the end\n"
    )


# Guarantees


@pytest.mark.parametrize("broken", [["printed"], ["printed", "unparsed"]])
def test_a_text_that_reads_back_as_another_tree_is_never_printed(monkeypatch, broken):
    for name in broken:
        monkeypatch.setattr(f"autovec.emit.printer.{name}", lambda node: "wrong")
    body = gast.parse("x = a + b\nif x: y = f(x)").body
    body[1].body.insert(0, comment("lost at worst"))
    text = "x = a + b\nif x:\n    # lost at worst\n    y = f(x)\n"
    assert to_text(body) in (text, text.replace("    # lost at worst\n", ""))


def test_one_odd_statement_costs_no_other_its_layout(monkeypatch):
    true = astor_printer.printed
    monkeypatch.setattr(
        "autovec.emit.printer.printed", lambda node: "wrong" if "odd" in ast.dump(node) else true(node)
    )
    body = gast.parse("x = 'a'\ny = odd + 'b'\nz = 1e-6").body
    assert to_text(body) == "x = \"a\"\ny = odd + 'b'\nz = 1e-6\n"


def test_a_tree_without_a_text_is_an_error():
    empty = gast.parse("if x: pass").body
    empty[0].body = []
    with pytest.raises(ValueError, match="cannot be printed"):
        to_text(empty)
    with pytest.raises(TypeError, match="has no literal"):
        to_text([gast.Expr(gast.Constant(object(), None))])


def test_no_statements_are_no_text():
    assert to_text([]) == ""
    assert to_text([comment("alone")]) == "# alone\n"


def test_the_tree_is_left_as_it_was():
    body = gast.parse("x = np.where(a, 1, np.where(b, 2, np.where(c, 3, -4)))").body
    before = gast.dump(body[0])
    assert to_text(body) == to_text(body)
    assert gast.dump(body[0]) == before
