"""Lists and dicts of the function, in every layout of arguments."""

import itertools

import numpy as np
import pytest

from tests.harness import check
from tests.programs import lists
from tests.programs.grid import array, calls, looped, vectorised


@calls(lists)
def test_lists(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


X, K = array("f", 0), array("i", 1)


def grown_by_some(x, k):
    values = [x]
    if k > 0:
        values.append(k)
    return sum(values)


def grown_in_a_varying_loop(x, k):
    values = [x]
    for _ in range(k):
        values.append(1.0)
    return len(values)


@pytest.mark.parametrize("f", [grown_by_some, grown_in_a_varying_loop])
def test_lists_of_other_lengths_loop(f):
    looped(f, X, K % 4)


def test_stores_out_of_range():
    def f(x, k):
        values = [x, 1.0]
        values[k] = 2.0
        return values

    assert check(f, np.ones(3), np.array([0, 2, 1])).raised == "IndexError"
    assert check(f, np.ones(3), np.array([0, -3, 1])).raised == "IndexError"
    vectorised(f, np.ones(3), np.array([0, -2, 1]))


def test_a_missing_key_of_a_local_dict():
    def f(x, k):
        return {0: x, 1: -x}[k]

    assert check(f, np.ones(3), np.array([0, 2, 1])).raised == "KeyError"


def test_averages():
    tame = np.array([0.5, 1e16, -3.0, 1.0])
    vectorised(lists.averages, tame, -tame[::-1])


def test_more_repeats_than_are_written_out():
    def f(x):
        return sum(itertools.repeat(x, 300))

    looped(f, np.array([1.5, -0.5]))
