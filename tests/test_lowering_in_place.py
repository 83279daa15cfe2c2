"""Arrays of the text's own are stored into; none that something else may still read."""

import math

import numpy as np
import pytest

from autovec import vectorize
from tests.harness import check

X = np.array([0.5, 3.0, -1.0, 7.0, 0.0, 2.5, math.nan, 1.5])
Y = np.array([1.0, -2.0, 4.0, 0.5, 3.0, 9.0, 1.0, 2.0])
LAYERS = ((0.0, 1.0), (1.0, 0.0), (2.0, 3.0))


def two_in_one_branch(x, y):
    a, b = 1.0, 2.0
    for low, step in LAYERS:
        if x > low:
            old = a
            a = b * math.exp(step) + y
            b = old / (1.0 + step)
    return a, b


def swapped(x, y):
    a, b = x * 2, y * 2
    if x > 1:
        a, b = b / y, a / (y + 1)
    else:
        a, b = math.exp(b / 9), math.exp(a / 9)
    return a, b


def previous(x):
    now, before = 1.0, 0.0
    for low, step in LAYERS:
        before = now
        if x > low:
            now = now * math.exp(step / 3)
    return now, before


def handed_on(x, y):
    a, b = 1.0, 5.0
    for low, _ in LAYERS:
        if y > low:
            a = math.exp(a / 4) + x
        a, b = b, a
    return a + b


def inner_loop_reads_again(x, y):
    a = 1.0
    for low, step in LAYERS:
        total = 0.0
        for k in range(3):
            if x > low:
                total = total + math.exp(a / 3) * k
        if y > low:
            a = math.exp(-a) + total + step
    return a


def nested(x, y):
    a, b = 1.0, 2.0
    for low, step in LAYERS:
        if x > low:
            if y > step:
                a = math.exp(-a * b)
            b = b + math.exp(-a)
        else:
            b = math.exp(-b) + a
    return a, b


def mask_of_an_argument(on, x):
    flag = True if on else False
    if x > 0:
        flag = math.log(x) > 1
    return flag


def mask_in_a_loop(on, x):
    flag, total = False, 0
    for low, _ in LAYERS:
        flag = True if on else False
        if x > low:
            flag = math.exp(x) > 9
        total += flag
    return flag, total


def returned_as_it_was(x):
    a = x * 2
    kept = a
    if x > 1:
        a = math.exp(x)
    return a, kept


def its_own_test_changes(x, y):
    if y < 2:
        y = y / (x * x + 0.5)
    elif y < 3:
        y = math.exp(y)
    else:
        y = y / (x * x + 1.5)
    return y


FLOATS = [two_in_one_branch, swapped, previous, handed_on, inner_loop_reads_again, nested,
          returned_as_it_was, its_own_test_changes]  # fmt: skip


@pytest.mark.parametrize("f", FLOATS)
@pytest.mark.parametrize("in_axes", [None, 0])
def test_the_loops_values(f, in_axes):
    check(f, *(X, Y)[: f.__code__.co_argcount], in_axes=in_axes)


@pytest.mark.parametrize("f", [mask_of_an_argument, mask_in_a_loop])
@pytest.mark.parametrize("in_axes", [None, 0])
def test_a_mask_may_be_an_argument(f, in_axes):
    on = np.array([True, False] * 4)
    check(f, on, np.abs(X) + 0.25, in_axes=in_axes)
    assert on.tolist() == [True, False] * 4


def test_a_layer_is_stored_in_place():
    def heated(h):
        temp, pressure = 288.0, 1000.0
        for bottom, lapse in LAYERS:
            if h > bottom:
                pressure *= math.exp(-h / temp)
                temp = temp + lapse
        return temp, pressure

    check(heated, X)
    assert ".copy()" not in vectorize(heated).emit(X)
