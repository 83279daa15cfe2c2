"""``where=``: one operation of nearly all lanes, those that a handler is for left out."""

import math

import numpy as np
import pytest

from autovec import vectorize
from tests.harness import check

EDGES = np.array([0.0, -0.0, 1.0, -1.0, 700.0, 800.0, math.nan, math.inf, -math.inf, 1e-320])
X, Y = (a.ravel() for a in np.meshgrid(EDGES, EDGES))


def overflow(x):
    try:
        y = 1 / math.expm1(x)
    except OverflowError:
        y = 0.0
    return y * 2


def divided(x, y):
    try:
        r = x / y
    except ZeroDivisionError:
        r = -1.0
    return r + 1


def logarithm(x):
    try:
        y = math.log(x)
    except ValueError:
        y = math.nan
    return y


def floored(x, y):
    try:
        r = x // y
    except ZeroDivisionError:
        r = 0.5
    return r


def in_a_branch(x, y):
    if x > 0:
        try:
            r = x / y
        except ZeroDivisionError:
            r = 0.0
        return r * 3
    return 1.0


def kept(x, y):
    z = x * 2
    try:
        z = x / y
    except ZeroDivisionError:
        pass
    return z


def whole(k):
    try:
        r = 12 / k
    except ZeroDivisionError:
        r = 0.0
    return r


@pytest.mark.parametrize("f", [overflow, divided, logarithm, floored, in_a_branch, kept])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("in_axes", [None, 0])
def test_the_loops_values(f, dtype, in_axes):
    args = (X.astype(dtype), Y.astype(dtype))[: f.__code__.co_argcount]
    check(f, *args, in_axes=in_axes)


def test_shapes_and_integers():
    check(divided, EDGES[:, None], EDGES)
    check(whole, np.array([0, 1, -3, 7]))
    check(whole, np.array([0, 1, -3, 7], "int8"))


@pytest.mark.parametrize("f", [divided, logarithm, floored, overflow])
def test_nothing_is_gathered(f):
    text = vectorize(f).emit(*(X, Y)[: f.__code__.co_argcount])
    assert "where=~" in text and "[k]" not in text and "flatnonzero" not in text
