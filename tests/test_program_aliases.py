"""Lists and dicts that two names hold: a store shows under both, or the function loops."""

from __future__ import annotations

import numpy as np
import pytest

from tests.harness import check

X = np.array([1.0, -2.0, 0.0])
K = np.array([1, -1, 0])


def by_a_choice(x, k):
    a = [x]
    b = a if k > 0 else [k]
    b.append(1)
    return len(a), len(b)


def inside_another_list(x, k):
    a = [x]
    rows = [a, a]
    a.append(2.0)
    return len(rows[0]), rows[1][1]


def add(values, v):
    values.append(v)
    return len(values)


def by_a_helper(x, k):
    a = [x]
    return add(a, k) + len(a)


def same(values, v):
    return values


def from_a_helper(x, k):
    a = [x]
    c = same(a, k)
    c.append(1)
    return len(a)


def of_a_dict(x, k):
    d = {"a": x}
    e = d
    e["a"] = k
    return d["a"]


def copied(x, k):
    d = {"a": x}
    e = d.copy()
    e["a"] = k
    first = [1]
    second = first.copy()
    second.append(x)
    first += [3]
    return d["a"] + e["a"] + len(first) + len(second)


def built_up(x, k):
    out = []
    for v in (x, k, 2 * x):
        out.append(v)
    if x > 0:
        out[0] = k
    return sum(out)


def in_a_loop(x, k):
    a = [x, k]
    b = a
    for i in range(40):
        a[0] = a[0] + 1
    return b[0]


def by_turns(x, k):
    a, b = [x], [k]
    c = a
    for i in range(40):
        c[0] = c[0] + 1
        c = b
    return a[0], b[0], c[0]


def read_and_changed(x, k):
    a = [x, k]
    return a, a.pop()


def under_three_names(x, k):
    a = [x, k]
    b = [a, 1]
    c = b[0]
    c += [3.0]
    a[1] = x
    del b[0][0]
    return a, b, len(c)


def of_a_nested_list(x, k):
    rows = [[0.0] * 2] * 2
    rows[0][0] = x
    own = [[0.0] * 2 for _ in range(2)]
    own[0][k % 2] += x
    return rows, own


def behind_a_loop(x, k):
    a, b = [x], [k]
    c = a
    for i in range(3):
        c = b
    c[0] = 7.0
    return a[0], b[0]


@pytest.mark.parametrize(
    "f", [by_a_choice, by_a_helper, from_a_helper, in_a_loop, by_turns, read_and_changed]
)
def test_a_store_that_shows_elsewhere_loops(f):
    assert check(f, X, K).fallbacks


@pytest.mark.parametrize(
    "f",
    [copied, built_up, inside_another_list, of_a_dict, under_three_names, of_a_nested_list],
)
def test_a_list_of_its_own_is_changed_in_place(f):
    assert not check(f, X, K).fallbacks


def test_what_a_loop_makes_of_it():
    check(behind_a_loop, X, K)
