"""The order of evaluation: nothing is left out, and of two failures the first is the loop's."""

import numpy as np
import pytest

import autovec
from tests.harness import check

SLOTS = {0: 4, 1: 2}
PRICES = {1: 2.0, 2: 3.0}
X, K = np.array([1.0, np.nan]), np.array([1, 0])
S = np.array(["1", "q"])


def compared(x, s):
    """int(s) is computed before the tuples are compared, whatever their first items say."""
    return (SLOTS.get(1.0, 3), int(s), 2) < (0, 1, 2)


def whole_then_division(x, k):
    return int(x) + 1 // k


def whole_then_price(x, k):
    return int(x) + PRICES[k]


def larger(x, k):
    return max(int(x), 1 // k)


def parts(x, k):
    return int(x) + 0.5, PRICES[k], 1 // k


def last_of_two(x, k):
    return (int(x), 1 // k)[1]


def keyed(x, k):
    return {"whole": int(x), "share": 1 // k}["share"]


def second(x, s):
    return (int(x) > 3, float(s))[1]


def turned(x, s):
    q = (int(x), int(s))
    return (q[1], q[0]) < (3, 3)


def later(x, s):
    q = [int(x), int(s)]
    q.append(1 // len(s))
    return q[2] + q[0]


def helper(a, b):
    return b + 0 * a


def by_keyword(x, s):
    return helper(b=int(s), a=int(x))


@pytest.mark.parametrize(
    "f", [whole_then_division, whole_then_price, larger, parts, last_of_two, keyed]
)
@pytest.mark.parametrize("args", [(X, K), (X, 0), (np.nan, K[1:]), (X[1:], K[1:]), (np.nan, 0)])
def test_the_first_of_two_failures_in_a_lane(f, args):
    check(f, *args)


@pytest.mark.parametrize("f", [second, turned, later, by_keyword])
@pytest.mark.parametrize(
    "args", [(X, S), (X, "q"), (np.nan, S), (X[:1], S[:1]), (7.0, "q"), (7.0, ""), (np.nan, "q")]
)
def test_the_first_of_two_failures_of_texts(f, args):
    check(f, *args)


@pytest.mark.parametrize("args", [(X, S), (X, "q"), (1.5, "q"), (X, "4"), (1.5, S), (1.5, "4")])
def test_what_a_comparison_may_do_without_is_computed(args):
    check(compared, *args)


def test_a_departure_is_no_failure_of_the_loop():
    """1 / x is inf under the law: what fails is behind it."""

    def f(x, k):
        y = 1 / x
        return int(y) + k

    with pytest.raises(OverflowError, match="infinity"), np.errstate(divide="ignore"):
        autovec.vectorize(f, fallback="error")(np.array([1.0, 0.0]), np.array([1, 2]))


def test_a_complex_number_of_python_is_a_departure():
    def f(x, k):
        y = x ** 1.5
        if y > 2:
            return y
        if k:
            raise KeyError
        return 2.0

    check(f, np.array([4.0, -1.0]), np.array([0, 1]))
