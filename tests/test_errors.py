"""How problems are shown, and that the errors survive pickling."""

import pickle

import pytest

from autovec import errors
from autovec.errors import Place, Problem, UnsupportedSyntax


def excerpt(text, piece):
    col = text.index(piece)
    return Place("f.py", 3, col, col + len(piece), text).excerpt().split("\n")


def test_a_problem_names_place_reason_and_way_out():
    problem = Problem(Place("f.py", 3, 8, 15, "    x = yield 1"), "yield", "one value", "return it")
    assert str(problem).split("\n") == [
        "f.py:3: yield",
        "    x = yield 1",
        "        ^^^^^^^",
        "  why: one value",
        "  instead: return it",
    ]


def test_empty_reasons_are_left_out():
    assert str(Problem(Place("f.py", 3, 0, 1, "x"), "what")) == "f.py:3: what\n    x\n    ^"


def test_a_line_that_is_not_known_has_no_caret():
    assert str(Problem(Place("f.py", 3, 0, 0, ""), "what")) == "f.py:3: what"


@pytest.mark.parametrize(
    "text, piece, carets",
    [
        ("x = 1", "1", "    ^"),
        ("    total = a + b", "a + b", "        ^^^^^"),
        ("\tx\t= yield", "yield", " \t  ^^^^^"),
        ("名 = yield", "yield", "     ^^^^^"),
        ("x = '名前'", "'名前'", "    ^^^^^^"),
        ("é = yield", "yield", "    ^^^^^"),
    ],
)
def test_carets_stand_under_the_piece(text, piece, carets):
    shown, under = excerpt(text, piece)
    assert shown == text.lstrip()
    assert under == carets


def test_a_piece_that_goes_on_behind_the_line_ends_with_it():
    assert Place("f.py", 1, 4, 90, "x = f(\n").excerpt() == "x = f(\n    ^^"


def test_a_decomposed_accent_takes_no_column():
    assert excerpt("e\u0301 = yield", "yield")[1] == "    ^^^^^"


def test_all_problems_of_a_function_are_in_one_error():
    problems = [Problem(Place("f.py", n, 0, 1, "x"), f"thing {n}") for n in (1, 2)]
    error = UnsupportedSyntax(problems)
    assert error.problems == tuple(problems)
    assert "thing 1" in str(error) and "thing 2" in str(error)


@pytest.mark.parametrize("kind", [errors.UnsupportedSyntax, errors.FallbackError])
def test_errors_with_problems_pickle(kind):
    error = kind([Problem(Place("f.py", 1, 0, 1, "x"), "thing")])
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert again.problems == error.problems
    assert str(again) == str(error)


def test_an_error_may_have_a_message_only():
    error = errors.FallbackError("no text, no rule")
    assert error.problems == ()
    assert str(error) == "no text, no rule"


def test_one_problem_needs_no_list():
    problem = Problem(Place("f.py", 1, 0, 1, "x"), "thing")
    assert errors.FallbackError(problem).problems == (problem,)


def test_what_users_catch():
    assert issubclass(errors.DifferentIndexes, ValueError)
    assert issubclass(errors.FallbackWarning, UserWarning)
    assert not issubclass(errors.Unsupported, errors.AutovecError)
    for kind in ("SourceNotFound", "UnsupportedSyntax", "FallbackError", "NotLiftable"):
        assert issubclass(getattr(errors, kind), errors.AutovecError)


def test_unsupported_carries_the_node():
    error = errors.Unsupported(None, "a thing", "because")
    assert (error.node, error.what, error.why, error.instead) == (None, "a thing", "because", "")
