"""``errors="raise"``: Python's own exceptions where NumPy gives inf or nan."""

import math
import warnings

import numpy as np
import pytest

import autovec
from tests.oracle.standalone import load_text
from tests.programs.grid import FLOATS, INTS

X, K = (a.ravel() for a in np.meshgrid(FLOATS, INTS))


def outcome(f, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return f(*args)
        except Exception as error:
            return type(error), str(error)


def same(f, *args):
    """Lane by lane, and all good lanes at once, as the plain function has it."""
    g = autovec.vectorize(f, errors="raise", fallback="error")
    good = []
    for lane in zip(*(a.tolist() for a in args), strict=True):
        want = outcome(f, *lane)
        got = outcome(g, *(np.array([v]) for v in lane))
        if isinstance(want, tuple):
            assert got == want, (lane, got, want)
        else:
            np.testing.assert_allclose(got[0], want, rtol=1e-13, equal_nan=True)
            good.append(lane)
    if good:
        columns = [np.array(column) for column in zip(*good, strict=True)]
        want = [f(*lane) for lane in good]
        got = outcome(g, *columns)  # inf - inf warns, as NumPy does
        np.testing.assert_allclose(got, want, rtol=1e-13, equal_nan=True)


def ratio(x, k):
    return x / k


def whole(k, n):
    return k / n + (k // n if n > 1 else 0)


def logarithm(x):
    return math.log(x) + math.sqrt(x)


def exponential(x):
    return math.exp(x) - math.expm1(x)


def square(x):
    return x**2


def power(x, k):
    return x**k if x >= 0 else 0.0


def guarded(x, k):
    if k != 0 and x > 0:
        return math.log(x) / k
    y = 0.0
    for i in range(3):
        y += 1 / (i - 3.5) + (x / k if k > 5 else 0.0)
    return y


def helper(x, k):
    return ratio(x, k) + 1


def handled(x, k):
    try:
        return math.log(x / k)
    except ZeroDivisionError:
        return 1 / x


def fmod(x):
    return math.fmod(x, x) + math.sin(x)


@pytest.mark.parametrize("f", [ratio, power, guarded, helper, handled])
def test_two_arguments(f):
    same(f, X, K)


@pytest.mark.parametrize("f", [logarithm, exponential, square, fmod])
def test_one_argument(f):
    same(f, np.array(FLOATS))


def test_whole_numbers():
    k, n = (a.ravel() for a in np.meshgrid(INTS, INTS))
    same(whole, k, n)


def test_the_lowest_lane_and_its_note():
    g = autovec.vectorize(ratio, errors="raise")
    with pytest.raises(ZeroDivisionError, match="float division by zero") as caught:
        g(np.array([1.0, 2.0, 3.0]), np.array([1, 0, 0]))
    assert "lane 1 of 3" in caught.value.__notes__[0]


def test_the_text_alone_raises():
    g = autovec.vectorize(guarded, errors="raise")
    text = g.emit(X, K)
    alone = load_text(text, "guarded")
    with pytest.raises(OverflowError, match="math range error"):
        load_text(autovec.vectorize(exponential, errors="raise").emit(X), "exponential")(1e3 * X)
    assert 'raise ZeroDivisionError("float division by zero")' in text
    assert alone(np.array([2.0]), np.array([3])).shape == (1,)


def test_lanes_not_taken_do_not_raise():
    g = autovec.vectorize(guarded, errors="raise")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        g(np.array([-1.0, 2.0, 0.0]), np.array([0, 0, 3]))


def test_vmap_and_the_option_itself():
    x = np.array([1.0, 2.0])
    with pytest.raises(ZeroDivisionError):
        autovec.vmap(ratio, in_axes=(0, None), errors="raise")(x, 0)
    with np.errstate(all="ignore"):
        assert autovec.vectorize(ratio)(x, np.array([0, 1])).tolist() == [math.inf, 2.0]
    with pytest.raises(ValueError, match="errors must be one of"):
        autovec.vectorize(ratio, errors="ignore")
