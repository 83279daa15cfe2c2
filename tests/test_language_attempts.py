"""try around arithmetic: handlers run as masks, for the lanes that fail."""

import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import attempts
from tests.programs.grid import FLOATS, INTS, array, calls, vectorised

NAN, INF = np.nan, np.inf


def strict(f):
    return autovec.vectorize(f, fallback="error")


@calls(attempts)
def test_attempts(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def test_handlers_instead_of_departures():
    x, k = np.array([1.0, 0.0, -3.0]), np.array([0, 0, 2])
    np.testing.assert_array_equal(strict(attempts.division)(x, k), [0.0, 0.0, -1.5])
    x = np.array([1.0, 0.0, -0.0, -1.0, NAN, INF, -INF])
    got = strict(attempts.logarithm)(x)
    np.testing.assert_array_equal(got, [0.0, -1.0, -1.0, -1.0, NAN, INF, -1.0])


def test_the_first_handler_that_matches():
    x = np.array([0.0, 0.001, -1.0, 1.0, NAN])
    got = strict(attempts.several_handlers)(x)
    np.testing.assert_allclose(got, [1.0, 2.0, 3.0, math.e + 1, NAN])
    assert strict(attempts.order_of_handlers)(np.array([0.0])).tolist() == [1.0]


def test_failures_of_every_operation_of_a_returned_expression():
    """The last operation of `return f(g(x))` may fail as well as the first."""
    x = np.array([0.0, 0.001, -1.0, 1.0, NAN])
    got = strict(attempts.base_class)(x)
    np.testing.assert_allclose(got, [4.0, 4.0, math.exp(-1), math.e, NAN])
    vectorised(attempts.base_class, x)
    vectorised(attempts.tuple_of_exceptions, np.array([0.0, -1.0, 2.0, -0.0]))


def test_an_exception_that_is_not_named_departs():
    """Only what the handlers name is an exception: the rest is inf or nan as anywhere."""
    with np.errstate(all="ignore"):
        got = strict(attempts.only_the_named_exception)(np.array([0.0, -1.0]), np.array([1, 1]))
    np.testing.assert_array_equal(got, [-INF, NAN])


def test_lanes_that_fail_later_keep_what_came_before():
    def f(x, k):
        y = x
        try:
            y = y + 1
            y = y / k
            y = math.sqrt(y)
        except ZeroDivisionError:
            return y
        except ValueError:
            return y * 100
        return y

    np.testing.assert_array_equal(
        strict(f)(np.array([3.0, 3.0, 3.0]), np.array([0, 1, -2])), [4.0, 2.0, -200.0]
    )
    x, k = np.meshgrid(FLOATS, INTS)
    vectorised(f, x.ravel(), k.ravel())


def test_code_behind_the_failure_does_not_run():
    def f(k, m):
        n = 0
        try:
            a = 10 // k
            n = 1
            b = 10 // m
            n = 2
        except ZeroDivisionError:
            return n
        return a + b

    k, m = np.array([0, 1, 0, 2]), np.array([0, 0, 1, 5])
    assert strict(f)(k, m).tolist() == [0, 1, 0, 7]
    vectorised(f, k, m)


def test_else_is_not_covered():
    def f(k, m):
        try:
            a = 10 // k
        except ZeroDivisionError:
            a = -1
        else:
            a = a // m
        return a

    k, m = np.array([0, 1]), np.array([0, 5])
    assert strict(f)(k, m).tolist() == [-1, 2]
    assert check(f, np.array([0, 1]), np.array([0, 0])).raised == "ZeroDivisionError"


def test_a_handler_is_not_covered():
    def f(k, m):
        try:
            return 10 // k
        except ZeroDivisionError:
            return 10 // m

    assert strict(f)(np.array([0, 5]), np.array([2, 0])).tolist() == [5, 2]
    assert check(f, np.array([5, 0]), np.array([0, 0])).raised == "ZeroDivisionError"


def test_uncaught_errors_pass_through_a_try():
    def f(k):
        try:
            return 10 // k
        except ValueError:
            return -1

    assert check(f, np.array([1, 0])).raised == "ZeroDivisionError"
    vectorised(f, np.array([1, 2]))


@pytest.mark.parametrize("kinds", ["ff", "ii", "fi", "if", "bi", "ib"])
def test_dtypes(kinds):
    x, k = (array(c, n) for n, c in enumerate(kinds))
    for f in (attempts.division, attempts.two_operations_fail, attempts.pass_in_handler):
        vectorised(f, x, k)


def test_every_operation_that_raises():
    x, k = array("f", 0), array("i", 1)

    def floats(x, k):
        try:
            return x / k, x // k, x % k
        except ZeroDivisionError:
            return 1.0, 2.0, 3.0

    def powers(x):
        try:
            return x**-1
        except ZeroDivisionError:
            return 0.5

    def huge(x):
        try:
            return (1.0 + abs(x)) ** 1e4
        except OverflowError:
            return -1.0

    def maths(x):
        try:
            return math.acos(x) + math.log1p(x) + math.fmod(x, x)
        except ValueError:
            return -1.0

    def divmods(x, k):
        try:
            q, r = divmod(x, k)
        except ZeroDivisionError:
            q = r = 0
        return q, r

    def whole(x):
        try:
            return math.floor(x) + math.ceil(x)
        except OverflowError:
            return 1
        except ValueError:
            return 2

    vectorised(floats, x, k)
    vectorised(powers, x)
    vectorised(huge, x)
    vectorised(maths, np.array([0.5, -0.5, 2.0, 0.0, -1.0, NAN]))
    vectorised(divmods, x, k)
    vectorised(whole, np.array([0.5, -2.0, NAN, INF, -INF]))


def test_no_lane_fails_and_all_lanes_fail():
    for k in (np.array([1, 2]), np.array([0, 0]), np.zeros(0, int), np.array([0])):
        x = np.ones(len(k))
        for f in (attempts.division, attempts.assigned_before_the_failure, attempts.all_clauses):
            vectorised(f, x, k)


def test_names_bound_only_when_it_worked():
    """What the failing lanes did not assign is unbound for them, and only for them."""

    def f(x, k):
        try:
            y = x / k
        except ZeroDivisionError:
            pass
        if k:
            return y
        return -1.0

    vectorised(f, array("f", 0), array("i", 1))

    def g(x, k):
        try:
            y = x / k
        except ZeroDivisionError:
            pass
        return y

    assert check(g, array("f", 0), array("i", 1)).raised == "UnboundLocalError"
    vectorised(g, array("f", 0), np.ones(37, int))


def test_the_exceptions_name():
    """`except E as e` binds the exception; where it is read, that has to be the loop's."""

    def f(k):
        try:
            return 1.0 / k
        except ZeroDivisionError as e:
            return 0.0 if e.args else 1.0

    check(f, array("i", 0))

    def g(k):
        try:
            r = 1.0 / k
        except ZeroDivisionError as unused:  # noqa: F841
            r = 0.0
        return r

    vectorised(g, array("i", 0))


def test_raise_in_try_and_reraise():
    """Exceptions raised by hand reach the handler, or the function loops: never silently lost."""

    def f(x):
        try:
            if x > 1:
                raise ValueError("big")
            return x
        except ValueError:
            return -1.0

    check(f, array("f", 0))

    def g(k):
        try:
            return 10 // k
        except ZeroDivisionError:
            raise KeyError(k) from None

    assert check(g, array("i", 0)).raised == "KeyError"
    check(g, np.array([1, 2]))

    def h(k):
        try:
            return 10 // k
        except ZeroDivisionError:
            if k == 0:
                raise
            return 1

    assert check(h, array("i", 0)).raised == "ZeroDivisionError"


def test_finally_runs_for_every_lane():
    def f(x, k):
        s = 0
        try:
            y = x / k
            s = 1
        except ZeroDivisionError:
            y = 5.0
            s = 2
        finally:
            s = s * 10
        return y, s

    vectorised(f, array("f", 0), array("i", 1))


def test_return_in_finally_wins():
    def f(k):
        try:
            return 10 // k
        except ZeroDivisionError:
            return -1
        finally:
            return 7  # noqa: B012

    check(f, array("i", 0))


def test_warnings_are_of_lanes_that_do_not_reach_a_handler(recwarn):
    """A caught failure is silent; the same operation outside a try warns as NumPy does."""
    strict(attempts.division)(np.array([1.0]), np.array([0]))
    strict(attempts.logarithm)(np.array([-1.0, 0.0]))
    strict(attempts.overflow)(np.array([1e10]))
    assert not list(recwarn)


def test_a_shared_power_inside_a_try():
    def f(v, x):
        try:
            y = x**x + v
        except OverflowError:
            y = 0.0
        return y

    g = autovec.vectorize(f, fallback="error")
    assert np.isnan(g(np.ones(2), -1.5)).all()
    assert g(np.ones(2), 2.0).tolist() == [5.0, 5.0]
    assert g(np.ones(2), 1e200).tolist() == [0.0, 0.0]
