"""What holds between the trips of a loop: names that are carried, what waits to be written."""

import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs.grid import vectorised


def test_what_is_read_behind_a_loop_keeps_its_name():
    """The index of the lanes that are done is not written into the array that they read."""

    def f(x, j):
        for _ in range(1, j):
            values = [2, 2, 2]
            for j, _ in enumerate(values):
                pass
        return j

    vectorised(f, np.zeros(4), np.array([1, 2, 5, 0]))


def test_a_test_that_reads_names_like_those_that_are_carried():
    def f(x, n):
        total = x * 1.0
        total2 = 0.0
        other = 3.5
        while total + x < n + other + total:
            total2 = x * 2
            other = other - 1
            total2, x = x, x + 1
        return total2

    vectorised(f, np.array([0.0, 1.0, 2.0]), np.array([3.0, 1.0, 5.0]))


def test_what_a_loop_runs_over_is_computed_before_its_names_change():
    def f(x, n):
        s = n - 1
        for _ in range(1, s):
            s += int(x)
        return s

    vectorised(f, np.array([1.0, 2.0, -3.0]), 5)
    text = autovec.vectorize(f).emit(np.array([1.0]), 5)
    assert text.index("items = range(1, s)") < text.index("s = np.full")


def test_items_are_not_kept_where_no_name_changes():
    def f(x, n):
        s = 0.0
        for _ in range(n):
            s += x
        return s

    assert "items" not in autovec.vectorize(f).emit(np.array([1.0]), 5)


def test_all_lanes_of_a_branch_leave_a_loop_for_a_handler():
    """The flags of a loop that these lanes leave together are one flag, not an array of them."""

    def f(x):
        if x <= 0.1:
            return 1.0
        y = 2.5
        try:
            for i in range(2):
                y += 2 / i
                y = math.log(y)
        except ArithmeticError:
            return y
        except ValueError:
            return 2.0
        return y + 1

    vectorised(f, np.array([1.0, 0.0, 3.0]))


def test_all_lanes_of_a_branch_break():
    def f(x, y):
        if y <= 2:
            return 1.0
        total = 0.1
        for _ in range(3):
            total += 2
            if total:
                break
            return y
        if math.sqrt(total) > 1:
            return total
        return x

    vectorised(f, np.array([0.0, 1.0, 2.0]), np.array([1.0, 4.0, 2.5]))


def test_a_loop_that_no_lane_runs_through_twice():
    """What would be handed on holds something else when all lanes have left."""

    def f(j):
        y = 2.0
        try:
            for _ in range(3):
                y += j
                return math.acosh(y)
        except ValueError:
            pass
        return y

    vectorised(f, np.array([14.0, -3.0, 0.0, -8.0, 2.0]))


def test_what_is_computed_before_a_loop_is_computed_once():
    """A value that waits to be written is not written inside of the loop that comes before it."""

    def f(x, j):
        if x:
            x += 1.0
            x = x / -1.5
            y = 0.1
            try:
                for i in range(3):
                    if y:
                        pass
                    y += 2 / (j - i)
            except ZeroDivisionError:
                pass
        if x // 1.5:
            return 3.0
        return x

    vectorised(f, np.array([1.0, 0.0, -2.0, 5.0]), 1, in_axes=(0, None))
    vectorised(f, np.array([1.0, 0.0, -2.0, 5.0]), 7, in_axes=(0, None))


@pytest.mark.parametrize("limit", [0.0, 9.0])
def test_what_waits_is_computed_for_both_sides_of_an_if(limit):
    def f(x, v, u):
        if u < 5:
            s = x
            i = 0
            while i < 3:
                i += 1
                if s:
                    x, s = s, x
                elif x == 2:
                    x = s + 1
                if x >= u:
                    continue
                s -= x
            return s
        if v is None:
            return x + 1
        return x

    lanes = (np.array([0.0, 2.0, 3.0]), np.array(["a", None, "b"], object))
    vectorised(f, *lanes, limit, in_axes=(0, 0, None))


def test_a_handler_that_no_exception_reaches_decides_no_dtype():
    def f(x, j):
        y = 0.0
        try:
            try:
                for _ in range(2):
                    y += math.sqrt(x)
            except Exception:
                pass
        except ArithmeticError:
            return None
        return j if y >= 0 else 7

    assert autovec.vectorize(f)(np.array([1.0, -1.0]), np.array([2, 3])).dtype == int
    check(f, np.array([1.0, -1.0]), np.array([2, 3]))


def test_a_loop_over_nothing():
    def f(x):
        for _ in range(4 % 4):
            return 2.5
        return 2

    assert autovec.vectorize(f)(np.array([1.0])).dtype == int


def test_the_item_comes_before_the_next_index():
    """The row is looked up, and may raise, before the second index is computed."""
    table = ((1, 2, 3), (4, 5, 6))

    def f(j, text):
        try:
            return table[j][text.index("a")]
        except LookupError:
            return -1

    check(f, np.array([0, 1, 2]), np.array(["ba", "a", "x"]))


def test_helpers_whose_ways_all_return_the_same():
    def helper(x):
        one = -1 + x
        if one:
            math.sqrt(abs(x))
            return 4
        return 4

    def f(x):
        four = helper(x)
        return math.isqrt(four) + x

    vectorised(f, np.array([0.0, 1.0, 2.0]))


@pytest.mark.parametrize("limit", [0.0, 9.0])
def test_what_waits_has_its_name_on_both_sides_of_an_if(limit):
    """Packing on one side names what only the other one reads: it is assigned before both."""

    def f(x, v, u):
        if u < 5:
            if x > 1:
                return math.sin(x) * math.cos(x) * math.exp(x)
            s = x
            while s < 10:
                s = s * 2 + 1
            return s
        if v is None:
            return x + 1
        return x

    lanes = (np.array([0.0, 2.0, 3.0]), np.array(["a", None, "b"], object))
    vectorised(f, *lanes, limit, in_axes=(0, 0, None))
