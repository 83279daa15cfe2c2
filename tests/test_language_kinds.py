"""Values that have one type on some lanes and another on others: int or float, bool or int."""

from __future__ import annotations

import numpy as np
import pytest

from tests.harness import check

X, K = np.array([1.0, -2.0, 0.5, 0.0]), np.array([1, 2, 3, 0])


def type_of_a_choice(x, k):
    y = 1 if x > 0 else x
    return isinstance(y, int), isinstance(y, float)


def type_of_a_bool_or_int(x, k):
    y = True if x > 0 else k
    return isinstance(y, bool), y + 1


def is_true(x, k):
    y = k if x > 0 else True
    return y is True, y is False


def is_true_of_the_larger(x, k):
    return max(x > 0, k) is True


def larger_by_zero(x, k):
    return max(k, x) // (k - 1)


def rounded_by_zero(x, k):
    return round(k if x > 0 else x, 1) % (k - 1)


def both_parts_by_zero(x, k):
    return divmod(k if x > 0 else x, k - 1)


@pytest.mark.parametrize(
    "f",
    [type_of_a_choice, type_of_a_bool_or_int, is_true, is_true_of_the_larger, larger_by_zero,
     rounded_by_zero, both_parts_by_zero],
)  # fmt: skip
def test_what_depends_on_the_type_loops(f):
    assert check(f, X, K).fallbacks


def test_what_does_not_depend_on_it():
    def f(x, k):
        y = max(k, x)
        b = x > 0
        return y // 2, y % 3, divmod(y, 2), y // 1.5, isinstance(k, int), b is True, b is False

    assert check(f, X, K).fallbacks == []


def test_a_message_shows_the_type_that_the_lane_has():
    def f(x, k):
        y = k if k > 1 else x
        if y == 3:
            raise ValueError(f"y is {y}, not {k * 1.0}")
        return y

    check(f, X, K)


def test_a_sample_of_float32_is_no_float():
    def f(x, k):
        y = 1 + x
        return isinstance(x, float), isinstance(y, float), isinstance(k, int), isinstance(x, int)

    for x, k in (("f4", "i8"), ("f8", "i4"), ("f8", "i8"), ("f4", "i1"), ("?", "?")):
        check(f, X.astype(x), K.astype(k))
