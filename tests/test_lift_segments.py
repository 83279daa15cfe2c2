"""Runs of equal items, found by two ``while`` loops."""

import numpy as np
import pytest

from tests.lifting import FLOATS, INTS, SINGLE, SMALL, agrees, loops


def lengths(x):
    values = []
    counts = []
    i = 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] == x[i]:
            j += 1
        values.append(x[i])
        counts.append(j - i)
        i = j
    return np.array(values), np.array(counts)


def as_lists(x):
    n = len(x)
    counts = []
    i = 0
    while i < n:
        j = i + 1
        while j < n and x[i] == x[j]:
            j += 1
        counts.append(j - i)
        i = j
    return counts, i


def longest(x):
    best = 0
    i = 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] == x[i]:
            j += 1
        if j - i > best:
            best = j - i
        i = j
    return best


def number_of_runs(x):
    n = 0
    i = 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] == x[i]:
            j += 1
        n += 1
        i = j
    return n


def averaged(x):
    out = np.zeros(len(x))
    i = 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] == x[i]:
            j += 1
        out[i] = (i + j - 1) / 2
        i = j
    return out


def other_end(x):
    i = 0
    out = []
    while i < len(x) - 1:
        j = i + 1
        while j < len(x) and x[j] == x[i]:
            j += 1
        out.append(j)
        i = j
    return out


RUNS = [np.array([1, 1, 2, 2, 2, 1]), np.array([0.0, -0.0, np.nan, np.nan, 1.0, 1.0]), np.zeros(5)]


@pytest.mark.parametrize("f", [lengths, as_lists, longest, number_of_runs, averaged, other_end])
@pytest.mark.parametrize("x", [*FLOATS, *INTS, *SMALL, *SINGLE, *RUNS], ids=repr)
def test_values(f, x):
    agrees(f, x)
    agrees(f, x.tolist())


@pytest.mark.parametrize("f", [lengths, as_lists, longest, number_of_runs])
def test_they_are_lifted(f):
    assert loops(agrees(f, RUNS[0])) == 0


def test_from_the_item_itself():
    def f(x):
        counts = []
        i = 0
        while i < len(x):
            j = i
            while j < len(x) and x[j] == x[i]:
                j += 1
            counts.append(j - i)
            i = j
        return np.array(counts)

    assert loops(agrees(f, RUNS[0])) == 0
