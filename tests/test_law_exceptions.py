"""The law: exceptions are the loop's own, of the lowest failing lane, made exact by replay."""

import math

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.oracle.standalone import load_text


def caught(f, *args, **kw):
    with pytest.raises(Exception) as found:
        autovec.vectorize(f, fallback="error", **kw)(*args)
    return found.value


def places(x, k):
    """Three places that can fail, each for other lanes."""
    if k == 5:
        raise KeyError(f"five {x}")
    y = 100 // k
    if y > 60:
        raise ValueError(f"y={y} x={x}")
    assert x < 50, f"x={x}"
    return y


@pytest.mark.parametrize(
    ("k", "x", "error", "message"),
    [
        ([2, 0, 5, 1], [1, 1, 1, 1], ZeroDivisionError, "integer division or modulo by zero"),
        ([2, 1, 0, 5], [1, 2, 1, 1], ValueError, "y=100 x=2.0"),
        ([2, 5, 0, 1], [1, 3, 1, 1], KeyError, "'five 3.0'"),
        ([2, 2, 5, 0], [1, 99, 1, 1], AssertionError, "x=99.0"),
    ],
)
def test_lowest_lane_over_all_places(k, x, error, message):
    found = caught(places, np.array(x, float), np.array(k))
    assert type(found) is error and message in str(found)
    assert found.__notes__[0].startswith("in lane 1")


def test_the_whole_message_is_the_loops():
    found = caught(lambda k: 7 // k, np.array([1, 0]))
    assert str(found) == "integer division or modulo by zero"
    found = caught(lambda k: 7 % k, np.array([1, 0]))
    assert str(found) in ("integer modulo by zero", "integer division or modulo by zero")
    with pytest.raises(ValueError) as own:
        int(math.nan)
    assert str(caught(lambda x: int(x), np.array([1.0, math.nan]))) == str(own.value)
    with pytest.raises(OverflowError) as own:
        int(math.inf)
    assert str(caught(lambda x: int(x), np.array([1.0, math.inf]))) == str(own.value)
    with pytest.raises(ValueError) as own:
        math.factorial(-1)
    assert str(caught(lambda k: math.factorial(k), np.array([1, -1]))) == str(own.value)


def test_errors_in_a_later_statement_of_an_earlier_lane():
    """The batch meets lane 1's error first; the loop would have met lane 0's."""

    def f(k, m):
        a = 10 // k
        b = 10 % m
        return a + b

    found = caught(f, np.array([1, 0]), np.array([0, 1]))
    assert found.__notes__[0].startswith("in lane 0")
    check(f, np.array([1, 0]), np.array([0, 1]))


def test_an_exception_through_a_helper_and_a_branch():
    def inverse(v):
        if v == 3:
            raise LookupError(v)
        return 1 // v

    def f(x, k):
        if x > 0:
            return inverse(k)
        return inverse(k + 1)

    x = np.array([1.0, -1.0, 1.0, -1.0])
    assert type(caught(f, x, np.array([1, 2, 0, -1]))) is LookupError
    assert type(caught(f, x, np.array([1, -1, 3, 2]))) is ZeroDivisionError
    check(f, x, np.array([1, 0, 3, 2]))


def test_text_alone_raises_for_the_first_bad_lane_of_the_first_failing_place():
    alone = load_text(autovec.vectorize(places).emit(np.ones(1), np.ones(1, int)), "places")
    with pytest.raises(KeyError, match=r"five 3\.0"):
        alone(np.array([1.0, 1.0, 3.0, 4.0]), np.array([1, 2, 5, 5]))
    with pytest.raises(ValueError, match=r"y=100 x=7\.0"):
        alone(np.array([1.0, 7.0, 3.0]), np.array([2, 1, 1]))
    with pytest.raises(AssertionError, match="x=51"):
        alone(np.array([1.0, 51.0, 3.0]), np.array([2, 2, 2]))
    assert alone(np.array([1.0]), np.array([2])).tolist() == [50]


def test_no_chain_of_internal_exceptions():
    found = caught(places, np.ones(2), np.array([2, 5]))
    assert found.__cause__ is None and found.__context__ is None


def test_exception_in_a_broadcast_call_names_the_position():
    found = caught(places, np.ones((2, 1)), np.array([2, 5, 3]))
    assert "lane 0, 1 of 2, 3" in found.__notes__[0] or "0, 1" in found.__notes__[0]
    assert "k=5" in found.__notes__[0]


def test_replay_gives_results_where_no_lane_raises():
    """A batch may fail where its lanes do not: then the lanes' results are the result."""

    class Touchy(np.ndarray):
        pass

    calls = []

    def f(x):
        return x + 1

    g = autovec.vectorize(f)
    assert g(np.array([1.0]).view(Touchy)).tolist() == [2.0]
    assert calls == []


def test_live_lanes_only():
    def f(x, k):
        if k > 0:
            assert x > 0, "not positive"
            return int(math.sqrt(x))
        return 0

    nan = np.array([math.nan, 4.0])
    assert autovec.vectorize(f, fallback="error")(nan, np.array([0, 1])).tolist() == [0, 2]
    assert type(caught(f, nan, np.array([1, 1]))) is AssertionError


def test_missing_keys_and_indexes():
    """Look-ups loop for now; their exceptions are the loop's all the same."""
    table = {1: 2.0}

    def f(k):
        return table[k] if k else 0.0

    with pytest.raises(KeyError) as found:
        autovec.vectorize(f, fallback="silent")(np.array([0, 1, 7, 8]))
    assert found.value.args == (7,)
    row = (1.0, 2.0)
    with pytest.raises(IndexError):
        autovec.vectorize(lambda k: row[k], fallback="silent")(np.array([0, 2]))
    with pytest.raises(IndexError):
        autovec.vectorize(lambda x: x + row[5], fallback="silent")(np.array([0.0, 2.0]))


def test_type_errors_are_the_loops():
    for f, x in (
        (lambda x: x + "a", np.array([1.0])),
        (lambda s: s - 1, np.array(["a"])),
        (lambda x: x & 1, np.array([1.0])),
        (lambda x: len(x), np.array([1.0])),
        (lambda x: x[0], np.array([1])),
        (lambda x: x(), np.array([1])),
        (lambda s: s < 1, np.array(["a"])),
        (lambda x: ~x, np.array([1.5])),
        (lambda x: x.nothing, np.array([1.5])),
    ):
        with pytest.raises((TypeError, AttributeError, IndexError)):
            autovec.vectorize(f, fallback="silent")(x)


def test_type_errors_of_lanes_not_taken_do_not_raise():
    def f(x):
        if x > 100:
            return x + "a"
        return x

    assert autovec.vectorize(f, fallback="silent")(np.array([1.0, 2.0])).tolist() == [1.0, 2.0]


def test_base_exceptions_pass():
    class Stop(BaseException):
        pass

    def f(x):
        if x < 0:
            raise Stop(x)
        return x

    with pytest.raises(Stop):
        autovec.vectorize(f, fallback="silent")(np.array([1.0, -1.0]))
