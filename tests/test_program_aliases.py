"""Lists and dicts that two names hold: a store shows under both, so the function loops."""

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


@pytest.mark.parametrize(
    "f", [by_a_choice, inside_another_list, by_a_helper, from_a_helper, of_a_dict]
)
def test_a_store_that_shows_elsewhere_loops(f):
    assert check(f, X, K).fallbacks


@pytest.mark.parametrize("f", [copied, built_up])
def test_a_list_of_its_own_is_changed_in_place(f):
    assert not check(f, X, K).fallbacks
