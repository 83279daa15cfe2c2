"""Loops of many forms: lifted or left alone, a lifted function does what the function does."""

from __future__ import annotations

import numpy as np
import pytest

import autovec


def strided_pairs(x, y):
    out = np.zeros(len(x))
    for i, (a, b) in enumerate(zip(x, y)):
        out[i] = a * b if a > 0 else b
    return out


def from_two(x, y):
    total = 0.0
    for i, v in enumerate(x, 2):
        total += i * v
    return total


def backwards(x, y):
    out = x.copy()
    for i in range(len(x) - 1, -1, -1):
        out[i] = x[i] + y[i]
    return out


def by_twos(x, y):
    out = x.copy()
    for i in range(0, len(x), 2):
        out[i] = y[i] * 2
    return out, i if len(x) else None


def sliced(x, y):
    total = 0.0
    for v in x[1:]:
        total += v
    for v in reversed(y):
        total = total * 0.5 + v
    return total


def over_a_list(x, y):
    values = []
    for a in x:
        if a > 0:
            values.append(a * 2)
    return np.array(values), [b + 1 for b in y], sum(b for b in y if b < 0)


def while_counter(x, y):
    i = 0
    total = 0.0
    while i < len(x):
        total += x[i] * y[i]
        i += 1
    return total, i


def searching(x, y):
    for i in range(len(x)):
        if x[i] > y[i]:
            return i
    return -1


def with_else(x, y):
    for v in x:
        if v > 100:
            break
    else:
        return 0.0
    return v


def recurrence(x, y):
    out = x.copy()
    for i in range(1, len(x)):
        out[i] = out[i - 1] * 0.5 + y[i]
    return out


def triangle(x, y):
    out = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(i):
            out[i, j] = x[i] * y[j]
    return out


def rectangle(x, y):
    out = np.zeros((len(x), len(y)))
    for i in range(len(x)):
        for j in range(len(y)):
            out[i, j] = x[i] - y[j]
    return out.sum(axis=1)


def clipped_count(x, y):
    count = 0
    best = -np.inf
    for a, b in zip(x, y):
        if a > b:
            count += 1
        elif a < -b:
            count -= 1
        best = max(best, a)
    return count, best


def descending_by_two(x, y):
    out = x.copy()
    for i in range(len(x) - 1, 0, -2):
        out[i] = y[i]
    return out


def nested_tuples(x, y):
    total = 0.0
    for i, (a, (b, c)) in enumerate(zip(x, zip(y, x))):
        total += a * b - c * i
    return total


FORMS = [strided_pairs, from_two, backwards, by_twos, sliced, over_a_list, while_counter, searching,
         with_else, recurrence, triangle, rectangle, clipped_count, descending_by_two,
         nested_tuples]  # fmt: skip


def equal(got, want):
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            equal(g, w)
    elif want is None:
        assert got is None
    else:
        np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("n", [0, 1, 2, 9])
@pytest.mark.parametrize("f", FORMS, ids=lambda f: f.__name__)
def test_a_lifted_function_does_what_the_function_does(f, n):
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=n), rng.normal(size=n)
    try:
        want = f(x.copy(), y.copy())
    except Exception as error:
        with pytest.raises(type(error)):
            autovec.lift(f)(x, y)
        return
    equal(autovec.lift(f)(x, y), want)
    assert autovec.lift(f).source
    assert autovec.lift(f).explain()
