"""The law: NaN rules, operands, rounding, truncation, None, order of evaluation."""

import itertools
import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs.grid import vectorised

NAN, INF = np.nan, np.inf
V = [NAN, 1.0, 2.0, -0.0, 0.0, INF, -INF]
A, C = (np.array(v) for v in zip(*itertools.product(V, V)))


def run(f, *args):
    with np.errstate(all="ignore"):
        return autovec.vectorize(f, fallback="error")(*args)


def same(got, want):
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(want))


def test_extremes_keep_pythons_nan_rule():
    """The first of several equal or incomparable values stays."""
    same(run(lambda a, b: max(a, b), A, C), [max(a, b) for a, b in zip(A.tolist(), C.tolist())])
    same(run(lambda a, b: min(a, b), A, C), [min(a, b) for a, b in zip(A.tolist(), C.tolist())])
    x, y, z = (np.array(v) for v in zip(*itertools.product(V, V, V)))
    same(
        run(lambda a, b, c: max(a, b, c), x, y, z),
        [max(t) for t in zip(x.tolist(), y.tolist(), z.tolist())],
    )
    same(
        run(lambda a, b, c: min((a, b, c)), x, y, z),
        [min(t) for t in zip(x.tolist(), y.tolist(), z.tolist())],
    )
    same(run(lambda a: max(a, 0), A), [max(a, 0) for a in A.tolist()])
    same(run(lambda a: min(0.0, a), A), [min(0.0, a) for a in A.tolist()])
    same(run(lambda a: max(0, min(a, 1)), A), [max(0, min(a, 1)) for a in A.tolist()])


def test_numpys_own_extremes_keep_numpys_rule():
    same(run(lambda a, b: np.maximum(a, b), A, C), np.maximum(A, C))
    same(run(lambda a, b: np.fmin(a, b), A, C), np.fmin(A, C))


def test_or_and_not():
    same(run(lambda a, b: a or b, A, C), [a or b for a, b in zip(A.tolist(), C.tolist())])
    same(run(lambda a, b: a and b, A, C), [a and b for a, b in zip(A.tolist(), C.tolist())])
    got = run(lambda a: not a, A)
    assert got.dtype == bool and got.tolist() == [not a for a in A.tolist()]
    assert run(lambda a: not not a, A).tolist() == [bool(a) for a in A.tolist()]


def test_comparisons_are_never_inverted():
    """not (a < b) is not a >= b, and else is not the opposite comparison."""
    pairs = list(zip(A.tolist(), C.tolist()))
    assert run(lambda a, b: not a < b, A, C).tolist() == [not a < b for a, b in pairs]
    assert run(lambda a, b: not (a <= b or a > b), A, C).tolist() == [
        not (a <= b or a > b) for a, b in pairs
    ]

    def f(a, b):
        if a < b:
            return 1
        elif a >= b:
            return 2
        else:
            return 3

    def g(a, b):
        if not a > b:
            return math.sqrt(abs(b))
        return math.sqrt(a - b)

    assert run(f, A, C).tolist() == [f(a, b) for a, b in pairs]
    vectorised(f, A, C)
    vectorised(g, A, C)


def test_elif_takes_the_first_true_branch():
    def f(x):
        if x > 3:
            return 1
        elif x > 2:
            return 2
        elif x > 3:
            return 3
        elif x == x:
            return 4
        return 5

    x = np.array([4.0, 2.5, 3.0, 1.0, NAN])
    assert run(f, x).tolist() == [1, 2, 2, 4, 5]


def test_tuples_compare_lexicographically():
    pairs = list(zip(A.tolist(), C.tolist()))
    for f in (
        lambda a, b: (a, b) < (1.0, 1.0),
        lambda a, b: (a, b) <= (b, a),
        lambda a, b: (a, 1) > (b, 0),
        lambda a, b: (a, b) == (1.0, 2.0),
        lambda a, b: (a, b) != (b, 2.0),
        lambda a, b: (1, a, b) >= (1, b, 0),
    ):
        assert run(f, A, C).tolist() == [f(a, b) for a, b in pairs]


def test_logarithm_of_a_base():
    """math.log(x, b) is log(x) / log(b), not np.log with an output array."""
    x = np.array([8.0, 1000.0, 1.0, 3.0])
    got = run(lambda x: math.log(x, 2), x)
    assert got.tolist() == [math.log(v, 2) for v in x.tolist()]
    got = run(lambda x, b: math.log(x, b), x, np.array([2.0, 10.0, 5.0, 0.5]))
    np.testing.assert_allclose(got, [3.0, 3.0, 0.0, math.log(3, 0.5)], rtol=1e-15)


def test_none_on_some_lanes_is_nan():
    def f(x):
        if x > 0:
            return x

    same(run(f, np.array([1.0, -1.0])), [1.0, NAN])
    assert run(f, np.array([1, 2])).dtype == float
    assert run(lambda x: None, np.ones(3)) is None
    assert run(lambda x: None, np.ones(0)) is None

    def g(x):
        if x > 0:
            return None
        x = x + 1

    assert run(g, np.array([1.0, -1.0])) is None


def test_a_test_sees_the_values_before_its_branches():
    def f(x, y):
        if x > y:
            x, y = y, x
        else:
            x = y + 1
        if x > y:
            y = x * 2
        elif y > 1:
            x = y
        return x, y

    vectorised(f, A, C)

    def g(x):
        big = x > 1
        x = x - 5
        if big:
            x = x * 2
        if not big:
            x = x + 1
        return x

    assert run(g, np.array([3.0, 0.0])).tolist() == [-4.0, -4.0]


