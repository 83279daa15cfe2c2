"""Numbers in the text: as the user spells them, arithmetic as written, names as given."""

import math

import numpy as np
import pytest

from autovec import vectorize
from tests.harness import check

X = np.array([0.5, -2.0, 3.0, 0.0, 1e300])
SCALE = 7.0


def spelled(x):
    return x * 1_000 + 0x10 + 1e-3 * x - 2.50 * x


def arithmetic(x):
    return x * (5.74 / 4000**0.9) - (1 / 3) * x + -(2 * 3.0)


def named(x):
    panels, width = 8, 0.25
    h = 1 / panels
    return x * h + width * panels


def named_and_folded(x):
    low = -4.0
    return np.where(x < low, low, x) + math.sqrt(x * x + low**2)


def changes(x):
    scale = 2.0
    y = x * scale
    scale = 3.0
    return y + x * scale


def in_a_branch(x):
    if x > 0:
        rate = 0.25
        return x * rate
    return x


def in_a_loop(x):
    total = 0.0
    for k in (1, 2):
        weight = k * 2
        total = total + x * weight
    return total


def inner_name(x):
    def inner(v):
        SCALE = 3.0
        return v * SCALE

    return inner(x) + SCALE


def named_for_a_table(x):
    count = 3
    total = 0.0
    for i in range(count):
        total = total + x / (i + count)
    return total


def helper(x):
    gain = 2.5
    return math.exp(x / 1e300) * gain


def two_of_a_name(x):
    gain = 4.0
    return helper(x) * gain + math.exp(x / 1e300)


EXPECTED = {
    spelled: ["1_000", "0x10", "1e-3", "2.50"],
    arithmetic: ["5.74 / 4000 ** 0.9", "1 / 3", "-(2 * 3.0)"],
    named: ["panels = 8", "width = 0.25", "h = 1 / panels", "x * h + width * panels"],
    named_and_folded: ["low = -4.0", "np.where(x < low, low, x)", "low ** 2"],
    changes: ["x * 2.0", "x * 3.0"],
    in_a_branch: ["rate = 0.25", "x * rate"],
    in_a_loop: [],
    inner_name: ["SCALE"],
    named_for_a_table: ["count = 3", "range(count)"],
    two_of_a_name: ["gain"],
}


@pytest.mark.parametrize("f", EXPECTED)
def test_numbers_stand_as_they_were_written(f):
    check(f, X)
    text = vectorize(f).emit(X)
    for part in EXPECTED[f]:
        assert part in text, text


def test_a_named_number_that_nothing_reads_is_not_written():
    def unread(x):
        exponent = 3
        return x**exponent

    check(unread, X)
    assert "exponent" not in vectorize(unread).emit(X)
