"""Calls of uniform values stay as written; sums, products and reductions of fixed sequences."""

from __future__ import annotations

import datetime
import functools
import math
import operator
import os

import numpy as np
import pytest

import autovec
from tests.harness import check

X = np.array([1.0, -2.0, 0.5, 7.0])
Y = np.array([2.5, 1.0, -1.0, 0.0])
DAYS = ["Sat", "Sun", "Mon"]
WHEN = datetime.date(2024, 5, 17)


def strict(f):
    return autovec.vectorize(f, fallback="error")


def bits(x):
    return x * bin(5).count("1")


def day(x):
    return x + DAYS.index("Mon")


def unit_of(x, unit="kg"):
    return x * (1000.0 if unit.upper() == "KG" else 1.0)


def from_text(x, text="2.5"):
    return x * float(text) + len(text) * int(text[0]) if x > 0 else 0.0


def bad_text(x, text="?"):
    return float(text) if x > 100 else x


@pytest.mark.parametrize("f", [bits, day, unit_of, from_text, bad_text])
def test_calls_of_uniform_values_stay_as_written(f):
    check(f, X, vectorize=strict)


def date(x):
    return x + WHEN.toordinal()


def test_methods_of_dates_stay_as_written():
    f = strict(date)
    assert f(X).tolist() == [date(x) for x in X.tolist()]
    assert "WHEN.toordinal()" in f.emit(X)


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: math.prod([x, y, 2]),
        lambda x, y: math.prod((x, y), start=0.5),
        lambda x, y: math.dist((x, y), (0, 1)),
        lambda x, y: math.fsum((x, 1e16, y, -1e16)),
        lambda x, y: math.fsum(v * v for v in (x, y)) if x > 0 else y,
        lambda x, y: functools.reduce(operator.add, (x, y, 2)),
        lambda x, y: functools.reduce(lambda a, b: a * b + y, [x, y], 1.0),
        lambda x, y: sum(filter(None, (1, 0, 2))) * x + y,
        lambda x, y: {n: x**n for n in range(3)}[2] - y,
    ],
)
def test_functions_of_fixed_sequences(f):
    check(f, X, Y, vectorize=strict)


def test_products_of_integers_notice_that_they_outgrow_int64():
    f = autovec.vectorize(lambda k: math.prod((k, k, k)), fallback="silent")
    assert f(np.array([3, 2**30])).tolist() == [27, 2**90]


def test_what_runs_code_of_others_still_loops():
    with pytest.raises(autovec.FallbackError):
        strict(lambda x: x + os.getpid())(X)


def uniform_exponential(x, k=True):
    try:
        return math.exp(k) + x
    except OverflowError:
        return 0.0


def test_a_uniform_bool_is_a_float_in_a_try():
    check(uniform_exponential, X, vectorize=strict)
    check(lambda x: uniform_exponential(x, 3) if x > 100 else x, X)


PRICES = {"a": 1.5, "b": 2.0}


def priced(x):
    d = {name: price * x for name, price in PRICES.items()}
    return d["a"] - d["b"]


def test_a_dict_comprehension_over_a_table():
    check(priced, X, vectorize=strict)
