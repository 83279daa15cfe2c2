"""Loops that hand values to the next turn, and loops whose statements have to change places."""

from __future__ import annotations

import numpy as np
import pytest

from tests.lift_fuzz import failure
from tests.lift_fuzz_carried import Maker
from tests.lifting import FLOATS, INTS, SINGLE, SMALL, agrees, loops

ALL = [*FLOATS, *INTS, *SMALL, *SINGLE]


def differences(x):
    out = np.zeros(len(x))
    last = 0.0
    for i, v in enumerate(x):
        out[i] = v - last
        last = v
    return out


def turns(x):
    """How often the sign changes."""
    count = 0
    before = False
    for v in x:
        now = v > 0
        if now and not before:
            count += 1
        before = now
    return count


def second_order(x):
    out = np.zeros(len(x))
    one, two = 0.0, 0.0
    for i in range(len(x)):
        out[i] = x[i] - 2 * one + two
        two, one = one, x[i]
    return out, one


def trapezia(t, y):
    area = 0.0
    left = t[0]
    height = y[0]
    for i in range(1, len(t)):
        area += (t[i] - left) * (y[i] + height) / 2
        left = t[i]
        height = y[i]
    return area


def around(x):
    out = np.zeros(len(x))
    left = len(x) - 1
    for i in range(len(x)):
        out[i] = x[i] - x[left] + 0.5
        left = i
    return out, left


def two_around(x):
    out = np.zeros(len(x))
    near, far = -1, -2
    for i in range(len(x)):
        out[i] = x[i] + 10 * x[near] + 100 * x[far]
        far = near
        near = i
    return out


def backwards(x):
    out = np.zeros(len(x))
    last = 1.0
    for i in range(len(x) - 1, -1, -1):
        out[i] = x[i] * last
        last = x[i]
    return out, last


def reordered(x, y):
    for i in range(1, len(x)):
        x[i] = y[i - 1] + 1.0
        y[i] = 2.0 * y[i]


def both_ways(x, y):
    for i in range(1, len(x) - 1):
        x[i] = y[i - 1] * 0.5
        y[i] = y[i + 1] - x[i + 1]


def one_name_twice(x, y):
    for i in range(1, len(x)):
        t = x[i] + 1.0
        x[i] = t * y[i - 1]
        t = y[i] * y[i]
        y[i] = t


def in_branches(x, y):
    for i in range(len(x) - 1):
        if x[i] > 0:
            if y[i] > 0:
                x[i] = -y[i]
            y[i + 1] = i - 3.0


@pytest.mark.parametrize("x", ALL, ids=range(len(ALL)))
@pytest.mark.parametrize("f", [differences, turns, second_order, around, two_around, backwards])
def test_a_value_of_the_turn_before(f, x):
    agrees(f, x.copy())


@pytest.mark.parametrize("x", ALL, ids=range(len(ALL)))
@pytest.mark.parametrize("f", [reordered, both_ways, one_name_twice, in_branches, trapezia])
def test_two_arrays(f, x):
    agrees(f, x.copy(), x[::-1].copy())
    agrees(f, x.copy(), np.concatenate((x, x))[1:])
    both = x.copy()
    agrees(f, both, both)
    if len(x) > 2:
        agrees(f, both[1:], both[:-1])
        agrees(f, both[:-1], both[1:])


@pytest.mark.parametrize(
    "f",
    [differences, turns, second_order, around, two_around, reordered, both_ways, one_name_twice,
     in_branches, trapezia],
)  # fmt: skip
def test_no_loop_is_left(f):
    x = np.arange(1.0, 9.0)
    args = (x, x * x)[: f.__code__.co_argcount]
    lifted = agrees(f, *args)
    assert loops(lifted) == 0, lifted.explain()


def test_the_index_of_the_turn_before_is_a_slice():
    lifted = agrees(around, np.arange(6.0))
    assert "out[1:] = x[1:] - x[:-1] + 0.5" in lifted.source


def test_a_true_recurrence_stays_a_loop():
    def decay(x):
        last = 0.0
        for i in range(len(x)):
            last = 0.5 * last + x[i]
            x[i] = last

    assert loops(agrees(decay, np.arange(6.0))) == 1


def test_what_a_descending_loop_leaves_behind():
    def last(x):
        t = 0.0
        for i in range(len(x) - 1, -1, -1):
            t = x[i] * 2
        return t

    agrees(last, np.arange(3.0, 9.0))


def test_a_name_for_an_item_is_no_view_of_it():
    def doubled(x, y):
        for i, v in enumerate(x):
            t = v
            x[i] = v * 2
            y[i] = t

    agrees(doubled, np.arange(4.0), np.zeros(4))


@pytest.mark.parametrize("seed", range(2000, 2040))
def test_a_random_loop_means_the_same(seed):
    assert failure(seed, Maker) is None
