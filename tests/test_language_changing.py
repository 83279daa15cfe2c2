"""Loops that change a name in a way no carried value can: lists, None, functions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import autovec


def none_at_first(x):
    best = None
    for i in range(20):
        if best is None or x * i > best:
            best = x * i
    return best


def list_that_grows(x):
    xs = []
    for _ in range(20):
        xs.append(x)
    return sum(xs)


def list_made_anew(x):
    xs = []
    for i in range(20):
        if i % 5 == 0:
            xs = []
        xs.append(x)
    return sum(xs)


def item_changed(x):
    xs = [0.0, 0.0]
    for _ in range(20):
        xs[0] = xs[0] + x
    return xs[0]


def another_function(x):
    fn = abs
    s = 0.0
    for _ in range(20):
        s += fn(x)
        fn = float
    return s


def dict_that_grows(x):
    d = {}
    for i in range(20):
        d["a"] = x * i
        if len(d) > 1:
            return 7.0
        d["b"] = i
    return d["a"]


def truth_of_a_list(x):
    xs = []
    for _ in range(20):
        if xs:
            return 7.0
        xs = [x]
    return 1.0


def none_if_no_trip(x, n):
    last = None
    for i in range(n):
        last = x * i
    return 0.0 if last is None else last


def grows_while(x):
    xs = [x]
    while xs[-1] < 10:
        xs.append(xs[-1] * 2 + 1)
    return float(len(xs))


@pytest.mark.parametrize(
    "f",
    [none_at_first, list_that_grows, list_made_anew, item_changed, another_function,
     dict_that_grows, truth_of_a_list, grows_while],
)  # fmt: skip
def test_agrees_with_the_loop(f):
    x = np.array([1.0, -2.0, 0.5])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", autovec.FallbackWarning)
        got = autovec.vectorize(f)(np.abs(x) if f is grows_while else x)
    want = [f(float(v)) for v in (np.abs(x) if f is grows_while else x)]
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("n", [0, 1, 20])
def test_no_trip(n):
    x = np.array([1.0, -2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", autovec.FallbackWarning)
        got = autovec.vectorize(none_if_no_trip)(x, n)
    np.testing.assert_array_equal(got, [none_if_no_trip(float(v), n) for v in x])
