"""Loops and comprehensions over uniform sequences, in every layout of arguments."""

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import loops
from tests.programs.grid import array, calls, vectorised

NAN = np.nan


@calls(loops)
def test_loops(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_trip_counts(n):
    """A sequence of no elements leaves what was there before the loop."""
    table = tuple(range(n))

    def f(x, k):
        s = k
        for c in table:
            if x > c:
                s = s + x
        return s, sum(c * x for c in table), any(x > c for c in table), all(x > c for c in table)

    vectorised(f, array("f", 0), array("i", 1))


def test_empty_extremes_raise():
    table = ()
    with pytest.raises(ValueError, match="empty"):
        autovec.vectorize(lambda x: max(c * x for c in table), fallback="silent")(np.ones(2))


def test_names_behind_an_empty_loop():
    """A loop of no trip binds nothing, and reading the name raises as Python does."""
    n = 0

    def f(x):
        for i in range(n):
            y = x + i
        return y

    assert check(f, np.ones(3)).raised in ("UnboundLocalError", "NameError")


@pytest.mark.parametrize("kind", ["f", "g", "i", "j", "h", "b"])
def test_accumulators_of_every_dtype(kind):
    """`s = 0` takes the dtype that the whole loop gives it, also in no trip and for no lane."""

    def f(x):
        s = 0
        for c in (1, 2, 3):
            s = s + x * c if x < 2 else s
        return s

    def g(x):
        s = x
        for c in (1, 2.5):
            s = s * c
        return s

    x = np.clip(array(kind, 0), -3, 3) if kind != "b" else array(kind, 0)
    vectorised(f, x)
    vectorised(g, x)


def test_carried_fact_changes_late():
    """Three trips until a name varies: a fixpoint, not a first look."""

    def f(x):
        a = b = c = 0.0
        for _ in range(5):
            a, b, c = b, c, x
            if a > 0:
                c = c / a
        return a, b, c

    vectorised(f, array("f", 0))


def test_uniform_only_at_first_sight():
    def f(x):
        y = 0.0
        n = 0
        for _ in range(4):
            if y >= 0:
                n += 1
            y = x - 1
        return n

    vectorised(f, array("f", 0))


def test_tables_are_read_at_every_call():
    table = [1.0, 2.0]
    g = autovec.vectorize(lambda x: sum(c * x for c in table), fallback="error")
    assert g(np.array([3.0])).tolist() == [9.0]
    table.append(10.0)
    assert g(np.array([3.0])).tolist() == [39.0]
    table[:] = [5]
    assert g(np.array([3.0])).tolist() == [15.0]

    prices = {"a": 1.0}

    def total(x):
        s = 0.0
        for name, price in prices.items():
            if name != "b":
                s += price * x
        return s

    h = autovec.vectorize(total, fallback="error")
    assert h(np.array([2.0])).tolist() == [2.0]
    prices["c"] = 4.0
    prices["b"] = 100.0
    assert h(np.array([2.0])).tolist() == [10.0]


def test_table_of_an_array():
    table = np.array([0.5, 1.5, -2.0])

    def f(x):
        s = 0.0
        for c in table:
            s = s * x + c
        return s

    check(f, array("f", 0))


def test_generators_stop_early():
    """any and all stop at the first answer: what is behind it is not evaluated for that lane."""

    def f(k):
        return any(k == 0 or 12 // k > c for c in (3, 5))

    def g(k):
        return all(k != 0 and 12 % k == c for c in (0, 0))

    k = np.array([0, 1, 3, 5, -2, 12])
    vectorised(f, k)
    vectorised(g, k)


def test_lambda_in_a_loop():
    def f(x):
        s = 0.0
        for c in (1.0, 2.0):
            g = lambda v, c=c: v * c if v > c else c  # noqa: E731
            s += g(x)
        return s

    vectorised(f, array("f", 0))


def test_zip_of_unequal_lengths():
    def f(x):
        s = 0.0
        for a, b in zip((1, 2, 3), (10.0, 20.0)):
            s += a * b * x
        for i, (a, b) in enumerate(zip((1, 2), (3, 4)), start=5):
            s -= i * a + b
        return s

    vectorised(f, array("f", 0))


def test_nested_loops_with_uniform_exits():
    def f(x):
        s = 0.0
        for i in range(4):
            for j in range(4):
                if j > i:
                    break
                if (i + j) % 2:
                    continue
                s += x * j - i if x > j else 1.0
            else:
                s *= 0.5
        return s

    vectorised(f, array("f", 0))


def test_return_by_a_uniform_test():
    def f(x, n):
        for i in range(5):
            x = x + i
            if i == n:
                return x
        return -x

    vectorised(f, array("f", 0), 2)
    vectorised(f, array("f", 0), 9)
    vectorised(f, array("f", 0), 2, in_axes=(0, None))


def test_while_over_uniform_values():
    def f(x, n):
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            x = x / 2 if x > n else x + 1
        return x, n

    vectorised(f, array("f", 0), 6)
    vectorised(f, array("f", 0), 1)


def test_many_trips_and_long_tables():
    table = tuple(float(c) for c in range(300))

    def f(x):
        s = 0.0
        for c in table:
            s += c if x > c else x
        return s

    report = vectorised(f, np.array([-1.0, 7.5, 1000.0, NAN]))
    assert len(report.text.splitlines()) < 60, "a long table is not written out trip by trip"


def test_range_of_a_huge_bound_compiles_quickly():
    def f(x, n):
        for i in range(n):
            if i > 3:
                break
            x = x + i
        return x

    vectorised(f, array("f", 0), 10**15)


def test_min_max_with_default_and_key():
    def f(x, k):
        a = max((x, k, 0), key=lambda v: -abs(v))
        b = min([x, k], key=abs)
        return a, b

    vectorised(f, array("f", 0), array("i", 1))


def test_first_extreme_wins():
    """Among equals max and min give the first, also of other types: max(0.0, 0) is 0.0."""
    got = autovec.vectorize(lambda x, y: max(x, y), fallback="error")(
        np.array([0.0, -0.0]), np.array([-0.0, 0.0])
    )
    assert np.signbit(got).tolist() == [False, True]
    vectorised(lambda x, k: max(k, x), array("f", 0), array("i", 1))


def test_sums_of_bools_and_strings():
    vectorised(lambda x, y: sum((x > 0, y > 0, x > y)), array("f", 0), array("f", 1))
    vectorised(lambda x: sum(x > c for c in (0, 1, 2)), array("f", 0))
    vectorised(lambda x: sum(1 for c in (0, 1, 2) if x > c), array("f", 0))


def test_a_while_whose_test_is_false_leaves_the_rest_of_the_trip():
    def f(x, y):
        n = s = 0
        while n < 3 and x < y:
            d = 0
            while d < 5 and False:
                d += 1
                s = s + 1
            n += 1
        while False:
            n = None
        return n, s

    assert check(f, np.array([1.0, 2.0, 3.0]), np.array([0.0, 2.5, 3.5])).fallbacks == []


def pairs_anew(x, k, n=2):
    q = (0.0, 0)
    for _ in range(n):
        q = (x * 3, k)
    return q[0] * q[1]


def pairs_that_retire(x, k):
    q, r = [0.0, 0], {"a": 1.0, "b": 2.0}
    i = 0
    while i < k and i < 4:
        i += 1
        q = [x * 3, k]
        r = {"a": x, "b": x * 2.0}
    return q[0] * q[1] + r["a"] - r["b"] * 3


def pairs_first_made_there(x, k):
    i = 0
    while True:
        i += 1
        q = (x * 3, k)
        if i > k - 2:
            break
    return q[0] * q[1]


def pairs_of_a_helper(x, k):
    def halves(v):
        if v > 1:
            return v * 2, v - 1
        return v - 2, v

    q = halves(x)
    for _ in range(3):
        q = halves(q[1])
    return q[0] * 10 + q[1] + k


def all_leave_where_some_have_left(x, k, n=4):
    i = 0
    while True:
        i += 1
        q, r = x * 3, k
        if i > n:
            return q
        if i > k - 2:
            break
    return r


@pytest.mark.parametrize(
    "f",
    [pairs_anew, pairs_that_retire, pairs_first_made_there, pairs_of_a_helper,
     all_leave_where_some_have_left],
)  # fmt: skip
def test_a_structure_that_a_loop_makes_anew(f):
    assert check(f, np.array([1.0, -2.0, 0.5]), np.array([10, 20, 3])).fallbacks == []


def read_by_no_lane(x, n):
    for _ in range(n):
        q = x * 2
    return q if x > 5 else x


def read_by_some(x, n):
    i = 0
    while i < n:
        i += 1
        q = x * i
    if x > 0:
        return q * q
    return x


def joined_before(x, n):
    q = 1.0 if x > 0 else 3.0
    for _ in range(n):
        q = x * 2
    return q


@pytest.mark.parametrize("n", [0, 2])
@pytest.mark.parametrize("f", [read_by_no_lane, read_by_some, joined_before])
def test_what_a_loop_of_no_trips_leaves_unassigned(f, n):
    assert check(f, np.array([1.0, -2.0, 0.5]), n).fallbacks == []
    assert check(f, np.array([-1.0, -2.0]), n).fallbacks == []


def left_by_the_test(x, k, y, n):
    i = 0
    while i < k and x > 2:
        i += 1
        y = y / n
    return y


def left_by_a_break(x, k, y, n):
    for _ in range(k):
        if x < 2:
            break
        y = y / n
    return y


@pytest.mark.parametrize("f", [left_by_the_test, left_by_a_break])
def test_uniform_code_of_a_trip_runs_for_no_lane(f):
    assert check(f, np.array([1.0, 0.5]), np.array([2, 3]), 1.5, 0).fallbacks == []


def test_a_place_in_a_list_of_literals_is_pythons_int():
    def f(x):
        return pow([1, 2, 3].index(3) % 7, 2, 5) + x

    assert check(f, np.array([1.0, 0.5])).fallbacks == []
