"""raise and assert on varying conditions: the lowest failing lane, and its own values."""

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import errors
from tests.programs.grid import array, calls, vectorised

NAN = np.nan


@calls(errors)
def test_errors(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def caught(f, *args, **kw):
    with pytest.raises(Exception) as found:
        autovec.vectorize(f, fallback="error")(*args, **kw)
    return found.value


def test_type_and_arguments():
    error = caught(errors.own_exception, np.array([1.0, 7.0]))
    assert type(error) is errors.Refused
    assert error.args == (7.0, "seven") and type(error.args[0]) is float and error.value == 7.0
    error = caught(errors.raise_from, np.array([1.0, 2.5]))
    assert isinstance(error.__cause__, KeyError) and error.__cause__.args == ("cause",)
    error = caught(errors.raise_behind_returns, np.array([1.0]), np.array([-1000]))
    assert type(error) is IndexError and error.args == ()


def test_lowest_lane_over_all_places():
    """The second place fails in lane 0, the first in lane 2: lane 0 is what the loop reports."""
    k = np.array([3, 7, 10])
    error = caught(errors.first_failing_place_is_not_first_lane, np.ones(3), k)
    assert str(error) == "second place 3"
    error = caught(errors.first_failing_place_is_not_first_lane, np.ones(3), k[::-1].copy())
    assert str(error) == "first place 10"
    error = caught(errors.first_failing_place_is_not_first_lane, np.ones(2), k[1:])
    assert str(error) == "third place"
    error = caught(errors.first_failing_place_is_not_first_lane, k, np.array([0, 0, 10]))
    assert type(error) is ZeroDivisionError


def test_messages_of_every_format():
    def f(x, k, s):
        if k == 2:
            raise ValueError(f"{x} {x!r} {x:.3f} {x:>10} {k:04d} {s!r} {s:>5} {k + 1} {{}} {k=}")
        return x

    args = np.array([1.5, 2.25]), np.array([1, 2]), np.array(["a", "b"])
    assert str(caught(f, *args)) == "2.25 2.25 2.250       2.25 0002 'b'     b 3 {} k=2"

    def g(x, k):
        if k == 2:
            raise ValueError("%s and %d" % (x, k), "{} {:.1f}".format(k, x), str(x) + str(k))
        return x

    assert check(g, *args[:2], deep=False).raised == "ValueError"


def test_messages_of_branches_and_calls():
    def f(x, k):
        y = x / k if k else 0.0
        if y > 1:
            z = y * 2
            raise ValueError(f"{z} of {max(x, k)} is {'odd' if k % 2 else 'even'}: {[x, k]}")
        return y

    report = check(f, array("f", 0), array("i", 1))
    assert report.raised == "ValueError"


def test_bools_strings_and_uniform_values_in_messages():
    def f(on, s, limit):
        if on:
            raise KeyError(on, s, limit, s.upper())
        return 1.0

    check(f, np.array([False, True]), np.array(["a", "bb"]), 2.5, deep=False)


def test_asserts():
    def f(k):
        assert k > 0
        assert k < 10, ("too large", k)
        return 1.0 / k

    assert str(caught(f, np.array([1, 0]))) == ""
    assert caught(f, np.array([1, 11, 0])).args == (("too large", 11),)
    vectorised(f, np.array([1, 9]))
    vectorised(f, np.array([1, -9, 20]))


def test_raise_classes_and_instances():
    for f in (
        lambda_raise_class,
        lambda_raise_instance,
        lambda_raise_name,
    ):
        report = check(f, np.array([1.0, -1.0]))
        assert report.raised == "ValueError"


def lambda_raise_class(x):
    if x < 0:
        raise ValueError
    return x


def lambda_raise_instance(x):
    if x < 0:
        raise ValueError()
    return x


ERROR = ValueError


def lambda_raise_name(x):
    if x < 0:
        raise ERROR("named", x)
    return x


def test_code_before_a_raise_runs_for_its_lanes():
    """What computes the message may fail itself, and then that is what the loop raises."""

    def f(k):
        if k < 2:
            ratio = 10 // k
            raise ValueError(f"ratio {ratio}")
        return k

    assert str(caught(f, np.array([5, 1]))) == "ratio 10"
    assert type(caught(f, np.array([5, 0]))) is ZeroDivisionError
    vectorised(f, np.array([5, 0, 1]))
    vectorised(f, np.array([5, 3]))


def test_raise_behind_partial_code():
    """An earlier partial operation fails only for lanes that the raise has not taken."""

    def f(k, m):
        if k == 0:
            raise ValueError("zero")
        q = m // k
        if q > 3:
            raise ValueError(f"q={q}")
        return q

    vectorised(f, array("i", 0), array("i", 1))
    vectorised(f, np.array([4, 0]), np.array([1, 1]))
    vectorised(f, np.array([1, 0]), np.array([9, 1]))


def test_everything_raises():
    def f(x):
        raise ValueError(f"always {x}")

    assert str(caught(f, np.array([2.0, 1.0]))) == "always 2.0"
    assert len(autovec.vectorize(f, otypes="d")(np.zeros(0))) == 0

    def g(x):
        if x > 0:
            raise ValueError("positive")
        else:
            raise KeyError("not positive")

    assert type(caught(g, np.array([-1.0, 1.0]))) is KeyError


def test_in_broadcast_batches_lanes_are_in_c_order():
    def f(x, k):
        if x * k == 6:
            raise ValueError(f"{x} {k}")
        return x

    error = caught(f, np.array([[1.0], [2.0], [3.0]]), np.array([2, 3]))
    assert str(error) == "2.0 3"
    error = caught(f, np.array([2.0, 3.0]), np.array([[2], [3]]))
    assert str(error) == "3.0 2"


def test_nested_function_raises():
    def f(x, k):
        def positive(v, name):
            if not v > 0:
                raise ValueError(f"{name} must be positive, not {v}")
            return v

        return positive(x, "x") / positive(k, "k")

    assert str(caught(f, np.array([1.0, 2.0]), np.array([1, -2]))) == "k must be positive, not -2"
    vectorised(f, array("f", 0), array("i", 1))


def test_errors_leave_inputs_and_the_function_usable():
    x = np.array([1.0, 7.0, 2.0])
    kept = x.copy()
    g = autovec.vectorize(errors.own_exception, fallback="error")
    for _ in range(2):
        with pytest.raises(errors.Refused):
            g(x)
        assert x.tolist() == kept.tolist()
        assert g(x[:1]).tolist() == [1.0]


def test_uniform_conditions_raise_for_no_lane():
    """With no lane at all the loop never runs, so nothing raises."""

    def f(x, limit):
        if limit < 0:
            raise ValueError("limit")
        return x / limit

    assert autovec.vectorize(f)(np.zeros(0), 1.0).shape == (0,)
    assert autovec.vectorize(f)(np.zeros((0, 2)), -1.0).shape == (0, 2)
    assert str(caught(f, np.ones(2), -1.0)) == "limit"
