"""match on values, in every layout of arguments."""

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import choices
from tests.programs.grid import array, calls, vectorised


@calls(choices)
def test_choices(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


@pytest.mark.parametrize("kind", ["i", "h", "j", "f", "g", "b"])
def test_subjects_of_every_dtype(kind):
    """Patterns compare as == does: 1 is 1.0 is True."""
    k = array(kind, 0)
    vectorised(choices.literals, k)
    vectorised(choices.or_patterns, k)
    vectorised(choices.dotted_constants, k)


def test_first_case_wins():
    def f(k):
        match k:
            case n if n > 0:
                return 1.0
            case 1 | 2:
                return 2.0
            case n if n > -5:
                return 3.0
            case _:
                return 4.0

    got = autovec.vectorize(f, fallback="error")(np.array([1, 2, 0, -4, -9]))
    assert got.tolist() == [1.0, 1.0, 3.0, 3.0, 4.0]


def test_guards_run_for_their_lanes_only():
    """A guard is asked where its pattern matched and no earlier case was taken."""

    def f(k, m):
        match k:
            case 0:
                return 0
            case _ if 12 // k > m:
                return 1
            case _:
                return 2

    k, m = np.array([0, 1, 4, -3]), np.array([0, 3, 3, 3])
    got = autovec.vectorize(f, fallback="error")(k, m)
    assert got.tolist() == [0, 1, 2, 2]
    vectorised(f, k, m)


def test_no_case_matches():
    def f(k):
        r = 5
        match k:
            case 1:
                r = 6
        return r

    vectorised(f, array("i", 0))
    vectorised(f, np.zeros((0,), int))


def test_patterns_bind_before_the_guard():
    def f(x, k):
        match (x, k):
            case (a, b) if a > b:
                return a - b
            case (b, a) if b == 0:
                return a
            case _:
                return b + a

    check(f, array("f", 0), array("i", 1))


def test_sequence_of_another_length():
    def f(x, k):
        match (x, k):
            case (a,):
                return a
            case (a, b, c):
                return a + b + c
            case []:
                return 0.0
            case (a, b):
                return a * b

    vectorised(f, array("f", 0), array("i", 1))


def test_class_and_mapping_patterns_still_give_the_loop():
    """What is not compiled is looped, with a warning, never guessed."""

    def f(x):
        match x:
            case float():
                return 1.0
            case str():
                return 2.0
        return 3.0

    check(f, array("f", 0))
    check(f, array("i", 0))

    def g(x, k):
        match {"a": x, "b": k}:
            case {"a": v, "b": 0}:
                return v
            case {"b": w}:
                return w

    check(g, array("f", 0), array("i", 1))