def test_sides_see_the_values_before_the_branch():
    """`then` may not see what `else` assigned, nor the other way round."""

    def f(x, y):
        a, b = x, y
        if a > b:
            a = b + 1
            b = a * 2
        else:
            b = a - 1
            a = b * 3
        return a, b

    vectorised(f, A, C)


def test_operands_are_evaluated_from_the_left():
    def f(x):
        y = (x := x + 1) * 10 + (x := x * 2)
        return y, x

    vectorised(f, np.array([1.0, 2.0]))


def test_signed_zeros_survive():
    x = np.array([0.0, -0.0, 1.0, -1.0])
    for f in (
        lambda x: -x,
        lambda x: x if x > 0 else x,
        lambda x: 0.0 if x > 0 else -0.0,
        lambda x: x * 0,
        lambda x: abs(x) if x else x,
        lambda x: x + 0 if x < 1 else x - 1,
        lambda x: 0 - x,
        lambda x: x * -1,
        lambda x: x % 1,
        lambda x: x**3,
        lambda x: math.copysign(0.0, x),
        lambda x: round(x * 0.1),
        lambda x: round(x * 0.1, 0),
        lambda x: math.atan2(x, -1),
        lambda x: int(x) * 1.0,
        lambda x: x or -0.0,
        lambda x: sum([x, x]),
        lambda x: -(x - x),
    ):
        vectorised(f, x)


def test_folding_keeps_zero_and_nan():
    """x * 0, x - x, x + 0, x / x, 0 / x are what they are for inf, nan and -0.0."""
    x = np.array(V)
    for f in (
        lambda x: x * 0,
        lambda x: x - x,
        lambda x: x + 0,
        lambda x: x - 0,
        lambda x: x * 1,
        lambda x: x / 1,
        lambda x: x**1,
        lambda x: x**0,
        lambda x: x == x,
        lambda x: x and x,
        lambda x: 0 * x + 1,
        lambda x: 1.0 * x - 0.0,
    ):
        vectorised(f, x)


def test_exactness_of_constants():
    """Constants are folded as Python folds them, and printed so that they read back."""
    x = np.array([1.0, 3.0])
    vectorised(lambda x: x * 0.1 + 0.2 - 1e-320, x)
    vectorised(lambda x: x + 1e308 * 10, x)
    vectorised(lambda x: x if x > 2 else -INF, x)
    vectorised(lambda x: x if x > 2 else -(0.0), x)
    vectorised(lambda x: x * (2**53 + 1), x)
    vectorised(lambda x: x - 1 / 3, x)
    vectorised(lambda x: (-1) ** 2 * x - -1, x)
    nan, minus = float("nan"), float("-inf")
    vectorised(lambda x: nan if x > 2 else minus, x)


def test_exact_keeps_the_loops_own_rounding(rng):
    """x * x * x for x**3 is within the law, but not with exact=True."""
    x = rng.normal(size=500) * 10
    for f in (lambda x: x**3, lambda x: x**4 + x, lambda x: x**-2, lambda x: x**2):
        got = autovec.vectorize(f, exact=True, fallback="silent")(x)
        assert got.tolist() == [f(v) for v in x.tolist()]


def test_static_work_is_bounded():
    """Nothing beyond 64 bits is computed while compiling."""

    def f(x):
        if x > 1e9:
            return 10**10**10
        return x

    assert autovec.vectorize(f, fallback="silent")(np.array([1.0])).tolist() == [1.0]

    def g(x):
        if x > 1e9:
            return len("ab" * 10**12)
        return 1 << 10**12 if x > 1e8 else x

    assert autovec.vectorize(g, fallback="silent")(np.array([1.0])).tolist() == [1.0]


def test_side_effects_keep_their_order():
    """print and appending to a global are never reordered: they run in the loop, lane by lane."""
    log = []

    def f(x):
        log.append(x)
        y = x + 1
        log.append(y)
        return y

    with pytest.warns(autovec.FallbackWarning):
        got = autovec.vectorize(f)(np.array([1.0, 5.0]))
    assert got.tolist() == [2.0, 6.0] and log == [1.0, 2.0, 5.0, 6.0]


def test_print_in_order(capsys):
    def f(x):
        if x > 0:
            print("got", x)
        return x

    with pytest.warns(autovec.FallbackWarning):
        autovec.vectorize(f)(np.array([1.0, -1.0, 2.0]))
    assert capsys.readouterr().out == "got 1.0\ngot 2.0\n"


def test_random_numbers_are_not_drawn_once_for_all():
    import random

    def f(x):
        return x + random.random()

    random.seed(1)
    with pytest.warns(autovec.FallbackWarning):
        got = autovec.vectorize(f)(np.zeros(3))
    random.seed(1)
    assert got.tolist() == [random.random() for _ in range(3)]


def test_mutable_state_of_an_object():
    class Meter:
        count = 0

        def read(self, x):
            self.count += 1
            return x * self.count

    meter = Meter()
    with pytest.warns(autovec.FallbackWarning):
        got = autovec.vectorize(lambda x: meter.read(x))(np.ones(3))
    assert got.tolist() == [1.0, 2.0, 3.0] and meter.count == 3


def test_everything_at_once():
    """A program of the whole language against the loop, on all pairs of edges."""

    def f(x, y):
        if not x < y and (x or y):
            z, w = max(x, y), (x, y) > (y, x)
        elif x == x:
            z, w = round(y, 1) if abs(y) < 10 else y, not y
        else:
            return None, False
        q = z if w else min(z, 0)
        return (q if q != INF else 1.0), w

    vectorised(f, A, C)
    check(f, A.astype("f4"), C)
