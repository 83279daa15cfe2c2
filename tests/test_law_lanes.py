"""The law: lanes not taken never raise, never warn, never index, never loop."""

import math
import warnings

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.oracle.standalone import load_text
from tests.programs import lanes

NAN, INF = np.nan, np.inf
X = np.array([4.0, 0.0, -1.0, NAN, INF, -INF, 1e300, 1e-320])
K = np.array([2, 0, -1, 5, 0, 3, -2, 1])


PROGRAMS = [f for f in vars(lanes).values() if getattr(f, "__module__", "") == lanes.__name__]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_silent_for_lanes_not_taken(f):
    """No exception and no warning, through the API and from the text alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        g = autovec.vectorize(f, fallback="error")
        got = g(X, K)
        alone = load_text(g.emit(X, K), f.__name__)(X, K)
        g(X[:0], K[:0])
        for lane in range(len(X)):
            g(X[lane : lane + 1], K[lane : lane + 1])
            g(X[lane], K[lane])
    np.testing.assert_array_equal(got, alone)
    check(f, X, K)


def test_partial_operations_are_not_widened():
    """Where a lane needs it, the exception still comes."""
    with pytest.raises(ZeroDivisionError):
        autovec.vectorize(lambda x, k: 10 // k if x > 0 else 0)(X, K)


def test_no_lane_at_all():
    """An empty batch evaluates nothing that can fail, also where every path fails."""

    def f(x):
        y = 1 // 0 if x > 0 else math.log(-1)
        raise ValueError(y)

    assert autovec.vectorize(f, otypes="d")(np.zeros((0, 4))).shape == (0, 4)
    assert autovec.vectorize(lambda x: x // 0)(np.zeros(0, int)).shape == (0,)


def test_a_test_in_a_branch_is_a_test_of_its_lanes():
    """The inner test divides; it is asked only where the outer one holds."""

    def f(k, m):
        if k:
            if m // k > 1:
                return 1
            elif m % k:
                return 2
        elif m:
            return 3
        return 4

    k, m = np.array([0, 1, 2, 0, -3]), np.array([5, 5, 3, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = autovec.vectorize(f, fallback="error")(k, m)
    assert got.tolist() == [f(*v) for v in zip(k.tolist(), m.tolist())]
    check(f, k, m)
